"""The dialog "send the invoice data": the exact requests for each order, to be looked at before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from confere.app.labels.labels import number_word
from confere.app.labels.reconciliation_labels import status_word
from confere.app.orders import write_back
from confere.app.orders.write_back import Candidate, RequestPreview
from confere.desktop.dialogs.order_write import OrderWriteDialog
from confere.desktop.jobs.job_requests import invoice_order
from confere.desktop.services import Services
from confere.desktop.widgets.table import TableColumn
from confere.system import formatting
from confere.system.messages import render, t


def invoice_dialog(
    services: Services, account: str, orders: Sequence[str], parent: QWidget | None = None
) -> OrderWriteDialog:
    """What would be told to these orders, each the invoice that the archive has for it."""
    opened, wanted = services.opened, tuple(orders)
    return OrderWriteDialog(
        services,
        "reconcile/write_back",
        t("Send the invoice data"),
        _columns(),
        lambda: lambda: write_back.plan(opened, account, orders=wanted),
        lambda names, digest: invoice_order(account, names, digest),
        parent,
    )


def _columns() -> tuple[TableColumn[RequestPreview[Candidate]], ...]:
    return (
        TableColumn("order", t("Order"), lambda row: row.candidate.order.hub_id, 96),
        TableColumn("number", t("At the marketplace"), lambda row: row.candidate.order.marketplace_id or "", 136),
        TableColumn("status", t("Status"), lambda row: status_word(row.candidate.order.status), 110),
        TableColumn(
            "document",
            t("Document"),
            lambda row: number_word(row.candidate.sale.series, row.candidate.sale.number),
            86,
        ),
        TableColumn(
            "order_total", t("Order's total"), lambda row: formatting.money(row.candidate.order.total), 110, right=True
        ),
        TableColumn(
            "paper_total",
            t("Document's total"),
            lambda row: formatting.money(row.candidate.sale.total),
            126,
            right=True,
        ),
        TableColumn(
            "doubts",
            t("To look at"),
            lambda row: " ".join(map(render, row.candidate.doubts)),
            120,
            stretches=True,
        ),
    )
