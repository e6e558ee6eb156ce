"""Records of which nothing was understood, and events without a file: named while they are so, and no longer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from confere.archive.accounts import accounts
from confere.archive.hub import download_queue, unreadable_records
from confere.archive.hub.events_without_file import events_without_file
from confere.archive.hub.hub_records import HubRecord
from confere.archive.store import Archive
from confere.archive.vault import wrapped_contents
from confere.archive.vault.wrapped_contents import Wrapped
from confere.errors import message
from confere.sales.hub_document import HubItem
from tests.archive.hub.test_hub_records import account as account
from tests.archive.hub.test_hub_records import observe, open_items, record
from tests.archive.hub_documents import history
from tests.archive.papers import cancellation, key, note, store


def problems(archive: Archive, account: accounts.Account) -> list[str]:
    with archive.reading() as transaction:
        found = unreadable_records.records(transaction, account.id)
        assert len(found) == unreadable_records.count(transaction, account.id)
    return [entry.name for entry in found]


def bare(number: int, **changes: Any) -> HubRecord:
    """A record of the specification's list: history, no files."""
    return record(number, **{"items": (), "complete": False, "history": history("AUTHORIZED"), **changes})


def close_details(archive: Archive, account: accounts.Account) -> None:
    with archive.writing() as transaction:
        asked = [
            e
            for e in download_queue.open_items(transaction, account.id, 0, 100)
            if e.kind == download_queue.DETAIL_KIND
        ]
        download_queue.mark_asked(transaction, asked)


def test_a_record_is_asked_whole_before_it_is_judged(archive: Archive, account: accounts.Account) -> None:
    observe(archive, account, bare(1))
    assert problems(archive, account) == []
    assert open_items(archive, account) == [("fd-1", "detail")]
    observe(archive, account, bare(1, asked_of=1))
    assert problems(archive, account) == [key(1)]
    observe(archive, account, record(1, asked_of=1))
    assert problems(archive, account) == []


def test_a_record_without_an_id_is_asked_by_its_key_until_its_id_is_known(
    archive: Archive, account: accounts.Account
) -> None:
    observe(archive, account, bare(1, hub_id=None))
    with archive.reading() as transaction:
        (queued,) = download_queue.open_items(transaction, account.id, 0, 100)
    assert (queued.item_id, queued.access_key, queued.hub_id) == (key(1), key(1), None)
    observe(archive, account, bare(1))
    assert open_items(archive, account) == [("fd-1", "detail")]


def test_a_record_that_nothing_can_be_asked_of_is_named_at_once(archive: Archive, account: accounts.Account) -> None:
    nameless = bare(1, hub_id=None, access_key=None)
    observe(archive, account, nameless)
    assert open_items(archive, account) == []
    with archive.reading() as transaction:
        (entry,) = unreadable_records.called(transaction, nameless.document.identity)
    assert "neither files nor an id" in entry.problem.id


@pytest.mark.parametrize("files", [(), (HubItem("item-1", "AUTHORIZATION"),)])
def test_files_that_are_named_in_no_known_way_count_even_beside_others(
    archive: Archive, account: accounts.Account, files: tuple[HubItem, ...]
) -> None:
    observe(archive, account, bare(1))
    observe(archive, account, bare(1, asked_of=1, items=files, unread=2))
    with archive.reading() as transaction:
        (entry,) = unreadable_records.records(transaction)
    assert entry.problem.params == {"count": 2}
    assert problems(archive, account) == [key(1)]


def test_details_of_what_was_not_understood_can_be_asked_again(archive: Archive, account: accounts.Account) -> None:
    observe(archive, account, bare(1), record(2))
    observe(archive, account, bare(1, asked_of=1))
    close_details(archive, account)
    assert open_items(archive, account) == [("item-2", "AUTHORIZATION")]
    with archive.writing() as transaction:
        download_queue.ask_again(transaction, account.id)
    assert ("fd-1", "detail") in open_items(archive, account)


def test_the_newest_answers_come_oldest_first(archive: Archive, account: accounts.Account) -> None:
    versions = [bare(1), bare(1, asked_of=1), bare(1, cfop="6102")]
    for version in versions:
        observe(archive, account, version)
    with archive.reading() as transaction:
        kept = [archive.vault.get(transaction, content) for _, content in unreadable_records.newest(transaction, [1])]
    assert kept == [versions[1].document.raw, versions[2].document.raw]


@pytest.mark.parametrize(
    ("statuses", "kinds", "without"),
    [
        (("AUTHORIZED", "CANCELLED"), ("AUTHORIZATION", "CANCELLATION"), []),
        (("AUTHORIZED", "CANCELLED"), ("CANCELLATION",), ["AUTHORIZED"]),
        (("AUTHORIZED", "CANCELLED"), ("AUTHORIZATION",), ["CANCELLED"]),
        (("AUTHORIZED", "CORRECTED", "CORRECTED"), ("AUTHORIZATION", "CORRECTION"), ["CORRECTED"]),
        (("AUTHORIZED", "CANCELLED"), (None,), ["CANCELLED"]),
        (("AUTHORIZED",), ("AUTHORIZATION", "COPY"), []),
    ],
)
def test_which_events_have_no_file(
    archive: Archive,
    account: accounts.Account,
    statuses: Iterable[str],
    kinds: Iterable[str | None],
    without: list[str],
) -> None:
    items = tuple(HubItem(f"item-{place}", kind) for place, kind in enumerate(kinds))
    observe(archive, account, bare(1, history=history(*statuses), items=items))
    with archive.reading() as transaction:
        assert events_without_file(transaction) == ()  # its detail is still to come
    close_details(archive, account)
    with archive.reading() as transaction:
        found = events_without_file(transaction, account.id)
    assert [event.status for entry in found for event in entry.events] == without


def test_an_event_that_came_from_elsewhere_is_here(archive: Archive, account: accounts.Account) -> None:
    told = (*history("AUTHORIZED", protocol="135260000000001"), *history("CANCELLED", protocol="135260000009999"))
    observe(archive, account, bare(1, history=told, items=(HubItem("item-1", "AUTHORIZATION"),)))
    close_details(archive, account)
    with archive.reading() as transaction:
        assert len(events_without_file(transaction)) == 1
    store(archive, note(1), cancellation(1))
    with archive.reading() as transaction:
        assert events_without_file(transaction) == ()


def test_a_link_to_a_file_that_is_queued_is_no_event_without_one(archive: Archive, account: accounts.Account) -> None:
    observe(archive, account, record(1), record(2, items=(), history=record(1).document.history))
    with archive.reading() as transaction:
        assert events_without_file(transaction) == ()


def test_what_came_in_something_else_is_kept_once(archive: Archive) -> None:
    (content_id,) = store(archive, note(1))
    for _ in range(2):
        with archive.writing() as transaction:
            wrapped = [Wrapped(content_id, b"around", ("gzip", "json"), "hub:x/1")]
            wrapped_contents.keep(transaction, archive.vault_writer, 1, wrapped)
    with archive.reading() as transaction:
        (found,) = wrapped_contents.of_content(transaction, content_id)
        assert (found.size, found.layers) == (6, ("gzip", "json"))
        assert transaction.scalar("SELECT count(*) FROM content") == 2
        assert wrapped_contents.of_content(transaction, 2) == ()


def test_a_record_of_the_hub_can_be_refused_and_taken_back(archive: Archive, account: accounts.Account) -> None:
    observe(archive, account, record(1))
    with archive.writing() as transaction:
        unreadable_records.refuse(transaction, {1: message("x")})
    assert problems(archive, account) == [key(1)]
    observe(archive, account, record(1))
    assert problems(archive, account) == []
