"""Small fiscal papers as bytes, an archive of them, and a look into the packages made of it."""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from confere.archive.documents import recorder
from confere.archive.store import Archive
from confere.archive.vault.vault import Blob, digest_of
from confere.fiscal.access_keys import check_digit
from confere.fiscal.reading.document import read

COMPANY = "11222333000181"
OTHER = "11444777000161"
CARRIER = "12ABC34501DE35"
MONTH = "2026-10"
NFE = "http://www.portalfiscal.inf.br/nfe"
CTE = "http://www.portalfiscal.inf.br/cte"


def key(number: int, *, emitter: str = COMPANY, model: str = "55", month: str = MONTH) -> str:
    body = f"35{month[2:4]}{month[5:]}{emitter}{model}001{number:09d}1{number:08d}"
    return body + check_digit(body)


def note(
    number: int,
    *,
    day: str = "2026-10-05",
    emitter: str = COMPANY,
    recipient: str = OTHER,
    model: str = "55",
    cstat: str | None = "100",
    kind: str = "1",
    refers: str = "",
    words: str = "",
    inside: str = "",
    offset: str = "-03:00",
) -> bytes:
    """An NF-e or NFC-e; without `cstat` it has no protocol, `inside` is put beside it in its `nfeProc`."""
    access_key = key(number, emitter=emitter, model=model, month=day[:7])
    protocol = (
        f'<protNFe versao="4.00"><infProt><tpAmb>1</tpAmb><chNFe>{access_key}</chNFe>'
        f"<dhRecbto>{day}T10:01:00-03:00</dhRecbto><nProt>1352600000{number:05d}</nProt><cStat>{cstat}</cStat>"
        "</infProt></protNFe>"
        if cstat
        else ""
    )
    reference = f"<NFref><refNFe>{refers}</refNFe></NFref>" if refers else ""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><nfeProc xmlns="{NFE}" versao="4.00"><NFe>'
        f'<infNFe Id="NFe{access_key}" versao="4.00"><ide><cUF>35</cUF><natOp>Venda à vista</natOp><mod>{model}</mod>'
        f"<serie>1</serie><nNF>{number}</nNF><dhEmi>{day}T10:00:00{offset}</dhEmi><tpNF>{kind}</tpNF><tpAmb>1</tpAmb>"
        f"<finNFe>1</finNFe>{reference}</ide><emit><CNPJ>{emitter}</CNPJ><xNome>Loja São João</xNome></emit>"
        f'<dest><CNPJ>{recipient}</CNPJ><xNome>Cliente</xNome></dest><det nItem="1"><prod><cProd>A1</cProd>'
        f"<xProd>Caneca {words}</xProd><CFOP>5102</CFOP><qCom>1.0000</qCom><vProd>10.00</vProd></prod></det>"
        f"<total><ICMSTot><vProd>10.00</vProd><vNF>10.00</vNF></ICMSTot></total></infNFe></NFe>{protocol}{inside}"
        "</nfeProc>"
    ).encode()


def freight(number: int, *, day: str = "2026-10-07", carries: str = "", sender: str = COMPANY) -> bytes:
    """A CT-e that the sender of the goods takes."""
    access_key = key(number, emitter=CARRIER, model="57", month=day[:7])
    return (
        f'<cteProc xmlns="{CTE}" versao="4.00"><CTe><infCte Id="CTe{access_key}" versao="4.00"><ide><CFOP>6353</CFOP>'
        f"<natOp>Transporte</natOp><mod>57</mod><serie>1</serie><nCT>{number}</nCT>"
        f"<dhEmi>{day}T08:00:00-03:00</dhEmi><tpAmb>1</tpAmb><tpCTe>0</tpCTe><toma3><toma>0</toma></toma3></ide>"
        f"<emit><CNPJ>{CARRIER}</CNPJ><xNome>Transportes</xNome></emit><rem><CNPJ>{sender}</CNPJ><xNome>Loja</xNome>"
        "</rem><vPrest><vTPrest>20.00</vTPrest></vPrest><infCTeNorm><infDoc><infNFe>"
        f'<chave>{carries or key(1)}</chave></infNFe></infDoc></infCTeNorm></infCte></CTe><protCTe versao="4.00">'
        f"<infProt><tpAmb>1</tpAmb><chCTe>{access_key}</chCTe><cStat>100</cStat></infProt></protCTe></cteProc>"
    ).encode()


def event(
    access_key: str,
    code: str = "110111",
    *,
    sequence: int = 1,
    day: str = "2026-10-06",
    cstat: str | None = "135",
    words: str = "Cliente desistiu",
    wrapped: bool = True,
    offset: str = "-03:00",
) -> bytes:
    """An event of an NF-e or CT-e, as its `procEvento…`; `wrapped=False` gives the pair alone."""
    freighted = access_key[20:22] == "57"
    law, tag, space = ("CTe", "chCTe", CTE) if freighted else ("NFe", "chNFe", NFE)
    suffix = "CTe" if freighted else ""
    answer = (
        f'<retEvento{suffix} versao="1.00"><infEvento><tpAmb>1</tpAmb><cStat>{cstat}</cStat><{tag}>{access_key}</{tag}>'
        f"<tpEvento>{code}</tpEvento><nSeqEvento>{sequence}</nSeqEvento><dhRegEvento>{day}T09:00:05-03:00</dhRegEvento>"
        f"<nProt>135260000009999</nProt></infEvento></retEvento{suffix}>"
        if cstat
        else ""
    )
    pair = (
        f'<evento{suffix} versao="1.00"><infEvento Id="ID{code}{access_key}{sequence:02d}"><cOrgao>35</cOrgao>'
        f"<tpAmb>1</tpAmb><CNPJ>{COMPANY}</CNPJ><{tag}>{access_key}</{tag}><dhEvento>{day}T09:00:00{offset}</dhEvento>"
        f"<tpEvento>{code}</tpEvento><nSeqEvento>{sequence}</nSeqEvento><detEvento><descEvento>Evento</descEvento>"
        f"<xJust>{words}</xJust></detEvento></infEvento></evento{suffix}>{answer}"
    )
    if not wrapped:
        return pair.encode()
    return f'<procEvento{law} xmlns="{space}" versao="1.00">{pair}</procEvento{law}>'.encode()


def voiding(first: int, last: int, *, cstat: str = "102", day: str = "2026-10-09") -> bytes:
    """A voided range of numbers of series 1."""
    body = (
        f"<tpAmb>1</tpAmb><cUF>35</cUF><ano>26</ano><CNPJ>{COMPANY}</CNPJ><mod>55</mod><serie>1</serie>"
        f"<nNFIni>{first}</nNFIni><nNFFin>{last}</nNFFin>"
    )
    return (
        f'<procInutNFe xmlns="{NFE}" versao="4.00"><inutNFe versao="4.00"><infInut Id="ID1">{body}'
        f'<xJust>Falha do sistema</xJust></infInut></inutNFe><retInutNFe versao="4.00"><infInut>{body}'
        f"<cStat>{cstat}</cStat><dhRecbto>{day}T11:00:00-03:00</dhRecbto><nProt>135260000000001</nProt></infInut>"
        "</retInutNFe></procInutNFe>"
    ).encode()


def lot(*notes: bytes) -> bytes:
    """Several notes in one file, as sent to the authority (their protocols are lost)."""
    bodies = "".join(entry.decode().split("<NFe>")[1].split("</NFe>")[0].join(("<NFe>", "</NFe>")) for entry in notes)
    return f'<enviNFe xmlns="{NFE}" versao="4.00"><idLote>1</idLote>{bodies}</enviNFe>'.encode()


def store(archive: Archive, *files: bytes, source: str = "in/{number}.xml") -> None:
    """Record files that are new to the archive, all in one batch."""
    with archive.writing() as transaction:
        recorded = recorder.record(
            transaction,
            archive.vault_writer,
            [recorder.NewPaper(Blob(data, digest_of(data)), read(data)) for data in files],
        )
        recorder.arrive(
            transaction, 1, [recorder.Arrival(number, source.format(number=number)) for number in recorded.content_ids]
        )


def inside(path: Path) -> dict[str, bytes]:
    """What a ZIP holds, by path; every member's checksum is verified."""
    with zipfile.ZipFile(path) as package:
        assert package.testzip() is None
        names = package.namelist()
        assert len(names) == len(set(names))
        return {name: package.read(name) for name in names}


def manifest_of(path: Path) -> Mapping[str, Any]:
    """A package's manifest, proven against the package: every file with its size and hash, and the ZIP's own."""
    told: Mapping[str, Any] = json.loads(path.with_name(f"{path.stem}.manifest.json").read_text("ascii"))
    held = inside(path)
    assert [entry["path"] for entry in told["files"]] == list(held)
    for entry in told["files"]:
        data = held[entry["path"]]
        assert (entry["size"], entry["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())
    raw = path.read_bytes()
    assert told["zip"] == {"size": len(raw), "sha256": hashlib.sha256(raw).hexdigest()}
    assert told["xml"] == len(held)
    return told
