"""What another reader (nfelib's generated bindings) finds on the paper is what the facts said."""

from __future__ import annotations

from decimal import Decimal

import pytest
from nfelib.cte.bindings.v4_0.proc_cte_v4_00 import CteProc
from nfelib.nfe.bindings.v4_0.proc_nfe_v4_00 import NfeProc

from sandbox_hub.paper.document_factory import access_key
from tests.sandbox_hub.paper.cases import FREIGHTS, NOTES


@pytest.mark.parametrize("name", NOTES)
def test_note(papers: dict[str, bytes], name: str) -> None:
    facts, key = NOTES[name], access_key(NOTES[name])
    read = NfeProc.from_xml(papers[f"note: {name}"].decode())
    body, protocol = read.NFe.infNFe, read.protNFe.infProt
    assert (body.Id, protocol.chNFe, body.ide.cDV) == (f"NFe{key}", key, key[43])
    assert (body.ide.mod.value, body.ide.serie, body.ide.nNF) == (facts.model, str(facts.series), str(facts.number))
    assert (body.ide.tpAmb.value, protocol.tpAmb.value) == ("2", "2")
    assert body.ide.dhEmi == facts.issued_at.isoformat()
    assert (body.ide.finNFe.value, body.ide.tpNF.value) == (str(facts.purpose), str(facts.direction))
    assert facts.emitter.tax_id == body.emit.CNPJ
    assert body.emit.CRT.value == str(facts.emitter.crt)
    if facts.recipient is None:
        assert body.dest is None
    else:
        assert (body.dest.CNPJ or body.dest.CPF) == facts.recipient.tax_id
    away = facts.recipient is not None and facts.recipient.address.uf != facts.emitter.address.uf
    assert body.ide.idDest.value == ("2" if away else "1")
    assert [line.prod.CFOP for line in body.det] == [item.cfop for item in facts.items]
    assert [Decimal(line.prod.qCom) for line in body.det] == [item.quantity for item in facts.items]
    assert [line.prod.cEAN for line in body.det] == [item.ean or "SEM GTIN" for item in facts.items]
    assert [other.refNFe for other in body.ide.NFref if other.refNFe] == list(facts.references)
    assert [other.refCTe for other in body.ide.NFref if other.refCTe] == list(facts.freight_references)
    assert "SEM VALOR FISCAL" in body.infAdic.infAdFisco
    assert [(note.xCampo, note.xTexto) for note in body.infAdic.obsCont] == [("external_id", facts.external_id)]
    assert (protocol.nProt, protocol.cStat) == (facts.protocol, facts.status)
    assert str(protocol.dhRecbto) == facts.received_at.isoformat()
    assert (read.NFe.infNFeSupl is not None) == (facts.model == "65")


@pytest.mark.parametrize("name", FREIGHTS)
def test_freight(papers: dict[str, bytes], name: str) -> None:
    facts, key = FREIGHTS[name], access_key(FREIGHTS[name])
    read = CteProc.from_xml(papers[f"freight: {name}"].decode())
    body, protocol = read.CTe.infCte, read.protCTe.infProt
    assert (body.Id, protocol.chCTe, body.ide.cDV) == (f"CTe{key}", key, key[43])
    assert (body.ide.tpAmb.value, body.ide.tpCTe.value) == ("2", str(facts.kind))
    assert (facts.emitter.tax_id, facts.sender.tax_id) == (body.emit.CNPJ, body.rem.CNPJ)
    assert facts.recipient.tax_id == body.dest.CPF
    if facts.taker_role == 4:
        assert facts.taker is not None
        assert facts.taker.tax_id == body.ide.toma4.CNPJ
    else:
        assert body.ide.toma3.toma.value == str(facts.taker_role)
    assert (protocol.nProt, protocol.cStat) == (facts.protocol, facts.status)
    assert "SEM VALOR FISCAL" in body.compl.xObs
    if facts.kind == 1:
        assert [other.chCTe for other in body.infCteComp] == list(facts.complements)
        return
    goods = body.infCTeNorm
    carried = goods.infDoc.infNFe if goods.infDoc else []
    assert [other.chave for other in carried] == list(facts.carried)
    assert (goods.infCteSub.chCte if goods.infCteSub else None) == facts.replaces
    before = [one for who in (goods.docAnt.emiDocAnt if goods.docAnt else []) for one in who.idDocAnt]
    assert [ele.chCTe for one in before for ele in one.idDocAntEle] == list(facts.previous)
