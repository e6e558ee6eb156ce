"""The heads of the other models: equal to nfelib's bindings on its samples, and as written where it has none."""

from __future__ import annotations

from decimal import Decimal
from importlib.resources import files
from typing import Any

import pytest
from nfelib.bpe.bindings.v1_0.bpe_ta_v1_00 import BpeTa
from nfelib.bpe.bindings.v1_0.bpe_tm_v1_00 import BpeTm
from nfelib.bpe.bindings.v1_0.bpe_v1_00 import Bpe
from nfelib.cte.bindings.v4_0.proc_gtve_v4_00 import GtveProc
from nfelib.mdfe.bindings.v3_0.mdfe_v3_00 import Mdfe
from nfelib.nf3e.bindings.v1_0.nf3e_v1_00 import Nf3E
from nfelib.nfcom.bindings.v1_0.nfcom_v1_00 import Nfcom
from nfelib.nfse.bindings.v1_0.nfse_v1_01 import Nfse
from xsdata.formats.dataclass.parsers import XmlParser

from confere.fiscal import access_keys
from confere.fiscal.detail import HeadDetail
from confere.fiscal.document_parts import Party
from confere.fiscal.model import Document, DocumentType, State
from confere.fiscal.reading.document import read
from confere.fiscal.references import RelationKind
from confere.fiscal.state import effective_state
from confere.fiscal.warnings import Trait
from tests.fiscal import heads_made as made
from tests.fiscal.made import EMITTER, access_key


def sample(package: str, name: str) -> bytes:
    return (files("nfelib") / package / "samples" / name).read_bytes()


def one(data: bytes | str, whole: bool = False) -> Document:
    (document,) = read(data.encode() if isinstance(data, str) else data, whole=whole).documents
    return document


def cents(amount: str | None) -> int | None:
    return None if amount is None else int(Decimal(amount) * 100)


def text(value: Any) -> str | None:
    return None if value is None else str(getattr(value, "value", value))


def facts(document: Document) -> tuple[object, ...]:
    """What every one of them has: key, model, series, number, date, environment, value, emitter and recipient."""
    emitter, recipient = document.party("emitter"), document.party("recipient")
    return (
        document.access_key,
        document.model,
        document.series,
        document.number,
        document.issued_at,
        document.environment,
        document.totals.document,
        (emitter.tax_id, emitter.name) if emitter else None,
        (recipient.tax_id, recipient.name) if recipient else None,
    )


def who(group: Any) -> tuple[str | None, str | None] | None:
    if group is None:
        return None
    return getattr(group, "CNPJ", None) or getattr(group, "CPF", None), group.xNome


def of_binding(body: Any, number: str, value: str | None, other: Any) -> tuple[object, ...]:
    ide = body.ide
    return (
        access_keys.find(body.Id),
        text(ide.mod),
        int(ide.serie),
        int(getattr(ide, number)),
        ide.dhEmi,
        text(ide.tpAmb),
        cents(value),
        who(body.emit),
        who(other),
    )


def test_an_nfcom_is_what_its_binding_says() -> None:
    data = sample("nfcom", "v1_0/NFCom-nfcom.xml")
    body = Nfcom.from_xml(data.decode()).infNFCom
    found = one(data)
    assert facts(found) == of_binding(body, "nNF", body.total.vNF, body.dest)
    assert found.type is DocumentType.NFCOM
    assert [(entry.kind, entry.access_key) for entry in found.references] == [
        (RelationKind.REPLACES, body.gSub.chNFCom),
        (RelationKind.REFERENCES, body.gCofat.chNFComLocal),
    ]
    assert found.totals.icms == cents(body.total.ICMSTot.vICMS)


def test_an_nf3e_is_what_its_binding_says() -> None:
    data = sample("nf3e", "v1_0/nota_energia-nf3e.xml")
    body = Nf3E.from_xml(data.decode()).infNF3e
    found = one(data)
    assert facts(found) == of_binding(body, "nNF", body.total.vNF, body.dest)
    assert (found.totals.products, found.totals.icms_st) == (
        cents(body.total.vProd),
        cents(body.total.ICMSTot.vST),
    )
    # Its key was made up: month and code are others than the note's.
    assert [entry.detail for entry in found.warnings if entry.code is Trait.KEY_FIELDS_DIFFER] == ["issued_at, cNF"]


@pytest.mark.parametrize(("name", "binding"), [("bpe", Bpe), ("bpe-ta", BpeTa), ("bpe-tm", BpeTm)])
def test_a_bpe_is_what_its_binding_says(name: str, binding: Any) -> None:
    data = sample("bpe", f"v1_0/{name}.xml")
    body = binding.from_xml(data.decode()).infBPe
    urban = name == "bpe-tm"
    found = one(data)
    passenger = None if urban else body.infPassagem.infPassageiro
    assert facts(found) == of_binding(body, "nBP", body.total.vBP if urban else body.infValorBPe.vPgto, passenger)
    assert found.type is DocumentType.BPE


@pytest.mark.parametrize(
    "name",
    [
        "mdfe.xml",
        "41190876676436000167580010000500001000437558-mdfe.xml",
        "50170876063965000276580010000011311421039568-mdfe.xml",
    ],
)
def test_a_manifest_is_what_its_binding_says_and_names_what_it_carries(name: str) -> None:
    data = sample("mdfe", f"v3_0/{name}")
    body = Mdfe.from_xml(data.decode("utf-8-sig")).infMDFe
    found = one(data)
    assert facts(found) == of_binding(body, "nMDF", None, None)
    listed = [
        key
        for town in body.infDoc.infMunDescarga
        for key in (*(entry.chCTe for entry in town.infCTe), *(entry.chNFe for entry in town.infNFe))
    ]
    assert [(entry.kind, entry.access_key) for entry in found.references] == [
        (RelationKind.MANIFESTS, key) for key in dict.fromkeys(listed)
    ]
    assert listed


@pytest.mark.parametrize("data", [sample("nfse", "v1_0/nfse-ibscbs.xml"), made.nfse().encode()])
def test_a_service_note_is_what_its_binding_says(data: bytes) -> None:
    source = data.decode().replace(made.EMPTY_SIGNATURE, "")
    body = Nfse.from_xml(source).infNFSe
    declared = body.DPS.infDPS
    found = one(data, whole=True)
    assert facts(found) == (
        body.Id[3:],
        "nfse",
        None,
        int(body.nNFSe),
        declared.dhEmi,
        text(declared.tpAmb),
        cents(declared.valores.vServPrest.vServ),
        (body.emit.CNPJ, body.emit.xNome),
        (declared.toma.CNPJ, declared.toma.xNome),
    )
    assert isinstance(found.detail, HeadDetail)
    service = found.detail.service
    assert service is not None
    federal = declared.valores.trib.tribFed
    assert (
        (service.code, service.name, service.description, service.competence),
        (service.iss_base_cents, service.iss_rate, service.iss_cents),
        (service.iss_withheld_by, service.withheld_cents, service.net_cents),
        {entry.name: entry.amount_cents for entry in service.withheld},
    ) == (
        (declared.serv.cServ.cTribNac, body.xTribNac, declared.serv.cServ.xDescServ, declared.dCompet),
        (cents(body.valores.vBC), Decimal(body.valores.pAliqAplic), cents(body.valores.vISSQN)),
        (
            text(declared.valores.trib.tribMun.tpRetISSQN),
            cents(body.valores.vTotalRet),
            cents(body.valores.vLiq),
        ),
        {"vRetIRRF": cents(federal.vRetIRRF)} if federal is not None else {},
    )
    assert found.protocol is not None
    assert (found.protocol.cstat, found.protocol.received_at) == (text(body.cStat), body.dhProc)


def test_a_gtve_is_what_its_binding_says() -> None:
    """nfelib has no sample: the document is written by the layout."""
    body = XmlParser().from_string(made.gtve(), GtveProc).GTVe.infCte
    found = one(made.gtve())
    assert facts(found) == of_binding(body, "nCT", None, body.dest)
    assert (found.type, found.party("taker")) == (
        DocumentType.GTVE,
        Party("taker", made.BUYER, "Compradora Ltda", None, "PE", "Recife"),
    )
    assert {entry.code for entry in found.warnings} == {Trait.NO_DECLARATION}


def test_a_dce_as_written_by_the_layout() -> None:
    """nfelib has no binding of it."""
    found = one(made.dce())
    assert facts(found) == (
        made.dce_key(),
        "99",
        1,
        31,
        made.ISSUED,
        "1",
        45_90,
        (EMITTER, "Emissora Ltda"),
        (made.SOMEBODY, "Maria"),
    )
    market = found.party("intermediary")
    assert market is not None and market.name == "Feira"
    assert {entry.code for entry in found.warnings} == {Trait.NO_DECLARATION}
    wrong = one(made.dce().replace("<cDC>765432", "<cDC>765433"))
    assert [entry.detail for entry in wrong.warnings if entry.code is Trait.KEY_FIELDS_DIFFER] == ["cDC"]


def test_a_coupon_as_written_by_its_specification() -> None:
    """nfelib has no binding of it. No answer stands beside it, and no namespace: neither is worth a warning."""
    found = one(made.cfe())
    assert facts(found) == (
        made.cfe_key(),
        "59",
        900002631,
        41,
        "2026-08-03T09:51:11",
        "1",
        10_00,
        (EMITTER, "Emissora Ltda"),
        (made.SOMEBODY, "Maria"),
    )
    assert (found.totals.products, found.totals.discount, found.totals.icms) == (12_00, 2_00, 2_16)
    assert {entry.code for entry in found.warnings} == {Trait.NO_DECLARATION}
    assert Trait.NO_PROTOCOL in {entry.code for entry in one(made.cfe(signature="")).warnings}


def test_the_coupon_that_cancels_is_an_event_of_the_cancelled_one() -> None:
    (event,) = read(made.cfe_cancelled().encode()).events
    assert (event.access_key, event.code, event.model, event.registered) == (made.cfe_key(), "110111", "59", True)
    assert (event.occurred_at, event.author) == ("2026-08-03T09:52:03", EMITTER)
    (unsigned,) = read(made.cfe_cancelled(signature="").encode()).events
    assert not unsigned.registered
    (without,) = [read(made.cfe_cancelled().replace("chCanc=", "x=").encode())]
    assert not without.recognised


def test_events_of_a_service_note() -> None:
    (event,) = read(made.nfse_event().encode()).events
    assert (event.access_key, event.code, event.sequence, event.model) == (made.nfse_key(), "101101", 1, "nfse")
    assert (event.registered, event.protocol, event.author) == (True, "778", EMITTER)
    assert (event.occurred_at, event.registered_at) == ("2026-08-05T09:00:00-03:00", "2026-08-05T09:00:02-03:00")
    assert (event.description, event.text) == ("Cancelamento de NFS-e", "Servico nao prestado")
    (asked,) = read(made.nfse_event(registered=False).encode()).events
    assert (asked.access_key, asked.code, asked.registered) == (made.nfse_key(), "101101", False)
    other = made.nfse_key(52)
    (replaced,) = read(made.nfse_event("105102", extra=f"<chSubstituta>{other}</chSubstituta>").encode()).events
    assert [(entry.kind, entry.access_key) for entry in replaced.references] == [(RelationKind.REPLACED_BY, other)]
    (note,) = read(made.nfse(52, subst=f"<subst><chSubstda>{made.nfse_key()}</chSubstda></subst>").encode()).documents
    assert [(entry.kind, entry.access_key) for entry in note.references] == [(RelationKind.REPLACES, made.nfse_key())]


@pytest.mark.parametrize(
    ("space", "tag", "model"),
    [("nfcom", "NFCom", "62"), ("nf3e", "NF3e", "66"), ("bpe", "BPe", "63"), ("dce", "DCe", "99")],
)
def test_events_of_the_other_models(space: str, tag: str, model: str) -> None:
    key = access_key(model=model)
    asked = (
        f'<infEvento Id="ID110111{key}001"><tpAmb>1</tpAmb><CNPJ>{EMITTER}</CNPJ><ch{tag}>{key}</ch{tag}>'
        "<dhEvento>2026-08-05T09:00:00-03:00</dhEvento><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>"
        "<detEvento><evCanc><descEvento>Cancelamento</descEvento><xJust>Erro</xJust></evCanc></detEvento></infEvento>"
    )
    answer = (
        f"<infEvento><tpAmb>1</tpAmb><cStat>135</cStat><ch{tag}>{key}</ch{tag}><tpEvento>110111</tpEvento>"
        "<nSeqEvento>1</nSeqEvento><nProt>135260000000009</nProt></infEvento>"
    )
    data = (
        f'<procEvento{tag} xmlns="http://www.portalfiscal.inf.br/{space}"><evento{tag}>{asked}</evento{tag}>'
        f"<retEvento{tag}>{answer}</retEvento{tag}></procEvento{tag}>"
    )
    paper = read(data.encode())
    (event,) = paper.events
    assert (event.access_key, event.model, event.registered, event.text) == (key, model, True, "Erro")
    assert {entry.code for entry in event.warnings} == {Trait.NO_DECLARATION}


@pytest.mark.parametrize("cstat", ["100", "101", "102", "103", "107"])
def test_every_answer_of_a_service_note_authorizes_it(cstat: str) -> None:
    """101 is "cancelled" of an NF-e, and "made as a substitute" of an NFS-e."""
    assert effective_state(cstat, model="nfse").state is State.AUTHORIZED
    assert effective_state("101", model="55").state is State.CANCELLED


@pytest.mark.parametrize("code", ["101101", "105102", "105104", "305101"])
def test_what_cancels_a_service_note(code: str) -> None:
    assert effective_state("100", [(code, True)], model="nfse").state is State.CANCELLED
    assert effective_state("100", [("105105", True)], model="nfse").state is State.AUTHORIZED


def test_the_key_of_a_service_note() -> None:
    key = made.nfse_key()
    assert access_keys.is_valid(key) and not access_keys.is_valid(key[:-1] + str((int(key[-1]) + 1) % 10))
    # The keys of real notes, as nfelib's samples and the manuals print them.
    assert access_keys.is_valid("14001591201761135000132000000000000022096100197260")
    assert access_keys.is_valid("42024042200000000000000000000000000126031234567892")
    assert not access_keys.is_valid(key[:49]) and access_keys.parse(key) is None
    # An NF-e with 50 positions is none.
    (wrong,) = read(f'<NFe><infNFe Id="NFe{key}"><ide/></infNFe></NFe>'.encode()).documents
    assert Trait.KEY_LENGTH in {entry.code for entry in wrong.warnings}


@pytest.mark.parametrize(
    "data",
    [
        b"<NFSe><x/></NFSe>",
        b"<CFe/>",
        b"<DCe/>",
        b"<NFCom/>",
        b"<DPS><infDPS/></DPS>",
        b"<CompNfse xmlns='http://www.abrasf.org.br/nfse.xsd'><Nfse><InfNfse/></Nfse></CompNfse>",
        b"<CFeCanc/>",
        b"<pedRegEvento/>",
    ],
)
def test_what_is_none_of_them_stays_unread(data: bytes) -> None:
    assert not read(data).recognised
