"""Asks before a window closes over work that runs."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from confere.desktop.services import Services
from confere.system.messages import t

_ICON = 32


def may_leave(services: Services, parent: QWidget) -> bool:
    """True where nothing runs, or where the person wants it stopped; what was received is kept either way."""
    asked = [order for order in (*services.jobs.running, *services.jobs.waiting) if not order.quiet]
    if not asked:
        return True
    titles = ", ".join(order.title for order in asked)
    box = QMessageBox(parent)
    box.setObjectName("leaving")
    box.setIconPixmap(services.look.picture("help", "accent", _ICON, parent.devicePixelRatioF()))
    box.setWindowTitle(t("Work is still running"))
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(t("{titles}: still running.", titles=titles))
    box.setInformativeText(t("Everything received so far is kept; started again, it goes on from there."))
    stop = box.addButton(t("Stop and close"), QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton(t("Keep the window open"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    box.exec()
    box.deleteLater()  # a window that stays open would keep each one
    return box.clickedButton() is stop
