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


def test_a_system_brings_its_form_and_what_is_chosen_reaches_the_job(qtbot: QtBot, made: Made) -> None:
    services = made.services
    dialog = ExportDialog(services)
    qtbot.addWidget(dialog)
    qtbot.waitUntil(lambda: not services.reader.busy and dialog.choice is not None)
    plain = dialog.order
    assert plain is not None and not {"--as", "--events", "--bagit", "--with-pdf"} & set(plain.arguments)
    made_as = dialog.made_as
    made_as.system.setCurrentIndex(made_as.system.findData("dominio"))
    assert (made_as.form.currentData(), made_as.events.currentData()) == ("folder", "beside")
    made_as.form.setCurrentIndex(made_as.form.findData("folder+bag"))
    made_as.with_pdf.setChecked(True)
    order = dialog.order
    assert order is not None
    line = " ".join(order.arguments)
    assert "--as folder --events beside --bagit --folder-template {kind}/{direction} --with-pdf" in line
    dialog.accept()
    again = ExportDialog(services)
    qtbot.addWidget(again)
    qtbot.waitUntil(lambda: not services.reader.busy)
    assert again.made_as.system.currentData() == "dominio" and again.made_as.form.currentData() == "folder+bag"
