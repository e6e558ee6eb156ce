"""The items of a note and the documents that a CT-e carries, as tables of a terminal with what each says beyond it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import RenderableType
from rich.text import Text

from confere.app.documents.view import item_facts
from confere.cli import tables
from confere.cli.render.section_view import add_facts, add_title, pairs
from confere.fiscal.detail import CarriedDocument, Fields, FreightDetail, FullItem, NoteDetail
from confere.fiscal.law import field_text
from confere.system import formatting
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.documents.view.loaded import Loaded

_ALWAYS, _VALUE = 2, 2  # the columns that there are in any case, and the place of the value


def add_items(made: list[RenderableType], loaded: Loaded, most: int | None) -> None:
    """The first `most` items or carried documents, None for all; by the archive's rows where it cannot be read."""
    detail = loaded.view.detail
    if isinstance(detail, NoteDetail):
        _items(made, detail.items, loaded, most)
    elif isinstance(detail, FreightDetail):
        _carried(made, detail.carried, most)
    elif detail is None:
        _items(made, [FullItem(item) for item in loaded.view.full.items], loaded, most)


def _items(made: list[RenderableType], items: Sequence[FullItem], loaded: Loaded, most: int | None) -> None:
    if not items:
        return
    shown = items[:most]
    rows = [
        (
            "" if full.item.number is None else str(full.item.number),
            full.item.code or "",
            full.item.description or "",
            full.item.ncm or "",
            full.item.cfop or "",
            field_text.number(full.item.quantity),
            full.item.unit or "",
            field_text.price(full.item.unit_price),
            formatting.money(full.discount_cents) if full.discount_cents else "",
            formatting.money(full.item.total_cents),
        )
        for full in shown
    ]
    headers = ["#", t("Code"), t("Description"), "NCM", "CFOP", t("Quantity"), t("Unit"), t("Unit price")]
    add_title(made, t("Items"), tables.table([*headers, t("Discount"), t("Item total")], rows, right=(0, 5, 7, 8, 9)))
    if loaded.view.detail is not None:
        for full in shown:
            add_facts(made, t("Item {number}", number=full.item.number), _beyond_columns(full, loaded))
    if len(shown) < len(items):
        rest = t(
            "{shown} of {total} items; the others with --items all.",
            shown=formatting.count(len(shown)),
            total=formatting.count(len(items)),
        )
        made += [Text(""), Text(rest)]


def _beyond_columns(full: FullItem, loaded: Loaded) -> list[tuple[str, object]]:
    """Its goods, then each tax and what it refers to under the name of that part."""
    goods, *others = item_facts.sections(full, loaded.options)
    made = pairs(goods.facts)
    for section in others:
        made += [(section.title, " "), *((f"  {label}", text) for label, text in pairs(section.facts))]
    return made


def _carried(made: list[RenderableType], documents: Sequence[CarriedDocument], most: int | None) -> None:
    if not documents:
        return
    shown = documents[:most]
    rows = [
        (
            field_text.name(carried.kind),
            carried.access_key or carried.number or "",
            formatting.money(carried.value_cents),
            formatting.date(carried.expected_on),
            " · ".join(f"{label} {text}" for label, text in field_text.labelled(_further(carried))),
        )
        for carried in shown
    ]
    headers = [t("Kind"), t("Access key or number"), t("Value"), t("Expected on"), t("Further")]
    filled = [place for place in range(len(headers)) if place < _ALWAYS or any(row[place] for row in rows)]
    right = [place for place, column in enumerate(filled) if column == _VALUE]
    cells = [[row[place] for place in filled] for row in rows]
    add_title(made, t("Carries"), tables.table([headers[place] for place in filled], cells, right=right))
    if len(shown) < len(documents):
        rest = t(
            "{shown} of {total} carried documents; the others with --items all.",
            shown=formatting.count(len(shown)),
            total=formatting.count(len(documents)),
        )
        made += [Text(""), Text(rest)]


def _further(carried: CarriedDocument) -> Fields:
    """What the columns before do not tell."""
    shown = {"chave", "chNFe", "chBPe"} if carried.access_key else {"nDoc"}
    shown |= {"dPrev"} if carried.expected_on else set()
    if carried.value_cents is not None:  # the first of these that is there
        paths = {path for path, _ in carried.fields}
        shown.add(next((path for path in ("vNF", "vDocFisc", "vDoc") if path in paths), ""))
    return tuple((path, text) for path, text in carried.fields if path not in shown)
