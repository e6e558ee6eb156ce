"""Offers a report of a window that ended without being closed: shown whole first, saved where a person wants it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QDir
from PySide6.QtWidgets import QDialog, QFileDialog, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from confere.app.maintenance.crash_report import EarlierCrash
from confere.desktop.services import Services
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.dialog_buttons import buttons_of
from confere.desktop.widgets.notices import GOOD, WARN
from confere.errors import ConfereError
from confere.system.files.atomic_file import write_text
from confere.system.messages import t

_TOPIC = "crash"
_FILE = "confere-report.txt"


def offer(services: Services, crash: EarlierCrash, window: Callable[[], QWidget]) -> None:
    """Leave the message; `window` is the one that is open when somebody takes it."""
    services.notices.add(
        WARN,
        t("The last time Confere ended without being closed. What was archived is safe."),
        topic=_TOPIC,
        action=(t("Save a report…"), lambda: ReportDialog(services, crash, window()).open()),
    )


class ReportDialog(QDialog):
    """Nothing is sent: the report is shown, and saved as a text file where it is wanted."""

    def __init__(self, services: Services, crash: EarlierCrash, parent: QWidget) -> None:
        super().__init__(parent)
        self._services = services
        self.setWindowTitle(t("Report of what happened"))
        self.setMinimumSize(620, 420)
        self.text = QPlainTextEdit(crash.report)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(t("What the report holds"))
        self.save = QPushButton(t("Save…"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.addWidget(
            label(
                t(
                    "This is all that would be saved: no names, numbers of documents, addresses or tokens. Nothing is"
                    " sent; give the file to whoever looks after Confere."
                ),
                wraps=True,
            )
        )
        layout.addWidget(self.text, 1)
        layout.addWidget(buttons_of(self, self.save))
        self.finished.connect(self.deleteLater)

    def accept(self) -> None:
        """Ask where, write it there, and close; stay open where nobody said."""
        name, _ = QFileDialog.getSaveFileName(self, t("Save the report"), str(Path(QDir.homePath()) / _FILE))
        if not name:
            return
        try:
            write_text(Path(name), self.text.toPlainText())
        except ConfereError as error:
            self._services.faults.tell(error)
            return
        self._services.notices.add(GOOD, t("Saved to {path}.", path=name), topic=_TOPIC)
        super().accept()
