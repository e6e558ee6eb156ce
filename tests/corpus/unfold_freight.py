"""A CT-e as the product has it, laid out again under the tags of the paper."""

from __future__ import annotations

from collections.abc import Iterator

from confere.fiscal.detail import CarriedDocument, FreightDetail, FullParty
from confere.fiscal.model import Document
from tests.corpus.unfold import Tags, Value, full_party, leaves, money, party, plain, tax, text

# Where each party stands, and its address.
PLACES = {
    "emitter": ("infCte/emit", "infCte/emit/enderEmit"),
    "sender": ("infCte/rem", "infCte/rem/enderReme"),
    "dispatcher": ("infCte/exped", "infCte/exped/enderExped"),
    "receiver": ("infCte/receb", "infCte/receb/enderReceb"),
    "recipient": ("infCte/dest", "infCte/dest/enderDest"),
    "taker": ("infCte/ide|/toma4|toma|tomaTerceiro", "infCte/ide|/toma4|toma|tomaTerceiro/enderToma"),
}
HEAD: Tags = {
    "layout": "@versao",
    "model": "ide/mod",
    "series": "ide/serie",
    "number": "ide/nCT",
    "issued_at": "ide/dhEmi",
    "operation": "ide/natOp",
    "purpose": "ide/tpCTe",
    "environment": "ide/tpAmb",
    "notes": "compl/xObs",
}
OWN: Tags = {
    "modal": "ide/modal",
    "service": "ide/tpServ",
    "emission_type": "ide/tpEmis",
    "service_cents": "vPrest|total/vTPrest",
    "receivable_cents": "vPrest|total/vRec|vTRec",
    "approximate_taxes_cents": "imp/vTotTrib",
}
CARGO: Tags = {
    "value_cents": "vCarga",
    "product": "proPred",
    "words": "xOutCat|xDescServ",
    "insured_value_cents": "vCargaAverb",
}
MEASURE: Tags = {"unit": "cUnid", "kind": "tpMed", "quantity": "qCarga"}
INSURANCE: Tags = {
    "payer": "respSeg",
    "insurer": "infSeg|/xSeg",
    "policy": "nApol",
    "endorsement": "nAver",
    "value_cents": "vCarga",
}
CARRIED: Tags = {
    "access_key": "chave|chNFe|chBPe",
    "number": "nDoc",
    "value_cents": "vNF|vDocFisc|vDoc",
    "expected_on": "dPrev",
}
TAX: Tags = {
    "base_cents": "vBC|vBCOutraUF|vBCUFFim",
    "rate": "pICMS|pICMSOutraUF|pICMSUFFim",
    "amount_cents": "vICMS|vICMSOutraUF|vICMSUFFim",
}
ICMS = "ICMS00|ICMS20|ICMS45|ICMS60|ICMS90|ICMSOutraUF|ICMSSN"
REFORM: Tags = {"base_cents": "gIBSCBS/vBC"}  # the amount is a sum
# The legs are told apart by what they are: deliveries, stops, earlier carriers.
LEGS = {"fluxo": "infCte/compl/fluxo"}


def unfolded(document: Document) -> Iterator[Value]:
    """Every value of a CT-e, CT-e OS or simplified CT-e and of its detail."""
    yield from plain(document, "Document", HEAD, "infCte")
    yield from text(document.access_key and f"CTe{document.access_key}", "Document.access_key", "infCte/@Id")
    for cfop in document.cfops:
        yield Value("Document.cfops", "infCte/ide/CFOP", cfop)
    yield from money(document.totals.document, "Totals.document", "infCte/vPrest|total/vTPrest")
    yield from money(document.totals.icms, "Totals.icms", f"infCte/imp/ICMS/{ICMS}/vICMS")
    yield from money(document.totals.with_reform, "Totals.with_reform", "infCte/imp|total/vTotDFe")
    taker = document.party("taker")
    for known in document.parties:
        if known.role != "taker" or (known is taker and own_taker(document)):
            yield from party(known, *PLACES[known.role])
    if isinstance(document.detail, FreightDetail):
        yield from of_detail(document, document.detail)


def own_taker(document: Document) -> bool:
    """Whether the taker is a party of its own, and not one of the others once more."""
    taker = document.party("taker")
    return taker is not None and not any(
        known.tax_id == taker.tax_id and known.name == taker.name for known in document.parties if known is not taker
    )


def of_detail(document: Document, found: FreightDetail) -> Iterator[Value]:
    yield from plain(found, "FreightDetail", OWN, "infCte")
    yield from leaves(found.identification, "identification", "infCte/ide")
    for known in found.parties:
        if known.party.role != "taker" or own_taker(document):
            yield from full_party(without_indicator(known), *PLACES[known.party.role])
    for place, end in ((found.origin, "Ini"), (found.destination, "Fim")):
        yield from text(place.city_code, "Place.city_code", f"infCte/ide/cMun{end}")
        yield from text(place.city, "Place.city", f"infCte/ide/xMun{end}")
        yield from text(place.uf, "Place.uf", f"infCte/ide/UF{end}")
    for component in found.components:
        yield from text(component.name, "Component.name", "infCte/vPrest/Comp/xNome")
        yield from money(component.amount_cents, "Component.amount_cents", "infCte/vPrest/Comp/vComp")
    yield from of_taxes(found)
    yield from of_cargo(found)
    for name, fields in found.legs:
        yield from leaves(fields, f"legs.{name}", LEGS.get(name, f"*/{name}"))
    for name, fields in found.modal_fields:
        yield from leaves(fields, "modal_fields", f"*/{name}")
    yield from text(found.words.for_taxpayer, "Words.for_taxpayer", "infCte/compl/xObs")
    yield from text(found.words.for_authority, "Words.for_authority", "infCte/imp/infAdFisco")
    for remark in found.words.remarks:
        tag = "ObsFisco" if remark.for_authority else "ObsCont"
        yield from text(remark.name, "Remark.name", f"infCte/compl/{tag}/@xCampo")
        yield from text(remark.text, "Remark.text", f"infCte/compl/{tag}/xTexto")
    yield from leaves(found.words.fields, "Words.fields", "infCte/compl")
    for name, fields in found.sections:
        yield from leaves(fields, "sections", f"*/{name}")


def without_indicator(known: FullParty) -> FullParty:
    """`indIEToma` stands in `ide`, not in the party."""
    return FullParty(**{**{name: getattr(known, name) for name in KEPT}, "registration_indicator": None})


KEPT = tuple(name for name in FullParty.__dataclass_fields__ if name != "registration_indicator")


def of_taxes(found: FreightDetail) -> Iterator[Value]:
    for entry in found.taxes:
        if entry.name == "IBSCBS":
            yield from tax(entry, f"infCte/imp|total/{entry.group}", REFORM)
            amounts = "infCte/imp/IBSCBS/gIBSCBS"
            if entry.group == "IBSCBS":
                yield from money(entry.amount_cents, "Tax.amount_cents", f"{amounts}/vIBS + {amounts}/gCBS/vCBS")
        elif entry.group == "infTribFed":
            yield from leaves(entry.fields, "Tax.fields", "infCte/imp/infTribFed")
            yield from money(entry.amount_cents, "Tax.amount_cents", f"infCte/imp/infTribFed/v{entry.name}")
        else:
            group = entry.group if entry.group == entry.name else f"{entry.name}/{entry.group}"
            yield from tax(entry, f"infCte/imp/{group}", TAX)


def of_cargo(found: FreightDetail) -> Iterator[Value]:
    group = "infCte/infCTeNorm|/infCarga"
    if found.cargo is not None:
        yield from plain(found.cargo, "Cargo", CARGO, "infCte/infCTeNorm|/infCarga|infServico")
        for measure in found.cargo.measures:
            yield from plain(measure, "Measure", MEASURE, f"{group}|infServico/infQ")
    for insurance in found.insurances:
        yield from plain(insurance, "Insurance", INSURANCE, "*/seg")
    for paper in found.carried:
        yield from plain(paper, "CarriedDocument", CARRIED, carried_in(paper))
        yield from leaves(paper.fields, "CarriedDocument.fields", carried_in(paper))


def carried_in(paper: CarriedDocument) -> str:
    return f"*/{paper.kind}"
