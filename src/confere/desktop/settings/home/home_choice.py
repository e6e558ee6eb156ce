"""Says in the settings which data folder the next start uses, and opens the dialog that chooses another."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QDialog, QPushButton, QVBoxLayout, QWidget

from confere.app.maintenance import home_folder
from confere.app.maintenance.home_folder import HomeFacts
from confere.desktop.jobs.job import JobKind, JobOutcome
from confere.desktop.services import Services
from confere.desktop.settings.home.home_dialog import HomeDialog
from confere.desktop.widgets.form import set_rank, text
from confere.system.messages import render, t
from confere.system.paths import HomeOrigin


class HomeChoice(QWidget):
    """`button` stands beside others; the widget itself is the sentence below them."""

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.topic = f"settings.home.{id(self)}"
        self.facts: HomeFacts | None = None
        self.dialog: QDialog | None = None
        self.button = QPushButton(t("Other folder…"))
        self.button.clicked.connect(self.choose)
        self.said = text("", selectable=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.said)
        self.hide()
        services.jobs.changed.connect(self._enable)
        services.jobs.ended.connect(self._job_ended)
        self._enable()

    def ask(self) -> None:
        """Look which folder is remembered."""
        self._services.reader.ask(self.topic, partial(home_folder.facts, self._services.workspace.home), self._show)

    def choose(self) -> None:
        """Open the dialog."""
        dialog = HomeDialog(self._services, self.facts, self.window())
        dialog.forgotten.connect(self.ask)
        dialog.finished.connect(dialog.deleteLater)
        dialog.finished.connect(self._closed)
        self.dialog = dialog
        dialog.open()

    def _show(self, facts: HomeFacts) -> None:
        self.facts = facts
        words, rank = _sentence(facts)
        self.said.setText(words)
        set_rank(self.said, rank)
        self.setVisible(bool(words))

    def _enable(self) -> None:
        self.button.setEnabled(not self._services.jobs.has(JobKind.HOME))

    def _job_ended(self, outcome: JobOutcome) -> None:
        if outcome.order.kind is JobKind.HOME:
            self.ask()

    def _closed(self) -> None:
        self.dialog = None


def _sentence(facts: HomeFacts) -> tuple[str, str]:
    """What is worth saying of the folder, and as what: muted where nothing is to be done."""
    upcoming = facts.chosen or facts.usual
    parts = []
    if facts.wins_over is not None:
        parts.append(render(facts.wins_over))
        if upcoming != facts.root:
            parts.append(t("Without it the data folder is {path}.", path=str(upcoming)))
    elif upcoming != facts.root:
        parts.append(t("From the next start on the data folder is {path}.", path=str(upcoming)))
    elif facts.origin is HomeOrigin.CHOSEN:
        parts.append(t("This folder was chosen; the system's place for data is {path}.", path=str(facts.usual)))
    parts += map(render, facts.warnings)
    return " ".join(parts), "warn" if facts.warnings else "muted"
