"""What the rows of a list can be saved as, whatever the list is of: a spreadsheet, and the documents of its rows."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Generic, TypeVar

from confere.archive.documents import documents
from confere.archive.documents.documents import DocumentRow
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import Message, NotInArchive, message
from confere.export.spreadsheet.xlsx_writer import Cell, CellKind, Sheet, SheetColumn
from confere.system.messages import render

AT_ONCE: Final = 200
"""Rows of a list that are read at a time, each step in a transaction of its own."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ListFiles:
    """A list and what its rows are written as.

    `ids` gives the rows that are meant, each once, in the order wanted; an empty answer is nobody's error here.
    `sheet` is their table, read while it is written; `hides_people` masks natural persons in it. `documents` are the
    archive's numbers of the documents that belong to rows; None for a list whose rows have none. `of_documents`: the
    rows are documents themselves.
    """

    ids: Callable[[Archive], Sequence[int]]
    sheet: Callable[[Archive, Sequence[int], bool], Sheet]
    documents: Callable[[Transaction, Sequence[int]], Sequence[int]] | None = None
    of_documents: bool = False


@dataclass(frozen=True, slots=True)
class TableField(Generic[T]):
    """A column of the table: its title, what kind of cells it has, and the value of a row."""

    title: str
    kind: CellKind
    value: Callable[[T], Cell]


@dataclass(frozen=True, slots=True)
class NotSaved:
    """A document that did not get into the files, with the reason."""

    access_key: str | None
    sha256: str
    why: Message


@dataclass(frozen=True, slots=True)
class SavedSelection:
    """What was written to `path`, a file or a folder.

    `rows` counts those of the list that were asked for, `documents` the documents among them, or that belong to them
    where those were saved; `files` is what was written. `already` counts files that stood there with the very same
    content and were left alone.
    """

    path: Path
    rows: int
    documents: int
    files: int
    already: int = 0
    failed: tuple[NotSaved, ...] = ()
    stopped: bool = False


def once(ids: Sequence[int]) -> array[int]:
    """These numbers, each where it comes first."""
    return array("q", dict.fromkeys(ids))


def rows_of(archive: Archive, files: ListFiles) -> Sequence[int]:
    """The rows that are meant. Raises `NotInArchive` where there are none."""
    found = files.ids(archive)
    if not found:
        raise NotInArchive(
            message("There is nothing to save: the list is empty."),
            message("Ask for less at once: fewer words and filters, or another month."),
        )
    return found


def documents_of(archive: Archive, files: ListFiles, rows: Sequence[int]) -> Sequence[int]:
    """The documents that belong to these rows. Raises `NotInArchive` where there are none."""
    found: dict[int, None] = {}
    if files.documents is not None:
        for start in range(0, len(rows), AT_ONCE):
            with archive.reading() as transaction:
                found |= dict.fromkeys(files.documents(transaction, rows[start : start + AT_ONCE]))
    if not found:
        raise NotInArchive(
            message("There is nothing to save: no document fits."), message("See what is there with `confere list`.")
        )
    return array("q", found)


def in_steps(archive: Archive, ids: Sequence[int]) -> Iterator[tuple[DocumentRow, ...]]:
    """Documents, some hundreds at a time, each step in a transaction of its own; one that went is left out."""
    return steps(
        archive, ids, lambda transaction, part: documents.tagged(transaction, documents.by_ids(transaction, part))
    )


def steps(
    archive: Archive, ids: Sequence[int], read: Callable[[Transaction, Sequence[int]], tuple[T, ...]]
) -> Iterator[tuple[T, ...]]:
    """What `read` says of these rows, some hundreds at a time, each step in a transaction of its own."""
    for start in range(0, len(ids), AT_ONCE):
        with archive.reading() as transaction:
            rows = read(transaction, ids[start : start + AT_ONCE])
        yield rows


def sheet_of(title: str, fields: Sequence[TableField[T]], rows: Iterator[T]) -> Sheet:
    """The table of these rows, which are read while it is written."""
    columns = [SheetColumn(render(Message(field.title)), field.kind) for field in fields]
    return Sheet(title, columns, (tuple(field.value(row) for field in fields) for row in rows))
