"""What a CT-e has in place of goods: the components of its price, its taxes, and the documents that it carries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from confere.app.documents.view import detail_text, item_facts, labelled_fields
from confere.app.documents.view.facts import Fact, FactLine, Section, ViewOptions, fact, figure, section
from confere.app.documents.view.loaded import Loaded
from confere.app.labels import labels
from confere.desktop.core import clipboard_rows
from confere.desktop.widgets.table import TableColumn
from confere.fiscal import access_keys
from confere.fiscal.detail import CarriedDocument, FreightDetail, Tax
from confere.fiscal.law import codes, field_text
from confere.system import formatting
from confere.system.messages import render, t


@dataclass(frozen=True, slots=True)
class CtePart:
    """One line. `access_key` is that of a carried document, which is here if `archived`; `place` tells lines apart."""

    place: int
    kind: str
    what: str
    amount_cents: int | None = None
    base_cents: int | None = None
    rate: str = ""
    access_key: str | None = None
    archived: bool = False
    tax: Tax | None = None
    carried: CarriedDocument | None = None


def parts(detail: FreightDetail, loaded: Loaded) -> list[CtePart]:
    """The price first, then the taxes, then what it carries, each in the order of the paper."""
    found = [CtePart(0, t("Price"), entry.name or "–", entry.amount_cents) for entry in detail.components]
    found += [_tax(tax) for tax in detail.taxes]
    found += [_carried(entry, loaded) for entry in detail.carried]
    return [replace(entry, place=number) for number, entry in enumerate(found)]


def columns() -> tuple[TableColumn[CtePart], ...]:
    """A narrow panel shows as far as the value."""
    return (
        TableColumn("kind", t("Part"), lambda row: row.kind, 82),
        TableColumn("what", t("What"), lambda row: row.what, 194),
        _money("amount", t("Value"), lambda row: row.amount_cents),
        _money("base", t("Base"), lambda row: row.base_cents),
        TableColumn("rate", t("Rate"), lambda row: row.rate, 76, right=True),
        TableColumn(
            "key",
            t("Access key"),
            lambda row: labels.key_groups(row.access_key or ""),
            404,
            copied=lambda row: row.access_key or "",
            shown=False,
        ),
    )


def _money(key: str, title: str, cents: Callable[[CtePart], int | None]) -> TableColumn[CtePart]:
    return TableColumn(
        key,
        title,
        lambda row: formatting.money(cents(row)),
        92,
        right=True,
        copied=lambda row: clipboard_rows.money(cents(row)),
    )


def sections(part: CtePart, options: ViewOptions) -> tuple[Section, ...]:
    """All of one line, for below the table."""
    if part.tax is not None:
        return (item_facts.tax_section(part.tax, options),)
    carried = part.carried
    if carried is None:
        return (section(part.what, figure(t("Value"), formatting.money(part.amount_cents))),)
    key = None
    if part.access_key:
        link = part.access_key if part.archived else None
        key = Fact(t("Access key"), (FactLine(labels.key_groups(part.access_key), link=link),))
    return (
        section(
            part.what,
            key,
            None if part.archived or not part.access_key else fact("", t("not in the archive"), "warn"),
            fact(t("Number"), carried.number),
            figure(t("Value"), formatting.money(carried.value_cents)),
            fact(t("Delivery expected on"), formatting.date(carried.expected_on)),
            *labelled_fields.facts(carried.fields, options),
        ),
    )


def _tax(tax: Tax) -> CtePart:
    known = codes.situation(tax.name, tax.cst)
    meaning = f" – {render(known)}" if known is not None else ""
    what = f"{field_text.name(tax.name)} CST {tax.cst}{meaning}" if tax.cst else field_text.name(tax.name)
    rate = f"{field_text.number(tax.rate, 2)} %" if tax.rate is not None else ""
    return CtePart(0, t("Tax"), what, tax.amount_cents, tax.base_cents, rate, tax=tax)


def _carried(entry: CarriedDocument, loaded: Loaded) -> CtePart:
    key = entry.access_key
    row = loaded.related.get(key) if key else None
    if row is not None:
        name = f"{labels.type_word(row.type)} {labels.number_word(row.series, row.number)}"
        what = " · ".join(filter(None, (name, detail_text.parties_line(row, loaded.own, loaded.hidden))))
        return CtePart(0, t("Carries"), what, row.total, access_key=key, archived=True, carried=entry)
    split = access_keys.parse(key) if key else None
    if split is not None:
        kind = labels.model_word(split.model)
        what = f"{kind} {labels.number_word(split.series, split.number)}"
    else:
        what = " ".join(filter(None, (field_text.name(entry.kind), entry.number)))
    return CtePart(0, t("Carries"), what, entry.value_cents, access_key=key, carried=entry)
