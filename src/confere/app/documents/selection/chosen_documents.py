"""Which documents of a list are meant: rows that somebody chose, or all of a query, walked in their order."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from confere.app.documents.organize import tags
from confere.archive.accounts import accounts
from confere.archive.documents import documents
from confere.archive.documents.documents import DocumentRow
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.store import Archive
from confere.errors import Message, NotInArchive, message

_AT_ONCE: Final = 200  # rows read at a time


@dataclass(frozen=True, slots=True)
class ChosenDocuments:
    """`ids` are rows of the archive in the order wanted; without them it is everything that `query` lists."""

    query: DocumentQuery
    ids: Sequence[int] | None = None


@dataclass(frozen=True, slots=True)
class NotSaved:
    """A document that did not get into the files, with the reason."""

    access_key: str | None
    sha256: str
    why: Message


@dataclass(frozen=True, slots=True)
class SavedSelection:
    """What was written to `path`, a file or a folder.

    `documents` counts those that were asked for, `files` what was written. `already` counts files that stood there
    with the very same content and were left alone.
    """

    path: Path
    documents: int
    files: int
    already: int = 0
    failed: tuple[NotSaved, ...] = ()
    stopped: bool = False


def ids_of(archive: Archive, chosen: ChosenDocuments) -> array[int]:
    """The rows that are meant, each once. Raises `NotInArchive` where there are none."""
    if chosen.ids is not None:
        found = array("q", dict.fromkeys(chosen.ids))
    else:
        with archive.reading() as transaction:
            if chosen.query.account is not None and not accounts.was_ever(transaction, chosen.query.account):
                accounts.named(transaction, chosen.query.account)  # says which there are
            for name in chosen.query.tags:
                tags.known(transaction, name)
            found = documents.ids(transaction, chosen.query)
    if not found:
        raise NotInArchive(
            message("There is nothing to save: no document fits."), message("See what is there with `confere list`.")
        )
    return found


def in_steps(archive: Archive, ids: Sequence[int]) -> Iterator[tuple[DocumentRow, ...]]:
    """Their rows, some hundreds at a time, each step in a transaction of its own; one that went is left out."""
    for start in range(0, len(ids), _AT_ONCE):
        with archive.reading() as transaction:
            rows = documents.tagged(transaction, documents.by_ids(transaction, ids[start : start + _AT_ONCE]))
        yield rows
