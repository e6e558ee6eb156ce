"""The hub's word is kept as received, in every version, beside the paper; what it names is queued once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from confere.archive.accounts import accounts
from confere.archive.clock import from_text, utc_now
from confere.archive.documents import details
from confere.archive.hub import coverage, download_queue, hub_records
from confere.archive.hub.coverage import Span, merged
from confere.archive.hub.hub_records import DETAIL, LIST, HubRecord
from confere.archive.store import Archive
from confere.archive.transaction import Statement, Transaction
from confere.errors import NotInArchive, UsageFault, message
from confere.sales.hub_document import HubHistory, HubItem, HubRelated
from tests.archive.hub_documents import hub_document
from tests.archive.papers import key, note, store


@pytest.fixture
def account(archive: Archive) -> accounts.Account:
    with archive.writing() as transaction:
        return accounts.add(
            transaction, name="loja", environment="sandbox", address="http://127.0.0.1:1/v2", platform="x"
        )


def record(number: int, *, asked_of: int | None = None, **changes: Any) -> HubRecord:
    """What the hub's list says of a document, or the detail that was asked of record `asked_of`."""
    told: dict[str, Any] = {
        "hub_id": f"fd-{number}",
        "access_key": key(number),
        "subtype": "sale",
        "cfop": "5102",
        "document_type_value": "sale",
        "marketplace": "MERCADO_AZUL",
        "order_id": str(1000 + number),
        "created_at": from_text("2026-10-05T13:00:00.000+00:00"),
        "updated_at": from_text("2026-10-05T13:00:00.000+00:00"),
        "metadata": (("marketplace", "MERCADO_AZUL"),),
        "history": (HubHistory("AUTHORIZED", "2026-10-05T10:00:00-03:00", "135", f"item-{number}", None),),
        "items": (HubItem(f"item-{number}", "AUTHORIZATION"),),
        "raw": json.dumps({"n": number, "of": asked_of, **{k: str(v) for k, v in changes.items()}}).encode(),
    }
    return HubRecord(hub_document(**{**told, **changes}), asked_of)


def observe(archive: Archive, account: accounts.Account, *records: HubRecord) -> list[hub_records.Observed]:
    with archive.writing() as transaction:
        return hub_records.observe(transaction, archive.vault_writer, account.id, 1, records)


def open_items(archive: Archive, account: accounts.Account) -> list[tuple[str, str | None]]:
    with archive.reading() as transaction:
        return [(entry.item_id, entry.kind) for entry in download_queue.open_items(transaction, account.id, 0, 100)]


def test_seen_twice_is_kept_once(archive: Archive, account: accounts.Account) -> None:
    first = observe(archive, account, record(1), record(2))
    again = observe(archive, account, record(1), record(2))
    assert [(seen.new, seen.changed) for seen in first] == [(True, True)] * 2
    assert [(seen.new, seen.changed) for seen in again] == [(False, False)] * 2
    assert open_items(archive, account) == [("item-1", "AUTHORIZATION"), ("item-2", "AUTHORIZATION")]
    with archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM hub_record") == 2


def test_the_same_record_twice_on_one_page(archive: Archive, account: accounts.Account) -> None:
    seen = observe(archive, account, record(1), record(1), record(1, subtype="devolution"))
    assert [entry.new for entry in seen] == [True, False, False]
    assert len({entry.hub_document_id for entry in seen}) == 1
    with archive.reading() as transaction:
        (word,) = details.hub_words(transaction, key(1), 0)
    assert (word.subtype, word.records) == ("devolution", 2)


def test_every_version_is_kept_as_received(archive: Archive, account: accounts.Account) -> None:
    versions = [record(1), record(1, subtype="sale_return"), record(1, asked_of=1, cfop="6108")]
    for version in versions:
        observe(archive, account, version)
    with archive.reading() as transaction:
        kept = transaction.fetch("SELECT source, content_id FROM hub_record ORDER BY id")
        assert [source for source, _ in kept] == [LIST, LIST, DETAIL]
        assert [archive.vault.get(transaction, content_id) for _, content_id in kept] == [
            v.document.raw for v in versions
        ]


def test_what_a_list_lacks_does_not_erase_what_the_detail_said(archive: Archive, account: accounts.Account) -> None:
    observe(archive, account, record(1, asked_of=1))
    observe(archive, account, record(1, order_id=None, cfop=None, history=(), created_at=None))
    with archive.reading() as transaction:
        (word,) = details.hub_words(transaction, key(1), 0)
    assert (word.order_id, word.cfop, len(word.history)) == ("1001", "5102", 1)
    assert word.created_at


def test_a_record_without_id_and_the_same_with_one_are_one(archive: Archive, account: accounts.Account) -> None:
    observe(archive, account, record(1, hub_id=None))
    (seen,) = observe(archive, account, record(1))
    assert not seen.new
    with archive.reading() as transaction:
        assert transaction.fetch("SELECT hub_id, identity FROM hub_document") == [("fd-1", "id:fd-1")]


def test_two_ids_on_one_key_are_two_records(archive: Archive, account: accounts.Account) -> None:
    seen = observe(archive, account, record(1), record(1, hub_id="other"))
    assert [entry.new for entry in seen] == [True, True]


def test_what_a_record_gave_for_another_document_is_fetched_again(archive: Archive, account: accounts.Account) -> None:
    """Ids begin anew where a hub was set up again: the same file is of another document then."""

    def fetched() -> None:
        with archive.writing() as transaction:
            (queued,) = download_queue.open_items(transaction, account.id, 0, 10)
            assert queued.item_id == "item-1"
            download_queue.mark_done(transaction, [(queued.id, content_id)])

    (content_id,) = store(archive, note(1))
    observe(archive, account, record(1))
    fetched()
    assert observe(archive, account, record(1, order_id="7"))[0].already == 1
    (seen,) = observe(archive, account, record(1, access_key=key(2)))
    assert (seen.new, seen.changed, seen.already) == (False, True, 0)
    fetched()
    assert observe(archive, account, record(1, access_key=key(2)))[0].already == 1


def test_accounts_do_not_mix(archive: Archive, account: accounts.Account) -> None:
    with archive.writing() as transaction:
        other = accounts.add(transaction, name="b", environment="production", address="https://x/v2", platform="x")
    observe(archive, account, record(1))
    (seen,) = observe(archive, other, record(1))
    assert seen.new
    assert open_items(archive, other) == [("item-1", "AUTHORIZATION")]


def test_a_withheld_record_queues_its_detail_once_and_again_when_it_changes(
    archive: Archive, account: accounts.Account
) -> None:
    withheld = record(1, items=(), complete=False)
    observe(archive, account, withheld)
    observe(archive, account, withheld)
    assert open_items(archive, account) == [("fd-1", download_queue.DETAIL_KIND)]
    with archive.writing() as transaction:
        download_queue.mark_asked(transaction, download_queue.open_items(transaction, account.id, 0, 10))
    observe(archive, account, withheld)
    assert open_items(archive, account) == []
    observe(
        archive, account, record(1, items=(), complete=False, updated_at=from_text("2026-10-07T00:00:00.000+00:00"))
    )
    assert open_items(archive, account) == [("fd-1", download_queue.DETAIL_KIND)]


def test_a_failed_download_stays_with_its_reason_until_it_is_done(archive: Archive, account: accounts.Account) -> None:
    observe(archive, account, record(1))
    (content_id,) = store(archive, note(1))
    with archive.writing() as transaction:
        (queued,) = download_queue.open_items(transaction, account.id, 0, 10)
        download_queue.mark_failed(transaction, [(queued.id, message("the hub is tired"), None)])
        download_queue.mark_failed(transaction, [(queued.id, message("still tired"), content_id)])
        (failure,) = download_queue.failures(transaction, account.id)
        assert (str(failure.reason), failure.attempts, failure.access_key) == ("still tired", 2, key(1))
        assert download_queue.count_open(transaction, account.id) == 1
        download_queue.mark_done(transaction, [(queued.id, content_id)])
        assert not download_queue.failures(transaction, account.id)
    (seen,) = observe(archive, account, record(1, subtype="devolution"))
    assert seen.already == 1
    assert open_items(archive, account) == []


def test_the_hubs_subtype_decides_the_operation_whichever_comes_first(
    archive: Archive, account: accounts.Account
) -> None:
    store(archive, note(1))
    observe(archive, account, record(1, subtype="devolution"), record(2, subtype="devolution"))
    store(archive, note(2))
    with archive.reading() as transaction:
        found = transaction.fetch("SELECT DISTINCT operation FROM document")
    assert found == [("devolution",)]


def test_the_hubs_relations_are_claims(archive: Archive, account: accounts.Account) -> None:
    related = (HubRelated(key(9), "NFE", "return of"), HubRelated(key(1), "NFE", None), HubRelated(None, "CTE", None))
    observe(archive, account, record(1, related=related))
    with archive.reading() as transaction:
        (relation,) = details.relations_from(transaction, key(1))
    assert (relation.target_key, relation.claims) == (key(9), 2)


def test_a_removed_account_keeps_its_documents_and_can_come_back(archive: Archive, account: accounts.Account) -> None:
    observe(archive, account, record(1))
    with archive.writing() as transaction:
        accounts.remove(transaction, "loja")
        with pytest.raises(NotInArchive, match="loja"):
            accounts.named(transaction, "loja")
        again = accounts.add(
            transaction, name="loja", environment="sandbox", address="http://127.0.0.1:1/v2", platform="y"
        )
        assert again.id == account.id
        with pytest.raises(UsageFault):
            accounts.add(transaction, name="loja", environment="sandbox", address="x", platform="y")
    (seen,) = observe(archive, account, record(1))
    assert not seen.new


def test_coverage_counts_whole_finished_windows_only(archive: Archive, account: accounts.Account) -> None:
    with archive.writing() as transaction:

        def window(first: str, last: str, narrowed: str = "", method: str = coverage.WINDOW) -> coverage.Window:
            return coverage.begin(
                transaction,
                account.id,
                1,
                axis=coverage.CREATED,
                from_at=first,
                to_at=last,
                narrowed=narrowed,
                method=method,
            )

        done, narrow = window("2026-01", "2026-03"), window("2025-01", "2026-12", "x")
        scan, cut = window("2026-03", "2026-05", method=coverage.SCAN), window("2026-04", "2026-06")
        coverage.finish(transaction, done.id)
        coverage.finish(transaction, narrow.id)
        coverage.advance(transaction, scan.id, 200)
        coverage.advance(transaction, cut.id, 100)
        coverage.forget_interrupted(transaction, account.id)
        assert coverage.covered(transaction, account.id, coverage.CREATED) == (Span("2026-01", "2026-03"),)
        going_on = coverage.unfinished(transaction, account.id)
        assert going_on is not None
        assert (going_on.id, going_on.offset, going_on.pages) == (scan.id, 200, 1)
        coverage.finish(transaction, scan.id)
        assert coverage.covered(transaction, account.id, coverage.CREATED) == (Span("2026-01", "2026-05"),)
        assert coverage.unfinished(transaction, account.id) is None


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        ([], ()),
        ([Span("1", "2"), Span("3", "4")], (Span("1", "2"), Span("3", "4"))),
        ([Span("1", "3"), Span("2", "4")], (Span("1", "4"),)),
        ([Span("1", "9"), Span("2", "4"), Span("9", "9")], (Span("1", "9"),)),
    ],
)
def test_spans_merge(spans: list[Span], expected: tuple[Span, ...]) -> None:
    assert merged(spans) == expected


def test_our_own_stamps_are_utc() -> None:
    assert utc_now().endswith("+00:00")


def test_a_detail_belongs_to_the_record_it_was_asked_for(archive: Archive, account: accounts.Account) -> None:
    """Even where it names itself otherwise, or not at all."""
    (listed,) = observe(archive, account, record(1, access_key=None, items=(), complete=False))
    detail = record(1, hub_id=None, asked_of=listed.hub_document_id)
    (seen,) = observe(archive, account, detail)
    assert seen.hub_document_id == listed.hub_document_id
    with archive.reading() as transaction:
        assert transaction.fetch("SELECT access_key, order_id FROM hub_document") == [(key(1), "1001")]


def test_a_record_that_changed_while_its_detail_was_asked_is_asked_again(
    archive: Archive, account: accounts.Account
) -> None:
    observe(archive, account, record(1, items=(), complete=False))
    with archive.reading() as transaction:
        asked = download_queue.open_items(transaction, account.id, 0, 10)
    observe(archive, account, record(1, items=(), complete=False, cfop="6108"))
    with archive.writing() as transaction:
        download_queue.mark_asked(transaction, asked)
    assert open_items(archive, account) == [("fd-1", download_queue.DETAIL_KIND)]


def test_a_record_known_by_key_is_found_by_the_id_it_got_later(archive: Archive, account: accounts.Account) -> None:
    observe(archive, account, record(1, hub_id=None))
    observe(archive, account, record(1))
    (seen,) = observe(archive, account, record(1, access_key=None, cfop="6108"))
    assert not seen.new


def test_another_hub_under_a_former_name_starts_from_nothing(archive: Archive, account: accounts.Account) -> None:
    observe(archive, account, record(1))
    with archive.writing() as transaction:
        accounts.remove(transaction, "loja")
        other = accounts.add(transaction, name="loja", environment="production", address="https://x/v2", platform="x")
    assert other.id != account.id
    (seen,) = observe(archive, other, record(1))
    assert seen.new


def test_a_page_is_looked_up_by_its_own_records_not_by_the_whole_account(
    archive: Archive, account: accounts.Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    executed = Transaction._cursor

    def explained(self: Transaction, statement: Statement, parameters: Any = ()) -> Any:
        if isinstance(statement, str) and statement.startswith("SELECT") and "FROM hub_document WHERE" in statement:
            asked.append(str(executed(self, f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()))
        return executed(self, statement, parameters)

    monkeypatch.setattr(Transaction, "_cursor", explained)
    observe(archive, account, record(1), record(2, asked_of=1))
    assert len(asked) >= 3
    for plan in asked:
        assert "SEARCH" in plan
        assert "SCAN" not in plan
        assert "ix_hub_document_order" not in plan
