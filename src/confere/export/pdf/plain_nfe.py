"""The plain rendering of an NF-e or NFC-e."""

from __future__ import annotations

from typing import Final

from confere.errors import message
from confere.export.pdf import plain_parts, wording
from confere.export.pdf.sheet import PdfColumn, PdfSheet
from confere.fiscal.detail import Billing, FullItem, NoteDetail, Payment, Transport
from confere.fiscal.law import codes, field_text
from confere.fiscal.model import Document
from confere.system import formatting
from confere.system.messages import render

_SHOWN: Final = frozenset({"natOp", "mod", "serie", "nNF", "dhEmi", "dEmi", "dhSaiEnt", "dSaiEnt", "tpNF", "idDest",
    "tpEmis", "tpAmb", "finNFe", "indFinal", "indPres"})  # fmt: skip


def draw(sheet: PdfSheet, read: Document, detail: NoteDetail) -> None:
    """Everything that the note says, in the order in which people look for it."""
    _identification(sheet, read, detail)
    for full in detail.parties:
        if full.party.role != "carrier":
            plain_parts.party(sheet, full)
    _items(sheet, detail.items)
    plain_parts.groups_of_fields(sheet, detail.totals)
    if detail.transport is not None:
        _transport(sheet, detail.transport)
    if detail.billing is not None:
        _billing(sheet, detail.billing)
    _payments(sheet, detail.payments, detail.change_cents)
    plain_parts.words(sheet, detail.words)
    plain_parts.groups_of_fields(sheet, detail.sections, 2)


def _identification(sheet: PdfSheet, read: Document, detail: NoteDetail) -> None:
    sheet.fields(
        [
            (field_text.name("natOp"), read.operation or ""),
            (field_text.name("dhEmi"), formatting.moment(read.issued_at)),
            (field_text.name("dhSaiEnt"), formatting.moment(detail.left_at)),
            *plain_parts.protocol(read.protocol),
            (field_text.name("vNF"), formatting.money(read.totals.document)),
            (field_text.name("mod"), read.model or ""),
            (field_text.name("tpNF"), field_text.coded("tpNF", read.direction)),
            (field_text.name("finNFe"), field_text.coded("finNFe", read.purpose)),
            (field_text.name("idDest"), field_text.coded("idDest", read.destination)),
            (field_text.name("indFinal"), field_text.coded("indFinal", detail.final_consumer)),
            (field_text.name("indPres"), field_text.coded("indPres", detail.presence)),
            (field_text.name("tpEmis"), field_text.coded("tpEmis", detail.emission_type)),
            (field_text.name("tpAmb"), field_text.coded("tpAmb", read.environment)),
            *wording.named(detail.identification, _SHOWN),
        ]
    )


def _items(sheet: PdfSheet, items: tuple[FullItem, ...]) -> None:
    columns = (
        PdfColumn("#", 3.2),
        PdfColumn(field_text.name("cProd"), 11),
        PdfColumn(field_text.name("xProd"), 32),
        PdfColumn(field_text.name("NCM"), 8),
        PdfColumn(field_text.name("CFOP"), 6),
        PdfColumn("CST", 6),
        PdfColumn(field_text.name("uCom"), 6),
        PdfColumn(field_text.name("qCom"), 9, right=True),
        PdfColumn(field_text.name("vUnCom"), 11, right=True),
        PdfColumn(render(message("Total")), 11, right=True),
    )
    sheet.section(render(message("Items")))
    with sheet.table(columns):
        for full in items:
            item, icms = full.item, full.tax("ICMS")
            situation = f"{icms.origin or ''}{icms.cst or ''}" if icms is not None else ""
            sheet.row(
                [
                    str(item.number),
                    item.code or "",
                    item.description or "",
                    item.ncm or "",
                    item.cfop or "",
                    situation,
                    item.unit or "",
                    field_text.number(item.quantity),
                    wording.price(item.unit_price),
                    wording.amount(item.total_cents),
                ]
            )
            sheet.under(_particulars(full))
            for tax in full.taxes:
                sheet.under(wording.tax(tax))
            sheet.under(full.words or "")
            sheet.rule()


def _particulars(full: FullItem) -> str:
    """What of an item has no column."""
    item = full.item
    taxed = " ".join(filter(None, (field_text.number(full.taxed_quantity), full.taxed_unit)))
    same = full.taxed_quantity == item.quantity and full.taxed_unit == item.unit
    found = [
        (field_text.name("cEAN"), item.ean),
        (field_text.name("cEANTrib"), full.taxed_ean if full.taxed_ean != item.ean else None),
        (field_text.name("CEST"), full.cest),
        (field_text.name("cBenef"), full.benefit_code),
        (field_text.name("qTrib"), "" if same else taxed),
        (field_text.name("vUnTrib"), "" if same else wording.price(full.taxed_unit_price)),
        (field_text.name("vFrete"), wording.amount(full.freight_cents)),
        (field_text.name("vSeg"), wording.amount(full.insurance_cents)),
        (field_text.name("vDesc"), wording.amount(full.discount_cents)),
        (field_text.name("vOutro"), wording.amount(full.other_cents)),
        (field_text.name("indTot"), "" if full.counts_in_total else field_text.coded("indTot", "0")),
        (field_text.name("xPed"), full.order),
        (field_text.name("nItemPed"), full.order_item),
        (field_text.name("vTotTrib"), wording.amount(full.approximate_taxes_cents)),
        (field_text.name("vItem"), wording.amount(full.total_with_reform_cents)),
        *((field_text.name("DFeReferenciado"), entry.access_key) for entry in full.references),
        *wording.named(full.fields),
    ]
    return " · ".join(f"{label}: {text}" for label, text in found if text)


def _transport(sheet: PdfSheet, transport: Transport) -> None:
    plain_parts.section(
        sheet,
        render(message("Transport")),
        [
            (field_text.name("modFrete"), field_text.coded("modFrete", transport.mode)),
            (field_text.name("placa"), ", ".join(transport.plates)),
            *wording.named(transport.fields),
        ],
    )
    if transport.carrier is not None:
        plain_parts.party(sheet, transport.carrier)
    if transport.volumes:
        columns = (
            PdfColumn(field_text.name("qVol"), 12, right=True),
            PdfColumn(field_text.name("esp"), 18),
            PdfColumn(field_text.name("marca"), 18),
            PdfColumn(field_text.name("nVol"), 20),
            PdfColumn(field_text.name("pesoL"), 14, right=True),
            PdfColumn(field_text.name("pesoB"), 14, right=True),
            PdfColumn(field_text.name("nLacre"), 20),
        )
        sheet.section(field_text.name("vol"))
        with sheet.table(columns):
            for volume in transport.volumes:
                sheet.row(
                    [
                        field_text.number(volume.quantity),
                        volume.kind or "",
                        volume.brand or "",
                        volume.numbering or "",
                        field_text.number(volume.net_weight, 3),
                        field_text.number(volume.gross_weight, 3),
                        ", ".join(volume.seals),
                    ]
                )


def _billing(sheet: PdfSheet, billing: Billing) -> None:
    fields = [
        (field_text.name("nFat"), billing.number or ""),
        (field_text.name("vOrig"), formatting.money(billing.original_cents)),
        (field_text.name("vDesc"), formatting.money(billing.discount_cents)),
        (field_text.name("vLiq"), formatting.money(billing.net_cents)),
    ]
    if not billing.instalments and not any(text for _, text in fields):
        return
    sheet.section(field_text.name("cobr"))
    sheet.fields(fields)
    if billing.instalments:
        columns = (
            PdfColumn(field_text.name("nDup"), 20),
            PdfColumn(field_text.name("dVenc"), 20),
            PdfColumn(field_text.name("vDup"), 20, right=True),
            PdfColumn("", 40),
        )
        with sheet.table(columns):
            for entry in billing.instalments:
                due = formatting.date(entry.due_on)
                sheet.row([entry.number or "", due, wording.amount(entry.amount_cents), ""])


def _payments(sheet: PdfSheet, payments: tuple[Payment, ...], change_cents: int | None) -> None:
    if not payments:
        return
    columns = (
        PdfColumn(field_text.name("tPag"), 34),
        PdfColumn(field_text.name("indPag"), 16),
        PdfColumn(field_text.name("vPag"), 14, right=True),
        PdfColumn("", 36),
    )
    sheet.section(field_text.name("pag"))
    with sheet.table(columns):
        for entry in payments:
            means = " ".join(filter(None, (field_text.coded("tPag", entry.method), entry.words)))
            timing = codes.word("indPag", entry.timing)
            sheet.row([means, render(timing) if timing else "", wording.amount(entry.amount_cents), ""])
            sheet.under(wording.in_line(entry.fields))
    sheet.fields([(field_text.name("vTroco"), formatting.money(change_cents))])
