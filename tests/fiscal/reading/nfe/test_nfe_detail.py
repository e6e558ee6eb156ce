"""An NF-e read whole: nothing that its emitter wrote is lost, and what has a field stands in it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from decimal import Decimal
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confere.fiscal.detail import Address, Billing, FullItem, Instalment, NoteDetail, Payment, Remark, Volume, Words
from confere.fiscal.document_parts import Reference
from confere.fiscal.model import Paper
from confere.fiscal.reading.document import read
from confere.fiscal.references import RelationKind
from tests.corpus.files import Sample
from tests.fiscal import made
from tests.samples.folder import label, packaged, written

NOTES = [
    sample
    for sample in (*packaged("nfe/"), *written())
    if re.search(rb"<(\w+:)?infNFe\s[^>]*Id=", sample.data.replace(b"\0", b""))
]


def values(value: object) -> Iterator[object]:
    """Every text and number inside a value, the paths of fields apart."""
    if dataclasses.is_dataclass(value):
        for field in dataclasses.fields(value):
            yield from values(getattr(value, field.name))
    elif isinstance(value, tuple):
        for entry in value:
            yield from values(entry)
    elif value is not None:
        yield value


def written(root: ElementTree.Element) -> Iterator[tuple[str, str]]:
    """Tag and text of every leaf and attribute of the notes in a file, as the standard library reads them."""
    for note in root.iter():
        if note.tag.rpartition("}")[2] != "NFe":
            continue
        for part in note:
            if part.tag.rpartition("}")[2] == "Signature":
                continue
            for element in part.iter():
                name = element.tag.rpartition("}")[2]
                yield from ((f"{name}@{attribute}", text.strip()) for attribute, text in element.attrib.items())
                if text := (element.text or "").strip():
                    yield name, text


def lost(paper: Paper, root: ElementTree.Element) -> list[tuple[str, str]]:
    found = list(values(paper))
    texts = {value for value in found if isinstance(value, str)}
    amounts = {value for value in found if isinstance(value, int)}
    exact = {value for value in found if isinstance(value, Decimal)}
    missing = []
    for name, text in written(root):
        if (
            text in texts
            or (name == "infNFe@Id" and text[3:] in texts)
            or (name == "det@nItem" and int(text) in amounts)
        ):
            continue
        if name == "indTot" and text in "01":
            continue
        number = Decimal(text) if text.replace(".", "", 1).isdecimal() else None
        if number is None or not (number in exact or number * 100 in amounts):
            missing.append((name, text))
    return missing


@pytest.mark.parametrize("sample", NOTES, ids=label)
def test_nothing_written_is_lost(sample: Sample) -> None:
    data = sample.data
    paper = read(data, whole=True)
    assert paper.documents
    assert lost(paper, ElementTree.fromstring(data.lstrip(b"\xef\xbb\xbf \r\n"))) == []


@pytest.mark.parametrize("sample", NOTES[::3], ids=label)
def test_reading_whole_changes_nothing_of_the_rest(sample: Sample) -> None:
    data = sample.data
    for for_rows, whole in zip(read(data).documents, read(data, whole=True).documents, strict=True):
        assert for_rows.detail is None
        assert dataclasses.replace(whole, detail=None) == for_rows


# -- anything that may stand in a note, wherever it stands ---------------------------------------------------

# fmt: off
GROUPS = [
    "ide", "emit", "dest", "enderEmit", "det", "prod", "imposto", "ICMS", "ICMS00", "IPI", "IBSCBS", "gIBSCBS",
    "DFeReferenciado", "total", "ICMSTot", "transp", "transporta", "vol", "lacres", "veicTransp", "pag", "detPag",
    "card",
    "cobr", "fat", "dup", "infAdic", "obsCont", "obsFisco", "autXML",
]
FIELDS = [
    "natOp", "xLgr", "xNome", "IE", "CNPJ", "cProd", "qCom", "vProd", "cEAN", "vBC", "vICMS", "vIBS", "infAdProd",
    "vItem", "chaveAcesso", "vNF", "modFrete", "qVol", "nLacre", "placa", "tPag", "vPag", "vTroco", "nFat", "vDup",
    "infCpl", "xTexto", "xyz",
]
# fmt: on
TEXTS = ["1", "0", "1.50", "1,50", "10.005", "dez", "SEM GTIN", "São João", "a b", made.access_key()]
elements = st.recursive(
    st.builds("<{0}>{1}</{0}>".format, st.sampled_from(FIELDS), st.sampled_from(TEXTS)),
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.one_of(st.sampled_from(GROUPS), st.sampled_from(FIELDS)),
        st.lists(inner, max_size=6),
    ),
    max_leaves=40,
)


@settings(max_examples=50, deadline=None)
@given(st.lists(elements, max_size=12))
def test_nothing_is_lost_wherever_it_stands(parts: list[str]) -> None:
    """Groups twice, in the wrong place, under unknown names, with numbers that are none."""
    data = f'<NFe><infNFe Id="NFe{made.access_key()}" versao="4.00">{"".join(parts)}</infNFe><xyz>beside</xyz></NFe>'
    paper = read(data.encode(), whole=True)
    assert lost(paper, ElementTree.fromstring(data)) == []
    for_rows = read(data.encode()).documents[0]
    assert dataclasses.replace(paper.documents[0], detail=None) == for_rows


# -- group by group --------------------------------------------------------------------------------------


def whole(text: str) -> NoteDetail:
    detail = read(text.encode(), whole=True).documents[0].detail
    assert isinstance(detail, NoteDetail)
    return detail


def taxed(imposto: str) -> FullItem:
    plain = made.item()
    start, end = plain.index("<imposto>"), plain.index("</imposto>")
    return whole(made.note(items=[f"{plain[:start]}<imposto>{imposto}{plain[end:]}"])).items[0]


def test_identification_is_whole_and_in_order() -> None:
    dates = "<dhEmi>2026-08-07T10:15:00-03:00</dhEmi><dhSaiEnt>2026-08-08T07:00:00-03:00</dhSaiEnt>"
    key = made.access_key(number=7)
    detail = whole(
        made.note(
            dates=dates,
            in_ide=f"<indFinal>1</indFinal><indPres>2</indPres><NFref><refNFe>{key}</refNFe></NFref>"
            "<NFref><refNF><cUF>35</cUF><nNF>9</nNF></refNF></NFref>",
        )
    )
    assert (detail.left_at, detail.emission_type, detail.final_consumer, detail.presence) == (
        "2026-08-08T07:00:00-03:00",
        "1",
        "1",
        "2",
    )
    assert detail.identification[0] == ("cUF", "35")
    assert detail.identification[-3:] == (
        ("NFref/refNFe", key),
        ("NFref/refNF/cUF", "35"),
        ("NFref/refNF/nNF", "9"),
    )
    first = whole(made.note(layout="1.10", dates="<dEmi>2026-08-07</dEmi><dSaiEnt>2026-08-08</dSaiEnt>"))
    assert first.left_at == "2026-08-08"


def test_parties_with_address_and_registrations() -> None:
    text = (
        made.note()
        .replace("<nro>1</nro>", "<nro>1</nro><xCpl>Fundos</xCpl><xBairro>Centro</xBairro>")
        .replace(
            "<UF>SP</UF></enderEmit>",
            "<UF>SP</UF><CEP>01001000</CEP><cPais>1058</cPais><xPais>BRASIL</xPais><fone>1133</fone></enderEmit>",
        )
        .replace(
            "<IE>111222333444</IE>", "<IE>111222333444</IE><IEST>55</IEST><IM>66</IM><CNAE>4761</CNAE><CRT>1</CRT>"
        )
        .replace("</emit>", "<CRT>1</CRT></emit>")
        .replace("<IEST>", "<xFant>Papel &amp; Cia</xFant><IEST>")
        .replace("</dest>", "<indIEDest>9</indIEDest><ISUF>77</ISUF><email>a@b.c</email><novo>8</novo></dest>")
    )
    detail = whole(text)
    emitter, recipient = detail.parties
    assert emitter.address == Address(
        "Rua das Flores",
        "1",
        "Fundos",
        "Centro",
        "3550308",
        "São Paulo",
        "SP",
        "01001000",
        "1058",
        "BRASIL",
        "1133",
    )
    assert (emitter.party.role, emitter.trade_name, emitter.tax_regime) == ("emitter", "Papel & Cia", "1")
    assert (emitter.substitute_registration, emitter.municipal_registration, emitter.cnae) == ("55", "66", "4761")
    assert recipient.address == Address(city="Curitiba", uf="PR")
    assert (recipient.registration_indicator, recipient.suframa, recipient.email) == ("9", "77", "a@b.c")
    assert detail.sections == (("dest", (("novo", "8"),)),)


def test_places_have_their_address_beside_their_name() -> None:
    delivery = "<entrega><CPF>52998224725</CPF><xLgr>Rua B</xLgr><nro>2</nro><xMun>Lapa</xMun><UF>PR</UF></entrega>"
    place = whole(made.note(sections=delivery)).parties[2]
    assert (place.party.role, place.party.tax_id) == ("delivery", "52998224725")
    assert place.address == Address(street="Rua B", number="2", city="Lapa", uf="PR")


def test_a_tax_id_with_its_mask_is_kept_both_ways() -> None:
    detail = whole(made.note(recipient="<CPF>529.982.247-25</CPF>"))
    assert detail.parties[1].party.tax_id == made.RECIPIENT
    assert detail.sections == (("dest", (("CPF", "529.982.247-25"),)),)


def test_an_item_with_all_it_says() -> None:
    key = made.access_key(number=7)
    item = made.item(
        extra="<xPed>4411</xPed><nItemPed>3</nItemPed><nFCI>B01F70AF</nFCI><rastro><nLote>L1</nLote><qLote>2</qLote></rastro>"
        "<DI><nDI>77</nDI><adi><nAdicao>1</nAdicao></adi></DI>",
        after="<impostoDevol><pDevol>100.00</pDevol><IPI><vIPIDevol>3.20</vIPIDevol></IPI></impostoDevol>"
        "<infAdProd>Cor azul</infAdProd><vItem>11.26</vItem>"
        f"<DFeReferenciado><chaveAcesso>{key}</chaveAcesso><nItem>2</nItem></DFeReferenciado>",
    )
    item = item.replace(
        "<indTot>1</indTot>",
        "<CEST>1900100</CEST><cBenef>SP123</cBenef><vFrete>1.00</vFrete><vSeg>2.00</vSeg><vDesc>3.00</vDesc>"
        "<vOutro>4.00</vOutro><indTot>0</indTot>",
    ).replace("<qTrib>2.0000<", "<qTrib>24.0000<")
    (full,) = whole(made.note(items=[item])).items
    assert (full.cest, full.benefit_code, full.order, full.order_item) == ("1900100", "SP123", "4411", "3")
    assert (full.freight_cents, full.insurance_cents, full.discount_cents, full.other_cents) == (100, 200, 300, 400)
    assert (full.taxed_unit, full.taxed_quantity, full.taxed_unit_price) == ("UN", Decimal(24), Decimal(5))
    assert (full.taxed_ean, full.counts_in_total) == ("7891000315507", False)
    assert (full.words, full.total_with_reform_cents) == ("Cor azul", 1126)
    assert full.references == (Reference(RelationKind.ITEM_REFERENCES, key),)
    assert full.fields == (
        ("nFCI", "B01F70AF"),
        ("rastro/nLote", "L1"),
        ("rastro/qLote", "2"),
        ("DI/nDI", "77"),
        ("DI/adi/nAdicao", "1"),
        ("impostoDevol/pDevol", "100.00"),
        ("impostoDevol/IPI/vIPIDevol", "3.20"),
        ("DFeReferenciado/chaveAcesso", key),
        ("DFeReferenciado/nItem", "2"),
    )


def test_no_barcode_and_odd_numbers_stand_as_written_beside_the_fields() -> None:
    item = made.item(ean="SEM GTIN", quantity="dois", price="5,00")
    item = item.replace("<indTot>", "<vFrete>1.005</vFrete><indTot>")
    (full,) = whole(made.note(items=[item])).items
    assert (full.item.ean, full.taxed_ean, full.taxed_quantity, full.freight_cents) == (None, None, None, 100)
    assert full.taxed_unit_price == Decimal("5.00")
    assert full.fields == (
        ("cEAN", "SEM GTIN"),
        ("cEANTrib", "SEM GTIN"),
        ("qCom", "dois"),
        ("vUnCom", "5,00"),
        ("qTrib", "dois"),
        ("vUnTrib", "5,00"),
        ("vFrete", "1.005"),
    )


@pytest.mark.parametrize(
    ("inner", "group", "cst", "base", "rate", "amount"),
    [
        ("<ICMS00><orig>0</orig><CST>00</CST><vBC>10.00</vBC><pICMS>18.00</pICMS><vICMS>1.80</vICMS></ICMS00>",
         "ICMS00", "00", 1000, "18.00", 180),
        ("<ICMS02><orig>0</orig><CST>02</CST><qBCMono>2</qBCMono><adRemICMS>1.5</adRemICMS><vICMSMono>3.00</vICMSMono>"
         "</ICMS02>", "ICMS02", "02", None, None, 300),
        ("<ICMS10><orig>0</orig><CST>10</CST><vBC>10.00</vBC><pICMS>12</pICMS><vICMS>1.20</vICMS><vBCST>15.00</vBCST>"
         "<pICMSST>18</pICMSST><vICMSST>1.50</vICMSST><vFCPST>0.30</vFCPST></ICMS10>", "ICMS10", "10", 1000, "12", 120),
        ("<ICMS40><orig>0</orig><CST>41</CST></ICMS40>", "ICMS40", "41", None, None, None),
        ("<ICMS60><orig>0</orig><CST>60</CST><vBCSTRet>9.00</vBCSTRet><vICMSSTRet>1.62</vICMSSTRet></ICMS60>",
         "ICMS60", "60", None, None, None),
        ("<ICMS61><orig>0</orig><CST>61</CST><vICMSMonoRet>1.00</vICMSMonoRet></ICMS61>",
         "ICMS61", "61", None, None, None),
        ("<ICMS90><orig>0</orig><CST>90</CST><vBC>1.00</vBC><pRedBC>10</pRedBC><pICMS>7</pICMS><vICMS>0.07</vICMS>"
         "</ICMS90>", "ICMS90", "90", 100, "7", 7),
        ("<ICMSPart><orig>0</orig><CST>10</CST><vBC>1.00</vBC><pICMS>7</pICMS><vICMS>0.07</vICMS><UFST>PR</UFST>"
         "</ICMSPart>", "ICMSPart", "10", 100, "7", 7),
        ("<ICMSST><orig>0</orig><CST>60</CST><vBCSTDest>1.00</vBCSTDest></ICMSST>", "ICMSST", "60", None, None, None),
        ("<ICMSSN101><orig>0</orig><CSOSN>101</CSOSN><pCredSN>1.25</pCredSN><vCredICMSSN>0.13</vCredICMSSN></ICMSSN101>",
         "ICMSSN101", "101", None, None, None),
        ("<ICMSSN900><orig>0</orig><CSOSN>900</CSOSN><vBC>1.00</vBC><pICMS>7</pICMS><vICMS>0.07</vICMS></ICMSSN900>",
         "ICMSSN900", "900", 100, "7", 7),
    ],
)  # fmt: skip
def test_icms(inner: str, group: str, cst: str, base: int | None, rate: str | None, amount: int | None) -> None:
    (tax,) = taxed(f"<vTotTrib>4.20</vTotTrib><ICMS>{inner}</ICMS>").taxes
    assert (tax.name, tax.group, tax.cst, tax.origin) == ("ICMS", group, cst, "0")
    assert (tax.base_cents, tax.amount_cents) == (base, amount)
    assert tax.rate == (None if rate is None else Decimal(rate))
    element = ElementTree.fromstring(inner)
    assert tax.fields == tuple((part.tag, part.text) for part in element)


def test_the_other_taxes() -> None:
    item = taxed(
        "<vTotTrib>4.20</vTotTrib><ICMS><ICMSSN102/></ICMS>"
        "<ICMSUFDest><vBCUFDest>10.00</vBCUFDest><pFCPUFDest>2</pFCPUFDest><pICMSUFDest>18</pICMSUFDest>"
        "<vICMSUFDest>0.60</vICMSUFDest></ICMSUFDest>"
        "<IPI><cEnq>999</cEnq><IPITrib><CST>50</CST><vBC>10.00</vBC><pIPI>5</pIPI><vIPI>0.50</vIPI></IPITrib></IPI>"
        "<II><vBC>10.00</vBC><vDespAdu>1.00</vDespAdu><vII>2.00</vII><vIOF>0.10</vIOF></II>"
        "<PIS><PISAliq><CST>01</CST><vBC>10.00</vBC><pPIS>1.65</pPIS><vPIS>0.17</vPIS></PISAliq></PIS>"
        "<PISST><vBC>10.00</vBC><pPIS>1.65</pPIS><vPIS>0.17</vPIS></PISST>"
        "<COFINS><COFINSQtde><CST>03</CST><qBCProd>2</qBCProd><vAliqProd>0.3</vAliqProd><vCOFINS>0.60</vCOFINS>"
        "</COFINSQtde></COFINS>"
        "<ISSQN><vBC>10.00</vBC><vAliq>5</vAliq><vISSQN>0.50</vISSQN><cListServ>14.01</cListServ></ISSQN>"
        "<IS><CSTIS>000</CSTIS><vBCIS>10.00</vBCIS><pIS>1</pIS><vIS>0.10</vIS></IS>"
        "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>10.00</vBC><gIBSUF><pIBSUF>0.1</pIBSUF>"
        "<vIBSUF>0.01</vIBSUF></gIBSUF><gIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.01</vIBS>"
        "<gCBS><pCBS>0.9</pCBS><vCBS>0.09</vCBS></gCBS></gIBSCBS></IBSCBS>"
        "<NOVO><vBC>1.00</vBC><deep><x>y</x></deep></NOVO><solto>z</solto>"
    )
    assert item.approximate_taxes_cents == 420
    told = {
        tax.name: (tax.group, tax.cst, tax.base_cents, tax.rate and str(tax.rate), tax.amount_cents)
        for tax in item.taxes
    }
    assert told == {
        "ICMS": ("ICMSSN102", None, None, None, None),
        "ICMSUFDest": ("ICMSUFDest", None, 1000, "18", 60),
        "IPI": ("IPITrib", "50", 1000, "5", 50),
        "II": ("II", None, 1000, None, 200),
        "PIS": ("PISAliq", "01", 1000, "1.65", 17),
        "PISST": ("PISST", None, 1000, "1.65", 17),
        "COFINS": ("COFINSQtde", "03", None, None, 60),
        "ISSQN": ("ISSQN", None, 1000, "5", 50),
        "IS": ("IS", "000", 1000, "1", 10),
        "IBSCBS": ("IBSCBS", "000", 1000, None, 10),
        "NOVO": ("NOVO", None, 100, None, None),
    }
    ipi, reform, unknown = item.tax("IPI"), item.tax("IBSCBS"), item.tax("NOVO")
    assert ipi is not None
    assert ipi.fields[:2] == (("cEnq", "999"), ("CST", "50"))
    assert reform is not None
    assert ("gIBSCBS/gIBSUF/vIBSUF", "0.01") in reform.fields
    assert unknown is not None
    assert unknown.fields[-1] == ("deep/x", "y")
    assert item.fields == (("solto", "z"),)


def test_single_phase_ibs_and_cbs_are_added_up() -> None:
    (tax,) = taxed(
        "<IBSCBS><CST>620</CST><gIBSCBSMono><vTotIBSMonoItem>1.00</vTotIBSMonoItem>"
        "<vTotCBSMonoItem>2.00</vTotCBSMonoItem></gIBSCBSMono></IBSCBS>"
    ).taxes
    assert (tax.cst, tax.base_cents, tax.amount_cents) == ("620", None, 300)


def test_totals_of_every_group() -> None:
    after = (
        "<ISSQNtot><vServ>1.00</vServ></ISSQNtot><retTrib><vRetPIS>0.01</vRetPIS></retTrib><ISTot><vIS>0.10</vIS></ISTot>"
        "<IBSCBSTot><gIBS><gIBSUF><vIBSUF>0.01</vIBSUF></gIBSUF></gIBS></IBSCBSTot><vNFTot>10.26</vNFTot>"
    )
    totals = dict(whole(made.note(after_totals=after)).totals)
    assert list(totals) == ["ICMSTot", "ISSQNtot", "retTrib", "ISTot", "IBSCBSTot", "total"]
    assert totals["ICMSTot"][:2] == (("vBC", "10.00"), ("vICMS", "1.80"))
    assert totals["IBSCBSTot"] == (("gIBS/gIBSUF/vIBSUF", "0.01"),)
    assert totals["total"] == (("vNFTot", "10.26"),)


def test_transport_carrier_vehicles_and_volumes() -> None:
    transport = whole(
        made.note(
            sections="<transp><modFrete>1</modFrete><transporta><CNPJ>33014556000196</CNPJ><xNome>Transportes</xNome>"
            "<IE>1</IE><xEnder>Rod BR 116, km 3</xEnder><xMun>Osasco</xMun><UF>SP</UF></transporta>"
            "<retTransp><vServ>5.00</vServ></retTransp>"
            "<veicTransp><placa>ABC1D23</placa><UF>SP</UF></veicTransp><reboque><placa>XYZ9876</placa></reboque>"
            "<vol><qVol>2</qVol><esp>CAIXA</esp><marca>M</marca><nVol>1-2</nVol><pesoL>1.500</pesoL><pesoB>1.750</pesoB>"
            "<lacres><nLacre>L1</nLacre></lacres><lacres><nLacre>L2</nLacre></lacres></vol><vol><qVol>1</qVol></vol>"
            "</transp>"
        )
    ).transport
    assert transport is not None
    assert transport.mode == "1"
    assert transport.carrier is not None
    assert transport.carrier.party.tax_id == "33014556000196"
    assert transport.carrier.address == Address(street="Rod BR 116, km 3", city="Osasco", uf="SP")
    assert transport.plates == ("ABC1D23", "XYZ9876")
    assert transport.volumes == (
        Volume(Decimal(2), "CAIXA", "M", "1-2", Decimal("1.500"), Decimal("1.750"), ("L1", "L2")),
        Volume(Decimal(1), None, None, None, None, None),
    )
    assert transport.fields == (("retTransp/vServ", "5.00"), ("veicTransp/UF", "SP"))
    assert whole(made.note()).transport is None


def test_payments_of_both_forms() -> None:
    today = whole(
        made.note(
            model="65",
            sections="<pag><detPag><indPag>0</indPag><tPag>03</tPag><vPag>9.00</vPag><card><tpIntegra>1</tpIntegra>"
            "<tBand>01</tBand><cAut>77</cAut></card></detPag><detPag><tPag>99</tPag><xPag>Vale</xPag><vPag>2.00</vPag>"
            "</detPag><vTroco>1.00</vTroco></pag>",
        )
    )
    assert today.payments == (
        Payment("03", 900, "0", None, (("card/tpIntegra", "1"), ("card/tBand", "01"), ("card/cAut", "77"))),
        Payment("99", 200, None, "Vale"),
    )
    assert today.change_cents == 100
    before = whole(
        made.note(
            model="65",
            sections="<pag><tPag>01</tPag><vPag>9.00</vPag></pag><pag><tPag>04</tPag><vPag>1.00</vPag></pag>",
        )
    )
    assert before.payments == (Payment("01", 900), Payment("04", 100))
    assert before.change_cents is None


def test_the_bill_and_its_instalments() -> None:
    billing = whole(
        made.note(
            sections="<cobr><fat><nFat>7</nFat><vOrig>10.00</vOrig><vDesc>1.00</vDesc><vLiq>9.00</vLiq></fat>"
            "<dup><nDup>001</nDup><dVenc>2026-09-07</dVenc><vDup>4.50</vDup></dup>"
            "<dup><nDup>002</nDup><dVenc>2026-10-07</dVenc><vDup>4.50</vDup></dup></cobr>"
        )
    ).billing
    instalments = (Instalment("001", "2026-09-07", 450), Instalment("002", "2026-10-07", 450))
    assert billing == Billing("7", 1000, 100, 900, instalments)


def test_words_and_named_remarks() -> None:
    words = whole(
        made.note(
            additional="<infAdic><infAdFisco>Ao fisco</infAdFisco><infCpl>Ao cliente</infCpl>"
            '<obsCont xCampo="rota"><xTexto>7</xTexto></obsCont><obsFisco xCampo="f"><xTexto>8</xTexto></obsFisco>'
            "<procRef><nProc>9</nProc><indProc>1</indProc></procRef></infAdic>"
        )
    ).words
    assert (words.for_taxpayer, words.for_authority) == ("Ao cliente", "Ao fisco")
    assert words.remarks == (Remark("rota", "7"), Remark("f", "8", for_authority=True))
    assert words.fields == (("procRef/nProc", "9"), ("procRef/indProc", "1"))


def test_every_other_group_is_a_section_unknown_ones_too() -> None:
    detail = whole(
        made.note(
            sections="<autXML><CNPJ>1</CNPJ></autXML><autXML><CPF>2</CPF></autXML><infIntermed><CNPJ>3</CNPJ></infIntermed>"
            "<exporta><UFSaidaPais>SC</UFSaidaPais></exporta><compra><xPed>4</xPed></compra>"
            '<cana><safra>2026</safra><forDia dia="1"><qtde>5</qtde></forDia></cana>'
            "<infRespTec><CNPJ>6</CNPJ></infRespTec>"
            "<agropecuario><guiaTransito><nGuia>7</nGuia></guiaTransito></agropecuario><futuro><a><b>8</b></a></futuro>"
            "<frase>9</frase>"
        ).replace("<Signature", "<infNFeSupl><qrCode>http://q</qrCode></infNFeSupl><Signature")
    )
    assert detail.sections == (
        ("autXML", (("CNPJ", "1"),)),
        ("autXML", (("CPF", "2"),)),
        ("infIntermed", (("CNPJ", "3"),)),
        ("exporta", (("UFSaidaPais", "SC"),)),
        ("compra", (("xPed", "4"),)),
        ("cana", (("safra", "2026"), ("forDia/@dia", "1"), ("forDia/qtde", "5"))),
        ("infRespTec", (("CNPJ", "6"),)),
        ("agropecuario", (("guiaTransito/nGuia", "7"),)),
        ("futuro", (("a/b", "8"),)),
        ("frase", (("frase", "9"),)),
        ("infNFeSupl", (("qrCode", "http://q"),)),
    )


def test_an_amount_that_loses_something_is_kept_as_written_too() -> None:
    text = made.note(sections="<cobr><fat><vLiq>9.005</vLiq></fat></cobr><pag><vTroco>um</vTroco></pag>")
    detail = whole(text)
    assert (detail.billing and detail.billing.net_cents, detail.change_cents) == (900, None)
    assert detail.sections == (("infNFe", (("vTroco", "um"), ("vLiq", "9.005"))),)


def test_a_shell_has_an_empty_detail() -> None:
    detail = whole("<NFe><infNFe/></NFe>")
    assert (detail.parties, detail.items, detail.totals, detail.payments, detail.sections) == ((), (), (), (), ())
    assert (detail.transport, detail.billing, detail.words) == (None, None, Words())
