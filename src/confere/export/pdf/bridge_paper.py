"""The bridge of a month as a PDF of one page: its lines, what it stands on, and where it is signed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from confere.errors import N_, Message, PaperError, message, nmessage
from confere.export.pdf import font_characters, watermark, wording
from confere.export.pdf.sheet import MARGIN, WIDTH, PdfColumn, PdfSheet
from confere.fiscal import taxpayers
from confere.fiscal.periods import BRASILIA
from confere.sales.bridge import (
    BridgeCode,
    BridgeLine,
    BridgePart,
    BridgeScope,
    BridgeSignature,
    ListedPart,
)
from confere.system import formatting
from confere.system.messages import render

_LONGEST_NAME: Final = 90
_LONGEST_SIGNED: Final = 45  # stands under its own line
_MOST_STRETCHES: Final = 4
_OTHER_NOTES: Final = N_("Beside the sum: the company's other notes of the month")
_OTHER_ORDERS: Final = N_("Beside the sum: orders that are in no company's bridge")
_ALWAYS: Final = (BridgePart.START, BridgePart.SUBTOTAL, BridgePart.END)


@dataclass(frozen=True, slots=True)
class BridgeFacts:
    """What a page stands on: the run of the links (`run_at` is UTC text), how many decisions came since, and how much
    of the month's orders and documents is here. `not_downloaded` counts documents of the month without their XML.
    `of_no_company` is how many orders of the month are of no company that can be told, and what they come to.
    `month` is the month in words; `signed` says who signed the findings of the month, and `signed_by` is who signed
    those of every company of the page."""

    month: str
    account: str
    company_name: str | None
    run: int
    run_at: str
    decided_since: int
    orders_listed: ListedPart
    documents_listed: ListedPart
    not_downloaded: int
    signature: BridgeSignature
    of_no_company: tuple[int, int] = (0, 0)
    signed: tuple[Message, ...] = ()
    signed_by: str = ""


def label(code: BridgeCode) -> str:
    """A line's label, with the rule whose findings are about the same."""
    return f"{render(code.label)} ({code.rule})" if code.rule else render(code.label)


def shown(lines: Iterable[BridgeLine]) -> Iterator[BridgeLine]:
    """The lines that have anything, and those that every page has."""
    return (line for line in lines if line.orders or line.documents or line.code.part in _ALWAYS)


def standing(facts: BridgeFacts) -> list[Message]:
    """What the page stands on, in sentences."""
    sentences = [
        message(
            "Links of run {run}, {day}; decided since: {count}.",
            run=facts.run,
            day=_moment(facts.run_at),
            count=formatting.count(facts.decided_since),
        ),
        _listed(N_("Orders of the month"), facts.orders_listed),
        _listed(N_("Documents of the month"), facts.documents_listed),
    ]
    if facts.not_downloaded:
        sentences.append(
            nmessage(
                "{count} document of the month has no XML here yet: its sales are not among the invoices.",
                "{count} documents of the month have no XML here yet: their sales are not among the invoices.",
                facts.not_downloaded,
            )
        )
    if facts.of_no_company[0]:
        sentences.append(_of_no_company(*facts.of_no_company))
    return [*sentences, *facts.signed]


def paper(scope: BridgeScope, lines: Iterable[BridgeLine], facts: BridgeFacts) -> bytes:
    """The PDF. Long names are cut, so that it is one page whatever they are; `PaperError` where it would be more."""
    title = render(message("From orders to invoices, {month}", month=facts.month))
    sheet = PdfSheet(title)
    sheet.heading(title)
    sheet.fields(_heads(scope, facts), 3)
    columns = [
        PdfColumn(render(message("Line")), 6.2),
        PdfColumn(render(message("Orders")), 1, right=True),
        PdfColumn(render(message("Documents")), 1, right=True),
        PdfColumn(render(message("Amount (R$)")), 1.7, right=True),
    ]
    memo = []
    with sheet.table(columns):
        for line in shown(lines):
            if line.code.part is BridgePart.MEMO:
                memo.append(line)
                continue
            is_total = line.code.part in _ALWAYS
            if is_total and line.code.part is not BridgePart.START:
                sheet.rule()
            sheet.row(_cells(line), bold=is_total)
            if is_total:
                sheet.rule()
        notes = [line for line in memo if line.code is not BridgeCode.NO_COMPANY]
        orders = [line for line in memo if line.code is BridgeCode.NO_COMPANY]
        for title, beside in ((_OTHER_NOTES, notes), (_OTHER_ORDERS, orders)):
            if beside:
                sheet.under(render(Message(title)), 0)
            for line in beside:
                sheet.row(_cells(line))
    sheet.section(render(message("What it stands on")))
    for sentence in standing(facts):
        sheet.paragraph(render(sentence), size=7.5)
    _signatures(sheet, facts.signature, facts.signature.reviewer or facts.signed_by)
    if sheet.lost:
        sheet.paragraph(render(font_characters.told()), muted=True, size=7)
    if sheet.pdf.pages_count > 1:
        raise PaperError(message("The bridge does not fit on one page."))
    sheet.finish()
    watermark.settle(sheet.pdf, font_characters.latin(title), None)
    return bytes(sheet.pdf.output())


def _heads(scope: BridgeScope, facts: BridgeFacts) -> Iterator[tuple[str, str]]:
    every = render(message("All"))
    company = every if scope.company is None else taxpayers.format_tax_id(scope.company)
    if scope.company is not None and facts.company_name:
        company = f"{_cut(facts.company_name)} · {company}"
    named = scope.marketplace or render(message("None named"))
    yield render(message("Company")), company
    yield render(message("Marketplace")), every if scope.marketplace is None else _cut(named)
    yield render(message("Account")), _cut(facts.account)


def _cells(line: BridgeLine) -> tuple[str, str, str, str]:
    return (
        label(line.code),
        formatting.count(line.orders) if line.orders else "",
        formatting.count(line.documents) if line.documents else "",
        wording.amount(line.amount),
    )


def _of_no_company(orders: int, amount: int) -> Message:
    if orders == 1:
        return message(
            "One order of the month ({amount}) is of no company that can be told: the bridge of the whole account"
            " alone has it.",
            amount=formatting.money(amount),
        )
    return message(
        "{count} orders of the month ({amount}) are of no company that can be told: the bridge of the whole account"
        " alone has them.",
        count=formatting.count(orders),
        amount=formatting.money(amount),
    )


def _listed(what: str, part: ListedPart) -> Message:
    if part.is_whole:
        return message("{what}: listed whole.", what=Message(what))
    if part.declared:
        return message("{what}: declared complete by a person.", what=Message(what))
    if not part.stretches:
        return message("{what}: never listed.", what=Message(what))
    spans = [f"{_moment(start)} - {_moment(end)}" for start, end in part.stretches]
    more = " …" if len(spans) > _MOST_STRETCHES else ""
    return message(
        "{what}: listed in part ({stretches}).", what=Message(what), stretches="; ".join(spans[:_MOST_STRETCHES]) + more
    )


def _signatures(sheet: PdfSheet, signature: BridgeSignature, reviewer: str) -> None:
    """A line to sign on for each, with the name under it."""
    sheet.y += 13
    people = (
        (render(message("Prepared by")), signature.preparer),
        (render(message("Reviewed by")), reviewer),
    )
    width = WIDTH / 2
    for place, _ in enumerate(people):
        left = MARGIN + place * width
        sheet.pdf.set_draw_color(90)
        sheet.pdf.line(left, sheet.y, left + width - 8, sheet.y)
    sheet.y += 1
    sheet.fields([(word, _cut(name, _LONGEST_SIGNED) or "-") for word, name in people], 2)
    sheet.fields([(render(message("Date")), formatting.date(signature.on))], 2)


def _moment(text: str) -> str:
    """A moment, UTC text, as Brasília has it."""
    return formatting.moment(datetime.fromisoformat(text).astimezone(BRASILIA))


def _cut(name: str, most: int = _LONGEST_NAME) -> str:
    text = " ".join(name.split())
    return text if len(text) <= most else text[: most - 1] + "…"
