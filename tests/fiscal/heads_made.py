"""Documents of the other models, written by the public layouts (MOC; specification of the SAT; national NFS-e).

nfelib has bindings of GTV-e without a sample, and none of DC-e and CF-e-SAT.
"""

from __future__ import annotations

from tests.fiscal.made import EMITTER, access_key, check_digit

FISCAL = "http://www.portalfiscal.inf.br/"
SERVICE = "http://www.sped.fazenda.gov.br/nfse"
BUYER = "44555666000181"
SOMEBODY = "52998224725"
ISSUED = "2026-08-03T10:11:12-03:00"
EMPTY_SIGNATURE = (
    '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo><Reference URI=""><DigestValue>ZGlnZXN0'
    "</DigestValue></Reference></SignedInfo></Signature>"
)


def emitter(extra: str = "") -> str:
    return (
        f"<emit><CNPJ>{EMITTER}</CNPJ><IE>123456789</IE><xNome>Emissora Ltda</xNome><enderEmit><xMun>Campinas</xMun>"
        f"<UF>SP</UF></enderEmit>{extra}</emit>"
    )


def recipient(tax_id: str = BUYER) -> str:
    return (
        f"<dest><CNPJ>{tax_id}</CNPJ><xNome>Compradora Ltda</xNome><enderDest><xMun>Recife</xMun><UF>PE</UF>"
        "</enderDest></dest>"
    )


def _ide(key: str, extra: str, number: str, code: str, model: str, environment: str = "1") -> str:
    return (
        f"<ide><cUF>{key[:2]}</cUF><tpAmb>{environment}</tpAmb><mod>{model}</mod><serie>1</serie>{number}{code}{extra}"
        f"<cDV>{key[-1]}</cDV><dhEmi>{ISSUED}</dhEmi><tpEmis>1</tpEmis></ide>"
    )


def _proc(root: str, space: str, element: str, body: str, inside: str, key: str, answer: str, signature: str) -> str:
    tag, named = answer.split(" ")
    return (
        f'<{root} xmlns="{FISCAL}{space}" versao="1.00"><{element}><{body}>{inside}</{body.split(" ")[0]}>{signature}'
        f"</{element}><{tag}><infProt><tpAmb>1</tpAmb><{named}>{key}</{named}>"
        "<dhRecbto>2026-08-03T10:11:20-03:00</dhRecbto><nProt>135260000000007</nProt><cStat>100</cStat>"
        f"<xMotivo>Autorizado o uso</xMotivo></infProt></{tag}></{root}>"
    )


def gtve_key() -> str:
    return access_key(model="64", number=21)


def gtve(signature: str = "") -> str:
    key = gtve_key()
    inside = (
        _ide(key, "<natOp>Transporte de valores</natOp>", "<nCT>21</nCT>", "<cCT>12345678</cCT>", "64").replace(
            "</ide>", "<toma><toma>1</toma></toma></ide>"
        )
        + emitter()
        + f"<rem><CNPJ>{EMITTER}</CNPJ><xNome>Loja</xNome></rem>"
        + recipient()
        + "<detGTV><infEspecie><tpEspecie>1</tpEspecie><vEspecie>5000.00</vEspecie></infEspecie></detGTV>"
    )
    return _proc(
        "GTVeProc", "cte", "GTVe", f'infCte versao="4.00" Id="CTe{key}"', inside, key, "protCTe chCTe", signature
    )


def dce_key() -> str:
    return access_key(model="99", number=31, code="10765432")  # tpEmit, nSiteAutoriz, cDC


def dce(signature: str = "") -> str:
    key = dce_key()
    inside = (
        _ide(
            key,
            "<tpEmit>1</tpEmit><nSiteAutoriz>0</nSiteAutoriz>",
            "<nDC>31</nDC>",
            "<cDC>765432</cDC>",
            "99",
        )
        + f"<emit><CNPJ>{EMITTER}</CNPJ><xNome>Emissora Ltda</xNome></emit>"
        + "<Marketplace><CNPJ>03007331000141</CNPJ><xNome>Feira</xNome></Marketplace>"
        + f"<dest><CPF>{SOMEBODY}</CPF><xNome>Maria</xNome></dest>"
        + '<det nItem="1"><prod><xProd>Livro usado</xProd><vProd>45.90</vProd></prod></det>'
        + "<total><vDC>45.90</vDC></total>"
    )
    return _proc(
        "procDCe", "dce", "DCe", f'infDCe versao="1.00" Id="DCe{key}"', inside, key, "protDCe chDCe", signature
    )


def cfe_key(number: int = 41) -> str:
    first = f"352608{EMITTER}59900002631{number:06d}654321"
    return first + check_digit(first)


def _coupon_ide(key: str, number: int, time: str) -> str:
    return (
        f"<ide><cUF>35</cUF><cNF>654321</cNF><mod>59</mod><nserieSAT>900002631</nserieSAT><nCFe>{number:06d}</nCFe>"
        f"<dEmi>20260803</dEmi><hEmi>{time}</hEmi><cDV>{key[-1]}</cDV><tpAmb>1</tpAmb></ide>"
    )


def cfe_body(declared: str = "") -> str:
    """`infCFe`, which has no namespace by its layout."""
    key = cfe_key()
    return (
        f'<infCFe{declared} Id="CFe{key}" versao="0.08">{_coupon_ide(key, 41, "095111")}{emitter()}'
        f"<dest><CPF>{SOMEBODY}</CPF><xNome>Maria</xNome></dest>"
        '<det nItem="1"><prod><xProd>Cafe</xProd><CFOP>5102</CFOP><vProd>12.00</vProd></prod></det>'
        "<total><ICMSTot><vICMS>2.16</vICMS><vProd>12.00</vProd><vDesc>2.00</vDesc></ICMSTot><vCFe>10.00</vCFe></total>"
        "</infCFe>"
    )


def cfe(signature: str = EMPTY_SIGNATURE) -> str:
    return f"<CFe>{cfe_body()}{signature}</CFe>"


def cfe_cancelled(signature: str = EMPTY_SIGNATURE) -> str:
    key = cfe_key(42)
    return (
        f'<CFeCanc><infCFe Id="CFe{key}" chCanc="CFe{cfe_key()}" versao="0.08"><dEmi>20260803</dEmi><hEmi>095111</hEmi>'
        f"{_coupon_ide(key, 42, '095203')}{emitter()}<dest/><total><vCFe>10.00</vCFe></total></infCFe>{signature}"
        "</CFeCanc>"
    )


def nfse_key(number: int = 51) -> str:
    first = f"355030822{EMITTER}{number:013d}2608123456789"
    return first + check_digit(first)


def nfse(number: int = 51, signature: str = EMPTY_SIGNATURE, subst: str = "", cstat: str = "100") -> str:
    """A marketplace's commission, with the ISSQN withheld by the taker."""
    return f'<NFSe xmlns="{SERVICE}" versao="1.01">{nfse_body(number, subst, cstat)}{signature}</NFSe>'


def nfse_body(number: int = 51, subst: str = "", cstat: str = "100", declared: str = "") -> str:
    return (
        f'<infNFSe{declared} Id="NFS{nfse_key(number)}"><xLocPrestacao>São Paulo</xLocPrestacao><nNFSe>{number}</nNFSe>'
        f"<xTribNac>Agenciamento e intermediação de negócios</xTribNac><ambGer>2</ambGer><cStat>{cstat}</cStat>"
        f"<dhProc>2026-08-03T10:11:20-03:00</dhProc><nDFSe>777</nDFSe>"
        f"<emit><CNPJ>{EMITTER}</CNPJ><IM>998877</IM><xNome>Feira Marketplace SA</xNome><enderNac><xLgr>Rua A</xLgr>"
        "<UF>SP</UF></enderNac></emit><valores><vBC>200.00</vBC><pAliqAplic>5.00</pAliqAplic><vISSQN>10.00</vISSQN>"
        "<vTotalRet>13.00</vTotalRet><vLiq>187.00</vLiq></valores>"
        f'<DPS versao="1.01"><infDPS Id="DPS1"><tpAmb>1</tpAmb><dhEmi>{ISSUED}</dhEmi><dCompet>2026-08-01</dCompet>'
        f"<tpEmit>1</tpEmit><cLocEmi>3550308</cLocEmi>{subst}<prest><CNPJ>{EMITTER}</CNPJ></prest><toma>"
        f"<CNPJ>{BUYER}</CNPJ><xNome>Vendedora Ltda</xNome></toma><serv><cServ><cTribNac>100501</cTribNac>"
        "<xDescServ>Comissão sobre vendas de julho</xDescServ><cNBS>102010000</cNBS></cServ></serv><valores>"
        "<vServPrest><vServ>200.00</vServ></vServPrest><trib><tribMun><tribISSQN>1</tribISSQN>"
        "<tpRetISSQN>2</tpRetISSQN></tribMun><tribFed><vRetIRRF>3.00</vRetIRRF></tribFed></trib></valores></infDPS>"
        "</DPS></infNFSe>"
    )


def nfse_event(
    code: str = "101101", number: int = 51, extra: str = "", signature: str = EMPTY_SIGNATURE, registered: bool = True
) -> str:
    key = nfse_key(number)
    asked = (
        f'<pedRegEvento{"" if registered else f" xmlns={chr(34)}{SERVICE}{chr(34)}"} versao="1.01">'
        f'<infPedReg Id="PRE{key}{code}"><tpAmb>1</tpAmb><dhEvento>2026-08-05T09:00:00-03:00</dhEvento>'
        f"<CNPJAutor>{EMITTER}</CNPJAutor><chNFSe>{key}</chNFSe><e{code}><xDesc>Cancelamento de NFS-e</xDesc>"
        f"<cMotivo>1</cMotivo><xMotivo>Servico nao prestado</xMotivo>{extra}</e{code}></infPedReg></pedRegEvento>"
    )
    if not registered:
        return asked
    return (
        f'<evento xmlns="{SERVICE}" versao="1.01"><infEvento Id="EVT{key}{code}001"><ambGer>2</ambGer>'
        "<nSeqEvento>1</nSeqEvento><dhProc>2026-08-05T09:00:02-03:00</dhProc><nDFSe>778</nDFSe>"
        f"{asked}</infEvento>{signature}</evento>"
    )


def mdfe_key() -> str:
    return access_key(model="58", number=61)


def cte_listed() -> str:
    return access_key(model="57", number=62)


def mdfe(*listed: str) -> str:
    """A manifest that lists these CT-e for its journey."""
    key = mdfe_key()
    inside = (
        _ide(key, "", "<nMDF>61</nMDF>", "<cMDF>12345678</cMDF>", "58")
        + emitter()
        + "<infDoc><infMunDescarga>"
        + "".join(f"<infCTe><chCTe>{name}</chCTe></infCTe>" for name in listed)
        + "</infMunDescarga></infDoc><tot><vCarga>900.00</vCarga></tot>"
    )
    return _proc(
        "mdfeProc", "mdfe", "MDFe", f'infMDFe versao="3.00" Id="MDFe{key}"', inside, key, "protMDFe chMDFe", ""
    )
