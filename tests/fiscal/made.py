"""Fiscal XML made for the tests: every part can be named, everything else has a sensible value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

NFE = "http://www.portalfiscal.inf.br/nfe"
CTE = "http://www.portalfiscal.inf.br/cte"
DSIG = "http://www.w3.org/2000/09/xmldsig#"
DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'

EMITTER = "11222333000181"
RECIPIENT = "52998224725"
LETTERED = "12ABC34501DE35"  # the tax authority's own example of a CNPJ with letters


def check_digit(first: str) -> str:
    """The key's check digit, computed the slow and obvious way: an oracle of its own."""
    total, weight = 0, 2
    for character in reversed(first):
        total += (ord(character) - 48) * weight
        weight = 2 if weight == 9 else weight + 1
    remainder = total % 11
    return "0" if remainder in (0, 1) else str(11 - remainder)


def access_key(
    *,
    uf: str = "35",
    year_month: str = "2608",
    emitter: str = EMITTER,
    model: str = "55",
    series: int = 1,
    number: int = 10,
    emission: str = "1",
    code: str = "12345678",
) -> str:
    first = f"{uf}{year_month}{emitter:0>14}{model}{series:03d}{number:09d}{emission}{code}"
    return first + check_digit(first)


def item(
    number: int = 1,
    *,
    cfop: str = "5102",
    quantity: str = "2.0000",
    price: str = "5.0000000000",
    total: str = "10.00",
    ean: str = "7891000315507",
    extra: str = "",
    after: str = "",
) -> str:
    return (
        f'<det nItem="{number}"><prod><cProd>SKU-{number}</cProd><cEAN>{ean}</cEAN>'
        f"<xProd>Caneta azul nº {number}</xProd><NCM>96081000</NCM><CFOP>{cfop}</CFOP><uCom>UN</uCom>"
        f"<qCom>{quantity}</qCom><vUnCom>{price}</vUnCom><vProd>{total}</vProd><cEANTrib>{ean}</cEANTrib>"
        f"<uTrib>UN</uTrib><qTrib>{quantity}</qTrib><vUnTrib>{price}</vUnTrib><indTot>1</indTot>{extra}</prod>"
        f"<imposto><ICMS><ICMS00><orig>0</orig><CST>00</CST><vICMS>1.80</vICMS></ICMS00></ICMS></imposto>{after}</det>"
    )


def note(
    key: str | None = None,
    *,
    model: str = "55",
    series: str = "1",
    number: str = "10",
    emitter: str = EMITTER,
    emitter_tag: str = "CNPJ",
    recipient: str = f"<CPF>{RECIPIENT}</CPF>",
    dates: str = "<dhEmi>2026-08-07T10:15:00-03:00</dhEmi>",
    environment: str = "1",
    direction: str = "1",
    purpose: str = "1",
    nature: str = "Venda de mercadoria",
    layout: str = "4.00",
    items: Iterable[str] | None = None,
    total: str = "10.00",
    after_totals: str = "",
    in_ide: str = "",
    additional: str = "",
    sections: str = "",
    namespace: str | None = NFE,
    id_attribute: str | None = None,
) -> str:
    """An `NFe` element."""
    if key is None:
        key = access_key(model=model, emitter=emitter)
    attributes = f'versao="{layout}" Id="{f"NFe{key}" if id_attribute is None else id_attribute}"'
    xmlns = f' xmlns="{namespace}"' if namespace else ""
    details = "".join(items if items is not None else (item(),))
    zeros = "".join(f"<{tag}>0.00</{tag}>" for tag in ("vFrete", "vSeg", "vDesc", "vII", "vIPI"))
    return (
        f"<NFe{xmlns}><infNFe {attributes}><ide><cUF>{key[:2]}</cUF><cNF>12345678</cNF><natOp>{nature}</natOp>"
        f"<mod>{model}</mod><serie>{series}</serie><nNF>{number}</nNF>{dates}<tpNF>{direction}</tpNF><idDest>1</idDest>"
        f"<cMunFG>3550308</cMunFG><tpImp>1</tpImp><tpEmis>1</tpEmis><cDV>{key[-1:]}</cDV><tpAmb>{environment}</tpAmb>"
        f"<finNFe>{purpose}</finNFe>{in_ide}</ide>"
        f"<emit><{emitter_tag}>{emitter}</{emitter_tag}><xNome>Papelaria São João Ltda</xNome><enderEmit>"
        "<xLgr>Rua das Flores</xLgr><nro>1</nro><cMun>3550308</cMun><xMun>São Paulo</xMun><UF>SP</UF></enderEmit>"
        "<IE>111222333444</IE></emit>"
        f"<dest>{recipient}<xNome>José da Conceição</xNome>"
        "<enderDest><xMun>Curitiba</xMun><UF>PR</UF></enderDest></dest>"
        f"{details}<total><ICMSTot><vBC>10.00</vBC><vICMS>1.80</vICMS><vST>0.00</vST><vProd>{total}</vProd>{zeros}"
        f"<vPIS>0.17</vPIS><vCOFINS>0.76</vCOFINS><vOutro>0.00</vOutro><vNF>{total}</vNF></ICMSTot>{after_totals}</total>"
        f"{sections}{additional}</infNFe>"
        f'<Signature xmlns="{DSIG}"><SignedInfo><Reference URI="#NFe{key}"><DigestValue>\n 0beec7b5ea3f0fdbc95d0dd4\n'
        " </DigestValue></Reference></SignedInfo><SignatureValue>AA==</SignatureValue></Signature></NFe>"
    )


def protocol(key: str, *, cstat: str = "100", tag: str = "NFe", number: str = "135260000000001") -> str:
    """A `protNFe` or `protCTe` element."""
    return (
        f'<prot{tag} versao="4.00"><infProt><tpAmb>1</tpAmb><ch{tag}>{key}</ch{tag}>'
        f"<dhRecbto>2026-08-07T10:16:00-03:00</dhRecbto><nProt>{number}</nProt>"
        f"<digVal>0beec7b5ea3f0fdbc95d0dd4</digVal><cStat>{cstat}</cStat><xMotivo>Autorizado o uso</xMotivo>"
        f"</infProt></prot{tag}>"
    )


def nfe_proc(body: str | None = None, *answers: str, declaration: str = DECLARATION) -> str:
    """An `nfeProc`; without arguments, an authorized note."""
    if body is None:
        body, answers = note(), (protocol(access_key()),)
    return f'{declaration}<nfeProc xmlns="{NFE}" versao="4.00">{body}{"".join(answers)}</nfeProc>'


def event(
    key: str,
    *,
    code: str = "110111",
    sequence: int = 1,
    detail: str = "<descEvento>Cancelamento</descEvento><xJust>Desistência do comprador</xJust>",
    tag: str = "NFe",
    name: str = "evento",
) -> str:
    """An `evento` or `eventoCTe` element."""
    return (
        f'<{name} versao="1.00"><infEvento Id="ID{code}{key}{sequence:02d}"><cOrgao>35</cOrgao><tpAmb>1</tpAmb>'
        f"<CNPJ>{EMITTER}</CNPJ><ch{tag}>{key}</ch{tag}><dhEvento>2026-08-07T12:00:00-03:00</dhEvento>"
        f"<tpEvento>{code}</tpEvento><nSeqEvento>{sequence}</nSeqEvento><detEvento>{detail}</detEvento>"
        f"</infEvento></{name}>"
    )


def event_answer(
    key: str, *, cstat: str = "135", code: str = "110111", sequence: int = 1, tag: str = "NFe", name: str = "retEvento"
) -> str:
    """A `retEvento` or `retEventoCTe` element."""
    return (
        f'<{name} versao="1.00"><infEvento><tpAmb>1</tpAmb><cOrgao>35</cOrgao><cStat>{cstat}</cStat>'
        f"<xMotivo>Evento registrado e vinculado</xMotivo><ch{tag}>{key}</ch{tag}><tpEvento>{code}</tpEvento>"
        f"<xEvento>Cancelamento homologado</xEvento><nSeqEvento>{sequence}</nSeqEvento>"
        "<dhRegEvento>2026-08-07T12:01:00-03:00</dhRegEvento><nProt>135260000000002</nProt></infEvento>"
        f"</{name}>"
    )


def event_proc(
    key: str, *, cstat: str = "135", code: str = "110111", tag: str = "NFe", detail: str | None = None
) -> str:
    """A `procEventoNFe` or `procEventoCTe` element."""
    suffix = "" if tag == "NFe" else tag
    namespace = NFE if tag == "NFe" else CTE
    told = {} if detail is None else {"detail": detail}
    return (
        f'<procEvento{tag} xmlns="{namespace}" versao="1.00">'
        f"{event(key, code=code, tag=tag, name=f'evento{suffix}', **told)}"
        f"{event_answer(key, cstat=cstat, code=code, tag=tag, name=f'retEvento{suffix}')}</procEvento{tag}>"
    )


CARRIER = "33014556000196"


def cte_key(**parts: object) -> str:
    return access_key(**{"emitter": CARRIER, "model": "57", "number": 77, **parts})  # type: ignore[arg-type]


def freight(
    key: str | None = None,
    *,
    root: str = "CTe",
    model: str = "57",
    taker: str = "<toma3><toma>3</toma></toma3>",
    parties: str | None = None,
    documents: Sequence[str] = (),
    normal: str = "",
    after_parties: str = "",
    service: str = "<vPrest><vTPrest>25.90</vTPrest><vRec>25.90</vRec></vPrest>",
    tail: str = "",
    compl: str = "<compl><xObs>Entregar pela manhã</xObs></compl>",
    layout: str = "4.00",
) -> str:
    """A `CTe`, `CTeSimp` or `CTeOS` element."""
    key = cte_key(model=model) if key is None else key
    cargo = "".join(f"<infNFe><chave>{carried}</chave></infNFe>" for carried in documents)
    if parties is None:
        parties = (
            f"<rem><CNPJ>{EMITTER}</CNPJ><xNome>Papelaria São João Ltda</xNome><enderReme><xMun>São Paulo</xMun>"
            "<UF>SP</UF></enderReme></rem>"
            f"<dest><CPF>{RECIPIENT}</CPF><xNome>José da Conceição</xNome><enderDest><xMun>Curitiba</xMun><UF>PR</UF>"
            "</enderDest></dest>"
        )
    return (
        f'<{root} xmlns="{CTE}"><infCte versao="{layout}" Id="CTe{key}"><ide><cUF>35</cUF><cCT>12345678</cCT>'
        f"<CFOP>6353</CFOP><natOp>Prestação de serviço de transporte</natOp><mod>{model}</mod><serie>1</serie>"
        "<nCT>77</nCT>"
        f"<dhEmi>2026-08-08T08:00:00-03:00</dhEmi><tpEmis>1</tpEmis><tpAmb>1</tpAmb><tpCTe>0</tpCTe>{taker}</ide>{compl}"
        f"<emit><CNPJ>{CARRIER}</CNPJ><IE>110042490114</IE><xNome>Transportes Rápidos</xNome><enderEmit>"
        f"<xMun>Osasco</xMun><UF>SP</UF></enderEmit></emit>{parties}{after_parties}{service}"
        "<imp><ICMS><ICMS00><CST>00</CST><vBC>25.90</vBC><pICMS>12.00</pICMS><vICMS>3.11</vICMS></ICMS00></ICMS>"
        f"<vTotDFe>26.10</vTotDFe></imp><infCTeNorm><infDoc>{cargo}</infDoc>{normal}</infCTeNorm>{tail}</infCte></{root}>"
    )


def cte_proc(body: str, *answers: str, root: str = "cteProc") -> str:
    return f'{DECLARATION}<{root} xmlns="{CTE}" versao="4.00">{body}{"".join(answers)}</{root}>'


def soap(inner: str) -> str:
    return (
        '<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body>'
        f'<nfeResultMsg xmlns="http://www.portalfiscal.inf.br/nfe/wsdl/X">{inner}</nfeResultMsg></s:Body></s:Envelope>'
    )
