"""A finding that is judged anew after its month was closed is named: its number, what it is about, before and after."""

from __future__ import annotations

import json

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.closing import changes, close_month
from confere.app.closing.close_month import CloseRequest
from confere.app.context import Workspace
from confere.app.labels import closing_labels
from confere.app.reconciliation import decisions
from confere.archive.accounts import accounts
from tests.app import business
from tests.app.business import ACCOUNT, FOUND, LINKED, OCTOBER, a_finding
from tests.archive.papers import EMITTER, key
from tests.cli.json_recorder import answer_of


@pytest.fixture
def closed(workspace: Workspace) -> Workspace:
    """October is closed; then one finding is explained, one moves in amount, one is gone and one is new."""
    close_month.close(workspace, CloseRequest(OCTOBER, EMITTER, allow_incomplete=True))
    decisions.explain(workspace, [1], "by phone")
    with workspace.writing("test") as archive:
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        moved = (a_finding("R1", "o3", amount=700), a_finding("R12", subject="A1", amount=None))
        business.run(archive, owner, LINKED, (FOUND[0], FOUND[2], *moved))
    return workspace


def test_each_finding_has_its_number_and_what_it_is_about(closed: Workspace, opened: OpenArchive) -> None:
    (month,) = changes.changes(opened, OCTOBER)
    told = {
        change.number: (closing_labels.about_text(change), closing_labels.finding_text(change), change.account)
        for change in month.changes.findings
    }
    assert told == {
        1: (f"{key(2)} +2", "open → explained", ACCOUNT),
        2: ("order o3", "not checked → open; - → R$ 7,00", ACCOUNT),
        4: ("order o1", "open → resolved", ACCOUNT),
        5: ("A1", "- → open", ACCOUNT),
    }


def test_the_command_names_them_in_its_table_and_in_its_json(closed: Workspace) -> None:
    home = str(closed.home.root)
    code, text = answer_of("changes", "--period", OCTOBER, "--json", "--home", home)
    (month,) = json.loads(text)["months"]
    assert code == 1
    columns = ("id", "rule", "orders", "keys", "subject")
    named = [tuple(entry[column] for column in columns) for entry in month["findings"]]
    assert sorted(named) == [
        (1, "R3", ["o2"], [key(2), key(3)], ""),
        (2, "R1", ["o3"], [], ""),
        (4, "R1", ["o1"], [], ""),
        (5, "R12", [], [], "A1"),
    ]
    assert {entry["account"] for entry in month["findings"]} == {ACCOUNT}
    shown = answer_of("changes", "--period", OCTOBER, "--home", home)[1]
    assert "open → explained" in shown and "order o3" in shown and key(2)[:20] in shown


def test_one_that_the_archive_has_no_longer_is_named_by_its_documents(closed: Workspace, opened: OpenArchive) -> None:
    with closed.writing("test") as archive, archive.writing() as transaction:
        transaction.execute(
            "DELETE FROM finding_act WHERE fingerprint IN (SELECT fingerprint FROM finding WHERE id = 1)"
        )
        transaction.execute("DELETE FROM finding WHERE id = 1")
    (month,) = changes.changes(opened, OCTOBER)
    (gone,) = (change for change in month.changes.findings if change.number is None)
    assert (closing_labels.about_text(gone), gone.orders) == (f"{key(2)} +1", ())
    assert closing_labels.finding_name(gone) == "finding: Value divergence"
    assert closing_labels.finding_text(gone) == "open → -"
