"""The freight of a CT-e that carries several notes is held against what all of their orders were charged."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import Difference, FindingQuery
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.store import Archive
from confere.cli.main import run
from confere.errors import message
from confere.reconcile.undecided_reasons import Reason
from confere.sales.links import Link, Linked, LinkKind, Tie
from tests.app import business
from tests.app.business import ACCOUNT, a_finding, a_link, order_json, record_orders
from tests.app.made import listed
from tests.app.sandboxed import copied
from tests.archive.freights import freight, freight_key
from tests.archive.papers import EMITTER, key, store

CARTED = (key(1), key(2), key(4))


def _by_freight(order: str, number: int) -> Link:
    return Link(order, freight_key(number), LinkKind.REFERENCE, 100, (message("made by hand"),))


LINKED = Linked((a_link("o1", 1), a_link("o2", 2), a_link("o4", 4), _by_freight("o1", 9)), ())


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return business.workspace_at(tmp_path_factory.mktemp("freights"), reconciled=False).home.root


def _made(
    folder: Path, *freights: bytes, linked: Linked = LINKED, last: float | None = 30.0, is_listed: bool = True
) -> Workspace:
    """Orders 1, 2 and 4 of 10, 20 and `last` reais of freight, and these CT-e; of months that were listed whole."""
    workspace = copied(folder, folder.parent / "home")
    with workspace.writing("test") as archive:
        store(archive, *freights)
        owner = _owner(archive)
        if is_listed:
            listed(archive, owner, "2026-01-01T03:00:00.000+00:00", "2026-11-01T03:00:00.000+00:00")
        charged = {"o1": 10.0, "o2": 20.0, "o4": last}
        record_orders(
            archive, owner, *(order_json(name, freight=each, status="CONCLUDED") for name, each in charged.items())
        )
        business.run(archive, owner, linked=linked, found=(a_finding("R3", "o1", keys=(key(1),)),))
    return workspace


def _owner(archive: Archive) -> Account:
    with archive.reading() as transaction:
        return accounts.named(transaction, ACCOUNT)


def _told(workspace: Workspace, order: str = "o1") -> Difference | None:
    with closing(OpenArchive(workspace)) as opened:
        sides = queries.side_by_side_of(opened, ACCOUNT, order_id=order)
    return next((entry for entry in sides.differences if entry.field.id == "Freight by CT-e"), None)


@pytest.fixture
def folder(bare: Path, tmp_path: Path) -> Path:
    return copied(bare, tmp_path / "bare").home.root


def test_a_shared_freight_is_held_against_all_of_its_orders(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    workspace = _made(folder, freight(9, total="60.00", carries=CARTED, sender=EMITTER))
    told = _told(workspace)
    assert told is not None
    assert (told.order_value, told.paper_value, told.agrees) == ("R$ 60,00", "R$ 60,00", True)
    assert told.note is not None and all(name in str(told.note) for name in ("CT-e 1/9", "o1", "o2", "o4"))
    with closing(OpenArchive(workspace)) as opened:
        number = queries.findings(opened, FindingQuery(ACCOUNT))[0].id
    arguments = ["findings", "show", str(number), "--lang", "en", "--home", str(workspace.home.root)]
    assert run(arguments) == 0
    assert "Freight by CT-e: CT-e 1/9: the freight of several orders together" in capsys.readouterr().out
    assert run([*arguments, "--json"]) == 0
    [line] = [
        entry for entry in json.loads(capsys.readouterr().out)["differences"] if entry["field"] == "Freight by CT-e"
    ]
    assert (line["agrees"], line["note"]) == (True, str(told.note))


def test_a_difference_is_that_of_all_together(folder: Path) -> None:
    told = _told(_made(folder, freight(9, total="75.00", carries=CARTED, sender=EMITTER)))
    assert told is not None
    assert (told.order_value, told.paper_value, told.agrees) == ("R$ 60,00", "R$ 75,00", False)


def test_cte_that_share_an_order_and_their_complements_are_told_together(folder: Path) -> None:
    workspace = _made(
        folder,
        freight(8, total="5.00", carries=(key(4),), sender=EMITTER),
        freight(9, total="50.00", carries=CARTED[:2], sender=EMITTER),
        freight(7, total="5.00", complements=freight_key(9), sender=EMITTER),
        linked=Linked((*LINKED.links, a_link("o2", 4)), ()),
    )
    told = _told(workspace)
    assert told is not None
    assert (told.order_value, told.paper_value, told.agrees) == ("R$ 60,00", "R$ 60,00", True)
    assert all(name in str(told.note) for name in ("CT-e 1/7", "CT-e 1/8", "CT-e 1/9"))


def test_one_order_alone_needs_no_word(folder: Path) -> None:
    told = _told(_made(folder, freight(9, total="12.00", carries=CARTED[:1], sender=EMITTER)))
    assert told is not None
    assert (told.order_value, told.paper_value, told.agrees, told.note) == ("R$ 10,00", "R$ 12,00", False, None)


@pytest.mark.parametrize(
    ("carried", "last", "reason"),
    [
        ((*CARTED, key(77)), 30.0, Reason.CARRIED_NOT_HERE),
        ((*CARTED, key(3)), 30.0, Reason.NO_ORDER),
        (CARTED, None, Reason.NO_FREIGHT),
    ],
)
def test_what_is_not_known_whole_is_not_said_to_differ(
    folder: Path, carried: tuple[str, ...], last: float | None, reason: Reason
) -> None:
    told = _told(_made(folder, freight(9, total="75.00", carries=carried, sender=EMITTER), last=last))
    assert told is not None
    assert (told.order_value, told.paper_value, told.agrees) == ("", "R$ 75,00", True)
    assert str(told.note) == f"Not compared: {reason.value}"


@pytest.mark.parametrize(("mode", "agrees"), [("0", True), ("1", False)])
def test_an_order_with_a_note_that_waits_for_its_cte_is_not_said_to_differ(
    folder: Path, mode: str, agrees: bool
) -> None:
    workspace = _made(
        folder,
        freight(9, total="6.00", carries=CARTED[:1], sender=EMITTER),
        linked=Linked((a_link("o1", 1), a_link("o1", 2), _by_freight("o1", 9)), ()),
    )
    with closing(sqlite3.connect(workspace.home.archive)) as archive, archive:
        archive.execute("UPDATE document SET freight_mode = ? WHERE access_key = ?", (mode, key(2)))
    told = _told(workspace)
    assert told is not None
    assert (told.agrees, str(told.note)) == (
        agrees,
        f"Not compared: {Reason.FREIGHT_AWAITED.value}" if agrees else "None",
    )


def test_a_difference_says_nothing_where_the_list_has_a_gap(folder: Path) -> None:
    """Another CT-e or complement may be in it: R10 leaves the group unchecked for the same reason."""
    cte = freight(9, total="75.00", carries=CARTED, sender=EMITTER)
    told = _told(_made(folder, cte, is_listed=False))
    assert told is not None
    assert (told.order_value, told.paper_value, told.agrees) == ("", "R$ 75,00", True)
    assert str(told.note) == f"Not compared: {Reason.DOCUMENTS_NOT_LISTED.value}"


def test_what_agrees_does_so_whatever_was_listed(folder: Path) -> None:
    told = _told(_made(folder, freight(9, total="60.00", carries=CARTED, sender=EMITTER), is_listed=False))
    assert told is not None
    assert (told.order_value, told.paper_value, told.agrees) == ("R$ 60,00", "R$ 60,00", True)


def test_a_difference_says_nothing_where_an_order_is_tied(folder: Path) -> None:
    tie = Tie(("o2", "o3"), (key(3), key(5)), LinkKind.SCORED, message("they are alike"))
    cte = freight(9, total="75.00", carries=CARTED, sender=EMITTER)
    told = _told(_made(folder, cte, linked=Linked(LINKED.links, (tie,))))
    assert told is not None
    assert (told.order_value, told.agrees, str(told.note)) == ("", True, f"Not compared: {Reason.TIE.value}")


def test_what_others_pay_or_has_no_effect_is_no_freight_of_the_order(folder: Path) -> None:
    workspace = _made(
        folder, freight(9, total="75.00", carries=CARTED), freight(8, cstat="110", carries=CARTED, sender=EMITTER)
    )
    assert _told(workspace) is None


def test_a_cte_that_names_no_note_is_held_against_the_order_that_it_is_linked_to(folder: Path) -> None:
    told = _told(_made(folder, freight(9, total="10.00", carries=(), sender=EMITTER)))
    assert told is not None
    assert (told.order_value, told.paper_value, told.agrees) == ("R$ 10,00", "R$ 10,00", True)
