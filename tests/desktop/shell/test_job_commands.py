"""After a job the keyboard is where it was before; Ctrl+Enter does what a dialog with a text is for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QToolButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from confere.desktop.closing.close_dialog import ReopenDialog
from confere.desktop.core import actions
from confere.desktop.core.actions import Action
from confere.desktop.reconcile.decisions.reason_dialogs import ReasonDialog
from confere.desktop.services import Services
from confere.desktop.shell.job_commands import JobCommands
from tests.desktop.conftest import Made
from tests.desktop.reaching import activate


class Running(QObject):
    """Jobs, of which one runs or none."""

    changed = Signal()
    busy = False

    def has(self, _kind: object) -> bool:
        return self.busy

    def now(self, busy: bool) -> None:
        self.busy = busy
        self.changed.emit()


def _with(services: Services, jobs: Running) -> Services:
    return services._replace(jobs=jobs)  # type: ignore[arg-type]


@pytest.mark.parametrize("goes", [False, True])
def test_the_keyboard_comes_back_unless_somebody_went_elsewhere(qtbot: QtBot, made: Made, goes: bool) -> None:
    window, jobs = QWidget(), Running()
    qtbot.addWidget(window)
    known = actions.make(window, made.services.look)
    column = QVBoxLayout(window)
    sync, other, third = QToolButton(), QToolButton(), QToolButton()
    sync.setDefaultAction(known[Action.SYNC])
    for button in (sync, other, third):
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        column.addWidget(button)
    JobCommands(_with(made.services, jobs), known, window)
    window.show()
    activate(qtbot, window)
    sync.setFocus()
    jobs.now(True)
    assert window.focusWidget() is other
    jobs.now(True)
    if goes:
        third.setFocus()
    jobs.now(False)
    assert window.focusWidget() is (third if goes else sync)


def _reopen() -> tuple[QDialog, QWidget]:
    dialog = ReopenDialog("2026-10")
    return dialog, dialog.reason


def _reason() -> tuple[QDialog, QWidget]:
    dialog = ReasonDialog("Explain", "Why?", "Explain it", needed=True)
    return dialog, dialog.edit


@pytest.mark.parametrize("make", [_reopen, _reason])
@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_ctrl_enter_submits_a_text(qtbot: QtBot, make: object, key: Qt.Key) -> None:
    dialog, text = make()  # type: ignore[operator]
    qtbot.addWidget(dialog)
    dialog.show()
    activate(qtbot, dialog)
    QTest.keyClick(text, key, Qt.KeyboardModifier.ControlModifier)
    assert dialog.isVisible()  # no reason, no deed
    QTest.keyClicks(text, "Because")
    QTest.keyClick(text, Qt.Key.Key_Return)
    QTest.keyClicks(text, "so")
    QTest.keyClick(text, key, Qt.KeyboardModifier.ControlModifier)
    assert dialog.result() == QDialog.DialogCode.Accepted
    assert text.toPlainText() == "Because\nso"  # type: ignore[attr-defined]
