"""The plain rendering of a CT-e, a simplified CT-e or a CT-e OS."""

from __future__ import annotations

from typing import Final

from confere.errors import message
from confere.export.pdf import plain_parts, wording
from confere.export.pdf.sheet import PdfColumn, PdfSheet
from confere.fiscal.detail import Cargo, CarriedDocument, FreightDetail, ServicePlace
from confere.fiscal.law import codes
from confere.fiscal.model import Document
from confere.system import formatting
from confere.system.messages import render

_SHOWN: Final = frozenset({"natOp", "mod", "serie", "nCT", "dhEmi", "tpAmb", "tpCTe", "tpServ", "modal", "tpEmis",
    "cMunIni", "xMunIni", "UFIni", "cMunFim", "xMunFim", "UFFim", "CFOP"})  # fmt: skip
_TAKERS: Final = {"sender": "0", "dispatcher": "1", "receiver": "2", "recipient": "3", "taker": "4"}


def draw(sheet: PdfSheet, read: Document, detail: FreightDetail) -> None:
    """Everything that the CT-e says, in the order in which people look for it."""
    _identification(sheet, read, detail)
    for full in detail.parties:
        plain_parts.party(sheet, full)
    _price(sheet, detail)
    if detail.taxes:
        sheet.section(wording.name("imp"))
        for tax in detail.taxes:
            sheet.paragraph(wording.tax(tax))
        total = formatting.money(detail.approximate_taxes_cents)
        sheet.fields([(wording.name("vTotTrib"), total)])
    if detail.cargo is not None:
        _cargo(sheet, detail.cargo)
    _carried(sheet, detail.carried)
    for insurance in detail.insurances:
        plain_parts.section(
            sheet,
            wording.name("vSeg"),
            [
                (wording.name("respSeg"), wording.coded("respSeg", insurance.payer)),
                (wording.name("xSeg"), insurance.insurer or ""),
                (wording.name("nApol"), insurance.policy or ""),
                (wording.name("nAver"), insurance.endorsement or ""),
                (wording.name("vCarga"), formatting.money(insurance.value_cents)),
            ],
        )
    plain_parts.groups_of_fields(sheet, detail.legs, 2)
    plain_parts.groups_of_fields(sheet, detail.modal_fields, 3)
    plain_parts.words(sheet, detail.words)
    plain_parts.groups_of_fields(sheet, detail.sections, 2)


def _identification(sheet: PdfSheet, read: Document, detail: FreightDetail) -> None:
    taker = _TAKERS.get(detail.taker_role or "")
    sheet.fields(
        [
            (wording.name("natOp"), read.operation or ""),
            (wording.name("dhEmi"), formatting.moment(read.issued_at)),
            *plain_parts.protocol(read.protocol),
            (wording.name("vTPrest"), formatting.money(read.totals.document)),
            (wording.name("mod"), read.model or ""),
            (wording.name("CFOP"), ", ".join(read.cfops)),
            (wording.name("tpCTe"), wording.coded("tpCTe", read.purpose)),
            (wording.name("tpServ"), wording.coded("tpServ", detail.service)),
            (wording.name("modal"), wording.coded("modal", detail.modal)),
            (wording.name("toma"), wording.coded("toma", taker)),
            (wording.name("xMunIni"), _place(detail.origin)),
            (wording.name("xMunFim"), _place(detail.destination)),
            (wording.name("tpEmis"), detail.emission_type or ""),
            (wording.name("tpAmb"), wording.coded("tpAmb", read.environment)),
            *wording.named(detail.identification, _SHOWN),
        ]
    )


def _place(place: ServicePlace) -> str:
    return " - ".join(filter(None, (place.city or place.city_code, place.uf)))


def _price(sheet: PdfSheet, detail: FreightDetail) -> None:
    columns = (PdfColumn(wording.name("Comp"), 50), PdfColumn(wording.name("vComp"), 20, right=True), PdfColumn("", 30))
    sheet.section(render(message("Price")))
    if detail.components:
        with sheet.table(columns):
            for entry in detail.components:
                sheet.row([entry.name or "", wording.amount(entry.amount_cents), ""])
    sheet.fields(
        [
            (wording.name("vTPrest"), formatting.money(detail.service_cents)),
            (wording.name("vRec"), formatting.money(detail.receivable_cents)),
        ]
    )


def _cargo(sheet: PdfSheet, cargo: Cargo) -> None:
    measures = [
        (
            entry.kind or wording.name("qCarga"),
            f"{wording.decimal(entry.quantity)} {wording.coded('cUnid', entry.unit)}",
        )
        for entry in cargo.measures
    ]
    plain_parts.section(
        sheet,
        render(message("Cargo")),
        [
            (wording.name("proPred"), cargo.product or ""),
            (wording.name("xOutCat"), cargo.words or ""),
            (wording.name("vCarga"), formatting.money(cargo.value_cents)),
            (wording.name("vCargaAverb"), formatting.money(cargo.insured_value_cents)),
            *measures,
        ],
    )


def _unit(code: str | None) -> str:
    known = codes.word("cUnid", code)
    return render(known) if known is not None else code or ""


def _carried(sheet: PdfSheet, carried: tuple[CarriedDocument, ...]) -> None:
    if not carried:
        return
    columns = (
        PdfColumn(render(message("Document")), 62),
        PdfColumn(wording.name("vDocFisc"), 16, right=True),
        PdfColumn(wording.name("dPrev"), 18),
    )
    sheet.section(render(message("Documents carried")))
    with sheet.table(columns):
        for entry in carried:
            which = wording.groups(entry.access_key) if entry.access_key else entry.number or entry.kind
            sheet.row([which, wording.amount(entry.value_cents), formatting.date(entry.expected_on)])
            sheet.under(wording.in_line(entry.fields))
