"""Events and voided ranges alone, with their answers and inside what an authority returns; lots of notes; questions."""

from __future__ import annotations

from collections.abc import Iterator

from tests.corpus.files import Sample
from tests.fiscal.made import CTE, DECLARATION, NFE, soap
from tests.samples.described import described
from tests.samples.freights import MDFE, key_of_freight
from tests.samples.notes import CARRIER, SHOP, STATIONER, access_key, answer, key_of, note

CORRECTED = (
    "<descEvento>Carta de Correcao</descEvento><xCorrecao>Onde se lê Rua Nova, 7, leia-se Rua Nova, 70</xCorrecao>"
    "<xCondUso>A Carta de Correcao e disciplinada pelo paragrafo 1o-A do art. 7o do Convenio S/N</xCondUso>"
)
DETAILS = {
    "110110": CORRECTED,
    "110111": "<descEvento>Cancelamento</descEvento><nProt>135240000000077</nProt><xJust>Comprador desistiu</xJust>",
    "110140": "<descEvento>EPEC</descEvento><cOrgaoAutor>35</cOrgaoAutor><tpNF>1</tpNF><dest><UF>PE</UF>"
    "<CPF>52998224725</CPF><vNF>42.45</vNF></dest>",
    "210200": "<descEvento>Confirmacao da Operacao</descEvento>",
    "210210": "<descEvento>Ciencia da Operacao</descEvento>",
    "210240": "<descEvento>Operacao nao Realizada</descEvento><xJust>Mercadoria avariada na entrega</xJust>",
}
FREIGHT_DETAILS = {
    "110110": "<evCCeCTe><descEvento>Carta de Correcao</descEvento><infCorrecao><grupoAlterado>compl</grupoAlterado>"
    "<campoAlterado>xObs</campoAlterado><valorAlterado>Empilhar até 3</valorAlterado></infCorrecao></evCCeCTe>",
    "110111": "<evCancCTe><descEvento>Cancelamento</descEvento><nProt>135240000000088</nProt><xJust>Carga recusada"
    "</xJust></evCancCTe>",
    "610110": "<evPrestDesacordo><descEvento>Prestacao do Servico em Desacordo</descEvento><xObs>Frete a maior</xObs>"
    "</evPrestDesacordo>",
}
MANIFEST_DETAILS = {
    "110111": "<evCancMDFe><descEvento>Cancelamento</descEvento><nProt>935240000000099</nProt><xJust>Viagem suspensa"
    "</xJust></evCancMDFe>",
    "110112": "<evEncMDFe><descEvento>Encerramento</descEvento><dtEnc>2024-08-02</dtEnc><cUF>26</cUF></evEncMDFe>",
    "110114": "<evIncCondutorMDFe><descEvento>Inclusao Condutor</descEvento><condutor><xNome>Jonas Prado</xNome>"
    "<CPF>52998224725</CPF></condutor></evIncCondutorMDFe>",
}


def event(
    key: str, code: str, detail: str, author: str, tag: str = "NFe", root: str = "evento", space: str = ""
) -> str:
    return (
        f'<{root}{space} versao="1.00"><infEvento Id="ID{code}{key}01"><cOrgao>35</cOrgao><tpAmb>1</tpAmb>'
        f"<CNPJ>{author}</CNPJ><ch{tag}>{key}</ch{tag}><dhEvento>2024-08-01T09:00:00-03:00</dhEvento>"
        f'<tpEvento>{code}</tpEvento><nSeqEvento>1</nSeqEvento><verEvento>1.00</verEvento><detEvento versao="1.00">'
        f"{detail}</detEvento></infEvento></{root}>"
    )


def event_answer(key: str, code: str, status: str = "135", tag: str = "NFe", root: str = "retEvento") -> str:
    return (
        f'<{root} versao="1.00"><infEvento><tpAmb>1</tpAmb><verAplic>SP_1</verAplic><cOrgao>35</cOrgao>'
        f"<cStat>{status}</cStat><xMotivo>Evento registrado e vinculado</xMotivo><ch{tag}>{key}</ch{tag}>"
        f"<tpEvento>{code}</tpEvento><nSeqEvento>1</nSeqEvento><dhRegEvento>2024-08-01T09:00:04-03:00</dhRegEvento>"
        f"<nProt>135240000000{code[:3]}</nProt></infEvento></{root}>"
    )


def held(key: str, code: str, author: str, **more: str) -> dict[str, str]:
    return {
        "model": key[20:22],
        "tpAmb": "1",
        "key": key,
        "key_dv": "ok",
        "cStat": "135",
        "tpEvento": code,
        "event_target": key,
        "emit": author,
        **more,
    }


def events() -> Iterator[Sample]:
    key = key_of("4.00", 104)
    for code, detail in DETAILS.items():
        author = SHOP if code[0] == "2" else STATIONER
        both = event(key, code, detail, author) + event_answer(key, code)
        whole = f'{DECLARATION}<procEventoNFe xmlns="{NFE}" versao="1.00">{both}</procEventoNFe>'
        yield described(f"event-{code}.xml", whole, "procEventoNFe", **held(key, code, author))
    asked = event(key, "110111", DETAILS["110111"], STATIONER, space=f' xmlns="{NFE}"')
    yield described("event-asked.xml", asked, "evento", **held(key, "110111", STATIONER, cStat=""))
    lot = f'<envEvento xmlns="{NFE}" versao="1.00"><idLote>1</idLote>{asked}</envEvento>'
    yield described(
        "event-lot.xml", soap(lot), "Envelope", **held(key, "110111", STATIONER, cStat="", kind="soap:envEvento")
    )
    refused = event_answer(key, "110111", "573")
    returned = f'<retEnvEvento xmlns="{NFE}" versao="1.00"><idLote>1</idLote><cStat>128</cStat>{refused}</retEnvEvento>'
    row = held(key, "110111", "", cStat="573", kind="soap:retEnvEvento")
    yield described("event-refused.xml", soap(returned), "Envelope", **row)
    key = key_of_freight("4.00", 503)
    for code, detail in FREIGHT_DETAILS.items():
        author = STATIONER if code[0] == "6" else CARRIER
        both = event(key, code, detail, author, "CTe", "eventoCTe")
        both += event_answer(key, code, tag="CTe", root="retEventoCTe")
        whole = f'{DECLARATION}<procEventoCTe xmlns="{CTE}" versao="4.00">{both}</procEventoCTe>'
        yield described(f"event-of-freight-{code}.xml", whole, "procEventoCTe", **held(key, code, author))
    key = access_key(year_month="2407", model="58", emitter=CARRIER, number=601)
    for code, detail in MANIFEST_DETAILS.items():
        whole = event(key, code, detail, CARRIER, "MDFe", "eventoMDFe", f' xmlns="{MDFE}"')
        row = held(key, code, CARRIER, cStat="", bom="utf-8")
        yield described(f"event-of-manifest-{code}.xml", b"\xef\xbb\xbf" + whole.encode(), "eventoMDFe", **row)
    yield from voidings()
    yield from answers()


def voidings() -> Iterator[Sample]:
    body = (
        f'<inutNFe xmlns="{NFE}" versao="4.00"><infInut Id="ID3524{STATIONER}55001000000410000000415"><tpAmb>1</tpAmb>'
        f"<xServ>INUTILIZAR</xServ><cUF>35</cUF><ano>24</ano><CNPJ>{STATIONER}</CNPJ><mod>55</mod><serie>1</serie>"
        "<nNFIni>410</nNFIni><nNFFin>415</nNFFin><xJust>Salto de numeração do sistema</xJust></infInut></inutNFe>"
    )
    returned = (
        f'<retInutNFe xmlns="{NFE}" versao="4.00"><infInut><tpAmb>1</tpAmb><cStat>102</cStat><xMotivo>Inutilizacao de '
        f"numero homologado</xMotivo><cUF>35</cUF><ano>24</ano><CNPJ>{STATIONER}</CNPJ><mod>55</mod><serie>1</serie>"
        "<nNFIni>410</nNFIni><nNFFin>415</nNFFin><dhRecbto>2024-08-02T08:00:00-03:00</dhRecbto>"
        "<nProt>135240000000066</nProt></infInut></retInutNFe>"
    )
    row = {"model": "55", "tpAmb": "1", "emit": STATIONER, "refs": "voids 410-415"}
    whole = f'{DECLARATION}<procInutNFe xmlns="{NFE}" versao="4.00">{body}{returned}</procInutNFe>'
    yield described("voiding.xml", whole, "procInutNFe", **row, cStat="102", kind="retInutNFe")
    yield described("voiding-asked.xml", DECLARATION + body, "inutNFe", **row)
    yield described("voiding-answer.xml", soap(returned), "Envelope", **row, cStat="102", kind="soap:retInutNFe")


def answers() -> Iterator[Sample]:
    """What an authority returns: a lot's notes and answers, a note's state, and answers that hold no paper."""
    keys = [key_of("4.00", number) for number in (701, 702, 703)]
    lot = "".join(note("4.00", key) for key in keys)
    sent = f'{DECLARATION}<enviNFe xmlns="{NFE}" versao="4.00"><idLote>1</idLote><indSinc>0</indSinc>{lot}</enviNFe>'
    row = {
        "kind": "NFe55",
        "model": "55",
        "version": "4.00",
        "tpAmb": "1",
        "key": keys[0],
        "key_dv": "ok",
        "id_matches_fields": "ok",
        "n_docs": "3",
        "emit": STATIONER,
        "dest": "52998224725",
        "total": "42.45",
        "items": "1",
        "dhEmi": "2024-07-31T21:30:00-04:00",
    }
    yield described("lot-of-notes.xml", sent, "enviNFe", **row)
    lot = "".join(note("4.00", key) + answer(key) for key in keys)
    yield described("lot-with-answers.xml", f"<lote>{lot}</lote>", "lote", **row, cStat="100")
    state = (
        f'<retConsSitNFe xmlns="{NFE}" versao="4.00"><tpAmb>1</tpAmb><cStat>100</cStat><chNFe>{keys[0]}</chNFe>'
        f"{answer(keys[0])}</retConsSitNFe>"
    )
    yield described("answer-state.xml", soap(state), "Envelope", kind="soap:retConsSitNFe", key=keys[0])
    happened = event(keys[0], "110111", DETAILS["110111"], STATIONER) + event_answer(keys[0], "110111")
    cancelled = state.replace(
        "</retConsSitNFe>", f'<procEventoNFe versao="1.00">{happened}</procEventoNFe></retConsSitNFe>'
    )
    row = held(keys[0], "110111", STATIONER, kind="soap:retEnvEvento")
    yield described("answer-state-cancelled.xml", soap(cancelled), "Envelope", **row)
    for name, inside in (
        ("answer-lot-received", '<retEnviNFe{0} versao="4.00"><tpAmb>1</tpAmb><cStat>103</cStat></retEnviNFe>'),
        ("answer-service", '<retConsStatServ{0} versao="4.00"><tpAmb>1</tpAmb><cStat>107</cStat></retConsStatServ>'),
        ("question-state", '<consSitNFe{0} versao="4.00"><tpAmb>1</tpAmb><xServ>CONSULTAR</xServ></consSitNFe>'),
    ):
        yield described(f"{name}.xml", soap(inside.format(f' xmlns="{NFE}"')), "Envelope", kind=f"soap:{name}")
