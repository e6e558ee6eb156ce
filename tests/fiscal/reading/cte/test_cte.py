"""Reading CT-e, simplified CT-e and CT-e OS: parties, takers, references, totals; and the header of an MDF-e."""

from __future__ import annotations

import pytest

from confere.fiscal.document_parts import Party, Reference
from confere.fiscal.model import Document, DocumentType
from confere.fiscal.reading.document import read
from confere.fiscal.references import RelationKind
from confere.fiscal.warnings import Trait
from tests.fiscal import made
from tests.fiscal.told import codes

NOTES = [made.access_key(number=number) for number in range(1, 4)]
OTHERS = [made.cte_key(number=number) for number in range(90, 96)]
OWN_TAKER = (
    "<{0}><toma>4</toma><CNPJ>34128745000152</CNPJ><IE>9</IE><xNome>Quem paga</xNome>"
    "<enderToma><xMun>Recife</xMun><UF>PE</UF></enderToma></{0}>"
)
PAYER = Party("taker", "34128745000152", "Quem paga", "9", "PE", "Recife")


def one(data: str) -> Document:
    paper = read(data.encode())
    assert len(paper.documents) == 1
    return paper.documents[0]


def claims(document: Document) -> list[tuple[str, str]]:
    return [(reference.kind, reference.access_key) for reference in document.references]


def test_an_ordinary_freight() -> None:
    key = made.cte_key()
    document = one(made.cte_proc(made.freight(documents=NOTES), made.protocol(key, tag="CTe")))
    assert document.type is DocumentType.CTE
    assert (document.access_key, document.model, document.series, document.number) == (key, "57", 1, 77)
    assert (document.cfops, document.items, document.direction, document.purpose) == (("6353",), (), None, "0")
    assert (document.totals.document, document.totals.icms, document.totals.with_reform) == (2590, 311, 2610)
    assert document.notes == "Entregar pela manhã"
    assert document.references == tuple(Reference(RelationKind.CARRIES, note) for note in NOTES)
    assert [party.role for party in document.parties] == ["emitter", "sender", "recipient", "taker"]
    assert document.party("taker") == Party("taker", made.RECIPIENT, "José da Conceição", None, "PR", "Curitiba")
    assert document.protocol is not None
    assert codes(document) == []


@pytest.mark.parametrize(
    ("code", "name"), [("0", "Remetente"), ("1", "Expedidor"), ("2", "Recebedor"), ("3", "Destino")]
)
@pytest.mark.parametrize("group", ["toma3", "toma03"])
def test_the_taker_is_one_of_the_parties(group: str, code: str, name: str) -> None:
    parties = "".join(
        f"<{tag}><CNPJ>{made.EMITTER}</CNPJ><xNome>{person}</xNome></{tag}>"
        for tag, person in (("rem", "Remetente"), ("exped", "Expedidor"), ("receb", "Recebedor"), ("dest", "Destino"))
    )
    document = one(made.freight(taker=f"<{group}><toma>{code}</toma></{group}>", parties=parties))
    taker = document.party("taker")
    assert taker is not None
    assert taker.name == name
    roles = ["emitter", "sender", "dispatcher", "receiver", "recipient", "taker"]
    assert [party.role for party in document.parties] == roles


@pytest.mark.parametrize("group", ["toma4", "toma04", "tomaTerceiro"])
def test_the_taker_is_somebody_else(group: str) -> None:
    assert one(made.freight(taker=OWN_TAKER.format(group))).party("taker") == PAYER


def test_a_taker_that_is_not_there() -> None:
    assert one(made.freight(taker="")).party("taker") is None
    assert one(made.freight(taker="<toma3><toma>1</toma></toma3>")).party("taker") is None


def test_other_services_name_their_taker_beside_the_emitter() -> None:
    body = made.freight(root="CTeOS", model="67", taker="", parties="", after_parties=OWN_TAKER.format("toma"))
    document = one(made.cte_proc(body, made.protocol(made.cte_key(model="67"), tag="CTe"), root="cteOSProc"))
    assert document.type is DocumentType.CTEOS
    assert document.party("taker") == PAYER
    assert document.party("recipient") is None
    assert document.protocol is not None
    assert codes(document) == []


def test_the_simplified_form() -> None:
    details = (
        f"<det nItem='1'><vPrest>10.00</vPrest><infNFe><chNFe>{NOTES[0]}</chNFe></infNFe></det>"
        f"<det nItem='2'><vPrest>15.00</vPrest><infNFe><chNFe>{NOTES[1]}</chNFe></infNFe>"
        f"<infDocAnt><chCTe>{OTHERS[0]}</chCTe><infNFeTranspParcial><chNFe>{NOTES[2]}</chNFe></infNFeTranspParcial>"
        "</infDocAnt></det>"
    )
    body = made.freight(
        root="CTeSimp",
        taker="",
        parties="",
        after_parties=OWN_TAKER.format("toma") + details,
        service="",
        tail=f"<infCteSub><chCte>{OTHERS[1]}</chCte></infCteSub>"
        "<total><vTPrest>25.00</vTPrest><vTotDFe>26.00</vTotDFe></total>",
    ).replace("<vTotDFe>26.10</vTotDFe>", "")
    document = one(made.cte_proc(body, made.protocol(made.cte_key(), tag="CTe"), root="cteSimpProc"))
    assert document.type is DocumentType.CTE
    assert (document.totals.document, document.totals.with_reform) == (2500, 2600)
    assert document.party("taker") == PAYER
    assert claims(document) == [
        (RelationKind.CARRIES, NOTES[0]),
        (RelationKind.CARRIES, NOTES[1]),
        (RelationKind.CONTINUES, OTHERS[0]),
        (RelationKind.CARRIES, NOTES[2]),
        (RelationKind.REPLACES, OTHERS[1]),
    ]


@pytest.mark.parametrize("tag", ["chCTe", "chCte", "chave"])
@pytest.mark.parametrize(
    ("group", "kind"),
    [
        ("infCteComp", RelationKind.COMPLEMENTS),
        ("infCteAnu", RelationKind.ANNULS),
        ("infCteSub", RelationKind.REPLACES),
    ],
)
def test_adjustments_beside_the_body(group: str, kind: RelationKind, tag: str) -> None:
    document = one(made.freight(tail=f"<{group}><{tag}>{OTHERS[0]}</{tag}></{group}>"))
    assert claims(document) == [(kind, OTHERS[0])]


def test_every_key_a_normal_freight_names() -> None:
    document = one(
        made.freight(
            documents=NOTES[:1],
            normal="<docAnt><emiDocAnt><CNPJ>1</CNPJ><idDocAnt>"
            f"<idDocAntEle><chCTe>{OTHERS[0]}</chCTe></idDocAntEle><idDocAntEle><chave>{OTHERS[1]}</chave></idDocAntEle>"
            "</idDocAnt></emiDocAnt></docAnt>"
            f"<infCteSub><chCte>{OTHERS[2]}</chCte><tomaICMS><refNFe>{NOTES[1]}</refNFe></tomaICMS></infCteSub>"
            f"<infServVinc><infCTeMultimodal><chCTeMultimodal>{OTHERS[3]}</chCTeMultimodal></infCTeMultimodal></infServVinc>",
        )
    )
    assert claims(document) == [
        (RelationKind.CARRIES, NOTES[0]),
        (RelationKind.CONTINUES, OTHERS[0]),
        (RelationKind.CONTINUES, OTHERS[1]),
        (RelationKind.REPLACES, OTHERS[2]),
        (RelationKind.REFERENCES, NOTES[1]),
        (RelationKind.REFERENCES, OTHERS[3]),
    ]


def test_the_first_layout_names_its_cargo_within_the_sender() -> None:
    parties = f"<rem><CNPJ>{made.EMITTER}</CNPJ><infNFe><chave>{NOTES[0]}</chave></infNFe></rem>"
    assert claims(one(made.freight(parties=parties, layout="1.03"))) == [(RelationKind.CARRIES, NOTES[0])]


def test_prepayment_process_and_many_notes() -> None:
    taker = f"<toma3><toma>3</toma></toma3><gPagAntecipado><chDFePagAnt>{NOTES[0]}</chDFePagAnt></gPagAntecipado>"
    compl = "<compl><xObs/><ObsCont xCampo='external_id'><xTexto>SALE-freight-77</xTexto></ObsCont></compl>"
    many = [made.access_key(number=number) for number in range(2000)]
    document = one(made.freight(taker=taker, compl=compl, documents=[*many, *many]))
    assert document.external_id == "SALE-freight-77"
    assert document.notes is None
    assert claims(document) == [(RelationKind.PREPAYMENT, NOTES[0]), *((RelationKind.CARRIES, key) for key in many)]


def test_a_field_that_disagrees_with_the_key_is_named() -> None:
    document = one(made.freight().replace("<nCT>77<", "<nCT>78<").replace("<cCT>12345678", "<cCT>12345670"))
    found = [warning.detail for warning in document.warnings if warning.code == Trait.KEY_FIELDS_DIFFER]
    assert found == ["number, code"]


def test_a_manifest_gives_its_header() -> None:
    key = made.access_key(model="58", number=5, emitter=made.CARRIER)
    namespace = "http://www.portalfiscal.inf.br/mdfe"
    document = one(
        f'<mdfeProc xmlns="{namespace}"><MDFe><infMDFe Id="MDFe{key}" versao="3.00"><ide><cUF>35</cUF><tpAmb>1</tpAmb>'
        "<mod>58</mod><serie>1</serie><nMDF>5</nMDF><cMDF>12345678</cMDF><dhEmi>2026-08-09T07:00:00-03:00</dhEmi>"
        f"<tpEmis>1</tpEmis></ide><emit><CNPJ>{made.CARRIER}</CNPJ><xNome>Transportes</xNome></emit>"
        f"<infDoc><infMunDescarga><infNFe><chNFe>{NOTES[0]}</chNFe></infNFe></infMunDescarga></infDoc>"
        "<tot><vCarga>100.00</vCarga></tot><infAdic><infCpl>Lacrado</infCpl></infAdic></infMDFe></MDFe>"
        f"{made.protocol(key, tag='MDFe')}</mdfeProc>"
    )
    assert document.type is DocumentType.MDFE
    assert (document.access_key, document.model, document.number) == (key, "58", 5)
    assert document.parties == (Party("emitter", made.CARRIER, "Transportes", None, None, None),)
    assert (document.notes, document.totals.document) == ("Lacrado", None)
    assert document.references == (Reference(RelationKind.MANIFESTS, NOTES[0]),)
    assert codes(document) == []
    assert not read(b"<MDFe/>").recognised
    assert not read(b"<CTe/>").recognised
