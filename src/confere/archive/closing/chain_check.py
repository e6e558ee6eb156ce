"""The look at the chain of closings that finds an edited, missing or added act and an edited row of a snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from confere.archive.closing import act_texts, closings, frozen_rows
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Transaction

_HEAD_LENGTH: Final = 64  # hex digits


class ClosingBreak(StrEnum):
    """What is wrong with a closing."""

    ACT_EDITED = "act_edited"  # its names, times or totals, or which rows it froze
    ROWS_EDITED = "rows_edited"  # of one stretch of the rows that it froze
    ACTS_MISSING = "acts_missing"  # before it, or it was put in: it does not follow the one before
    NOT_AUDITED = "not_audited"  # the audit trail knows nothing of it
    GONE = "gone"  # the audit trail knows of it, and it is not there


@dataclass(frozen=True, slots=True)
class BrokenClosing:
    """What is wrong with the closing `number` (0: not known) of `subject`, company and month.

    `rows` names the stretch of frozen rows, as `section/position`.
    """

    number: int
    subject: str
    broken: ClosingBreak
    rows: str = ""


@dataclass(frozen=True, slots=True)
class ClosingChain:
    """What a look at all closings came to. `head` is the last one's, in hex."""

    acts: int
    head: str
    broken: tuple[BrokenClosing, ...]


def verify(transaction: Transaction) -> ClosingChain:
    """Follow the chain from its first act and read every frozen row back."""
    broken: list[BrokenClosing] = []
    audited, erased = _audited(transaction), act_texts.erasures(transaction)
    previous, number = closings.START, 0
    rows = closings.rows_of_chain(transaction)
    for row in rows:
        subject = f"{row.company} {row.month}"
        broken += [
            BrokenClosing(row.id, subject, what, where)
            for what, where in _wrong_with(transaction, row, previous, number, erased)
        ]
        if audited.pop(row.head.hex(), None) is None:
            broken.append(BrokenClosing(row.id, subject, ClosingBreak.NOT_AUDITED))
        previous, number = row.head, row.id
    broken += [BrokenClosing(0, subject, ClosingBreak.GONE) for subject in audited.values()]
    return ClosingChain(len(rows), previous.hex(), tuple(broken))


def _wrong_with(
    transaction: Transaction, row: NamedRow, previous: bytes, number: int, erased: Mapping[str, str | None]
) -> list[tuple[ClosingBreak, str]]:
    wrong = [
        (ClosingBreak.ROWS_EDITED, f"{part.section}/{part.position}")
        for part in closings.parts_of(transaction, row.id)
        if not frozen_rows.holds(part)
    ]
    try:
        is_whole = closings.computed_head(transaction, row) == row.head
        is_whole = is_whole and act_texts.hold(closings.values_of(row), erased)
    except (ValueError, AttributeError, TypeError):  # a value of another kind than was written
        is_whole = False
    if not is_whole:
        wrong.append((ClosingBreak.ACT_EDITED, ""))
    if row.previous_head != previous or row.id != number + 1:
        wrong.append((ClosingBreak.ACTS_MISSING, ""))
    return wrong


def _audited(transaction: Transaction) -> dict[str, str]:
    """The heads in the audit trail with what they are of."""
    rows = transaction.named(
        "SELECT subject, detail FROM audit WHERE action IN (?, ?) ORDER BY id", tuple(closings.AUDITED.values())
    )
    return {(row.detail or "")[:_HEAD_LENGTH]: row.subject for row in rows}
