"""SQL for what is asked of a document's parties and goods: tax ids, names as people type them, states, codes."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from typing import Any

from confere.archive.documents.search.full_text import Spelling
from confere.fiscal import taxpayers
from confere.fiscal.law import states

Condition = tuple[str, tuple[Any, ...]]

NEVER = "0"
"""The condition that nothing meets."""

_MASK = re.compile(r"[.\-/\s]")
_WORD = re.compile(r"[^\W_]+")
_LONGEST = 60  # characters of a word that are compared: SQLite refuses patterns beyond some length
_MOST = 12  # words that are compared
_ROOT = 8  # digits that begin a CNPJ and name the company
_AFTER_ALL = "\U0010ffff"


def is_tax_id(bare: str) -> bool:
    """Whether `bare`, without a mask and upper-case, has the shape of a CNPJ or CPF."""
    return len(bare) in (11, 14) and bare.isascii() and bare.isalnum() and bare[-2:].isdigit()


def in_state(uf: str) -> Condition:
    """Emitter or recipient are in this state of Brazil, or it is a voiding there, which has the code of IBGE."""
    plain = uf.strip().upper()
    there = "(SELECT id FROM taxpayer WHERE uf = ?)"
    condition = (
        f"(d.emitter_id IN {there} OR d.recipient_id IN {there}"
        " OR d.type = 'voiding' AND d.id IN (SELECT document_id FROM voiding WHERE uf_code = ?))"
    )
    return condition, (plain, plain, states.ibge_code(plain) or "")


def of_party(role: str, wanted: str) -> Condition:
    """The party of `role` (emitter or recipient) has this tax id, begins with these digits or is called so."""
    condition, values = _party(wanted)
    return (f"d.{role}_id IN (SELECT id FROM taxpayer WHERE {condition})", values) if values else (condition, values)


def parties(wanted: str) -> Condition:
    """The SELECT of the taxpayers that `of_party` means."""
    condition, values = _party(wanted)
    return f"SELECT id FROM taxpayer WHERE {condition}", values


def _party(wanted: str) -> Condition:
    bare = _MASK.sub("", wanted).upper()
    # Only digits are surely a number: "Mercado 2020" has the shape of one too, which its check digits tell.
    if is_tax_id(bare) and (bare.isdigit() or taxpayers.is_cnpj(bare)):
        return "tax_id = ?", (bare,)
    if len(bare) >= _ROOT and bare.isascii() and bare.isdigit():
        return "tax_id >= ? AND tax_id < ?", (bare, bare + _AFTER_ALL)
    wanted_words = patterns(wanted)
    if not wanted_words:
        return NEVER, ()
    return " AND ".join(["name GLOB ?"] * len(wanted_words)), wanted_words


def with_item(words: str, spelling: Spelling, *, picks: bool) -> Condition:
    """One item's description or code has all these words; `picks` where few documents have them anywhere."""
    expression, written = spelling(words), patterns(words)
    if expression is None or not written:
        return NEVER, ()
    like = " AND ".join(["coalesce(i.code, '') || ' ' || coalesce(i.description, '') GLOB ?"] * len(written))
    return (
        f"{'' if picks else '+'}d.id IN (SELECT rowid FROM search WHERE search MATCH ?)"
        f" AND EXISTS (SELECT 1 FROM item i WHERE i.document_id = d.id AND {like})",
        (expression, *written),
    )


def with_ncm(begin: str) -> Condition:
    """An item's NCM begins so."""
    plain = _MASK.sub("", begin)
    return "d.id IN (SELECT document_id FROM item WHERE ncm >= ? AND ncm < ?)", (plain, plain + _AFTER_ALL)


def patterns(words: str) -> tuple[str, ...]:
    """A pattern of `GLOB` for each word: `LIKE` would tell Ã from ã, and both from a."""
    found = _WORD.findall(unicodedata.normalize("NFC", words))[:_MOST]
    return tuple("*" + "".join(_written(letter) for letter in word[:_LONGEST]) + "*" for word in found)


def _written(letter: str) -> str:
    known = written(letter)
    return f"[{known}]" if len(known) > 1 else letter


def written(letter: str) -> str:
    """Every way to write a letter of Latin script, in both cases and with each accent; another sign as it is."""
    return _VARIANTS.get(unicodedata.normalize("NFD", letter)[0].lower(), letter)


def _variants() -> dict[str, str]:
    """Every way to write a letter of Latin script: both cases, with each accent."""
    found: dict[str, list[str]] = defaultdict(list)
    for number in (*range(0x41, 0x5B), *range(0x61, 0x7B), *range(0xC0, 0x180)):
        letter = chr(number)
        base = unicodedata.normalize("NFD", letter)[0].lower()
        if "a" <= base <= "z":
            found[base].append(letter)
    return {base: "".join(letters) for base, letters in found.items()}


_VARIANTS = _variants()
