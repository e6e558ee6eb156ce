"""What an account's owner wants: kept, told in the audit trail, and refused where it makes no sense."""

from __future__ import annotations

from dataclasses import replace

import pytest

from confere.archive.accounts import audit, preferences
from confere.archive.accounts.preferences import Preferences
from confere.archive.store import Archive
from confere.errors import NotInArchive, UsageFault
from confere.sales.terms import Terms
from tests.archive.listed import add_accounts

WANTED = Preferences(
    terms=Terms(tolerance=5, freight_by_cte=False, visible_series=("11222333000181/55/1",)),
    mark_feed=True,
    mapping={"Nº do pedido": "id"},
    relist_days=30,
)


@pytest.fixture(autouse=True)
def accounts_of_it(archive: Archive) -> None:
    add_accounts(archive)


def get(archive: Archive, account_id: int = 1) -> Preferences:
    with archive.reading() as transaction:
        return preferences.get(transaction, account_id)


def put(archive: Archive, wanted: Preferences, account_id: int = 1) -> None:
    with archive.writing() as transaction:
        preferences.set(transaction, account_id, wanted)


def test_what_was_never_set_is_the_programs_own(archive: Archive) -> None:
    assert get(archive) == Preferences()
    assert not get(archive).mark_feed


def test_what_is_set_stays_and_is_the_accounts_alone(archive: Archive) -> None:
    put(archive, WANTED)
    assert get(archive) == WANTED
    assert get(archive, 2) == Preferences()
    put(archive, Preferences())
    assert get(archive) == Preferences()


def test_only_what_changes_is_told(archive: Archive) -> None:
    put(archive, Preferences())
    put(archive, WANTED)
    put(archive, WANTED)
    put(archive, replace(WANTED, mark_feed=False))
    with archive.reading() as transaction:
        told = [line.detail for line in audit.lines(transaction) if line.action == "account preferences"]
    assert told[0] == "mark_feed: true > false"
    assert len(told) == 2
    assert "tolerance: 1 > 5" in (told[1] or "")
    assert "standing_days" not in (told[1] or "")


def test_what_a_newer_program_kept_does_not_hinder(archive: Archive) -> None:
    with archive.writing() as transaction:
        kept = '{"terms": {"tolerance": 7, "moon": 1}, "later": true}'
        transaction.execute("UPDATE account SET preferences = ? WHERE id = 1", (kept,))
    assert get(archive) == Preferences(terms=Terms(tolerance=7))


@pytest.mark.parametrize(
    "wanted",
    [
        Preferences(terms=Terms(tolerance=-1)),
        Preferences(terms=Terms(invoice_after_hours=10**6)),
        Preferences(terms=Terms(scored_days=366)),
        Preferences(relist_days=-1),
        Preferences(terms=Terms(visible_series=("11222333000181/57/1",))),
        Preferences(mapping={" ": "id"}),
        Preferences(mapping={"Pedido": ""}),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(archive: Archive, wanted: Preferences) -> None:
    with pytest.raises(UsageFault):
        put(archive, wanted)
    assert get(archive) == Preferences()


def test_an_account_that_is_not_there(archive: Archive) -> None:
    with pytest.raises(NotInArchive):
        put(archive, WANTED, 9)
