"""What the tests of reach share: each window and dialog opened on a real archive, and a walk through it by keyboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QProgressBar,
    QTabBar,
    QWidget,
)

from confere.app.accounts import accounts
from confere.app.closing import close_month
from confere.app.documents.browse import DocumentQuery, companies, first
from confere.app.maintenance.crash_report import EarlierCrash
from confere.app.orders.order_moves import OrderMoveKind
from confere.desktop.closing.close_dialog import CloseDialog, ReopenDialog
from confere.desktop.core import activity_sections, error_reporting
from confere.desktop.core.actions import PLACES, TABS, Action
from confere.desktop.dialogs.about import AboutDialog
from confere.desktop.dialogs.account import AccountDialog
from confere.desktop.dialogs.account_token import TokenDialog
from confere.desktop.dialogs.export import ExportDialog
from confere.desktop.dialogs.help import HelpWindow
from confere.desktop.dialogs.order_import import OrderImportDialog
from confere.desktop.dialogs.package.name_templates import NameTemplatesDialog
from confere.desktop.dialogs.period import PeriodDialog
from confere.desktop.jobs.catalog_results import PlannedCount, PlannedPush, PushJobResult
from confere.desktop.orders.filters import OrderFilters
from confere.desktop.reconcile.decisions.decision_commands import Command
from confere.desktop.reconcile.group_list import What
from confere.desktop.services import Services
from confere.desktop.settings.backup_passphrase_dialog import PassphraseDialog
from confere.desktop.settings.home.home_dialog import HomeDialog
from confere.desktop.settings.restore_dialog import RestoreDialog
from confere.desktop.shell.command_palette.palette_dialog import PaletteDialog
from confere.desktop.shell.command_palette.palette_entries import entries_of
from confere.desktop.shell.controller import connected_window
from confere.desktop.shell.overlay.crash_offer import ReportDialog
from confere.desktop.shell.window import MainWindow
from confere.desktop.widgets.error_details import FaultDialog
from confere.desktop.widgets.notices import WARN
from confere.errors import HubAddressRefused, message
from tests.desktop.patient import LONG

TAB = Qt.FocusPolicy.TabFocus
MONTH = "2026-10"  # with documents in every archive that is opened here
CONTROLS = (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView, QTabBar, QProgressBar)


class Bot(Protocol):
    """What is needed of pytest-qt's bot, so that a process without pytest can do the same."""

    def waitUntil(self, callback: Callable[[], bool], *, timeout: int = LONG) -> None: ...

    def addWidget(self, widget: QWidget) -> None: ...


Scene = Callable[[Bot, MainWindow], QWidget]


def settle(qtbot: Bot, services: Services) -> None:
    """Wait for every answer, and for those that an answer asked for."""
    calm = 0
    while calm < 3:
        qtbot.waitUntil(lambda: not services.reader.busy)
        QTest.qWait(20)  # what was answered just now may ask again
        calm = 0 if services.reader.busy else calm + 1


def open_main(qtbot: Bot, services: Services) -> MainWindow:
    """The main window, active and with everything read."""
    window = connected_window(services)
    qtbot.addWidget(window)
    window.show()
    activate(qtbot, window)
    settle(qtbot, services)
    return window


def show_place(qtbot: Bot, window: MainWindow, place: Action) -> QWidget:
    window.go_to(place)
    settle(qtbot, window.services)
    if place is Action.DOCUMENTS:
        qtbot.waitUntil(lambda: window.documents.model.is_settled and not window.documents.table.is_following)
        settle(qtbot, window.services)
    return window


def show_document(qtbot: Bot, window: MainWindow, tab: Action = Action.SUMMARY) -> QWidget:
    """A cancelled note, which has items, events and relations, with this page of it open."""
    show_place(qtbot, window, Action.DOCUMENTS)
    row = first(window.services.opened, DocumentQuery(types=("nfe",), states=("cancelled",)), 1)[0]
    window.details.show_document(row.id)
    window.details.show_tab(TABS[tab])
    settle(qtbot, window.services)
    return window


def open_dialog(qtbot: Bot, services: Services, dialog: QWidget) -> QWidget:
    qtbot.addWidget(dialog)
    dialog.show()
    activate(qtbot, dialog)
    settle(qtbot, services)
    return dialog


def _place(place: Action) -> Scene:
    return lambda qtbot, window: show_place(qtbot, window, place)


def _page(tab: Action) -> Scene:
    return lambda qtbot, window: show_document(qtbot, window, tab)


def _view(view: str) -> Scene:
    def show(qtbot: Bot, window: MainWindow) -> QWidget:
        window.activity.show_view(view)
        return show_place(qtbot, window, Action.ACTIVITY)

    return show


def _section(name: str) -> Scene:
    def show(qtbot: Bot, window: MainWindow) -> QWidget:
        window.settings.show_section(name)
        return show_place(qtbot, window, Action.SETTINGS)

    return show


def _noticed(qtbot: Bot, window: MainWindow) -> QWidget:
    """The overview with a warning that has a next step, and an error with details."""
    notices = window.services.notices
    notices.add(WARN, "3 downloads failed.", action=("Show what failed", lambda: window.go_to(Action.ACTIVITY)))
    notices.add_fault(error_reporting.of_exception(_refusal()))
    return show_place(qtbot, window, Action.OVERVIEW)


def _filtered(qtbot: Bot, window: MainWindow) -> QWidget:
    """The list of one day, with every chip chosen that goes with it."""
    show_place(qtbot, window, Action.DOCUMENTS)
    day = first(window.services.opened, DocumentQuery(), 1)[0].issued_at
    assert day is not None
    window.documents.show_only(day=day[:10], types=("nfe",))
    settle(qtbot, window.services)
    return window


def _nothing_found(qtbot: Bot, window: MainWindow) -> QWidget:
    show_place(qtbot, window, Action.DOCUMENTS)
    window.top.search.put("nonesuchword")
    settle(qtbot, window.services)
    return window


def _export(qtbot: Bot, window: MainWindow) -> QWidget:
    return open_dialog(qtbot, window.services, ExportDialog(window.services, window))


def _templates(qtbot: Bot, window: MainWindow) -> QWidget:
    return open_dialog(qtbot, window.services, NameTemplatesDialog(window.services, window))


def _home(qtbot: Bot, window: MainWindow) -> QWidget:
    return open_dialog(qtbot, window.services, HomeDialog(window.services, None, window))


def _restore(qtbot: Bot, window: MainWindow) -> QWidget:
    return open_dialog(qtbot, window.services, RestoreDialog(window.services, (), window))


def _passphrase(qtbot: Bot, window: MainWindow) -> QWidget:
    return open_dialog(qtbot, window.services, PassphraseDialog(window.services, window))


def _closing(number: int) -> Scene:
    """The tab of the Closing page with this number, of the newest month and all companies; the last one, if fewer."""

    def show(qtbot: Bot, window: MainWindow) -> QWidget:
        window.services.scope.choose(None, MONTH)
        tabs = window.closing.tabs
        tabs.setCurrentIndex(min(number, tabs.count() - 1))
        return show_place(qtbot, window, Action.CLOSING)

    return show


def _closing_company(qtbot: Bot, window: MainWindow) -> QWidget:
    """The checklist of one company, with the proof of each line open."""
    window.services.scope.choose(companies(window.services.opened)[0].tax_id, MONTH)
    window.closing.tabs.setCurrentIndex(0)
    show_place(qtbot, window, Action.CLOSING)
    for row in window.closing.checklist.rows:
        row.fold.setChecked(True)
    return window


def _close_month(qtbot: Bot, window: MainWindow) -> QWidget:
    services = window.services
    previews = close_month.preview(services.opened, MONTH, None, close_month.lacking(services.opened))
    return open_dialog(qtbot, services, CloseDialog(previews, services.memory, window))


def _reopen_month(qtbot: Bot, window: MainWindow) -> QWidget:
    window.services.scope.choose(None, None)  # as the scenes after this one expect it
    return open_dialog(qtbot, window.services, ReopenDialog(MONTH, window))


def _account(qtbot: Bot, window: MainWindow) -> QWidget:
    return open_dialog(qtbot, window.services, AccountDialog(window.services, parent=window))


def _account_change(qtbot: Bot, window: MainWindow) -> QWidget:
    known = accounts.every(window.services.workspace)[0]
    return open_dialog(qtbot, window.services, AccountDialog(window.services, known, window))


def _account_of_three(qtbot: Bot, window: MainWindow) -> QWidget:
    """A new account to which two lines for establishments were added."""
    dialog = AccountDialog(window.services, parent=window)
    open_dialog(qtbot, window.services, dialog)
    for _ in range(2):
        dialog.tax_ids.more.click()
    return dialog


def _token(qtbot: Bot, window: MainWindow) -> QWidget:
    known = accounts.every(window.services.workspace)[0]
    return open_dialog(qtbot, window.services, TokenDialog(window.services, known, window))


def _reconcile(what: What) -> Scene:
    def show(qtbot: Bot, window: MainWindow) -> QWidget:
        window.services.scope.choose(None, None)
        show_place(qtbot, window, Action.RECONCILE)
        window.reconcile.groups.go_to(what)
        settle(qtbot, window.services)
        QTest.qWait(100)  # what is beside follows the list when the keys rest
        settle(qtbot, window.services)
        return window

    return show


def _command(which: Command) -> Scene:
    """The dialog of this command, on a finding that has both sides."""

    def show(qtbot: Bot, window: MainWindow) -> QWidget:
        _reconcile(What.ALL)(qtbot, window)
        page = window.reconcile
        for row in page.findings.rows:
            if row.finding.orders and row.finding.keys:
                page.findings.stand_on(row.id)
                break
        qtbot.waitUntil(page.commands[which].isEnabled)
        settle(qtbot, window.services)
        page.commands[which].trigger()
        dialog = page.deciders.dialog
        assert dialog is not None
        activate(qtbot, dialog)
        settle(qtbot, window.services)
        return dialog

    return show


def _move(kind: OrderMoveKind, status: str) -> Scene:
    """The dialog of this move, on an order of this status."""

    def show(qtbot: Bot, window: MainWindow) -> QWidget:
        window.services.scope.choose(None, None)
        show_place(qtbot, window, Action.ORDERS)
        page = window.orders
        page.filters.show_filters(OrderFilters(statuses=(status,)))
        page.filters.changed.emit(page.filters.filters)
        settle(qtbot, window.services)
        if not page.selected:  # an archive whose every status is another text has none of this status
            page.filters.show_filters(OrderFilters())
            page.filters.changed.emit(page.filters.filters)
            settle(qtbot, window.services)
        page.ask_move(kind)
        dialog = page.dialog
        assert dialog is not None
        activate(qtbot, dialog)
        settle(qtbot, window.services)
        return dialog

    return show


def _catalog_push(qtbot: Bot, window: MainWindow) -> QWidget:
    """A file of which a part would be sent."""
    show_place(qtbot, window, Action.CATALOG)
    window.catalog.push_file()
    dialog = window.catalog.dialog
    assert dialog is not None
    dialog.file.setText("produtos.xlsx")
    dialog.show_preview(
        PushJobResult(lines=3, as_at_hub=1, digest="5bc9", planned=PlannedPush(product=PlannedCount(1, 1)))
    )
    activate(qtbot, dialog)
    return dialog


def _orders_import(qtbot: Bot, window: MainWindow) -> QWidget:
    """A file whose columns are told by their names, and a line that cannot be read."""
    file = window.services.workspace.home.root / "orders.csv"
    file.write_text("Pedido;Data;Total;Obs\n1;03/10/2026;10,00;\n2;40/10/2026;10,00;\n", encoding="utf-8")
    dialog = OrderImportDialog(window.services, None, window)
    dialog.open_file(file)
    return open_dialog(qtbot, window.services, dialog)


def _help(qtbot: Bot, window: MainWindow) -> QWidget:
    return open_dialog(qtbot, window.services, HelpWindow(window.services, window.actions_by_act, window))


def _about(qtbot: Bot, window: MainWindow) -> QWidget:
    return open_dialog(qtbot, window.services, AboutDialog(window.services, window))


def _palette(qtbot: Bot, window: MainWindow) -> QWidget:
    """The command palette, with a part of what it offers."""
    dialog = PaletteDialog(window.services, entries_of(window), window)
    open_dialog(qtbot, window.services, dialog)
    dialog.field.setText("co")
    return dialog


def _period(qtbot: Bot, window: MainWindow) -> QWidget:
    return open_dialog(qtbot, window.services, PeriodDialog("2026-10-31", "2026-10-01", window))


def _report(qtbot: Bot, window: MainWindow) -> QWidget:
    crash = EarlierCrash("2026-10-31T10:00:00Z", "Confere\n" * 90)
    return open_dialog(qtbot, window.services, ReportDialog(window.services, crash, window))


def _fault(qtbot: Bot, window: MainWindow) -> QWidget:
    dialog = FaultDialog(error_reporting.of_exception(_refusal()), window.services.look, window)
    return open_dialog(qtbot, window.services, dialog)


def _removal(qtbot: Bot, window: MainWindow) -> QWidget:
    """The question before an account goes."""
    _section("accounts")(qtbot, window)
    cards = window.settings.accounts.cards
    window.settings.accounts.ask_for("remove", next(iter(cards)))
    dialog = window.settings.accounts.dialog
    assert dialog is not None
    activate(qtbot, dialog)
    return dialog


def _refusal() -> HubAddressRefused:
    return HubAddressRefused(message("The address is none."), message("Copy it from the hub."))


FILLED: dict[str, Scene] = {
    "overview": _place(Action.OVERVIEW),
    "overview with notices": _noticed,
    "documents": _place(Action.DOCUMENTS),
    "documents of a day": _filtered,
    "documents none": _nothing_found,
    **{f"details {name}": _page(tab) for tab, name in TABS.items()},
    **{f"reconcile {what}": _reconcile(what) for what in (What.ALL, What.TIES)},
    "reconcile link": _command(Command.LINK),
    "reconcile write back": _command(Command.WRITE),
    "orders": _place(Action.ORDERS),
    "orders shipped": _move(OrderMoveKind.SHIPPED, "PAID_WAITING_DELIVERY"),
    "orders cancelled": _move(OrderMoveKind.CANCELLED, "PAID_WAITING_DELIVERY"),
    "orders import": _orders_import,
    "catalog": _place(Action.CATALOG),
    "catalog push": _catalog_push,
    "closing": _place(Action.CLOSING),
    **{f"closing {number}": _closing(number) for number in range(4)},
    "closing company": _closing_company,
    "closing close": _close_month,
    "closing reopen": _reopen_month,
    **{
        f"activity {view}": _view(view)
        for view in (
            activity_sections.RUNS,
            activity_sections.FAILED,
            activity_sections.NOT_OFFERED,
            activity_sections.UNREADABLE,
            activity_sections.TRAIL,
        )
    },
    **{f"settings {name}": _section(name) for name in ("accounts", "archive", "schedule", "terms", "names", "look")},
    "export": _export,
    "templates": _templates,
    "home": _home,
    "restore": _restore,
    "passphrase": _passphrase,
    "account": _account,
    "account of three": _account_of_three,
    "account change": _account_change,
    "token": _token,
    "help": _help,
    "about": _about,
    "palette": _palette,
    "period": _period,
    "report": _report,
    "fault": _fault,
    "removal": _removal,
}

EMPTY: dict[str, Scene] = {
    **{place.name.lower(): _place(place) for place in PLACES},
    "account": _account,
    "export": _export,
}


def every_scene(qtbot: Bot, window: MainWindow, scenes: dict[str, Scene]) -> Iterator[tuple[str, QWidget]]:
    """Each of them with its name, one after the other in this window; a dialog is closed before the next one."""
    for name, scene in scenes.items():
        shown = scene(qtbot, window)
        yield name, shown
        if shown is not window:
            if shiboken6.isValid(shown):  # one that was answered is gone
                shown.close()
            activate(qtbot, window)


def activate(qtbot: Bot, window: QWidget) -> None:
    """Give it the keyboard, as after a dialog or a menu."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def controls(window: QWidget) -> list[QWidget]:
    """Whatever can be clicked, typed into or walked to in this window and is to be seen."""
    found = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.window() is window
        and widget.isVisibleTo(window)
        and not _is_part(widget)
        and (isinstance(widget, CONTROLS) or widget.focusPolicy() & TAB)
    ]
    return [widget for widget in found if widget.width() > 0 and widget.height() > 0]


def stops(window: QWidget) -> list[QWidget]:
    """Of these, those that Tab has to come to: what is in use by keyboard now."""
    return [widget for widget in controls(window) if widget.isEnabled() and widget.focusPolicy() & TAB]


def walk(window: QWidget, key: Qt.Key, most: int) -> Iterator[QWidget]:
    """Where the keyboard stands after each press of `key`, until it comes back to where it began; at most so many.

    A text with links keeps the keyboard for a press a link.
    """
    began, has_left = standing(), False
    for _ in range(most):
        QTest.keyClick(standing(), key)
        yield standing()
        has_left = has_left or standing() is not began
        if has_left and standing() is began:
            return


def standing() -> QWidget:
    """What has the keyboard."""
    found = QApplication.focusWidget()
    assert found is not None, "nothing has the keyboard"
    return found


def name_of(widget: QWidget) -> str:
    """What a screen reader calls it."""
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name).strip()


def where(widget: QWidget) -> str:
    """The widget for people who mend: its class and text, inside which of ours."""
    parts = []
    at: QWidget | None = widget
    while at is not None and len(parts) < 4:
        text = at.property("text")
        parts.append(f"{type(at).__name__}" + (f"({str(text)[:40]!r})" if text else ""))
        at = at.parentWidget()
    return " in ".join(parts)


def _is_part(widget: QWidget) -> bool:
    """Belongs to a control of Qt's own, which answers for it: its viewport, scroll bar, inner field or clear button."""
    parent = widget.parentWidget()
    inner = widget.objectName().startswith("qt_") and widget.objectName() != "qt_tabwidget_tabbar"
    return (
        inner
        or isinstance(widget, QHeaderView)
        or isinstance(parent, (QLineEdit, QComboBox, QTabBar, QAbstractItemView))
    )
