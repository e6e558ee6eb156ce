"""Dialogs of reviewing: whose findings are and until when, and the signature under a month."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QDate, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QCompleter,
    QDateEdit,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.dialog_buttons import buttons_of
from confere.system.messages import t

_WIDTH = 420
_DAYS = 7  # from today, where no day was agreed before


class AssignDialog(QDialog):
    """`assignee` and `due_on` are what was chosen; None for nobody, or for no day."""

    def __init__(
        self,
        words: str,
        assignee: str,
        due_on: str | None,
        known: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(t("Assign"))
        self.setMinimumWidth(_WIDTH)
        self.who = QLineEdit(assignee)
        self.who.setAccessibleName(t("Assigned to"))
        self.who.setPlaceholderText(t("Name; empty for nobody"))
        completer = QCompleter(list(known), self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.who.setCompleter(completer)
        day = QDate.fromString(due_on or "", Qt.DateFormat.ISODate)
        self.day = QDateEdit(day if day.isValid() else QDate.currentDate().addDays(_DAYS))
        self.day.setCalendarPopup(True)
        self.day.setDisplayFormat("dd/MM/yyyy")
        self.day.setAccessibleName(t("Due day"))
        self.has_day = QCheckBox(t("Until"))
        self.has_day.setChecked(day.isValid())
        self.day.setEnabled(day.isValid())
        self.has_day.toggled.connect(self.day.setEnabled)
        until = QHBoxLayout()
        until.setSpacing(GAP)
        until.addWidget(self.has_day)
        until.addWidget(self.day)
        until.addStretch(1)
        self.does = QPushButton(t("Assign"))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(WIDE_GAP - 4)
        layout.addWidget(label(words, wraps=True))
        layout.addWidget(self.who)
        layout.addLayout(until)
        layout.addWidget(buttons_of(self, self.does))
        self.who.setFocus()

    @property
    def assignee(self) -> str | None:
        return self.who.text().strip() or None

    @property
    def due_on(self) -> date | None:
        chosen = self.day.date()
        return date(chosen.year(), chosen.month(), chosen.day()) if self.has_day.isChecked() else None


class SignDialog(QDialog):
    """`reviewer` and `note` are what was written; without a name the button is off."""

    def __init__(self, words: str, reviewer: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(t("Sign the month"))
        self.setMinimumWidth(_WIDTH)
        self.who = QLineEdit(reviewer)
        self.who.setAccessibleName(t("Reviewer"))
        self.what = QLineEdit()
        self.what.setAccessibleName(t("Note"))
        self.does = QPushButton(t("Sign"))
        form = QFormLayout()
        form.setSpacing(GAP)
        form.addRow(t("Reviewer"), self.who)
        form.addRow(t("Note"), self.what)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(WIDE_GAP - 4)
        layout.addWidget(label(words, wraps=True))
        layout.addLayout(form)
        layout.addWidget(buttons_of(self, self.does))
        self.who.textChanged.connect(self._changed)
        self._changed()
        self.who.setFocus()

    @property
    def reviewer(self) -> str:
        return self.who.text().strip()

    @property
    def note(self) -> str | None:
        return self.what.text().strip() or None

    def _changed(self) -> None:
        self.does.setEnabled(bool(self.reviewer))
