"""What a person can do anywhere in the window, as data: title, shortcuts and icon, and the QActions made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from confere.desktop.theme.theme import Look
from confere.errors import N_, Message
from confere.system.messages import render

Standard = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class Command:
    """`keys` are the shortcuts, the first of them shown; a platform's own one where it has one."""

    title: str
    keys: tuple[str | QKeySequence.StandardKey, ...] = ()
    icon: str = ""


class Act(Enum):
    """Every command of the main window."""

    OVERVIEW = Command(N_("Overview"), ("Ctrl+1",), "overview")
    DOCUMENTS = Command(N_("Documents"), ("Ctrl+2",), "documents")
    RECONCILE = Command(N_("Reconcile"), ("Ctrl+3",), "reconcile")
    CLOSING = Command(N_("Closing"), ("Ctrl+4",), "closing")
    ACTIVITY = Command(N_("Activity"), ("Ctrl+5",), "activity")
    SETTINGS = Command(N_("Settings"), ("Ctrl+,", "Ctrl+6"), "settings")
    SEARCH = Command(N_("Search"), (Standard.Find,), "search")
    SYNC = Command(N_("Sync now"), ("F5",), "sync")
    STOP = Command(N_("Stop what is running"), ("Ctrl+.",), "stop")
    RETRY = Command(N_("Retry what failed"), ("Shift+F5",), "retry")
    IMPORT_FILES = Command(N_("Import files…"), (Standard.Open,), "import")
    IMPORT_FOLDER = Command(N_("Import a folder…"), ("Ctrl+Shift+O",), "folder")
    IMPORT_ORDERS = Command(N_("Import orders…"), (), "import")
    RECONCILE_NOW = Command(N_("Reconcile now"), ("F6",), "reconcile")
    EXPORT = Command(N_("Export the month…"), ("Ctrl+E",), "export")
    VERIFY = Command(N_("Check authenticity"), ("F8",), "authentic")
    SAVE_XML = Command(N_("Save XML…"), (Standard.Save,), "save")
    COPY_KEY = Command(N_("Copy the access key"), ("Ctrl+Shift+C",), "key")
    COPY_XML = Command(N_("Copy XML"), ("Ctrl+Alt+C",), "copy")
    BACK = Command(N_("Back to the document before"), ("Alt+Left",), "left")
    FORWARD = Command(N_("Forward again"), ("Alt+Right",), "right")
    EARLIER_MONTH = Command(N_("Earlier month"), ("Ctrl+PgUp",), "left")
    LATER_MONTH = Command(N_("Later month"), ("Ctrl+PgDown",), "right")
    APPEARANCE = Command(N_("Light or dark"), ("Ctrl+Shift+D",), "moon")
    SUMMARY = Command(N_("Summary"), ("Alt+1",), "info")
    ITEMS = Command(N_("Items"), ("Alt+2",), "documents")
    HISTORY = Command(N_("History"), ("Alt+3",), "clock")
    RELATIONS = Command(N_("Relations"), ("Alt+4",), "link")
    XML = Command(N_("XML"), ("Alt+5",), "xml")
    PDF = Command(N_("PDF"), ("Alt+6",), "documents")
    DETAILS = Command(N_("Show or hide the details"), ("F9",), "columns")
    HELP = Command(N_("Help"), ("F1",), "help")
    ABOUT = Command(N_("About Confere"), (), "info")
    QUIT = Command(N_("Quit"), (Standard.Quit, "Ctrl+Q"), "close")


# The order of the sidebar.
PLACES = (Act.OVERVIEW, Act.DOCUMENTS, Act.RECONCILE, Act.CLOSING, Act.ACTIVITY, Act.SETTINGS)

# The pages of a document, by the name that the details know each by.
TABS = {
    Act.SUMMARY: "summary",
    Act.ITEMS: "items",
    Act.HISTORY: "history",
    Act.RELATIONS: "relations",
    Act.XML: "xml",
    Act.PDF: "pdf",
}

# The order of the window's menu; None parts groups.
MENU: tuple[Act | None, ...] = (
    Act.SYNC,
    Act.RETRY,
    Act.STOP,
    None,
    Act.IMPORT_FILES,
    Act.IMPORT_FOLDER,
    Act.IMPORT_ORDERS,
    Act.EXPORT,
    Act.VERIFY,
    Act.RECONCILE_NOW,
    None,
    Act.SEARCH,
    Act.EARLIER_MONTH,
    Act.LATER_MONTH,
    None,
    Act.BACK,
    Act.FORWARD,
    Act.SAVE_XML,
    Act.COPY_XML,
    Act.COPY_KEY,
    None,
    Act.DETAILS,
    Act.APPEARANCE,
    Act.SETTINGS,
    Act.HELP,
    Act.ABOUT,
    None,
    Act.QUIT,
)

Actions = Mapping[Act, QAction]


def make(window: QWidget, look: Look) -> dict[Act, QAction]:
    """The QActions of a window, with shortcuts and icons that follow the palette."""
    made = {}
    for act in Act:
        command = act.value
        action = QAction(render(Message(command.title)), window)
        action.setObjectName(act.name.lower())
        if command.keys:
            action.setShortcuts(_sequences(command.keys))
        window.addAction(action)
        made[act] = action
    _Painter(made, look, window)
    return made


class _Painter(QObject):
    """Belongs to the window, so that a look which outlives it paints no action that is gone."""

    def __init__(self, actions: Actions, look: Look, window: QWidget) -> None:
        super().__init__(window)
        self._actions, self._look = actions, look
        look.changed.connect(self._paint)
        self._paint()

    def _paint(self) -> None:
        for act, action in self._actions.items():
            if act.value.icon:
                action.setIcon(self._look.icon(act.value.icon))


def _sequences(keys: tuple[str | QKeySequence.StandardKey, ...]) -> list[QKeySequence]:
    """The shortcuts without doubles: a platform's own key may be the one that is spelled out."""
    found: list[QKeySequence] = []
    for key in keys:
        for sequence in [QKeySequence(key)] if isinstance(key, str) else QKeySequence.keyBindings(key):
            if sequence not in found and not sequence.isEmpty():
                found.append(sequence)
    return found
