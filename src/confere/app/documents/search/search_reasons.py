"""Why a document is among the results of a search, where its row does not show what was typed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from confere.archive.documents.documents import DocumentRow
from confere.archive.documents.search.document_query import Lookup, Match, wanted
from confere.archive.documents.search.search_evidence import Evidence, evidence
from confere.archive.transaction import Transaction
from confere.errors import Message, message
from confere.system.plain_text import folded

_WORD: Final = re.compile(r"[^\W_]+")
_OF_KEYS: Final = ("number", "code", "key_part", "two_groups")
_LONGEST: Final = 60  # letters of an item that are said


def reasons(
    transaction: Transaction, rows: Sequence[DocumentRow], match: Match | None
) -> dict[int, tuple[Message, ...]]:
    """The reasons of the rows that were found by what they do not show, by id; nothing of all others."""
    lookups = wanted(match)
    if not lookups:
        return {}
    unshown = {row.id: [lookup for lookup in lookups if not _is_shown(row, lookup)] for row in rows}
    known = evidence(transaction, [number for number, left in unshown.items() if left])
    reasons_of: dict[int, tuple[Message, ...]] = {}
    for row in rows:
        several: list[Message] = []
        for lookup in unshown[row.id]:
            reason = _reason(row, known[row.id], lookup)
            if reason is not None and reason not in several:
                several.append(reason)
        if several:
            reasons_of[row.id] = tuple(several)
    return reasons_of


def _is_shown(row: DocumentRow, lookup: Lookup) -> bool:
    """Whether the row itself shows what is looked for: its number, key, parties or what it is."""
    text = lookup.text
    if lookup.kind == "key":
        return True
    if lookup.kind in ("number", "numbered") and text.isdigit() and row.number == int(text):
        return lookup.series in (None, row.series)
    if lookup.kind in ("number", "code", "tax_id") and text.upper() in (row.emitter_tax_id, row.recipient_tax_id):
        return True
    if lookup.kind in ("words", "code"):
        return _has(text, filter(None, (row.emitter_name, row.recipient_name, row.nature)))
    return False


def _reason(row: DocumentRow, known: Evidence, lookup: Lookup) -> Message | None:
    """Where in the document it stands; None where it does not: another part of the search found it."""
    text = lookup.text
    if lookup.kind in ("number", "numbered"):
        carried = [note for note in known.carried if _is_numbered(note, lookup)]
        if carried:
            return message("CT-e of note {number}", number=carried[0])
        if row.type == "voiding" and lookup.kind == "numbered":
            return message("voided range with the number {number}", number=text)
    if lookup.kind in ("number", "code"):
        orders = [order for order in known.orders if order == text or (len(text) >= 10 and order.startswith(text))]
        if orders:
            return message("order {order}", order=orders[0])
    if lookup.kind == "number" and text == row.protocol:
        return message("protocol {protocol}", protocol=text)
    if lookup.kind == "number" and text in known.event_protocols:
        return message("protocol {protocol} of an event", protocol=text)
    if lookup.kind in _OF_KEYS and len(text) >= 8 and text.replace(" ", "").upper() in (row.access_key or ""):
        return message("part of the access key")
    if lookup.kind in ("number", "code", "words"):
        items = [item for item in known.items if _has(text, (item,))]
        if items:
            return message("item {item}", item=items[0].strip()[:_LONGEST])
        if any(_has(word, known.items) for word in _WORD.findall(text)):
            return message("items {item}", item=text[:_LONGEST])
    if lookup.kind == "number" and row.type == "voiding":
        return message("voided range with the number {number}", number=text)
    return None


def _is_numbered(note: str, lookup: Lookup) -> bool:
    series, _, number = note.rpartition("/")
    return lookup.text.lstrip("0") == number and lookup.series in (None, int(series or 0))


def _has(text: str, places: Iterable[str]) -> bool:
    """Whether every word of `text` begins a word of `places` together."""
    words = _WORD.findall(folded(" ".join(places)))
    return all(any(word.startswith(sought) for word in words) for sought in _WORD.findall(folded(text)))
