"""What was declared complete, for an account: each declaration with its proof and a way back, and a folder to declare.

The import of orders has its own question; documents are declared here.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from confere.app.reconciliation import declarations
from confere.app.reconciliation.declarations import Declaration
from confere.desktop.jobs.job_requests import import_order
from confere.desktop.services import Services
from confere.desktop.widgets.card import button, clear
from confere.desktop.widgets.form import FormCard, text
from confere.desktop.widgets.notices import GOOD
from confere.fiscal.periods import BRASILIA
from confere.system import formatting
from confere.system.messages import t

_MONTHS = 24
_DIGITS = 12  # of a SHA-256 that are shown
_FOLDER = "import/folder"


class DeclaredCard(FormCard):
    """`chosen` names the account that is looked at; nothing where there is none."""

    def __init__(self, services: Services, topic: str, chosen: Callable[[], str | None]) -> None:
        super().__init__(t("Declared complete"))
        self._services = services
        self.topic = topic
        self._chosen = chosen
        self._every: tuple[Declaration, ...] = ()
        self.rows = QVBoxLayout()
        self.body.addLayout(self.rows)
        self.month = QComboBox()
        self.month.setAccessibleName(t("Month that is complete"))
        for month in _months(datetime.now(BRASILIA).date()):
            self.month.addItem(formatting.month(month), month)
        self.folder = QPushButton(t("Choose the folder…"))
        self.folder.clicked.connect(self._choose)
        self.body.addWidget(text(t("Import a folder that holds all documents of")))
        line = QHBoxLayout()
        line.addWidget(self.month)
        line.addWidget(self.folder)
        line.addStretch(1)
        self.body.addLayout(line)
        self.body.addWidget(text(t("Then what is missing is missing; the findings name you and this file."), "muted"))

    def ask(self) -> None:
        """Look again what is declared."""
        workspace = self._services.workspace
        self._services.reader.ask(self.topic, lambda: declarations.every(workspace), self._have)

    def turn(self) -> None:
        """Show those of the account that is chosen."""
        clear(self.rows)
        mine = [entry for entry in self._every if entry.account == self._chosen() and entry.revoked_at is None]
        for entry in mine:
            self.rows.addWidget(self._row(entry))
        if not mine:
            self.rows.addWidget(text(t("Nothing was declared complete yet."), "muted"))

    def _have(self, found: tuple[Declaration, ...]) -> None:
        self._every = found
        self.turn()

    def _row(self, entry: Declaration) -> QWidget:
        what = declarations.sentence(entry)
        made = QWidget()
        layout = QHBoxLayout(made)
        layout.setContentsMargins(0, 0, 0, 0)
        told = QVBoxLayout()
        told.setSpacing(2)
        told.addWidget(text(what))
        told.addWidget(
            text(
                t(
                    "Declared by {actor} on {day}; SHA-256 {digest}…",
                    actor=entry.actor,
                    day=formatting.moment(entry.at),
                    digest=entry.sha256[:_DIGITS],
                ),
                "muted",
            )
        )
        layout.addLayout(told, 1)
        layout.addWidget(button(t("Revoke"), partial(self._revoke, entry.id), name=t("Revoke: {what}", what=what)))
        return made

    def _revoke(self, number: int) -> None:
        workspace = self._services.workspace
        self._services.reader.write(lambda: declarations.revoke(workspace, number), self._revoked)

    def _revoked(self, _: Declaration) -> None:
        self._services.notices.add(
            GOOD, t("The declaration was revoked; the next reconciliation no longer uses it."), topic="declared"
        )
        self.ask()

    def _choose(self) -> None:
        account = self._chosen()
        name = QFileDialog.getExistingDirectory(self, t("Import a folder"), self._services.memory.text(_FOLDER))
        if name and account:
            self._services.memory.put(_FOLDER, name)
            self._services.jobs.start(import_order([Path(name)], account=account, complete=self.month.currentData()))


def _months(today: date) -> list[str]:
    """The newest months, this one last among them to be offered: it is not over."""
    ends = [today.year * 12 + today.month - 1 - back for back in range(_MONTHS)]
    found = [f"{number // 12:04d}-{number % 12 + 1:02d}" for number in ends]
    return [*found[1:], found[0]]
