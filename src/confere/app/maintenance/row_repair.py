"""The use cases "give back what another program changed" and "let it stand": rows that do not fit their seals."""

from __future__ import annotations

from typing import Final, NamedTuple

from confere.app.context import Workspace
from confere.archive.maintenance import health
from confere.archive.maintenance.backups import copies
from confere.archive.seals import row_repair, seal_check
from confere.archive.seals.row_seals import DELETED
from confere.archive.seals.row_seals import ForeignChange as ForeignChange

_LISTED: Final = frozenset({"hub_document", "hub_record"})


class RowRepair(NamedTuple):
    """Rows that came back from a backup, and those that still do not fit."""

    given_back: tuple[ForeignChange, ...]
    left: tuple[ForeignChange, ...]


def give_back(workspace: Workspace) -> RowRepair:
    """Write rows back that the backups have as they were sealed: of the newest that has them."""
    with workspace.writing("doctor --repair") as archive:
        with archive.reading() as transaction:
            left = seal_check.verify(transaction).changes
        given_back: tuple[ForeignChange, ...] = ()
        for copy in copies.newest_first(workspace.home.backups) if left else ():
            if left and copy.archive_id == archive.id:
                with archive.writing() as transaction:
                    done = row_repair.give_back(transaction, copy.path, left)
                given_back += done
                left = tuple(row for row in left if row not in done)
    return RowRepair(given_back, left)


def still_left(workspace: Workspace, repair: RowRepair) -> tuple[ForeignChange, ...]:
    """What is left of a repair after the rest was made anew: rows that came from elsewhere meanwhile fit again."""
    if not repair.left:
        return ()
    with workspace.reading() as archive, archive.reading() as transaction:
        return seal_check.verify(transaction).changes


def listed_anew(workspace: Workspace) -> None:
    """Let go of the seals of lost records of hubs once these listed them again, under new numbers."""
    with workspace.writing("doctor --repair") as archive:
        with archive.reading() as transaction:
            gone = [row for row in seal_check.verify(transaction).changes if row.action == DELETED]
            rows = [row for row in gone if row.table in _LISTED and not health.gaps(transaction).records]
        if rows:
            with archive.writing() as transaction:
                row_repair.accept(transaction, rows, row_repair.LOST)


def accept(workspace: Workspace) -> tuple[ForeignChange, ...]:
    """Seal every row that does not fit as it stands; which they were. The audit trail says so."""
    with workspace.writing("doctor --accept-edits") as archive, archive.writing() as transaction:
        return row_repair.accept(transaction, seal_check.verify(transaction).changes)
