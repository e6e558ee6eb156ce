"""The numbers of a company's own notes in a month, series by series: used, declared unused, and missing.

The checklist counts by it and the ledger lists by it, so that both name the same numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from confere.app.closing.paper_lines import CompanyMonth
from confere.archive.accounts import preferences
from confere.archive.closing import series_numbers
from confere.archive.closing.month_papers import TEST_ENVIRONMENT
from confere.archive.closing.series_numbers import NumberSeries, UsedNumber
from confere.archive.hub.completeness import Lack
from confere.archive.transaction import Transaction
from confere.fiscal import access_keys
from confere.reconcile.number_gaps import NumberGap, number_gaps

_MODELS: Final = frozenset({"55", "65"})
_NOTES: Final = frozenset({"nfe", "nfce"})


@dataclass(frozen=True, slots=True)
class SeriesGaps:
    """By series: the numbers `used` in the month, the ranges `voided` at any time, and the `gaps` of the month.

    `declared` names the series that an account declares wholly visible: of the others nobody can say whose the
    missing numbers are.
    """

    used: dict[NumberSeries, list[UsedNumber]]
    voided: dict[NumberSeries, list[tuple[int, int]]]
    gaps: dict[NumberSeries, list[NumberGap[UsedNumber]]]
    declared: frozenset[str]


def series_gaps(transaction: Transaction, of: CompanyMonth) -> SeriesGaps:
    """Numbers that are neither in the archive nor declared unused, in the month of the note after them, as R12."""
    production = all(found.account.environment == "production" for found in of.accounts)
    used = _used(of, with_tests=not production)
    voided = series_numbers.voided(transaction, of.company) if used else {}
    declared = frozenset(
        series.strip()
        for found in of.accounts
        for series in preferences.get(transaction, found.account.id).terms.visible_series
    )
    gaps = {
        line: _gaps(transaction, of, line, numbers, voided.get(line, []), with_tests=not production)
        for line, numbers in used.items()
    }
    return SeriesGaps(used, voided, gaps, declared)


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
