"""Which copies of the archive hold more of something than every newer one: none of them may be removed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from confere.archive.maintenance.backups import copy_counts
from confere.archive.maintenance.backups.copy_counts import Fall
from confere.archive.maintenance.backups.copy_records import CopyRecord
from confere.archive.maintenance.backups.trail_standing import HeadPlace, TrailStanding


class HeldMore(NamedTuple):
    """A copy that holds more than the `newest` one, and of what."""

    record: CopyRecord
    newest: CopyRecord
    falls: tuple[Fall, ...]


def holding_more(records: Iterable[CopyRecord], trail: TrailStanding) -> tuple[HeldMore, ...]:
    """The copies that hold more of any kind and month than every newer copy, the newest first; one of each number.

    Not those of before a person accepted what was lost, nor those of an archive that a restore set aside. What once
    fell in a month that still grew stays told, also where later documents outnumber it.
    """
    ordered = comparable(records, trail)
    if not ordered:
        return ()
    newest = ordered[0]
    highest = newest.counts or {}
    found: dict[int, HeldMore] = {}
    for record in ordered:
        counts = record.counts or {}
        falls = copy_counts.falls(counts, highest) or _hidden(record)
        if falls and record.number < newest.number and record.number not in found:
            found[record.number] = HeldMore(record, newest, copy_counts.falls(counts, newest.counts or {}) or falls)
        highest = copy_counts.highest(highest, counts)
    return tuple(found.values())


def comparable(records: Iterable[CopyRecord], trail: TrailStanding) -> list[CopyRecord]:
    """The whole copies that were counted and belong to what the archive is now, the newest first.

    Of those made together the ones that take no passphrase come first.
    """
    return sorted(
        (
            record
            for record in records
            if record.problem is None
            and record.counts is not None
            and record.number >= trail.accepted
            and trail.place_of(record.audit_line, record.audit_head, record.made_at) is not HeadPlace.SET_ASIDE
        ),
        key=lambda record: (record.number, record.made_at, record.digest is None, record.path),
        reverse=True,
    )


def remembered(records: Iterable[CopyRecord], held: Iterable[HeldMore]) -> list[CopyRecord]:
    """The records that now have to say what a newer copy held less of: later documents may hide it."""
    falls = {each.record.number: each.falls for each in held}
    return [
        replace(record, fell=falls[record.number]) for record in records if record.number in falls and not record.fell
    ]


def _hidden(record: CopyRecord) -> tuple[Fall, ...]:
    """Of what fell after a copy, what later arrivals may have filled up: of its own month, of the one before, and of
    what has no month. In an older month the count itself tells."""
    year, month = int(record.made_at[:4]), int(record.made_at[5:7])
    since = f"{year}-{month - 1:02}" if month > 1 else f"{year - 1}-12"
    return tuple(fall for fall in record.fell if not fall.month or fall.month >= since)
