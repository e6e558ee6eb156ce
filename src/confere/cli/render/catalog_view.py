"""The catalog for people: products, one in full with how it changed, what a sync and a push came to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rich.console import RenderableType
from rich.text import Text

from confere.app.catalog import catalog_words
from confere.cli import tables
from confere.cli.output import Output
from confere.errors import NC_
from confere.fiscal.periods import in_brasilia
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.catalog.catalog import CatalogResult, CatalogRow, ShownProduct
    from confere.app.catalog.push_plan import PushPlan
    from confere.app.catalog.push_result import PushResult
    from confere.sales.catalog_product import CatalogSku

_MOST_TOLD: Final = 50
_EXAMPLES: Final = 3  # of each kind
_SHOWN: Final = 300  # characters of an example's body


def products(rows: Sequence[CatalogRow]) -> RenderableType:
    """One SKU a line: what is sold is what orders and invoices name."""
    lines = []
    for row in rows:
        product = row.product
        for sku in product.skus or (None,):
            lines.append(
                (
                    sku.code if sku else "",
                    (sku.title if sku else None) or product.title or "",
                    (sku.ean if sku else None) or "",
                    product.ncm or "",
                    product.origin or "",
                    formatting.money(sku.price_cents if sku else None),
                    _stock(sku),
                    product.brand or "",
                    t("no longer listed") if row.gone_since else "",
                )
            )
    headers = (t("SKU"), t("Title"), t("EAN"), t("NCM"), t("Origin"), t("Price"), t("Stock"), t("Brand"), "")
    return tables.table(headers, lines, right=(5, 6))


def parts(shown: ShownProduct) -> Iterator[RenderableType]:
    """The whole sheet."""
    row, product = shown.row, shown.row.product
    yield Text(plain(product.title or product.hub_id), style="bold")
    yield tables.facts(
        [
            (t("Account"), row.account),
            (t("Id at the hub"), product.hub_id),
            (t("NCM"), product.ncm),
            (t("Origin"), product.origin),
            (t("Brand"), product.brand),
            (t("Category"), shown.category),
            (t("Model"), product.model),
            (t("Last change at the hub"), _moment(product.changed_at)),
            (t("Last listed"), _moment(row.seen_at)),
            (t("No longer listed since"), _moment(row.gone_since)),
        ]
    )
    yield ""
    yield Text(t("SKUs"), style="bold")
    yield tables.table(
        (t("SKU"), t("EAN"), t("Title"), t("Variations"), t("Unit"), t("Price"), t("Stock")),
        [
            (
                sku.code,
                sku.ean or "",
                sku.title or "",
                catalog_words.variations_text(sku),
                sku.unit or "",
                formatting.money(sku.price_cents),
                _stock(sku),
            )
            for sku in product.skus
        ],
        right=(5, 6),
    )
    yield ""
    yield Text(t("Versions"), style="bold")
    lines = []
    for entry in shown.versions:
        seen = _moment(entry.version.seen_at)
        what = [catalog_words.change_text(change) for change in entry.changes] or [
            t("first seen") if entry is shown.versions[-1] else t("a field that Confere does not compare")
        ]
        for place, text in enumerate(what):
            lines.append((seen if place == 0 else "", text))
    yield tables.table((t("Seen"), t("What changed")), lines)


def synced(out: Output, result: CatalogResult) -> None:
    """Figures to stdout, what was refused to stderr."""
    count = formatting.count

    def some(number: int) -> str:
        return count(number) if number else ""

    names = result.names
    out.print(
        tables.facts(
            [
                (t("Products listed"), count(result.listed)),
                (t("Archived"), count(result.archived)),
                (t("New"), count(result.new)),
                (t("Changed"), count(result.changed)),
                (t("Refused, with a reason"), some(result.refused)),
                (t("Unaccounted for"), some(result.lost)),
                (t("No longer listed"), some(result.gone)),
                (t("Brands"), count(names["brand"]) if "brand" in names else ""),
                (t("Categories"), count(names["category"]) if "category" in names else ""),
                (t("Variations"), count(names["variation"]) if "variation" in names else ""),
                (t("Requests"), count(result.requests)),
                (t(NC_("duration", "Time")), formatting.duration(result.seconds)),
            ]
        )
    )
    if not result.whole and not result.stopped:
        out.aside(t("Only what changed since the last sync was listed; --full lists everything."))
    for entry in result.failures[:_MOST_TOLD]:
        out.aside(f"- {plain(entry.name)}: {render(entry.reason)}")
    if result.stopped:
        out.aside(t("It was stopped; what was done is kept. Start it again to go on from there."))


def push_planned(out: Output, made: PushPlan) -> None:
    """Counts and examples on stdout, what is wrong with rows on stderr."""
    for fault in made.faults[:_MOST_TOLD]:
        place = t("sheet {sheet}, ", sheet=plain(fault.sheet)) if fault.sheet else ""
        place += t("row {line}", line=fault.line) + (f", {plain(fault.column)}" if fault.column else "")
        out.aside(f"- {place}: {render(fault.reason)} {render(fault.remedy)}")
    if len(made.faults) > _MOST_TOLD:
        out.aside(t("… and {count} more; --json names them.", count=formatting.count(len(made.faults) - _MOST_TOLD)))
    if made.faults:
        out.aside(t("Nothing was sent: correct the rows first."))
        return
    count = formatting.count
    lines = [
        (render(catalog_words.KINDS[kind]), count(figures["created"]), count(figures["changed"]))
        for kind, figures in made.counts().items()
        if any(figures.values())
    ]
    facts = [
        (t("Rows"), count(made.file.rows)),
        (t("As the hub has them"), count(len(made.settled))),
        (t("Not used"), "; ".join(made.file.unused)),
    ]
    out.print(tables.facts(facts))
    if not lines:
        out.aside(t("The hub has everything as the file says."))
        return
    out.print("", tables.table(("", t("To create"), t("To change")), lines, right=(1, 2)), "")
    told: dict[tuple[str, bool], int] = {}
    for step in made.steps:
        kind = (step.kind.value, step.creates)
        told[kind] = told.get(kind, 0) + 1
        if told[kind] <= _EXAMPLES:
            write = made.ids.resolved(step).write
            body = write.data.decode("utf-8")
            shown = body if len(body) <= _SHOWN else body[:_SHOWN] + "…"
            out.text(f"{plain(write.method)} {plain(write.path)}  # {plain(step.name)}\n  {plain(shown)}\n")


def push_done(out: Output, result: PushResult) -> None:
    """Figures on stdout, each row that is not well on stderr."""
    from confere.app.catalog.push_files import OUTCOME_WORDS
    from confere.app.catalog.push_result import WELL, RowOutcome

    counts = result.counts()
    pairs: list[tuple[str, object]] = [
        (render(OUTCOME_WORDS[outcome]).capitalize(), formatting.count(int(counts[outcome.value])))
        for outcome in RowOutcome
        if counts[outcome.value] or outcome in WELL
    ]
    pairs += [
        (t("Requests"), formatting.count(result.requests)),
        (t(NC_("duration", "Time")), formatting.duration(result.seconds)),
    ]
    out.print("", tables.facts(pairs))
    bad = result.not_well
    for row in bad[:_MOST_TOLD]:
        why = row.hub_words or ("" if row.why is None else render(row.why))
        place = t("row {line}", line=row.line)
        out.aside(f"- {place}, {plain(row.code)}: {render(OUTCOME_WORDS[row.outcome])}. {plain(why)}".rstrip())
    if len(bad) > _MOST_TOLD:
        out.aside(t("… and {count} more; --report writes them all.", count=formatting.count(len(bad) - _MOST_TOLD)))
    if result.problem is not None:
        out.aside(render(result.problem))
    if result.stopped or bad:
        out.aside(t("Push the same file again: it goes on from there, and sends nothing twice."))


def _stock(sku: CatalogSku | None) -> str:
    return "" if sku is None or sku.stock is None else f"{sku.stock:f}"


def _moment(written: str | None) -> str:
    return "" if not written else formatting.moment(in_brasilia(written))
