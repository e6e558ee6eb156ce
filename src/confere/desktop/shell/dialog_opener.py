"""Opens the dialogs of the main window; their modules are loaded when somebody wants one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from confere.desktop.core.actions import Action, Actions
from confere.desktop.services import Services
from confere.desktop.widgets.notices import WARN
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.desktop.dialogs.export import ExportDialog
    from confere.desktop.dialogs.help import HelpWindow
    from confere.desktop.dialogs.order_import import OrderImportDialog
    from confere.desktop.shell.window import MainWindow


class Dialogs(QObject):
    """Belongs to one window."""

    def __init__(self, services: Services, actions: Actions, window: MainWindow) -> None:
        super().__init__(window)
        self._services, self._actions, self._window = services, actions, window
        self._help: HelpWindow | None = None

    def export(self) -> None:
        """Choose what to export; it begins once the dialog is accepted."""
        from confere.desktop.dialogs.export import ExportDialog

        if not self._services.opened.exists:
            self._services.notices.add(WARN, t("There is nothing to export yet: sync or import first."), topic="export")
            return
        dialog = ExportDialog(self._services, self._window)
        dialog.finished.connect(lambda result: self._export_chosen(dialog, result))
        dialog.open()

    def import_orders(self, account: str | None = None) -> None:
        """Choose a list of orders and say what its columns mean; it begins once the dialog is accepted."""
        from confere.desktop.dialogs.order_import import OrderImportDialog

        dialog = OrderImportDialog(self._services, account, self._window)
        dialog.finished.connect(lambda result: self._orders_chosen(dialog, result))
        dialog.open()

    def report(self, account: str | None) -> None:
        """Where the spreadsheet of a reconciliation goes; it begins once that is known."""
        from confere.desktop.reconcile.report_dialog import ask_report

        ask_report(self._services, account, self._window)

    def add_account(self, then: Callable[[], None]) -> None:
        """Connect an account; `then` is done when the dialog is closed."""
        from confere.desktop.dialogs.account import AccountDialog

        dialog = AccountDialog(self._services, parent=self._window)
        dialog.finished.connect(then)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def about(self) -> None:
        from confere.desktop.dialogs.about import AboutDialog

        dialog = AboutDialog(self._services, self._window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def palette(self) -> None:
        """Everything that can be done, by a few letters of its name."""
        from confere.desktop.shell.command_palette.palette_dialog import PaletteDialog
        from confere.desktop.shell.command_palette.palette_entries import entries_of

        dialog = PaletteDialog(self._services, entries_of(self._window), self._window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def help(self, place: Action) -> None:
        """The help, at what this place is about."""
        from confere.desktop.dialogs.help import HelpWindow
        from confere.desktop.dialogs.help_pages import TOPIC_OF

        if self._help is None:
            self._help = HelpWindow(self._services, self._actions, self._window)
        self._help.open_at(TOPIC_OF.get(place, ""))

    def _export_chosen(self, dialog: ExportDialog, result: int) -> None:
        from PySide6.QtWidgets import QDialog

        order = dialog.order
        if result == QDialog.DialogCode.Accepted and order is not None:
            self._services.jobs.start(order)
        dialog.deleteLater()

    def _orders_chosen(self, dialog: OrderImportDialog, result: int) -> None:
        from PySide6.QtWidgets import QDialog

        order = dialog.order
        if result == QDialog.DialogCode.Accepted and order is not None:
            self._services.jobs.start(order)
        dialog.deleteLater()
