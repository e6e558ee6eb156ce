"""NF-e and NFC-e in layout 4.00: the note, its signature, and the authority's protocol around them."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from sandbox_hub.paper.amounts import LineAmounts, NoteAmounts, amounts
from sandbox_hub.paper.authority import Authority
from sandbox_hub.paper.facts import Address, NoteFacts, SaleItem, Taxpayer
from sandbox_hub.paper.keys import compose
from sandbox_hub.paper.signature import sign
from sandbox_hub.paper.taxes_xml import line_taxes, totals
from sandbox_hub.paper.text import (
    HEAD,
    NFE,
    NO_VALUE,
    SOFTWARE,
    code,
    decimal,
    element,
    moment,
    money,
    optional_money,
    street_to_city,
    tax_id,
    text,
)

REASONS = {
    "100": "Autorizado o uso da NF-e",
    "150": "Autorizado o uso da NF-e, autorizacao fora de prazo",
    "110": "Uso Denegado",
    "301": "Uso Denegado: Irregularidade fiscal do emitente",
    "302": "Uso Denegado: Irregularidade fiscal do destinatario",
}
_ADJUSTING = {5: "tpNFCredito", 6: "tpNFDebito"}
_CONSULT = "https://sandbox.confere.invalid/nfce"
_AWAY = frozenset({2, 3, 4, 9})  # indPres of sales at a distance
_CSC = "0" * 36  # the security code of NFC-e's QR code; a sandbox has nothing to hide


def note_xml(facts: NoteFacts, authority: Authority) -> bytes:
    """`nfeProc`, UTF-8."""
    key = note_key(facts)
    worked = amounts(facts)
    content = (
        f"{_identification(facts, key)}{_emitter(facts.emitter)}{_recipient(facts)}"
        + "".join(
            _item(number, item, line, facts.order_code, reform=worked.reform)
            for number, (item, line) in enumerate(zip(facts.items, worked.lines, strict=True), start=1)
        )
        + f"{totals(worked, facts.miscounted_cents)}"
        + f"{_transport(facts)}{_payment(facts, worked)}{_broker(facts)}{_remarks(facts)}"
    )
    signer = authority.signer(facts.signer or facts.emitter)
    signed = sign("infNFe", f'Id="NFe{key}" versao="4.00"', content, f"NFe{key}", NFE, signer)
    body = signed.element
    if facts.tampered:
        # One letter, as a text editor does it: the digest no longer holds.
        body = body.replace("</natOp>", "S</natOp>", 1)
    supplement = _supplement(key) if facts.model == "65" else ""
    return (
        f'{HEAD}<nfeProc xmlns="{NFE}" versao="4.00"><NFe xmlns="{NFE}">{body}{supplement}'
        f'{signed.signature}</NFe><protNFe versao="4.00"><infProt Id="ID{code(facts.protocol)}"><tpAmb>2</tpAmb>'
        f"<verAplic>{SOFTWARE}</verAplic><chNFe>{key}</chNFe><dhRecbto>{moment(facts.received_at)}</dhRecbto>"
        f"<nProt>{facts.protocol}</nProt><digVal>{signed.digest}</digVal><cStat>{facts.status}</cStat>"
        f"<xMotivo>{REASONS[facts.status]}</xMotivo></infProt></protNFe></nfeProc>"
    ).encode()


def note_key(facts: NoteFacts) -> str:
    """The note's access key."""
    return compose(facts.emitter, facts.issued_at, facts.model, facts.series, facts.number, facts.code)


def _identification(facts: NoteFacts, key: str) -> str:
    references = "".join(f"<NFref><refNFe>{code(other)}</refNFe></NFref>" for other in facts.references)
    references += "".join(f"<NFref><refCTe>{code(other)}</refCTe></NFref>" for other in facts.freight_references)
    if facts.prepayments:
        settled = "".join(f"<refNFe>{code(other)}</refNFe>" for other in facts.prepayments)
        references += f"<gPagAntecipado>{settled}</gPagAntecipado>"
    tag = _ADJUSTING.get(facts.purpose)
    adjusting = f"<{tag}>{code(facts.adjustment_type)}</{tag}>" if tag else ""
    consumer_note = facts.model == "65"
    left = f"<dhSaiEnt>{moment(facts.left_at)}</dhSaiEnt>" if facts.left_at and not consumer_note else ""
    # indIntermed is told for what is sold without the buyer being there (rule B25c-10).
    broker = f"<indIntermed>{int(facts.intermediary is not None)}</indIntermed>" if facts.presence in _AWAY else ""
    return (
        f"<ide><cUF>{facts.emitter.address.uf_code}</cUF><cNF>{facts.code}</cNF>"
        f"<natOp>{text(facts.operation, 60)}</natOp><mod>{facts.model}</mod><serie>{facts.series}</serie>"
        f"<nNF>{facts.number}</nNF><dhEmi>{moment(facts.issued_at)}</dhEmi>{left}<tpNF>{facts.direction}</tpNF>"
        f"<idDest>{_destination(facts)}</idDest><cMunFG>{facts.emitter.address.city_code}</cMunFG>"
        f"<tpImp>{4 if consumer_note else 1}</tpImp><tpEmis>1</tpEmis><cDV>{key[-1]}</cDV><tpAmb>2</tpAmb>"
        f"<finNFe>{facts.purpose}</finNFe>{adjusting}<indFinal>{int(facts.final_consumer)}</indFinal>"
        f"<indPres>{facts.presence}</indPres>{broker}<procEmi>0</procEmi><verProc>{SOFTWARE}</verProc>"
        f"{references}</ide>"
    )


def _destination(facts: NoteFacts) -> int:
    if facts.destination is not None:
        return facts.destination
    if facts.recipient is None or facts.recipient.address.uf == facts.emitter.address.uf:
        return 1
    return 2


@lru_cache(maxsize=4096)
def _address(name: str, place: Address) -> str:
    return (
        f"<{name}>{street_to_city(place)}<UF>{code(place.uf)}</UF>"
        f"<CEP>{code(place.postal_code)}</CEP><cPais>1058</cPais><xPais>BRASIL</xPais>"
        f"{element('fone', place.phone, 14)}</{name}>"
    )


@lru_cache(maxsize=256)
def _emitter(party: Taxpayer) -> str:
    return (
        f"<emit>{tax_id(party)}<xNome>{text(party.name, 60)}</xNome>{element('xFant', party.trade_name, 60)}"
        f"{_address('enderEmit', party.address)}{element('IE', party.state_registration, 14)}"
        f"<CRT>{party.crt}</CRT></emit>"
    )


def _recipient(facts: NoteFacts) -> str:
    party = facts.recipient
    if party is None:
        return ""
    registered = party.state_registration is not None
    return (
        f"<dest>{tax_id(party)}<xNome>{text(party.name, 60)}</xNome>{_address('enderDest', party.address)}"
        f"<indIEDest>{1 if registered else 9}</indIEDest>{element('IE', party.state_registration, 14)}"
        f"{element('email', party.email, 60)}</dest>"
    )


def _item(number: int, item: SaleItem, line: LineAmounts, order: str | None, *, reform: bool) -> str:
    gtin = code(item.ean) if item.ean else "SEM GTIN"
    unit = text(item.unit, 6)
    quantity = decimal(item.quantity, 4)
    price = money(item.unit_price_cents)
    asked = f"<xPed>{text(order, 15)}</xPed><nItemPed>{number}</nItemPed>" if order else ""
    cest = f"<CEST>{code(item.cest)}</CEST>" if item.cest else ""
    share = f"<vItem>{money(line.total)}</vItem>" if reform else ""
    if item.referenced is not None:
        key, number_there = item.referenced
        share += (
            f"<DFeReferenciado><chaveAcesso>{code(key)}</chaveAcesso><nItem>{number_there}</nItem></DFeReferenciado>"
        )
    return (
        f'<det nItem="{number}"><prod><cProd>{text(item.code, 60)}</cProd><cEAN>{gtin}</cEAN>'
        f"<xProd>{text(item.description, 120)}</xProd><NCM>{code(item.ncm)}</NCM>{cest}<CFOP>{code(item.cfop)}</CFOP>"
        f"<uCom>{unit}</uCom><qCom>{quantity}</qCom><vUnCom>{price}</vUnCom>"
        f"<vProd>{money(line.product)}</vProd><cEANTrib>{gtin}</cEANTrib><uTrib>{unit}</uTrib>"
        f"<qTrib>{quantity}</qTrib><vUnTrib>{price}</vUnTrib>{optional_money('vFrete', line.freight)}"
        f"{optional_money('vSeg', line.insurance)}{optional_money('vDesc', line.discount)}"
        f"{optional_money('vOutro', line.other)}<indTot>1</indTot>{asked}</prod>"
        f"{line_taxes(item, line, reform=reform)}{share}</det>"
    )


def _transport(facts: NoteFacts) -> str:
    carrier = ""
    if facts.carrier:
        party = facts.carrier
        place = party.address
        carrier = (
            f"<transporta>{tax_id(party)}<xNome>{text(party.name, 60)}</xNome>"
            f"{element('IE', party.state_registration, 14)}"
            f"<xEnder>{text(f'{place.street}, {place.number}', 60)}</xEnder>"
            f"<xMun>{text(place.city, 60)}</xMun><UF>{code(place.uf)}</UF></transporta>"
        )
    volumes = ""
    if facts.packages is not None or facts.gross_weight is not None or facts.net_weight is not None:
        count = f"<qVol>{facts.packages}</qVol><esp>VOLUME</esp>" if facts.packages is not None else ""
        net = f"<pesoL>{decimal(facts.net_weight, 3)}</pesoL>" if facts.net_weight is not None else ""
        gross = f"<pesoB>{decimal(facts.gross_weight, 3)}</pesoB>" if facts.gross_weight is not None else ""
        volumes = f"<vol>{count}{net}{gross}</vol>"
    return f"<transp><modFrete>{facts.freight_mode}</modFrete>{carrier}{volumes}</transp>"


def _payment(facts: NoteFacts, worked: NoteAmounts) -> str:
    means = code(facts.payment)
    if means == "90":
        return "<pag><detPag><tPag>90</tPag><vPag>0.00</vPag></detPag></pag>"
    named = "<xPag>Repasse do marketplace</xPag>" if means == "99" else ""
    # A card or PIX names how it was taken; 2 is a terminal that the emitter's system does not drive.
    card = "<card><tpIntegra>2</tpIntegra></card>" if means in ("03", "04", "17") else ""
    return (
        f"<pag><detPag><indPag>0</indPag><tPag>{means}</tPag>{named}<vPag>{money(worked.total)}</vPag>{card}"
        "</detPag></pag>"
    )


def _broker(facts: NoteFacts) -> str:
    if facts.intermediary is None:
        return ""
    return (
        f"<infIntermed><CNPJ>{code(facts.intermediary.tax_id)}</CNPJ>"
        f"<idCadIntTran>{text(facts.intermediary.seller_id, 60)}</idCadIntTran></infIntermed>"
    )


def _remarks(facts: NoteFacts) -> str:
    external = ""
    if facts.external_id:
        external = f'<obsCont xCampo="external_id"><xTexto>{text(facts.external_id, 60)}</xTexto></obsCont>'
    return f"<infAdic><infAdFisco>{NO_VALUE}</infAdFisco>{element('infCpl', facts.notes, 5000)}{external}</infAdic>"


def _supplement(key: str) -> str:
    """`infNFeSupl` of an NFC-e: the QR code's address (version 2, issued online) and where to look keys up."""
    asked = f"{key}|2|2|1"
    # SHA-1 is the QR code's rule, not a choice.
    proof = hashlib.sha1(f"{asked}{_CSC}".encode()).hexdigest().upper()  # noqa: S324
    return (
        f"<infNFeSupl><qrCode>{_CONSULT}/qrcode?p={asked}|{proof}</qrCode>"
        f"<urlChave>{_CONSULT}/consulta</urlChave></infNFeSupl>"
    )
