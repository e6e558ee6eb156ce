"""The dialog with an error's details, which a person copies when asking for help."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from confere.desktop.core.error_reporting import Fault
from confere.desktop.theme.measures import WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.plain_text import Label
from confere.system.messages import t


class FaultDialog(QDialog):
    """Title, what happened, what to do, and the details as text to copy."""

    def __init__(self, fault: Fault, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(fault.title)
        self.setMinimumWidth(560)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, WIDE_GAP, WIDE_GAP, WIDE_GAP)
        layout.setSpacing(12)
        heading = Label()
        heading.setText(fault.title)
        heading.setProperty("rank", "heading")
        layout.addWidget(heading)
        for text in (fault.what, fault.remedy):
            if text:
                label = Label()
                label.setText(text)
                label.setWordWrap(True)
                layout.addWidget(label)
        self.details = QPlainTextEdit(fault.details)
        self.details.setReadOnly(True)
        self.details.setAccessibleName(t("Details of the error"))
        self.details.setMinimumHeight(180)
        layout.addWidget(self.details)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy = QPushButton(look.icon("copy"), t("Copy the details"))
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(fault.details))
        self.copy.setAutoDefault(False)  # Enter closes
        buttons.addButton(self.copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons)
        buttons.button(QDialogButtonBox.StandardButton.Close).setDefault(True)


def show_fault(fault: Fault, look: Look, parent: QWidget | None) -> FaultDialog:
    """Open the dialog beside the window, which stays usable."""
    dialog = FaultDialog(fault, look, parent)
    dialog.setModal(False)
    dialog.show()
    dialog.finished.connect(dialog.deleteLater)
    return dialog
