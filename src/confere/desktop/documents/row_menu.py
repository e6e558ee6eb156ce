"""The menu of the selected rows of the list of documents."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from confere.desktop.core.actions import Action, Actions
from confere.desktop.documents.tag_commands import TagCommands
from confere.desktop.theme.theme import Look
from confere.errors import NC_
from confere.system.messages import t


def row_menu(
    parent: QWidget,
    look: Look,
    actions: Actions,
    open_document: Callable[[], None],
    copy_rows: Callable[[], None],
    tags: TagCommands,
) -> QMenu:
    """What can be done with the rows that are selected; it goes away once it closes."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.addAction(t(NC_("button", "Open")), open_document)
    menu.addSeparator()
    rows = menu.addAction(look.icon("copy"), t("Copy the rows"), copy_rows)
    rows.setShortcut(QKeySequence(QKeySequence.StandardKey.Copy))
    menu.addAction(actions[Action.COPY_KEY])
    menu.addSeparator()
    menu.addAction(actions[Action.SAVE_XML])
    menu.addSeparator()
    menu.addMenu(tags.menu(menu))
    return menu
