"""Saves an XML where a person wants it: asks for the place, writes beside the window, tells what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from confere.app.documents import save_xml
from confere.desktop.core.file_manager import open_folder
from confere.desktop.services import Services
from confere.desktop.widgets.notices import GOOD
from confere.system.files.safe_names import inside
from confere.system.messages import t

_FOLDER = "details/save_folder"

AskWhere = Callable[[QWidget, Path], Path | None]
"""Asks a person for a file, given the one that is proposed; None when they give up."""


@dataclass(frozen=True, slots=True)
class Content:
    """Bytes in the vault, with the words for them and the name they are saved under."""

    label: str
    sha256: str
    file_name: str


def ask_where(parent: QWidget, proposed: Path) -> Path | None:
    """The system's own dialog, which also asks before a file is replaced."""
    chosen, _ = QFileDialog.getSaveFileName(parent, t("Save XML"), str(proposed), t("XML files (*.xml)"))
    return Path(chosen) if chosen else None


def save(services: Services, parent: QWidget, content: Content, ask: AskWhere = ask_where) -> None:
    """Ask for the place and write the exact bytes there."""
    known = services.memory.text(_FOLDER)
    folder = Path(known) if known and Path(known).is_dir() else Path.home()
    path = ask(parent, inside(folder, content.file_name))
    if path is None:
        return
    services.memory.put(_FOLDER, str(path.parent))
    opened, sha256 = services.opened, content.sha256

    def done(_: None) -> None:
        services.notices.add(
            GOOD,
            t("Saved to {path}.", path=str(path)),
            topic=f"saved {path}",
            action=(t("Open the folder"), lambda: open_folder(path.parent)),
        )

    services.reader.write(lambda: save_xml.save(opened, sha256, path), done)
