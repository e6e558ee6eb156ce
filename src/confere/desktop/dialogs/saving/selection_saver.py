"""Saves many rows of a list at once: asks for the place, and gives the work to a child process beside the window."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from PySide6.QtWidgets import QWidget

from confere.desktop.jobs.job_requests import SavedForm, SavedList, selection_order
from confere.desktop.services import Services
from confere.desktop.widgets.long_list.selection_bar import BarCommand
from confere.system.files.safe_names import inside, segment
from confere.system.messages import t

KEYS: Final = "keys"  # the command that copies access keys; the others are forms of `SavedForm`
FILES: Final = "files"  # the one that copies files
_FOLDER: Final = "documents/save_folder"


class PlaceDialogs(NamedTuple):
    """How a person is asked for a file (parent, title, proposed, filter) and for a folder (parent, title, proposed);
    None when they give up."""

    file: Callable[[QWidget, str, Path, str], Path | None]
    folder: Callable[[QWidget, str, Path], Path | None]


class SavableList(NamedTuple):
    """A list as a person saves rows of it: what so many rows are called, and the first word of a file's name."""

    list: SavedList
    count_text: Callable[[int], str]
    name: str


def _ask_file(parent: QWidget, title: str, proposed: Path, kinds: str) -> Path | None:
    """The system's own dialog, which also asks before a file is replaced."""
    from PySide6.QtWidgets import QFileDialog

    chosen, _ = QFileDialog.getSaveFileName(parent, title, str(proposed), kinds)
    return Path(chosen) if chosen else None


def _ask_folder(parent: QWidget, title: str, proposed: Path) -> Path | None:
    from PySide6.QtWidgets import QFileDialog

    chosen = QFileDialog.getExistingDirectory(parent, title, str(proposed))
    return Path(chosen) if chosen else None


SYSTEM_DIALOGS: Final = PlaceDialogs(_ask_file, _ask_folder)


def document_commands() -> tuple[BarCommand, ...]:
    """What is saved of the documents that belong to rows."""
    return (
        BarCommand(
            "xml",
            t("Save XML"),
            "save",
            "XML",
            ((SavedForm.ZIP.value, t("As one ZIP…")), (SavedForm.FOLDER.value, t("Into a folder…"))),
        ),
        BarCommand(SavedForm.PDF.value, t("Save PDF"), "print", "PDF"),
        BarCommand(FILES, t("Copy files, to paste them into a folder or an e-mail"), "copy", t("Copy files")),
    )


def table_command() -> BarCommand:
    """The table of the rows themselves."""
    return BarCommand(
        "table",
        t("Spreadsheet"),
        "columns",
        t("Spreadsheet"),
        ((SavedForm.XLSX.value, t("Spreadsheet (XLSX)…")), (SavedForm.CSV.value, t("CSV file…"))),
    )


def keys_command() -> BarCommand:
    """The access keys, as text."""
    return BarCommand(KEYS, t("Copy keys"), "key", "")


def save(
    services: Services,
    parent: QWidget,
    listed: SavableList,
    ids: array[int],
    form: SavedForm,
    ask: PlaceDialogs = SYSTEM_DIALOGS,
) -> bool:
    """Ask where these rows of the archive go and begin; whether a person chose a place."""
    if not ids:
        return False
    title = t("Save {what}", what=listed.count_text(len(ids)))
    known = services.memory.text(_FOLDER)
    folder = Path(known) if known and Path(known).is_dir() else Path.home()
    if form in (SavedForm.FOLDER, SavedForm.PDF):
        target = ask.folder(parent, title, folder)
    else:
        ending = f".{form.value}"
        kinds = {
            SavedForm.ZIP: t("ZIP files (*.zip)"),
            SavedForm.XLSX: t("Spreadsheets (*.xlsx)"),
            SavedForm.CSV: t("CSV files (*.csv)"),
        }[form]
        target = ask.file(parent, title, inside(folder, _proposed(services, listed) + ending), kinds)
        if target is not None and target.suffix.lower() != ending:
            target = target.with_name(target.name + ending)
    if target is None:
        return False
    services.memory.put(_FOLDER, str(target if form in (SavedForm.FOLDER, SavedForm.PDF) else target.parent))
    services.jobs.start(selection_order(form, ids, target, listed.list))
    return True


def _proposed(services: Services, listed: SavableList) -> str:
    """A name that tells what it is of, company and month."""
    scope = services.scope
    return segment("-".join(filter(None, (listed.name, scope.company, scope.month))))
