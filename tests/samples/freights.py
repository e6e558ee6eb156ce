"""CT-e of three layouts and six modals, CT-e of other services, and manifests (MDF-e), of invented companies."""

from __future__ import annotations

from collections.abc import Iterator

from tests.corpus.files import Sample
from tests.fiscal.made import CTE, DECLARATION, access_key
from tests.samples.described import described
from tests.samples.notes import CARRIER, LETTERED, PERSON, STATIONER, key_of

MDFE = "http://www.portalfiscal.inf.br/mdfe"
MONTHS = {"2.00": "1410", "3.00": "1903", "4.00": "2407"}
ISSUED = {"2.00": "2014-10-02T07:30:00", "3.00": "2019-03-29T18:00:00-03:00", "4.00": "2024-07-31T22:00:00-03:00"}
MODALS = {
    "01": "<rodo><RNTRC>12345678</RNTRC><occ><nOcc>5</nOcc><dEmi>2024-07-31</dEmi></occ></rodo>",
    "02": "<aereo><nMinu>000000012</nMinu><nOCA>12345678901</nOCA><dPrevAereo>2024-08-02</dPrevAereo>"
    "<natCarga><xDime>20X30X40</xDime><cInfManu>01</cInfManu></natCarga><tarifa><CL>G</CL><vTar>7.10</vTar></tarifa>"
    "</aereo>",
    "03": "<aquav><vPrest>310.00</vPrest><vAFRMM>24.80</vAFRMM><xNavio>Rio Tietê</xNavio><balsa><xBalsa>B1</xBalsa>"
    "</balsa><nViag>14</nViag><direc>S</direc><irin>PP1234</irin></aquav>",
    "04": "<ferrov><tpTraf>1</tpTraf><trafMut><respFat>1</respFat><ferrEmi>1</ferrEmi><vFrete>310.00</vFrete></trafMut>"
    "<fluxo>FL-22</fluxo></ferrov>",
    "05": "<duto><vTar>0.310000</vTar><dIni>2024-07-01</dIni><dFim>2024-07-31</dFim></duto>",
    "06": "<multimodal><COTM>OTM-00001</COTM><indNegociavel>0</indNegociavel><seg><infSeg><xSeg>Seguradora Norte</xSeg>"
    "<CNPJ>33000167000101</CNPJ></infSeg><nApol>88</nApol><nAver>2</nAver></seg></multimodal>",
}
REFORM = (
    "<IBSCBS><CST>000</CST><cClassTrib>000001</cClassTrib><gIBSCBS><vBC>310.00</vBC><gIBSUF><pIBSUF>0.1000</pIBSUF>"
    "<vIBSUF>0.31</vIBSUF></gIBSUF><gIBSMun><pIBSMun>0.0000</pIBSMun><vIBSMun>0.00</vIBSMun></gIBSMun><vIBS>0.31</vIBS>"
    "<gCBS><pCBS>0.9000</pCBS><vCBS>2.79</vCBS></gCBS></gIBSCBS></IBSCBS>"
)


def freight(
    layout: str,
    key: str,
    *,
    modal: str = "01",
    emitter: str = CARRIER,
    carried: tuple[str, ...] = (),
    taxes: str = "<ICMS><ICMS00><CST>00</CST><vBC>310.00</vBC><pICMS>12.00</pICMS><vICMS>37.20</vICMS></ICMS00></ICMS>",
    root: str = "CTe",
) -> str:
    taker = "toma03" if layout == "2.00" else "toma3"
    cargo = "".join(f"<infNFe><chave>{note}</chave></infNFe>" for note in carried)
    os = root == "CTeOS"
    takes = "" if os else f"<{taker}><toma>0</toma></{taker}>"
    parties = (
        f"<toma><CNPJ>{STATIONER}</CNPJ><xNome>Livraria Água Viva Ltda</xNome></toma>"
        if os
        else f"<rem><CNPJ>{STATIONER}</CNPJ><xNome>Livraria Água Viva Ltda</xNome><enderReme><xLgr>Praça da Sé</xLgr>"
        "<xMun>Campinas</xMun><UF>SP</UF></enderReme></rem>"
        f"<dest><CPF>{PERSON}</CPF><xNome>Inês Araújo</xNome><enderDest><xLgr>Rua Nova</xLgr><xMun>Recife</xMun>"
        "<UF>PE</UF></enderDest></dest>"
    )
    service = (
        "<infServico><xDescServ>Traslado</xDescServ><infQ><qCarga>4.0000</qCarga></infQ></infServico>"
        if os
        else "<infCarga><vCarga>4504.95</vCarga><proPred>LIVROS</proPred><infQ><cUnid>01</cUnid>"
        f"<tpMed>PESO BRUTO</tpMed><qCarga>150.0000</qCarga></infQ></infCarga><infDoc>{cargo}</infDoc>"
        f'<infModal versaoModal="{layout}">{MODALS[modal]}</infModal>'
    )
    return (
        f'<{root} xmlns="{CTE}" versao="{layout}"><infCte versao="{layout}" Id="CTe{key}"><ide><cUF>{key[:2]}</cUF>'
        f"<cCT>{key[35:43]}</cCT><CFOP>6353</CFOP><natOp>Transporte rodado</natOp><mod>{key[20:22]}</mod>"
        f"<serie>{int(key[22:25])}</serie><nCT>{int(key[25:34])}</nCT><dhEmi>{ISSUED[layout]}</dhEmi><tpImp>1</tpImp>"
        f"<tpEmis>{key[34]}</tpEmis><cDV>{key[43]}</cDV><tpAmb>1</tpAmb><tpCTe>0</tpCTe><modal>{modal}</modal>"
        f"<tpServ>{'6' if os else '0'}</tpServ>{takes}</ide><compl><xObs>Frágil: não empilhar</xObs></compl>"
        f"<emit><CNPJ>{emitter}</CNPJ><xNome>Transportes Boa Hora</xNome><enderEmit><xLgr>Cais do Porto</xLgr>"
        f"<xMun>Santos</xMun><UF>SP</UF></enderEmit></emit>{parties}"
        "<vPrest><vTPrest>310.00</vTPrest><vRec>310.00</vRec><Comp><xNome>FRETE PESO</xNome><vComp>310.00</vComp>"
        f"</Comp></vPrest><imp>{taxes}</imp><infCTeNorm>{service}</infCTeNorm></infCte></{root}>"
    )


def answer(key: str, status: str = "100") -> str:
    return (
        f'<protCTe versao="4.00"><infProt><tpAmb>1</tpAmb><verAplic>SP_1</verAplic><chCTe>{key}</chCTe>'
        f"<dhRecbto>20{key[2:4]}-{key[4:6]}-31T23:00:00-03:00</dhRecbto><nProt>135{key[2:4]}0000000088</nProt>"
        f"<digVal>YWJj</digVal><cStat>{status}</cStat><xMotivo>Autorizado o uso do CT-e</xMotivo></infProt></protCTe>"
    )


def held(layout: str, key: str, **more: str) -> dict[str, str]:
    return {
        "kind": "cteProc",
        "model": key[20:22],
        "version": layout,
        "tpAmb": "1",
        "key": key,
        "key_dv": "ok",
        "id_matches_fields": "ok",
        "n_docs": "1",
        "cStat": "100",
        "emit": CARRIER,
        "dest": PERSON,
        "total": "310.00",
        "dhEmi": ISSUED[layout],
        **more,
    }


def key_of_freight(layout: str, number: int, **parts: str) -> str:
    return access_key(**{"year_month": MONTHS[layout], "model": "57", "emitter": CARRIER, "number": number, **parts})  # type: ignore[arg-type]


def proc(body: str, key: str, root: str = "cteProc") -> str:
    return f'{DECLARATION}<{root} xmlns="{CTE}" versao="4.00">{body}{answer(key)}</{root}>'


def freights() -> Iterator[Sample]:
    notes = (key_of("4.00", 104), key_of("4.00", 201, model="65", emission="9"))
    refs = " | ".join(f"infNFe/chave:{note}" for note in notes)
    for number, layout in enumerate(MONTHS, start=501):
        key = key_of_freight(layout, number)
        row = held(layout, key, refs=refs, flags="modal=01 tpServ=0")
        body = freight(layout, key, carried=notes)
        yield described(f"freight-{layout}.xml", proc(body, key), "cteProc", **row)
        alone = row | {"kind": "CTe", "cStat": ""}
        yield described(f"freight-{layout}-alone.xml", DECLARATION + body, "CTe", **alone)
    for number, modal in enumerate(MODALS, start=511):
        key = key_of_freight("4.00", number)
        body = freight("4.00", key, modal=modal)
        row = held("4.00", key, flags=f"modal={modal}")
        yield described(f"freight-modal-{modal}.xml", proc(body, key), "cteProc", **row)
    key = key_of_freight("4.00", 521)
    body = freight("4.00", key, taxes=f"<ICMS><ICMS45><CST>40</CST></ICMS45></ICMS>{REFORM}<vTotDFe>313.10</vTotDFe>")
    yield described("freight-tax-reform.xml", proc(body, key), "cteProc", **held("4.00", key, flags="IBSCBS"))
    key = key_of_freight("4.00", 522)
    substituted = (
        "<ICMS><ICMS60><CST>60</CST><vBCSTRet>310.00</vBCSTRet><pICMSSTRet>12.00</pICMSSTRet><vICMSSTRet>37.20"
        "</vICMSSTRet></ICMS60></ICMS>"
    )
    body = freight("4.00", key, taxes=substituted)
    yield described("freight-substituted.xml", proc(body, key), "cteProc", **held("4.00", key))
    key = key_of_freight("4.00", 523, emitter=LETTERED)
    body = freight("4.00", key, emitter=LETTERED)
    row = held("4.00", key, emit=LETTERED, flags="ALNUM_CNPJ")
    yield described("freight-cnpj-with-letters.xml", proc(body, key), "cteProc", **row)
    for layout in ("3.00", "4.00"):
        key = key_of_freight(layout, 524, model="67")
        body = freight(layout, key, root="CTeOS")
        row = held(layout, key, kind="CTeOS", cStat="", dest="")
        yield described(f"freight-of-people-{layout}.xml", b"\xef\xbb\xbf" + (DECLARATION + body).encode(), "CTeOS",
                        **row | {"bom": "utf-8"})  # fmt: skip
    yield from manifests()


def manifests() -> Iterator[Sample]:
    for number, (modal, inside) in enumerate(MODALS.items(), start=601):
        if modal > "04":
            break
        key = access_key(year_month="2407", model="58", emitter=CARRIER, number=number)
        body = (
            f'<MDFe xmlns="{MDFE}"><infMDFe versao="3.00" Id="MDFe{key}"><ide><cUF>35</cUF><tpAmb>1</tpAmb>'
            f"<tpEmit>1</tpEmit><mod>58</mod><serie>1</serie><nMDF>{number}</nMDF><cMDF>12345678</cMDF><cDV>{key[43]}</cDV>"
            f"<modal>{int(modal)}</modal><dhEmi>2024-07-31T23:00:00-03:00</dhEmi><tpEmis>1</tpEmis><procEmi>0</procEmi>"
            f"<UFIni>SP</UFIni><UFFim>PE</UFFim></ide><emit><CNPJ>{CARRIER}</CNPJ><IE>110042490114</IE>"
            "<xNome>Transportes Boa Hora</xNome><enderEmit><xMun>Santos</xMun><UF>SP</UF></enderEmit></emit>"
            f'<infModal versaoModal="3.00">{inside}</infModal><infDoc><infMunDescarga>'
            f"<xMunDescarga>Recife</xMunDescarga><infCTe><chCTe>{key_of_freight('4.00', 511)}</chCTe></infCTe>"
            "</infMunDescarga></infDoc><tot><qCTe>1</qCTe><vCarga>4504.95</vCarga></tot></infMDFe></MDFe>"
        )
        answered = answer(key).replace("CTe", "MDFe")
        row = held("4.00", key, kind="mdfeProc", version="3.00", dhEmi="2024-07-31T23:00:00-03:00")
        whole = f'{DECLARATION}<mdfeProc xmlns="{MDFE}" versao="3.00">{body}{answered}</mdfeProc>'
        yield described(f"manifest-modal-{modal}.xml", whole, "mdfeProc", **row)
        if modal == "01":
            alone = row | {"kind": "MDFe", "cStat": ""}
            yield described("manifest-alone.xml", body, "MDFe", **alone)
