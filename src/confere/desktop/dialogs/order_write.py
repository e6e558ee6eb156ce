"""A dialog that shows the exact requests which would be sent for orders, and sends them when a person says so."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QPlainTextEdit, QPushButton, QSplitter, QVBoxLayout, QWidget

from confere.app.orders import write_back
from confere.app.orders.write_back import RequestPreview, WriteBackPlan
from confere.desktop.core.error_reporting import of_exception
from confere.desktop.jobs.job import JobRequest
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.dialog_buttons import buttons_of, resize_on_screen
from confere.desktop.widgets.table import Table, TableColumn
from confere.system import formatting
from confere.system.messages import ngettext, render, t

Plan: TypeAlias = WriteBackPlan[Any]
Preview: TypeAlias = RequestPreview[Any]

_SIZE: Final = (900, 600)
_SHARES: Final = (240, 240)
_MOST_LEFT_OUT: Final = 8  # that are told one by one
_QUIET_MS: Final = 200


class OrderWriteDialog(QDialog):
    """`order()` makes the job that sends exactly what was shown.

    `work` is called here and gives what plans beside the window; after `ask_again` it is called anew.
    """

    def __init__(
        self,
        services: Services,
        name: str,
        title: str,
        columns: Sequence[TableColumn[Preview]],
        work: Callable[[], Callable[[], Plan]],
        job: Callable[[Sequence[str], str], JobRequest],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._services, self._work, self._job = services, work, job
        self._topic = f"{name}.{id(self)}"
        self._previews: tuple[Preview, ...] = ()
        self.setWindowTitle(title)
        resize_on_screen(self, *_SIZE)
        self.words = label(t("Looking at the archive…"), wraps=True)
        self.warning = label("", "warn", wraps=True)
        self.warning.hide()
        self.table: Table[Preview] = Table(
            name,
            t("Orders to be sent"),
            columns,
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
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(self._ask)
        self._lay_out()
        self.table.chosen.connect(self._show)
        self._ask()

    def order(self) -> JobRequest:
        """The job that sends what is shown."""
        names = [entry.candidate.order.hub_id for entry in self._previews]
        return self._job(names, write_back.digest(self._previews))

    def warn(self, text: str) -> None:
        """Say this above the requests, in the colour of a warning."""
        self.warning.setText(text)
        self.warning.setVisible(bool(text))

    def put_form(self, form: QWidget) -> None:
        """What a person fills in stands above the requests."""
        self._layout.insertWidget(0, form)

    def ask_again(self) -> None:
        """What is to be sent changed: nothing can be sent until it is shown."""
        self.does.setEnabled(False)
        self._services.reader.forget(self._topic)  # what was asked before is no longer what is filled in
        self._quiet.start()

    def done(self, result: int) -> None:
        self._services.reader.forget(self._topic)
        super().done(result)

    def _ask(self) -> None:
        work = self._work()

        def look() -> tuple[Plan, tuple[Preview, ...]]:
            plan = work()
            return plan, tuple(map(write_back.preview, plan.candidates))

        self._services.reader.ask(self._topic, look, self._have, self._failed)

    def _lay_out(self) -> None:
        splitter = QSplitter(Qt.Orientation.Vertical)
        splitter.addWidget(self.table)
        splitter.addWidget(self.request)
        splitter.setChildrenCollapsible(False)
        splitter.setHandleWidth(GAP)
        splitter.setProperty("look", "gap")
        splitter.setSizes(list(_SHARES))
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        self._layout.setSpacing(GAP + 2)
        self._layout.addWidget(self.words)
        self._layout.addWidget(self.warning)
        self._layout.addWidget(splitter, 1)
        self._layout.addWidget(self.left_out)
        self._layout.addWidget(buttons_of(self, self.does))
        self.left_out.hide()

    def _have(self, found: tuple[Plan, tuple[Preview, ...]]) -> None:
        plan, self._previews = found
        count = len(self._previews)
        self.table.put(self._previews)
        self.table.choose_first()
        self._show(self.table.current)
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
        self.does.setText(ngettext("Send {count} request", "Send {count} requests", count))
        self.does.setEnabled(bool(count))

    def _show(self, preview: Preview | None) -> None:
        self.request.setPlainText("" if preview is None else as_text(preview))

    def _failed(self, error: Exception) -> None:
        fault = of_exception(error)
        self.words.setText(f"{fault.what} {fault.remedy}".strip())
        self._previews = ()
        self.table.put(())
        self._show(None)
        self.does.setEnabled(False)
        if fault.is_bug:
            self._services.faults.tell(error)


def as_text(preview: Preview) -> str:
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
