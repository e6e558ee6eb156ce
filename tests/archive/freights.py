"""Small CT-e as bytes, and what happens to them: complements, substitutes, annulments, cancellations."""

from __future__ import annotations

from tests.archive.papers import EMITTER, RECIPIENT, key

SPACE = "http://www.portalfiscal.inf.br/cte"
_NAMES = {"complements": ("infCteComp", "chCTe"), "annuls": ("infCteAnu", "chCte")}


def freight_key(number: int) -> str:
    return key(number, model="57")


def freight(
    number: int,
    *,
    cstat: str | None = "100",
    environment: str = "1",
    total: str = "50.00",
    carries: tuple[str, ...] = (),
    sender: str = RECIPIENT,
    **does: str,
) -> bytes:
    """A CT-e that its sender pays; `complements`, `replaces` or `annuls` name the key of another one."""
    access_key = freight_key(number)
    kind = {"complements": "1", "annuls": "2", "replaces": "3"}
    ((name, target),) = does.items() or (("", ""),)
    if name == "replaces":
        group = f"<infCTeNorm><infCteSub><chCte>{target}</chCte></infCteSub></infCTeNorm>"
    elif name:
        outer, inner = _NAMES[name]
        group = f"<{outer}><{inner}>{target}</{inner}></{outer}>"
    else:
        notes = "".join(f"<infNFe><chave>{each}</chave></infNFe>" for each in carries)
        group = f"<infCTeNorm><infDoc>{notes}</infDoc></infCTeNorm>" if notes else "<infCTeNorm/>"
    protocol = (
        f'<protCTe versao="4.00"><infProt><tpAmb>{environment}</tpAmb><chCTe>{access_key}</chCTe>'
        f"<dhRecbto>2026-10-05T10:01:00-03:00</dhRecbto><nProt>13526000000{number:04d}</nProt><cStat>{cstat}</cStat>"
        "<xMotivo>x</xMotivo></infProt></protCTe>"
        if cstat
        else ""
    )
    return (
        f'<cteProc xmlns="{SPACE}" versao="4.00"><CTe><infCte Id="CTe{access_key}" versao="4.00"><ide><cUF>35</cUF>'
        f"<cCT>{number:08d}</cCT><CFOP>5353</CFOP><natOp>FRETE</natOp><mod>57</mod><serie>1</serie><nCT>{number}</nCT>"
        f"<dhEmi>2026-10-05T10:00:00-03:00</dhEmi><tpEmis>1</tpEmis><tpAmb>{environment}</tpAmb>"
        f"<tpCTe>{kind.get(name, '0')}</tpCTe><toma3><toma>0</toma></toma3></ide>"
        f"<emit><CNPJ>{EMITTER}</CNPJ><xNome>Transportes</xNome></emit>"
        f"<rem><CNPJ>{sender}</CNPJ><xNome>Remetente</xNome></rem>"
        f"<vPrest><vTPrest>{total}</vTPrest></vPrest>{group}</infCte></CTe>{protocol}</cteProc>"
    ).encode()


def freight_event(number: int, code: str = "110111", *, cstat: str | None = "135", environment: str = "1") -> bytes:
    access_key = freight_key(number)
    answer = (
        f'<retEventoCTe versao="4.00"><infEvento><tpAmb>{environment}</tpAmb><cStat>{cstat}</cStat>'
        f"<chCTe>{access_key}</chCTe><tpEvento>{code}</tpEvento><nSeqEvento>1</nSeqEvento>"
        "<nProt>135260000008888</nProt></infEvento></retEventoCTe>"
        if cstat
        else ""
    )
    return (
        f'<procEventoCTe xmlns="{SPACE}" versao="4.00"><eventoCTe versao="4.00">'
        f'<infEvento Id="ID{code}{access_key}001">'
        f"<cOrgao>35</cOrgao><tpAmb>{environment}</tpAmb><CNPJ>{EMITTER}</CNPJ><chCTe>{access_key}</chCTe>"
        f"<dhEvento>2026-10-06T09:00:00-03:00</dhEvento><tpEvento>{code}</tpEvento><nSeqEvento>1</nSeqEvento>"
        '<detEvento versaoEvento="4.00"><evCancCTe><descEvento>Cancelamento</descEvento><xJust>Engano no frete</xJust>'
        f"</evCancCTe></detEvento></infEvento></eventoCTe>{answer}</procEventoCTe>"
    ).encode()
