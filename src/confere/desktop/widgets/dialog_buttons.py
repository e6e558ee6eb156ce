"""The row of buttons of a dialog that does one thing, or nothing."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton

from confere.system.messages import t


def buttons_of(dialog: QDialog, does: QPushButton) -> QDialogButtonBox:
    """Cancel, and `does`: what the dialog is for, which Enter presses too."""
    # With its dialog from the start: a button that is in none yet becomes nobody's default.
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, dialog)
    box.button(QDialogButtonBox.StandardButton.Cancel).setText(t("Cancel"))
    does.setProperty("look", "primary")
    box.addButton(does, QDialogButtonBox.ButtonRole.AcceptRole)
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    does.setDefault(True)
    submit_by_keys(dialog, does)
    return box


def submit_by_keys(dialog: QDialog, does: QPushButton) -> None:
    """Ctrl+Enter presses `does` too, also out of a text in which Enter begins a line."""
    for keys in ("Ctrl+Return", "Ctrl+Enter"):
        QShortcut(QKeySequence(keys), dialog, does.click)
