"""Sync against hubs that say otherwise where a document's files are, or wrap them: all come, or the record is named."""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.hub import download_queue, unreadable_records
from confere.archive.hub.events_without_file import events_without_file
from confere.archive.store import Archive
from confere.archive.vault import wrapped_contents
from confere.hub.documents import documents
from confere.hub.session import HubSession
from confere.intake.documents.document_sync import SyncResult, sync
from confere.intake.documents.sync_request import SyncRequest
from tests.archive.papers import cancellation, key, note
from tests.intake.served import START, serving
from tests.intake.small_hub import SmallHub

COUNT = 7


@pytest.fixture
def hub() -> Iterator[SmallHub]:
    with serving(SmallHub()) as running:
        yield running


@pytest.fixture
def account(archive: Archive, hub: SmallHub) -> Account:
    with archive.writing() as transaction:
        return accounts.add(transaction, name="x", environment="sandbox", address=hub.address, platform="p")


def run(archive: Archive, hub: SmallHub, account: Account, request: SyncRequest | None = None) -> SyncResult:
    hub.asked.clear()
    with HubSession(hub.address, "token-of-a-test", "p", attempts=2) as session:
        result = sync(archive, session, account, request)
        hub.learnt = session.shapes.of(documents.LIST).files
        return result


def contents(archive: Archive) -> set[bytes]:
    """The bytes of everything that was read."""
    with archive.reading() as transaction:
        numbers = [
            row[0]
            for row in transaction.fetch(
                "SELECT content_id FROM document UNION SELECT content_id FROM event ORDER BY 1"
            )
        ]
    return {archive.content(number) for number in numbers}


def cancelled(hub: SmallHub, number: int) -> dict[str, Any]:
    """A note with its cancellation: a record of the specification's shape, files and history."""
    record = hub.add(number, 1)
    hub.cancel(record, 2)
    record["history"] = [
        {"status": status, "date": record["createdAt"], "links": [{"rel": "download", "href": f"/download/{item}"}]}
        for status, item in (("AUTHORIZED", f"n{number}"), ("CANCELLED", f"c{number}"))
    ]
    return record


def elements(hub: SmallHub, write: Callable[[str], dict[str, Any]]) -> None:
    """Rewrite every element of `documents`; the history links to nothing."""
    for record in hub.documents:
        record["documents"] = [
            {"type": entry["type"], **write(entry["path"]["document_item_id"])} for entry in record["documents"]
        ]
        for line in record["history"]:
            del line["links"]


def to_details(hub: SmallHub, *names: str, by: str = "id") -> None:
    """The list keeps nothing of these fields; the detail has them all."""
    for record in hub.documents:
        hub.details[record[by]] = json.loads(json.dumps(record))
        for name in names:
            record.pop(name, None)
        for line in record["history"]:
            line.pop("links", None)


def path_array(hub: SmallHub) -> None:
    elements(hub, lambda item: {"path": [{"document_item_id": item}]})


def path_value(hub: SmallHub) -> None:
    elements(hub, lambda item: {"path": {"value": item}})


def item_id(hub: SmallHub) -> None:
    elements(hub, lambda item: {"xmlFileId": item, "path": "/xml"})


def history_files(hub: SmallHub) -> None:
    for record in hub.documents:
        for line, entry in zip(record["history"], record.pop("documents"), strict=True):
            del line["links"]
            line["documents"] = [entry]


def storage_address(hub: SmallHub) -> None:
    hub.signature = "first"
    address = hub.address.replace("127.0.0.1", "localhost").removesuffix("/v2")
    elements(hub, lambda item: {"path": f"{address}/store/{item}.xml?sig=first"})


def specification(hub: SmallHub) -> None:
    to_details(hub, "documents")


def wrapped_detail(hub: SmallHub) -> None:
    to_details(hub, "documents")
    hub.details = {name: {"data": detail} for name, detail in hub.details.items()}


def detail_in_a_list(hub: SmallHub) -> None:
    to_details(hub, "documents")
    hub.details = {name: [detail] for name, detail in hub.details.items()}


def no_ids(hub: SmallHub) -> None:
    to_details(hub, "documents", "id", by="documentKey")


def last_file(hub: SmallHub) -> None:
    to_details(hub)
    for record in hub.documents:
        record["documents"] = record["documents"][-1:]


SHAPES = (
    path_array, path_value, item_id, history_files, storage_address, specification, wrapped_detail, detail_in_a_list,
    no_ids, last_file,
)  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_every_file_comes_wherever_it_is_named(
    archive: Archive, hub: SmallHub, account: Account, shape: Callable[[SmallHub], None]
) -> None:
    for number in range(1, COUNT + 1):
        cancelled(hub, number)
    shape(hub)
    result = run(archive, hub, account)
    assert contents(archive) == {paper(n) for n in range(1, COUNT + 1) for paper in (note, cancellation)}
    assert (result.downloaded, result.failures, result.lacking) == (2 * COUNT, [], False)
    assert (result.conservation.archived, result.conservation.listed) == (COUNT, COUNT)
    details = 0 if shape in (path_array, path_value, item_id, history_files, storage_address) else COUNT
    assert len(hub.asked) <= details + 2 * COUNT + 3
    assert hub.learnt
    quiet = run(archive, hub, account)
    assert (quiet.downloaded, quiet.lacking) == (0, False)
    assert quiet.requests <= 10


def test_a_file_that_is_known_by_another_of_its_ids(archive: Archive, hub: SmallHub, account: Account) -> None:
    for number in range(1, COUNT + 1):
        cancelled(hub, number)
    elements(hub, lambda item: {"path": f"/xml/of-{item}.xml", "checksum": "x", "number": 4, "uid": "no", "id": item})
    result = run(archive, hub, account)
    assert (result.downloaded, result.failures, result.lacking) == (2 * COUNT, [], False)
    assert contents(archive) == {paper(n) for n in range(1, COUNT + 1) for paper in (note, cancellation)}


def test_a_hub_that_answers_a_key_with_another_document(archive: Archive, hub: SmallHub, account: Account) -> None:
    cancelled(hub, 1)
    cancelled(hub, 2)
    no_ids(hub)
    hub.details[key(1)] = hub.details[key(2)]
    result = run(archive, hub, account)
    assert (result.downloaded, result.not_understood, result.failures[0].item_id) == (2, 1, key(1))
    assert contents(archive) == {note(2), cancellation(2)}


def test_an_address_that_expired_is_asked_for_anew(archive: Archive, hub: SmallHub, account: Account) -> None:
    record = cancelled(hub, 1)
    storage_address(hub)
    hub.details["fd-1"] = json.loads(json.dumps(record).replace("sig=first", "sig=second"))
    hub.signature = "second"
    assert run(archive, hub, account).downloaded == 2
    assert contents(archive) == {note(1), cancellation(1)}


def test_the_newest_address_counts_and_the_file_keeps_its_name(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    record = cancelled(hub, 1)
    storage_address(hub)
    hub.signature = "second"
    assert run(archive, hub, account).failed == 2
    hub.documents[0] = json.loads(json.dumps(record).replace("sig=first", "sig=second"))
    result = run(archive, hub, account, SyncRequest(full=True))
    assert (result.downloaded, result.failed, result.already) == (2, 0, 0)
    with archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM download") == 2


def test_what_is_not_understood_is_named_kept_and_understood_later(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    hub.add(1, 1)
    odd = hub.add(
        2, 1, documents=[{"type": "AUTHORIZATION", "shelf": {"row": [4]}}], history=[{"status": "AUTHORIZED"}]
    )
    hub.details["fd-2"] = dict(odd)
    result = run(archive, hub, account)
    assert (result.downloaded, result.failed, result.not_understood, result.lacking) == (1, 0, 1, True)
    assert [(entry.item_id, entry.reason.params) for entry in result.failures] == [(key(2), {"count": 1})]
    assert (result.conservation.archived, result.conservation.refused) == (1, 1)
    with archive.reading() as transaction:
        (unread,) = unreadable_records.records(transaction, account.id)
        raw = [
            archive.vault.get(transaction, c)
            for _, c in unreadable_records.newest(transaction, [unread.hub_document_id])
        ]
    assert [json.loads(text) for text in raw] == [odd, odd]
    again = run(archive, hub, account)
    assert (again.not_understood, again.lacking) == (1, True)
    assert "/v2/fiscalDocuments/fd-2" not in hub.asked  # it has not changed
    hub.details["fd-2"]["documents"] = [{"path": "n2"}]
    healed = run(archive, hub, account, SyncRequest(only_failed=True))
    assert (healed.downloaded, healed.not_understood, healed.lacking) == (1, 0, False)


def test_a_newer_reader_looks_at_what_was_not_understood(
    archive: Archive, hub: SmallHub, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    from confere.hub.documents import file_locations
    from confere.intake.documents import record_rereading

    cancelled(hub, 1)
    path_value(hub)
    to_details(hub, "documents")
    with monkeypatch.context() as older:
        older.setattr(file_locations, "_PLACES", ())
        assert run(archive, hub, account).not_understood == 1
    assert run(archive, hub, account).not_understood == 1
    monkeypatch.setattr(record_rereading, "READER", "newer")
    result = run(archive, hub, account)
    assert (result.downloaded, result.not_understood, result.lacking) == (2, 0, False)


@pytest.mark.parametrize("knows", ["by key", "nothing"])
def test_a_list_without_ids_and_files_names_every_record(
    archive: Archive, hub: SmallHub, account: Account, knows: str
) -> None:
    for number in range(1, COUNT + 1):
        cancelled(hub, number)
    no_ids(hub)
    hub.details = {} if knows == "nothing" else {name: {"documentKey": name} for name in hub.details}
    result = run(archive, hub, account)
    assert (result.downloaded, result.not_understood, result.lacking) == (0, COUNT, True)
    assert {entry.item_id for entry in result.failures} == {key(number) for number in range(1, COUNT + 1)}
    assert result.conservation.refused == COUNT
    assert run(archive, hub, account).requests <= 10


def test_events_without_a_file_are_named(archive: Archive, hub: SmallHub, account: Account) -> None:
    for number in (1, 2):
        record = cancelled(hub, number)
        to_details(hub)
        for answer in (record, hub.details[record["id"]]):
            answer["documents"] = answer["documents"][: 3 - number]
            for line in answer["history"]:
                line.pop("links", None)
    result = run(archive, hub, account)
    assert (result.downloaded, result.without_file, result.newly_without_file) == (3, 1, True)
    assert [(entry.item_id, entry.reason.params) for entry in result.failures] == [(key(2), {"events": "CANCELLED"})]
    with archive.reading() as transaction:
        (lacking,) = events_without_file(transaction)
    assert (lacking.name, [event.status for event in lacking.events]) == (key(2), ["CANCELLED"])
    quiet = run(archive, hub, account)
    assert (quiet.without_file, quiet.newly_without_file, quiet.lacking) == (1, False, False)


def zipped(data: bytes) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("other.xml", note(99))
        archive.writestr("leia-me.txt", "olá")
        archive.writestr("nota.xml", data)
    return target.getvalue()


def in_json(data: bytes) -> bytes:
    return json.dumps({"id": 1, "pdf": "JVBERi0xLjQKJcOkw7zDtsOf", "xml": data.decode()}).encode()


WRAPS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "zip": zipped,
    "base64": base64.encodebytes,
    "json": in_json,
    "json,base64": lambda data: in_json(base64.b64encode(data)),
    "json,base64,gzip": lambda data: in_json(base64.b64encode(gzip.compress(data))),
}


@pytest.mark.parametrize("layers", WRAPS)
def test_a_file_is_taken_out_of_what_is_around_it(
    archive: Archive, hub: SmallHub, account: Account, layers: str
) -> None:
    cancelled(hub, 1)
    hub.files = {name: WRAPS[layers](data) for name, data in hub.files.items() if isinstance(data, bytes)}
    result = run(archive, hub, account)
    assert contents(archive) == {note(1), cancellation(1)}
    assert (result.downloaded, result.lacking) == (2, False)
    with archive.reading() as transaction:
        number = transaction.scalar("SELECT content_id FROM document WHERE access_key = ?", (key(1),))
        (wrapping,) = wrapped_contents.of_content(transaction, number)
        assert transaction.scalar("SELECT count(*) FROM content WHERE problem IS NOT NULL") == 0
    received = hub.files["n1"]
    assert isinstance(received, bytes)
    assert (wrapping.layers, wrapping.size) == (tuple(layers.split(",")), len(received))
    assert wrapping.sha256 == hashlib.sha256(received).hexdigest()


def test_a_file_of_another_document_is_kept_named_and_closes_nothing(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    for number in (1, 2, 3):
        cancelled(hub, number)
    hub.files["n1"] = note(9)
    hub.files["c2"] = gzip.compress(cancellation(8))
    hub.files["n3"] = b"<Error><Code>AccessDenied</Code></Error>"
    result = run(archive, hub, account)
    assert (result.downloaded, result.failed, result.lacking) == (3, 3, True)
    reasons = {entry.item_id: entry.reason.params for entry in result.failures}
    assert reasons == {
        "n1": {"found": key(9), "wanted": key(1)},
        "c2": {"found": key(8), "wanted": key(2)},
        "n3": {"root": "Error"},
    }
    assert note(9) in contents(archive)
    hub.files |= {"n1": note(1), "c2": cancellation(2), "n3": note(3)}
    assert run(archive, hub, account).downloaded == 3
    with archive.reading() as transaction:
        assert not download_queue.failures(transaction, account.id)


def test_a_record_without_a_key_takes_what_comes(archive: Archive, hub: SmallHub, account: Account) -> None:
    record = hub.add(1, 1)
    del record["documentKey"]
    assert run(archive, hub, account).downloaded == 1
    assert contents(archive) == {note(1)}


def test_a_detail_is_asked_again_only_when_its_record_changed(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    for number in range(1, COUNT + 1):
        cancelled(hub, number)
    specification(hub)
    run(archive, hub, account)
    hub.now += timedelta(days=1)
    hub.documents[0]["lastUpdate"] = (START + timedelta(days=100)).isoformat()
    run(archive, hub, account)
    assert [path for path in hub.asked if path.rpartition("/")[2].startswith("fd-")] == ["/v2/fiscalDocuments/fd-1"]
