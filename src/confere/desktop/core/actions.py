"""What a person can do anywhere in the window, as data: title, shortcuts and icon, and the QActions made of it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from confere.desktop.theme.theme import Look
from confere.errors import N_, Message
from confere.system.messages import render

Standard = QKeySequence.StandardKey


class WindowCommand(NamedTuple):
    """`keys` are the shortcuts, the first of them shown; a platform's own one where it has one.

    `why_not` says why it cannot be done where it is disabled.
    """

    title: str
    keys: tuple[str | QKeySequence.StandardKey, ...] = ()
    icon: str = ""
    why_not: str = ""


_NO_DOCUMENT = N_("No document is open whose XML is here.")
_NO_ARCHIVE = N_("There is no archive yet: sync or import first.")
_SYNCING = N_("A sync is running already.")


class Action(Enum):
    """Every command of the main window."""

    OVERVIEW = WindowCommand(N_("Overview"), ("Ctrl+1",), "overview")
    DOCUMENTS = WindowCommand(N_("Documents"), ("Ctrl+2",), "documents")
    ORDERS = WindowCommand(N_("Orders"), ("Ctrl+3",), "orders")
    CATALOG = WindowCommand(N_("Catalog"), ("Ctrl+4",), "catalog")
    RECONCILE = WindowCommand(N_("Reconcile"), ("Ctrl+5",), "reconcile")
    CLOSING = WindowCommand(N_("Closing"), ("Ctrl+6",), "closing")
    ACTIVITY = WindowCommand(N_("Activity"), ("Ctrl+7",), "activity")
    SETTINGS = WindowCommand(N_("Settings"), ("Ctrl+,", "Ctrl+8"), "settings")
    SEARCH = WindowCommand(N_("Search"), (Standard.Find,), "search")
    SAVE_SEARCH = WindowCommand(N_("Save this search…"), ("Ctrl+D",), "star")
    PALETTE = WindowCommand(N_("All commands…"), ("Ctrl+K",), "search")
    SYNC = WindowCommand(N_("Sync now"), ("F5",), "sync", _SYNCING)
    STOP = WindowCommand(N_("Stop what is running"), ("Ctrl+.",), "stop", N_("Nothing is running."))
    RETRY = WindowCommand(N_("Retry what failed"), ("Shift+F5",), "retry", _SYNCING)
    IMPORT_FILES = WindowCommand(N_("Import files…"), (Standard.Open,), "import")
    IMPORT_FOLDER = WindowCommand(N_("Import a folder…"), ("Ctrl+Shift+O",), "folder")
    IMPORT_ORDERS = WindowCommand(N_("Import orders…"), (), "import")
    RECONCILE_NOW = WindowCommand(
        N_("Reconcile now"), ("F6",), "reconcile", N_("There is nothing to reconcile yet, or it is being done already.")
    )
    EXPORT = WindowCommand(N_("Export the month…"), ("Ctrl+E",), "export")
    VERIFY = WindowCommand(N_("Check authenticity"), ("F8",), "authentic", _NO_ARCHIVE)
    SAVE_XML = WindowCommand(N_("Save XML…"), (Standard.Save,), "save", _NO_DOCUMENT)
    COPY_KEY = WindowCommand(N_("Copy the access key"), ("Ctrl+Shift+C",), "key")
    COPY_XML = WindowCommand(N_("Copy XML"), ("Ctrl+Alt+C",), "copy", _NO_DOCUMENT)
    BACK = WindowCommand(
        N_("Back to the document before"), ("Alt+Left",), "left", N_("There is no document before this one.")
    )
    FORWARD = WindowCommand(N_("Forward again"), ("Alt+Right",), "right", N_("There is no document after this one."))
    EARLIER_MONTH = WindowCommand(N_("Earlier month"), ("Ctrl+PgUp",), "left")
    LATER_MONTH = WindowCommand(N_("Later month"), ("Ctrl+PgDown",), "right")
    APPEARANCE = WindowCommand(N_("Light or dark"), ("Ctrl+Shift+D",), "moon")
    SUMMARY = WindowCommand(N_("Summary"), ("Alt+1",), "info")
    ITEMS = WindowCommand(N_("Items"), ("Alt+2",), "documents")
    HISTORY = WindowCommand(N_("History"), ("Alt+3",), "clock")
    RELATIONS = WindowCommand(N_("Relations"), ("Alt+4",), "link")
    XML = WindowCommand(N_("XML"), ("Alt+5",), "xml")
    PDF = WindowCommand(N_("PDF"), ("Alt+6",), "documents")
    DETAILS = WindowCommand(N_("Show or hide the details"), ("F9",), "columns")
    MESSAGES = WindowCommand(N_("Go to the messages"), ("Ctrl+M",), "info", N_("There is no message."))
    HELP = WindowCommand(N_("Help"), ("F1",), "help")
    ABOUT = WindowCommand(N_("About Confere"), (), "info")
    QUIT = WindowCommand(N_("Quit"), (Standard.Quit, "Ctrl+Q"), "close")


# The order of the sidebar.
PLACES = (
    Action.OVERVIEW,
    Action.DOCUMENTS,
    Action.ORDERS,
    Action.CATALOG,
    Action.RECONCILE,
    Action.CLOSING,
    Action.ACTIVITY,
    Action.SETTINGS,
)


class SectionFace(NamedTuple):
    """A section of the settings: `title` is an English text to be translated, `icon` the name of a drawing."""

    title: str
    icon: str


SECTIONS = {
    "accounts": SectionFace(N_("Accounts"), "link"),
    "archive": SectionFace(N_("Archive"), "lock"),
    "schedule": SectionFace(N_("Unattended work"), "clock"),
    "terms": SectionFace(N_("Reconciliation"), "reconcile"),
    "names": SectionFace(N_("Export names"), "export"),
    "look": SectionFace(N_("Appearance and language"), "moon"),
}
"""By the names they are asked for, in the order of the page."""

# The pages of a document, by the name that the details know each by.
TABS = {
    Action.SUMMARY: "summary",
    Action.ITEMS: "items",
    Action.HISTORY: "history",
    Action.RELATIONS: "relations",
    Action.XML: "xml",
    Action.PDF: "pdf",
}

# The order of the window's menu; None parts groups.
MENU: tuple[Action | None, ...] = (
    Action.IMPORT_FILES,
    Action.IMPORT_FOLDER,
    Action.IMPORT_ORDERS,
    Action.EXPORT,
    Action.VERIFY,
    Action.RECONCILE_NOW,
    None,
    Action.PALETTE,
    Action.SEARCH,
    Action.SAVE_SEARCH,
    None,
    Action.SAVE_XML,
    Action.COPY_XML,
    Action.COPY_KEY,
    None,
    Action.DETAILS,
    Action.MESSAGES,
    Action.APPEARANCE,
    Action.SETTINGS,
    Action.HELP,
    Action.ABOUT,
    None,
    Action.QUIT,
)

Actions = Mapping[Action, QAction]


def make(window: QWidget, look: Look) -> dict[Action, QAction]:
    """The QActions of a window, with shortcuts and icons that follow the palette."""
    made = {}
    for act in Action:
        command = act.value
        action = QAction(render(Message(command.title)), window)
        action.setObjectName(act.name.lower())
        if command.keys:
            action.setShortcuts(_sequences(command.keys))
        window.addAction(action)
        made[act] = action
    _Painter(made, look, window)
    return made


def key_text(keys: QKeySequence) -> str:
    """A shortcut as the menus show it: in the words or signs of the platform and the language, such as `Control+F`."""
    return keys.toString(QKeySequence.SequenceFormat.NativeText)


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
