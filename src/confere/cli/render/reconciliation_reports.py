"""What the commands of reconciliation say to people: figures, what does not agree, what to do next."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from confere.cli import tables
from confere.cli.json.near_miss_json import NearMissesJson
from confere.cli.output import Output
from confere.cli.render import near_miss_reports
from confere.errors import NC_
from confere.sales.findings import FindingState, Severity
from confere.system import formatting
from confere.system.messages import ngettext, render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from rich.console import RenderableType

    from confere.app.context import Workspace
    from confere.app.reconciliation.decisions import Acted
    from confere.app.reconciliation.queries import (
        FindingGroup,
        FindingHistoryLine,
        FindingRow,
        ItemPrices,
        LinkLine,
        SideBySide,
        TieLine,
    )
    from confere.app.reconciliation.reconcile import AccountResult, ReconcileResult
    from confere.cli.fitted_table import FittedTable

Found = Mapping[str, Sequence["FindingRow"]]
"""The findings of each account that are not resolved."""

MOST_TOLD = 50
_KEY_IN_GROUPS = re.compile(r"\b[0-9A-Z]{4}(?: [0-9A-Z]{4}){10}\b")
_MOST_NUMBERS = 6


def found_by(workspace: Workspace, result: ReconcileResult) -> Found:
    """What the accounts and periods of a reconciliation stand at."""
    from confere.app.archive_session import OpenArchive
    from confere.app.reconciliation import queries

    states = tuple(state for state in queries.FindingState if state is not queries.FindingState.RESOLVED)
    with closing(OpenArchive(workspace)) as opened:
        return {
            entry.account: queries.findings(
                opened, queries.FindingQuery(entry.account, queries.FindingFilter(entry.period, states=states)), 0, -1
            )
            for entry in result.runs
        }


def open_findings(found: Found, *, only_high: bool) -> list[str]:
    """The open findings, those of high severity alone or all, by rule with their numbers."""
    numbers: dict[str, list[str]] = {}
    for rows in found.values():
        for row in rows:
            if row.stored.state is FindingState.OPEN and (not only_high or row.finding.severity is Severity.HIGH):
                numbers.setdefault(row.finding.rule, []).append(str(row.id))
    return [
        t(
            "{rule}: finding {numbers}",
            rule=rule,
            numbers=", ".join([*ids[:_MOST_NUMBERS], *(["…"] if len(ids) > _MOST_NUMBERS else [])]),
        )
        for rule, ids in numbers.items()
    ]


def reconciled(
    out: Output, result: ReconcileResult, found: Found, report: Path | None, listed: NearMissesJson | None = None
) -> None:
    """The figures of each account, its findings by rule, what moved since the run before, and what it explained."""
    from confere.app.reconciliation import findings

    for entry in result.runs:
        out.print(tables.facts(_figures(entry)), "")
        groups = findings.groups(entry.rules)
        if groups:
            out.print(_groups(groups), "")
        _told_moved(out, entry)
    if listed is not None and listed.suggestions:
        near_miss_reports.suggestions(out, listed.suggestions[:MOST_TOLD], len(listed.suggestions))
    if listed is not None and listed.explained:
        near_miss_reports.explained(out, listed.explained[:MOST_TOLD], len(listed.explained))
    if any(row.stored.is_stale for rows in found.values() for row in rows):
        out.aside(t("Findings of other months wait for their own run: links of them were decided since."))
    if report is not None:
        out.aside(t("The report is in {path}.", path=str(report)))
    if result.stopped:
        out.aside(t("It was stopped; nothing was changed by the run that was cut off."))
    elif any(found.values()):
        out.aside(t("See each with `confere findings list`, and both sides of one with `confere findings show N`."))


def demo(out: Output, entry: AccountResult) -> None:
    """One sentence for the demo."""
    from confere.app.reconciliation.queries import FindingState

    out.print(
        t(
            "Reconciled. Links: {links}, ambiguous: {ambiguous}; open findings: {open}, not checked: {unchecked}.",
            links=formatting.count(entry.links.automatic + entry.links.manual),
            ambiguous=formatting.count(entry.links.ambiguous),
            open=formatting.count(entry.count(FindingState.OPEN)),
            unchecked=formatting.count(entry.count(FindingState.NOT_CHECKED)),
        )
    )


def findings(out: Output, total: int, groups: Sequence[FindingGroup], found: Sequence[FindingRow]) -> None:
    """Findings, one block each, and their counts by rule."""
    for row in found:
        out.print(*_finding(row), "")
    if groups:
        out.print(_groups(groups))
    awaiting = sum(group.awaiting_closing for group in groups)
    if awaiting:
        out.aside(
            t(
                "Only the closing of the month lets these be checked, and neither the checklist nor a signature counts"
                " them: {count} (R20, R23).",
                count=formatting.count(awaiting),
            )
        )
    out.aside(
        t("1 finding.")
        if total == len(found) == 1
        else t("{shown} of {total} findings.", shown=formatting.count(len(found)), total=formatting.count(total))
    )


def sides(out: Output, found: SideBySide) -> None:
    """A finding with everything that speaks for and against it; of one side alone, what that side tells."""
    from confere.app.reconciliation.differences import one_sided

    if found.finding is not None:
        out.print(*_finding(found.finding), "")
    lines = found.contents or found.differences or one_sided(found.orders, found.papers)
    if lines:
        sides = (t("Current content"), t("Other content")) if found.contents else (t("Order"), t("Document"))
        out.print(
            tables.table(
                ["", *sides, ""],
                [
                    (
                        render(entry.field),
                        _whole(entry.order_value),
                        _whole(entry.paper_value),
                        "" if entry.agrees else "≠",
                    )
                    for entry in lines
                ],
            ),
            *(f"{render(entry.field)}: {render(entry.note)}" for entry in lines if entry.note is not None),
            "",
        )
    if found.prices:
        titles = [t("Price of one piece"), t("Order"), t("Invoice"), t("Published when it was ordered")]
        out.print(tables.table(titles, [_price(line) for line in found.prices]), "")
    absent = [side.order_id for side in found.orders if side.order is None]
    absent += [side.key for side in found.papers if side.row is None]
    for name in absent:
        out.aside(t("Not in the archive: {name}", name=name))
    if found.links:
        out.print(_links(found.links), "")
    if found.ties:
        out.print(_ties(found.ties), "")
    if found.history:
        history(out, found.history)


def _whole(value: str) -> str:
    """The value with access keys in one piece: a narrow column breaks groups apart, and nobody can copy them."""
    return _KEY_IN_GROUPS.sub(lambda found: found[0].replace(" ", ""), value)


def _price(line: ItemPrices) -> tuple[str, ...]:
    from confere.app.labels import price_labels  # with what reads the archive

    name = plain(" ".join(filter(None, (line.code, line.name))))
    words = (price_labels.ordered_word(line), price_labels.invoiced_word(line), price_labels.asked_word(line))
    return name, *map(plain, words)


def links(out: Output, found: Sequence[LinkLine]) -> None:
    if found:
        out.print(_links(found))
    out.aside(ngettext("{count} link.", "{count} links.", len(found)))


def ties(out: Output, found: Sequence[TieLine]) -> None:
    if found:
        out.print(_ties(found))
        out.aside(
            t(
                "Decide with `confere links link --order ID --key KEY`, or a whole one with `confere links in-order N`:"
                " the findings that hang on it are judged anew at once."
            )
        )
    out.aside(t("{count} ambiguous.", count=formatting.count(len(found))))


def history(out: Output, found: Iterable[FindingHistoryLine]) -> None:
    """Who did what and when."""
    out.print(
        tables.table(
            [t("When"), t("Who"), t("What"), t("Note")],
            [
                (
                    formatting.moment(entry.at),
                    entry.actor or t("run"),
                    render(entry.what) + (t(" (undone)") if entry.undone else ""),
                    entry.note or "",
                )
                for entry in found
            ],
        )
    )


def acted(out: Output, found: Acted) -> None:
    from confere.app.labels.reconciliation_labels import change_sentence, judgement_sentence

    out.print(plain(render(found.what)))
    for change in found.judged.changes:
        names = ", ".join(map(plain, (*change.orders, *change.keys)))
        out.print(f"  {plain(change_sentence(change))} ({names})" if names else f"  {plain(change_sentence(change))}")
    if found.judged.is_done and not found.judged.changes:
        out.aside(judgement_sentence(found.judged))
    if found.judged.links:
        out.aside(t("Other links that changed with it: {count}.", count=formatting.count(found.judged.links)))
    for sentence in found.withdrawn:
        out.aside(plain(render(sentence)))
    if found.waiting:
        out.aside(t("Findings that the next run computes anew: {count}.", count=formatting.count(found.waiting)))


def _figures(entry: AccountResult) -> list[tuple[str, object]]:
    from confere.app.labels.labels import month_word
    from confere.app.reconciliation.queries import FindingState

    count = formatting.count
    return [
        (t("Account"), entry.account),
        (t("Month"), t("all months") if entry.period is None else month_word(entry.period)),
        (t("As of"), formatting.moment(entry.as_of)),
        (t("Orders in the archive"), count(entry.orders)),
        (t("Documents in the archive"), count(entry.documents)),
        (t("Links by evidence"), count(entry.links.automatic)),
        (t("Links by a person"), count(entry.links.manual)),
        (t("Ambiguous"), count(entry.links.ambiguous)),
        *([(t("Nearly fit"), count(entry.suggestions))] if entry.suggestions else []),
        *(
            [(t("Links by a person that other evidence contradicts"), count(entry.contradicted))]
            if entry.contradicted
            else []
        ),
        (
            t("Explained by the rule"),
            f"{count(entry.explained.count)}  {formatting.money(entry.explained.amount)}",
        ),
        (t("Open findings"), count(entry.count(FindingState.OPEN))),
        (t("Not checked"), count(entry.count(FindingState.NOT_CHECKED))),
        (t(NC_("duration", "Time")), formatting.duration(entry.seconds)),
    ]


def _told_moved(out: Output, entry: AccountResult) -> None:
    from confere.app.labels.labels import month_word

    if entry.stopped:
        return
    if entry.empty and entry.period is not None:
        out.aside(
            t("There are neither orders nor documents of {month} in the archive.", month=month_word(entry.period))
        )
    if not entry.changed:
        if entry.previous is not None:
            out.aside(t("Nothing changed since the run before."))
        return
    out.aside(
        t(
            "New: {new}; no longer found: {closed}; came back: {reopened}.",
            new=formatting.count(entry.stored.new),
            closed=formatting.count(entry.stored.resolved),
            reopened=formatting.count(entry.stored.reopened),
        )
    )


def _groups(found: Sequence[FindingGroup]) -> FittedTable:
    from confere.app.labels import reconciliation_labels

    count = formatting.count
    return tables.table(
        [
            t("Rule"),
            "",
            t("Severity"),
            t("Still open"),
            t("Not checked"),
            t("Settled"),
            t("Resolved"),
            t("Amount at stake"),
        ],
        [
            (
                entry.rule,
                render(entry.title),
                reconciliation_labels.severity_word(entry.severity),
                count(entry.open),
                count(entry.not_checked),
                count(entry.explained + entry.ignored),
                count(entry.resolved),
                formatting.money(entry.amount) if entry.amount else "",
            )
            for entry in found
        ],
        right=(3, 4, 5, 6, 7),
    )


def _finding(row: FindingRow) -> list[RenderableType]:
    from confere.app.labels import reconciliation_labels

    state = reconciliation_labels.state_word(row.stored.state)
    head = Text.assemble(
        (f"{row.id}  {row.finding.rule}  ", "bold"),
        plain(render(row.title)),
        f"  {state}, {reconciliation_labels.severity_word(row.finding.severity)}",
        f"  {formatting.money(row.finding.amount)}" if row.finding.amount is not None else "",
    )
    marks = [
        mark
        for mark, there in (
            (t("new"), row.is_new),
            (t("changed since it was settled"), row.stored.is_changed),
            (t("waits for the next run"), row.stored.is_stale),
        )
        if there
    ]
    facts = [
        (t("Month"), formatting.month(row.finding.period) if row.finding.period else None),
        (t("Orders"), ", ".join(row.finding.orders)),
        (t("Documents"), "\n".join(row.finding.keys)),
        (t("Item"), row.finding.subject if row.finding.rule == reconciliation_labels.GOODS_RULE else ""),
        *((t("Evidence"), render(entry)) for entry in row.finding.evidence),
        (t("Note"), row.stored.note or ""),
        ("", render(row.resolved_by) if row.resolved_by is not None else ""),
        ("", ", ".join(marks)),
    ]
    return [head, tables.facts(facts)]


def _links(found: Sequence[LinkLine]) -> FittedTable:
    from confere.app.labels import reconciliation_labels

    return tables.table(
        [t("Order"), t("Access key"), t("Linked by"), "%", t("Evidence")],
        [
            (
                entry.link.order_id,
                entry.link.key,
                reconciliation_labels.kind_word(entry.link.kind),
                str(entry.link.confidence),
                plain(reconciliation_labels.evidence_line(entry.link.evidence)),
            )
            for entry in found
        ],
        right=(3,),
    )


def _ties(found: Sequence[TieLine]) -> FittedTable:
    return tables.table(
        ["", t("Orders"), t("Access keys"), t("Why it is not decided")],
        [(str(entry.number), "\n".join(entry.orders), "\n".join(entry.keys), render(entry.reason)) for entry in found],
    )
