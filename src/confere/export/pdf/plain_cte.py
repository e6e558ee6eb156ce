"""The plain rendering of a CT-e, a simplified CT-e or a CT-e OS."""

from __future__ import annotations

from typing import Final

from confere.errors import message
from confere.export.pdf import plain_parts, wording
from confere.export.pdf.sheet import PdfColumn, PdfSheet
from confere.fiscal.detail import Cargo, CarriedDocument, FreightDetail, ServicePlace
from confere.fiscal.law import field_text
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
        sheet.section(field_text.name("imp"))
        for tax in detail.taxes:
            sheet.paragraph(wording.tax(tax))
        total = formatting.money(detail.approximate_taxes_cents)
        sheet.fields([(field_text.name("vTotTrib"), total)])
    if detail.cargo is not None:
        _cargo(sheet, detail.cargo)
    _carried(sheet, detail.carried)
    for insurance in detail.insurances:
        plain_parts.section(
            sheet,
            field_text.name("vSeg"),
            [
                (field_text.name("respSeg"), field_text.coded("respSeg", insurance.payer)),
                (field_text.name("xSeg"), insurance.insurer or ""),
                (field_text.name("nApol"), insurance.policy or ""),
                (field_text.name("nAver"), insurance.endorsement or ""),
                (field_text.name("vCarga"), formatting.money(insurance.value_cents)),
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
            (field_text.name("natOp"), read.operation or ""),
            (field_text.name("dhEmi"), formatting.moment(read.issued_at)),
            *plain_parts.protocol(read.protocol),
            (field_text.name("vTPrest"), formatting.money(read.totals.document)),
            (field_text.name("mod"), read.model or ""),
            (field_text.name("CFOP"), ", ".join(read.cfops)),
            (field_text.name("tpCTe"), field_text.coded("tpCTe", read.purpose)),
            (field_text.name("tpServ"), field_text.coded("tpServ", detail.service)),
            (field_text.name("modal"), field_text.coded("modal", detail.modal)),
            (field_text.name("toma"), field_text.coded("toma", taker)),
            (field_text.name("xMunIni"), _place(detail.origin)),
            (field_text.name("xMunFim"), _place(detail.destination)),
            (field_text.name("tpEmis"), detail.emission_type or ""),
            (field_text.name("tpAmb"), field_text.coded("tpAmb", read.environment)),
            *wording.named(detail.identification, _SHOWN),
        ]
    )


def _place(place: ServicePlace) -> str:
    return " - ".join(filter(None, (place.city or place.city_code, place.uf)))


def _price(sheet: PdfSheet, detail: FreightDetail) -> None:
    columns = (
        PdfColumn(field_text.name("Comp"), 50),
        PdfColumn(field_text.name("vComp"), 20, right=True),
        PdfColumn("", 30),
    )
    sheet.section(render(message("Price")))
    if detail.components:
        with sheet.table(columns):
            for entry in detail.components:
                sheet.row([entry.name or "", wording.amount(entry.amount_cents), ""])
    sheet.fields(
        [
            (field_text.name("vTPrest"), formatting.money(detail.service_cents)),
            (field_text.name("vRec"), formatting.money(detail.receivable_cents)),
        ]
    )


def _cargo(sheet: PdfSheet, cargo: Cargo) -> None:
    measures = [
        (
            entry.kind or field_text.name("qCarga"),
            f"{field_text.number(entry.quantity)} {field_text.coded('cUnid', entry.unit)}",
        )
        for entry in cargo.measures
    ]
    plain_parts.section(
        sheet,
        render(message("Cargo")),
        [
            (field_text.name("proPred"), cargo.product or ""),
            (field_text.name("xOutCat"), cargo.words or ""),
            (field_text.name("vCarga"), formatting.money(cargo.value_cents)),
            (field_text.name("vCargaAverb"), formatting.money(cargo.insured_value_cents)),
            *measures,
        ],
    )


def _carried(sheet: PdfSheet, carried: tuple[CarriedDocument, ...]) -> None:
    if not carried:
        return
    columns = (
        PdfColumn(render(message("Document")), 62),
        PdfColumn(field_text.name("vDocFisc"), 16, right=True),
        PdfColumn(field_text.name("dPrev"), 18),
    )
    sheet.section(render(message("Documents carried")))
    with sheet.table(columns):
        for entry in carried:
            which = wording.groups(entry.access_key) if entry.access_key else entry.number or entry.kind
            sheet.row([which, wording.amount(entry.value_cents), formatting.date(entry.expected_on)])
            sheet.under(wording.in_line(entry.fields))
