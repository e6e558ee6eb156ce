"""The dialog of a move: what is told with it, and the exact requests that follow, before anything is sent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QDateTime, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDateTimeEdit, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from confere.app.labels.reconciliation_labels import status_word
from confere.app.orders import order_moves
from confere.app.orders.order_moves import MoveCandidate, MoveDetails, OrderMoveKind
from confere.app.orders.write_back import RequestPreview, WriteBackPlan
from confere.desktop.dialogs.order_write import OrderWriteDialog
from confere.desktop.jobs.job import JobRequest
from confere.desktop.jobs.job_requests import move_order
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.form import FormField
from confere.desktop.widgets.plain_text import as_tip
from confere.desktop.widgets.table import TableColumn
from confere.errors import N_, Message
from confere.fiscal.periods import BRASILIA
from confere.system import formatting
from confere.system.messages import language, render, t

TITLES: Final = {
    OrderMoveKind.PAID: N_("Mark as paid…"),
    OrderMoveKind.SHIPPED: N_("Mark as shipped…"),
    OrderMoveKind.DELIVERED: N_("Mark as delivered…"),
    OrderMoveKind.CONCLUDED: N_("Conclude…"),
    OrderMoveKind.CANCELLED: N_("Cancel the order…"),
    OrderMoveKind.EARLY_SHIPMENT: N_("Ship early…"),
}
"""What the button of each move says."""
_HEADS: Final = {
    OrderMoveKind.PAID: N_("Tell the hub that the order is paid"),
    OrderMoveKind.SHIPPED: N_("Tell the hub that the order was shipped"),
    OrderMoveKind.DELIVERED: N_("Tell the hub that the order was delivered"),
    OrderMoveKind.CONCLUDED: N_("Tell the hub that the order is concluded"),
    OrderMoveKind.CANCELLED: N_("Cancel the order at the hub"),
    OrderMoveKind.EARLY_SHIPMENT: N_("Ask for the early shipment"),
}


class MomentField(QWidget):
    """A day and time of Brasília; one that is `optional` counts only while it is ticked. `changed` after each."""

    changed = Signal()

    def __init__(self, title: str, *, optional: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.edit = QDateTimeEdit(_now())
        self.edit.setDisplayFormat("yyyy-MM-dd HH:mm" if language() == "en" else "dd/MM/yyyy HH:mm")
        self.edit.setAccessibleName(title)
        self.edit.setCalendarPopup(True)
        self.tick = QCheckBox() if optional else None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(GAP)
        if self.tick is not None:
            self.tick.setAccessibleName(t("{what}: is known", what=title))
            self.tick.setToolTip(as_tip(t("{what}: is known", what=title)))
            self.tick.toggled.connect(self.edit.setEnabled)
            self.tick.toggled.connect(lambda _: self._tell())
            self.edit.setEnabled(False)
            row.addWidget(self.tick)
        row.addWidget(self.edit, 1)
        self.setFocusProxy(self.edit)
        self._known = self.moment
        self.edit.dateTimeChanged.connect(lambda _: self._tell())

    @property
    def moment(self) -> datetime | None:
        """What is chosen; None where it does not count."""
        if self.tick is not None and not self.tick.isChecked():
            return None
        at = self.edit.dateTime()
        day, time = at.date(), at.time()
        return datetime(day.year(), day.month(), day.day(), time.hour(), time.minute(), tzinfo=BRASILIA)

    def _tell(self) -> None:
        """Enter tells of a change where there is none, and would leave the dialog without a button to press."""
        if self.moment != self._known:
            self._known = self.moment
            self.changed.emit()


class MoveForm(QWidget):
    """What is told with a shipment or delivery; of other moves nothing. `changed` after each change."""

    changed = Signal()

    def __init__(self, kind: OrderMoveKind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shipped = MomentField(t("Shipped on (Brasília time)"))
        self.estimated = MomentField(t("Expected on"), optional=True)
        self.delivered = MomentField(t("Delivered on (Brasília time)"))
        self.carrier, self.number, self.url = QLineEdit(), QLineEdit(), QLineEdit()
        self._kind = kind
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(WIDE_GAP)
        grid.setVerticalSpacing(GAP)
        shown: tuple[tuple[str, QWidget], ...] = ()
        if kind is OrderMoveKind.SHIPPED:
            shown = (
                (t("Shipped on (Brasília time)"), self.shipped),
                (t("Expected on"), self.estimated),
                (t("Carrier"), self.carrier),
                (t("Tracking number"), self.number),
                (t("Tracking address"), self.url),
            )
        elif kind is OrderMoveKind.DELIVERED:
            shown = ((t("Delivered on (Brasília time)"), self.delivered),)
        for place, (title, control) in enumerate(shown):
            grid.addWidget(FormField(title, control), place // 3, place % 3, Qt.AlignmentFlag.AlignTop)
        for number in range(3):
            grid.setColumnStretch(number, 1)
        used = [control for _, control in shown]
        for control in (self.shipped, self.estimated, self.delivered, self.carrier, self.number, self.url):
            if control not in used:
                control.setParent(self)
                control.hide()
        for moment in (self.shipped, self.estimated, self.delivered):
            moment.changed.connect(self.changed)
        for line in (self.carrier, self.number, self.url):
            line.textChanged.connect(lambda _: self.changed.emit())

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to fill in."""
        return self._kind not in (OrderMoveKind.SHIPPED, OrderMoveKind.DELIVERED)

    @property
    def details(self) -> MoveDetails:
        """What is told now."""
        match self._kind:
            case OrderMoveKind.SHIPPED:
                texts = (self.carrier.text(), self.number.text(), self.url.text())
                return MoveDetails(self.shipped.moment, self.estimated.moment, None, *texts)
            case OrderMoveKind.DELIVERED:
                return MoveDetails(delivered=self.delivered.moment)
        return MoveDetails()


class MoveDialog(OrderWriteDialog):
    """`order()` sends the move with what the form said when the requests were shown."""

    def __init__(
        self,
        services: Services,
        account: str,
        orders: Sequence[str],
        kind: OrderMoveKind,
        parent: QWidget | None = None,
    ) -> None:
        self.form = MoveForm(kind)
        self._account, self._orders, self._kind = account, tuple(orders), kind
        self._details = self.form.details
        super().__init__(
            services, "orders/move", render(Message(_HEADS[kind])), _columns(), self._planned, self._made, parent
        )
        if self.form.is_empty:
            self.form.deleteLater()
        else:
            self.put_form(self.form)
        self.form.changed.connect(self.ask_again)
        warning = order_moves.WARNINGS.get(kind)
        self.warn(render(Message(warning)) if warning else "")

    def _planned(self) -> Callable[[], WriteBackPlan[MoveCandidate]]:
        opened, account, names, kind = self._services.opened, self._account, self._orders, self._kind
        details = self._details = self.form.details

        def plan() -> WriteBackPlan[MoveCandidate]:
            return order_moves.plan(opened, account, names, order_moves.move_of(kind, details))

        return plan

    def _made(self, names: Sequence[str], digest: str) -> JobRequest:
        return move_order(self._account, names, order_moves.move_of(self._kind, self._details), digest)


def title_of(kind: OrderMoveKind, *, again: bool = False) -> str:
    """What the button of a move says; `again`: an early shipment of this order failed before."""
    if again and kind is OrderMoveKind.EARLY_SHIPMENT:
        return t("Try the early shipment again…")
    return render(Message(TITLES[kind]))


def _now() -> QDateTime:
    now = datetime.now(BRASILIA)
    return QDateTime(now.year, now.month, now.day, now.hour, now.minute, 0)


def _columns() -> tuple[TableColumn[RequestPreview[MoveCandidate]], ...]:
    return (
        TableColumn("order", t("Order"), lambda row: row.candidate.order.hub_id, 120),
        TableColumn("number", t("At the marketplace"), lambda row: row.candidate.order.marketplace_id or "", 150),
        TableColumn("status", t("Status"), lambda row: status_word(row.candidate.order.status), 150),
        TableColumn("total", t("Total"), lambda row: formatting.money(row.candidate.order.total), 110, right=True),
        TableColumn(
            "doubts",
            t("To look at"),
            lambda row: " ".join(map(render, row.candidate.doubts)),
            240,
            stretches=True,
        ),
    )
