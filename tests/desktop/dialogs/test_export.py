"""The export dialog as a person fills it in."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from pytestqt.qtbot import QtBot

from confere.app.documents import browse
from confere.desktop.dialogs.export import ExportDialog
from tests.desktop.conftest import Made


def test_another_company_is_offered_its_own_months(qtbot: QtBot, made: Made) -> None:
    services = made.services
    first, other = (entry.tax_id for entry in browse.companies(services.opened)[:2])
    months = [entry.month for entry in browse.months(services.opened, first)]
    with closing(sqlite3.connect(services.workspace.home.archive)) as archive, archive:
        archive.execute("DELETE FROM belonging WHERE tax_id = ? AND issued_on LIKE ?", (first, f"{months[0]}-%"))
    services.scope.choose(first, months[1])
    dialog = ExportDialog(services)
    qtbot.addWidget(dialog)

    def offered() -> list[str]:
        qtbot.waitUntil(lambda: not services.reader.busy)
        return [dialog.month.itemData(place) for place in range(dialog.month.count())]

    assert offered() == months[1:]
    dialog.company.setCurrentIndex(dialog.company.findData(other))
    assert offered() == [entry.month for entry in browse.months(services.opened, other)]
    assert months[0] in offered()
    assert dialog.month.currentData() == months[1]  # what was chosen stays so where it can
    assert dialog.choice is not None
    assert (dialog.choice.company, dialog.choice.options.month) == (other, months[1])
