"""Another program edits what the archive derives: `doctor --verify` names it, and `--repair` computes it anew."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.archive.derived.edited import change, rows
from tests.end_to_end.confere import add_account, confere

TABLES = (
    "document", "event", "item", "party", "tax_group", "belonging", "relation", "verdict", "hub_document",
    "hub_history", "hub_metadata", "sales_order", "order_item", "hub_return", "return_item", "link", "finding",
    "finding_key", "finding_order", "finding_act", "decision", "act", "tag", "document_tag",
)  # fmt: skip


@pytest.fixture(scope="module")
def hub() -> Iterator[RunningHub]:
    with running(SandboxOptions(documents=100, seed=6, anomalies="all")) as hub:
        yield hub


@pytest.fixture(scope="module")
def decided(hub: RunningHub, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Synced and reconciled, with a person's word on documents, links and findings."""
    home = tmp_path_factory.mktemp("decided")
    add_account(home, "hub", hub.address, hub.token)
    companies = [part for company in hub.info["companies"] for part in ("--cnpj", company["cnpj"])]
    assert confere(home, "account", "change", "hub", *companies).code == 0
    assert confere(home, "sync").code == 0
    assert confere(home, "verify").code in (0, 1)
    reconciled = confere(home, "reconcile", "--all")
    assert reconciled.code in (0, 1), reconciled
    keys = [row["access_key"] for row in confere(home, "list", "--all").json["documents"] if row["access_key"]]
    assert confere(home, "tag", "add", "to look at", *keys[:20]).code == 0
    ((finding,),) = rows(home / "archive.sqlite3", "SELECT id FROM finding WHERE state = 'open' LIMIT 1")
    assert confere(home, "findings", "explain", str(finding), "--note", "as agreed").code == 0
    link = confere(home, "links", "list").json["links"][0]
    assert confere(home, "links", "confirm", "--order", link["order"], "--key", link["key"]).code == 0
    assert verified(home) == (0, set())
    return home


@pytest.fixture
def home(decided: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(decided, tmp_path / "home"))


def verified(home: Path) -> tuple[int, set[tuple[str, str, str]]]:
    """The exit code, and each table, column and key that is named."""
    done = confere(home, "doctor", "--verify")
    facts: list[dict[str, Any]] = done.json["facts"]["differences"] + done.json["facts"]["invariants"]
    return done.code, {(fact["table"], fact["column"], key) for fact in facts for key in fact["keys"]}


def tables(home: Path) -> dict[str, list[tuple[Any, ...]]]:
    return {table: sorted(rows(home / "archive.sqlite3", f"SELECT * FROM {table}"), key=repr) for table in TABLES}


def test_documents_that_vanished_are_named_and_come_back(home: Path) -> None:
    archive = home / "archive.sqlite3"
    before = tables(home)
    shown = confere(home, "list", "--all").json
    keys = {
        key
        for (key,) in rows(archive, "SELECT access_key FROM document WHERE access_key NOT NULL ORDER BY id LIMIT 17")
    }
    hidden = "UPDATE document SET is_current = 0 WHERE access_key = ?"
    assert sum(change(archive, hidden, key) for key in keys) == 17
    assert len(confere(home, "list", "--all").json["documents"]) == len(shown["documents"]) - 17

    done = confere(home, "doctor")
    assert done.code == 1
    (fact,) = done.json["facts"]["invariants"]
    assert (fact["table"], fact["column"], set(fact["keys"])) == ("document", "is_current", keys)
    code, named = verified(home)
    assert code == 1
    assert {key for table, column, key in named if (table, column) == ("document", "is_current")} == keys

    done = confere(home, "doctor", "--repair")
    assert (done.code, done.json["facts"]["still_missing"]) == (0, [])
    assert verified(home) == (0, set())
    assert confere(home, "list", "--all").json == shown
    assert tables(home) == before
    lines = rows(archive, "SELECT subject, detail FROM audit WHERE action = 'computed anew'")
    ((detail,),) = [[detail] for subject, detail in lines if subject == "document"]
    assert detail.startswith("17 is_current ") and set(detail.split()[2:]) == keys


def test_an_edit_of_each_kind_is_named_and_computed_anew_and_no_decision_is_lost(home: Path) -> None:
    archive = home / "archive.sqlite3"
    before = tables(home)
    key, number = rows(
        archive,
        "SELECT access_key, id FROM document WHERE state = 'authorized' AND type = 'nfe'"
        " AND id IN (SELECT document_id FROM item) AND id IN (SELECT document_id FROM tax_group) ORDER BY id LIMIT 1",
    )[0]
    (event,) = rows(archive, "SELECT access_key FROM event ORDER BY id LIMIT 1")[0]
    (content, judged) = rows(
        archive,
        "SELECT d.content_id, d.access_key FROM document d JOIN verdict v USING (content_id)"
        " WHERE v.kind = 0 AND d.access_key NOT NULL ORDER BY d.id DESC LIMIT 1",
    )[0]
    order = rows(archive, "SELECT hub_id FROM sales_order WHERE total > 0 ORDER BY id LIMIT 1")[0][0]
    returned = rows(archive, "SELECT hub_id FROM hub_return ORDER BY id LIMIT 1")[0][0]
    record = rows(archive, "SELECT identity FROM hub_document WHERE access_key NOT NULL ORDER BY id LIMIT 1")[0][0]
    finding, fingerprint = rows(
        archive, "SELECT f.id, f.fingerprint FROM finding f JOIN finding_key k ON k.finding_id = f.id LIMIT 1"
    )[0]
    edits = {
        ("document", "state", key): ("UPDATE document SET state = 'cancelled' WHERE id = ?", number),
        ("document", "total", key): ("UPDATE document SET total = total * 10 WHERE id = ?", number),
        ("item", "description", key): ("UPDATE item SET description = 'X' WHERE document_id = ?", number),
        ("event", "is_current", event): ("UPDATE event SET is_current = 0 WHERE access_key = ?", event),
        ("verdict", "lines", judged): ("UPDATE verdict SET lines = 'ffffffffff' WHERE content_id = ?", content),
        ("document", "verdict", judged): ("UPDATE document SET verdict = 2 WHERE access_key = ?", judged),
        ("sales_order", "total", order): ("UPDATE sales_order SET total = total * 10 WHERE hub_id = ?", order),
        ("sales_order", "buyer_name", order): ("UPDATE sales_order SET buyer_name = 'X' WHERE hub_id = ?", order),
        ("order_item", "quantity", order): (
            "UPDATE order_item SET quantity = '99' WHERE order_id = (SELECT id FROM sales_order WHERE hub_id = ?)",
            order,
        ),
        ("hub_return", "total", returned): ("UPDATE hub_return SET total = total + 1 WHERE hub_id = ?", returned),
        ("hub_document", "marketplace", record): (
            "UPDATE hub_document SET marketplace = 'X' WHERE identity = ?",
            record,
        ),
        ("finding_key", "*", fingerprint): ("DELETE FROM finding_key WHERE finding_id = ?", finding),
        ("belonging", "*", key): (
            "INSERT INTO belonging (tax_id, issued_on, document_id, direction)"
            " SELECT '99999999000191', issued_on, id, 'in' FROM document WHERE id = ?",
            number,
        ),
        ("relation", "*", "35" * 22): (
            "INSERT INTO relation (source_key, target_key, kind, claims) VALUES (?, 'x', 'references', 1)",
            "35" * 22,
        ),
    }
    for sql, value in edits.values():
        assert change(archive, sql, value)
    code, named = verified(home)
    assert (code, edits.keys() - named) == (1, set())

    done = confere(home, "doctor", "--repair", "--verify")
    assert done.code == 0, done.json["findings"]
    assert done.json["facts"]["still_missing"] == []
    assert tables(home) == before
    subjects = {subject for (subject,) in rows(archive, "SELECT subject FROM audit WHERE action = 'computed anew'")}
    assert {table for table, _, _ in edits} <= subjects
