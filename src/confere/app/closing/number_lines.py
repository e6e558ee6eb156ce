"""The line about number gaps: each series of the company's own notes in the month, used and declared unused."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Final

from confere.app.closing.checklist_line import ChecklistLine, LineCode, LineProof, LineState, RemedyKind, named
from confere.app.closing.paper_lines import CompanyMonth
from confere.archive.accounts import preferences
from confere.archive.closing import series_numbers
from confere.archive.closing.month_papers import TEST_ENVIRONMENT
from confere.archive.closing.series_numbers import NumberSeries, UsedNumber
from confere.archive.hub.completeness import Lack
from confere.archive.reconciliation import declarations
from confere.archive.transaction import Transaction
from confere.errors import Message, message
from confere.fiscal import access_keys
from confere.reconcile.coverage import listed_periods
from confere.reconcile.coverage.known_periods import KnownPeriods
from confere.reconcile.number_gaps import NumberGap, number_gaps
from confere.sales.declarations import Declared
from confere.sales.reconciliation_input import ListedPeriod
from confere.system import formatting

_MODELS: Final = frozenset({"55", "65"})
_NOTES: Final = frozenset({"nfe", "nfce"})


def number_gap_line(transaction: Transaction, of: CompanyMonth, now: datetime) -> ChecklistLine:
    """Numbers that are neither in the archive nor declared unused, in the month of the note after them, as R12.

    A series that no account declares wholly visible is not checked: its missing numbers are named all the same.
    """
    production = all(found.account.environment == "production" for found in of.accounts)
    used = _used(of, with_tests=not production)
    if not used:
        return ChecklistLine(
            code=LineCode.NUMBER_GAPS,
            state=LineState.OK,
            what=message("The company issued no note in the month: there are no numbers to count."),
            proof=LineProof(counts={"series": 0, "missing": 0, "voided": 0}),
        )
    voided = series_numbers.voided(transaction, of.company)
    known = _known(transaction, of)
    declared = {
        series.strip()
        for found in of.accounts
        for series in preferences.get(transaction, found.account.id).terms.visible_series
    }
    gaps: dict[NumberSeries, list[NumberGap[UsedNumber]]] = {}
    unlisted = 0
    for line, numbers in used.items():
        ranges = voided.get(line, [])
        gaps[line] = _gaps(transaction, of, line, numbers, ranges, with_tests=not production)
        if line.name in declared:
            unlisted += sum(gap.numbers for gap in gaps[line] if not _is_listed(known, gap, now))
    sure = [line for line in used if line.name in declared]
    open_lines = sorted(line.name for line in used if line.name not in declared)
    missing = sum(gap.numbers for line in sure for gap in gaps[line])
    possible = sum(gap.numbers for line in used if line not in sure for gap in gaps[line])
    counts = {
        "series": len(used),
        "series_not_declared": len(open_lines),
        "missing": missing - unlisted,
        "missing_not_declared": possible,
        "missing_not_listed": unlisted,
        "numbers": sum(len({number.number for number in numbers}) for numbers in used.values()),
        "voided_ranges": sum(len(voided.get(line, ())) for line in used),
    }
    state, what, remedy, kind = _verdict(counts, open_lines)
    return ChecklistLine(
        code=LineCode.NUMBER_GAPS,
        state=state,
        what=what,
        proof=named(
            (f"{line.name}/{gap.first}-{gap.last}" for line in sorted(gaps) for gap in gaps[line]),
            f"confere findings list --rule R12 --period {of.month.text}",
            **counts,
        ),
        remedy=remedy,
        remedy_kind=kind,
    )


def _verdict(
    counts: dict[str, int], open_lines: list[str]
) -> tuple[LineState, Message, Message | None, RemedyKind | None]:
    texts = {name: formatting.count(number) for name, number in counts.items()}
    possible = texts["missing_not_declared"]
    if counts["missing"]:
        what = message("Numbers that are neither in the archive nor declared unused: {missing}.", **texts)
        remedy = message("Find the notes, or have the numbers declared unused (inutilização).")
        return LineState.PROBLEM, what, remedy, RemedyKind.IMPORT
    if counts["missing_not_listed"]:
        what = message(
            "Numbers that are not here, from days that the hub's list does not cover whole: {missing_not_listed}.",
            **texts,
        )
        return LineState.NOT_CHECKED, what, message("Run `confere sync`."), RemedyKind.SYNC
    if open_lines:
        series = ", ".join(open_lines)
        what = message(
            "Series that are not declared wholly visible to the account, so that nobody can say which numbers are"
            " missing: {series}.",
            series=series,
        )
        if counts["missing_not_declared"]:
            what = message(
                "Series that are not declared wholly visible to the account: {series}. Numbers that are not here:"
                " {count}; they may be somebody else's.",
                series=series,
                count=possible,
            )
        remedy = message("Declare the series that are wholly visible: `confere account change NAME --visible-series`.")
        return LineState.NOT_CHECKED, what, remedy, RemedyKind.TERMS
    what = message("All numbers of {series} series are in the archive or declared unused.", **texts)
    return LineState.OK, what, None, None


def _used(of: CompanyMonth, *, with_tests: bool) -> dict[NumberSeries, list[UsedNumber]]:
    """The numbers of the month's own notes, and of those that a hub lists and has not given."""
    used: dict[NumberSeries, list[UsedNumber]] = defaultdict(list)
    for paper in of.papers:
        is_ours = paper.emitter == of.company and paper.kind in _NOTES and paper.model in _MODELS
        is_test = not with_tests and paper.tp_amb == TEST_ENVIRONMENT
        if is_ours and not is_test and paper.number is not None and paper.model is not None:
            line = NumberSeries(of.company, paper.model, paper.series or 0)
            used[line].append(UsedNumber(paper.number, paper.day, paper.moment))
    keys = of.keys
    for found in of.accounts:
        for lack in (Lack.NOT_DOWNLOADED, Lack.NOT_OFFERED, Lack.UNREADABLE):
            for entry in found.lacking.get(lack, ()):
                parts = access_keys.parse(entry.name) if entry.name not in keys else None
                if parts is not None and parts.emitter == of.company and parts.model in _MODELS:
                    number = UsedNumber(parts.number, parts.period, None)
                    used[NumberSeries(parts.emitter, parts.model, parts.series)].append(number)
    return used


def _gaps(
    transaction: Transaction,
    of: CompanyMonth,
    line: NumberSeries,
    numbers: Iterable[UsedNumber],
    voided: Sequence[tuple[int, int]],
    *,
    with_tests: bool,
) -> list[NumberGap[UsedNumber]]:
    """The gaps of a series that stand in the month.

    Looked at are the month's numbers, those of other months between them and the one before the first; where some are
    missing, also those that a hub's list names without their documents, which is a longer look.
    """
    ordered = sorted(set(numbers))
    lowest, highest = ordered[0].number, ordered[-1].number
    before = series_numbers.last_before(transaction, line, lowest, with_tests=with_tests)
    used = [*ordered] if before is None else [before, *ordered]
    for one, other in pairwise(ordered):
        if other.number - one.number > 1:
            within = one.number + 1, other.number - 1
            used += series_numbers.within(transaction, line, *within, with_tests=with_tests)
    found = list(number_gaps(used, voided))
    if found or before is None:
        first = 1 if before is None else before.number
        ids = [account.account.id for account in of.accounts]
        listed = list(series_numbers.listed_alone(transaction, ids, line, first, highest))
        if listed:
            found = list(number_gaps([*used, *listed], voided))
    return [gap for gap in found if gap.after.month == of.month.text]


def _known(transaction: Transaction, of: CompanyMonth) -> list[KnownPeriods]:
    return [
        KnownPeriods(
            [ListedPeriod(span.from_at, span.to_at) for span in found.documents.spans],
            [
                entry
                for entry in declarations.standing(transaction, found.account.id)
                if entry.what is Declared.DOCUMENTS
            ],
        )
        for found in of.accounts
    ]


def _is_listed(known: Iterable[KnownPeriods], gap: NumberGap[UsedNumber], now: datetime) -> bool:
    """Whether the time between the notes on both sides of a gap was listed whole."""
    ends = [_span(number) for number in (gap.before, gap.after)]
    starts = [start for start, _ in ends if start is not None]
    stops = [stop for _, stop in ends if stop is not None]
    if not starts or not stops:
        return False
    return any(periods.cover(min(starts), min(max(stops), listed_periods.utc(now))) for periods in known)


def _span(number: UsedNumber) -> tuple[float | None, float | None]:
    if len(number.issued_on) == len("YYYY-MM"):  # of one without XML its month alone is known
        return listed_periods.day_begins(number.issued_on), listed_periods.month_ends(number.issued_on)
    at = listed_periods.moment(number.issued_at)
    at = at if at is not None else listed_periods.day_begins(number.issued_on)
    return at, at
