"""Documents of the last days are listed again once a day: silent events are noticed, and what is gone is marked."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from confere.archive.accounts import accounts, preferences
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.preferences import Preferences
from confere.archive.documents import documents
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.hub import coverage
from confere.archive.hub import no_longer_listed as archived_unlisted
from confere.archive.store import Archive
from confere.hub.session import HubSession
from confere.intake.documents.document_sync import SyncResult, sync
from confere.intake.documents.sync_request import SyncRequest
from tests.archive.papers import cancellation, key
from tests.intake.served import serving
from tests.intake.small_hub import SmallHub


@pytest.fixture
def hub() -> Iterator[SmallHub]:
    with serving(SmallHub()) as running:
        for number in range(1, 96):
            running.add(number, number)
        yield running


@pytest.fixture
def account(archive: Archive, hub: SmallHub) -> Account:
    with archive.writing() as transaction:
        return accounts.add(transaction, name="x", environment="sandbox", address=hub.address, platform="p")


def run(archive: Archive, hub: SmallHub, account: Account, request: SyncRequest | None = None) -> SyncResult:
    with HubSession(hub.address, "token-of-a-test", "p", attempts=2) as session:
        return sync(archive, session, account, request)


def a_day_later(archive: Archive) -> None:
    """What was listed until now was listed a day ago."""
    with archive.writing() as transaction:
        transaction.execute(
            "UPDATE coverage SET finished_at = strftime('%Y-%m-%dT%H:%M:%S.000+00:00', finished_at, '-1 day')"
        )


def unlisted(archive: Archive) -> dict[str, str]:
    with archive.reading() as transaction:
        found = [row for row in documents.walk(transaction, DocumentQuery()) if row.gone_since]
        chosen = documents.ids(transaction, DocumentQuery(gone=True))
        others = documents.ids(transaction, DocumentQuery(gone=False))
        assert sorted(chosen) == sorted(row.id for row in found)
        assert len(others) + len(chosen) == len(documents.ids(transaction, DocumentQuery()))
        assert archived_unlisted.count(transaction, 1) == len(found)
        return {str(row.access_key): str(row.gone_since) for row in found}


def methods(archive: Archive) -> list[str]:
    with archive.reading() as transaction:
        return [row[0] for row in transaction.fetch("SELECT method FROM coverage ORDER BY id")]


def test_an_event_that_moves_nothing_is_noticed_and_a_quiet_sync_stays_small(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    run(archive, hub, account)
    silent = hub.documents[60]
    silent["documents"].append({"type": "CANCELLATION", "path": {"document_item_id": "c61"}})
    hub.files["c61"] = cancellation(61)

    quiet = run(archive, hub, account)
    assert (quiet.listed < 10, quiet.downloaded, quiet.requests <= 10) == (True, 0, True)
    a_day_later(archive)
    found = run(archive, hub, account)
    assert (found.updated, found.downloaded, found.requests <= 10) == (1, 1, True)
    assert 40 <= found.listed < 60
    assert methods(archive)[-2:] == [coverage.RELIST, coverage.WINDOW]
    again = run(archive, hub, account)
    assert methods(archive)[-2:] == [coverage.WINDOW, coverage.WINDOW]
    assert (again.updated, again.listed < 10) == (0, True)


def test_what_is_gone_is_kept_and_marked_and_comes_back(archive: Archive, hub: SmallHub, account: Account) -> None:
    run(archive, hub, account)
    lost = [hub.documents.pop(80), hub.documents.pop(10)]  # of the last days, and before them
    a_day_later(archive)
    assert run(archive, hub, account).gone == 1
    assert list(unlisted(archive)) == [key(81)]
    a_day_later(archive)
    since = unlisted(archive)[key(81)]
    assert run(archive, hub, account).gone == 0
    assert unlisted(archive) == {key(81): since}

    assert run(archive, hub, account, SyncRequest(full=True)).gone == 1
    assert set(unlisted(archive)) == {key(11), key(81)}
    hub.documents += lost
    assert run(archive, hub, account, SyncRequest(full=True)).gone == 0
    assert unlisted(archive) == {}
    with archive.reading() as transaction:
        assert documents.summary(transaction, DocumentQuery()).count == 95


def test_the_newest_document_may_be_the_one_that_is_gone(archive: Archive, hub: SmallHub, account: Account) -> None:
    run(archive, hub, account)
    hub.documents.pop()
    a_day_later(archive)
    assert run(archive, hub, account).gone == 1
    assert list(unlisted(archive)) == [key(95)]
    a_day_later(archive)
    after = run(archive, hub, account)
    assert (after.date_filter, after.gone, after.listed < 60) == ("honoured", 0, True)


@pytest.mark.parametrize("dates", ["ignores", "misreads"])
def test_without_a_date_filter_only_what_nothing_shows_is_gone(
    archive: Archive, hub: SmallHub, account: Account, dates: str
) -> None:
    run(archive, hub, account)
    hub.dates = dates
    a_day_later(archive)
    assert run(archive, hub, account).gone == 0
    hub.documents.pop(80)
    assert run(archive, hub, account).gone == 1
    assert list(unlisted(archive)) == [key(81)]


def test_a_hub_that_compares_dates_elsewhere_loses_nothing(archive: Archive, hub: SmallHub, account: Account) -> None:
    run(archive, hub, account)
    hub.zone = timedelta(hours=20)
    a_day_later(archive)
    assert run(archive, hub, account).gone == 0


def test_what_proves_nothing_marks_nothing(archive: Archive, hub: SmallHub, account: Account) -> None:
    run(archive, hub, account)
    every = list(hub.documents)
    del hub.documents[5:90]
    run(archive, hub, account, SyncRequest(type="nfe"))
    run(archive, hub, account, SyncRequest(order_id="7"))
    assert unlisted(archive) == {}
    hub.documents.append("no record")  # type: ignore[arg-type]  # which may be one of those that lack
    run(archive, hub, account, SyncRequest(full=True))
    assert unlisted(archive) == {}
    hub.documents = every
    with archive.writing() as transaction:
        preferences.set(transaction, account.id, Preferences(relist_documents_days=0))
    a_day_later(archive)
    run(archive, hub, account)
    assert (unlisted(archive), coverage.RELIST in methods(archive)) == ({}, False)


def test_a_document_that_is_listed_under_another_id_is_not_gone(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    run(archive, hub, account)
    hub.documents[80]["id"] = "other-id"
    hub.documents.append({**hub.documents[70], "id": "twice"})
    assert run(archive, hub, account, SyncRequest(full=True)).gone == 0
    assert unlisted(archive) == {}
    del hub.documents[80]
    assert run(archive, hub, account, SyncRequest(full=True)).gone == 1
    assert list(unlisted(archive)) == [key(81)]


def test_a_record_without_id_and_key_is_never_called_gone(archive: Archive, hub: SmallHub, account: Account) -> None:
    nameless = {"createdAt": hub.documents[94]["createdAt"], "lastUpdate": hub.documents[94]["lastUpdate"]}
    hub.documents.append({**nameless, "note": "one"})
    run(archive, hub, account)
    hub.documents[-1] = {**nameless, "note": "another"}
    assert run(archive, hub, account, SyncRequest(full=True)).gone == 0
    assert unlisted(archive) == {}


def test_much_that_is_missing_at_once_is_gone_when_two_listings_agree(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    run(archive, hub, account)
    everything, hub.documents = hub.documents, hub.documents[::2]
    assert run(archive, hub, account, SyncRequest(full=True)).gone == 0  # it may lag behind itself
    hub.documents = everything[1:]
    assert run(archive, hub, account, SyncRequest(full=True)).gone == 1
    hub.documents = everything[::2]
    assert run(archive, hub, account, SyncRequest(full=True)).gone == 0
    assert run(archive, hub, account, SyncRequest(full=True)).gone == 47
    hub.documents = everything
    assert run(archive, hub, account, SyncRequest(full=True)).gone == 0
    assert unlisted(archive) == {}
