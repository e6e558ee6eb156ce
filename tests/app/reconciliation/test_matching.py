"""Candidates ranked by what agrees, ties linked by their hours, terms to cancel, assignments and signatures."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.app.accounts import accounts as use_case
from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery
from confere.app.labels.finding_labels import difference_sentence, finding_sentence, term_sentence
from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.matching import candidates, tie_lists
from confere.app.reconciliation.queries import FindingFilter, FindingQuery, FindingRow
from confere.app.reconciliation.review import assignments, signoffs
from confere.app.reconciliation.review.cancel_terms import CancelTerm, cancel_terms
from confere.archive.accounts import accounts, audit
from confere.archive.documents import documents
from confere.archive.reconciliation import findings
from confere.archive.reconciliation.search import candidate_search
from confere.errors import NotInArchive, UsageFault
from confere.fiscal.law.cancellation_terms import cancellation_ends
from confere.fiscal.periods import BRASILIA
from confere.reconcile.linking.pair_likeness import in_order, pair_likeness
from confere.sales.reconciliation_input import ItemQuantity, OrderEntry, PaperEntry
from confere.sales.terms import Terms
from tests.app import business
from tests.app.business import ACCOUNT, order_json, record_orders
from tests.app.made import account
from tests.archive.papers import EMITTER, RECIPIENT, key, note, store

MUG = ItemQuantity("A1", None, Decimal(1), 1000)
ORDER = OrderEntry(1, "o1", created_on="2026-10-04", total=1000, buyer=RECIPIENT, buyer_name="Avó", lines=(MUG,))
NOTE = PaperEntry(
    1, key(1), "nfe", recipient=RECIPIENT, recipient_name="Avó", issued_on="2026-10-05", total=1000, lines=(MUG,)
)


def rows(opened: OpenArchive, **how: str) -> tuple[FindingRow, ...]:
    return queries.findings(opened, FindingQuery(ACCOUNT, FindingFilter(**how)), 0, -1)


def row_of(opened: OpenArchive, rule: str) -> FindingRow:
    return next(row for row in rows(opened) if row.finding.rule == rule)


# -- what pairs have in common -------------------------------------------------------------------------------


def test_a_pair_says_what_agrees_and_what_does_not() -> None:
    assert pair_likeness(ORDER, NOTE, Terms())[:] == (True, True, True, True, 0, 1)
    other = replace(NOTE, recipient=EMITTER, total=1448, lines=(replace(MUG, code="B2"),), issued_on="2027-01-01")
    assert pair_likeness(ORDER, other, Terms())[:] == (False, False, False, False, 448, 89)
    silent = PaperEntry(2, key(2), "nfe")
    assert pair_likeness(ORDER, silent, Terms())[:] == (None, None, None, None, None, None)


def test_the_buyer_and_the_total_weigh_more_than_the_day() -> None:
    late = replace(NOTE, issued_on="2026-12-24")
    strange = replace(NOTE, recipient=EMITTER)
    dear = replace(NOTE, total=5000)
    ranks = [pair_likeness(ORDER, paper, Terms()).rank for paper in (NOTE, late, strange, dear)]
    assert ranks[0] < ranks[1] < ranks[2] and ranks[1] < ranks[3]


@given(st.permutations(range(6)), st.permutations(range(6)))
def test_linking_in_order_pairs_by_time_whatever_the_order_of_the_lists(left: list[int], right: list[int]) -> None:
    orders = [(f"2026-10-04T0{number}:00", f"o{number}") for number in left]
    papers = [(f"2026-10-05T0{number}:00", f"k{number}") for number in right]
    assert in_order(orders, papers) == [(f"o{number}", f"k{number}") for number in range(6)]


def test_what_has_no_time_comes_last_and_what_is_over_stays_alone() -> None:
    assert in_order([(None, "o0"), ("2026", "o1"), ("2027", "o2")], [("2026", "k1"), (None, "k2")]) == [
        ("o1", "k1"),
        ("o2", "k2"),
    ]


# -- candidates of the archive -------------------------------------------------------------------------------


def test_candidates_for_an_order_leave_out_what_it_has_and_name_what_others_have(opened: OpenArchive) -> None:
    found = candidates.for_order(opened, ACCOUNT, "o1")
    keys = [entry.paper.access_key for entry in found]
    assert key(1) not in keys and key(4) in keys
    linked = {entry.paper.access_key: entry.linked for entry in found}
    assert linked[key(2)] == ("o2",) and linked[key(4)] == ()
    assert keys.index(key(4)) < keys.index(key(2)), "what is free comes before what is as near and linked"
    assert found[0].pair[0] == "o1"


def test_candidates_for_a_document_are_orders(opened: OpenArchive) -> None:
    found = candidates.for_document(opened, ACCOUNT, key(4))
    assert {entry.order.hub_id for entry in found} == {"o1", "o2", "o3", "o4"}
    assert next(entry for entry in found if entry.order.hub_id == "o1").linked == (key(1),)
    assert [entry.order.hub_id for entry in candidates.for_document(opened, ACCOUNT, key(4), among=["o3"])] == ["o3"]


def test_what_a_person_looks_for_is_of_the_account_too(workspace: Workspace, opened: OpenArchive) -> None:
    """Another company of the same archive has sales of the same words, and nothing of them belongs to these orders."""
    other = "12ABC34501DE35"
    with workspace.writing("test") as archive:
        store(archive, *(note(number, emitter=other) for number in range(50, 60)))
    sales = browse.snapshot(opened, DocumentQuery(types=("nfe", "nfce"), operations=("sale",), sort="number"))
    with opened.reading() as transaction:
        owners = {row.id: row.emitter_tax_id for row in documents.by_ids(transaction, sales)}
    listed = sorted(sales, key=lambda number: owners[number] != other)  # those of the other company first
    assert owners[listed[9]] == other != owners[listed[-1]]
    found = candidates.for_order(opened, ACCOUNT, "o1", among=listed)
    assert key(4) in {entry.paper.access_key for entry in found}
    assert {entry.paper.emitter_tax_id for entry in found} == {EMITTER}
    with opened.reading() as transaction:
        owner = accounts.named(transaction, ACCOUNT)
        assert candidate_search.of_ledger(transaction, owner, listed, 2) == listed[10:12]
        assert candidate_search.of_ledger(transaction, owner, listed, 99) == listed[10:]
        assert candidate_search.of_ledger(transaction, owner, [], 2) == []


def test_candidates_of_a_finding(opened: OpenArchive) -> None:
    row, found = candidates.for_finding(opened, row_of(opened, "R2").id)
    assert row.finding.rule == "R2" and all(entry.paper.access_key == business.SEPTEMBER_KEY for entry in found)
    assert candidates.for_finding(opened, row_of(opened, "R1").id, most=2)[1]
    with pytest.raises(NotInArchive, match="no order nobody"):
        candidates.for_order(opened, ACCOUNT, "nobody")
    with pytest.raises(NotInArchive, match="no document"):
        candidates.for_document(opened, ACCOUNT, key(99))


def test_many_of_the_day_do_not_push_out_what_has_the_very_total(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidate_search, "_MOST", 3)
    workspace = Workspace.at(tmp_path / "home")
    with workspace.writing("test") as archive:
        busy = [note(number, total=f"{number}.00", day="2026-10-04") for number in range(20, 30)]
        store(archive, *busy, note(40, total="777.77", day="2026-10-30"))
        owner = account(archive, ACCOUNT)
        others = [
            order_json(f"x{number}", total=number, gross=number, buyer={"name": "Outra", "document": "52998224725"})
            for number in range(20, 30)
        ]
        sought = order_json(
            "o40", total=777.77, gross=777.77, buyer={"name": "Oculta"}, createdAt="2026-10-04T15:00:00Z"
        )
        record_orders(archive, owner, *others, sought)
    session = OpenArchive(workspace)
    try:
        assert key(40) in [entry.paper.access_key for entry in candidates.for_order(session, ACCOUNT, "o40")]
        found = candidates.for_document(session, ACCOUNT, key(40))
        assert found[0].order.hub_id == "o40"
        assert len(found) == 4, "three of about the day, and the one of the total"
    finally:
        session.close()


_ISSUED = ("2026-09-30T10:00:00", "2026-10-05T10:00:00")
KEYS = (business.SEPTEMBER_KEY, key(4))


def tied(folder: Path, *orders_at: str | None, issued: tuple[str, str] = _ISSUED) -> OpenArchive:
    """An archive with a tie of o3 and o4, placed then, and two notes issued then."""
    workspace = Workspace.at(folder / "home")
    with workspace.writing("test") as archive:
        papers = (note(5, day="2026-09-30"), note(4))
        store(
            archive,
            *(
                re.sub(rb"<dhEmi>[^<]*", f"<dhEmi>{at}-03:00".encode(), paper)
                for paper, at in zip(papers, issued, strict=True)
            ),
        )
        owner = account(archive, ACCOUNT)
        record_orders(
            archive, owner, *(order_json(name, createdAt=at) for name, at in zip(("o4", "o3"), orders_at, strict=True))
        )
        business.run(archive, owner, business.LINKED, ())
    return OpenArchive(workspace)


def test_a_tie_is_laid_out_by_its_hours(tmp_path: Path) -> None:
    opened = tied(tmp_path, "2026-10-04T15:00:00Z", "2026-10-04T14:59:59Z")
    (tie,) = queries.ties(opened, ACCOUNT)
    lists = tie_lists.lists_of(opened, ACCOUNT, tie)
    assert [entry.order_id for entry in lists.orders] == ["o3", "o4"]
    assert [entry.key for entry in lists.papers] == list(KEYS), "September's is older"
    assert tie_lists.why_not_in_order(tie, lists) is None
    pairs = tie_lists.pairs_in_order(opened, ACCOUNT, tie.number)
    assert pairs == lists.pairs == (("o3", KEYS[0]), ("o4", KEYS[1]))
    with pytest.raises(NotInArchive, match="no tie 99"):
        tie_lists.pairs_in_order(opened, ACCOUNT, 99)
    opened.close()


@pytest.mark.parametrize(
    ("orders_at", "issued_at"),
    [
        (("2026-10-04T15:00:00Z", "2026-10-04T15:00:00Z"), "2026-10-05T10:00:00"),
        (("2026-10-04T15:00:00Z", None), "2026-10-05T10:00:00"),
        (("2026-10-04T15:00:00Z", "2026-10-04T03:00:00Z"), "2026-10-05T10:00:00"),  # midnight: a day alone
        (("2026-10-04T15:00:00Z", "2026-10-04T14:00:00Z"), "2026-09-30T10:00:00"),
        (("2026-10-04T15:00:00Z", "2026-10-04T14:00:00Z"), "2026-09-30T00:00:00"),
    ],
    ids=["same hour", "no hour", "day alone", "same hour of documents", "document with a day alone"],
)
def test_a_tie_whose_hours_do_not_tell_is_not_linked_in_order(
    tmp_path: Path, orders_at: tuple[str, str | None], issued_at: str
) -> None:
    opened = tied(tmp_path, *orders_at, issued=("2026-09-30T10:00:00", issued_at))
    (tie,) = queries.ties(opened, ACCOUNT)
    reason = tie_lists.why_not_in_order(tie, tie_lists.lists_of(opened, ACCOUNT, tie))
    assert reason is not None and "no hour" in str(reason)
    with pytest.raises(UsageFault, match="no hour, or the same one"):
        tie_lists.pairs_in_order(opened, ACCOUNT, tie.number)
    opened.close()


def test_days_alone_that_differ_tell_which_comes_first(tmp_path: Path) -> None:
    opened = tied(tmp_path, "2026-10-05T03:00:00Z", "2026-10-04T15:00:00Z")
    (tie,) = queries.ties(opened, ACCOUNT)
    assert [order for order, _ in tie_lists.pairs_in_order(opened, ACCOUNT, tie.number)] == ["o3", "o4"]
    opened.close()


# -- the term to cancel --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("model", "hours"), [("55", 24), ("65", 0.5), ("57", 168), ("67", 168)])
def test_the_term_to_cancel_counts_from_the_authorization(model: str, hours: float) -> None:
    at = datetime(2026, 10, 5, 14, 30, tzinfo=BRASILIA)
    assert cancellation_ends(model, at) == at + timedelta(hours=hours)
    assert cancellation_ends(model, None) is None


@pytest.mark.parametrize(
    ("model", "uf", "hours"),
    [("55", "MT", 8), ("57", "MT", 8), ("65", "MT", 0.5), ("55", "RS", 168), ("55", "SP", 24), ("55", None, 24)],
)
def test_a_states_own_term_counts_before_the_general_one(model: str, uf: str | None, hours: float) -> None:
    at = datetime(2026, 10, 5, 14, 30, tzinfo=BRASILIA)
    assert cancellation_ends(model, at, uf) == at + timedelta(hours=hours)


def test_the_term_of_a_finding_is_that_of_the_emitters_state(workspace: Workspace, opened: OpenArchive) -> None:
    from_mt = "51" + business.SEPTEMBER_KEY[2:]
    with opened.reading() as transaction:
        owner = accounts.named(transaction, ACCOUNT)
        stored = [entry for _, entry in findings.numbered(transaction, [row.id for row in rows(opened)]).values()]
    found = next(entry for entry in stored if entry.found.rule == "R2")
    found = replace(found, found=replace(found.found, keys=(from_mt,)))
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute(
            "UPDATE document SET access_key = ?, authorized_at = '2026-10-04T10:00:00-03:00', model = '55'"
            " WHERE access_key = ?",
            (from_mt, business.SEPTEMBER_KEY),
        )
        now = datetime(2026, 10, 4, 17, tzinfo=BRASILIA)
        assert cancel_terms(transaction, owner, [found], now)[found.id].until == now + timedelta(hours=1)


def test_a_model_without_a_term_has_none() -> None:
    assert cancellation_ends("59", datetime(2026, 10, 5, tzinfo=BRASILIA)) is None


def test_findings_that_cancelling_settles_have_the_term_of_their_note(
    workspace: Workspace, opened: OpenArchive
) -> None:
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute(
            "UPDATE document SET authorized_at = '2026-10-04T10:00:00-03:00', model = '55' WHERE access_key = ?",
            (business.SEPTEMBER_KEY,),
        )
        owner = accounts.named(transaction, ACCOUNT)
        assert EMITTER in {entry.tax_id for entry in owner.establishments}
        stored = [entry for _, entry in findings.numbered(transaction, [row.id for row in rows(opened)]).values()]
        until = datetime(2026, 10, 5, 10, tzinfo=BRASILIA)
        number = next(entry.id for entry in stored if entry.found.rule == "R2")
        soon, late = until - timedelta(minutes=1), until
        running = cancel_terms(transaction, owner, stored, soon)[number]
        assert (running.until, running.is_over) == (until, False)
        assert cancel_terms(transaction, owner, stored, late)[number].is_over
    row = row_of(opened, "R2")
    assert row.term is not None and row.term.is_over
    assert term_sentence(row) == "term is over"
    assert term_sentence(replace(row, term=CancelTerm("", until, False))) == "cancel until 05/10 10:00"
    assert row_of(opened, "R1").term is None


# -- what rows say -------------------------------------------------------------------------------------------


def test_a_row_says_the_difference(opened: OpenArchive) -> None:
    row = replace(row_of(opened, "R3"), order_total=40853, note_total=42301)
    assert difference_sentence(row) == "order 408,53 ≠ note 423,01 · +14,48"
    assert finding_sentence(row) == "Value divergence: order 408,53 ≠ note 423,01 · +14,48"
    assert difference_sentence(replace(row, note_total=40000)) == "order 408,53 ≠ note 400,00 · -8,53"
    assert difference_sentence(row_of(opened, "R2")).startswith("made by hand")


def test_rows_of_value_divergences_have_both_totals(opened: OpenArchive) -> None:
    row = row_of(opened, "R3")
    assert row.order_total == 1000
    assert row.note_total == sum(
        side.row.total or 0 for side in queries.side_by_side(opened, row.id).papers if side.row
    )


# -- whose it is, and until when -----------------------------------------------------------------------------


def test_findings_are_given_to_somebody_until_a_day(workspace: Workspace, opened: OpenArchive) -> None:
    ids = [row.id for row in rows(opened)][:2]
    done = assignments.assign(workspace, ids, " Ana ", date(2026, 11, 5))
    assert (done.findings, done.assignee) == (2, "Ana")
    assert {row.id for row in rows(opened, assignee="ana")} == set(ids)
    assert {row.id for row in rows(opened, due_before="2026-11-06")} == set(ids)
    assert rows(opened, due_before="2026-11-05") == ()
    assert all(row.is_overdue == (datetime.now(UTC).date() > date(2026, 11, 5)) for row in rows(opened, assignee="Ana"))
    assert assignments.assignees(opened) == ("Ana",)
    with opened.reading() as transaction:
        assert audit.lines(transaction, 1)[0].action == "finding assign"
    assignments.assign(workspace, ids, None, None)
    assert rows(opened, assignee="Ana") == ()
    with pytest.raises(NotInArchive, match="no finding 999"):
        assignments.assign(workspace, [999], "Ana", None)
    with pytest.raises(UsageFault, match="too long"):
        assignments.assign(workspace, ids, "A" * 201, None)


def test_an_assignee_is_found_whatever_the_case_and_accents(workspace: Workspace, opened: OpenArchive) -> None:
    one, other, third, *_ = [row.id for row in rows(opened)]
    assignments.assign(workspace, [one], "José Ávila", None)
    assignments.assign(workspace, [other], "JOSÉ ávila", None)
    assignments.assign(workspace, [third], "José", None)
    for typed in ("José Ávila", "josé ávila", " JOSÉ ÁVILA ", "jose  avila"):
        assert {row.id for row in rows(opened, assignee=typed)} == {one, other}
        assert queries.count(opened, FindingQuery(ACCOUNT, FindingFilter(assignee=typed))) == 2
    assert rows(opened, assignee="nobody") == ()


def test_undo_takes_an_assignment_back_and_redo_gives_it_again(workspace: Workspace, opened: OpenArchive) -> None:
    one, other, *_ = [row.id for row in rows(opened)]

    def given() -> list[tuple[str | None, str | None]]:
        stored = [queries.finding(opened, number).stored for number in (one, other)]
        return [(entry.assignee, entry.due_on) for entry in stored]

    assignments.assign(workspace, [one], "Rui", None)
    decisions.note(workspace, [one], "asked the client")
    done = assignments.assign(workspace, [one, other], "Ana", date(2026, 11, 5))
    assert done.act is not None and given() == [("Ana", "2026-11-05")] * 2
    assert assignments.assign(workspace, [one, other], "Ana", date(2026, 11, 5)).act is None, "it was so already"
    steps = decisions.steps(opened, ACCOUNT)
    assert str(steps.undo) == "2 findings were assigned to Ana, until 2026-11-05."
    acted = decisions.undo(workspace, ACCOUNT)
    assert (acted.act, acted.findings, {place.id for place in acted.about}) == (done.act, 2, {one, other})
    assert given() == [("Rui", None), (None, None)]
    assert queries.finding(opened, one).stored.note == "asked the client", "undo moves nothing else"
    decisions.undo(workspace, ACCOUNT)
    assert str(decisions.steps(opened, ACCOUNT).undo) == "1 finding was assigned to Rui."
    decisions.undo(workspace, ACCOUNT)
    assert given() == [(None, None)] * 2
    for _ in range(3):
        decisions.redo(workspace, ACCOUNT)
    assert given() == [("Ana", "2026-11-05")] * 2
    (newest, *_rest) = decisions.history(opened, ACCOUNT, finding=one)
    assert newest.act == done.act and not newest.undone


# -- a reviewer's signature ----------------------------------------------------------------------------------


def test_a_signature_is_withdrawn_when_a_finding_changes(workspace: Workspace, opened: OpenArchive) -> None:
    signed = signoffs.sign(workspace, EMITTER, "2026-10", "Ana", "looked at")
    assert signed.stands and signed.signed.findings == 3 and signed.open_findings == 3
    september = signoffs.sign(workspace, EMITTER, "2026-09", "Rui")
    acted = decisions.explain(workspace, [row_of(opened, "R3").id], "agreed")
    assert [str(sentence)[:24] for sentence in acted.withdrawn] == ["The signature of Ana und"]
    (now,) = signoffs.history(opened, EMITTER, "2026-10")
    assert not now.stands and now.withdrawn_at is not None and now.signed.note == "looked at"
    (other,) = signoffs.history(opened, EMITTER, "2026-09")
    assert other.stands and other.at == september.at
    again = signoffs.sign(workspace, EMITTER, "2026-10", "Ana")
    assert (again.signed.findings, again.open_findings) == (3, 2)
    assert decisions.explain(workspace, [row_of(opened, "R3").id], "agreed").withdrawn == ()
    assert str(signoffs.sentence(signoffs.history(opened, month="2026-10")[0])).startswith("Signed by Ana on ")


def test_undo_takes_a_signature_back_and_the_one_before_it_stands_again(
    workspace: Workspace, opened: OpenArchive
) -> None:
    def standing() -> list[str]:
        return [entry.reviewer for entry in signoffs.history(opened, EMITTER, "2026-10") if entry.stands]

    signoffs.sign(workspace, EMITTER, "2026-10", "Ana")
    signoffs.sign(workspace, EMITTER, "2026-10", "Rui", "looked at again")
    assert standing() == ["Rui"]
    assert "signed by Rui" in str(decisions.undo(workspace, ACCOUNT).what)
    assert standing() == ["Ana"]
    (taken_back, _) = signoffs.history(opened, EMITTER, "2026-10")
    assert taken_back.is_taken_back and "taken back on" in str(signoffs.sentence(taken_back))
    decisions.redo(workspace, ACCOUNT)
    assert standing() == ["Rui"]
    decisions.undo(workspace, ACCOUNT)
    decisions.undo(workspace, ACCOUNT)
    assert standing() == []
    decisions.redo(workspace, ACCOUNT)
    assert standing() == ["Ana"]
    with opened.reading() as transaction:
        assert [line.action for line in audit.lines(transaction, 2)] == ["redo", "signature stands again"]


def test_a_signature_that_was_taken_back_stays_so_when_another_account_takes_back_the_next(
    workspace: Workspace, opened: OpenArchive
) -> None:
    """Undo is of an account, and two accounts may have the same establishment."""
    with workspace.writing("test") as archive, archive.writing() as transaction:
        of_it = accounts.named(transaction, ACCOUNT).establishments
        accounts.add(
            transaction,
            name="second",
            environment="production",
            address="https://hub.example",
            platform="plugg",
            establishments=of_it,
        )
    signoffs.sign(workspace, EMITTER, "2026-10", "Ana", account=ACCOUNT)
    signoffs.sign(workspace, EMITTER, "2026-10", "Rui", account="second")
    decisions.undo(workspace, ACCOUNT)
    decisions.undo(workspace, "second")
    assert not any(entry.stands for entry in signoffs.history(opened)), "Ana's was taken back before Rui's"
    decisions.redo(workspace, ACCOUNT)
    assert [entry.reviewer for entry in signoffs.history(opened) if entry.stands] == ["Ana"]


def test_a_signature_that_findings_outgrew_does_not_stand_again(workspace: Workspace, opened: OpenArchive) -> None:
    signoffs.sign(workspace, EMITTER, "2026-10", "Ana")
    decisions.explain(workspace, [row_of(opened, "R3").id], "agreed")
    signoffs.sign(workspace, EMITTER, "2026-10", "Rui")
    decisions.undo(workspace, ACCOUNT)
    assert not any(entry.stands for entry in signoffs.history(opened)), "Ana signed the month with R3 open"
    decisions.redo(workspace, ACCOUNT)
    assert [entry.reviewer for entry in signoffs.history(opened) if entry.stands] == ["Rui"]


def test_signatures_do_not_outlive_the_account_whose_findings_were_signed(
    workspace: Workspace, opened: OpenArchive
) -> None:
    signoffs.sign(workspace, EMITTER, "2026-10", "Ana")
    signoffs.sign(workspace, EMITTER, "2019-01", "Rui")  # a month without findings
    use_case.remove(workspace, ACCOUNT)
    assert not any(entry.stands for entry in signoffs.history(opened))
    with opened.reading() as transaction:
        lines = audit.lines(transaction, 3)
    assert {(line.action, line.subject, line.detail) for line in lines if line.action != "account remove"} == {
        ("signature withdrawn", f"{EMITTER} {month}", "account removed") for month in ("2026-10", "2019-01")
    }


def test_a_signature_needs_a_reviewer_and_an_establishment(workspace: Workspace) -> None:
    with pytest.raises(UsageFault, match="Nobody was named"):
        signoffs.sign(workspace, EMITTER, "2026-10", " ")
    with pytest.raises(NotInArchive, match="No account has"):
        signoffs.sign(workspace, RECIPIENT, "2026-10", "Ana")


# -- two contents of one key ---------------------------------------------------------------------------------


def test_two_contents_of_one_key_are_compared_line_by_line(workspace: Workspace, opened: OpenArchive) -> None:
    with workspace.writing("test") as archive:
        store(archive, note(1, total="11.00"))
        with archive.reading() as transaction:
            owner = accounts.named(transaction, ACCOUNT)
        business.run(archive, owner, found=(business.a_finding("R7a", keys=(key(1),)),))
    contents = queries.side_by_side(opened, row_of(opened, "R7a").id).contents
    values = {str(line.field): (line.order_value, line.paper_value, line.agrees) for line in contents}
    assert values["Total"] == ("R$ 10,00", "R$ 11,00", False)
    assert values["Date"][2] and not values["SHA-256"][2]
    assert queries.side_by_side_of(opened, ACCOUNT, key=key(1)).contents == ()
