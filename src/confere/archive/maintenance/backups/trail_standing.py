"""Where the end that the audit trail had in a copy of the archive stands in the trail of now, and who accepted what.

Whoever rewrites the trail, or cuts it off, and computes the chain anew leaves nothing to find in the archive's own
file. The records of copies stand outside it: the trail of now has to hold the line that was the last one then.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from confere.archive.accounts import audit, audit_chain
from confere.archive.clock import from_text
from confere.archive.transaction import Transaction

RESTORED: Final = "archive restored"
"""In the audit trail of the archive that took the place: the subject is the backup, the detail what was set aside."""
ACKNOWLEDGED: Final = "backup loss accepted"
"""A person says that what a newer copy holds less of is right; the subject is the number of the newest copy then."""
DRILLED: Final = "backup drill"
"""A copy was restored for a trial; the subject is its file, the detail begins with `PASSED` or `FAILED`."""
PASSED: Final = "passed"
FAILED: Final = "failed"
_DIGITS: Final = 64


class HeadPlace(StrEnum):
    """What the trail of now says of the line that was the last one in a copy."""

    HELD = "held"  # it is there, or the copy says nothing of it
    SET_ASIDE = "set_aside"  # it is of the archive that a later restore of an older copy set aside
    LOST = "lost"  # a repair says that lines were lost with a damaged file
    MISSING = "missing"  # the trail was rewritten, or cut off


class LastDrill(NamedTuple):
    """The newest trial of a copy: when, which file, and whether it passed."""

    at: datetime
    file: str
    passed: bool


@dataclass(frozen=True, slots=True)
class TrailStanding:
    """What is known of the trail of now: the number up to which copies were accepted, restores by their line and
    moment (UTC text), whether a repair lost lines, the hashes, in hex, of the lines that were asked for, and when a
    copy was last restored for a trial."""

    accepted: int = 0
    restores: tuple[tuple[int, str], ...] = ()
    lost: bool = False
    hashes: Mapping[int, str] | None = None
    drill: LastDrill | None = None

    def place_of(self, line: int, head: str | None, made_at: str) -> HeadPlace:
        """Where the last line of a copy that was made then (UTC text) stands."""
        if self.hashes is None or head is None or not line or self.hashes.get(line) == head:
            return HeadPlace.HELD
        made = from_text(made_at)
        if any(number <= line and made <= from_text(at) for number, at in self.restores):
            return HeadPlace.SET_ASIDE
        return HeadPlace.LOST if self.lost and line not in self.hashes else HeadPlace.MISSING


NOTHING_KNOWN: Final = TrailStanding()
"""Where no archive was looked at: nobody accepted anything, and every copy is of it."""


class FoundHead(NamedTuple):
    """A hash that a person holds: the line of the audit trail that bears it, UTC text, and of a closing its number."""

    line: int
    at: str
    action: str
    subject: str
    closing: int | None = None


def read(transaction: Transaction, lines: Collection[int]) -> TrailStanding:
    """What the trail says now; `lines` are those of which the hashes are needed."""
    restores = transaction.fetch("SELECT id, at FROM audit WHERE action = ? ORDER BY id", (RESTORED,))
    hashes = transaction.fetch_in("SELECT id, hash FROM audit WHERE id IN {} AND hash IS NOT NULL", sorted(set(lines)))
    return TrailStanding(
        accepted=audit.highest_subject(transaction, (ACKNOWLEDGED,)),
        restores=tuple((int(number), str(at)) for number, at in restores),
        lost=audit.count(transaction, audit_chain.LINES_LOST) > 0,
        hashes={int(number): bytes(digest).hex() for number, digest in hashes},
        drill=_last_drill(transaction),
    )


def _last_drill(transaction: Transaction) -> LastDrill | None:
    for line in audit.of_action(transaction, DRILLED, "", "", 1):
        return LastDrill(from_text(line.at), line.subject, (line.detail or "").startswith(PASSED))
    return None


def find_head(transaction: Transaction, head: str) -> FoundHead | None:
    """The line or the closing whose hash begins with these hex digits, in small letters; None where there is none."""
    low = bytes.fromhex(head.ljust(_DIGITS, "0"))
    high = bytes.fromhex(head.ljust(_DIGITS, "f"))
    row = transaction.first_named(
        "SELECT id, at, action, subject FROM audit WHERE hash >= ? AND hash <= ? ORDER BY id LIMIT 1", (low, high)
    )
    if row is not None:
        return FoundHead(row.id, row.at, row.action, row.subject)
    row = transaction.first_named(
        "SELECT id, at, company, month, kind FROM closing WHERE head >= ? AND head <= ? ORDER BY id LIMIT 1",
        (low, high),
    )
    if row is None:
        return None
    return FoundHead(0, row.at, row.kind, f"{row.company} {row.month}", row.id)
