"""Pictures of the dialogs, of what a running job shows, and of what is told above the pages."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

from PySide6.QtCore import QMimeData, QPoint, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent
from PySide6.QtWidgets import QDialog, QMessageBox, QWidget

from confere.app.accounts import accounts
from confere.desktop.core import error_reporting
from confere.desktop.core.actions import Action
from confere.desktop.dialogs.about import AboutDialog
from confere.desktop.dialogs.account import AccountDialog
from confere.desktop.dialogs.account_token import TokenDialog
from confere.desktop.dialogs.export import ExportDialog
from confere.desktop.dialogs.help import HelpWindow
from confere.desktop.jobs.job_requests import sync_order
from confere.desktop.shell.window import MainWindow, may_leave
from confere.desktop.widgets.error_details import FaultDialog
from confere.errors import DiskFull, message
from confere.system.progress import Progress
from tests.desktop.troubled import ACCOUNT
from tests.pictures.camera import Camera


def take(camera: Camera, window: MainWindow, label: str, *, full: bool) -> None:
    """Every dialog of the window, and what covers it for a while."""
    services = window.services
    fault = error_reporting.of_exception(
        DiskFull(
            message("The disk that holds {path} is full.", path="/home/ana/Confere/archive.sqlite3"),
            message("Free some space and run the same command again: it goes on where it stopped."),
        )
    )
    show(camera, window, f"dialog-export-{label}", lambda: ExportDialog(services, window))
    show(camera, window, f"dialog-account-{label}", lambda: AccountDialog(services, parent=window))
    if full:
        show(camera, window, f"dialog-account-filled-{label}", lambda: _filled(window))
        show(camera, window, f"dialog-fault-{label}", lambda: FaultDialog(fault, services.look, window))
        show(camera, window, f"dialog-about-{label}", lambda: AboutDialog(services, window))
        show(camera, window, f"dialog-help-{label}", lambda: HelpWindow(services, window.actions_by_act, window))
        window.go_to(Action.OVERVIEW)
        _running(camera, window, label)
    _drop(camera, window, label)
    services.notices.add_fault(fault)
    window.go_to(Action.OVERVIEW)
    camera.keep(window, f"notice-{label}", services)


def take_token(camera: Camera, window: MainWindow, label: str) -> None:
    """Another token for the account that is not the sandbox's."""
    account = next(entry for entry in accounts.every(window.services.workspace) if entry.name == ACCOUNT)
    show(camera, window, f"dialog-token-{label}", lambda: TokenDialog(window.services, account, window))
    show(camera, window, f"dialog-change-{label}", lambda: AccountDialog(window.services, account, window))


def show(camera: Camera, window: MainWindow, name: str, make: Callable[[], QWidget]) -> None:
    """A picture of the dialog that `make` makes, which is closed again."""
    if not camera.wants(name):
        return
    dialog = make()
    dialog.show()
    camera.keep(dialog, name, window.services)
    if isinstance(dialog, QDialog):
        dialog.done(0)
    else:
        dialog.close()
    dialog.deleteLater()


def _filled(window: MainWindow) -> AccountDialog:
    dialog = AccountDialog(window.services, parent=window)
    dialog.name.setText("matriz")
    dialog.address.setText("http://hub.example.com/v2")  # without TLS, which is said below it
    dialog.platform.setText("plataforma-1")
    dialog.address.textEdited.emit(dialog.address.text())
    dialog.address.editingFinished.emit()
    return dialog


def _running(camera: Camera, window: MainWindow, label: str) -> None:
    """A sync half done, in the status bar and among the activities, and the question before the window closes."""
    jobs, order = window.services.jobs, sync_order()
    child: Any = SimpleNamespace(order=order, stopping=False)
    what = message("Downloading XML of {account}", account="demo")
    jobs._running.append(child)
    jobs.changed.emit()
    jobs.progressed.emit(order, Progress(what, 1250, 4800, 42.0, 130.0))
    camera.keep(window, f"running-{label}", window.services)
    window.go_to(Action.ACTIVITY)
    jobs.progressed.emit(order, Progress(what, 1300, 4800, 44.0, 128.0))
    camera.keep(window, f"running-activity-{label}", window.services)
    if camera.wants(f"dialog-leaving-{label}"):
        QTimer.singleShot(0, lambda: _leaving(camera, window, f"dialog-leaving-{label}"))
        assert not may_leave(window.services, window)
    jobs._running.remove(child)
    jobs.changed.emit()


def _leaving(camera: Camera, window: MainWindow, name: str) -> None:
    box = cast(QMessageBox, window.findChild(QMessageBox, "leaving"))
    try:
        camera.keep(box, name, window.services)
    finally:
        box.reject()


def _drop(camera: Camera, window: MainWindow, label: str) -> None:
    """Files over the window, before they are let go."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/home/ana/notas.zip")])
    none = Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(640, 400), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, none)
    window.dragEnterEvent(entering)
    camera.keep(window, f"drop-{label}", window.services)
    window.dragLeaveEvent(QDragLeaveEvent())
