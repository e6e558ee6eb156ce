"""Searches that a person saved under a name: what was typed, and the filters beside it."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any, Final, NamedTuple

from confere.archive.clock import utc_now
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Transaction
from confere.errors import ArchiveError, message
from confere.system.plain_text import folded_words

_SELECT: Final = "SELECT id, name, words, filters, position, created_at FROM saved_search"
_ARRANGED: Final = frozenset({"words", "sort", "descending"})
"""Of a query, what is no filter: the words are kept as they were typed, and a list is sorted as who looks likes."""
_KNOWN: Final = {field.name: field.default for field in fields(DocumentQuery) if field.name not in _ARRANGED}


class SavedSearch(NamedTuple):
    """`words` are in the search language; `filters` are those fields of a `DocumentQuery` that are set."""

    id: int
    name: str
    words: str
    filters: Mapping[str, Any]
    position: int
    created_at: str


def every(transaction: Transaction) -> tuple[SavedSearch, ...]:
    """All of them, in their order."""
    return tuple(map(_saved, transaction.named(f"{_SELECT} ORDER BY position, id")))


def find(transaction: Transaction, name: str) -> SavedSearch | None:
    """The one called so, in whatever case and with or without accents."""
    row = transaction.first_named(f"{_SELECT} WHERE folded = ?", (storable(folded_words(name)),))
    return None if row is None else _saved(row)


def add(
    transaction: Transaction, name: str, words: str, filters: Mapping[str, Any], position: int | None = None
) -> SavedSearch:
    """Keep a search below all others, or at a place that it had before. Its name must be free."""
    from confere.archive.accounts import audit
    from confere.archive.schema.schema import saved_search
    from confere.archive.schema.table_rows import row_of

    # No search before had this number: what undoes a removal knows the search by it.
    transaction.count_from(saved_search, audit.highest_subject(transaction, ("search save",)))
    (number,) = transaction.new_ids(saved_search, 1)
    if position is None:
        position = int(transaction.scalar("SELECT coalesce(max(position), 0) + 1 FROM saved_search"))
    row = row_of(saved_search)(
        id=number,
        name=storable(name),
        folded=storable(folded_words(name)),
        words=storable(words),
        filters=_text(filters),
        position=position,
        created_at=utc_now(),
    )
    transaction.insert(saved_search, [row])
    # The name is what was looked for where nobody chose another, and may be a person's: the trail can forget a line's
    # detail, not its subject. What was looked for is not told at all.
    audit.write(transaction, "search save", str(number), name)
    return SavedSearch(number, row.name, row.words, dict(filters), position, row.created_at)


def change(transaction: Transaction, saved: SavedSearch, words: str, filters: Mapping[str, Any]) -> None:
    """Let the name stand for another search."""
    from confere.archive.accounts import audit

    transaction.execute(
        "UPDATE saved_search SET words = ?, filters = ? WHERE id = ?", (storable(words), _text(filters), saved.id)
    )
    audit.write(transaction, "search change", str(saved.id), saved.name)


def rename(transaction: Transaction, saved: SavedSearch, name: str) -> None:
    """Call it otherwise; the name must be free, or its own."""
    from confere.archive.accounts import audit

    transaction.execute(
        "UPDATE saved_search SET name = ?, folded = ? WHERE id = ?",
        (storable(name), storable(folded_words(name)), saved.id),
    )
    audit.write(transaction, "search rename", str(saved.id), f"{saved.name} → {name}")


def remove(transaction: Transaction, saved: SavedSearch) -> None:
    """Forget it."""
    from confere.archive.accounts import audit

    transaction.execute("DELETE FROM saved_search WHERE id = ?", (saved.id,))
    audit.write(transaction, "search remove", str(saved.id), saved.name)


def naming_person(transaction: Transaction, names: Collection[str]) -> tuple[SavedSearch, ...]:
    """Those whose name, words or filters name this person."""
    from confere.archive.orders.personal_names import named_in

    return tuple(
        saved for saved in every(transaction) if named_in((saved.name, saved.words, _text(saved.filters)), names)
    )


def names_in_trail(transaction: Transaction, names: Collection[str]) -> frozenset[str]:
    """Those names of saved searches in the audit trail that name a person, also of searches long removed."""
    from confere.archive.orders.personal_names import named_in

    told = transaction.column("SELECT DISTINCT detail FROM audit WHERE action LIKE 'search %' AND detail IS NOT NULL")
    return frozenset(detail for detail in told if named_in((detail,), names))


def erase(transaction: Transaction, found: Collection[SavedSearch]) -> None:
    """Forget these for good, without a word of what they were."""
    from confere.archive.accounts import audit

    for saved in found:
        transaction.execute("DELETE FROM saved_search WHERE id = ?", (saved.id,))
        audit.write(transaction, "search remove", str(saved.id))


def filters_of(query: DocumentQuery) -> dict[str, Any]:
    """What of a query is kept beside the words: each field that is set, lists for tuples."""
    found = {}
    for name, default in _KNOWN.items():
        value = getattr(query, name)
        if value != default:
            found[name] = list(value) if isinstance(value, tuple) else value
    return found


def query_of(saved: SavedSearch) -> DocumentQuery:
    """The query of the filters alone. `ArchiveError` where this program does not know one of them: without it the list
    would show more than was asked for."""
    values: dict[str, Any] = {}
    for name, value in saved.filters.items():
        if name not in _KNOWN or not _fits(_KNOWN[name], value):
            raise ArchiveError(
                message("The saved search {name} has a filter that is not understood: {filter}.", name=saved.name,
                        filter=name),
                message("Install the newest Confere, or save the search again under this name."),
            )  # fmt: skip
        values[name] = tuple(value) if isinstance(value, list) else value
    return DocumentQuery(**values)


def _fits(default: object, value: object) -> bool:
    if isinstance(default, tuple):
        return isinstance(value, list) and all(isinstance(part, str) for part in value)
    return isinstance(value, str | int)


def _text(filters: Mapping[str, Any]) -> str:
    return storable(json.dumps(dict(filters), ensure_ascii=False, separators=(",", ":")))


def _saved(row: NamedRow) -> SavedSearch:
    try:
        filters = json.loads(row.filters)
    except ValueError:
        filters = None
    if not isinstance(filters, dict):
        filters = {"?": None}  # told when it is used: the list of names shows it still
    return SavedSearch(row.id, row.name, row.words, filters, row.position, row.created_at)
