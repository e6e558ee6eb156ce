"""Everything a CT-e says, read whole: parties, price, taxes, cargo, legs; and nothing that is written goes missing."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

import nfelib
import pytest
from lxml import etree

from confere.fiscal.detail import (
    Address,
    CargoMeasure,
    CarriedDocument,
    Component,
    FreightDetail,
    Insurance,
    Remark,
    ServicePlace,
)
from confere.fiscal.model import Document, DocumentType
from confere.fiscal.reading.document import read
from tests.corpus.files import Sample
from tests.fiscal import made
from tests.fiscal.schema_made import SchemaMaker, leaf_texts
from tests.samples.folder import label, packaged, written

LIBRARY = Path(nfelib.__file__).parent
SCHEMAS = LIBRARY / "cte/schemas/v4_0"
FILES = tuple(sample for sample in (*packaged("cte/"), *written()) if b"infCte" in sample.data)
NOTE, OTHER = made.access_key(), made.access_key(number=11)


def whole(data: str | bytes) -> tuple[Document, FreightDetail]:
    paper = read(data.encode() if isinstance(data, str) else data, whole=True)
    document = paper.documents[0]
    assert isinstance(document.detail, FreightDetail)
    return document, document.detail


# -- nothing that is written goes missing ----------------------------------------------------------------


def values(held: object) -> Iterator[str | int | Decimal]:
    if is_dataclass(held):
        for entry in fields(held):
            yield from values(getattr(held, entry.name))
    elif isinstance(held, tuple):
        for part in held:
            yield from values(part)
    elif isinstance(held, str | int | Decimal):
        yield held


def missing(body: etree._Element, detail: FreightDetail) -> list[tuple[str, str]]:
    held = list(values(detail))
    words = {value for value in held if isinstance(value, str)}
    numbers = {Decimal(value) for value in held if isinstance(value, Decimal)}
    numbers |= {Decimal(value) / 100 for value in held if isinstance(value, int)}
    return [entry for entry in leaf_texts(body) if entry[1] not in words and number(entry[1]) not in numbers]


def number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


@pytest.mark.parametrize("sample", FILES, ids=label)
def test_every_leaf_of_the_samples_is_somewhere(sample: Sample) -> None:
    data = sample.data.strip()
    documents = read(data, whole=True).documents
    bodies = [body for body in etree.fromstring(data).iter("{*}infCte") if len(body)]
    assert len(documents) == len(bodies)
    for document, body in zip(documents, bodies, strict=True):
        assert isinstance(document.detail, FreightDetail)
        assert missing(body, document.detail) == []


def test_there_are_samples() -> None:
    assert len(FILES) >= 20


@pytest.mark.parametrize(
    ("root", "kind", "modals"),
    [
        ("CTe", "TCTe", ("rodo", "aereo", "aquav", "ferrov", "duto", "multimodal")),
        ("CTeSimp", "TCTeSimp", ("rodo", "aereo", "aquav")),
        ("CTeOS", "TCTeOS", ("rodoOS",)),
    ],
)
def test_every_leaf_the_schema_allows_is_somewhere(root: str, kind: str, modals: tuple[str, ...]) -> None:
    freight = SchemaMaker(SCHEMAS, made.CTE, modals).make(root, kind)
    body = freight.find("{*}infCte")
    assert body is not None
    body.set("Id", f"CTe{made.cte_key()}")
    assert len(list(leaf_texts(freight))) > 150
    _, detail = whole(etree.tostring(freight))
    # The document itself has the attributes of `infCte`.
    assert [name for name, _ in missing(freight, detail)] == ["infCte/@versao", "infCte/@Id"]
    assert {name for name, _ in detail.modal_fields} == set(modals)
    assert [entries for name, entries in detail.sections if name == "infCte"] == []  # every amount was read
    assert None not in (detail.service_cents, detail.receivable_cents, detail.approximate_taxes_cents, detail.cargo)


def test_reading_whole_changes_nothing_else() -> None:
    for sample in FILES:
        data = sample.data
        for less, more in zip(read(data).documents, read(data, whole=True).documents, strict=True):
            assert less.detail is None
            for entry in fields(less):
                if entry.name != "detail":
                    assert getattr(less, entry.name) == getattr(more, entry.name), (sample.name, entry.name)


def test_a_group_twice_and_a_number_that_is_none_are_kept() -> None:
    text = made.freight(service="<vPrest><vTPrest>10.00</vTPrest></vPrest><vPrest><vTPrest>um mil</vTPrest></vPrest>")
    _, detail = whole(text)
    assert detail.service_cents is None
    assert ("vPrest", (("vTPrest", "10.00"),)) in detail.sections
    assert ("infCte", (("vTPrest", "um mil"),)) in detail.sections


def test_an_unknown_field_of_a_party_is_kept_even_where_it_repeats_a_known_text() -> None:
    data = next(sample.data for sample in FILES if b"</enderReme>" in sample.data)
    city = data.split(b"<enderReme>")[1].split(b"<xMun>")[1].split(b"</xMun>")[0]
    _, detail = whole(data.replace(b"</enderReme>", b"<xNovo>" + city + b"</xNovo></enderReme>", 1))
    assert ("enderReme/xNovo", city.decode()) in [entry for _, group in detail.sections for entry in group]


def test_groups_of_no_layout_yet_are_kept() -> None:
    tail = "<gFuturo xAtributo='a'><xNovo>b</xNovo></gFuturo><xSolto>c</xSolto>"
    _, detail = whole(made.freight(tail=tail, normal="<gOutro><xMais>d</xMais></gOutro>"))
    assert ("gFuturo", (("@xAtributo", "a"), ("xNovo", "b"))) in detail.sections
    assert ("xSolto", (("xSolto", "c"),)) in detail.sections
    assert ("gOutro", (("xMais", "d"),)) in detail.sections


def test_names_of_great_depth_do_not_grow_without_bound() -> None:
    name = "x" * 90
    deep = f"<{name}>" * 100 + "fim" + f"</{name}>" * 100
    _, detail = whole(made.freight(tail=f"<gFundo>{deep}</gFundo>"))
    paths = [path for name, entries in detail.sections if name == "gFundo" for path, _ in entries]
    assert [len(path) <= 200 and path.endswith(name) for path in paths] == [True]


# -- the head and the parties ----------------------------------------------------------------------------

IDE = (
    "<modal>01</modal><tpServ>0</tpServ><cMunIni>3550308</cMunIni><xMunIni>São Paulo</xMunIni><UFIni>SP</UFIni>"
    "<cMunFim>4106902</cMunFim><xMunFim>Curitiba</xMunFim><UFFim>PR</UFFim><indIEToma>9</indIEToma>"
)
ADDRESS = (
    "<xLgr>Rua A</xLgr><nro>10</nro><xCpl>Fundos</xCpl><xBairro>Centro</xBairro><cMun>4106902</cMun>"
    "<xMun>Curitiba</xMun><CEP>80000000</CEP><UF>PR</UF><cPais>1058</cPais><xPais>Brasil</xPais>"
)
PARTIES = (
    f"<rem><CNPJ>{made.EMITTER}</CNPJ><IE>111</IE><xNome>Papelaria</xNome><xFant>Papel</xFant><fone>1133334444</fone>"
    f"<enderReme>{ADDRESS}</enderReme><email>a@b.c</email></rem>"
    f"<dest><CPF>{made.RECIPIENT}</CPF><xNome>José</xNome><ISUF>123456789</ISUF><enderDest>{ADDRESS}</enderDest>"
    "<locEnt><xNome>Portaria</xNome></locEnt></dest>"
)


def test_head_places_and_parties() -> None:
    document, detail = whole(made.freight(taker=f"{IDE}<toma3><toma>3</toma></toma3>", parties=PARTIES))
    assert (detail.modal, detail.service, detail.emission_type, detail.taker_role) == ("01", "0", "1", "recipient")
    assert detail.origin == ServicePlace("3550308", "São Paulo", "SP")
    assert detail.destination == ServicePlace("4106902", "Curitiba", "PR")
    assert ("toma3/toma", "3") in detail.identification
    assert tuple(full.party for full in detail.parties) == document.parties
    emitter, sender, recipient, taker = detail.parties
    assert emitter.address == Address(city="Osasco", uf="SP")
    address = Address(
        "Rua A", "10", "Fundos", "Centro", "4106902", "Curitiba", "PR", "80000000", "1058", "Brasil", "1133334444"
    )
    assert sender.address == address
    assert (sender.party.state_registration, sender.trade_name, sender.email) == ("111", "Papel", "a@b.c")
    assert (recipient.suframa, recipient.registration_indicator) == ("123456789", None)
    assert (taker.party.role, taker.suframa, taker.registration_indicator) == ("taker", "123456789", "9")
    assert taker.address == recipient.address
    assert ("dest", (("locEnt/xNome", "Portaria"),)) in detail.sections


def test_a_taker_of_its_own() -> None:
    own = (
        f"<toma4><toma>4</toma><CNPJ>34128745000152</CNPJ><IE>9</IE><xNome>Quem paga</xNome><fone>81</fone>"
        f"<enderToma>{ADDRESS}</enderToma></toma4>"
    )
    _, detail = whole(made.freight(taker=own))
    taker = detail.parties[-1]
    assert (detail.taker_role, taker.party.name, taker.party.role) == ("taker", "Quem paga", "taker")
    assert taker.address is not None
    assert (taker.address.street, taker.address.phone) == ("Rua A", "81")
    _, without = whole(made.freight(taker=""))
    assert without.taker_role is None


# -- price and taxes -------------------------------------------------------------------------------------


def test_the_price_and_its_components() -> None:
    service = (
        "<vPrest><vTPrest>25.90</vTPrest><vTPrestLiq>25.00</vTPrestLiq><vRec>20.00</vRec>"
        "<Comp><xNome>FRETE PESO</xNome><vComp>20.00</vComp></Comp>"
        "<Comp><xNome>PEDAGIO</xNome><vComp>5.90</vComp></Comp></vPrest>"
    )
    _, detail = whole(made.freight(service=service))
    assert (detail.service_cents, detail.receivable_cents) == (2590, 2000)
    assert detail.components == (Component("FRETE PESO", 2000), Component("PEDAGIO", 590))
    assert ("vPrest", (("vTPrestLiq", "25.00"),)) in detail.sections


def with_taxes(inner: str) -> FreightDetail:
    text = made.freight()
    start, end = text.index("<imp>"), text.index("</imp>")
    return whole(f"{text[:start]}<imp>{inner}{text[end:]}")[1]


@pytest.mark.parametrize(
    ("group", "inner", "told"),
    [
        ("ICMS00", "<CST>00</CST><vBC>9.00</vBC><pICMS>12.00</pICMS><vICMS>1.08</vICMS>", ("00", 900, "12.00", 108)),
        (
            "ICMS20",
            "<CST>20</CST><pRedBC>20.00</pRedBC><vBC>7.20</vBC><pICMS>12</pICMS><vICMS>0.86</vICMS>",
            ("20", 720, "12", 86),
        ),
        ("ICMS45", "<CST>40</CST>", ("40", None, None, None)),
        (
            "ICMS60",
            "<CST>60</CST><vBCSTRet>9.00</vBCSTRet><vICMSSTRet>1.08</vICMSSTRet><pICMSSTRet>12.00</pICMSSTRet>",
            ("60", None, None, None),
        ),
        ("ICMS90", "<CST>90</CST><vBC>9.00</vBC><pICMS>7.00</pICMS><vICMS>0.63</vICMS>", ("90", 900, "7.00", 63)),
        (
            "ICMSOutraUF",
            "<CST>90</CST><vBCOutraUF>9.00</vBCOutraUF><pICMSOutraUF>7.00</pICMSOutraUF>"
            "<vICMSOutraUF>0.63</vICMSOutraUF>",
            ("90", 900, "7.00", 63),
        ),
        ("ICMSSN", "<CST>90</CST><indSN>1</indSN>", ("90", None, None, None)),
        ("CST00", "<CST>00</CST><vBC>9.00</vBC><pICMS>12.00</pICMS><vICMS>1.08</vICMS>", ("00", 900, "12.00", 108)),
    ],
)
def test_each_group_of_the_icms(group: str, inner: str, told: tuple[str, int | None, str | None, int | None]) -> None:
    detail = with_taxes(f"<ICMS><{group}>{inner}</{group}></ICMS><vTotTrib>3.00</vTotTrib>")
    tax = detail.tax("ICMS")
    assert tax is not None
    assert (tax.group, tax.cst, tax.base_cents, tax.amount_cents) == (group, told[0], told[1], told[3])
    assert tax.rate == (None if told[2] is None else Decimal(told[2]))
    assert len(tax.fields) == inner.count("</")
    assert detail.approximate_taxes_cents == 300


def test_difal_the_reform_and_federal_taxes() -> None:
    detail = with_taxes(
        "<ICMS><ICMS45><CST>40</CST></ICMS45></ICMS><infAdFisco>Regime especial</infAdFisco>"
        "<ICMSUFFim><vBCUFFim>9.00</vBCUFFim><pFCPUFFim>2.00</pFCPUFFim><pICMSUFFim>18.00</pICMSUFFim>"
        "<pICMSInter>12.00</pICMSInter><vFCPUFFim>0.18</vFCPUFFim><vICMSUFFim>0.54</vICMSUFFim></ICMSUFFim>"
        "<infTribFed><vPIS>0.15</vPIS><vCOFINS>0.69</vCOFINS></infTribFed>"
        "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>9.00</vBC><gIBSUF><pIBSUF>0.10</pIBSUF>"
        "<vIBSUF>0.01</vIBSUF></gIBSUF><vIBS>0.01</vIBS><gCBS><pCBS>0.90</pCBS><vCBS>0.08</vCBS></gCBS></gIBSCBS>"
        "</IBSCBS><vTotDFe>9.09</vTotDFe>"
    )
    assert [tax.name for tax in detail.taxes] == ["ICMS", "ICMSUFFim", "PIS", "COFINS", "IBSCBS"]
    difal, reform, pis = detail.tax("ICMSUFFim"), detail.tax("IBSCBS"), detail.tax("PIS")
    assert difal is not None and reform is not None and pis is not None
    assert (difal.base_cents, difal.rate, difal.amount_cents) == (900, Decimal("18.00"), 54)
    assert (reform.cst, reform.base_cents, reform.rate, reform.amount_cents) == ("000", 900, None, 9)
    assert ("gIBSCBS/gIBSUF/vIBSUF", "0.01") in reform.fields
    assert (pis.group, pis.amount_cents) == ("infTribFed", 15)
    assert detail.words.for_authority == "Regime especial"
    assert ("imp", (("vTotDFe", "9.09"),)) in detail.sections


# -- cargo, papers, legs, words --------------------------------------------------------------------------


def test_cargo_and_insurance() -> None:
    normal = (
        "<infCarga><vCarga>1000.00</vCarga><proPred>Papel</proPred><xOutCat>Frágil</xOutCat>"
        "<infQ><cUnid>01</cUnid><tpMed>PESO BRUTO</tpMed><qCarga>12.3450</qCarga></infQ>"
        "<infQ><cUnid>03</cUnid><tpMed>CAIXAS</tpMed><qCarga>4.0000</qCarga></infQ>"
        "<vCargaAverb>1100.00</vCargaAverb></infCarga>"
        "<seg><respSeg>4</respSeg><xSeg>Seguradora</xSeg><nApol>A1</nApol><nAver>V1</nAver><vCarga>1000.00</vCarga>"
        "</seg>"
    )
    _, detail = whole(made.freight(normal=normal))
    assert detail.cargo is not None
    assert (detail.cargo.value_cents, detail.cargo.insured_value_cents) == (100000, 110000)
    assert (detail.cargo.product, detail.cargo.words) == ("Papel", "Frágil")
    assert detail.cargo.measures == (
        CargoMeasure("01", "PESO BRUTO", Decimal("12.3450")),
        CargoMeasure("03", "CAIXAS", Decimal("4.0000")),
    )
    assert detail.insurances == (Insurance("4", "Seguradora", "A1", "V1", 100000),)


PAPERS = (
    f"<infNFe><chave>{NOTE}</chave><dPrev>2026-08-20</dPrev></infNFe>"
    "<infNF><mod>01</mod><serie>1</serie><nDoc>55</nDoc><vNF>10.00</vNF></infNF>"
    "<infOutros><tpDoc>99</tpDoc><descOutros>Recibo</descOutros><nDoc>7</nDoc><vDocFisc>3.00</vDocFisc></infOutros>"
)


@pytest.mark.parametrize("layout", ["1.03", "1.04", "2.00", "3.00", "4.00"])
def test_the_papers_of_the_cargo(layout: str) -> None:
    if layout < "2.00":  # within the sender
        text = made.freight(parties=f"<rem><CNPJ>{made.EMITTER}</CNPJ>{PAPERS}</rem>", layout=layout)
    else:
        text = made.freight(layout=layout).replace("<infDoc></infDoc>", f"<infDoc>{PAPERS}</infDoc>")
    _, detail = whole(text)
    assert [(entry.kind, entry.number, entry.value_cents) for entry in detail.carried] == [
        ("infNFe", None, None),
        ("infNF", "55", 1000),
        ("infOutros", "7", 300),
    ]
    assert detail.carried[0] == CarriedDocument(
        "infNFe", NOTE, None, None, "2026-08-20", (("chave", NOTE), ("dPrev", "2026-08-20"))
    )
    assert ("descOutros", "Recibo") in detail.carried[2].fields
    assert [name for name, _ in detail.sections if name in ("rem", "infDoc")] == []


def test_the_first_layout_has_its_modal_and_its_value_elsewhere() -> None:
    normal = (
        "<infCarga><vMerc>2120.80</vMerc><proPred>Ácido</proPred></infCarga><rodo><RNTRC>08082200</RNTRC>"
        "<lota>0</lota></rodo>"
    )
    _, detail = whole(made.freight(normal=normal, layout="1.03"))
    assert detail.cargo is not None
    assert detail.cargo.value_cents == 212080
    assert detail.modal_fields == (("rodo", (("RNTRC", "08082200"), ("lota", "0"))),)


def test_legs_and_linked_services() -> None:
    flow = "<fluxo><xOrig>SAO</xOrig><pass><xPass>CWB</xPass></pass><pass><xPass>POA</xPass></pass></fluxo>"
    before = (
        "<docAnt><emiDocAnt><CNPJ>1</CNPJ><xNome>Outra</xNome><idDocAnt><idDocAntEle>"
        f"<chCTe>{made.cte_key(number=90)}</chCTe></idDocAntEle></idDocAnt></emiDocAnt></docAnt>"
    )
    linked = (
        "<infServVinc><infCTeMultimodal>"
        f"<chCTeMultimodal>{made.cte_key(number=91)}</chCTeMultimodal></infCTeMultimodal></infServVinc>"
    )
    modal = (
        "<infModal versaoModal='4.00'><multimodal><COTM>1</COTM><seg><infSeg><xSeg>Seguradora</xSeg><CNPJ>2</CNPJ>"
        "</infSeg><nApol>A</nApol><nAver>V</nAver></seg></multimodal></infModal>"
    )
    compl = f"<compl><xCaracAd>URGENTE</xCaracAd>{flow}<xObs>Cuidado</xObs></compl>"
    _, detail = whole(made.freight(compl=compl, normal=before + linked + modal))
    assert [name for name, _ in detail.legs] == ["fluxo", "emiDocAnt", "infServVinc"]
    assert detail.legs[0][1] == (("xOrig", "SAO"), ("pass/xPass", "CWB"), ("pass/xPass", "POA"))
    assert ("idDocAnt/idDocAntEle/chCTe", made.cte_key(number=90)) in detail.legs[1][1]
    assert [name for name, _ in detail.modal_fields] == ["multimodal"]
    assert detail.insurances == (Insurance(None, "Seguradora", "A", "V", None),)
    assert (detail.words.for_taxpayer, detail.words.fields) == ("Cuidado", (("xCaracAd", "URGENTE"),))
    assert ("infModal", (("@versaoModal", "4.00"),)) in detail.sections


def test_remarks_tell_for_whom_they_are() -> None:
    compl = (
        "<compl><ObsCont xCampo='external_id'><xTexto>SALE-1</xTexto></ObsCont>"
        "<ObsFisco xCampo='lei'><xTexto>12.741</xTexto></ObsFisco></compl>"
    )
    _, detail = whole(made.freight(compl=compl))
    assert detail.words.remarks == (Remark("external_id", "SALE-1"), Remark("lei", "12.741", for_authority=True))


def test_who_may_fetch_it_who_wrote_the_program_and_the_code_to_scan() -> None:
    tail = (
        "<autXML><CNPJ>1</CNPJ></autXML><autXML><CPF>2</CPF></autXML>"
        "<infRespTec><CNPJ>3</CNPJ><xContato>Suporte</xContato></infRespTec>"
    )
    normal = "<cobr><fat><nFat>F1</nFat></fat><dup><nDup>1</nDup><dVenc>2026-09-01</dVenc></dup></cobr>"
    text = made.freight(tail=tail, normal=normal)
    text = text.replace("</infCte>", "</infCte><infCTeSupl><qrCodCTe>https://q</qrCodCTe></infCTeSupl>")
    _, detail = whole(text)
    assert [entry for entry in detail.sections if entry[0] == "autXML"] == [
        ("autXML", (("CNPJ", "1"),)),
        ("autXML", (("CPF", "2"),)),
    ]
    assert ("infRespTec", (("CNPJ", "3"), ("xContato", "Suporte"))) in detail.sections
    assert ("infCTeSupl", (("qrCodCTe", "https://q"),)) in detail.sections
    billed = ("cobr", (("fat/nFat", "F1"), ("dup/nDup", "1"), ("dup/dVenc", "2026-09-01")))
    assert billed in detail.sections


# -- other forms -----------------------------------------------------------------------------------------


def test_the_simplified_form_by_its_deliveries() -> None:
    def delivery(number: int, end: str, key: str) -> str:
        return (
            f"<det nItem='{number}'><cMunIni>3550308</cMunIni><xMunIni>São Paulo</xMunIni><cMunFim>{end}</cMunFim>"
            f"<xMunFim>C{end}</xMunFim><vPrest>10.00</vPrest><vRec>10.00</vRec><Comp><xNome>FRETE {number}</xNome>"
            f"<vComp>10.00</vComp></Comp><infNFe><chNFe>{key}</chNFe></infNFe></det>"
        )

    toma = (
        "<toma><toma>4</toma><indIEToma>1</indIEToma><CNPJ>34128745000152</CNPJ><xNome>Quem paga</xNome>"
        f"<enderToma>{ADDRESS}</enderToma></toma>"
    )
    text = made.freight(
        root="CTeSimp",
        taker="<UFIni>SP</UFIni><UFFim>PR</UFFim>",
        parties="",
        after_parties=toma
        + "<infCarga><vCarga>5.00</vCarga><proPred>Papel</proPred></infCarga>"
        + delivery(1, "4106902", NOTE)
        + delivery(2, "4113700", OTHER)
        + "<infModal versaoModal='4.00'><rodo><RNTRC>1</RNTRC></rodo></infModal>",
        service="",
        tail="<total><vTPrest>20.00</vTPrest><vTRec>19.00</vTRec><IBSCBSTot><vBCIBSCBS>20.00</vBCIBSCBS><gIBS>"
        "<vIBS>0.02</vIBS></gIBS><gCBS><vCBS>0.18</vCBS></gCBS></IBSCBSTot></total>",
    )
    document, detail = whole(made.cte_proc(text, root="cteSimpProc"))
    assert document.type is DocumentType.CTE
    assert (detail.service_cents, detail.receivable_cents) == (2000, 1900)
    assert detail.components == (Component("FRETE 1", 1000), Component("FRETE 2", 1000))
    assert [(entry.kind, entry.access_key) for entry in detail.carried] == [("infNFe", NOTE), ("infNFe", OTHER)]
    assert detail.origin == ServicePlace("3550308", "São Paulo", "SP")
    assert detail.destination == ServicePlace(None, None, "PR")
    assert [name for name, _ in detail.legs] == ["det", "det"]
    assert ("@nItem", "2") in detail.legs[1][1]
    assert detail.cargo is not None
    assert (detail.cargo.value_cents, detail.modal_fields[0][0]) == (500, "rodo")
    reform = detail.tax("IBSCBS")
    assert reform is not None
    assert (reform.base_cents, reform.amount_cents) == (2000, 20)
    taker = detail.parties[-1]
    assert (taker.party.name, taker.registration_indicator, detail.taker_role) == ("Quem paga", "1", "taker")


def test_other_services() -> None:
    text = made.freight(
        root="CTeOS",
        model="67",
        taker="<infPercurso><UFPer>SP</UFPer></infPercurso>",
        parties="",
        after_parties=f"<toma><CPF>{made.RECIPIENT}</CPF><xNome>José</xNome><enderToma>{ADDRESS}</enderToma></toma>",
        normal="<infServico><xDescServ>Fretamento</xDescServ><infQ><qCarga>40.0000</qCarga></infQ></infServico>"
        "<infDocRef><nDoc>9</nDoc><vDoc>5.00</vDoc></infDocRef><seg><respSeg>4</respSeg></seg>"
        "<infModal versaoModal='4.00'><rodoOS><TAF>1</TAF></rodoOS></infModal>",
    )
    document, detail = whole(text)
    assert document.type is DocumentType.CTEOS
    assert detail.cargo is not None
    assert (detail.cargo.words, detail.cargo.measures) == (
        "Fretamento",
        (CargoMeasure(None, None, Decimal("40.0000")),),
    )
    assert [(entry.kind, entry.number, entry.value_cents) for entry in detail.carried] == [("infDocRef", "9", 500)]
    assert detail.insurances == (Insurance("4"),)
    assert detail.modal_fields == (("rodoOS", (("TAF", "1"),)),)
    assert ("infPercurso/UFPer", "SP") in detail.identification
    assert [full.party.role for full in detail.parties] == ["emitter", "taker"]


def test_the_values_of_an_early_complement() -> None:
    tail = (
        f"<infCteComp><chave>{made.cte_key(number=90)}</chave><vPresComp><vTPrest>8.00</vTPrest><compComp>"
        "<xNome>FRETE</xNome><vComp>8.00</vComp></compComp></vPresComp><impComp><ICMSComp><CST00><CST>00</CST>"
        "<vBC>8.00</vBC><pICMS>12.00</pICMS><vICMS>0.96</vICMS></CST00></ICMSComp><infAdFisco>x</infAdFisco></impComp>"
        "</infCteComp>"
    )
    text = made.freight(service="", tail=tail, layout="1.03")
    _, detail = whole(text)
    assert detail.service_cents == 800
    assert detail.components == (Component("FRETE", 800),)
    complement = detail.tax("ICMSComp")
    assert complement is not None
    assert (complement.group, complement.amount_cents) == ("CST00", 96)
    assert "infCteComp" in [name for name, _ in detail.sections]


FORMS = (("CTe", "TCTe"), ("CTeSimp", "TCTeSimp"), ("CTeOS", "TCTeOS"))


@pytest.mark.parametrize("seed", range(90))
def test_whatever_stands_in_the_wrong_place_is_read_and_kept(seed: int) -> None:
    """Groups cut out, doubled, emptied and moved at random."""
    chance = random.Random(seed)
    body = SchemaMaker(SCHEMAS, made.CTE, ("rodo", "multimodal")).make(*FORMS[seed % 3]).find("{*}infCte")
    assert body is not None
    for _ in range(10):
        inside = list(body.iterdescendants("*"))
        element = chance.choice(inside)
        parent = element.getparent()
        assert parent is not None
        deed = chance.randrange(4)
        if deed == 0:
            parent.remove(element)
        elif deed == 1:
            other = copy.deepcopy(element)
            for leaf in other.iter("*"):
                leaf.text = f"1{leaf.text}" if leaf.text and not len(leaf) else leaf.text  # twice, not the same
            parent.append(other)
        elif deed == 2 and not len(element):
            element.text = chance.choice(["", "  ", "-1", "1e9", "9" * 400, "<&>", "\u202e"])
        else:
            own = set(element.iter("*"))
            chance.choice([part for part in inside if len(part) and part not in own]).append(element)
    _, detail = whole(etree.tostring(body.getroottree()))
    lost = [entry for entry in missing(body, detail) if entry[0] not in ("infCte/@versao", "infCte/@Id")]
    assert [entry for entry in lost if entry[1] != "9" * 400] == []
