"""A push for people: what would be created and changed, with examples; and what became of the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from confere.cli import tables
from confere.cli.output import Output
from confere.errors import message
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.catalog.push_plan import PushPlan
    from confere.app.catalog.push_result import PushResult

_MOST_TOLD: Final = 50
_EXAMPLES: Final = 3  # of each kind
_SHOWN: Final = 300  # characters of an example's body
_KINDS: Final = {
    "brand": message("Brands"),
    "category": message("Categories"),
    "variation": message("Variations"),
    "product": message("Products"),
    "sku": message("SKUs"),
    "image": message("Images"),
    "stock": message("Stock"),
}


def planned(out: Output, made: PushPlan) -> None:
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
        (render(_KINDS[kind]), count(figures["created"]), count(figures["changed"]))
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


def pushed(out: Output, result: PushResult) -> None:
    """Figures on stdout, each row that is not well on stderr."""
    from confere.app.catalog.push_files import OUTCOME_WORDS
    from confere.app.catalog.push_result import WELL, RowOutcome

    counts = result.counts()
    pairs: list[tuple[str, object]] = [
        (render(OUTCOME_WORDS[outcome]).capitalize(), formatting.count(int(counts[outcome.value])))
        for outcome in RowOutcome
        if counts[outcome.value] or outcome in WELL
    ]
    pairs += [(t("Requests"), formatting.count(result.requests)), (t("Time"), formatting.duration(result.seconds))]
    out.print("", tables.facts(pairs))
    bad = [row for row in result.rows if row.outcome not in WELL]
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
