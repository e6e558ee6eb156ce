"""The report of an earlier crash: offered, shown whole, saved only where somebody says, and never sent."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from confere.app.maintenance.crash_report import EarlierCrash
from confere.desktop.shell.overlay import crash_offer
from confere.desktop.shell.overlay.crash_offer import ReportDialog
from confere.desktop.widgets.notices import GOOD, WARN, Notice
from tests.desktop.conftest import Made

CRASH = EarlierCrash("2026-11-25T10:00:00Z", "Confere: a window that ended\n")


def test_it_is_offered_shown_and_saved(
    qtbot: QtBot, made_empty: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Notice] = []
    made_empty.services.notices.added.connect(told.append)
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    crash_offer.offer(made_empty.services, CRASH, lambda: window)
    assert told[0].kind == WARN
    assert told[0].action is not None
    told[0].action[1]()
    (dialog,) = window.findChildren(ReportDialog)
    assert dialog.text.toPlainText() == CRASH.report
    target = tmp_path / "report.txt"
    answers = ["", str(tmp_path / "none" / "report.txt"), str(target)]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (answers.pop(0), ""))
    for _ in range(2):
        dialog.save.click()
        assert dialog.isVisible()
    assert len(made_empty.faults) == 1  # of a folder that is not there
    dialog.save.click()
    assert target.read_text(encoding="utf-8") == CRASH.report
    assert told[-1].kind == GOOD
    qtbot.waitUntil(lambda: not window.findChildren(ReportDialog))
