"""What can be done with findings and links, as data: title, the one key for it and an icon, and the QActions of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from confere.app.reconciliation.decisions import Steps
from confere.app.reconciliation.queries import FindingRow, FindingState, SideBySide
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.plain_text import as_tip
from confere.errors import N_, NC_, Message
from confere.system.messages import render, t

_SETTLED = frozenset({FindingState.EXPLAINED, FindingState.IGNORED})


@dataclass(frozen=True, slots=True)
class DecisionCommand:
    """`keys` are the shortcuts; they hold while the keyboard is on the page."""

    title: str
    keys: tuple[str, ...]
    icon: str = ""


class Command(Enum):
    """Every command of the page."""

    NEXT = DecisionCommand(N_("Next finding"), ("J",), "down")
    PREVIOUS = DecisionCommand(N_("Finding before"), ("K",), "up")
    EXPLAIN = DecisionCommand(N_("Explain…"), ("E",), "check")
    IGNORE = DecisionCommand(N_("Ignore…"), ("I",), "eye-off")
    NOTE = DecisionCommand(N_("Note…"), ("N",), "pencil")
    REOPEN = DecisionCommand(N_("Reopen"), ("R",), "retry")
    ASSIGN = DecisionCommand(N_("Assign…"), ("G",), "clock")
    SIGN = DecisionCommand(N_("Sign the month…"), ("Shift+S",), "check")
    LINK = DecisionCommand(N_("Link…"), ("L",), "link")
    UNLINK = DecisionCommand(N_("Unlink…"), ("U",), "close")
    CONFIRM = DecisionCommand(N_("Confirm the links"), ("C",), "authentic")
    SPLIT = DecisionCommand(N_("Split…"), ("S",), "unfold")
    MERGE = DecisionCommand(N_("Merge…"), ("M",), "fold")
    WRITE = DecisionCommand(N_("Send the invoice data…"), ("W",), "export")
    OPEN = DecisionCommand(N_("Open the document"), ("O",), "open")
    ACCEPT = DecisionCommand(N_("These belong together"), ("A",), "link")
    UNDO = DecisionCommand(N_("Undo"), ("Ctrl+Z",), "left")
    REDO = DecisionCommand(N_("Redo"), ("Ctrl+Shift+Z", "Ctrl+Y"), "right")


# Where somebody reaches for them by mouse: the first in the bar, the rest in its menu; None parts groups.
BAR = (Command.EXPLAIN, Command.IGNORE, Command.LINK, Command.OPEN)
MORE: tuple[Command | None, ...] = (
    Command.NOTE,
    Command.REOPEN,
    Command.ASSIGN,
    None,
    Command.CONFIRM,
    Command.UNLINK,
    Command.SPLIT,
    Command.MERGE,
    None,
    Command.WRITE,
    Command.SIGN,
)
MENU: tuple[Command | None, ...] = (
    *(Command.EXPLAIN, Command.IGNORE, Command.NOTE, Command.REOPEN, Command.ASSIGN, None, Command.LINK),
    *(*MORE[4:], None, Command.OPEN),
)
Commands = Mapping[Command, QAction]


def make(page: QWidget, look: Look) -> dict[Command, QAction]:
    """The QActions of a page: a single letter is a command only where nothing is typed."""
    made = {}
    for which in Command:
        command = which.value
        action = QAction(render(Message(command.title)), page)
        action.setShortcuts([QKeySequence(key) for key in command.keys])
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        page.addAction(action)
        made[which] = action
    made[Command.OPEN].setIconText(t(NC_("button", "Open")))  # what its button says
    _Painter(made, look, page)
    return made


def enable(commands: Commands, rows: Sequence[FindingRow], side: SideBySide | None, *, walks: bool) -> None:
    """Let be done what can be done with the chosen findings and with what is shown beside; `walks`: there is a list."""
    orders, papers = (side.orders, side.papers) if side is not None else ((), ())
    links = side.links if side is not None else ()
    can = {
        Command.NEXT: walks,
        Command.PREVIOUS: walks,
        Command.EXPLAIN: bool(rows),
        Command.IGNORE: bool(rows),
        Command.NOTE: bool(rows),
        Command.ASSIGN: bool(rows),
        Command.REOPEN: not _SETTLED.isdisjoint(map(attrgetter("stored.state"), rows)),  # of thousands, at each change
        Command.LINK: bool(orders or papers),
        Command.UNLINK: bool(links),
        Command.CONFIRM: any(not entry.manual and not entry.confirmed for entry in links),
        Command.SPLIT: bool(orders and papers and links),
        Command.MERGE: bool(orders and papers),
        Command.OPEN: any(entry.row is not None for entry in papers),
        Command.WRITE: any(entry.order is not None for entry in orders),
    }
    for which, possible in can.items():
        commands[which].setEnabled(possible)


def is_settled(row: FindingRow) -> bool:
    """Whether a person has settled it."""
    return row.stored.state in _SETTLED


class _Painter(QObject):
    """Belongs to the page, so that a look which outlives it paints no action that is gone."""

    def __init__(self, actions: Commands, look: Look, page: QWidget) -> None:
        super().__init__(page)
        self._actions, self._look = actions, look
        look.changed.connect(self._paint)
        self._paint()

    def _paint(self) -> None:
        for which, action in self._actions.items():
            action.setIcon(self._look.icon(which.value.icon))


def know_steps(commands: Commands, steps: Steps) -> None:
    """What can be undone and done again, and what that would be."""
    for which, what in ((Command.UNDO, steps.undo), (Command.REDO, steps.redo)):
        commands[which].setEnabled(what is not None)
        commands[which].setToolTip(as_tip(render(what) if what is not None else ""))
