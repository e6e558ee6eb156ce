"""Verdicts kept by content: what comes back, what waits, what marks the documents, whose world a paper stands in."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from confere.archive.accounts import accounts
from confere.archive.authenticity import account_roots, verdicts
from confere.archive.authenticity.verdicts import DOCUMENT, EVENT, VOIDING, JudgedContent, Judgement
from confere.archive.documents import documents
from confere.archive.documents.search.document_search import NOT_JUDGED, DocumentQuery
from confere.archive.hub import download_queue, hub_records
from confere.archive.hub.hub_records import HubRecord
from confere.archive.read_connection import ReadConnection
from confere.archive.store import Archive
from confere.errors import message
from confere.fiscal.authenticity.verdict import CLAIMED, Check, CheckLine, Result, Verdict
from confere.sales.hub_document import HubItem
from tests.archive.hub_documents import hub_document
from tests.archive.listed import PLAIN
from tests.archive.listed import VOIDING as VOIDED
from tests.archive.papers import cancellation, note, store

WHY = message("The certificate of {name} is not known.", name="AC Teste")
FAILS = message("The signed text was changed.")


def verdict(**results: Result) -> Verdict:
    """A verdict with these results by check, everything else ok."""
    why = {Result.FAILED: FAILS, Result.UNCHECKED: WHY}
    lines = [
        CheckLine(check, result, why.get(result)) for check in Check for result in [results.get(check.value, Result.OK)]
    ]
    return Verdict(
        tuple(
            CheckLine(line.check, line.result, CLAIMED) if line.check is Check.PROTOCOL and line.why is None else line
            for line in lines
        )
    )


GOOD = verdict(protocol_digest=Result.NOT_APPLICABLE)
OPEN = verdict(chain=Result.UNCHECKED, schema=Result.FAILED)
BAD = verdict(digest=Result.FAILED, chain=Result.UNCHECKED)


def judge(archive: Archive, content_id: int, *found: Judgement, trust: bytes = b"one") -> None:
    with archive.writing() as transaction:
        basis = verdicts.basis_id(transaction, 1, trust)
        verdicts.record(transaction, [JudgedContent(content_id, basis, found)])


def shown(archive: Archive, *wanted: str, sort: str = "issued") -> list[tuple[int | None, str | None]]:
    with archive.reading() as transaction:
        rows = documents.page(transaction, DocumentQuery(verdict=wanted, sort=sort, descending=False), 100)
    return [(row.number, row.verdict) for row in rows]


@pytest.mark.parametrize("found", [GOOD, OPEN, BAD])
def test_a_verdict_comes_back_as_it_was(archive: Archive, found: Verdict) -> None:
    (content_id,) = store(archive, note(1))
    judge(archive, content_id, verdicts.pack(DOCUMENT, 0, found))
    with archive.reading() as transaction:
        (kept,) = verdicts.of(transaction, [content_id])[content_id]
    assert kept.verdict == found
    assert shown(archive) == [(1, found.result.value)]


def test_a_check_that_was_left_out_is_said_to_be_so(archive: Archive) -> None:
    (content_id,) = store(archive, note(1))
    judge(archive, content_id, verdicts.pack(DOCUMENT, 0, GOOD, {Check.SCHEMA}))
    with archive.reading() as transaction:
        (kept,) = verdicts.of(transaction, [content_id])[content_id]
    line = kept.verdict.line(Check.SCHEMA)
    assert line.result is Result.UNCHECKED
    assert line.why is not None
    assert kept.verdict.result is Result.OK


def test_what_failed_is_counted_by_its_own_index(archive: Archive) -> None:
    ids = store(archive, *(note(number) for number in range(1, 9)), note(1, padding=" outra"), cancellation(1))
    for content_id in ids[:3] + ids[8:9]:
        judge(archive, content_id, verdicts.pack(DOCUMENT, 0, BAD))
    judge(archive, ids[3], verdicts.pack(DOCUMENT, 0, OPEN))
    judge(archive, ids[9], verdicts.pack(EVENT, 0, BAD))
    with archive.reading() as transaction:
        assert verdicts.count_failed(transaction) == verdicts.tally(transaction).failed == 3
        assert [place for _, place in verdicts.failed_events(transaction)] == [1]
        asked: list[str] = []
        assert isinstance(transaction.connection, ReadConnection)
        connection = transaction.connection.driver
        connection.set_trace_callback(asked.append)
        verdicts.count_failed(transaction)
        verdicts.failed_events(transaction)
        connection.set_trace_callback(None)
        plans = [str(transaction.fetch(f"EXPLAIN QUERY PLAN {sql}")) for sql in asked]
    assert "COVERING INDEX ix_document_failed" in plans[0]
    assert "COVERING INDEX ix_verdict_failed" in plans[1]


def test_a_sentence_is_kept_once(archive: Archive) -> None:
    for content_id in store(archive, *(note(number) for number in range(1, 9))):
        judge(archive, content_id, verdicts.pack(DOCUMENT, 0, BAD))
    with archive.reading() as transaction:
        assert transaction.scalar("SELECT count(*) FROM why") == 2
        assert transaction.scalar("SELECT count(*) FROM basis") == 1


def test_what_waits_is_what_no_such_basis_judged(archive: Archive) -> None:
    ids = store(archive, note(1), note(2), cancellation(1), PLAIN)
    judge(archive, ids[0], verdicts.pack(DOCUMENT, 0, GOOD))
    judge(archive, ids[3])  # nothing in it can be judged: that is known now
    with archive.writing() as transaction:
        one, two = (verdicts.basis_id(transaction, 1, trust) for trust in (b"one", b"two"))
        assert verdicts.contents(transaction, 0, 10) == tuple(sorted(ids))
        assert verdicts.contents(transaction, ids[0], 2) == tuple(sorted(ids))[1:3]
        assert verdicts.judged_by(transaction, ids) == {ids[0]: one, ids[3]: one}
        assert one != two
        document = transaction.scalar("SELECT id FROM document WHERE number = 1")
        assert verdicts.contents_of(transaction, [document]) == (ids[0], ids[2])


def test_the_documents_of_a_file_each_have_their_own(archive: Archive) -> None:
    lot = b"<lote>" + note(1) + VOIDED + note(2) + cancellation(1) + b"</lote>"
    (content_id,) = store(archive, lot)
    judge(
        archive,
        content_id,
        verdicts.pack(DOCUMENT, 0, GOOD),
        verdicts.pack(DOCUMENT, 1, BAD),
        verdicts.pack(EVENT, 0, OPEN),
        verdicts.pack(VOIDING, 0, OPEN),
    )
    assert sorted(shown(archive)) == [(1, "ok"), (2, "failed"), (5, "unchecked")]


def test_lists_are_narrowed_sorted_and_counted_by_it(archive: Archive) -> None:
    ids = store(archive, *(note(number) for number in range(1, 6)))
    for content_id, found in zip(ids, (GOOD, BAD, OPEN, GOOD), strict=False):
        judge(archive, content_id, verdicts.pack(DOCUMENT, 0, found))
    assert shown(archive, "ok") == [(1, "ok"), (4, "ok")]
    assert shown(archive, "failed", "unchecked") == [(2, "failed"), (3, "unchecked")]
    assert shown(archive, NOT_JUDGED) == [(5, None)]
    assert shown(archive, "failed", NOT_JUDGED) == [(2, "failed"), (5, None)]
    assert [found for _, found in shown(archive, sort="verdict")] == ["ok", "ok", "unchecked", "failed", None]
    from confere.archive.documents.search import facets

    with archive.reading() as transaction:
        choices = facets.choices(transaction, DocumentQuery(verdict=("ok",)))
        assert verdicts.tally(transaction) == verdicts.VerdictTally(2, 1, 1, 1)
    assert {entry.value: entry.documents for entry in choices.verdicts} == {
        "ok": 2, "failed": 1, "unchecked": 1, "none": 1,
    }  # fmt: skip
    assert sum(entry.documents for entry in choices.types) == 2


def test_judged_again_the_new_verdict_counts(archive: Archive) -> None:
    (content_id,) = store(archive, note(1))
    judge(archive, content_id, verdicts.pack(DOCUMENT, 0, BAD))
    judge(archive, content_id, verdicts.pack(DOCUMENT, 0, GOOD), trust=b"two")
    assert shown(archive) == [(1, "ok")]
    judge(archive, content_id)
    assert shown(archive) == [(1, None)]


def delivered(archive: Archive, content_id: int, environments: Sequence[str]) -> tuple[int, ...]:
    """Let accounts of these environments have brought this content; their numbers."""
    numbers = []
    for place, environment in enumerate(environments):
        with archive.writing() as transaction:
            owner = accounts.add(
                transaction, name=f"{content_id}-{place}", environment=environment, address="x", platform="x"
            )
            document = hub_document(
                f"{content_id}", None, items=(HubItem(f"item-{content_id}", None),), raw=f"{content_id}{place}".encode()
            )
            hub_records.observe(transaction, archive.vault_writer, owner.id, 1, [HubRecord(document)])
            (queued,) = download_queue.open_items(transaction, owner.id, 0, 10)
            download_queue.mark_done(transaction, [(queued.id, content_id)])
            numbers.append(owner.id)
    return tuple(numbers)


@pytest.mark.parametrize(
    ("environments", "sandbox"),
    [
        ([], False),  # a file
        (["production"], False),
        (["embedded"], True),
        (["sandbox", "embedded"], True),
        (["embedded", "production"], False),
    ],
)
def test_only_what_sandboxes_alone_delivered_is_of_their_world(
    archive: Archive, environments: list[str], sandbox: bool
) -> None:
    (content_id,) = store(archive, note(1))
    numbers = delivered(archive, content_id, environments)
    with archive.reading() as transaction:
        assert verdicts.worlds(transaction, [content_id]) == {content_id: numbers if sandbox else ()}


def test_a_root_belongs_to_one_account(archive: Archive) -> None:
    with archive.writing() as transaction:
        one, two = (
            accounts.add(transaction, name=name, environment="sandbox", address="x", platform="x")
            for name in ("one", "two")
        )
        assert account_roots.add(transaction, one, b"certificate", "Root")
        assert not account_roots.add(transaction, one, b"certificate", "Root")
        assert account_roots.add(transaction, two, b"other", "Other")
        assert [root.name for root in account_roots.of(transaction, one.id)] == ["Root"]
        assert len(account_roots.of_accounts(transaction, [one.id, two.id])) == 2
        assert account_roots.remove(transaction, one, b"certificate")
        assert not account_roots.remove(transaction, one, b"certificate")
        assert account_roots.of(transaction, one.id) == ()
        said = transaction.fetch("SELECT action, subject FROM audit WHERE action LIKE 'account %trust' ORDER BY id")
    assert said == [("account trust", "one"), ("account trust", "two"), ("account distrust", "one")]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_version_that_failed_gives_way_to_one_that_did_not(archive: Archive, order: tuple[int, int]) -> None:
    papers = note(1), note(1, padding=" outra")
    ids = store(archive, *(papers[place] for place in order))
    genuine = ids[order.index(0)]
    judge(archive, ids[order.index(1)], verdicts.pack(DOCUMENT, 0, BAD))
    judge(archive, genuine, verdicts.pack(DOCUMENT, 0, GOOD))
    with archive.reading() as transaction:
        (row,) = documents.page(transaction, DocumentQuery(), 100)
        companies = transaction.fetch("SELECT document_id FROM belonging")
    assert (row.content_id, row.verdict) == (genuine, "ok")
    assert {number for (number,) in companies} == {row.id}


def test_where_every_version_failed_the_first_stays(archive: Archive) -> None:
    first, second = store(archive, note(1), note(1, padding=" outra"))
    for content_id in (first, second):
        judge(archive, content_id, verdicts.pack(DOCUMENT, 0, BAD))
    with archive.reading() as transaction:
        (row,) = documents.page(transaction, DocumentQuery(), 100)
    assert row.content_id == first


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("others_cstat", ["100", None])
def test_a_copy_that_was_found_false_gives_way_to_any_other(
    archive: Archive, order: tuple[int, int], others_cstat: str | None
) -> None:
    """Also where the false one is authorized and the other has no protocol, whichever came first."""
    copies = note(1, total="99999.99"), note(1, cstat=others_cstat)
    for position in order:
        store(archive, copies[position])
    with archive.reading() as transaction:
        numbers = dict(transaction.fetch("SELECT total, content_id FROM document WHERE number = 1"))
    judge(archive, numbers[9999999], verdicts.pack(DOCUMENT, 0, BAD))
    with archive.reading() as transaction:
        current = transaction.fetch("SELECT total FROM document WHERE number = 1 AND is_current = 1")
    assert [row[0] for row in current] == [1000]
