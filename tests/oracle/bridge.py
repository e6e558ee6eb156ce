"""The lines of the bridge that orders and papers decide by themselves, before anybody links one to the other."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from tests.oracle.papers import Papers, Written

BRASILIA = timezone(timedelta(hours=-3))
# CFOPs by which goods are sold, and by which they come back.
_SOLD = frozenset(
    f"{head}{rest}" for head in "56" for rest in (101, 102, 105, 106, 107, 108, 401, 403, 404, 405)
)  # fmt: skip
_CAME_BACK = frozenset(f"{head}{rest}" for head in "1256" for rest in (201, 202, 410, 411))
LINES = ("invoices_authorized", "cancelled_invoices", "void_invoices", "returns", "no_sales")


def crossing(orders: Iterable[bytes], papers: Papers) -> dict[str, Counter[str]]:
    """Every line of the sum by month, of all companies: for orders that name their invoice, which bills just them.

    What an order names and who cancelled what decides its line. Lines that come to nothing are left out.
    """
    months: dict[str, Counter[str]] = defaultdict(Counter)
    taken_back = {name for paper in papers.documents.values() for name in _taken_back(papers, paper)}
    for data in orders:
        order = json.loads(data, parse_float=Decimal)
        made, total = _month(order["createdAt"]), int(Decimal(order["total"]) * 100)
        invoice = papers.documents.get(order.get("invoice", {}).get("accessKey", ""))
        billed = invoice is not None and papers.in_effect(invoice)
        lines_of = months[made]
        lines_of["orders_taken"] += total
        if order["status"] == "CANCELED":
            lines_of["cancelled"] -= total
            if invoice is not None and billed:
                back = "order_returned" if invoice.key in taken_back else "order_cancelled"
                months[invoice.month][back] += total
                months[invoice.month]["invoices_authorized"] += total
        elif invoice is None:
            lines_of["not_due"] -= total
        elif not billed:
            lines_of["invoice_cancelled"] -= total
        else:
            months[invoice.month]["invoices_authorized"] += total
            if invoice.month == made:
                lines_of["invoiced_in_month"] += total
            else:
                lines_of["invoiced_in_other_month"] -= total
                months[invoice.month]["ordered_in_other_month"] += total
    return {month: Counter({name: amount for name, amount in of.items() if amount}) for month, of in months.items()}


def _taken_back(papers: Papers, paper: Written) -> list[str]:
    """The notes that a return in effect refers to."""
    if not paper.is_note or paper.text("ide/finNFe") != "4" or not papers.in_effect(paper):
        return []
    return [reference.text for reference in paper.body.iter("refNFe")]


def _month(moment: str) -> str:
    return datetime.fromisoformat(moment).astimezone(BRASILIA).strftime("%Y-%m")


def orders_taken(orders: Iterable[bytes]) -> dict[str, int]:
    """The sum of the orders by the month in which they were made in Brasília; each as a hub writes it, in JSON."""
    months: dict[str, int] = {}
    for data in orders:
        order = json.loads(data, parse_float=Decimal)
        month = _month(order["createdAt"])
        months[month] = months.get(month, 0) + int(Decimal(order["total"]) * 100)
    return months


def lines(papers: Papers, company: str, month: str) -> dict[str, int]:
    """What the company's own notes of the month come to, by the line on which they stand."""
    sums = dict.fromkeys(LINES, 0)
    for paper in papers.documents.values():
        if paper.is_note and paper.emitter == company and paper.month == month:
            sums[_line(papers, paper)] += paper.total
    return sums


def _line(papers: Papers, paper: Written) -> str:
    cfops = {paper_cfop.text for paper_cfop in paper.body.iter("CFOP")}
    purpose = paper.text("ide/finNFe")
    if purpose in ("", "1") and cfops & _SOLD:
        if papers.in_effect(paper):
            return "invoices_authorized"
        return "cancelled_invoices" if papers.is_cancelled(paper.key) else "void_invoices"
    if purpose in ("5", "6"):  # NT 2025.002, B25.2: of credit notes 03 and 06 bring goods back
        return "returns" if purpose == "5" and paper.text("ide/tpNFCredito") in ("03", "06") else "no_sales"
    if purpose == "4" or cfops & _CAME_BACK or (purpose == "3" and paper.text("ide/tpNF") == "0"):
        return "returns"
    return "no_sales"
