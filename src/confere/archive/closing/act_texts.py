"""The texts of a closing, which can name a person: what its head covers of them, and taking a person out of them.

The head covers of each text the SHA-256 of a random salt and the text. A person can be taken out by law, the salt with
the name, and the chain still holds; a line of the audit trail says what stands there since. The heads of older closings
cover the texts themselves: a name in one of them cannot be taken out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from confere.archive.accounts import audit, audit_chain
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Transaction

TEXTS: Final = ("preparer", "reviewer", "reason")
ERASED: Final = "closing text erased"
"""In the audit trail: the subject is the closing's number and the text's name, the detail the SHA-256 of what stands
there now."""
COLUMNS: Final = tuple(f"{name}_{kind}" for name in TEXTS for kind in ("salt", "digest"))
_SALT: Final = 16  # bytes


@dataclass(frozen=True, slots=True)
class ClosingPlace:
    """A closing that names a person in `texts` (of `TEXTS`). `is_fixed`: its head covers the texts themselves."""

    number: int
    company: str
    month: str
    texts: tuple[str, ...]
    is_fixed: bool


@dataclass(frozen=True, slots=True)
class ErasedTexts:
    """How many texts a person was taken out of, and the names as they were written in any closing."""

    count: int
    spellings: frozenset[str]


def salted(texts: Mapping[str, str | None]) -> dict[str, bytes | None]:
    """New salts and the digests of these texts, by column; None where there is no text."""
    made: dict[str, bytes | None] = {}
    for name in TEXTS:
        text = texts[name]
        salt = None if text is None else os.urandom(_SALT)
        made[f"{name}_salt"] = salt
        made[f"{name}_digest"] = None if salt is None or text is None else audit_chain.detail_digest(salt, text)
    return made


def is_salted(values: Mapping[str, Any]) -> bool:
    """Whether the head covers digests; it is the same for a closing without any text."""
    return any(values[f"{name}_digest"] is not None for name in TEXTS)


def hold(values: Mapping[str, Any], erased: Mapping[str, str | None]) -> bool:
    """Whether each text is what its digest says, or what an erasure left; `erased` as `erasures` has it."""
    if not is_salted(values):
        return all(values[name] is None for name in COLUMNS)
    return all(
        audit_chain.text_holds(
            values[name], values[f"{name}_salt"], values[f"{name}_digest"], erased.get(f"{values['id']} {name}")
        )
        for name in TEXTS
    )


def erasures(transaction: Transaction) -> dict[str, str | None]:
    """By closing and text the digest of what an erasure left there."""
    rows = transaction.named("SELECT subject, detail FROM audit WHERE action = ? ORDER BY id", (ERASED,))
    return {row.subject: row.detail for row in rows}


def naming(transaction: Transaction, names: Collection[str]) -> tuple[ClosingPlace, ...]:
    """The closings in which one of these names stands, in whatever case."""
    pattern = _pattern(names)
    return () if pattern is None else tuple(place for _, place in _naming(transaction, pattern))


def erase(transaction: Transaction, names: Collection[str], mark: str) -> ErasedTexts:
    """Put `mark` in place of the names wherever no head covers the text itself."""
    count = 0
    spellings: set[str] = set()
    pattern = _pattern(names)
    if pattern is None:
        return ErasedTexts(0, frozenset())
    for row, place in list(_naming(transaction, pattern)):
        for name in place.texts:
            spellings.update(pattern.findall(getattr(row, name)))
            if not place.is_fixed:
                left = pattern.sub(mark, getattr(row, name))
                transaction.execute(f"UPDATE closing SET {name} = ?, {name}_salt = NULL WHERE id = ?", (left, row.id))
                audit.write(transaction, ERASED, f"{row.id} {name}", audit_chain.text_digest(left))
                count += 1
    return ErasedTexts(count, frozenset(spellings))


def _pattern(names: Collection[str]) -> re.Pattern[str] | None:
    longest_first = sorted(filter(None, names), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE) if longest_first else None


def _naming(transaction: Transaction, pattern: re.Pattern[str]) -> Iterable[tuple[NamedRow, ClosingPlace]]:
    columns = ", ".join(("id", "company", "month", *TEXTS, *COLUMNS))
    for row in transaction.named(f"SELECT {columns} FROM closing ORDER BY id"):
        texts = tuple(name for name in TEXTS if pattern.search(getattr(row, name) or ""))
        if texts:
            is_fixed = not is_salted({name: getattr(row, name) for name in COLUMNS})
            yield row, ClosingPlace(row.id, row.company, row.month, texts, is_fixed)
