"""The audit trail as a hash chain: how a line is encoded, and the look that finds what was edited, lost or put in.

A line's hash is the SHA-256 of the compact JSON array, in UTF-8,

    ["confere audit 1", id, at, actor, action, subject, detail digest, hash of the line before]

with both digests in hex; the first line follows 32 zero bytes. The detail digest is the SHA-256 of the line's own
random salt and its detail, null where there is none: a detail that names a person can be taken out by law, the salt
with it, and the chain still holds. Which text stands there now is told by a later line `audit text erased`. Which
line is the last is kept beside the trail, so that a line cut off at its end is missed too.

Whoever can write to the file and computes the whole chain anew leaves nothing to find. What stops that stands outside
the file: the head of a closing on the package that was handed over, or its time stamp (`confere close --stamp`).
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from confere.archive.transaction import Transaction

START: Final = bytes(32)
"""What the first line follows."""
TEXT_ERASED: Final = "audit text erased"
"""The subject is the line's number, the detail the SHA-256 of what stands there now."""
LINES_LOST: Final = "audit lines lost"
"""A repair found that lines are gone before the line whose number is the subject; the detail is the hash, in hex, of
the line that stood before them then."""
_HEAD: Final = "audit head"
_TAG: Final = "confere audit 1"


class AuditBreak(StrEnum):
    """What is wrong at a line of the trail."""

    EDITED = "edited"  # the line does not say what it was written with
    TEXT_EDITED = "text_edited"  # its detail does not
    LINES_MISSING = "lines_missing"  # or put in, or moved: it does not follow the line before it
    END_MISSING = "end_missing"  # the last lines are gone
    NOT_CHAINED = "not_chained"  # it has no hash: another program wrote it
    LOST_IN_REPAIR = "lost_in_repair"  # lines before it were lost with the file, as a line of the repair says


@dataclass(frozen=True, slots=True)
class BrokenLine:
    """A line of the trail by number, and what is wrong there. `follows`: where lines are missing, the hash of the one
    before them, in hex."""

    number: int
    broken: AuditBreak
    at: str
    action: str
    follows: str = ""


@dataclass(frozen=True, slots=True)
class AuditChain:
    """What a look at the whole trail came to. `head` is the last line's hash, in hex."""

    lines: int
    head: str
    broken: tuple[BrokenLine, ...]

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong but what a repair has said itself."""
        return all(line.broken is AuditBreak.LOST_IN_REPAIR for line in self.broken)


def line_hash(
    number: int, at: str, actor: str, action: str, subject: str, detail_digest: bytes | None, previous: bytes
) -> bytes:
    """The hash of a line after one with the hash `previous`."""
    digest = None if detail_digest is None else detail_digest.hex()
    text = json.dumps(
        [_TAG, number, at, actor, action, subject, digest, previous.hex()], ensure_ascii=False, separators=(",", ":")
    )
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def detail_digest(salt: bytes, detail: str) -> bytes:
    """What the chain knows of a detail."""
    return hashlib.sha256(salt + detail.encode("utf-8", "replace")).digest()


def text_digest(detail: str) -> str:
    """What an erasure writes down of the text that it left, in hex."""
    return hashlib.sha256(detail.encode("utf-8", "replace")).hexdigest()


def head(transaction: Transaction) -> tuple[int, bytes]:
    """The number and hash of the last line written; of the last that is there where that is not known any more."""
    known = transaction.scalar("SELECT value FROM info WHERE name = ?", (_HEAD,))
    if known is not None:
        number, _, text = str(known).partition(" ")
        try:
            return int(number), bytes.fromhex(text)
        except ValueError:  # somebody edited it, which the look at the chain tells
            pass
    row = transaction.first_named("SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1")
    return (0, START) if row is None else (row.id, row.hash or START)


def set_head(transaction: Transaction, number: int, chained: bytes) -> None:
    """Remember which line is the last."""
    transaction.execute("INSERT OR REPLACE INTO info (name, value) VALUES (?, ?)", (_HEAD, f"{number} {chained.hex()}"))


def verify(transaction: Transaction) -> AuditChain:
    """Follow the chain from its first line; every line that does not fit is named."""
    broken: list[BrokenLine] = []
    erased: dict[int, str | None] = {}
    lost: set[tuple[str, str | None]] = set()
    for row in transaction.named(
        "SELECT action, subject, detail FROM audit WHERE action IN (?, ?) ORDER BY id", (TEXT_ERASED, LINES_LOST)
    ):
        if row.action == LINES_LOST:
            lost.add((row.subject, row.detail))
        elif row.subject.isdecimal():
            erased[int(row.subject)] = row.detail
    previous, count, number, at, action = START, 0, 0, "", ""
    for line in transaction.each_named(
        "SELECT id, at, actor, action, subject, detail, salt, detail_digest, prev_hash, hash FROM audit ORDER BY id"
    ):
        count += 1
        number, at, action = line.id, line.at, line.action
        what: AuditBreak | None = None
        if line.hash is None or line.prev_hash is None:
            what = AuditBreak.NOT_CHAINED
        elif line.hash != line_hash(number, at, line.actor, action, line.subject, line.detail_digest, line.prev_hash):
            what = AuditBreak.EDITED
        elif not text_holds(line.detail, line.salt, line.detail_digest, erased.get(number)):
            what = AuditBreak.TEXT_EDITED
        if what is not None:
            broken.append(BrokenLine(number, what, at, action))
        if line.prev_hash is not None and line.prev_hash != previous:
            mended = (str(number), previous.hex()) in lost
            what = AuditBreak.LOST_IN_REPAIR if mended else AuditBreak.LINES_MISSING
            broken.append(BrokenLine(number, what, at, action, previous.hex()))
        previous = line.hash or previous
    if head(transaction) != (number, previous):
        broken.append(BrokenLine(number, AuditBreak.END_MISSING, at, action, previous.hex()))
    return AuditChain(count, previous.hex(), tuple(broken))


def text_holds(detail: str | None, salt: bytes | None, digest: bytes | None, erased: str | None) -> bool:
    """Whether a text is what its digest says, or what an erasure left, whose `text_digest` is `erased`.

    A salt stands beside a text alone.
    """
    if detail is None or digest is None:
        return detail is None and digest is None and salt is None
    if salt is None:  # a person was taken out of it
        return erased == text_digest(detail)
    return digest == detail_digest(salt, detail)


def forget_texts(transaction: Transaction, numbers: list[int]) -> list[tuple[int, str]]:
    """Drop the salts of these lines, whose details were just changed; each with the digest of its text of now."""
    rows = list(transaction.fetch_in("SELECT id, detail FROM audit WHERE id IN {} ORDER BY id", numbers))
    transaction.execute_many("UPDATE audit SET salt = NULL WHERE id = ?", [(number,) for number, _ in rows])
    return [(number, text_digest(detail or "")) for number, detail in rows]
