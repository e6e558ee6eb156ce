"""R27: items of invoices against the catalog, field by field; one finding a mistake, and nothing by silence."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from confere.reconcile.goods.catalog_comparison import NO_GTIN, gtin_of
from confere.reconcile.undecided_reasons import Reason
from confere.sales.catalog_product import CatalogProduct, CatalogSku, SoldSku
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import FiscalDescription, ItemQuantity, PaperEntry
from tests.reconcile.made import find, ledger, note, only, words

EAN = "7891000315507"
OTHER_EAN = "7891000100103"
BOX = "17891000315504"  # a box of EAN


def sold(code: str = "SKU-1", *, product: str = "1001", gone_since: str | None = None, **facts: Any) -> SoldSku:
    """A T-shirt of the catalog."""
    told: dict[str, Any] = {"ncm": "61091000", "origin": "0", "ean": EAN, "unit": "UN"} | facts
    sku = CatalogSku("5", code, told["ean"], "Camiseta azul", 5990, None, told["unit"], None)
    described = CatalogProduct(product, "Camiseta", told["ncm"], told["origin"], None, None, None, None, None, (sku,))
    return SoldSku(described, sku, gone_since)


def line(code: str | None = "SKU-1", ean: str | None = EAN, **facts: Any) -> ItemQuantity:
    """What an invoice says of it."""
    told: dict[str, Any] = {"ncm": "61091000", "unit": "UN", "origin": "0"} | facts
    return ItemQuantity(code, ean, Decimal(1), 5_990, "Camiseta azul", FiscalDescription(**told))


def sale(*lines: ItemQuantity, number: int = 100, day: str = "2026-03-10", **facts: Any) -> PaperEntry:
    return note(number, day, lines=lines, **facts)


def catalog_findings(catalog: tuple[SoldSku, ...] | None, *papers: PaperEntry) -> list[Finding]:
    return find("R27", ledger([], papers, catalog=catalog))


def test_what_agrees_is_no_finding() -> None:
    assert catalog_findings((sold(),), sale(line())) == []


@pytest.mark.parametrize(
    ("listed", "noted", "field", "severity"),
    [
        ({}, {"ncm": "64041100"}, "ncm/1001/64041100/61091000", Severity.MEDIUM),
        ({}, {"ncm": "00000000"}, "ncm/1001/00000000/61091000", Severity.MEDIUM),
        ({"origin": "1"}, {}, "origin/1001/0/1", Severity.MEDIUM),
        ({}, {"origin": "8"}, "origin/1001/8/0", Severity.MEDIUM),
        ({"unit": "CX"}, {}, "unit/SKU-1/UN/CX", Severity.LOW),
        ({}, {"unit": "PC"}, "unit/SKU-1/PC/UN", Severity.LOW),
        ({"ean": OTHER_EAN}, {}, f"ean/SKU-1/{EAN}/{OTHER_EAN}", Severity.LOW),
        ({}, {"ean": OTHER_EAN}, f"ean/SKU-1/{OTHER_EAN}/{EAN}", Severity.LOW),
        ({}, {"ean": None}, f"ean/SKU-1/{NO_GTIN}/{EAN}", Severity.LOW),
        ({}, {"ean": NO_GTIN}, f"ean/SKU-1/{NO_GTIN}/{EAN}", Severity.LOW),
        ({"code": "OTHER"}, {}, "code/OTHER/SKU-1/OTHER", Severity.LOW),
    ],
)
def test_what_does_not(listed: dict[str, Any], noted: dict[str, Any], field: str, severity: Severity) -> None:
    paper = sale(line(**noted))
    finding = only(catalog_findings((sold(**listed),), paper))
    assert (finding.subject, finding.severity, finding.period) == (field, severity, "2026-03")
    assert (finding.orders, finding.keys, finding.amount, finding.checked) == ((), (), None, True)
    assert "SKU-1 Camiseta azul" in words(finding)
    assert "Invoices that say so: 1, from 10/03/2026 to 10/03/2026 (NF-e 1/100)." in words(finding)


@pytest.mark.parametrize(
    ("listed", "noted"),
    [
        ({"ncm": None}, {"ncm": "64041100"}),
        ({"ncm": "00000000"}, {"ncm": "64041100"}),
        ({"ncm": "6109"}, {"ncm": "64041100"}),
        ({}, {"ncm": "00"}),  # it says to be no product
        ({}, {"ncm": None}),
        ({"ncm": "6109.10.00"}, {}),
        ({"origin": None}, {"origin": "8"}),
        ({"origin": "9"}, {"origin": "8"}),
        ({"origin": "nacional"}, {}),
        ({}, {"origin": None}),  # under ISSQN, or not read yet: `confere reindex`
        ({"unit": None}, {"unit": "PC"}),
        ({"unit": " "}, {"unit": "PC"}),
        ({}, {"unit": None}),
        ({"ncm": "６１０９１０００"}, {}),
        ({}, {"unit": "und."}),
        ({}, {"unit": "UNIDADES"}),
        ({"unit": "peça"}, {"unit": "PC"}),
        ({"unit": "Rolo"}, {"unit": "ROLO"}),
        ({"ean": None}, {}),
        ({"ean": ""}, {"ean": OTHER_EAN}),
        ({"ean": "7891000315508"}, {"ean": OTHER_EAN}),  # its check digit is wrong: it is no GTIN
        ({"ean": "2000000000008"}, {"ean": None}),  # a company's own number
        ({"ean": "20001230"}, {"ean": None}),  # nor is one of eight digits known to a register
        ({"ean": "02000121"}, {"ean": None}),
        ({"ean": "0000020001230"}, {"ean": None}),
        ({"ean": "78912342"}, {"ean": "0000078912342"}),
        ({}, {"ean": f"0{EAN}"}),
        ({}, {"ean": BOX}),
        ({"code": "sku-1 "}, {}),
        ({"code": "AC\u0327A\u0303O  1"}, {"code": "A\u00c7\u00c3O\u00a01"}),
        ({"code": ""}, {}),  # found by its EAN, and the catalog gives no code
        ({"code": "OTHER"}, {"code": None}),
    ],
)
def test_what_says_nothing(listed: dict[str, Any], noted: dict[str, Any]) -> None:
    assert catalog_findings((sold(**listed),), sale(line(**noted))) == []


def test_an_invoice_of_an_older_reader_is_held_against_its_code_and_ean_alone() -> None:
    assert catalog_findings((sold(ncm="64041100"),), sale(ItemQuantity("SKU-1", EAN, Decimal(1), 5_990))) == []


def test_one_mistake_is_one_finding_whatever_the_number_of_invoices() -> None:
    wrong = line(ncm="64041100")
    first = only(catalog_findings((sold(),), sale(wrong, wrong, number=100, day="2026-03-10")))
    papers = [sale(wrong, number=100 + k, day=f"2026-{3 + k % 2:02d}-{10 + k}") for k in range(15)]
    later = only(catalog_findings((sold(),), *papers))
    assert later.fingerprint == first.fingerprint
    assert (first.period, later.period) == ("2026-03", "2026-04"), "it stands in the month that is to be closed"
    assert "Invoices that say so: 15, from 10/03/2026 to 23/04/2026" in words(later)
    assert [sorted(entry.params) for entry in first.evidence] == [sorted(entry.params) for entry in later.evidence]


def test_another_mistake_of_the_same_product_is_another_finding() -> None:
    both = catalog_findings((sold(),), sale(line(ncm="64041100")), sale(line(ncm="42029200"), number=101))
    assert {finding.subject for finding in both} == {"ncm/1001/64041100/61091000", "ncm/1001/42029200/61091000"}
    assert len({finding.fingerprint for finding in both}) == 2


def test_the_skus_of_one_product_share_its_ncm() -> None:
    catalog = (sold("SKU-1", ncm="64041100"), sold("SKU-2", ncm="64041100", ean=OTHER_EAN))
    finding = only(catalog_findings(catalog, sale(line("SKU-1"), line("SKU-2", OTHER_EAN))))
    assert "SKU-1 Camiseta azul, SKU-2 Camiseta azul" in words(finding)


def test_a_code_that_two_products_have_agrees_with_either() -> None:
    catalog = (sold(ncm="64041100"), sold(product="1002"))
    assert catalog_findings(catalog, sale(line())) == []
    finding = only(catalog_findings(catalog, sale(line(ncm="42029200"))))
    assert finding.subject == "ncm/1001/42029200/61091000, 64041100"


def test_many_items_with_the_same_mistake_are_one_finding() -> None:
    catalog = tuple(sold(f"SKU-{k}", product=str(k), ean=None, unit="CX") for k in range(20))
    papers = [sale(line(f"SKU-{k}", None), number=200 + k, day=f"2026-{3 + k % 2:02d}-10") for k in range(20)]
    finding = only(catalog_findings(catalog, *papers))
    assert (finding.subject, finding.period, finding.severity) == ("unit/UN/CX", "2026-04", Severity.LOW)
    assert "The same of many items (20): Invoices sell SKU-0 Camiseta azul" in words(finding)
    fewer = catalog_findings(catalog, *papers[:19])
    assert len(fewer) == 19


def test_eans_and_codes_that_are_wrong_throughout_are_one_finding() -> None:
    def gtin(k: int) -> str:
        body = f"789{k:09d}"
        digit = -sum(int(one) * (1, 3)[place % 2] for place, one in enumerate(body)) % 10
        return f"{body}{digit}"

    catalog = tuple(sold(f"SKU-{k}", product=str(k), ean=gtin(k)) for k in range(20))
    wrong = [sale(line(f"SKU-{k}", gtin(k + 500)), number=200 + k) for k in range(20)]
    assert only(catalog_findings(catalog, *wrong)).subject == "ean"
    without = [sale(line(f"SKU-{k}", None), number=200 + k) for k in range(20)]
    assert only(catalog_findings(catalog, *without)).subject == f"ean/{NO_GTIN}"
    renamed = [sale(line(f"X-{k}", gtin(k)), number=200 + k) for k in range(20)]
    assert only(catalog_findings(catalog, *renamed)).subject == "code"


def test_an_item_that_the_catalog_does_not_have_is_not_checked() -> None:
    papers = [sale(line("KIT-9", None), line("KIT-9", None)), sale(line(None, OTHER_EAN), number=101)]
    finding = only(catalog_findings((sold(),), *papers))
    assert (finding.checked, finding.period, finding.subject) == (False, "2026-03", "2026-03/not_in_catalog")
    assert Reason.NOT_IN_CATALOG.value in words(finding)
    assert f"2 (KIT-9, {OTHER_EAN})" in words(finding)


def test_a_product_counts_until_the_catalog_no_longer_lists_it() -> None:
    gone = (sold(ncm="64041100", gone_since="2026-03-15T10:00:00+00:00"),)
    assert only(catalog_findings(gone, sale(line(), day="2026-03-14"))).checked
    assert not only(catalog_findings(gone, sale(line(), day="2026-03-15"))).checked
    both = catalog_findings(gone, sale(line(), day="2026-03-14"), sale(line(), day="2026-03-16", number=101))
    assert [finding.checked for finding in both] == [True, False]


def test_without_a_catalog_nothing_is_checked() -> None:
    papers = [sale(line(ncm="64041100")), sale(line(), number=101, day="2026-04-02")]
    found = catalog_findings(None, *papers)
    assert [(finding.period, finding.checked) for finding in found] == [("2026-03", False), ("2026-04", False)]
    assert Reason.NO_CATALOG.value in words(found[0])
    assert catalog_findings(None, replace(papers[0], lines=())) == []


def test_an_empty_catalog_has_none_of_the_items() -> None:
    assert Reason.NOT_IN_CATALOG.value in words(only(catalog_findings((), sale(line()))))


@pytest.mark.parametrize(
    "facts",
    [
        {"state": "cancelled"},
        {"state": "test"},
        {"operation": "devolution", "purpose": "4"},
        {"emitter": "99888777000161"},
    ],
)
def test_only_sales_of_the_account_that_stand(facts: dict[str, Any]) -> None:
    assert catalog_findings((sold(),), sale(line(ncm="64041100"), **facts)) == []


@pytest.mark.parametrize(
    ("written", "gtin"),
    [
        (EAN, f"0{EAN}"),
        (BOX, BOX),
        ("96385074", "00000096385074"),
        ("036000291452", "00036000291452"),
        (f" {EAN} ", f"0{EAN}"),
        ("7891000315508", None),
        ("789100031550", None),
        ("0200000000004", None),
        ("0400000000002", None),
        ("2000000000008", None),
        ("00000000", None),
        ("SEM GTIN", None),
        ("٧٨٩١٠٠٠٣١٥٥٠٧", None),
        ("", None),
        (None, None),
    ],
)
def test_gtins(written: str | None, gtin: str | None) -> None:
    assert gtin_of(written) == gtin
