"""R12: numbers of a series that were neither used nor declared unused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from confere.errors import N_, Message, message
from confere.fiscal import access_keys
from confere.fiscal.model import State
from confere.reconcile import evidence_text, predicates
from confere.reconcile.context import NumberLine, View
from confere.reconcile.coverage import listed_periods
from confere.reconcile.number_gaps import number_gaps
from confere.reconcile.rules.rule import Rule
from confere.reconcile.undecided_reasons import Reason
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import PaperEntry

RULE: Final = Rule(
    "R12",
    2,
    Severity.MEDIUM,
    N_("Number gap"),
    N_(
        "Numbers between two notes of a series are neither in the archive nor declared unused."
        " Find the notes, or have the numbers declared unused (inutilização)."
    ),
)
_MODELS: Final = frozenset({"55", "65"})
Seen = tuple[int, str, PaperEntry | None]
"""A number with the month of its note, and the note; of one without XML the month that its key says."""


def find(view: View) -> Iterator[Finding]:
    """Runs of missing numbers in the series that the account declares wholly visible to it.

    Denied, rejected and cancelled numbers are used; a note that the hub names without giving its XML uses its number
    too. A run stands in the month of the note after it. Other series in which the account issues are not checked:
    each month names those of each of its companies.

    Source: reconciliation rules, R12; behind it Ajuste SINIEF 7/05, cl. 14 (unused numbers are declared,
    inutilização).
    """
    declared = {series.strip() for series in view.terms.visible_series}
    voided = _voided(view)
    others: dict[tuple[str, str], list[str]] = defaultdict(list)
    for line, numbers in sorted(_seen(view).items(), key=lambda item: _name(*item[0])):
        series = _name(*line)
        if series in declared:
            yield from _gaps(view, series, numbers, voided[series])
            continue
        for period in {period for _, period, _ in numbers}:
            others[period, line[0] or ""].append(series)
    # Of an account with one company the month alone is the subject, as what people decided on it knows it.
    is_alone = len(view.ledger.own) == 1
    for (period, emitter), names in sorted(others.items()):
        yield RULE.found(
            period,
            message(
                "Gaps say nothing in series that are not declared wholly visible to this account: {series}.",
                series=", ".join(names),
            ),
            subject=period if is_alone else f"{emitter}/{period}",
            checked=False,
        )


def _name(emitter: str | None, model: str | None, series: int | None) -> str:
    return f"{emitter}/{model}/{series or 0}"


def _seen(view: View) -> dict[NumberLine, list[Seen]]:
    seen: dict[NumberLine, list[Seen]] = defaultdict(list)
    own = view.ledger.own
    for paper in view.papers.values():
        if paper.state == predicates.TEST:
            continue
        if (
            paper.type in predicates.NOTES
            and paper.emitter in own
            and paper.model in _MODELS
            and paper.number is not None
        ):
            seen[paper.emitter, paper.model, paper.series or 0].append((paper.number, paper.period, paper))
    for parts in filter(None, map(access_keys.parse, view.ledger.undownloaded)):
        if parts.model in _MODELS and parts.emitter in own:
            seen[parts.emitter, parts.model, parts.series].append((parts.number, parts.period, None))
    return seen


def _voided(view: View) -> dict[str, list[tuple[int, int]]]:
    voided: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for paper in view.ledger.papers:
        if paper.state == State.VOIDED and paper.first_number is not None and paper.last_number is not None:
            voided[_name(paper.emitter, paper.model, paper.series)].append((paper.first_number, paper.last_number))
    return voided


def _gaps(view: View, series: str, numbers: list[Seen], voided: list[tuple[int, int]]) -> Iterator[Finding]:
    unlisted: dict[str, int] = {}
    for gap in number_gaps(numbers, voided):
        period = gap.after[1]
        if not _is_listed(view, gap.before, gap.after):
            unlisted[period] = unlisted.get(period, 0) + gap.numbers
            continue
        yield RULE.found(
            period,
            _gap_sentence(series, gap.first, gap.last),
            message(
                "{before} is of {month_before}, {after} of {month_after}.",
                before=gap.before[0],
                month_before=evidence_text.day(gap.before[1]),
                after=gap.after[0],
                month_after=evidence_text.day(gap.after[1]),
            ),
            subject=f"{series}/{gap.first}-{gap.last}",
        )
    for period, count in unlisted.items():
        yield RULE.found(
            period,
            Message(Reason.DOCUMENTS_NOT_LISTED.value),
            message("Numbers of series {series} that are not here: {count}.", series=series, count=count),
            subject=f"{period}/{series}",
            checked=False,
        )


def _gap_sentence(series: str, first: int, last: int) -> Message:
    if first == last:
        return message(
            "Series {series}: the number {number} is neither in the archive nor declared unused.",
            series=series,
            number=first,
        )
    return message(
        "Series {series}: the {count} numbers from {first} to {last} are neither in the archive nor declared unused.",
        series=series,
        count=last - first + 1,
        first=first,
        last=last,
    )


def _is_listed(view: View, before: Seen, after: Seen) -> bool:
    """Whether the time between the notes on both sides of a gap was listed whole."""
    ends = [_span(seen) for seen in (before, after)]
    starts = [start for start, _ in ends if start is not None]
    stops = [stop for _, stop in ends if stop is not None]
    return bool(starts and stops) and view.documents_listed.cover(min(starts), min(max(stops), view.now))


def _span(seen: Seen) -> tuple[float | None, float | None]:
    _, period, paper = seen
    at = listed_periods.issued(paper) if paper is not None else None
    return (at, at) if at is not None else (listed_periods.day_begins(period), listed_periods.month_ends(period))
