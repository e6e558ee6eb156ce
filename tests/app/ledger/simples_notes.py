"""Notes of a company of the Simples Nacional, as XML: what the sandbox's world does not have."""

from __future__ import annotations

from tests.archive.papers import EMITTER, key

NFE = "http://www.portalfiscal.inf.br/nfe"
PERSON = "52998224725"


def simples_note(
    number: int,
    cfop: str,
    csosn: str,
    pis: str,
    price: str,
    *,
    kind: str = "1",
    purpose: str = "1",
    discount: str = "0.00",
    freight: str = "0.00",
    cstat: str = "100",
    name: str = "=cmd|' /C calc'!A0",
) -> bytes:
    """One item; `csosn` and `pis` are its codes, `kind` is tpNF."""
    access_key = key(number)
    group = "ICMSSN500" if csosn == "500" else "ICMSSN102"
    contribution = (
        "".join(f"<{tax}><{tax}NT><CST>{pis}</CST></{tax}NT></{tax}>" for tax in ("PIS", "COFINS"))
        if pis in ("04", "06")
        else "".join(
            f"<{tax}><{tax}Outr><CST>{pis}</CST><vBC>0.00</vBC><p{tax}>0.00</p{tax}><v{tax}>0.00</v{tax}>"
            f"</{tax}Outr></{tax}>"
            for tax in ("PIS", "COFINS")
        )
    )
    return (
        f'<nfeProc xmlns="{NFE}" versao="4.00"><NFe><infNFe Id="NFe{access_key}" versao="4.00"><ide><cUF>35</cUF>'
        f"<natOp>Venda</natOp><mod>55</mod><serie>1</serie><nNF>{number}</nNF><dhEmi>2026-10-05T10:00:00-03:00</dhEmi>"
        f"<tpNF>{kind}</tpNF><idDest>1</idDest><tpAmb>1</tpAmb><finNFe>{purpose}</finNFe><indFinal>1</indFinal></ide>"
        f"<emit><CNPJ>{EMITTER}</CNPJ><xNome>Loja</xNome><CRT>1</CRT></emit><dest><CPF>{PERSON}</CPF>"
        f"<xNome>{name}</xNome><enderDest><UF>SP</UF></enderDest></dest>"
        f'<det nItem="1"><prod><cProd>A1</cProd><xProd>+Caneca</xProd><NCM>33049910</NCM><CFOP>{cfop}</CFOP>'
        f"<uCom>UN</uCom><qCom>1.0000</qCom><vUnCom>{price}</vUnCom><vProd>{price}</vProd><vFrete>{freight}</vFrete>"
        f"<vDesc>{discount}</vDesc><indTot>1</indTot></prod><imposto><ICMS><{group}><orig>0</orig><CSOSN>{csosn}</CSOSN>"
        f"</{group}></ICMS>{contribution}</imposto></det><total><ICMSTot><vProd>{price}</vProd><vNF>{price}</vNF>"
        f"</ICMSTot></total></infNFe></NFe><protNFe><infProt><tpAmb>1</tpAmb><chNFe>{access_key}</chNFe>"
        f"<dhRecbto>2026-10-05T10:01:00-03:00</dhRecbto><nProt>135260000000001</nProt><cStat>{cstat}</cStat></infProt>"
        "</protNFe></nfeProc>"
    ).encode()
