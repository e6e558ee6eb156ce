"""What a restore would lose, kind by kind: counted on both files, said before and after it, and never guessed."""

from __future__ import annotations

import lzma
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.backups import backup, restore
from confere.app.backups.backup import BackupWish
from confere.app.closing import close_month
from confere.app.closing.close_month import CloseRequest
from confere.app.context import Workspace
from confere.app.documents.organize import saved_searches, tags
from confere.app.labels import backup_labels
from confere.app.reconciliation import decisions
from confere.app.reconciliation.review import signoffs
from confere.archive.documents.search.document_query import DocumentQuery
from confere.archive.maintenance.backups.restore_losses import Loss, LossKind
from confere.errors import Cancelled
from confere.system.processes.cancellation import Stop
from confere.system.secrets.token_store import Secret
from tests.app.business import ACCOUNT, OCTOBER, order_json, record_orders
from tests.app.made import account
from tests.archive.papers import EMITTER, cancellation, key, note, store

RELEASE = Path(__file__).parents[2] / "releases" / "0011.sqlite3.xz"


def nobody(_archive_id: str) -> Secret:
    raise AssertionError("nothing is encrypted here")


def backed_up(workspace: Workspace, folder: Path) -> Path:
    (copy,) = backup.make(workspace, BackupWish(folder / "copy.sqlite3"), nobody).written
    return copy


def numbers(losses: Iterable[Loss] | None) -> dict[str, int | None]:
    """What is not nothing."""
    assert losses is not None
    return {loss.kind.value: loss.number for loss in losses if loss.number != 0}


def test_what_came_since_the_backup_is_counted_by_kind(workspace: Workspace, tmp_path: Path) -> None:
    decisions.explain(workspace, [1], "by phone")
    decisions.link(workspace, ACCOUNT, [("o3", key(4))])
    tags.add_to(workspace, "Checked", [key(1)])
    saved_searches.save(workspace, "Mugs", "caneca", DocumentQuery())
    copy = backed_up(workspace, tmp_path)
    same = restore.look(workspace, copy, nobody)
    assert numbers(same.losses) == {}
    assert backup_labels.loss_lines(same.losses, "") == ["The backup lacks nothing of the archive that it replaces."]

    decisions.undo(workspace, ACCOUNT)  # the link stands again after the restore
    decisions.ignore(workspace, [2, 4], "small")
    decisions.link(workspace, ACCOUNT, [("o4", key(4))])
    decisions.undo(workspace, ACCOUNT)  # said and taken back: nothing is lost of it
    close_month.close(workspace, CloseRequest(OCTOBER, EMITTER, allow_incomplete=True))
    close_month.reopen(workspace, OCTOBER, EMITTER, "a note came")
    signoffs.sign(workspace, EMITTER, OCTOBER, "Bia Souza")
    tags.add_to(workspace, "Checked", [key(2)])
    tags.add_to(workspace, "Late", [key(1), key(2)])
    saved_searches.save(workspace, "Mugs", "caneca azul", DocumentQuery(), replace=True)
    saved_searches.save(workspace, "Notes", "nota", DocumentQuery())
    with workspace.writing("test") as archive:
        store(archive, note(6), note(7), cancellation(6))
        record_orders(archive, account(archive, "market"), order_json("o1"), order_json("o9"))

    plan = restore.look(workspace, copy, nobody)
    expected = {
        "decisions": 2, "links": 1, "closings": 2, "sign_offs": 1, "tags": 1, "tagged": 3, "searches": 2,
        "accounts": 1, "documents": 2, "events": 1, "orders": 2,
    }  # fmt: skip
    assert numbers(plan.losses) == expected
    assert plan.losses is not None and all(loss.newest for loss in plan.losses if loss.kind is not LossKind.ORDERS)
    lines = backup_labels.loss_lines(plan.losses, "- ")
    assert lines[0] == "The backup lacks this of the archive that it replaces:"
    assert lines[1].startswith("- 2 decisions on findings, the newest of ")
    assert lines[2].startswith("- 1 link decided by hand, of ")
    assert lines[-1].endswith("come back with the next sync; the rest does not.")
    done = restore.restore(workspace, copy, nobody)
    assert numbers(done.plan.losses) == expected
    assert done.aside is not None
    back = restore.look(workspace, done.aside, nobody)
    assert numbers(back.losses) == {"links": 1, "searches": 1}  # taken back and changed in the one that was set aside


def test_what_a_sync_brings_back_is_said() -> None:
    note = ("documents", 1, None)
    word = ("links", 1, None)
    assert backup_labels.loss_lines([note], "")[-1] == "What a hub has of it comes back with the next sync."
    assert backup_labels.loss_lines([word, ("orders", 0, None)], "")[-1] == "No sync brings that back."


def test_an_older_format_lacks_what_it_had_no_tables_for(workspace: Workspace, tmp_path: Path) -> None:
    old = tmp_path / "old.sqlite3"
    with lzma.open(RELEASE) as packed, old.open("wb") as target:
        shutil.copyfileobj(packed, target)
    saved_searches.save(workspace, "Mugs", "caneca", DocumentQuery())
    close_month.close(workspace, CloseRequest(OCTOBER, EMITTER, allow_incomplete=True))
    found = numbers(restore.look(workspace, old, nobody).losses)
    assert (found["closings"], found["searches"], found["documents"]) == (1, 1, 1)  # three of the notes are the same


def test_an_archive_that_cannot_be_read_is_said_and_replaced(workspace: Workspace, tmp_path: Path) -> None:
    copy = backed_up(workspace, tmp_path)
    workspace.home.archive.write_bytes(b"SQLite format 3\0" + b"\xff" * 9000)
    plan = restore.look(workspace, copy, nobody)
    assert plan.losses is None
    (line,) = backup_labels.loss_lines(plan.losses, "")
    assert line == "So nobody can say what the backup lacks of it."
    assert not plan.comes_back
    assert "doctor --repair" in backup_labels.kept_line(workspace.home.archive, comes_back=plan.comes_back)
    done = restore.restore(workspace, copy, nobody)
    assert done.plan.losses is None and done.aside is not None
    workspace.home.archive.unlink()
    assert restore.look(workspace, copy, nobody).losses == ()


def test_a_kind_that_cannot_be_read_is_said_beside_the_others(workspace: Workspace, tmp_path: Path) -> None:
    copy = backed_up(workspace, tmp_path)
    decisions.explain(workspace, [1], "by phone")
    with closing(sqlite3.connect(workspace.home.archive)) as connection:
        (page,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'event'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with workspace.home.archive.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    plan = restore.look(workspace, copy, nobody)
    assert (plan.present, plan.comes_back) == (None, False)
    assert numbers(plan.losses) == {"decisions": 1, "events": None}
    assert "- events: they could not be read" in backup_labels.loss_lines(plan.losses, "- ")
    assert backup_labels.replaces_damaged(plan.losses).endswith("cannot be read whole.")
    assert numbers(restore.restore(workspace, copy, nobody).plan.losses) == {"decisions": 1, "events": None}


def test_a_stop_ends_the_count(workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from confere.archive.maintenance.backups import backup_check, restore_losses

    copy, stop = backed_up(workspace, tmp_path), Stop()
    monkeypatch.setattr(backup_check, "_STEP", 1)
    stop.set()
    with pytest.raises(Cancelled):
        restore_losses.losses(workspace.home.archive, copy, on_step=lambda: stop.check(restore._STOPPED))
