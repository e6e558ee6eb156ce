"""The ledger of an account: what reconciliation looks at, read back as it was recorded."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account, Establishment
from confere.archive.authenticity import verdicts
from confere.archive.engine import PAGE_SIZE
from confere.archive.hub import coverage
from confere.archive.orders import order_requests
from confere.archive.orders.order_requests import ABSENT, FOUND, Asked
from confere.archive.reconciliation import input_reader, tax_groups
from confere.archive.store import Archive
from confere.errors import ArchiveCorrupt
from confere.fiscal.document_parts import TaxSums
from confere.fiscal.tax_groups import TaxGroup
from confere.sales.order import OrderInvoice
from confere.sales.reconciliation_input import (
    DocumentEvent,
    DocumentReference,
    ItemQuantity,
    Ledger,
    ListedPeriod,
    PaperEntry,
    ReturnEntry,
)
from tests.archive.authenticity.test_verdicts import BAD, GOOD, OPEN, judge
from tests.archive.freights import freight, freight_key
from tests.archive.listed import VOIDING, observe
from tests.archive.papers import EMITTER, RECIPIENT, cancellation, key, note, store
from tests.archive.sold import a_return, an_order, received, record, record_returns
from tests.fiscal import heads_made

OTHER = "99888777000166"
FULL = (
    note(1, order="V-900")
    .replace(b"<CFOP>5102</CFOP>", b"<CFOP>5102</CFOP><indTot>1</indTot>")
    .replace(
        b"</prod></det>",
        b"</prod><imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST><vBC>10.00</vBC><vICMS>1.80</vICMS></ICMS00></ICMS>"
        b"</imposto></det>",
    )
    .replace(b"<vNF>10.00</vNF>", b"<vICMS>1.80</vICMS><vFrete>2.00</vFrete><vNF>10.00</vNF>")
    .replace(
        b"<compra>",
        b"<transp><modFrete>0</modFrete><vol><pesoB>1.250</pesoB></vol></transp><infAdic><infCpl>Pedido LV-00100123"
        b'</infCpl><obsCont xCampo="external_id"><xTexto>SALE-sale-900-1</xTexto></obsCont></infAdic><compra>',
    )
    .replace(b"<xNome>Cliente", b"<enderDest><UF>RJ</UF></enderDest><xNome>Cliente")
)


@pytest.fixture
def account(archive: Archive) -> Account:
    with archive.writing() as transaction:
        shop = accounts.add(
            transaction,
            name="shop",
            environment="production",
            address="x",
            platform="x",
            establishments=[Establishment(EMITTER)],
        )
        accounts.add(transaction, name="other", environment="production", address="y", platform="x")
    return shop


def load(archive: Archive, name: str = "shop", *, lines: bool = True) -> Ledger:
    with archive.reading() as transaction:
        return input_reader.load(transaction, accounts.named(transaction, name), lines=lines)


def paper(ledger: Ledger, access_key: str) -> PaperEntry:
    (found,) = (entry for entry in ledger.papers if entry.key == access_key)
    return found


def test_a_paper_says_what_it_said(archive: Archive, account: Account) -> None:
    store(archive, FULL)
    observe(archive, 1, subtype="sale", marketplace="Vitrine", order="900")
    (found,) = load(archive).papers
    assert found == PaperEntry(
        id=1,
        key=key(1),
        type="nfe",
        model="55",
        series=1,
        number=1,
        emitter=EMITTER,
        recipient=RECIPIENT,
        recipient_name="Cliente Avó",
        issued_at="2026-10-05T10:00:00-03:00",
        issued_on="2026-10-05",
        authorized_on="2026-10-05",
        operation="sale",
        state="authorized",
        direction="1",
        destination="1",
        purpose="1",
        subtype="sale",
        marketplace="Vitrine",
        cfops=("5102",),
        total=1000,
        products=1000,
        freight=200,
        freight_mode="0",
        weight=Decimal("1.250"),
        order_id="900",
        external_id="SALE-sale-900-1",
        order_hint="V-900",
        quoted=("LV-00100123",),
        mismatches=("vFrete:0.00:2.00", "vNF:12.00:10.00"),
        uf="RJ",
        lines=(ItemQuantity("A1", None, Decimal("1.0000"), 1000, "Caneca azul"),),
    )
    assert found.period == "2026-10"


def test_an_order_says_what_it_said(archive: Archive, account: Account) -> None:
    invoice = OrderInvoice(1, 77, key(77), "2026-10-06T02:30:00Z")
    made = an_order("900", invoice=invoice, tax_id="***.111.222-**")
    record(archive, received(replace(made, partner_id="ERP-9", marketplace_number="N-9", interest_cents=30)))
    (found,) = load(archive).orders
    assert (found.numbers, found.interest) == (("V-900", "N-9", "ERP-9"), 30)
    assert (found.id, found.hub_id, found.period, found.status) == (1, "900", "2026-10", "INVOICED")
    assert (found.buyer, found.buyer_name, found.uf) == ("***111222**", "Avó Maria", "SP")
    assert (found.total, found.freight, found.gross) == (1000, 250, None)
    assert (found.marketplace, found.marketplace_id) == ("Vitrine", "V-900")
    assert (found.invoice_key, found.invoice_series, found.invoice_number) == (key(77), 1, 77)
    assert found.invoice_on == "2026-10-05"
    assert (found.shipped_at, found.delivered_at) == ("2026-10-07T01:00:00.000+00:00", None)
    assert found.lines == (ItemQuantity("A1", "7891000100103", Decimal("2.0000"), 1000, "Caneca azul"),)
    assert load(archive, "other").orders == ()


def test_without_lines(archive: Archive, account: Account) -> None:
    store(archive, note(1))
    record(archive, received(an_order()))
    found = load(archive, lines=False)
    assert (found.papers[0].lines, found.orders[0].lines) == ((), ())


def test_whose_papers(archive: Archive, account: Account) -> None:
    store(archive, note(1), note(2, emitter=OTHER), note(3, emitter=OTHER), VOIDING, b"<x/>")
    observe(archive, None, access_key=key(3, emitter=OTHER))
    found = load(archive)
    assert {entry.key for entry in found.papers} == {key(1), None, key(3, emitter=OTHER)}
    assert found.own == {EMITTER}
    (voided,) = (entry for entry in found.papers if entry.type == "voiding")
    assert (voided.emitter, voided.model, voided.series) == (EMITTER, "55", 1)
    assert (voided.first_number, voided.last_number, voided.state) == (5, 7, "voided")
    assert load(archive, "other").papers == ()


def test_the_word_of_another_accounts_hub_is_not_this_accounts(archive: Archive, account: Account) -> None:
    store(archive, note(1), note(2))
    for number in (1, 2):
        observe(archive, number, account=2, hub_id=f"other-{number}", order="555", marketplace="Feira")
    observe(archive, 2, hub_id="ours", order="900", marketplace="Vitrine")
    found = load(archive)
    assert (paper(found, key(1)).order_id, paper(found, key(1)).marketplace) == (None, "Feira")
    assert (paper(found, key(2)).order_id, paper(found, key(2)).marketplace) == ("900", "Vitrine")
    assert {entry.order_id for entry in load(archive, "other").papers} == {"555"}


def test_what_was_issued_as_a_test_is_none_of_real_business(archive: Archive, account: Account) -> None:
    store(archive, note(1), note(2).replace(b"<tpAmb>1</tpAmb>", b"<tpAmb>2</tpAmb>"))
    assert [paper(load(archive), key(number)).state for number in (1, 2)] == ["authorized", "test"]
    with archive.writing() as transaction:
        accounts.add(
            transaction,
            name="play",
            environment="sandbox",
            address="z",
            platform="x",
            establishments=[Establishment(EMITTER)],
        )
    assert [paper(load(archive, "play"), key(number)).state for number in (1, 2)] == ["authorized", "authorized"]


def test_only_what_is_registered_happened(archive: Archive, account: Account) -> None:
    store(archive, note(1), note(2), cancellation(1), cancellation(2, cstat="573"))
    found = load(archive)
    assert found.happenings == (DocumentEvent(key(1), "110111", "2026-10-06", 1),)
    assert (paper(found, key(1)).cancelled_on, paper(found, key(1)).state) == ("2026-10-06", "cancelled")
    assert paper(found, key(2)).cancelled_on == ""


def test_other_bytes_under_a_key_are_versions_of_one_paper(archive: Archive, account: Account) -> None:
    store(archive, note(1), note(1, padding=" outra"), note(2))
    found = load(archive)
    assert [(entry.number, entry.versions) for entry in found.papers] == [(1, 2), (2, 1)]


def test_the_verdict_and_what_fails_in_it(archive: Archive, account: Account) -> None:
    for place, found in enumerate((GOOD, OPEN, BAD, None), 1):
        (content_id,) = store(archive, note(place))
        if found is not None:
            judge(archive, content_id, verdicts.pack(verdicts.DOCUMENT, 0, found))
    told = [(entry.verdict, entry.failing) for entry in load(archive).papers]
    assert told == [(0, ()), (1, ()), (2, ("digest",)), (None, ())]


def test_relations_between_papers_and_what_they_name(archive: Archive, account: Account) -> None:
    store(archive, note(1), note(2, refers=key(1)), freight(1, complements=freight_key(9)))
    store(archive, note(3, emitter=OTHER, refers=key(8, emitter=OTHER)))
    found = load(archive)
    assert set(found.relations) == {
        DocumentReference(key(2), key(1), "references"),
        DocumentReference(freight_key(1), freight_key(9), "complements"),
    }


def test_what_was_listed_and_what_is_not_here(archive: Archive, account: Account) -> None:
    store(archive, note(1))
    observe(archive, 1, hub_id="fd-1")
    observe(archive, 2, hub_id="fd-2")
    days = [f"2026-10-{day:02d}T00:00:00.000+00:00" for day in range(1, 9)]
    with archive.writing() as transaction:
        for axis, narrowed, first, last, whole in (
            (coverage.CREATED, "", 0, 1, True),
            (coverage.CREATED, "", 1, 2, True),
            (coverage.CREATED, "type", 3, 4, True),
            (coverage.CREATED, "", 5, 6, False),
            (coverage.ORDERS, "", 2, 3, True),
        ):
            stretch = {"axis": axis, "from_at": days[first], "to_at": days[last], "narrowed": narrowed}
            window = coverage.begin(transaction, 1, 1, method=coverage.WINDOW, **stretch)
            if whole:
                coverage.finish(transaction, window.id)
        order_requests.mark_asked(transaction, 1, [Asked("7", ABSENT), Asked("8", FOUND)])
    found = load(archive)
    assert found.undownloaded == {key(2)}
    assert found.documents_listed == (ListedPeriod(days[0], days[2]),)
    assert found.orders_listed == (ListedPeriod(days[2], days[3]),)
    assert found.absent_orders == {"7"}


def test_returns_where_the_hub_has_a_list_of_them(archive: Archive, account: Account) -> None:
    record_returns(archive, a_return())
    assert load(archive).returns is None
    with archive.writing() as transaction:
        accounts.learn(transaction, account.id, {input_reader.HAS_RETURNS: True})
    line = ItemQuantity("A1", "7891000100103", Decimal("2.0000"), 1000, "Caneca azul")
    assert load(archive).returns == (ReturnEntry("r1", "900", "partial", "DONE", "2026-10-31", None, 500, (line,)),)


def test_tax_groups_of_the_accounts_documents(archive: Archive, account: Account) -> None:
    store(archive, FULL, note(2, emitter=OTHER), note(3).replace(b"<tpNF>1", b"<tpNF>0"), freight(4, replaces="x"))
    with archive.reading() as transaction:
        found = tax_groups.of_account(transaction, account)
        assert tax_groups.of_account(transaction, account, "2026-10") == found
        assert tax_groups.of_account(transaction, account, "2026-11") == ()
    sale, entry, cte = found
    assert sale == TaxGroup(
        *(key(1), "2026-10", "authorized", "out", "RJ"),
        TaxSums("5102", "000", products=1000, icms_base=1000, icms=180),
    )
    assert (entry.direction, entry.sums.cst, entry.sums.products) == ("in", None, 1000)
    assert (cte.key, cte.sums.cfop, cte.direction, cte.sums.products) == (freight_key(4), "5353", "out", 5000)


def test_tax_groups_of_one_company_as_it_sees_them(archive: Archive, account: Account) -> None:
    store(
        archive,
        note(1),
        note(2, emitter=OTHER),
        note(3, emitter=OTHER).replace(RECIPIENT.encode(), EMITTER.encode()),
    )
    with archive.reading() as transaction:
        mine = tax_groups.of_company(transaction, EMITTER, account)
        others = tax_groups.of_company(transaction, OTHER)
        assert tax_groups.of_company(transaction, EMITTER) == mine
        assert tax_groups.of_company(transaction, EMITTER, period="2026-11") == ()
        assert [group.key for group in tax_groups.of_company(transaction, OTHER, account)] == [key(3, emitter=OTHER)]
    assert [(group.key, group.direction) for group in mine] == [(key(1), "out"), (key(3, emitter=OTHER), "in")]
    assert [(group.key[25:34] if group.key else "", group.direction) for group in others] == [
        ("000000002", "out"), ("000000003", "out"),
    ]  # fmt: skip


def test_the_items_of_each_are_its_own(archive: Archive, account: Account) -> None:
    for number in (1, 3, 4):
        store(archive, note(number, item=f"Caneca {number}"))
    store(archive, note(2, emitter=OTHER, item="Prato"))  # between them, and of nobody here
    record(archive, received(an_order("900")), received(an_order("901", items=())), received(an_order("902")))
    found = load(archive)
    assert {entry.number: [line.description for line in entry.lines] for entry in found.papers} == {
        1: ["Caneca 1"], 3: ["Caneca 3"], 4: ["Caneca 4"]
    }  # fmt: skip
    assert [(entry.hub_id, len(entry.lines)) for entry in found.orders] == [("900", 1), ("901", 0), ("902", 1)]


def test_damage_that_is_met_while_rows_are_taken_is_told_as_damage(path: Path) -> None:
    with Archive.to_write(path, "test") as made:
        store(made, *(note(number, item="x" * 4_000) for number in range(1, 30)))
    whole = path.read_bytes()
    met_after_rows: set[bool] = set()
    for start in range(PAGE_SIZE, len(whole), PAGE_SIZE):
        path.write_bytes(whole[:start] + bytes(PAGE_SIZE) + whole[start + PAGE_SIZE :])
        taken = 0
        try:
            with Archive.to_read(path) as damaged, damaged.reading() as transaction:
                for _ in transaction.rows("SELECT document_id, description FROM item"):
                    taken += 1
        except ArchiveCorrupt:
            met_after_rows.add(taken > 0)
    assert True in met_after_rows


def test_other_models_are_no_papers_of_the_ledger(archive: Archive, account: Account) -> None:
    """No rule takes an NFS-e, a coupon or a manifest for a sale or a freight, though they belong to the company."""
    others = (heads_made.nfse(), heads_made.cfe(), heads_made.dce(), heads_made.gtve(), heads_made.mdfe(key(1)))
    store(archive, note(1), *(text.replace(heads_made.EMITTER, EMITTER).encode() for text in others))
    with archive.reading() as transaction:
        rows = list(transaction.fetch("SELECT count(*) FROM belonging WHERE tax_id = ?", (EMITTER,)))
    assert rows[0][0] == 1 + len(others)
    ledger = load(archive)
    assert [entry.key for entry in ledger.papers] == [key(1)]
    assert {relation.kind for relation in ledger.relations} <= {"manifests"}
