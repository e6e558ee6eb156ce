"""Totals and taxes of the paper, worked out again from the XML alone, in Decimal, by the layouts' own rules."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from sandbox_hub.paper.document_factory import Authority, note_xml
from sandbox_hub.paper.facts import NoteFacts, SaleItem
from tests.sandbox_hub.paper.cases import BUYER, CAMPINAS, FREIGHTS, NORMAL, NOTES, RESIDENT, SALE, SHOP, SIMPLES

CENT = Decimal("0.01")
NIL = Decimal("0.00")


def number(node: etree._Element, path: str) -> Decimal:
    """The number at a path of local names, 0.00 where the paper has none."""
    found = node.findtext("/".join(f"{{*}}{name}" for name in path.split("/")))
    return Decimal(found) if found is not None else NIL


def part(base: Decimal, rate: Decimal) -> Decimal:
    return (base * rate / 100).quantize(CENT, ROUND_HALF_UP)


def group(node: etree._Element, path: str) -> etree._Element:
    found = node.find("/".join(f"{{*}}{name}" for name in path.split("/")))
    return found if found is not None else etree.Element("absent")


def check_line(line: etree._Element, *, final_consumer: bool) -> None:
    """Products, ICMS, DIFAL, PIS, COFINS, IPI and the reform's group of one line."""
    product = group(line, "prod")
    exact = number(product, "qCom") * number(product, "vUnCom")
    assert number(product, "vProd") == exact.quantize(CENT, ROUND_HALF_UP)
    value = number(product, "vProd") - number(product, "vDesc")
    value += number(product, "vFrete") + number(product, "vSeg") + number(product, "vOutro")
    assert number(product, "vDesc") <= number(product, "vProd")

    taxes = group(line, "imposto")
    ipi = group(taxes, "IPI/IPITrib")
    assert number(ipi, "vIPI") == part(number(ipi, "vBC"), number(ipi, "pIPI"))
    assert number(ipi, "vBC") in (NIL, value)

    (icms,) = group(taxes, "ICMS")
    base = number(icms, "vBC")
    assert number(icms, "vICMS") == part(base, number(icms, "pICMS"))
    # IPI is in ICMS's base where the goods go to who uses them, and only there.
    whole = value + number(ipi, "vIPI") if final_consumer else value
    if icms.tag.endswith("ICMS00"):
        assert base == whole
    elif icms.tag.endswith("ICMS20"):
        assert base == part(whole, 100 - number(icms, "pRedBC"))
    else:
        assert base == NIL

    for name in ("PIS", "COFINS"):
        (contribution,) = group(taxes, name)
        assert number(contribution, f"v{name}") == part(number(contribution, "vBC"), number(contribution, f"p{name}"))
        assert number(contribution, "vBC") in (NIL, value - number(icms, "vICMS"))

    difal = group(taxes, "ICMSUFDest")
    if difal.tag != "absent":
        assert number(difal, "vBCUFDest") == base
        assert number(difal, "pICMSInter") == number(icms, "pICMS")
        gap = number(difal, "pICMSUFDest") - number(difal, "pICMSInter")
        assert number(difal, "vICMSUFDest") == part(base, gap)
        assert number(difal, "vFCPUFDest") == part(number(difal, "vBCFCPUFDest"), number(difal, "pFCPUFDest"))
        assert number(difal, "pICMSInterPart") == 100

    reform = group(taxes, "IBSCBS")
    if reform.tag != "absent":
        held = group(reform, "gIBSCBS")
        pis, cofins = number(taxes, "PIS/*/vPIS"), number(taxes, "COFINS/*/vCOFINS")
        expected = value - pis - cofins - number(icms, "vICMS")
        expected -= number(difal, "vICMSUFDest") + number(difal, "vFCPUFDest")
        check_reform(held, expected)
        assert number(line, "vItem") == value + number(ipi, "vIPI")


def check_reform(held: etree._Element, base: Decimal) -> None:
    """The test rates of 2026: IBS 0.1% for the state, nothing for the city, CBS 0.9%."""
    if held.tag == "absent":
        return
    assert number(held, "vBC") == base
    assert number(held, "gIBSUF/pIBSUF") == Decimal("0.1")
    assert number(held, "gIBSMun/pIBSMun") == 0
    assert number(held, "gCBS/pCBS") == Decimal("0.9")
    assert number(held, "gIBSUF/vIBSUF") == part(base, Decimal("0.1"))
    assert number(held, "gIBSMun/vIBSMun") == NIL
    assert number(held, "vIBS") == number(held, "gIBSUF/vIBSUF") + number(held, "gIBSMun/vIBSMun")
    assert number(held, "gCBS/vCBS") == part(base, Decimal("0.9"))


def check_note(data: bytes, facts: NoteFacts) -> None:
    """Every line, every total, the formula of vNF, and that 2026 alone has the reform's groups."""
    root = etree.fromstring(data)
    lines = list(root.iter("{*}det"))
    assert [line.get("nItem") for line in lines] == [str(n + 1) for n in range(len(facts.items))]
    for line in lines:
        check_line(line, final_consumer=facts.final_consumer)

    def total(path: str) -> Decimal:
        return sum((number(line, path) for line in lines), NIL)

    totals = group(root, "NFe/infNFe/total/ICMSTot")
    assert number(totals, "vBC") == total("imposto/ICMS/*/vBC")
    assert number(totals, "vICMS") == total("imposto/ICMS/*/vICMS")
    assert number(totals, "vFCPUFDest") == total("imposto/ICMSUFDest/vFCPUFDest")
    assert number(totals, "vICMSUFDest") == total("imposto/ICMSUFDest/vICMSUFDest")
    assert number(totals, "vPIS") == total("imposto/PIS/*/vPIS")
    assert number(totals, "vCOFINS") == total("imposto/COFINS/*/vCOFINS")
    assert number(totals, "vIPI") == total("imposto/IPI/IPITrib/vIPI")
    asked = {
        "vDesc": facts.discount_cents + sum(item.discount_cents for item in facts.items),
        "vFrete": facts.freight_cents + sum(item.freight_cents for item in facts.items),
        "vSeg": facts.insurance_cents + sum(item.insurance_cents for item in facts.items),
        "vOutro": facts.other_cents + sum(item.other_cents for item in facts.items),
    }
    for name, cents in asked.items():
        assert number(totals, name) == total(f"prod/{name}") == Decimal(cents).scaleb(-2)
    assert number(totals, "vProd") == total("prod/vProd")

    whole = number(totals, "vProd") - number(totals, "vDesc") - number(totals, "vICMSDeson")
    whole += sum(
        number(totals, name) for name in ("vST", "vFCPST", "vFrete", "vSeg", "vOutro", "vII", "vIPI", "vIPIDevol")
    )
    assert number(totals, "vNF") == whole
    paid = whole if facts.payment != "90" else NIL
    assert number(root, "NFe/infNFe/pag/detPag/vPag") == paid

    reform = group(root, "NFe/infNFe/total/IBSCBSTot")
    in_reform = facts.issued_at.year >= 2026
    assert (reform.tag != "absent") == in_reform
    assert len(list(root.iter("{*}IBSCBS"))) == (len(lines) if in_reform else 0)
    if in_reform:
        shared = "imposto/IBSCBS/gIBSCBS"
        assert number(reform, "vBCIBSCBS") == total(f"{shared}/vBC")
        assert number(reform, "gIBS/gIBSUF/vIBSUF") == total(f"{shared}/gIBSUF/vIBSUF")
        assert number(reform, "gIBS/gIBSMun/vIBSMun") == total(f"{shared}/gIBSMun/vIBSMun")
        assert number(reform, "gIBS/vIBS") == total(f"{shared}/vIBS")
        assert number(reform, "gCBS/vCBS") == total(f"{shared}/gCBS/vCBS")
        # In 2026 the reform's taxes are shown and not added (rules VB01-10 and W60).
        assert number(root, "NFe/infNFe/total/vNFTot") == whole == total("vItem")


@pytest.mark.parametrize("name", NOTES)
def test_every_kind_of_note_adds_up(papers: dict[str, bytes], name: str) -> None:
    check_note(papers[f"note: {name}"], NOTES[name])


items = st.builds(
    SaleItem,
    code=st.just("A"),
    description=st.just("Peça"),
    ncm=st.just("61091000"),
    cfop=st.sampled_from(["5102", "5405", "6108", "6102", "6404", "2202", "1202", "5949", "6949", "6152", "5905"]),
    quantity=st.decimals(Decimal("0.0001"), Decimal("9999"), places=4),
    unit_price_cents=st.integers(1, 5_000_000),
    discount_cents=st.just(0),
    freight_cents=st.integers(0, 3000),
    other_cents=st.integers(0, 300),
    origin=st.integers(0, 8),
    icms=st.sampled_from([None, None, None, "00", "20", "40", "102", "900"]),
    ipi_percent=st.sampled_from([None, Decimal(0), Decimal("3.25"), Decimal(15)]),
)


@st.composite
def notes(draw: st.DrawFn) -> NoteFacts:
    """Any note whose discount is at most its goods: some lines cost a centavo or less."""
    lines = tuple(draw(st.lists(items, min_size=1, max_size=12)))
    goods = sum(int((line.quantity * line.unit_price_cents).quantize(Decimal(1), ROUND_HALF_UP)) for line in lines)
    return replace(
        SALE,
        issued_at=SALE.issued_at.replace(year=draw(st.sampled_from([2025, 2026]))),
        items=lines,
        emitter=draw(st.sampled_from([NORMAL, SIMPLES, replace(SHOP, address=CAMPINAS)])),
        recipient=draw(st.sampled_from([BUYER, RESIDENT, SHOP, replace(SHOP, address=CAMPINAS)])),
        direction=draw(st.integers(0, 1)),
        final_consumer=draw(st.booleans()),
        discount_cents=draw(st.integers(0, goods)),
        freight_cents=draw(st.integers(0, 100_000)),
        insurance_cents=draw(st.integers(0, 1000)),
        other_cents=draw(st.integers(0, 1000)),
    )


AUTHORITY = Authority(7)


@settings(max_examples=100, deadline=None)
@given(notes())
def test_any_note_adds_up(facts: NoteFacts) -> None:
    check_note(note_xml(facts, AUTHORITY), facts)


def test_rates_follow_states_and_origin(papers: dict[str, bytes]) -> None:
    """SP to BA 7%, RJ's fund, imported goods 4%: the Senate's resolutions, and the regimes told apart."""

    def found(name: str, path: str) -> list[str]:
        return [node.text or "" for node in etree.fromstring(papers[f"note: {name}"]).iterfind(f".//{path}")]

    assert found("sale between states, 2026", "{*}pICMS") == ["7.00", "7.00", "4.00"]
    assert found("sale between states, 2026", "{*}pICMSUFDest") == ["20.50"] * 3
    assert found("sale with the poverty fund", "{*}pICMS") == ["12.00", "12.00", "4.00"]
    assert found("sale with the poverty fund", "{*}pFCPUFDest") == ["2.00"] * 3
    assert found("sale inside the state", "{*}pICMS") == ["18.00"]
    assert found("sale by the Simples", "{*}CSOSN") == ["102", "102"]
    assert found("substitution in the Simples", "{*}CSOSN") == ["500", "500"]
    assert found("return in the Simples", "{*}CSOSN") == ["900"]
    assert found("sale under substitution", "{*}ICMS60/{*}CST") == ["60", "60"]
    assert found("goods sent inside the state", "{*}ICMS40/{*}CST") == ["41"]
    assert found("sale to a CNPJ with letters", "{*}ICMSUFDest") == []
    assert found("symbolic return", "{*}cClassTrib") == ["410999", "410999"]
    assert found("transfer", "{*}cClassTrib") == ["410002"]
    assert found("return", "{*}cClassTrib") == ["000001"]


@pytest.mark.parametrize("name", FREIGHTS)
def test_freight_adds_up(papers: dict[str, bytes], name: str) -> None:
    facts = FREIGHTS[name]
    body = group(etree.fromstring(papers[f"freight: {name}"]), "CTe/infCte")
    value = Decimal(facts.value_cents).scaleb(-2)
    assert number(body, "vPrest/vTPrest") == number(body, "vPrest/vRec") == value
    assert sum(Decimal(node.text or "") for node in body.iterfind("{*}vPrest/{*}Comp/{*}vComp")) == value
    (icms,) = group(body, "imp/ICMS")
    assert icms.tag.endswith("ICMSSN" if facts.emitter.crt == 1 else "ICMS00")
    if facts.emitter.crt != 1:
        assert number(icms, "vBC") == value
        assert number(icms, "vICMS") == part(value, number(icms, "pICMS"))
    in_reform = facts.issued_at.year >= 2026
    assert (group(body, "imp/IBSCBS").tag != "absent") == in_reform
    if in_reform:
        check_reform(group(body, "imp/IBSCBS/gIBSCBS"), value - number(icms, "vICMS"))
        assert number(body, "imp/vTotDFe") == value
