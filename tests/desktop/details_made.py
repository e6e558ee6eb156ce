"""What the tests of the details share: the panel on the synced archive, documents of it, files brought in."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from confere.app.documents import browse, import_files
from confere.app.documents.browse import DocumentQuery, DocumentRow
from confere.desktop.core import actions
from confere.desktop.core.actions import Action, Actions
from confere.desktop.details.panel import DetailsPanel
from confere.desktop.services import Services

EVERYTHING = DocumentQuery()


class Shown:
    """A panel in a window, with the commands of that window."""

    def __init__(self, qtbot: QtBot, services: Services) -> None:
        self.qtbot, self.services = qtbot, services
        self.window = QWidget()
        qtbot.addWidget(self.window, before_close_func=lambda _: self.panel.end_work())
        self.actions: Actions = actions.make(self.window, services.look)
        self.panel = DetailsPanel(services, self.actions, self.window)
        self.went: list[int] = []
        self.panel.navigated.connect(self.went.append)
        self.window.resize(420, 720)
        self.panel.resize(420, 720)
        self.window.show()

    def rest(self) -> None:
        """Wait until nothing is being asked any more."""
        self.qtbot.waitUntil(lambda: not self.services.reader.busy)

    def show(self, document_id: int) -> None:
        self.panel.show_document(document_id)
        self.rest()

    def do(self, act: Action) -> None:
        self.actions[act].trigger()
        self.rest()

    @property
    def row(self) -> DocumentRow | None:
        return None if self.panel.current is None else self.panel.current.row


def one(services: Services, **wanted: object) -> DocumentRow:
    """The newest document of the archive with these filters."""
    found = browse.first(services.opened, replace(EVERYTHING, **wanted), 1)  # type: ignore[arg-type]
    assert found, wanted
    return found[0]


def bring_in(services: Services, folder: Path, *files: bytes) -> None:
    """Import these files into the test's own archive."""
    folder.mkdir(exist_ok=True)
    for number, data in enumerate(files):
        (folder / f"{number}.xml").write_bytes(data)
    import_files.import_paths(services.workspace, [folder])


def with_event(services: Services, code: str) -> DocumentRow:
    """The newest document that has an event of this code."""
    with closing(sqlite3.connect(services.workspace.home.archive)) as archive:
        keys = {key for (key,) in archive.execute("SELECT access_key FROM event WHERE code = ?", (code,))}
    return next(row for row in browse.first(services.opened, EVERYTHING, 2000) if row.access_key in keys)


def freight(services: Services) -> tuple[DocumentRow, str]:
    """A CT-e and the key of a note it carries that is here too."""
    for row in browse.first(services.opened, replace(EVERYTHING, types=("cte",)), 2000):
        for entry in browse.full(services.opened, row.id).relations:
            if entry.archived:
                return row, entry.target_key
    raise AssertionError
