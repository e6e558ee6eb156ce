"""The JSON of commands on orders: money as decimal strings, times and tax ids as they are kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from confere.cli.json import declaration_json, document_detail_json
from confere.cli.json.encoder import Shape
from confere.system.formatting import decimal_string
from confere.system.messages import render

if TYPE_CHECKING:
    from confere.app.orders.orders import OrderFilePreview, OrderFileResult, OrderPage, OrderRow, RowProblem, ShownOrder

_MONEY = ("total", "gross", "discount", "freight")


def row(found: OrderRow) -> Shape:
    """An order as a list has it; `links` counts the documents linked to it."""
    return {
        "order_id": found.hub_id,
        "account": found.account,
        "source": found.source,
        "created_at": found.created_at,
        "created_on": found.created_on,
        "status": found.status,
        "marketplace": found.marketplace,
        "marketplace_id": found.marketplace_id,
        **{name: decimal_string(getattr(found, name)) for name in _MONEY},
        "buyer_tax_id": found.buyer_tax_id,
        "buyer_name": found.buyer_name,
        "uf": found.uf,
        "invoice_key": found.invoice_key,
        "invoice_series": found.invoice_series,
        "invoice_number": found.invoice_number,
        "invoice_on": found.invoice_on or None,
        "links": found.links,
        "partner_id": found.partner_id,
        "marketplace_number": found.marketplace_number,
        "interest": decimal_string(found.interest),
        "fulfillment": found.fulfillment,
        "updated_at": found.updated_at,
    }


def listing(found: OrderPage) -> Shape:
    return {"orders": [row(entry) for entry in found.orders], "total": found.total}


def shown(found: ShownOrder) -> Shape:
    """An order whole, with its versions, links, documents, findings and returns."""
    return {
        **row(found.row),
        "order": document_detail_json.plain(found.order),
        "versions": [
            {"sha256": entry.sha256, "source": entry.source, "seen_at": entry.seen_at} for entry in found.versions
        ],
        "links_to": [
            {
                "access_key": entry.key,
                "kind": entry.kind.name.lower(),
                "confidence": entry.confidence,
                "evidence": [render(reason) for reason in entry.evidence],
            }
            for entry in found.links
        ],
        "documents": [
            {
                "access_key": entry.access_key,
                "type": entry.type,
                "state": entry.state,
                "operation": entry.operation,
                "issued_at": entry.issued_at,
                "total": decimal_string(entry.total),
            }
            for entry in found.documents
        ],
        "findings": [
            {
                "rule": entry.found.rule,
                "state": entry.state.value,
                "severity": entry.found.severity.value,
                "amount": decimal_string(entry.found.amount),
                "evidence": [render(reason) for reason in entry.found.evidence],
            }
            for entry in found.findings
        ],
        "returns": [
            {
                "return_id": entry.hub_id,
                "kind": entry.kind,
                "status": entry.status,
                "created_at": entry.created_at,
                "access_key": entry.access_key,
                "total": decimal_string(entry.total),
            }
            for entry in found.returns
        ],
    }


def imported(found: OrderFileResult) -> Shape:
    """Figures of an import: `unreadable` counts lines, each named in `problems`."""
    return {
        **found.counts(),
        "mapping": dict(found.reading.mapping),
        "unknown_statuses": dict(found.reading.unknown_statuses),
        "problems": problems(found.reading.problems),
        "stopped": found.stopped,
        "without_total": found.reading.without_total,
        **declaration_json.declared(found.declared, found.not_declared),
    }


def preview(found: OrderFilePreview) -> Shape:
    return {
        "columns": list(found.columns),
        "mapping": dict(found.reading.mapping),
        "remembered": list(found.reading.remembered),
        "rows": [list(entry) for entry in found.rows],
        "lines": found.lines,
        "orders": found.orders,
        "left_out": found.reading.left_out,
        "unknown_statuses": dict(found.reading.unknown_statuses),
        "problems": problems(found.reading.problems),
        "sheets": list(found.sheets),
        "sheet": found.sheet,
        "doubts": [
            {
                "kind": entry.kind.value,
                "column": entry.column,
                "choices": list(entry.choices),
                "reason": render(entry.why),
            }
            for entry in found.reading.doubts
        ],
        "without_total": found.reading.without_total,
        "months": dict(found.months),
        "marketplaces": list(found.marketplaces),
    }


def problems(found: Iterable[RowProblem]) -> list[Shape]:
    return [{"line": entry.line, "column": entry.column, "reason": render(entry.reason)} for entry in found]
