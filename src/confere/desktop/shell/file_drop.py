"""Files dropped onto the window, or chosen in a dialog, become an import; a hint says so while they are dragged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtWidgets import QLabel, QWidget

from confere.desktop.jobs.job_requests import import_order
from confere.desktop.services import Services
from confere.system.messages import t


class DropHint(QLabel):
    """Covers `over` while files are dragged above it, and says what letting them go does."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.setObjectName("dropHint")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setText(t("Drop XML, ZIP or folders here to import them"))
        self.hide()

    def cover(self) -> None:
        """Show it over everything that is there now."""
        self.setGeometry(self._over.rect())
        self.raise_()
        self.show()


def paths_of(data: QMimeData) -> list[Path]:
    """The files and folders that are dragged; links to elsewhere are none."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile() and url.toLocalFile()]


def import_paths(services: Services, paths: Sequence[Path]) -> None:
    """Order the import of these; nothing where there are none."""
    if paths:
        services.jobs.start(import_order(paths))


def choose_files(services: Services, parent: QWidget) -> None:
    """Ask which files to import."""
    from PySide6.QtWidgets import QFileDialog

    names, _ = QFileDialog.getOpenFileNames(
        parent,
        t("Import files"),
        services.memory.text("import/folder"),
        f"{t('Fiscal documents')} (*.xml *.zip *.XML *.ZIP);;{t('All files')} (*)",
    )
    if names:
        services.memory.put("import/folder", str(Path(names[0]).parent))
        import_paths(services, [Path(name) for name in names])


def choose_folder(services: Services, parent: QWidget) -> None:
    """Ask which folder to import."""
    from PySide6.QtWidgets import QFileDialog

    name = QFileDialog.getExistingDirectory(parent, t("Import a folder"), services.memory.text("import/folder"))
    if name:
        services.memory.put("import/folder", name)
        import_paths(services, [Path(name)])
