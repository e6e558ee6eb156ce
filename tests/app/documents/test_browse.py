"""What a window asks of the archive, held against what Python makes of its rows, on a synced world and from threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.browse import SORTS, DocumentQuery, DocumentRow
from confere.archive.documents import documents
from confere.archive.documents.search.document_query import Lookup
from confere.archive.store import Archive
from confere.errors import ArchiveMissing, NotInArchive, UsageFault
from confere.fiscal import model
from confere.fiscal.warnings import attention_count
from tests.archive.listed import VOIDING
from tests.archive.papers import EMITTER, RECIPIENT, cancellation, key, note, store
from tests.archive.query_plans import plans
from tests.bench import many
from tests.desktop.once import made_once

VOID = frozenset(state.value for state in model.VOID)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenArchive]:
    """A world of 300 documents, synced: notes, freight, voidings, cancellations, all with the hub's word."""

    def make(home: Path) -> None:
        path = Workspace.at(home).home.archive
        home.mkdir()
        many.synced(path, 300)
        with Archive.to_write(path, "test") as archive:
            store(archive, note(1, cstat=None, item="Chaleira Elétrica"), VOIDING, b"<other/>")

    found = OpenArchive(Workspace.at(made_once(tmp_path_factory, "browsing", make)))
    yield found
    found.close()


@pytest.fixture(scope="module")
def every(opened: OpenArchive) -> tuple[DocumentRow, ...]:
    return browse.rows(opened, browse.snapshot(opened, DocumentQuery()))


@pytest.fixture(scope="module")
def company(opened: OpenArchive) -> str:
    return browse.companies(opened)[0].tax_id


@pytest.fixture(params=["looked up", "read whole"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to read what belongs to a company, or has a word, must say the same."""
    monkeypatch.setattr(documents, "_MANY", 1 if request.param == "read whole" else 10**9)
    return str(request.param)


def test_first_rows_snapshot_and_totals_agree_in_every_order(
    opened: OpenArchive, company: str, every: tuple[DocumentRow, ...], way: str
) -> None:
    own = browse.own_tax_ids(opened)
    month = {"from_day": "2026-01-01", "to_day": "2026-06-30"}
    for scope in (DocumentQuery(), DocumentQuery(company=company), DocumentQuery(company=company, **month)):
        members = set(browse.snapshot(opened, scope))
        assert len(members) > 60
        for sort in SORTS:
            for descending in (True, False):
                query = replace(scope, sort=sort, descending=descending)
                ids = browse.snapshot(opened, query)
                assert set(ids) == members
                assert len(ids) == len(members)
                rows = browse.rows(opened, ids)
                assert [row.id for row in browse.first(opened, query, 20)] == list(ids[:20])
                values = [_value(sort, row, {company} if scope.company else own) for row in rows]
                there = [value for value in values if value is not None]
                assert values == sorted(there, reverse=descending) + [None] * (len(values) - len(there))
        rows = tuple(row for row in every if row.id in members)
        _same_totals(browse.totals(opened, scope), rows)
        _same_totals(browse.totals_of(opened, members), rows)


def _marks(row: DocumentRow) -> int:
    return attention_count(code for code, _ in row.warnings)


def _value(sort: str, row: DocumentRow, own: set[str] | frozenset[str]) -> Any:
    if sort == "counterparty":
        name = browse.counterparty(row, own)[1]
    elif sort in ("emitter", "recipient"):
        name = getattr(row, f"{sort}_name")
    else:
        return {
            "issued": row.issued_on,
            "order": row.hub_order_id,
            "marketplace": row.hub_marketplace,
            "warnings": _marks(row) or None,
        }.get(sort, getattr(row, sort, None))
    return None if name is None else name.translate({letter: letter + 32 for letter in range(65, 91)})


def _same_totals(found: browse.DocumentTotals, rows: tuple[DocumentRow, ...]) -> None:
    void = [row for row in rows if row.state in VOID]
    worth = sum(row.total or 0 for row in void)
    assert found == browse.DocumentTotals(len(rows), sum(row.total or 0 for row in rows) - worth, len(void), worth)


FILTERS: dict[str, tuple[dict[str, Any], Callable[[DocumentRow], bool]]] = {
    "types": ({"types": ("cte", "voiding")}, lambda row: row.type in ("cte", "voiding")),
    "states": ({"states": ("cancelled",)}, lambda row: row.state == "cancelled"),
    "operations": (
        {"operations": ("freight", "sale_return")},
        lambda row: row.operation in ("freight", "sale_return"),
    ),
    "marketplaces": (
        {"marketplaces": ("LOJA_VERDE", "FEIRA_DIGITAL")},
        lambda row: row.hub_marketplace in ("LOJA_VERDE", "FEIRA_DIGITAL"),
    ),
    "subtype": ({"subtype": "sale"}, lambda row: row.hub_subtype == "sale"),
    "account": ({"account": "bench", "marketplaces": ("LOJA_VERDE",)}, lambda row: row.hub_marketplace == "LOJA_VERDE"),
    "totals": ({"total_from": 5_000, "total_to": 20_000}, lambda row: 5_000 <= (row.total or 0) <= 20_000),
    "warned": ({"with_warnings": True}, lambda row: _marks(row) > 0),
    "not warned": ({"with_warnings": False}, lambda row: _marks(row) == 0),
    "environment": ({"environment": "1"}, lambda row: row.environment == "1"),
    "cfop": ({"cfop": "5102"}, lambda row: "5102" in (row.cfops or "").split(",")),
    "emitter": ({"emitter": "11.222.333/0001-81"}, lambda row: row.emitter_tax_id == EMITTER),
    "emitter's root": ({"emitter": "11222333"}, lambda row: (row.emitter_tax_id or "").startswith("11222333")),
    "emitter's name": ({"emitter": "sao LOJA"}, lambda row: row.emitter_name == "Loja São João"),
    "recipient": ({"recipient": RECIPIENT}, lambda row: row.recipient_tax_id == RECIPIENT),
    "recipient's name": ({"recipient": "avo"}, lambda row: "Avó" in (row.recipient_name or "")),
    "nobody": ({"recipient": "%_*"}, lambda row: False),
    "words": (
        {"matching": Lookup("words", "chaleira ELETR")},
        lambda row: row.emitter_tax_id == EMITTER and row.type == "nfe",
    ),
    "a marketplace's order": ({"matching": Lookup("number", "1000252")}, lambda row: row.hub_order_id == "1000252"),
    "item": ({"item_words": "eletrica chal"}, lambda row: row.emitter_tax_id == EMITTER and row.type == "nfe"),
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_filter_holds_exactly_what_its_rows_say(
    opened: OpenArchive, every: tuple[DocumentRow, ...], company: str, way: str, name: str
) -> None:
    changes, meant = FILTERS[name]
    wanted = {row.id for row in every if meant(row)}
    assert wanted or name == "nobody"
    assert len(wanted) < len(every)
    for sort in ("issued", "counterparty"):
        assert set(browse.snapshot(opened, DocumentQuery(**changes, sort=sort))) == wanted
    members = set(browse.snapshot(opened, DocumentQuery(company=company)))
    query = DocumentQuery(**changes, company=company, sort="total")
    assert set(browse.snapshot(opened, query)) == wanted & members
    assert browse.totals(opened, query).count == len(wanted & members)


def test_states_of_brazil_and_codes_of_goods(opened: OpenArchive, every: tuple[DocumentRow, ...]) -> None:
    papers = {row.id: browse.full(opened, row.id) for row in every}

    def ufs(number: int) -> set[str | None]:
        found = {party.uf for party in papers[number].parties if party.role in ("emitter", "recipient")}
        voiding = papers[number].voiding
        return found | ({"SP"} if voiding is not None and voiding.uf_code == "35" else set())

    wanted = {number for number in papers if "SP" in ufs(number)}
    assert {row.type for row in every if row.id in wanted} >= {"nfe", "voiding"}
    assert set(browse.snapshot(opened, DocumentQuery(uf="sp"))) == wanted
    counted = {choice.value: choice.documents for choice in browse.choices(opened, DocumentQuery()).ufs}
    assert counted["SP"] == len(wanted)
    assert {c.value: c.documents for c in browse.choices(opened, DocumentQuery(uf="SP")).ufs} == counted
    goods = {number for number, paper in papers.items() if any((i.ncm or "").startswith("6911") for i in paper.items)}
    assert goods
    assert set(browse.snapshot(opened, DocumentQuery(ncm="69.11"))) == goods


def test_direction_as_the_company_or_else_our_establishments_see_it(
    opened: OpenArchive, every: tuple[DocumentRow, ...], company: str, way: str
) -> None:
    own = browse.own_tax_ids(opened)
    owners = {
        row.id: [p.tax_id for p in browse.full(opened, row.id).parties if p.role in ("recipient", "taker")]
        for row in every
    }

    def seen(row: DocumentRow, eyes: set[str] | frozenset[str]) -> str | None:
        if row.emitter_tax_id in eyes:
            return "in" if row.direction == "0" else "out"
        if eyes & set(owners[row.id]):
            return "in"
        return {"0": "in", "1": "out"}.get(row.direction or "")

    members = set(browse.snapshot(opened, DocumentQuery(company=company)))
    for direction in ("in", "out"):
        wanted = {row.id for row in every if seen(row, own) == direction}
        assert {row.type for row in every if row.id in wanted} >= ({"cte"} if direction == "in" else {"nfe", "voiding"})
        assert set(browse.snapshot(opened, DocumentQuery(direction=direction))) == wanted
        theirs = {row.id for row in every if row.id in members and seen(row, {company}) == direction}
        assert set(browse.snapshot(opened, DocumentQuery(direction=direction, company=company))) == theirs


def test_choices_leave_their_own_filter_out(
    opened: OpenArchive, every: tuple[DocumentRow, ...], company: str, way: str
) -> None:
    found = browse.choices(opened, DocumentQuery(types=("cte",)))
    freight = [row for row in every if row.type == "cte"]
    assert {choice.value: choice.documents for choice in found.types} == Counter(row.type for row in every)
    assert {choice.value: choice.documents for choice in found.states} == Counter(row.state for row in freight)
    assert {choice.value: choice.documents for choice in found.operations} == Counter(row.operation for row in freight)
    marketplaces = Counter(row.hub_marketplace for row in freight if row.hub_marketplace)
    assert {choice.value: choice.documents for choice in found.marketplaces} == marketplaces
    counts = [choice.documents for choice in found.types]
    assert counts == sorted(counts, reverse=True)
    of_company = browse.choices(opened, DocumentQuery(company=company))
    assert sum(choice.documents for choice in of_company.types) == len(
        browse.snapshot(opened, DocumentQuery(company=company))
    )


def test_companies_and_months_count_documents(opened: OpenArchive, every: tuple[DocumentRow, ...]) -> None:
    found = browse.companies(opened)
    *of_account, of_files = found
    assert {company.account for company in of_account} == {"bench"}
    assert all(company.name for company in found)
    assert {company.tax_id for company in of_account} == browse.own_tax_ids(opened)
    assert (of_files.tax_id, of_files.account) == (EMITTER, None)  # of no account, nor of a carrier that one has
    counts = [len(browse.snapshot(opened, DocumentQuery(company=company.tax_id))) for company in of_account]
    assert counts == sorted(counts, reverse=True)
    months = browse.months(opened, None)
    assert {entry.month: entry.documents for entry in months} == Counter(
        row.issued_on[:7] for row in every if row.issued_on
    )
    assert [entry.month for entry in months] == sorted((entry.month for entry in months), reverse=True)
    theirs = browse.months(opened, found[0].tax_id)
    assert sum(entry.documents for entry in theirs) == counts[0]
    assert theirs[0].month > theirs[-1].month


def test_a_paper_by_row_key_digest_and_its_bytes(opened: OpenArchive, every: tuple[DocumentRow, ...]) -> None:
    row = next(entry for entry in every if entry.access_key and entry.type == "nfe")
    assert row.access_key is not None
    assert browse.id_of(opened, row.access_key) == row.id
    assert browse.full(opened, row.id).row == row
    assert browse.named(opened, row.access_key) == browse.named(opened, row.sha256) == browse.full(opened, row.id)
    assert browse.named(opened, row.access_key) == browse.show(opened.workspace, row.access_key)
    assert browse.content(opened, row.sha256) == browse.xml(opened.workspace, row.sha256)
    assert row.access_key.encode() in browse.content(opened, row.sha256)
    assert browse.id_of(opened, key(999)) is None
    assert browse.rows(opened, [row.id, 10**9]) == (row,)
    for ask in (lambda: browse.full(opened, 10**9), lambda: browse.content(opened, "0" * 64)):
        with pytest.raises(NotInArchive):
            ask()
    with pytest.raises(UsageFault):
        browse.totals(opened, DocumentQuery(total_from=2**63))


def test_many_threads_ask_at_once(opened: OpenArchive, every: tuple[DocumentRow, ...], company: str) -> None:
    queries = [DocumentQuery(sort=sort, company=owner) for sort in SORTS for owner in (None, company)]
    expected = [browse.snapshot(opened, query) for query in queries]
    with ThreadPoolExecutor(3) as pool:
        for _ in range(5):
            assert list(pool.map(lambda query: browse.snapshot(opened, query), queries)) == expected
            assert list(pool.map(lambda row: browse.full(opened, row.id).row, every[:50])) == list(every[:50])


def test_without_accounts_everybody_who_emitted_is_a_company(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path)
    with workspace.writing("test") as archive:
        other = "11444777000161"
        store(archive, note(1), note(2), note(3, emitter=other), cancellation(1))
    opened = OpenArchive(workspace)
    found = browse.companies(opened)
    assert [(company.tax_id, company.name, company.account) for company in found] == [
        (EMITTER, "Loja São João", None),
        (other, "Loja São João", None),
    ]
    assert browse.totals(opened, DocumentQuery()) == browse.DocumentTotals(3, 2000, 1, 1000)
    row = browse.first(opened, DocumentQuery(emitter=EMITTER))[0]
    assert browse.counterparty(row, browse.own_tax_ids(opened)) == (EMITTER, "Loja São João")
    assert browse.counterparty(row, {EMITTER}) == (other, "Cliente Avó")
    opened.close()


def test_suppliers_and_buyers_of_a_company_known_from_files_are_no_companies(tmp_path: Path) -> None:
    workspace = Workspace.at(tmp_path)
    supplier = "22333444000181"
    with workspace.writing("test") as archive:
        bought = note(9, emitter=supplier).replace(RECIPIENT.encode(), EMITTER.encode())
        store(archive, note(1), note(2), bought)
    opened = OpenArchive(workspace)
    assert [company.tax_id for company in browse.companies(opened)] == [EMITTER]
    opened.close()


def test_without_an_archive_every_question_says_so(tmp_path: Path) -> None:
    opened = OpenArchive(Workspace.at(tmp_path))
    with pytest.raises(ArchiveMissing):
        browse.first(opened, DocumentQuery())


def test_what_orders_read_is_the_narrow_index(opened: OpenArchive) -> None:
    for sort in SORTS:
        query = DocumentQuery(sort=sort, from_day="")  # of all, some orders have an index of their own
        with opened.reading() as transaction:
            (steps,) = plans(transaction, partial(documents.ids, query=query))
        assert steps[0] == "SEARCH d covering ix_document_list (issued_on>?)"
