"""The plain rendering of an NF-e or NFC-e."""

from __future__ import annotations

from typing import Final

from confere.errors import message
from confere.export.pdf import plain_parts, wording
from confere.export.pdf.sheet import PdfColumn, PdfSheet
from confere.fiscal.detail import Billing, FullItem, NoteDetail, Payment, Transport
from confere.fiscal.law import codes
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
            (wording.name("natOp"), read.operation or ""),
            (wording.name("dhEmi"), formatting.moment(read.issued_at)),
            (wording.name("dhSaiEnt"), formatting.moment(detail.left_at)),
            *plain_parts.protocol(read.protocol),
            (wording.name("vNF"), formatting.money(read.totals.document)),
            (wording.name("mod"), read.model or ""),
            (wording.name("tpNF"), wording.coded("tpNF", read.direction)),
            (wording.name("finNFe"), wording.coded("finNFe", read.purpose)),
            (wording.name("idDest"), wording.coded("idDest", read.destination)),
            (wording.name("indFinal"), wording.coded("indFinal", detail.final_consumer)),
            (wording.name("indPres"), wording.coded("indPres", detail.presence)),
            (wording.name("tpEmis"), wording.coded("tpEmis", detail.emission_type)),
            (wording.name("tpAmb"), wording.coded("tpAmb", read.environment)),
            *wording.named(detail.identification, _SHOWN),
        ]
    )


def _items(sheet: PdfSheet, items: tuple[FullItem, ...]) -> None:
    columns = (
        PdfColumn("#", 3.2),
        PdfColumn(wording.name("cProd"), 11),
        PdfColumn(wording.name("xProd"), 32),
        PdfColumn(wording.name("NCM"), 8),
        PdfColumn(wording.name("CFOP"), 6),
        PdfColumn("CST", 6),
        PdfColumn(wording.name("uCom"), 6),
        PdfColumn(wording.name("qCom"), 9, right=True),
        PdfColumn(wording.name("vUnCom"), 11, right=True),
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
                    wording.decimal(item.quantity),
                    wording.decimal(item.unit_price, 2),
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
    taxed = " ".join(filter(None, (wording.decimal(full.taxed_quantity), full.taxed_unit)))
    same = full.taxed_quantity == item.quantity and full.taxed_unit == item.unit
    found = [
        (wording.name("cEAN"), item.ean),
        (wording.name("cEANTrib"), full.taxed_ean if full.taxed_ean != item.ean else None),
        (wording.name("CEST"), full.cest),
        (wording.name("cBenef"), full.benefit_code),
        (wording.name("qTrib"), "" if same else taxed),
        (wording.name("vUnTrib"), "" if same else wording.decimal(full.taxed_unit_price, 2)),
        (wording.name("vFrete"), wording.amount(full.freight_cents)),
        (wording.name("vSeg"), wording.amount(full.insurance_cents)),
        (wording.name("vDesc"), wording.amount(full.discount_cents)),
        (wording.name("vOutro"), wording.amount(full.other_cents)),
        (wording.name("indTot"), "" if full.counts_in_total else wording.coded("indTot", "0")),
        (wording.name("xPed"), full.order),
        (wording.name("nItemPed"), full.order_item),
        (wording.name("vTotTrib"), wording.amount(full.approximate_taxes_cents)),
        (wording.name("vItem"), wording.amount(full.total_with_reform_cents)),
        *((wording.name("DFeReferenciado"), entry.access_key) for entry in full.references),
        *wording.named(full.fields),
    ]
    return " · ".join(f"{label}: {text}" for label, text in found if text)


def _transport(sheet: PdfSheet, transport: Transport) -> None:
    plain_parts.section(
        sheet,
        render(message("Transport")),
        [
            (wording.name("modFrete"), wording.coded("modFrete", transport.mode)),
            (wording.name("placa"), ", ".join(transport.plates)),
            *wording.named(transport.fields),
        ],
    )
    if transport.carrier is not None:
        plain_parts.party(sheet, transport.carrier)
    if transport.volumes:
        columns = (
            PdfColumn(wording.name("qVol"), 12, right=True),
            PdfColumn(wording.name("esp"), 18),
            PdfColumn(wording.name("marca"), 18),
            PdfColumn(wording.name("nVol"), 20),
            PdfColumn(wording.name("pesoL"), 14, right=True),
            PdfColumn(wording.name("pesoB"), 14, right=True),
            PdfColumn(wording.name("nLacre"), 20),
        )
        sheet.section(wording.name("vol"))
        with sheet.table(columns):
            for volume in transport.volumes:
                sheet.row(
                    [
                        wording.decimal(volume.quantity),
                        volume.kind or "",
                        volume.brand or "",
                        volume.numbering or "",
                        wording.decimal(volume.net_weight, 3),
                        wording.decimal(volume.gross_weight, 3),
                        ", ".join(volume.seals),
                    ]
                )


def _billing(sheet: PdfSheet, billing: Billing) -> None:
    fields = [
        (wording.name("nFat"), billing.number or ""),
        (wording.name("vOrig"), formatting.money(billing.original_cents)),
        (wording.name("vDesc"), formatting.money(billing.discount_cents)),
        (wording.name("vLiq"), formatting.money(billing.net_cents)),
    ]
    if not billing.instalments and not any(text for _, text in fields):
        return
    sheet.section(wording.name("cobr"))
    sheet.fields(fields)
    if billing.instalments:
        columns = (
            PdfColumn(wording.name("nDup"), 20),
            PdfColumn(wording.name("dVenc"), 20),
            PdfColumn(wording.name("vDup"), 20, right=True),
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
        PdfColumn(wording.name("tPag"), 34),
        PdfColumn(wording.name("indPag"), 16),
        PdfColumn(wording.name("vPag"), 14, right=True),
        PdfColumn("", 36),
    )
    sheet.section(wording.name("pag"))
    with sheet.table(columns):
        for entry in payments:
            means = " ".join(filter(None, (wording.coded("tPag", entry.method), entry.words)))
            timing = codes.word("indPag", entry.timing)
            sheet.row([means, render(timing) if timing else "", wording.amount(entry.amount_cents), ""])
            sheet.under(wording.in_line(entry.fields))
    sheet.fields([(wording.name("vTroco"), formatting.money(change_cents))])
