"""Shows a folder in the system's own file manager, and a file in the program that the system has for it."""

from __future__ import annotations

from pathlib import Path


def open_folder(folder: Path) -> None:
    """Open it beside the window."""
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QDesktopServices

    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def open_file(file: Path) -> None:
    """Open it as a double click in the file manager would."""
    from PySide6.QtCore import QUrl
    from PySide6.QtGui import QDesktopServices

    QDesktopServices.openUrl(QUrl.fromLocalFile(str(file)))
