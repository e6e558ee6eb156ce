"""A package says what its month lacks: never listed, not downloaded, not offered, not readable, without a date."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account, Establishment
from confere.archive.clock import from_text
from confere.archive.documents import recorder
from confere.archive.hub import coverage, download_queue, hub_records
from confere.archive.hub.hub_records import HubRecord
from confere.archive.store import Archive
from confere.archive.vault.vault import Blob, digest_of
from confere.errors import Message
from confere.export.months import month_of
from confere.export.package.missing import Completeness, completeness_of
from confere.export.package.package import export_package
from confere.export.package.request import PackageOptions, PackageRequest
from confere.fiscal.reading.document import read
from confere.sales.hub_document import HubItem
from tests.archive.hub_documents import hub_document
from tests.export.made import CARRIER, COMPANY, MONTH, OTHER, event, key, manifest_of, note, store

SEEN = "2026-10-05T13:00:00.000+00:00"
FROM, TO = "2026-10-01T03:00:00.000+00:00", "2026-11-01T02:59:59.999+00:00"


@pytest.fixture
def account(archive: Archive) -> Account:
    with archive.writing() as transaction:
        return accounts.add(
            transaction, name="loja", environment="sandbox", address="http://127.0.0.1:1/v2", platform="x",
            establishments=(Establishment(COMPANY), Establishment(OTHER)),
        )  # fmt: skip


def cover(
    archive: Archive, account: Account, from_at: str, to_at: str, *, axis: str = "created", narrowed: str = ""
) -> None:
    with archive.writing() as transaction:
        window = coverage.begin(
            transaction, account.id, 1, axis=axis, from_at=from_at, to_at=to_at, narrowed=narrowed, method="window"
        )
        coverage.finish(transaction, window.id)


def list_(archive: Archive, account: Account, number: int, access_key: str | None, **changes: Any) -> None:
    document = hub_document(
        f"fd-{number}", access_key, created_at=from_text(SEEN), items=(HubItem(f"item-{number}", None),),
        raw=b'{"n": %d}' % number,
    )  # fmt: skip
    with archive.writing() as transaction:
        hub_records.observe(transaction, archive.vault_writer, account.id, 1, [HubRecord(replace(document, **changes))])


def download(archive: Archive, account: Account, *outcomes: bytes | str | tuple[bytes, str]) -> None:
    """Finish the open downloads in their order: bytes were received, a text says why it failed, a pair is both."""
    with archive.writing() as transaction:
        for queued, outcome in zip(download_queue.open_items(transaction, account.id, 0, 100), outcomes, strict=False):
            if isinstance(outcome, str):
                download_queue.mark_failed(transaction, [(queued.id, Message(outcome), None)])
                continue
            data, why = outcome if isinstance(outcome, tuple) else (outcome, None)
            blob = Blob(data, digest_of(data), problem="this is not XML")
            content_id = recorder.record(
                transaction, archive.vault_writer, [recorder.NewPaper(blob, None)]
            ).content_ids[0]
            if why is None:
                download_queue.mark_done(transaction, [(queued.id, content_id)])
            else:
                download_queue.mark_failed(transaction, [(queued.id, Message(why), content_id)])


def known(archive: Archive, company: str = COMPANY) -> Completeness:
    return completeness_of(archive, company, month_of(MONTH))


def kinds(archive: Archive, company: str = COMPANY) -> dict[str, int]:
    return {entry.kind: entry.count for entry in known(archive, company).missing}


def test_without_an_account_nothing_is_claimed(archive: Archive) -> None:
    store(archive, note(1))
    assert known(archive) == Completeness((), ())


def test_an_account_that_holds_other_companies_is_not_asked(archive: Archive, account: Account) -> None:
    assert known(archive, CARRIER) == Completeness((), ())
    assert kinds(archive, OTHER) == {"not_listed": 1}


@pytest.mark.parametrize(
    ("spans", "whole"),
    [
        ([], False),
        ([(FROM, TO)], True),
        ([("1970-01-01T00:00:00.000+00:00", "2026-11-02T00:00:00.000+00:00")], True),
        ([(FROM, "2026-10-15T00:00:00.000+00:00"), ("2026-10-14T00:00:00.000+00:00", TO)], True),
        ([(FROM, "2026-10-15T00:00:00.000+00:00"), ("2026-10-16T00:00:00.000+00:00", TO)], False),
        ([(FROM, "2026-11-01T02:00:00.000+00:00")], False),
        ([("2026-10-02T00:00:00.000+00:00", TO)], False),
    ],
)
def test_a_month_is_whole_when_it_was_listed_from_end_to_end(
    archive: Archive, account: Account, spans: list[tuple[str, str]], whole: bool
) -> None:
    for from_at, to_at in spans:
        cover(archive, account, from_at, to_at)
    found = known(archive)
    assert [entry.kind for entry in found.missing] == ([] if whole else ["not_listed"])
    assert found.listed[0].whole is whole
    assert found.listed[0].created_until == (max(to_at for _, to_at in spans) if spans else None)
    if not whole:
        assert "loja" in str(found.missing[0].what) and "sync" in str(found.missing[0].remedy)


def test_narrowed_and_changed_listings_prove_nothing_about_new_documents(archive: Archive, account: Account) -> None:
    cover(archive, account, FROM, TO, narrowed='{"marketplace":"X"}')
    cover(archive, account, FROM, TO, axis="updated")
    assert kinds(archive) == {"not_listed": 1}
    assert known(archive).listed[0].changed_until == TO


def test_what_was_listed_and_is_not_here_is_told_apart(archive: Archive, account: Account) -> None:
    cover(archive, account, FROM, TO)
    list_(archive, account, 1, key(1))  # will stay unreadable
    list_(archive, account, 2, key(2))  # fails
    list_(archive, account, 3, key(3))  # waits
    list_(archive, account, 4, key(4), items=())  # no file at the hub
    list_(archive, account, 5, key(5), items=())  # imported from elsewhere
    store(archive, note(5))
    download(archive, account, b"<html>", "500: sorry")
    found = {entry.kind: entry for entry in known(archive).missing}
    assert {kind: entry.count for kind, entry in found.items()} == {
        "not_downloaded": 2,
        "not_offered": 1,
        "unreadable": 1,
    }
    assert found["not_downloaded"].names == (key(2), key(3))
    assert found["not_downloaded"].reasons == ("500: sorry", "")
    assert found["not_offered"].names == (key(4),)
    assert found["unreadable"].names == (key(1),) and found["unreadable"].reasons == ("this is not XML",)


def test_what_came_broken_is_unreadable_while_it_is_asked_for_again(archive: Archive, account: Account) -> None:
    cover(archive, account, FROM, TO)
    list_(archive, account, 1, key(1))
    list_(archive, account, 2, key(2))
    download(archive, account, (b"<nfeProc>", "broken at the hub"), "500: sorry")
    found = {entry.kind: (entry.names, entry.reasons) for entry in known(archive).missing}
    assert found == {
        "unreadable": ((key(1),), ("this is not XML",)),
        "not_downloaded": ((key(2),), ("500: sorry",)),
    }


AUTHORIZED, CANCELLED, UNNAMED = ("a", "AUTHORIZATION"), ("c", "CANCELLATION"), ("u", None)


@pytest.mark.parametrize(
    ("items", "lacks"),
    [
        ([AUTHORIZED], False),
        ([("a", "authorized")], False),
        ([UNNAMED], False),
        ([("n", "NFE")], False),  # no more than the record's own type
        ([CANCELLED], True),
        ([AUTHORIZED, CANCELLED], True),
        ([UNNAMED, CANCELLED], True),  # which of them is the document nobody says: it takes more than one to be sure
        ([UNNAMED, ("v", None)], True),
    ],
)
@pytest.mark.parametrize("broken", [False, True])
def test_a_document_that_came_from_elsewhere_does_not_lack(
    archive: Archive, account: Account, items: list[tuple[str, str | None]], lacks: bool, broken: bool
) -> None:
    cover(archive, account, FROM, TO)
    list_(archive, account, 1, key(1), items=tuple(HubItem(item, kind) for item, kind in items))
    download(archive, account, *((f"<{item}>".encode(), "broken") if broken else "503: busy" for item, _ in items))
    kind = "unreadable" if broken else "not_downloaded"
    assert kinds(archive) == {kind: len(items)}
    store(archive, note(2))
    assert kinds(archive) == {kind: len(items)}, "another document was taken for this one"
    store(archive, note(1, cstat=None))
    assert kinds(archive) == {kind: len(items)}, "a document that proves no authorization was taken for it"
    store(archive, note(1))
    assert kinds(archive) == ({kind: len([item for item in items if item != AUTHORIZED])} if lacks else {})


def test_an_event_that_stays_away_is_told_though_the_hub_gave_its_document(archive: Archive, account: Account) -> None:
    cover(archive, account, FROM, TO)
    list_(archive, account, 1, key(1), items=(HubItem(*UNNAMED), HubItem("v", None)))
    with archive.writing() as transaction:
        first = download_queue.open_items(transaction, account.id, 0, 1)[0]
        blob = Blob(note(1), digest_of(note(1)))
        recorded = recorder.record(transaction, archive.vault_writer, [recorder.NewPaper(blob, read(note(1)))])
        download_queue.mark_done(transaction, [(first.id, recorded.content_ids[0])])
    assert kinds(archive) == {"not_downloaded": 1}


def test_a_record_that_is_still_to_be_asked_for_its_files_lacks(archive: Archive, account: Account) -> None:
    cover(archive, account, FROM, TO)
    list_(archive, account, 1, key(1), complete=False)
    store(archive, note(1))
    assert kinds(archive) == {"not_downloaded": 2}  # the record itself, and the file that may not be its only one
    with archive.writing() as transaction:
        transaction.execute("UPDATE download SET state = 'done' WHERE kind = 'detail'")
    assert kinds(archive) == {}


def test_whose_month_and_company_a_listed_document_is(archive: Archive, account: Account) -> None:
    cover(archive, account, FROM, TO)
    list_(archive, account, 1, key(1, month="2026-09"))  # another month's
    list_(archive, account, 2, key(2, emitter=OTHER))  # the other establishment's own
    list_(archive, account, 3, key(3, emitter=CARRIER, model="57"))  # may be for either
    list_(archive, account, 4, None)  # no key: the record's own time
    list_(archive, account, 5, None, created_at=from_text("2026-11-01T03:00:00.000+00:00"))
    list_(archive, account, 6, "12345", created_at=from_text("2026-11-01T02:59:59.000+00:00"))
    assert kinds(archive) == {"not_downloaded": 3}
    assert known(archive).missing[0].names == (key(3, emitter=CARRIER, model="57"), "fd-4", "12345")
    assert kinds(archive, OTHER) == {"not_downloaded": 4}


def test_events_without_their_document_and_documents_without_a_date(archive: Archive) -> None:
    store(archive, event(key(1)), event(key(2, month="2026-09")), event(key(3, emitter=OTHER)), note(4))
    undated = note(5).replace(b"2026-10-05T10:00:00-03:00", b"ontem")
    store(archive, undated)
    found = {entry.kind: entry for entry in known(archive).missing}
    assert {kind: (entry.count, entry.names) for kind, entry in found.items()} == {
        "document_of_event": (1, (key(1),)),
        "undated": (1, ()),
    }


def test_the_package_and_its_manifest_say_it(archive: Archive, account: Account, out: Path) -> None:
    store(archive, note(1))
    list_(archive, account, 2, key(2))
    download(archive, account, "503: busy")
    result = export_package(archive, PackageRequest(COMPANY, out, PackageOptions(MONTH)))
    assert [entry.kind for entry in result.contents.missing] == ["not_listed", "not_downloaded"]
    told = manifest_of(result.contents.paths[0])
    assert [entry["kind"] for entry in told["missing"]] == ["not_listed", "not_downloaded"]
    assert told["missing"][1]["first"] == [{"name": key(2), "reason": "503: busy"}]
    assert told["missing"][1]["what"].startswith("Listed by the hub of account loja and not downloaded yet: 1")
    assert told["listed"] == [{"account": "loja", "created_until": None, "changed_until": None, "whole": False}]


def test_many_that_lack_are_counted_and_the_first_named(archive: Archive, account: Account) -> None:
    cover(archive, account, FROM, TO)
    for number in range(130):
        list_(archive, account, number, key(number))
    (entry,) = known(archive).missing
    assert entry.count == 130 and len(entry.names) == 100
