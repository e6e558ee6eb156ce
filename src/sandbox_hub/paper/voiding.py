"""Voiding of numbers (inutilização), layout 4.00: the emitter's signed request and the authority's answer."""

from __future__ import annotations

from sandbox_hub.paper.authority import Authority
from sandbox_hub.paper.facts import VoidingFacts
from sandbox_hub.paper.signature import sign
from sandbox_hub.paper.text import HEAD, NFE, SOFTWARE, code, moment, text


def voiding_xml(facts: VoidingFacts, authority: Authority) -> bytes:
    """`ProcInutNFe`, UTF-8."""
    emitter = facts.emitter
    uf, year, series = emitter.address.uf_code, f"{facts.year % 100:02d}", f"<serie>{facts.series}</serie>"
    numbers = f"<nNFIni>{facts.first}</nNFIni><nNFFin>{facts.last}</nNFFin>"
    whose = f"<CNPJ>{emitter.tax_id}</CNPJ><mod>{facts.model}</mod>{series}{numbers}"
    identity = f"ID{uf}{year}{code(emitter.tax_id)}{facts.model}{facts.series:03d}{facts.first:09d}{facts.last:09d}"
    content = (
        f"<tpAmb>2</tpAmb><xServ>INUTILIZAR</xServ><cUF>{uf}</cUF><ano>{year}</ano>{whose}"
        f"<xJust>{text(facts.reason, 255)}</xJust>"
    )
    signed = sign("infInut", f'Id="{identity}"', content, identity, NFE, authority.signer(emitter))
    return (
        f'{HEAD}<ProcInutNFe xmlns="{NFE}" versao="4.00"><inutNFe xmlns="{NFE}" versao="4.00">{signed.xml}'
        f'</inutNFe><retInutNFe xmlns="{NFE}" versao="4.00"><infInut Id="ID{code(facts.protocol)}"><tpAmb>2</tpAmb>'
        f"<verAplic>{SOFTWARE}</verAplic><cStat>102</cStat><xMotivo>Inutilizacao de numero homologado</xMotivo>"
        f"<cUF>{uf}</cUF><ano>{year}</ano>{whose}<dhRecbto>{moment(facts.received_at)}</dhRecbto>"
        f"<nProt>{code(facts.protocol)}</nProt></infInut></retInutNFe></ProcInutNFe>"
    ).encode()
