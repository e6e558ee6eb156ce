"""Sync against a hub that misreads, ignores, moves and changes: nothing is missed, nothing is claimed in vain."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.documents import details, documents
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.hub import coverage, download_queue
from confere.archive.store import Archive
from confere.errors import ArchiveCorrupt, HubError
from confere.hub.session import HubSession
from confere.intake.documents.document_sync import SyncResult, sync
from confere.intake.documents.sync_request import SyncRequest
from confere.intake.files.file_import import import_files
from confere.system.processes.cancellation import Stop
from tests.archive.papers import key, note
from tests.intake.served import START, Answer, serving
from tests.intake.small_hub import SmallHub


@pytest.fixture
def hub() -> Iterator[SmallHub]:
    with serving(SmallHub()) as running:
        yield running


@pytest.fixture
def account(archive: Archive, hub: SmallHub) -> Account:
    with archive.writing() as transaction:
        return accounts.add(transaction, name="x", environment="sandbox", address=hub.address, platform="p")


def run(
    archive: Archive, hub: SmallHub, account: Account, request: SyncRequest | None = None, stop: Stop | None = None
) -> SyncResult:
    with HubSession(hub.address, "token-of-a-test", "p", attempts=2) as session:
        return sync(archive, session, account, request, stop=stop)


def held(archive: Archive, **query: str) -> int:
    with archive.reading() as transaction:
        return documents.summary(transaction, DocumentQuery(**query)).count  # type: ignore[arg-type]


def covered(archive: Archive, account: Account, axis: str) -> list[tuple[str, str]]:
    with archive.reading() as transaction:
        return [(span.from_at[:10], span.to_at[:10]) for span in coverage.covered(transaction, account.id, axis)]


def test_days_asked_of_a_hub_that_ignores_dates_claim_those_days_only(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    hub.dates = "ignores"
    for number in range(1, 31):
        hub.add(number, number)
    request = SyncRequest(from_at=START + timedelta(days=10), to_at=START + timedelta(days=20))
    result = run(archive, hub, account, request)
    assert (result.date_filter, held(archive)) == ("ignored", 10)
    assert covered(archive, account, coverage.CREATED) == [("2026-01-11", "2026-01-21")]
    assert covered(archive, account, coverage.UPDATED) == []
    run(archive, hub, account)
    assert held(archive) == 30


@pytest.mark.parametrize("trouble", ["misreads", "zone", "clock"])
def test_an_answer_without_what_must_be_in_it_is_not_believed(
    archive: Archive, hub: SmallHub, account: Account, trouble: str
) -> None:
    hub.add(1, 10)
    if trouble == "clock":
        hub.now = START + timedelta(days=4000)  # one wrong Date must not end all listing
    run(archive, hub, account)
    hub.now = START + timedelta(days=101)
    if trouble == "misreads":
        hub.dates = "misreads"
    if trouble == "zone":
        hub.zone = timedelta(hours=5)
    for number in range(2, 6):
        hub.add(number, 100)
    result = run(archive, hub, account)
    assert held(archive) == 5
    assert result.date_filter == ("honoured" if trouble == "clock" else "ignored")


def test_days_asked_and_nothing_found_is_looked_into(archive: Archive, hub: SmallHub, account: Account) -> None:
    hub.dates = "misreads"
    hub.add(1, 10)
    request = SyncRequest(from_at=START, to_at=START + timedelta(days=20))
    assert run(archive, hub, account, request).date_filter == "ignored"
    assert held(archive) == 1


def test_what_changes_while_an_update_listing_is_interrupted_is_found(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    records = [hub.add(number, 1) for number in range(1, 401)]
    run(archive, hub, account)
    hub.now += timedelta(days=1)
    for record in records[:300]:
        hub.cancel(record, 100)
    stop = Stop()

    def interrupt(offset: int) -> None:
        if offset >= 150:
            stop.set()

    hub.before_page = interrupt
    assert run(archive, hub, account, stop=stop).stopped
    hub.before_page = None
    hub.now += timedelta(days=1)
    for record in records[:120]:  # they change again and move within, or out of, any filtered list
        record["lastUpdate"] = (START + timedelta(days=102)).isoformat()
    hub.documents.sort(key=lambda record: record["lastUpdate"])
    for record in records[300:]:
        hub.cancel(record, 102)
    run(archive, hub, account)
    assert held(archive, states=("cancelled",)) == 400  # type: ignore[arg-type]


def test_a_first_listing_that_was_interrupted_sees_what_moved_over_its_place(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    for number in range(1, 401):
        hub.add(number, 1)
    stop = Stop()

    def interrupt(offset: int) -> None:
        if offset >= 190:
            stop.set()

    hub.before_page = interrupt
    assert run(archive, hub, account, stop=stop).stopped
    hub.before_page = None
    del hub.documents[:10]
    run(archive, hub, account)
    wanted = {record["documentKey"] for record in hub.documents}
    with archive.reading() as transaction:
        assert wanted <= {row.access_key for row in documents.walk(transaction, DocumentQuery())}


def test_a_listing_is_not_resumed_where_more_moved_than_a_page(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    """The total stays the same, so that nothing but the page before the place can tell."""
    for number in range(1, 401):
        hub.add(number, 1)
    stop = Stop()

    def interrupt(offset: int) -> None:
        if offset >= 190:
            stop.set()

    hub.before_page = interrupt
    assert run(archive, hub, account, stop=stop).stopped
    hub.before_page = None
    del hub.documents[:150]
    for number in range(401, 551):
        hub.add(number, 1)
    run(archive, hub, account)
    wanted = {record["documentKey"] for record in hub.documents}
    with archive.reading() as transaction:
        assert wanted <= {row.access_key for row in documents.walk(transaction, DocumentQuery())}


def test_what_is_no_record_counts_for_the_place_where_a_listing_goes_on(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    for number in range(1, 301):
        hub.add(number, 1)
    hub.documents[110:130] = [None] * 20  # type: ignore[list-item]
    stop = Stop()

    def interrupt(offset: int) -> None:
        if offset >= 190:
            stop.set()

    hub.before_page = interrupt
    assert run(archive, hub, account, stop=stop).stopped
    with archive.reading() as transaction:
        unfinished = coverage.unfinished(transaction, account.id)
    assert unfinished is not None
    assert unfinished.offset == max(offset for offset in hub.offsets if offset < 190) + 100


def test_a_record_whose_list_names_no_files_is_asked_whole(archive: Archive, hub: SmallHub, account: Account) -> None:
    for number, listed in ((1, []), (2, None)):
        record = hub.add(number, 1)
        hub.details[f"fd-{number}"] = dict(record)
        record["documents"] = listed
    assert run(archive, hub, account).downloaded == 2
    hub.now += timedelta(days=1)
    record = hub.documents[0]
    whole = hub.details["fd-1"]
    hub.cancel(whole, 100)
    record["lastUpdate"] = whole["lastUpdate"]
    del record["id"]  # known by its key; the id is known from before
    assert run(archive, hub, account).downloaded == 1
    assert held(archive, states=("cancelled",)) == 1  # type: ignore[arg-type]


def test_a_403_of_one_file_stops_neither_the_others_nor_the_next_run(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    for number in range(1, 60):
        hub.add(number, 1)
    hub.files["n7"] = 403
    for _ in range(2):
        result = run(archive, hub, account)
        assert result.failed == 1
    assert held(archive) == 58
    assert covered(archive, account, coverage.CREATED)


def test_a_hub_whose_files_are_all_broken_ends_the_run(archive: Archive, hub: SmallHub, account: Account) -> None:
    for number in range(1, 200):
        hub.add(number, 1)
        hub.files[f"n{number}"] = 503
    with pytest.raises(HubError):
        run(archive, hub, account)
    assert len([path for path in hub.asked if "download" in path]) < 150


def test_a_file_that_is_broken_at_the_hub_is_kept_told_and_mended_by_import(
    archive: Archive, hub: SmallHub, account: Account, tmp_path: Path
) -> None:
    hub.add(1, 1)
    hub.files["n1"] = note(1)[:-30]
    assert run(archive, hub, account).failed == 1
    with archive.reading() as transaction:
        (entry,) = details.unreadable(transaction)
        (failure,) = download_queue.failures(transaction, account.id)
    assert (entry.size, failure.access_key) == (len(note(1)) - 30, key(1))
    hub.files["n1"] = note(1)
    assert run(archive, hub, account).downloaded == 1
    with archive.reading() as transaction:
        assert not download_queue.failures(transaction, account.id)


def test_bytes_refused_for_their_place_become_a_document_when_they_come_again(
    archive: Archive, hub: SmallHub, account: Account, tmp_path: Path
) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "tricky.zip", "w") as target:
        target.writestr("../one.xml", note(1))
        target.writestr("../two.xml", note(2))
    assert import_files(archive, [tmp_path / "tricky.zip"]).unreadable == 2
    (tmp_path / "two.xml").write_bytes(note(2))
    result = import_files(archive, [tmp_path / "two.xml"])
    assert (result.recorded, result.documents) == (1, 1)
    hub.add(1, 1)
    assert run(archive, hub, account).downloaded == 1
    assert held(archive) == 2
    with archive.reading() as transaction:
        assert details.unreadable(transaction) == ()


def test_a_damaged_copy_is_mended_when_the_file_comes_again(
    archive: Archive, hub: SmallHub, account: Account, tmp_path: Path
) -> None:
    (tmp_path / "one.xml").write_bytes(note(1))
    import_files(archive, [tmp_path / "one.xml"])
    with archive.writing() as transaction:
        transaction.execute("UPDATE content SET payload = zeroblob(20)")
    with pytest.raises(ArchiveCorrupt):
        archive.content(1)
    assert import_files(archive, [tmp_path / "one.xml"]).duplicates == 1
    assert archive.content(1) == note(1)


def test_an_item_that_hides_while_the_list_is_read_is_looked_for(
    archive: Archive, hub: SmallHub, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 251):
        hub.add(number, 1)
    whole = hub.answer
    readings = 0

    def hide(method: str, path: str, query: dict[str, str], sent: bytes) -> Answer:
        nonlocal readings
        status, page = whole(method, path, query, sent)
        readings += "limit" in query and "offset" not in query
        if readings == 1 and "limit" in query:
            page["content"] = [entry for entry in page["content"] if entry["id"] != "fd-120"]
        return status, page

    monkeypatch.setattr(hub, "answer", hide)
    run(archive, hub, account)
    assert held(archive) == 250
    assert readings == 2


@pytest.mark.parametrize("constant", [True, False])
def test_a_hub_that_counts_more_than_it_shows_is_believed_only_where_it_does_so_of_an_empty_list(
    archive: Archive, hub: SmallHub, account: Account, monkeypatch: pytest.MonkeyPatch, constant: bool
) -> None:
    hub.add(1, 1)
    whole = hub.answer

    def miscount(method: str, path: str, query: dict[str, str], sent: bytes) -> Answer:
        status, told = whole(method, path, query, sent)
        if "limit" in query and (constant or told["content"]):
            told["page"]["totalElements"] += 2
        return status, told

    monkeypatch.setattr(hub, "answer", miscount)
    for _ in range(2):
        result = run(archive, hub, account)
        assert result.listed == 1
        assert (result.never_shown, result.lacking) == ((0, False) if constant else (2, True))
        assert bool(covered(archive, account, coverage.CREATED)) is constant


def test_a_page_that_stays_empty_in_the_middle_of_a_list_is_no_end_and_makes_nothing_gone(
    archive: Archive, hub: SmallHub, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(1, 321):
        hub.add(number, 1)
    whole, is_broken = hub.answer, True

    def lose(method: str, path: str, query: dict[str, str], sent: bytes) -> Answer:
        status, told = whole(method, path, query, sent)
        if is_broken and "limit" in query and 190 <= int(query.get("offset", 0)) < 300:
            told["content"] = []
        return status, told

    monkeypatch.setattr(hub, "answer", lose)
    result = run(archive, hub, account)
    assert result.lacking
    assert result.never_shown == 100
    is_broken = False
    assert not run(archive, hub, account).lacking
    assert held(archive) == 320
    is_broken = True
    result = run(archive, hub, account, SyncRequest(full=True))
    assert (result.lacking, result.gone) == (True, 0)


def test_elements_of_the_list_that_are_no_records_are_no_success(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    hub.add(1, 1)
    hub.documents += [None, 17]  # type: ignore[list-item]
    result = run(archive, hub, account)
    assert (result.no_records, result.lacking, result.never_shown) == (2, True, 0)


def test_details_of_another_document_are_not_taken(archive: Archive, hub: SmallHub, account: Account) -> None:
    first, *_ = [hub.add(number, 1) for number in range(1, 5)]
    wrong = dict(first)
    for record in hub.documents:
        del record["documents"]
        hub.details[record["id"]] = wrong
    result = run(archive, hub, account)
    assert result.lacking
    assert (result.failed, held(archive)) == (3, 1)


def test_a_detail_that_calls_its_document_by_another_id_makes_no_second_record(
    archive: Archive, hub: SmallHub, account: Account
) -> None:
    for number in range(1, 4):
        record = hub.add(number, 1)
        hub.details[record["id"]] = {**record, "id": f"inner-{number}"}
        del record["documents"]
    for _ in range(2):
        result = run(archive, hub, account, SyncRequest(full=True))
        assert (result.lacking, result.gone, result.conservation.listed) == (False, 0, 3)
    assert held(archive) == 3


def test_days_to_come_claim_nothing(archive: Archive, hub: SmallHub, account: Account) -> None:
    hub.add(1, 10)
    run(archive, hub, account, SyncRequest(from_at=START + timedelta(days=300)))
    assert covered(archive, account, coverage.CREATED) == []


def test_a_quiet_sync_costs_a_few_requests(archive: Archive, hub: SmallHub, account: Account) -> None:
    for number in range(1, 251):
        hub.add(number, number % 100)
    first = run(archive, hub, account)
    quiet = run(archive, hub, account)
    assert (first.listed, quiet.new, quiet.updated, quiet.downloaded) == (250, 0, 0, 0)
    assert quiet.requests <= 5  # one to hear once more what time it is: this hub is months behind
