"""The JSON of the bridge of a month: money as decimal strings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from confere.cli.json.encoder import Shape, fields_of
from confere.sales.bridge import BridgeCode
from confere.system.formatting import decimal_string

if TYPE_CHECKING:
    from confere.app.closing.bridge import BridgeShareRow, MonthBridge
    from confere.sales.bridge import BridgeLine

_LISTED = ("whole=is_whole", "declared", "stretches")


def bridge(made: MonthBridge, line: BridgeCode | None, pdf: Path | None) -> Shape:
    """Every line, in the order of the page; with `line` its orders and documents, whose amounts add up to it.

    `signed_by` is who signed the findings of every company of the page, null where one is not signed.
    `tied` is true: a page that does not tie is an error. `without_company` are orders that stand on no company's page:
    `command` lists them.
    """
    orders, amount = made.facts.of_no_company
    shape: Shape = {
        **fields_of(made, "period=page.scope.period", "account=facts.account", "company=page.scope.company"),
        **fields_of(made, "marketplace=page.scope.marketplace", "marketplaces", "run=facts.run", "run_at=facts.run_at"),
        **fields_of(made, "decided_since=facts.decided_since", "not_downloaded=facts.not_downloaded"),
        "orders_listed": fields_of(made.facts.orders_listed, *_LISTED),
        "documents_listed": fields_of(made.facts.documents_listed, *_LISTED),
        "tied": True,
        "lines": [_line(each) for each in made.page.lines],
        "without_company": {"orders": orders, "amount": decimal_string(amount), "command": made.no_company_command},
        **fields_of(made, "preparer=facts.signature.preparer", "reviewer=facts.signature.reviewer"),
        **fields_of(made, "date=facts.signature.on"),
        "signed_by": made.facts.signed_by or None,
        "pdf": pdf,
    }
    if line is not None:
        shape["line"] = line
        shape["shares"] = [_share(row) for row in made.rows(line)]
    return shape


def _line(line: BridgeLine) -> Shape:
    names = ("code", "part=code.part", "label=code.label", "rule=code.rule", "amount", "orders", "documents")
    return fields_of(line, *names, money=("amount",))


def _share(row: BridgeShareRow) -> Shape:
    shape = fields_of(row.share, "order=order_id", "key", "amount", "reason", money=("amount",))
    shape["order_total"] = None if row.order is None else decimal_string(row.order.total)
    shape["document_total"] = None if row.paper is None else decimal_string(row.paper.total)
    return shape
