"""Orders and sales that hang together: what one order is billed by, over carts and packages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol, TypeVar

from confere.sales.reconciliation_input import OrderEntry, PaperEntry
from confere.sales.slotted_records import record


class _OfMonth(Protocol):
    @property
    def period(self) -> str: ...


_Entry = TypeVar("_Entry", bound=_OfMonth)
_MANY: Final = 20  # a person reads less than that one by one


@record
class OrderGroup:
    """Orders with all authorized sales that are linked to any of them, and what complements these sales."""

    orders: tuple[OrderEntry, ...]
    sales: tuple[PaperEntry, ...]
    complements: tuple[PaperEntry, ...] = ()

    @property
    def papers(self) -> tuple[PaperEntry, ...]:
        return (*self.sales, *self.complements)

    @property
    def is_pair(self) -> bool:
        """One order with its one sale, and nothing else."""
        return len(self.orders) == len(self.sales) == 1 and not self.complements


def components(pairs: Iterable[tuple[str, str]]) -> list[tuple[list[str], list[str]]]:
    """What is connected by `pairs` of left and right names: the names of each component, in order of appearance."""
    right_of: dict[str, list[str]] = defaultdict(list)
    left_of: dict[str, list[str]] = defaultdict(list)
    for left, right in pairs:
        right_of[left].append(right)
        left_of[right].append(left)
    parts: list[tuple[list[str], list[str]]] = []
    seen_left: set[str] = set()
    seen_right: set[str] = set()
    for first in right_of:
        if first in seen_left:
            continue
        seen_left.add(first)
        if len(right_of[first]) == 1 and len(left_of[right_of[first][0]]) == 1:
            parts.append(([first], right_of[first]))  # one of each, as most are
            continue
        lefts, rights, waiting = [first], [], [first]
        while waiting:
            for right in right_of[waiting.pop()]:
                if right in seen_right:
                    continue
                seen_right.add(right)
                rights.append(right)
                for left in left_of[right]:
                    if left not in seen_left:
                        seen_left.add(left)
                        lefts.append(left)
                        waiting.append(left)
        parts.append((lefts, rights))
    return parts


def many_alike(
    subjects: Iterable[_Entry], kind_of: Callable[[_Entry], str | None]
) -> tuple[dict[tuple[str, str], list[_Entry]], list[_Entry]]:
    """What is one disagreement and not thousands: entries by kind and month; and those to be told one by one.

    `kind_of` is None for an entry that is none of many; a kind with few entries, over all months, is none either.
    """
    kinds: dict[str | None, list[_Entry]] = defaultdict(list)
    apart: list[_Entry] = []
    for subject in subjects:
        kinds[kind_of(subject)].append(subject)
    alike: dict[tuple[str, str], list[_Entry]] = defaultdict(list)
    for kind, entries in kinds.items():
        if kind is None or len(entries) < _MANY:
            apart += entries
            continue
        for subject in entries:
            alike[kind, subject.period].append(subject)
    return dict(sorted(alike.items())), apart


def in_time(papers: Iterable[PaperEntry]) -> list[PaperEntry]:
    """Papers as they were issued, oldest first."""
    return sorted(papers, key=lambda paper: (paper.issued_on, paper.issued_at or "", paper.key or ""))


def oldest(papers: Sequence[PaperEntry]) -> PaperEntry:
    """The one issued first: a finding about several stands in its month."""
    return in_time(papers)[0]
