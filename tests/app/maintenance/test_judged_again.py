"""Links and findings that are not what the newest run gives of its inputs: named by the check-up, computed anew."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import AccountChange, NewAccount
from confere.app.accounts.sync import sync_accounts
from confere.app.closing import close_month
from confere.app.closing.close_month import CloseRequest
from confere.app.context import EMBEDDED, Workspace
from confere.app.documents.import_files import import_paths
from confere.app.maintenance import repair, verification
from confere.app.maintenance.checks import derived_checks
from confere.app.maintenance.checks.check_result import Examination
from confere.app.reconciliation import decisions
from confere.app.reconciliation.reconcile import reconcile
from confere.archive.accounts import accounts as account_rows
from confere.archive.accounts import audit
from confere.archive.maintenance.health import VaultShare, Verification
from confere.archive.seals import row_seal
from confere.archive.seals.sealed_tables import by_name
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.app.sandboxed import copied
from tests.archive.derived.edited import change
from tests.archive.papers import note

ACCOUNT = "world"
NOW = datetime(2026, 11, 1, 3, tzinfo=UTC)


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Synced and reconciled once, with a person's word on findings and on links."""
    workspace = Workspace.at(tmp_path_factory.mktemp("decided"))
    with running(SandboxOptions(documents=50, seed=6, anomalies="all")) as hub:
        tax_ids = tuple(entry["cnpj"] for entry in hub.info["companies"])
        accounts.add(workspace, NewAccount(ACCOUNT, hub.address, "test", EMBEDDED, tax_ids), hub.token)
        sync_accounts(workspace)
    reconcile(workspace, as_of=NOW)
    first, second = (int(row[0]) for row in rows(workspace, "SELECT id FROM finding WHERE state = 'open' LIMIT 2"))
    decisions.explain(workspace, [first], "as agreed")
    decisions.ignore(workspace, [second], "not ours")
    pairs = rows(workspace, "SELECT order_hub_id, access_key FROM link ORDER BY access_key LIMIT 3")
    decisions.confirm(workspace, ACCOUNT, [tuple(pairs[0])])
    decisions.unlink(workspace, ACCOUNT, [tuple(pairs[1])])
    decisions.unlink(workspace, ACCOUNT, [tuple(pairs[2])])
    decisions.undo(workspace, ACCOUNT)
    ((month,),) = rows(workspace, "SELECT min(period) FROM finding WHERE state = 'open'")
    close_month.close(workspace, CloseRequest(month))
    yield workspace.home.root


@pytest.fixture
def workspace(decided: Path, tmp_path: Path) -> Workspace:
    return copied(decided, tmp_path / "home")


def rows(workspace: Workspace, sql: str, *values: object) -> list[Any]:
    with closing(sqlite3.connect(workspace.home.archive)) as connection:
        return connection.execute(sql, values).fetchall()


def delete(workspace: Workspace, table: str, key: tuple[Any, ...]) -> None:
    """Take the row and its seal away."""
    sealed = by_name()[table]
    with closing(sqlite3.connect(workspace.home.archive)) as connection, connection:
        assert connection.execute(f"DELETE FROM {table} WHERE {sealed.condition()}", key).rowcount == 1
        seal = "DELETE FROM seal WHERE table_number = ? AND row_key = ?"
        assert connection.execute(seal, (sealed.number, sealed.row_key(key))).rowcount == 1


def edit(workspace: Workspace, table: str, key: tuple[Any, ...], column: str, value: object) -> None:
    """Let the row have another value, and the seal of it."""
    sealed = by_name()[table]
    with closing(sqlite3.connect(workspace.home.archive)) as connection, connection:
        changed = connection.execute(f"UPDATE {table} SET {column} = ? WHERE {sealed.condition()}", (value, *key))
        assert changed.rowcount == 1
        row = connection.execute(
            f"SELECT {sealed.values('t')} FROM {table} t WHERE {sealed.condition()}", key
        ).fetchone()
        connection.execute(
            "UPDATE seal SET seal = ? WHERE table_number = ? AND row_key = ?",
            (row_seal.seal_of(*row), sealed.number, sealed.row_key(key)),
        )


def verified(workspace: Workspace, part: VaultShare | None = None) -> Verification:
    with workspace.reading() as archive:
        return verification.verify(archive, workspace.home, part=part)


def named(workspace: Workspace) -> set[tuple[str, str, str]]:
    return {(one.table, one.key, one.column) for one in verified(workspace).differences}


def is_compared(workspace: Workspace) -> bool:
    (account,) = verified(workspace).judged
    assert account.differences == ()
    return account.is_compared


def what_stands(workspace: Workspace) -> dict[str, list[tuple[Any, ...]]]:
    """Links, findings and decisions, without the runs that wrote them and the numbers of rows."""
    return {
        "links": rows(workspace, "SELECT order_hub_id, access_key, kind, confidence, evidence FROM link"),
        "findings": rows(
            workspace,
            "SELECT fingerprint, rule, period, severity, amount, checked, state, orders, keys, subject, evidence, note,"
            " author, is_changed, is_stale FROM finding ORDER BY fingerprint",
        ),
        "acts": rows(workspace, "SELECT * FROM act"),
        "words": rows(workspace, "SELECT * FROM finding_act"),
        "decisions": rows(workspace, "SELECT * FROM decision"),
    }


def test_after_a_run_and_decisions_everything_is_compared_and_the_same(workspace: Workspace) -> None:
    assert is_compared(workspace)
    assert verified(workspace, VaultShare(2, 3)).judged == ()
    examination = Examination()
    derived_checks.of_verification(examination, verified(workspace))
    assert examination.facts["reconciliations"] == [{"account": ACCOUNT, "compared": True, "differences": 0}]
    assert examination.well


def test_what_fits_its_seal_and_not_the_rules_is_named_and_computed_anew(workspace: Workspace) -> None:
    before = what_stands(workspace)
    link = rows(workspace, "SELECT account_id, order_hub_id, access_key FROM link WHERE kind != 0 LIMIT 1")[0]
    ids = "SELECT id FROM finding WHERE state = ? LIMIT 1"
    ((severe,),) = rows(workspace, "SELECT id FROM finding WHERE state = 'open' AND severity != 'low' LIMIT 1")
    ((explained,), (ignored,)) = (rows(workspace, ids, state)[0] for state in ("explained", "ignored"))
    rule, orders, keys = rows(workspace, "SELECT rule, orders ->> 0, keys ->> 0 FROM finding WHERE id = ?", explained)[
        0
    ]
    delete(workspace, "link", link)
    delete(workspace, "finding", (explained,))
    edit(workspace, "finding", (severe,), "severity", "low")
    edit(workspace, "finding", (ignored,), "evidence", "[]")
    names = named(workspace)
    assert ("link", f"{link[1]} {link[2]}", "*") in names
    assert ("finding", str(severe), "severity") in names
    assert ("finding", str(ignored), "evidence") in names
    ((missing,),) = ([key for table, key, column in names if (table, column) == ("finding", "*")],)
    assert missing.split()[0] == rule
    assert set(missing.split()) >= {name for name in (orders, keys) if name}
    assert len(names) == 4

    examination = Examination()
    derived_checks.of_verification(examination, verified(workspace))
    assert not examination.well
    assert {fact["table"] for fact in examination.facts["differences"]} == {"link", "finding"}

    done = repair.repair(workspace)
    assert done.whole
    made = {entry.name for entry in done.repaired if entry.source == "rules"}
    assert made == {f"{table} {key}" for table, key, _ in names}
    assert named(workspace) == set()
    assert what_stands(workspace) == before
    with workspace.reading() as archive, archive.reading() as transaction:
        computed = {line.subject for line in audit.lines(transaction) if line.action == "computed anew"}
    assert computed >= {"link", "finding"}


def test_each_edited_column_is_named_and_comes_back(workspace: Workspace) -> None:
    before = what_stands(workspace)
    edits: dict[str, list[tuple[str, object]]] = {
        "link": [("confidence", 1), ("kind", 0)],
        "finding": [
            *(("amount", 1), ("state", "resolved"), ("state", "explained"), ("period", "2020-01"), ("keys", "[]")),
            *(("rule", "R99"), ("severity", "nonsense"), ("evidence", "nonsense"), ("checked", 0), ("version", 99)),
        ],
    }
    due = set()
    for table, values in edits.items():
        sealed = by_name()[table]
        names = ", ".join(sealed.columns[place] for place in sealed.keys)
        which = "kind != 0" if table == "link" else "state = 'open' AND keys != '[]'"
        keys = rows(workspace, f"SELECT {names} FROM {table} WHERE {which} ORDER BY 1 LIMIT ?", len(values))
        for key, (column, value) in zip(keys, values, strict=True):
            edit(workspace, table, key, column, value)
            due.add((table, " ".join(map(str, key[1:] or key)), column))
    assert named(workspace) == due
    ((stray,),) = rows(workspace, "SELECT max(id) FROM finding WHERE state = 'open'")
    edit(workspace, "finding", (stray,), "fingerprint", "0" * 32)
    ((missing, column),) = [entry[1:] for entry in named(workspace) - due - {("finding", str(stray), "state")}]
    assert column == "*" and missing.startswith("R")
    assert repair.repair(workspace).whole
    assert named(workspace) == set()
    delete(workspace, "finding", (stray,))
    assert what_stands(workspace) == before


def test_nothing_is_compared_where_documents_came_or_terms_changed_since_the_run(
    workspace: Workspace, tmp_path: Path
) -> None:
    ((number,),) = rows(workspace, "SELECT id FROM finding WHERE state = 'open' LIMIT 1")
    edit(workspace, "finding", (number,), "amount", 1)
    (tmp_path / "note.xml").write_bytes(note(1))
    assert import_paths(workspace, [tmp_path / "note.xml"]).documents == 1
    assert not is_compared(workspace)
    examination = Examination()
    derived_checks.of_verification(examination, verified(workspace))
    assert examination.facts["reconciliations"] == [{"account": ACCOUNT, "compared": False, "differences": 0}]
    assert examination.well
    (sentence,) = [entry.what.id for entry in examination.findings if "not compared" in entry.what.id]
    assert "since the last" in sentence
    reconcile(workspace, as_of=NOW)
    assert is_compared(workspace)
    accounts.change(workspace, ACCOUNT, AccountChange(terms={"tolerance": 5}))
    assert not is_compared(workspace)


def test_nothing_is_compared_while_what_it_is_made_of_differs(workspace: Workspace) -> None:
    change(workspace.home.archive, "UPDATE document SET total = total * 10 WHERE type = 'nfe'")
    verification = verified(workspace)
    assert {one.table for one in verification.differences} == {"document"}
    assert [account.is_compared for account in verification.judged] == [False]
    assert repair.repair(workspace).whole
    assert is_compared(workspace)


def test_inputs_that_cannot_be_read_are_left_to_the_seals(workspace: Workspace) -> None:
    assert change(workspace.home.archive, "UPDATE account SET preferences = 'nonsense'") == 1
    examination = Examination()
    derived_checks.of_verification(examination, verified(workspace))
    assert examination.facts["reconciliations"] == [{"account": ACCOUNT, "compared": False, "differences": 0}]
    (sentence,) = [entry.what.id for entry in examination.findings if "not compared" in entry.what.id]
    assert "something else differs" in sentence


def test_links_decided_in_an_account_of_the_same_company_are_another_input(workspace: Workspace) -> None:
    with workspace.writing("test") as archive, archive.writing() as transaction:
        (world,) = account_rows.every(transaction)
        account_rows.add(
            transaction, name="other", environment="test", address="http://127.0.0.1:9", platform="p",
            establishments=world.establishments,
        )  # fmt: skip
    reconcile(workspace, ("other", ACCOUNT), as_of=NOW)
    assert [account.is_compared for account in verified(workspace).judged] == [True, True]
    decisions.unlink(
        workspace, ACCOUNT, rows(workspace, "SELECT order_hub_id, access_key FROM link WHERE kind != 0 LIMIT 1")
    )
    assert [(account.name, account.is_compared) for account in verified(workspace).judged] == [
        ("other", False),
        (ACCOUNT, True),
    ]
