"""What became of a push, row by row, as values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from confere.errors import Message


class RowOutcome(StrEnum):
    """What became of a row. `FAILED`: it is not known whether it arrived, or the hub does not show it."""

    CREATED = "created"
    CHANGED = "changed"
    UNCHANGED = "unchanged"
    REFUSED = "refused"
    FAILED = "failed"
    NOT_SENT = "not_sent"


WELL: Final = (RowOutcome.CREATED, RowOutcome.CHANGED, RowOutcome.UNCHANGED)
_WORST_FIRST: Final = (
    RowOutcome.REFUSED,
    RowOutcome.FAILED,
    RowOutcome.NOT_SENT,
    RowOutcome.CREATED,
    RowOutcome.CHANGED,
    RowOutcome.UNCHANGED,
)


@dataclass(frozen=True, slots=True)
class RowResult:
    """What became of a row of the file. `why` where there is more to say, `hub_words` as the hub said it."""

    line: int
    code: str
    product: str
    outcome: RowOutcome
    why: Message | None = None
    hub_words: str = ""


@dataclass(slots=True)
class PushResult:
    """What a push came to, one row of the file each. `problem` is what ended it before its end."""

    rows: list[RowResult] = field(default_factory=list)
    sent: int = 0
    requests: int = 0
    seconds: float = 0.0
    stopped: bool = False
    problem: Message | None = None

    def counts(self) -> dict[str, int | float]:
        """The figures alone, as runs and scripts want them."""
        rows = {outcome.value: 0 for outcome in RowOutcome}
        for row in self.rows:
            rows[row.outcome.value] += 1
        return {**rows, "sent": self.sent, "requests": self.requests, "seconds": round(self.seconds, 3)}

    @property
    def not_well(self) -> list[RowResult]:
        """The rows that the hub does not have as the file says."""
        return [row for row in self.rows if row.outcome not in WELL]

    @property
    def complete(self) -> bool:
        """Whether the hub has every row as the file says."""
        return not self.stopped and not self.not_well


def worst(rows: Iterable[RowResult]) -> RowResult:
    """The one of several results of a row that says most about it: what is not well first."""
    return min(rows, key=lambda row: _WORST_FIRST.index(row.outcome))
