"""The JSON of commands on orders: money as decimal strings, times and tax ids as they are kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from confere.cli.json import declaration_json, document_detail_json
from confere.cli.json.encoder import Shape, each_of, fields_of, months

if TYPE_CHECKING:
    from confere.app.orders.orders import OrderFilePreview, OrderFileResult, OrderPage, OrderRow, RowProblem, ShownOrder

_MONEY = ("total", "gross", "discount", "freight", "interest")
_ROW = (
    *("row=id", "order_id=hub_id", "account", "source", "created_at", "created_on", "status"),
    *("marketplace", "marketplace_id"),
    *("total", "gross", "discount", "freight", "buyer_tax_id", "buyer_name", "uf"),
    *("invoice_key", "invoice_series", "invoice_number", "invoice_on", "links", "partner_id", "marketplace_number"),
    *("interest", "fulfillment", "updated_at", "transmission_status", "transmission_message"),
    *("carrier", "tracking_number", "ready_by", "estimated_at"),
)


def row(order: OrderRow) -> Shape:
    """An order as a list has it; `links` counts the documents linked to it."""
    return fields_of(order, *_ROW, money=_MONEY) | {"invoice_on": order.invoice_on or None}


def listing(page: OrderPage) -> Shape:
    """`of_no_company` of the `total` orders of a company are of none that can be told."""
    return {
        "orders": [row(order) for order in page.orders],
        "total": page.total,
        "of_no_company": page.of_no_company,
        "other_months": months(page.other_months),
    }


def shown(order: ShownOrder) -> Shape:
    """An order whole, with its versions, links, documents, findings and returns."""
    document = ("access_key", "type", "state", "operation", "issued_at", "total")
    finding = ("rule=found.rule", "state", "severity=found.severity", "amount=found.amount", "evidence=found.evidence")
    returned = ("return_id=hub_id", "kind", "status", "created_at", "access_key", "total")
    return {
        **row(order.row),
        "order": document_detail_json.plain(order.order),
        "versions": each_of(order.versions, "sha256", "source", "seen_at"),
        "links_to": [
            fields_of(link, "access_key=key", "kind", "confidence", "evidence") | {"kind": link.kind.name.lower()}
            for link in order.links
        ],
        "documents": each_of(order.documents, *document, money=("total",)),
        "findings": each_of(order.findings, *finding, money=("amount",)),
        "returns": each_of(order.returns, *returned, money=("total",)),
    }


def imported(result: OrderFileResult) -> Shape:
    """Figures of an import: `unreadable` counts lines, each named in `problems`."""
    return {
        **result.counts(),
        "mapping": result.reading.mapping,
        "unknown_statuses": result.reading.unknown_statuses,
        "problems": problems(result.reading.problems),
        "stopped": result.stopped,
        "without_total": result.reading.without_total,
        **declaration_json.declared(result.declared, result.not_declared),
    }


def preview(file: OrderFilePreview) -> Shape:
    names = ("columns", "mapping=reading.mapping", "remembered=reading.remembered", "rows", "lines", "orders")
    return {
        **fields_of(file, *names, "left_out=reading.left_out", "unknown_statuses=reading.unknown_statuses"),
        "problems": problems(file.reading.problems),
        **fields_of(file, "sheets", "sheet"),
        "doubts": each_of(file.reading.doubts, "kind", "column", "choices", "reason=why"),
        **fields_of(file, "without_total=reading.without_total", "months", "marketplaces"),
    }


def problems(of: Iterable[RowProblem]) -> list[Shape]:
    return each_of(of, "line", "column", "reason")
