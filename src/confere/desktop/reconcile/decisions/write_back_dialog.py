"""The dialog "send the invoice data": the exact requests for each order, to be looked at before anything is sent."""

from __future__ import annotations

import json
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QDialog,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from confere.app.archive_session import OpenArchive
from confere.app.labels.labels import number_word
from confere.app.orders import write_back
from confere.app.orders.write_back import Candidate, RequestPreview, WriteBackPlan
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.jobs.job import JobRequest
from confere.desktop.jobs.job_requests import invoice_order
from confere.desktop.reconcile.reconciliation_text import status_word
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.dialog_buttons import buttons_of
from confere.desktop.widgets.table import Table, TableColumn
from confere.system import formatting
from confere.system.messages import render, t

_SIZE = (900, 600)
_SHARES = (240, 240)
_MOST_LEFT_OUT = 8  # that are told one by one


class WriteBackDialog(QDialog):
    """`order()` makes the job that sends exactly what was shown."""

    def __init__(self, services: Services, account: str, orders: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._account = services, account
        self._topic = f"reconcile.write_back.{id(self)}"
        self._previews: tuple[RequestPreview[Candidate], ...] = ()
        self.setWindowTitle(t("Send the invoice data"))
        self.resize(*_SIZE)
        self.words = label(t("Looking at the archive…"), wraps=True)
        self.table: Table[RequestPreview[Candidate]] = Table(
            "reconcile/write_back",
            t("Orders to be sent"),
            _columns(),
            lambda row: row.candidate.order.hub_id,
            services.look,
            services.memory,
            self,
        )
        self.request = QPlainTextEdit()
        self.request.setReadOnly(True)
        self.request.setTabChangesFocus(True)
        self.request.setAccessibleName(t("The request, as it is sent"))
        self.request.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.left_out = label("", "warn", wraps=True)
        self.does = QPushButton(t("Send"))
        self.does.setEnabled(False)
        self._lay_out()
        self.table.chosen.connect(self._show)
        opened, wanted = services.opened, tuple(orders)
        services.reader.ask(self._topic, lambda: _prepare(opened, account, wanted), self._have, self._failed)

    def order(self) -> JobRequest:
        return invoice_order(
            self._account,
            [entry.candidate.order.hub_id for entry in self._previews],
            write_back.digest(self._previews),
        )

    def done(self, result: int) -> None:
        self._services.reader.forget(self._topic)
        super().done(result)

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.table)
        splitter.addWidget(self.request)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(GAP)
        splitter.setSizes(list(_SHARES))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(GAP + 2)
        layout.addWidget(self.words)
        layout.addWidget(splitter, 1)
        layout.addWidget(self.left_out)
        layout.addWidget(buttons_of(self, self.does))
        self.left_out.hide()

    def _have(self, found: tuple[WriteBackPlan[Candidate], tuple[RequestPreview[Candidate], ...]]) -> None:
        plan, self._previews = found
        count = len(self._previews)
        self.table.put(self._previews)
        self.table.choose_first()
        place = plan.host or t("the hub of the demonstration")
        if count:
            self.words.setText(
                t(
                    "These requests go to {host}, and nothing else. Each order is read before and after it, and what "
                    "became of it is kept in the audit trail.",
                    host=place,
                )
            )
        else:
            self.words.setText(t("There is nothing that could be sent for these orders."))
        lines = [t("{order}: {why}", order=entry.order_id, why=entry.why) for entry in plan.left_out[:_MOST_LEFT_OUT]]
        if len(plan.left_out) > _MOST_LEFT_OUT:
            more = formatting.count(len(plan.left_out) - _MOST_LEFT_OUT)
            lines.append(t("… and {count} more orders are left out.", count=more))
        self.left_out.setText("\n".join(lines))
        self.left_out.setVisible(bool(lines))
        self.does.setText(
            t("Send 1 request") if count == 1 else t("Send {count} requests", count=formatting.count(count))
        )
        self.does.setEnabled(bool(count))

    def _show(self, preview: RequestPreview[Candidate] | None) -> None:
        self.request.setPlainText("" if preview is None else as_text(preview))

    def _failed(self, error: Exception) -> None:
        fault = of_exception(error)
        self.words.setText(f"{fault.what} {fault.remedy}".strip())
        if fault.is_bug:
            self._services.faults.tell(error)


def _prepare(
    opened: OpenArchive, account: str, orders: tuple[str, ...]
) -> tuple[WriteBackPlan[Candidate], tuple[RequestPreview[Candidate], ...]]:
    plan = write_back.plan(opened, account, orders=orders)
    return plan, tuple(map(write_back.preview, plan.candidates))


def as_text(preview: RequestPreview[Candidate]) -> str:
    """Method and path, what a person should look at, and the body laid out; its bytes are those of the last line."""
    doubts = [render(doubt) for doubt in preview.candidate.doubts]
    return "\n".join(
        [
            f"{preview.method} {preview.path}",
            *(f"! {line}" for line in doubts),
            "",
            json.dumps(json.loads(preview.body), indent=2, ensure_ascii=False),
            "",
            t("As it is sent:"),
            preview.body,
        ]
    )


def _columns() -> tuple[TableColumn[RequestPreview[Candidate]], ...]:
    return (
        TableColumn("order", t("Order"), lambda row: row.candidate.order.hub_id, 120),
        TableColumn("number", t("At the marketplace"), lambda row: row.candidate.order.marketplace_id or "", 150),
        TableColumn("status", t("Status"), lambda row: status_word(row.candidate.order.status), 140),
        TableColumn(
            "document",
            t("Document"),
            lambda row: number_word(row.candidate.sale.series, row.candidate.sale.number),
            100,
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
            200,
            stretches=True,
        ),
    )
