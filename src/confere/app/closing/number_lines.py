"""The line about number gaps: each series of the company's own notes in the month, used and declared unused."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from confere.app.closing.checklist_line import ChecklistLine, LineCode, LineProof, LineState, RemedyKind, named
from confere.app.closing.paper_lines import CompanyMonth
from confere.app.closing.series_gaps import series_gaps
from confere.archive.closing.series_numbers import UsedNumber
from confere.archive.reconciliation import declarations
from confere.archive.transaction import Transaction
from confere.errors import Message, message
from confere.reconcile.coverage import listed_periods
from confere.reconcile.coverage.known_periods import KnownPeriods
from confere.reconcile.number_gaps import NumberGap
from confere.sales.declarations import Declared
from confere.sales.reconciliation_input import ListedPeriod
from confere.system import formatting


def number_gap_line(transaction: Transaction, of: CompanyMonth, now: datetime) -> ChecklistLine:
    """Numbers that are neither in the archive nor declared unused, in the month of the note after them, as R12.

    A series that no account declares wholly visible is not checked: its missing numbers are named all the same.
    """
    found = series_gaps(transaction, of)
    used, gaps, declared = found.used, found.gaps, found.declared
    if not used:
        return ChecklistLine(
            code=LineCode.NUMBER_GAPS,
            state=LineState.OK,
            what=message("The company issued no note in the month: there are no numbers to count."),
            proof=LineProof(counts={"series": 0, "missing": 0, "voided": 0}),
        )
    known = _known(transaction, of)
    sure = [line for line in used if line.name in declared]
    unlisted = sum(gap.numbers for line in sure for gap in gaps[line] if not _is_listed(known, gap, now))
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
        "voided_ranges": sum(len(found.voided.get(line, ())) for line in used),
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
