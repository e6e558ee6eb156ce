"""The seal of a row: eight bytes of BLAKE2b over all its values, then one byte a column, by which an edit is placed.

Values are encoded by `marshal` in its version 2, which writes each number, text, blob and null in one way alone. A seal
keeps nobody out who computes it too; it shows what a program wrote that does not know of it.

Where the program changes a row that another program had edited, the columns that it leaves alone keep their bytes, and
`BROKEN` stands for the digest: the edit stays to be found.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from marshal import dumps
from typing import Any, Final
from zlib import crc32

_ENCODING: Final = 2
_DIGEST: Final = 8  # bytes
BROKEN: Final = bytes(_DIGEST)


def seal_of(*values: Any) -> bytes:
    """The seal of a row with these values, in the order of the table's columns."""
    parts = [dumps(value, _ENCODING) for value in values]
    return blake2b(b"".join(parts), digest_size=_DIGEST).digest() + bytes([crc32(part) & 255 for part in parts])


def fits(seal: bytes, values: Sequence[Any]) -> bool:
    """Whether the row is as it was sealed. A row that was edited once never is, whatever was written to it since."""
    return seal == seal_of(*values)


def edited(seal: bytes, values: Sequence[Any]) -> tuple[int, ...]:
    """Which columns of a row that does not fit are not as they were sealed; none where that cannot be told."""
    marks = seal_of(*values)[_DIGEST:]
    if len(seal) - _DIGEST != len(marks):
        return ()
    return tuple(place for place, mark in enumerate(marks) if mark != seal[_DIGEST + place])


def is_noted(seal: bytes) -> bool:
    """Whether the edit of this row was written down already."""
    return seal.startswith(BROKEN)


def after_change(seal: bytes, old: Sequence[Any], new: Sequence[Any]) -> bytes:
    """The seal of a row that did not fit and that the program changes from `old` to `new`."""
    fresh = seal_of(*new)
    if len(seal) != len(fresh):
        return BROKEN + fresh[_DIGEST:]
    changed = [before != after or type(before) is not type(after) for before, after in zip(old, new, strict=True)]
    wrong = edited(seal, old)
    if wrong and all(changed[place] for place in wrong):
        return fresh  # nothing is left of what another program wrote
    marks = zip(changed, fresh[_DIGEST:], seal[_DIGEST:], strict=True)
    return BROKEN + bytes(after if is_changed else before for is_changed, after, before in marks)
