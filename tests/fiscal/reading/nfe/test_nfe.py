"""Reading NF-e and NFC-e: nfelib's generated bindings as an oracle, then every group and layout by itself."""

from __future__ import annotations

import warnings as python_warnings
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import nfelib
import pytest
from nfelib.nfe.bindings.v4_0.nfe_v4_00 import Nfe
from nfelib.nfe.bindings.v4_0.proc_nfe_v4_00 import NfeProc

from confere.fiscal.document_parts import Item, Party, Reference
from confere.fiscal.model import Document, DocumentType
from confere.fiscal.reading.document import read
from confere.fiscal.references import RelationKind
from confere.fiscal.warnings import Trait
from tests.fiscal import made
from tests.fiscal.told import codes, told

PACKAGED = sorted((Path(nfelib.__file__).parent / "nfe/samples/v4_0").rglob("*.xml"))
NOTES = [path for path in PACKAGED if b"<infNFe" in path.read_bytes()]


def one(data: str | bytes) -> Document:
    paper = read(data.encode() if isinstance(data, str) else data)
    assert len(paper.documents) == 1
    return paper.documents[0]


# -- against the generated bindings ----------------------------------------------------------------------


def binding(path: Path) -> tuple[Any, Any]:
    """`infNFe` and `infProt` (or None) as nfelib's bindings read them."""
    text = path.read_text(encoding="utf-8-sig")
    with python_warnings.catch_warnings():
        # xsdata says so where a sample's value is outside the schema; the value is kept.
        python_warnings.simplefilter("ignore")
        if "<nfeProc" in text:
            root = NfeProc.from_xml(text)
            return root.NFe.infNFe, root.protNFe.infProt if root.protNFe else None
        return Nfe.from_xml(text).infNFe, None


def value(field: Any) -> Any:
    """A binding's field as the paper writes it: enumerations by their value."""
    return getattr(field, "value", field)


def money(text: Any) -> int | None:
    return None if text is None else int((Decimal(str(value(text))) * 100).to_integral_exact())


def bound_party(role: str, person: Any, place: Any) -> Party:
    tax_id = person.CNPJ or person.CPF or getattr(person, "idEstrangeiro", None)
    uf = value(place.UF) if place is not None else None
    return Party(role, tax_id, person.xNome, value(person.IE), uf, place.xMun if place is not None else None)


def bound_parties(inf: Any) -> Iterator[Party]:
    yield bound_party("emitter", inf.emit, inf.emit.enderEmit)
    if inf.dest is not None:
        yield bound_party("recipient", inf.dest, inf.dest.enderDest)
    if inf.entrega is not None:
        yield bound_party("delivery", inf.entrega, inf.entrega)
    if inf.retirada is not None:
        yield bound_party("pickup", inf.retirada, inf.retirada)
    if inf.transp.transporta is not None:
        yield bound_party("carrier", inf.transp.transporta, inf.transp.transporta)


def bound_items(inf: Any) -> Iterator[Item]:
    for detail in inf.det:
        product = detail.prod
        ean = product.cEAN or None
        yield Item(
            int(detail.nItem),
            product.cProd,
            None if ean == "SEM GTIN" else ean,
            product.xProd,
            product.NCM,
            product.CFOP,
            product.uCom,
            Decimal(product.qCom),
            Decimal(product.vUnCom),
            money(product.vProd),
            origin_of(detail.imposto.ICMS),
        )


def origin_of(icms: Any) -> str | None:
    """`orig` of whichever group of the ICMS an item has."""
    groups = [] if icms is None else [group for group in vars(icms).values() if group is not None]
    return value(groups[0].orig) if groups else None


def test_there_are_samples_to_compare() -> None:
    assert len(NOTES) >= 18


@pytest.mark.parametrize("path", NOTES, ids=lambda path: path.stem)
def test_agrees_with_the_generated_bindings(path: Path) -> None:
    document = one(path.read_bytes())
    inf, answer = binding(path)
    ide = inf.ide
    assert document.access_key == inf.Id.removeprefix("NFe")
    assert (document.model, document.series, document.number) == (value(ide.mod), int(ide.serie), int(ide.nNF))
    assert (document.layout, document.issued_at) == (inf.versao, ide.dhEmi)
    assert (document.operation, document.direction) == (ide.natOp, value(ide.tpNF))
    assert (document.purpose, document.destination) == (value(ide.finNFe), value(ide.idDest))
    assert document.environment == value(ide.tpAmb)
    assert document.parties == tuple(bound_parties(inf))
    assert document.items == tuple(bound_items(inf))
    assert document.cfops == tuple(dict.fromkeys(detail.prod.CFOP for detail in inf.det))
    total = inf.total.ICMSTot
    totals = document.totals
    assert (totals.document, totals.products, totals.discount) == tuple(
        map(money, (total.vNF, total.vProd, total.vDesc))
    )
    assert (totals.freight, totals.insurance, totals.other) == tuple(
        map(money, (total.vFrete, total.vSeg, total.vOutro))
    )
    assert (totals.icms, totals.icms_st, totals.ipi) == tuple(map(money, (total.vICMS, total.vST, total.vIPI)))
    assert (totals.pis, totals.cofins) == tuple(map(money, (total.vPIS, total.vCOFINS)))
    assert totals.with_reform == money(inf.total.vNFTot)
    references = [(group.refNFe, group.refNFeSig, group.refCTe) for group in ide.NFref]
    expected = [key for group in references for key in group if key]
    assert [reference.access_key for reference in document.references] == expected
    if answer is None or answer.cStat is None:
        assert document.protocol is None
    else:
        assert document.protocol is not None
        assert document.protocol.cstat == answer.cStat
        assert document.protocol.access_key == answer.chNFe
        assert document.protocol.number == answer.nProt
        assert document.protocol.received_at == str(answer.dhRecbto)
    assert document.notes == ((inf.infAdic.infCpl or "").strip() or None if inf.infAdic else None)


# -- group by group --------------------------------------------------------------------------------------


def test_an_ordinary_note() -> None:
    document = one(made.nfe_proc())
    assert document.type is DocumentType.NFE
    assert document.access_key == made.access_key()
    assert (document.model, document.series, document.number, document.layout) == ("55", 1, 10, "4.00")
    assert document.issued_at == "2026-08-07T10:15:00-03:00"
    assert document.party("emitter") == Party(
        "emitter", made.EMITTER, "Papelaria São João Ltda", "111222333444", "SP", "São Paulo"
    )
    assert document.party("recipient") == Party(
        "recipient", made.RECIPIENT, "José da Conceição", None, "PR", "Curitiba"
    )
    assert document.party("carrier") is None
    assert document.items == (
        Item(
            *(1, "SKU-1", "7891000315507", "Caneta azul nº 1", "96081000", "5102", "UN", Decimal(2), Decimal(5), 1000),
            origin="0",
        ),
    )
    assert str(document.items[0].quantity) == "2.0000"
    assert document.totals.document == 1000
    assert document.totals.pis == 17
    assert document.protocol is not None
    assert document.protocol.reason == "Autorizado o uso"
    assert document.digest == document.protocol.digest == "0beec7b5ea3f0fdbc95d0dd4"
    assert document.warnings == ()


def test_model_65_is_a_consumers_note() -> None:
    assert one(made.note(model="65", recipient="")).type is DocumentType.NFCE


@pytest.mark.parametrize(
    ("layout", "dates", "expected"),
    [
        ("1.10", "<dEmi>2026-08-07</dEmi><dSaiEnt>2026-08-08</dSaiEnt>", "2026-08-07"),
        ("2.00", "<dEmi>2026-08-07</dEmi><dSaiEnt>2026-08-08</dSaiEnt><hSaiEnt>10:00:00</hSaiEnt>", "2026-08-07"),
        ("3.10", "<dhEmi>2026-08-07T23:59:59-04:00</dhEmi>", "2026-08-07T23:59:59-04:00"),
        ("4.00", "<dhEmi> 2026-08-07T10:15:00-03:00 </dhEmi>", "2026-08-07T10:15:00-03:00"),
        ("4.00", "", None),
    ],
)
def test_the_date_of_every_layout_is_kept_as_written(layout: str, dates: str, expected: str | None) -> None:
    document = one(made.note(layout=layout, dates=dates))
    assert (document.layout, document.issued_at) == (layout, expected)
    assert Trait.KEY_FIELDS_DIFFER not in codes(document)


def test_a_code_of_nine_digits_is_that_of_the_first_layouts() -> None:
    first = f"352608{made.EMITTER}55001000000010123456789"
    key = first + made.check_digit(first)
    text = made.note(key, layout="1.10").replace("<cNF>12345678<", "<cNF>123456789<")
    assert Trait.KEY_FIELDS_DIFFER not in codes(one(text))


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (("<cUF>35<", "<cUF>41<"), "uf"),
        (("2026-08-07T10", "2026-09-07T10"), "issued_at"),
        ((f"<emit><CNPJ>{made.EMITTER}", "<emit><CNPJ>34128745000152"), "emitter"),
        (("<mod>55<", "<mod>65<"), "model"),
        (("<serie>1<", "<serie>2<"), "series"),
        (("<nNF>10<", "<nNF>11<"), "number"),
        (("<cNF>12345678<", "<cNF>12345679<"), "code"),
        (("<tpEmis>1<", "<tpEmis>9<"), "code"),
    ],
)
def test_a_field_that_disagrees_with_the_key_is_named(change: tuple[str, str], field: str) -> None:
    text = made.note().replace(*change)
    found = [warning for warning in one(text).warnings if warning.code == Trait.KEY_FIELDS_DIFFER]
    assert [warning.detail for warning in found] == [field]


def test_an_individuals_cpf_agrees_with_its_padded_key() -> None:
    key = made.access_key(emitter=made.RECIPIENT, series=920)
    document = one(made.note(key, series="920", emitter=made.RECIPIENT, emitter_tag="CPF"))
    assert document.parties[0].tax_id == made.RECIPIENT
    assert codes(document) == [Trait.NO_PROTOCOL]


def test_letters_in_cnpj_and_key() -> None:
    document = one(made.note(emitter=made.LETTERED))
    assert document.access_key is not None
    assert document.access_key[6:20] == made.LETTERED
    assert document.parties[0].tax_id == made.LETTERED
    assert codes(document) == [Trait.NO_PROTOCOL]


def test_a_masked_tax_id_loses_its_mask_and_nothing_else() -> None:
    document = one(made.note(recipient="<CNPJ>12.abc.345/01DE-35</CNPJ>"))
    assert document.parties[1].tax_id == made.LETTERED


def test_a_foreign_recipient() -> None:
    assert one(made.note(recipient="<idEstrangeiro>P-77/Q</idEstrangeiro>")).parties[1].tax_id == "P-77/Q"
    assert one(made.note(recipient="<CNPJ></CNPJ>")).parties[1].tax_id is None


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (made.access_key()[:43] + "0", [Trait.BAD_CHECK_DIGIT]),
        (made.access_key()[:41], [Trait.KEY_LENGTH]),
        (made.access_key() + "7", [Trait.KEY_LENGTH]),
        ("X" * 44, [Trait.KEY_SHAPE, Trait.KEY_FIELDS_DIFFER]),
    ],
)
def test_a_broken_key_is_kept_as_written(key: str, expected: list[str]) -> None:
    document = one(made.note(key))
    assert document.access_key == key
    assert codes(document) == [*expected, Trait.NO_PROTOCOL]


def test_a_key_without_its_prefix_and_none_at_all() -> None:
    key = made.access_key()
    assert one(made.note(id_attribute=key)).access_key == key
    alone = one(made.note(id_attribute=""))
    assert alone.access_key is None
    assert codes(alone) == [Trait.NO_KEY, Trait.NO_PROTOCOL]
    answered = one(made.nfe_proc(made.note(id_attribute=""), made.protocol(key)))
    assert answered.access_key == key
    assert codes(answered) == [Trait.KEY_FROM_PROTOCOL]


def test_a_protocol_for_another_key_is_told_and_the_documents_own_key_stays() -> None:
    other = made.access_key(number=99)
    document = one(made.nfe_proc(made.note(), made.protocol(other)))
    assert document.access_key == made.access_key()
    assert document.protocol is not None
    assert document.protocol.access_key == other
    assert [(warning.code, warning.detail) for warning in document.warnings] == [(Trait.PROTOCOL_KEY_DIFFERS, other)]


def test_without_protocol_and_with_an_empty_one() -> None:
    assert codes(one(made.nfe_proc(made.note()))) == [Trait.NO_PROTOCOL]
    assert one(made.nfe_proc(made.note(), "<protNFe/>")).protocol is None
    assert one(made.nfe_proc(made.note(), "<protNFe><infProt/></protNFe>")).protocol is None


def test_test_environment_and_missing_namespace() -> None:
    assert codes(one(made.note(environment="2"))) == [Trait.NO_PROTOCOL, Trait.TEST_ENVIRONMENT]
    assert codes(one(made.note(namespace=None))) == [Trait.NO_NAMESPACE, Trait.NO_PROTOCOL]


def test_prefixed_namespaces_read_the_same() -> None:
    plain = made.nfe_proc()
    prefixed = (
        plain.replace(f' xmlns="{made.NFE}"', "")
        .replace("<", "<n:")
        .replace("<n:/", "</n:")
        .replace("<n:?", "<?")
        .replace("<n:nfeProc", f'<n:nfeProc xmlns:n="{made.NFE}"')
        .replace(f'<n:Signature xmlns="{made.DSIG}"', "<n:Signature")
    )
    document = one(prefixed)
    assert [(warning.code, warning.detail) for warning in document.warnings] == [(Trait.PREFIXED, "n:")]
    assert replace(document, warnings=()) == one(plain)


def test_references_of_every_kind() -> None:
    keys = [made.access_key(number=number) for number in range(20, 26)]
    document = one(
        made.note(
            in_ide=f"<NFref><refNFe>{keys[0]}</refNFe></NFref><NFref><refCTe>{keys[1]}</refCTe></NFref>"
            f"<NFref><refNFeSig>{keys[2]}</refNFeSig></NFref><NFref><refNF><cUF>35</cUF></refNF></NFref>"
            f"<NFref><refNFe>{keys[0]}</refNFe></NFref><NFref><refNFe> </refNFe></NFref>"
            f"<gPagAntecipado><refNFe>{keys[3]}</refNFe><refNFe>{keys[4]}</refNFe></gPagAntecipado>",
            items=[
                made.item(
                    after=f"<DFeReferenciado><chaveAcesso>{keys[5]}</chaveAcesso><nItem>1</nItem></DFeReferenciado>"
                )
            ],
        )
    )
    assert document.references == (
        Reference(RelationKind.REFERENCES, keys[0]),
        Reference(RelationKind.REFERENCES, keys[1]),
        Reference(RelationKind.REFERENCES, keys[2]),
        Reference(RelationKind.PREPAYMENT, keys[3]),
        Reference(RelationKind.PREPAYMENT, keys[4]),
        Reference(RelationKind.ITEM_REFERENCES, keys[5]),
    )


def test_a_malformed_reference_is_kept_and_told() -> None:
    document = one(made.note(in_ide="<NFref><refNFe>123</refNFe></NFref>"))
    assert document.references == (Reference(RelationKind.REFERENCES, "123"),)
    assert codes(document) == [Trait.NO_PROTOCOL, Trait.REFERENCE_MALFORMED]


def test_the_reforms_total_stands_beside_the_notes() -> None:
    document = one(made.note(after_totals="<IBSCBSTot><vBCIBSCBS>9.00</vBCIBSCBS></IBSCBSTot><vNFTot>10.26</vNFTot>"))
    assert (document.totals.document, document.totals.with_reform) == (1000, 1026)


def test_cfops_are_those_of_all_items_once_in_order() -> None:
    items = [made.item(number, cfop=cfop) for number, cfop in enumerate(("5910", "5102", "5910", "6102"), 1)]
    assert one(made.note(items=items)).cfops == ("5910", "5102", "6102")


def test_order_number_process_and_notes() -> None:
    additional = (
        "<infAdic><infCpl> Pedido 4411 \n</infCpl><obsCont xCampo='outro'><xTexto>x</xTexto></obsCont>"
        "<obsCont xCampo='external_id'><xTexto>SALE-sale-4411-1</xTexto></obsCont></infAdic>"
    )
    document = one(made.note(items=[made.item(extra="<xPed>4411</xPed>")], additional=additional))
    assert (document.external_id, document.order_hint, document.notes) == ("SALE-sale-4411-1", "4411", "Pedido 4411")
    bought = one(made.note(sections="<compra><xPed>OC-9</xPed></compra>", items=[made.item(extra="<xPed>4411</xPed>")]))
    assert bought.order_hint == "OC-9"


def test_places_and_carrier_are_parties() -> None:
    sections = (
        "<retirada><CNPJ>11222333000181</CNPJ><xMun>Osasco</xMun><UF>SP</UF></retirada>"
        "<entrega><CPF>52998224725</CPF><xNome>Vizinha</xNome><xMun>Lapa</xMun><UF>PR</UF></entrega>"
        "<transp><modFrete>0</modFrete><transporta><CNPJ>33014556000196</CNPJ><xNome>Transportes</xNome><IE>1</IE>"
        "<xMun>Osasco</xMun><UF>SP</UF></transporta></transp>"
    )
    roles = {party.role: party for party in one(made.note(sections=sections)).parties}
    assert list(roles) == ["emitter", "recipient", "delivery", "pickup", "carrier"]
    assert roles["delivery"] == Party("delivery", "52998224725", "Vizinha", None, "PR", "Lapa")
    assert roles["carrier"] == Party("carrier", "33014556000196", "Transportes", "1", "SP", "Osasco")


def test_no_barcode_is_none_and_item_numbers_stand_in_by_position() -> None:
    document = one(made.note(items=[made.item(ean="SEM GTIN"), made.item(2).replace(' nItem="2"', "")]))
    assert [(item.number, item.ean) for item in document.items] == [(1, None), (2, "7891000315507")]


def test_unreadable_numbers_are_none_with_a_word_each() -> None:
    text = made.note(items=[made.item(quantity="dois", price="5,00", total="10.005")], series="A", number="")
    document = one(text.replace("<vNF>10.00<", "<vNF>dez<"))
    assert (document.series, document.number, document.totals.document) == (None, None, None)
    assert document.items[0].quantity is None
    assert (document.items[0].unit_price, document.items[0].total_cents) == (Decimal("5.00"), 1000)
    assert told(document) == [
        (Trait.UNREADABLE_NUMBER, "qCom=dois"),
        (Trait.COMMA_DECIMAL, "vUnCom=5,00"),
        (Trait.MONEY_ROUNDED, "vProd=10.005"),
        (Trait.UNREADABLE_NUMBER, "serie=A"),
        (Trait.NO_PROTOCOL, ""),
        (Trait.UNREADABLE_NUMBER, "vNF=dez"),
    ]


def test_990_items() -> None:
    items = [made.item(number, cfop="5102" if number % 2 else "6102") for number in range(1, 991)]
    document = one(made.note(items=items, total="9900.00"))
    assert [item.number for item in document.items] == list(range(1, 991))
    assert sum(item.total_cents or 0 for item in document.items) == document.totals.document == 990_000


def test_a_shell_without_its_contents() -> None:
    assert not read(b"<NFe/>").recognised
    bare = one(b"<nfeProc><NFe><infNFe/></NFe></nfeProc>")
    assert (bare.access_key, bare.model, bare.parties, bare.items) == (None, None, (), ())
    assert bare.totals.document is None


def test_an_instruction_or_comment_among_the_fields_is_no_field() -> None:
    plain = made.note()
    odd = plain.replace("<ide>", "<!-- a --><?b c?><ide><?d e?>").replace("<det ", "<?f g?><det ")
    assert one(odd) == one(plain)
