"""Every version of an order that was received, and what changed from the one before to the one that is chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from confere.app.orders import browse_orders
from confere.app.orders.browse_orders import FieldChange, OrderDetail
from confere.app.orders.order_sections import moment_text, value_text
from confere.app.orders.orders import OrderVersion
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.services import Services
from confere.desktop.widgets.long_list.version_panes import VersionPanes
from confere.desktop.widgets.table import Table, TableColumn
from confere.errors import NC_
from confere.system.messages import render, t
from confere.system.settings import HIDE_PEOPLE

_DIGITS = 12  # of a SHA-256 that are shown


@dataclass(frozen=True, slots=True)
class VersionLine:
    """A version with the one before it; None of the first."""

    number: int
    version: OrderVersion
    before: OrderVersion | None


class VersionsPage(QWidget):
    """The newest version is chosen first; `changes_shown` comes when its changes stand in the table."""

    changes_shown = Signal()

    def __init__(self, services: Services, reader: TopicReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._reader = services, reader
        self._place: tuple[int, str] | None = None
        settings = services.workspace.settings  # asked for each cell: the page stays while the setting changes
        self.versions: Table[VersionLine] = Table(
            "orders/versions",
            t("Versions"),
            _version_columns(),
            lambda line: line.version.position,
            services.look,
            services.memory,
            self,
        )
        self.changes: Table[FieldChange] = Table(
            "orders/changes",
            t("What changed"),
            _change_columns(lambda: settings.get(HIDE_PEOPLE)),
            lambda change: change.path,
            services.look,
            services.memory,
            self,
        )
        panes = VersionPanes(self.versions, self.changes, self.copy_json)
        self.words, self.json = panes.words, panes.json
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(panes)
        self.versions.chosen.connect(self._ask)

    def show_order(self, detail: OrderDetail) -> None:
        """Show the versions of this one; of the same order the same version stays chosen unless a newer one came."""
        row, versions = detail.shown.row, detail.shown.versions
        lines = tuple(
            VersionLine(len(versions) - place, version, versions[place + 1] if place + 1 < len(versions) else None)
            for place, version in enumerate(versions)
        )
        is_same = (row.account_id, row.hub_id) == self._place and lines == self.versions.rows_model.rows
        self._place = (row.account_id, row.hub_id)
        if is_same:
            return
        self.versions.put(lines)
        self.versions.selectRow(0)
        self._ask(self.versions.current)

    def clear(self) -> None:
        self._place = None
        self.versions.put(())
        self.changes.put(())
        self.words.setText("")

    def copy_json(self) -> None:
        """Put the chosen version on the clipboard, as it was received."""
        line = self.versions.current
        if line is not None:
            opened, wanted = self._services.opened, line.version.content_id
            self._reader.ask("json", lambda: browse_orders.version_text(opened, wanted), self._have_json)

    def _have_json(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def _ask(self, line: VersionLine | None) -> None:
        if line is None:
            return
        opened, newer, number = self._services.opened, line.version.content_id, line.number
        older = None if line.before is None else line.before.content_id
        self._reader.ask("changes", lambda: (number, browse_orders.version_changes(opened, older, newer)), self._have)

    def _have(self, answer: tuple[int, tuple[FieldChange, ...]]) -> None:
        number, changes = answer
        self.changes.put(changes)
        if number == 1:
            words = t("The first version that was received, and all that it says:")
        elif changes:
            words = t("From version {before} to version {number}:", before=number - 1, number=number)
        else:
            words = t("Version {number} says the same as the one before it.", number=number)
        self.words.setText(words)
        self.changes_shown.emit()


def _source_word(source: str) -> str:
    return {"hub": t("hub"), "file": t("file")}.get(source, source)


def _version_columns() -> tuple[TableColumn[VersionLine], ...]:
    return (
        TableColumn("number", t("Version"), lambda line: str(line.number), 64, right=True),
        TableColumn("seen", t("Seen"), lambda line: moment_text(line.version.seen_at), 126),
        TableColumn("source", t(NC_("source", "From")), lambda line: _source_word(line.version.source), 70),
        TableColumn(
            "sha256",
            "SHA-256",
            lambda line: line.version.sha256[:_DIGITS],
            70,
            stretches=True,
            rank=1,
            tip=lambda line: line.version.sha256,
            copied=lambda line: line.version.sha256,
        ),
    )


def _change_columns(hides_people: Callable[[], bool]) -> tuple[TableColumn[FieldChange], ...]:
    def shown(change: FieldChange, written: str | None) -> str:
        return value_text(change.path, written, hidden=hides_people())

    def exact(change: FieldChange, written: str | None) -> str:
        """As written, where nobody is hidden by what is shown."""
        return shown(change, written) if hides_people() else written or ""

    return (
        TableColumn(
            "field",
            t("Field"),
            lambda change: change.path if change.label is None else render(change.label),
            190,
            tip=lambda change: change.path,
        ),
        TableColumn(
            "before",
            t("Before"),
            lambda change: shown(change, change.before),
            200,
            tip=lambda change: exact(change, change.before),
        ),
        TableColumn(
            "after",
            t("After"),
            lambda change: shown(change, change.after),
            200,
            stretches=True,
            tip=lambda change: exact(change, change.after),
        ),
    )
