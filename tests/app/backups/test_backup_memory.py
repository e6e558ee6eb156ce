"""Backups with a memory: a silent loss is an alarm the next day, and what holds everything is never removed."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from confere.app.backups import backup, backup_copies, restore
from confere.app.backups.backup import BackupWish
from confere.app.backups.backup_copies import CopyState, Depth
from confere.app.context import Workspace
from confere.app.maintenance import doctor
from confere.app.reconciliation import decisions
from confere.archive.accounts import accounts, audit, audit_chain
from confere.archive.maintenance.backups import copy_records
from confere.archive.maintenance.backups.copy_counts import Fall
from confere.fiscal.periods import BRASILIA
from confere.system.files import age_encryption
from confere.system.messages import render
from confere.system.secrets.token_store import Secret, Source
from confere.system.settings import BACKUP_ENCRYPTED, BACKUP_FOLDER
from tests.app.business import ACCOUNT, order_json, record_orders
from tests.archive.papers import note, store
from tests.simulated_clock import set_clock

DAYS = (1, 10, 20, 30, 39, 41, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180)
LOST_ON = 40
WORDS = "três corvos à mesa"


def passphrase(_archive_id: str) -> Secret:
    return Secret(WORDS, Source.PROMPT)


def moment(day: float) -> datetime:
    """Day 1 is the first of January 2026."""
    return datetime(2025, 12, 31, 3, tzinfo=BRASILIA) + timedelta(days=day)


def execute(path: Path, *statements: str) -> None:
    """As another program would."""
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def held_in(path: Path) -> dict[str, set[str]]:
    """The documents that a list shows, the orders, and the decisions on findings."""
    with closing(sqlite3.connect(path)) as connection:
        return {
            kind: {str(value) for (value,) in connection.execute(sql)}
            for kind, sql in (
                ("documents", "SELECT access_key FROM document WHERE is_current = 1"),
                ("orders", "SELECT hub_id FROM sales_order"),
                ("decisions", "SELECT act_id FROM finding_act"),
            )
        }


def grow(workspace: Workspace, numbers: Iterator[int], day: int) -> None:
    """Six notes of the day, two orders, and in the first weeks a decision."""
    with workspace.writing("test") as archive:
        issued = moment(day).date().isoformat()
        fresh = [next(numbers) for _ in range(6)]
        store(archive, *(note(number, day=issued) for number in fresh))
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        record_orders(archive, owner, *(order_json(f"m{number}") for number in fresh[:2]))
    if day < LOST_ON:
        decisions.explain(workspace, [1], f"on day {day}")


def back_up(workspace: Workspace, monkeypatch: pytest.MonkeyPatch, day: float) -> backup.BackupsMade:
    set_clock(monkeypatch, moment(day))
    return backup.make(workspace, BackupWish(), passphrase)


def test_a_silent_loss_of_day_40_is_told_on_day_41_and_a_copy_with_everything_is_there_on_day_180(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(age_encryption, "WORK_FACTOR", 8)
    second = tmp_path / "stick"
    second.mkdir()
    workspace.settings.set(BACKUP_FOLDER, str(second))
    workspace.settings.set(BACKUP_ENCRYPTED, True)
    numbers = iter(range(1000, 9000))
    everything: dict[str, set[str]] = {}
    told: dict[int, str] = {}
    for day in DAYS:
        if day > LOST_ON and not everything:
            everything = held_in(workspace.home.archive)
            execute(
                workspace.home.archive,
                "UPDATE document SET is_current = 0 WHERE issued_on >= '2026-01-01'",
                "DELETE FROM sales_order",
                "DELETE FROM finding_act",
            )
        set_clock(monkeypatch, moment(day))
        grow(workspace, numbers, day)
        made = back_up(workspace, monkeypatch, day)
        if made.loss is not None:
            told[day] = render(made.loss)

    assert {kind: len(values) for kind, values in everything.items()} == {"documents": 35, "orders": 14, "decisions": 5}
    assert sorted(told) == [day for day in DAYS if day > LOST_ON]
    whole = [path for path in workspace.home.backups.iterdir() if _holds(path, everything)]
    assert [path.name[:21] for path in whole] == ["archive-copy-20260208"]  # day 39, three in the morning in Brasília
    assert told[41] == (
        "The newest backup holds less than that of 2026-02-08: documents 6, then 35; orders 2, then 14;"
        " decisions on findings 0, then 5. The older one is not removed."
        f" `confere restore --preview {whole[0]}` shows what is missing;"
        " if it is right so, `confere backup --acknowledge`."
    )
    # By number there are more documents and orders long since: what fell is remembered all the same.
    assert [len(values) for values in held_in(workspace.home.archive).values()] == [6 + 6 * 14, 30, 0]
    assert [path.name for path in second.glob("archive-copy-20260208*")] == [f"{whole[0].name}.age"]
    # Seven days and the months leave these, and the loss the one of day 39.
    kept = [moment(day).strftime("%m%d") for day in (30, 39, 50, 90, 120, 130, 140, 150, 160, 170, 180)]
    assert sorted(path.name[17:21] for path in workspace.home.backups.iterdir()) == kept
    assert len(list(second.iterdir())) == len(kept)
    plan = restore.look(workspace, whole[0], passphrase)
    assert plan.contents.documents == 35


def _holds(path: Path, everything: dict[str, set[str]]) -> bool:
    held = held_in(path)
    return all(values <= held[kind] for kind, values in everything.items())


def test_what_a_person_accepts_is_no_alarm_any_more_and_goes_in_its_time(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = back_up(workspace, monkeypatch, 1).written[0]
    execute(workspace.home.archive, "DELETE FROM sales_order WHERE hub_id = 'o1'")
    second = back_up(workspace, monkeypatch, 1 + 1 / 24).written[0]
    state = backup_copies.status(workspace)
    (held,) = state.holding_more
    assert (held.record.path, held.newest.path) == (str(first), str(second))
    assert [(fall.kind, fall.had, fall.has) for fall in held.falls] == [("orders", 4, 3)]
    found = doctor.examine(workspace)
    assert [render(entry.what) for entry in found.findings if entry.topic == "backup" and not entry.well] == [
        render(state.loss) if state.loss else ""
    ]
    assert backup.accept_loss(workspace) == (held,)
    assert backup_copies.status(workspace).loss is None
    assert backup.accept_loss(workspace) is None
    assert first.exists()
    back_up(workspace, monkeypatch, 2)
    assert not first.exists()
    execute(workspace.home.archive, "DELETE FROM sales_order")  # a new loss is told anew
    assert back_up(workspace, monkeypatch, 3).loss is not None


def test_an_older_copy_that_is_restored_is_no_loss(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    first = back_up(workspace, monkeypatch, 1).written[0]
    set_clock(monkeypatch, moment(2))
    grow(workspace, iter(range(1000, 2000)), 2)
    back_up(workspace, monkeypatch, 2)
    set_clock(monkeypatch, moment(3))
    restore.restore(workspace, first, passphrase)
    assert back_up(workspace, monkeypatch, 4).loss is None
    found = doctor.examine(workspace)
    assert found.facts["backup_heads"] == {"held": 2, "set_aside": 1, "lost": 0, "missing": 0}
    assert [entry for entry in found.findings if entry.topic in ("backup", "chain") and not entry.well] == []


@pytest.mark.parametrize("rewritten", [True, False], ids=["rewritten", "cut off"])
def test_a_trail_that_was_rewritten_or_cut_off_is_found_by_the_copies(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, rewritten: bool
) -> None:
    """Computed anew without a break, so that the chain itself holds."""
    back_up(workspace, monkeypatch, 1)
    set_clock(monkeypatch, moment(2))
    decisions.explain(workspace, [1], "by phone")
    back_up(workspace, monkeypatch, 2)
    before = doctor.examine(workspace, verify=True)
    assert before.facts["backup_heads"]["held"] == 2
    with workspace.writing("test") as archive, archive.writing() as transaction:
        (last, _) = audit_chain.head(transaction)
        transaction.execute("DELETE FROM audit WHERE id = ?", (last,))
        transaction.execute("DELETE FROM info WHERE name = 'audit head'")
        transaction.memory("audit head").clear()
        if rewritten:
            audit.write(transaction, "account change", ACCOUNT)
        else:
            row = transaction.first_named("SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1")
            assert row is not None
            audit_chain.set_head(transaction, row.id, row.hash)
    after = doctor.examine(workspace, verify=True)
    assert after.facts["audit_chain"]["broken"] == []
    (line,) = [render(entry.what) for entry in after.findings if entry.topic == "chain" and not entry.well]
    assert f"does not hold line {last} as it was when the backup of 2026-01-02 03:00 was made" in line
    assert backup.accept_loss(workspace) == ()
    back_up(workspace, monkeypatch, 3)
    assert doctor.examine(workspace).facts["backup_heads"] == {"held": 1, "set_aside": 0, "lost": 0, "missing": 0}


def test_a_hash_that_a_person_holds_is_found_in_either_chain(workspace: Workspace) -> None:
    with workspace.reading() as archive, archive.reading() as transaction:
        row = transaction.first_named("SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1")
    assert row is not None
    for head in (row.hash.hex(), row.hash.hex()[:16].upper()):
        found = doctor.examine(workspace, audit_head=head)
        assert found.facts["audit_head"]["line"] == row.id
    missing = doctor.examine(workspace, audit_head="0123456789abcdef")
    assert missing.facts["audit_head"] is None and not missing.well


def test_a_copy_that_was_swapped_for_another_whole_one_does_not_count(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = back_up(workspace, monkeypatch, 1).written[0]
    second = back_up(workspace, monkeypatch, 2).written[0]
    first.write_bytes(second.read_bytes())
    states = {copy.path: copy.state for copy in backup_copies.status(workspace).copies}
    assert states == {first: CopyState.DAMAGED, second: CopyState.WHOLE}


def test_a_copy_of_before_is_counted_once(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    back_up(workspace, monkeypatch, 1)
    root = workspace.home.root
    (record,) = copy_records.load(root).values()
    assert record.counts is not None and record.sha256 is not None
    assert record.counts["orders"] and record.counts["documents"] == {"2026-09": 1, "2026-10": 4}
    copy_records.keep(root, [replace(record, counts=None, audit_line=0, audit_head=None, sha256=None)])
    backup_copies.status(workspace, Depth.KNOWN)
    assert next(iter(copy_records.load(root).values())).counts is None
    backup_copies.status(workspace)
    assert next(iter(copy_records.load(root).values())) == replace(
        record, checked_at=next(iter(copy_records.load(root).values())).checked_at
    )


def test_what_fell_is_read_back_and_hostile_records_are_not_believed(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    back_up(workspace, monkeypatch, 1)
    root = workspace.home.root
    (record,) = copy_records.load(root).values()
    fell = (Fall("orders", "2026-01", 2, 1),)
    copy_records.keep(root, [replace(record, fell=fell)])
    assert next(iter(copy_records.load(root).values())).fell == fell
    text = (root / copy_records.FILE).read_text()
    for wrong, counts in (('"fell":[[1,2]]', record.counts), ('"fell":{}', record.counts)):
        (root / copy_records.FILE).write_text(text.replace('"fell":[["orders","2026-01",2,1]]', wrong))
        (loaded,) = copy_records.load(root).values()
        assert (loaded.fell, loaded.counts) == ((), counts)
    (root / copy_records.FILE).write_text(text.replace(record.made_at, "yesterday"))
    assert copy_records.load(root) == {}
