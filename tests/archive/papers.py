"""Small fiscal papers as bytes, with just the fields a test wants to speak of."""

from __future__ import annotations

from confere.archive.documents import recorder
from confere.archive.store import Archive
from confere.archive.vault.vault import Blob, digest_of
from confere.fiscal.access_keys import check_digit
from confere.fiscal.reading.document import read

EMITTER = "11222333000181"
RECIPIENT = "11444777000161"


def key(number: int, *, emitter: str = EMITTER, model: str = "55", month: str = "2610", series: int = 1) -> str:
    body = f"35{month}{emitter}{model}{series:03d}{number:09d}1{number:08d}"
    return body + str(check_digit(body))


def note(
    number: int,
    *,
    day: str = "2026-10-05",
    total: str = "10.00",
    cstat: str | None = "100",
    item: str = "Caneca azul",
    refers: str | None = None,
    padding: str = "",
    emitter: str = EMITTER,
    order: str | None = None,
    cfop: str = "5102",
) -> bytes:
    access_key = key(number, emitter=emitter, month=day[2:4] + day[5:7])
    reference = f"<NFref><refNFe>{refers}</refNFe></NFref>" if refers else ""
    extra = f"<compra><xPed>{order}</xPed></compra>" if order else ""
    protocol = (
        f'<protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><chNFe>{access_key}</chNFe>'
        f"<dhRecbto>{day}T10:01:00-03:00</dhRecbto><nProt>13526000000{number:04d}</nProt><cStat>{cstat}</cStat>"
        "<xMotivo>x</xMotivo></infProt></protNFe>"
        if cstat
        else ""
    )
    return (
        '<nfeProc xmlns="http://www.portalfiscal.inf.br/nfe" versao="4.00"><NFe>'
        f'<infNFe Id="NFe{access_key}" versao="4.00"><ide><cUF>35</cUF><cNF>{number:08d}</cNF><natOp>VENDA</natOp>'
        f"<mod>55</mod><serie>1</serie><nNF>{number}</nNF><dhEmi>{day}T10:00:00-03:00</dhEmi><tpNF>1</tpNF>"
        f"<idDest>1</idDest><tpEmis>1</tpEmis><tpAmb>1</tpAmb><finNFe>1</finNFe>{reference}</ide>"
        f"<emit><CNPJ>{emitter}</CNPJ><xNome>Loja São João{padding}</xNome></emit>"
        f"<dest><CNPJ>{RECIPIENT}</CNPJ><xNome>Cliente Avó</xNome></dest>"
        f'<det nItem="1"><prod><cProd>A1</cProd><xProd>{item}</xProd><NCM>69111010</NCM><CFOP>{cfop}</CFOP>'
        f"<uCom>UN</uCom><qCom>1.0000</qCom><vUnCom>{total}</vUnCom><vProd>{total}</vProd></prod></det>"
        f"<total><ICMSTot><vProd>{total}</vProd><vNF>{total}</vNF></ICMSTot></total>{extra}</infNFe></NFe>"
        f"{protocol}</nfeProc>"
    ).encode()


def cancellation(number: int, *, cstat: str = "135", day: str = "2026-10-06", note_day: str = "2026-10-05") -> bytes:
    access_key = key(number, month=note_day[2:4] + note_day[5:7])
    return (
        '<procEventoNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00"><evento versao="1.00">'
        f'<infEvento Id="ID110111{access_key}01"><cOrgao>35</cOrgao><tpAmb>1</tpAmb><CNPJ>{EMITTER}</CNPJ>'
        f"<chNFe>{access_key}</chNFe><dhEvento>{day}T09:00:00-03:00</dhEvento><tpEvento>110111</tpEvento>"
        "<nSeqEvento>1</nSeqEvento><detEvento><descEvento>Cancelamento</descEvento><xJust>Cliente desistiu</xJust>"
        "</detEvento></infEvento></evento><retEvento><infEvento><tpAmb>1</tpAmb>"
        f"<cStat>{cstat}</cStat><chNFe>{access_key}</chNFe><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento>"
        f"<dhRegEvento>{day}T09:00:05-03:00</dhRegEvento><nProt>135260000009999</nProt></infEvento></retEvento>"
        "</procEventoNFe>"
    ).encode()


def store(archive: Archive, *files: bytes, source: str = "test") -> list[int]:
    """Record files that are new to the archive; their content ids."""
    with archive.writing() as transaction:
        batch = [recorder.NewPaper(Blob(data, digest_of(data)), read(data)) for data in files]
        recorded = recorder.record(transaction, archive.vault_writer, batch)
        arrivals = [recorder.Arrival(content_id, source) for content_id in recorded.content_ids]
        recorder.arrive(transaction, 1, arrivals)
        return list(recorded.content_ids)
