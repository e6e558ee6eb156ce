"""Every version of a product that was received, and what changed with the one that is chosen."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from confere.app.catalog import browse_catalog
from confere.app.catalog.browse_catalog import ProductChange, ShownProduct
from confere.desktop.catalog.detail_tables import ProductVersionLine, change_columns, version_columns
from confere.desktop.core.reader_topics import TopicReader
from confere.desktop.services import Services
from confere.desktop.widgets.long_list.version_panes import VersionPanes
from confere.desktop.widgets.table import Table
from confere.system.messages import t


class ProductVersions(QWidget):
    """The newest version is chosen first."""

    def __init__(self, services: Services, reader: TopicReader, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services, self._reader = services, reader
        look, memory = services.look, services.memory
        self.versions: Table[ProductVersionLine] = Table(
            "catalog/versions", t("Versions"), version_columns(), lambda line: line.number, look, memory, self
        )
        self.changes: Table[ProductChange] = Table(
            "catalog/changes",
            t("What changed"),
            change_columns(),
            lambda change: (change.field, change.code),
            look,
            memory,
            self,
        )
        self.panes = VersionPanes(self.versions, self.changes, self.copy_json)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.panes)
        self.setFocusProxy(self.versions)
        self.versions.chosen.connect(self._show)

    def show_product(self, shown: ShownProduct) -> None:
        """Show the versions of this one, the newest chosen."""
        count = len(shown.versions)
        lines = tuple(ProductVersionLine(count - place, version) for place, version in enumerate(shown.versions))
        if lines != self.versions.rows_model.rows:
            self.versions.put(lines)
            self.versions.selectRow(0)
        self._show(self.versions.current)

    def clear(self) -> None:
        self.versions.put(())
        self.changes.put(())
        self.panes.words.setText("")

    def copy_json(self) -> None:
        """Put the chosen version on the clipboard, as it was received."""
        line = self.versions.current
        if line is not None:
            opened, wanted = self._services.opened, line.shown.version.content_id
            self._reader.ask("json", lambda: browse_catalog.version_text(opened, wanted), _put)

    def _show(self, line: ProductVersionLine | None) -> None:
        if line is None:
            return
        self.changes.put(line.shown.changes)
        if line.number == 1:
            words = t("The first version that was received.")
        elif line.shown.changes:
            words = t("From version {before} to version {number}:", before=line.number - 1, number=line.number)
        else:
            words = t("Version {number} differs only in fields that Confere does not compare.", number=line.number)
        self.panes.words.setText(words)


def _put(text: str) -> None:
    QGuiApplication.clipboard().setText(text)
