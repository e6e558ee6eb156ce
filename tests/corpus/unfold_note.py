"""An NF-e or NFC-e as the product has it, laid out again under the tags of the paper."""

from __future__ import annotations

from collections.abc import Iterator

from confere.fiscal.detail import Billing, FullItem, FullParty, NoteDetail, Payment, Tax, Transport, Words
from confere.fiscal.document_parts import Item
from confere.fiscal.model import Document
from confere.fiscal.references import RelationKind
from tests.corpus.unfold import Tags, Value, full_party, leaves, money, party, plain, tax, text, totals

# Where each party stands, and its address.
PLACES = {
    "emitter": ("infNFe/emit", "infNFe/emit/enderEmit"),
    "recipient": ("infNFe/dest", "infNFe/dest/enderDest"),
    "delivery": ("infNFe/entrega", "infNFe/entrega"),
    "pickup": ("infNFe/retirada", "infNFe/retirada"),
    "carrier": ("infNFe/transp/transporta", "infNFe/transp/transporta"),
}
HEAD: Tags = {
    "layout": "@versao",
    "model": "ide/mod",
    "series": "ide/serie",
    "number": "ide/nNF",
    "issued_at": "ide/dhEmi|dEmi",
    "operation": "ide/natOp",
    "direction": "ide/tpNF",
    "purpose": "ide/finNFe",
    "destination": "ide/idDest",
    "environment": "ide/tpAmb",
    "notes": "infAdic/infCpl",
}
OWN: Tags = {
    "left_at": "ide/dhSaiEnt|dSaiEnt",
    "emission_type": "ide/tpEmis",
    "final_consumer": "ide/indFinal",
    "presence": "ide/indPres",
    "change_cents": "pag/vTroco",
}
ITEM: Tags = {
    "code": "cProd",
    "ean": "cEAN",
    "description": "xProd",
    "ncm": "NCM",
    "cfop": "CFOP",
    "unit": "uCom",
    "quantity": "qCom",
    "unit_price": "vUnCom",
    "total_cents": "vProd",
}
FULL_ITEM: Tags = {
    "cest": "prod/CEST",
    "benefit_code": "prod/cBenef",
    "taxed_ean": "prod/cEANTrib",
    "taxed_unit": "prod/uTrib",
    "taxed_quantity": "prod/qTrib",
    "taxed_unit_price": "prod/vUnTrib",
    "freight_cents": "prod/vFrete",
    "insurance_cents": "prod/vSeg",
    "discount_cents": "prod/vDesc",
    "other_cents": "prod/vOutro",
    "counts_in_total": "prod/indTot",
    "order": "prod/xPed",
    "order_item": "prod/nItemPed",
    "approximate_taxes_cents": "imposto/vTotTrib",
    "total_with_reform_cents": "vItem",
    "words": "infAdProd",
}
# Base, rate and amount of each tax; of the reform's the amount is a sum.
TAXES: dict[str, Tags] = {
    "ICMS": {"base_cents": "vBC", "rate": "pICMS", "amount_cents": "vICMS"},
    "ICMSUFDest": {"base_cents": "vBCUFDest", "rate": "pICMSUFDest", "amount_cents": "vICMSUFDest"},
    "IPI": {"base_cents": "vBC", "rate": "pIPI", "amount_cents": "vIPI"},
    "II": {"base_cents": "vBC", "amount_cents": "vII"},
    "PIS": {"base_cents": "vBC", "rate": "pPIS", "amount_cents": "vPIS"},
    "PISST": {"base_cents": "vBC", "rate": "pPIS", "amount_cents": "vPIS"},
    "COFINS": {"base_cents": "vBC", "rate": "pCOFINS", "amount_cents": "vCOFINS"},
    "COFINSST": {"base_cents": "vBC", "rate": "pCOFINS", "amount_cents": "vCOFINS"},
    "ISSQN": {"base_cents": "vBC", "rate": "vAliq", "amount_cents": "vISSQN"},
    "IS": {"base_cents": "vBCIS", "rate": "pIS", "amount_cents": "vIS"},
    "IBSCBS": {"base_cents": "gIBSCBS/vBC"},
}
VOLUME: Tags = {
    "quantity": "qVol",
    "kind": "esp",
    "brand": "marca",
    "numbering": "nVol",
    "net_weight": "pesoL",
    "gross_weight": "pesoB",
}
PAYMENT: Tags = {"method": "tPag", "amount_cents": "vPag", "timing": "indPag", "words": "xPag"}
BILLING: Tags = {"number": "nFat", "original_cents": "vOrig", "discount_cents": "vDesc", "net_cents": "vLiq"}
INSTALMENT: Tags = {"number": "nDup", "due_on": "dVenc", "amount_cents": "vDup"}


def unfolded(document: Document) -> Iterator[Value]:
    """Every value of an NF-e or NFC-e and of its detail."""
    yield from plain(document, "Document", HEAD, "infNFe")
    yield from text(document.access_key and f"NFe{document.access_key}", "Document.access_key", "infNFe/@Id")
    yield from totals(document.totals, "infNFe/total/ICMSTot")
    yield from money(document.totals.with_reform, "Totals.with_reform", "infNFe/total/vNFTot")
    for known in document.parties:
        yield from party(known, *PLACES[known.role])
    for number, item in enumerate(document.items, 1):
        yield from of_item(item, number, "Item")
    for reference in document.references:
        if reference.kind == RelationKind.REFERENCES:
            yield Value("Reference", "infNFe/ide/NFref/refNFe|refNFeSig|refCTe", reference.access_key)
    if isinstance(document.detail, NoteDetail):
        yield from of_detail(document.detail)


def of_item(item: Item, number: int, name: str) -> Iterator[Value]:
    yield from text(item.number, f"{name}.number", f"infNFe/det[{number}]/@nItem")
    yield from plain(item, name, ITEM, f"infNFe/det[{number}]/prod")


def of_detail(found: NoteDetail) -> Iterator[Value]:
    yield from plain(found, "NoteDetail", OWN, "infNFe")
    yield from leaves(found.identification, "identification", "infNFe/ide")
    for known in found.parties:
        yield from of_party(known)
    for number, item in enumerate(found.items, 1):
        yield from of_full_item(item, number)
    for name, fields in found.totals:
        yield from leaves(fields, "totals", "infNFe/total" if name == "total" else f"infNFe/total/{name}")
    if found.transport is not None:
        yield from of_transport(found.transport)
    if found.billing is not None:
        yield from of_billing(found.billing)
    for payment in found.payments:
        yield from of_payment(payment)
    yield from of_words(found.words)
    for name, fields in found.sections:
        yield from leaves(fields, "sections", f"*/{name}")


def of_party(known: FullParty) -> Iterator[Value]:
    return full_party(known, *PLACES[known.party.role])


def of_full_item(found: FullItem, number: int) -> Iterator[Value]:
    group = f"infNFe/det[{number}]"
    yield from of_item(found.item, number, "FullItem.item")
    yield from plain(found, "FullItem", FULL_ITEM, group)
    for entry in found.taxes:
        yield from of_tax(entry, group)
    for reference in found.references:
        yield Value("FullItem.references", f"{group}/DFeReferenciado/chaveAcesso", reference.access_key)
    yield from leaves(found.fields, "FullItem.fields", f"{group}/prod|")


def of_tax(found: Tax, group: str) -> Iterator[Value]:
    yield from tax(found, f"{group}/imposto|/{found.name}/{found.group}|", TAXES.get(found.name, {}))
    if found.name == "IBSCBS":
        amounts = f"{group}/imposto/IBSCBS/gIBSCBS"
        yield from money(found.amount_cents, "Tax.amount_cents", f"{amounts}/vIBS + {amounts}/gCBS/vCBS")


def of_transport(found: Transport) -> Iterator[Value]:
    group = "infNFe/transp"
    yield from text(found.mode, "Transport.mode", f"{group}/modFrete")
    if found.carrier is not None:
        yield from of_party(found.carrier)
    for volume in found.volumes:
        yield from plain(volume, "Volume", VOLUME, f"{group}/vol")
        for seal in volume.seals:
            yield Value("Volume.seals", f"{group}/vol/lacres/nLacre", seal)
    for plate in found.plates:
        yield Value("Transport.plates", f"{group}/veicTransp|reboque/placa", plate)
    yield from leaves(found.fields, "Transport.fields", group)


def of_billing(found: Billing) -> Iterator[Value]:
    yield from plain(found, "Billing", BILLING, "infNFe/cobr/fat")
    for instalment in found.instalments:
        yield from plain(instalment, "Instalment", INSTALMENT, "infNFe/cobr/dup")


def of_payment(found: Payment) -> Iterator[Value]:
    yield from plain(found, "Payment", PAYMENT, "infNFe/pag/detPag")
    yield from leaves(found.fields, "Payment.fields", "infNFe/pag/detPag")


def of_words(found: Words) -> Iterator[Value]:
    group = "infNFe/infAdic"
    yield from text(found.for_taxpayer, "Words.for_taxpayer", f"{group}/infCpl")
    yield from text(found.for_authority, "Words.for_authority", f"{group}/infAdFisco")
    for remark in found.remarks:
        tag = "obsFisco" if remark.for_authority else "obsCont"
        yield from text(remark.name, "Remark.name", f"{group}/{tag}/@xCampo")
        yield from text(remark.text, "Remark.text", f"{group}/{tag}/xTexto")
    yield from leaves(found.fields, "Words.fields", group)
