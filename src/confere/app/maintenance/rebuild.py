"""Making an archive readable again whose file is damaged: indexes anew, rows into a new file, or a backup's copy."""

from __future__ import annotations

import os
from dataclasses import dataclass

from confere.app.context import Workspace
from confere.archive.accounts import audit
from confere.archive.documents.search import full_text
from confere.archive.maintenance import absence, salvage
from confere.archive.maintenance.backups import backup, copies
from confere.archive.maintenance.backups.trail_standing import RESTORED
from confere.archive.maintenance.salvage import Condition
from confere.archive.seals import row_repair, seal_check
from confere.archive.seals.row_seals import EDITED
from confere.errors import ArchiveCorrupt, ArchiveError, Message, message
from confere.system import formatting


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What has to follow: the search index is empty, records of hubs may be gone."""

    search_lost: bool = False
    records_lost: bool = False


def make_readable(workspace: Workspace, notes: list[Message]) -> Rebuilt:
    """Do what the file's condition asks for, and say it in `notes`. `ArchiveCorrupt` where there is no way."""
    path = workspace.home.archive
    if absence.trace_of(path) is not None:
        _restore(workspace, notes)
        return Rebuilt(search_lost=True, records_lost=True)
    found = salvage.condition(path)
    if found is Condition.INDEXES:
        salvage.renew_indexes(path)
        notes.append(message("The archive's indexes were damaged and were made anew."))
        found = salvage.condition(path)
    if found is Condition.WHOLE:
        return Rebuilt()
    if found is Condition.SEARCH and _search_anew(workspace):
        notes.append(message("The search index was damaged and is made anew."))
        return Rebuilt(search_lost=True)
    try:
        if found is Condition.EMPTY:
            _restore(workspace, notes)
            return Rebuilt(search_lost=True, records_lost=True)
        why = salvage.why_foreign(path) if found is Condition.FOREIGN else None
        saved = salvage.rebuild(path)
        notes.append(
            message(
                "The archive was not as Confere makes it: {why}. All rows that could be read, {count}, are in a new"
                " file without that; the file that was changed is kept as {path}.",
                why=why,
                count=formatting.count(sum(saved.rows.values())),
                path=str(saved.kept_aside),
            )
            if why is not None
            else message(
                "The archive's file was damaged. All rows that could be read, {count}, are in a new one;"
                " the damaged file is kept as {path}.",
                count=formatting.count(sum(saved.rows.values())),
                path=str(saved.kept_aside),
            )
        )
        if saved.dropped:
            notes.append(
                message(
                    "Rows were left out, since a value in them is of the wrong kind, their key is taken or their table"
                    " is not as Confere makes it: {tables}.",
                    tables=", ".join(
                        f"{table} {formatting.count(count)}" for table, count in sorted(saved.dropped.items())
                    ),
                )
            )
        _fill(workspace, notes)
        with workspace.writing("doctor --repair") as archive, archive.writing() as transaction:
            gaps = audit.accept_losses(transaction)
            rows = seal_check.verify(transaction).changes
            row_repair.accept(transaction, [row for row in rows if row.action != EDITED], row_repair.LOST)
        if gaps:
            notes.append(
                message(
                    "Lines of the audit trail are lost: before {lines}. The trail says so from now on.",
                    lines=", ".join(map(str, gaps)),
                )
            )
    except ArchiveCorrupt:
        _restore(workspace, notes)
    return Rebuilt(search_lost=True, records_lost=True)


def _search_anew(workspace: Workspace) -> bool:
    """Whether a new search index makes the file whole."""
    try:
        with workspace.writing("doctor --repair") as archive, archive.writing() as transaction:
            full_text.make_anew(transaction)
    except ArchiveError:
        return False
    return salvage.condition(workspace.home.archive) is Condition.WHOLE


def _fill(workspace: Workspace, notes: list[Message]) -> None:
    """Rows that could not be read and stand in the newest backup, other than those that the bytes give."""
    with workspace.reading() as archive:
        identity = archive.id
    for copy in copies.newest_first(workspace.home.backups):
        if copy.archive_id == identity:
            filled = salvage.fill_from(workspace.home.archive, copy.path)
            if filled:
                notes.append(
                    message(
                        "{count} rows came from the backup {path}.", count=formatting.count(filled), path=str(copy.path)
                    )
                )
            return


def _restore(workspace: Workspace, notes: list[Message]) -> None:
    path = workspace.home.archive
    was_there = os.path.lexists(path)
    for copy in copies.newest_first(workspace.home.backups):
        if salvage.condition(copy.path) is not Condition.WHOLE:
            continue
        aside = salvage.keep_aside(path)
        backup.copy(copy.path, path)
        with workspace.writing("doctor --repair") as archive, archive.writing() as transaction:
            audit.write(transaction, RESTORED, copy.path.name, f"set aside: {aside.name}" if was_there else None)
        if not was_there:
            notes.append(
                message(
                    "The archive's file was not there. The backup {backup} took its place; what came after the backup"
                    " is asked of the hub again.",
                    backup=str(copy.path),
                )
            )
            return
        notes.append(
            message(
                "The archive's file could not be read at all. The backup {backup} took its place;"
                " the damaged file is kept as {path}. What came after the backup is asked of the hub again.",
                backup=str(copy.path),
                path=str(aside),
            )
        )
        return
    absence.refuse(path)
    raise ArchiveCorrupt(
        message("The archive {path} cannot be read at all, and there is no backup of it.", path=str(path)),
        message("Keep the file. Rename it, then `confere account add` and `confere sync` begin a new archive."),
    )
