"""The head of the panel: what the document is, whom it is between, what it is worth, its key, what to do with it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from confere.app.documents.view import detail_text
from confere.app.documents.view.loaded import Loaded
from confere.app.labels import labels
from confere.desktop.core.actions import Action, Actions
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.elided_labels import Elided, KeyGroups
from confere.desktop.widgets.flow_layout import FlowLayout
from confere.desktop.widgets.menus import menu_of
from confere.desktop.widgets.pill import Pill, kind_of_state
from confere.desktop.widgets.plain_text import Label
from confere.system import formatting
from confere.system.messages import t

_ICON_ONLY = Qt.ToolButtonStyle.ToolButtonIconOnly
_BESIDE = Qt.ToolButtonStyle.ToolButtonTextBesideIcon


class Header(QWidget):
    """`summary_wanted`: somebody wants the summary in the clipboard."""

    list_wanted = Signal()
    summary_wanted = Signal()

    def __init__(self, look: Look, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._key, self._digest = look, "", ""
        layout = QVBoxLayout(self)
        layout.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, GAP)
        layout.setSpacing(4)
        layout.addLayout(self._top(actions))
        layout.addLayout(self._between())
        layout.addLayout(self._worth())
        layout.addLayout(self._key_row())
        layout.addSpacing(2)
        layout.addLayout(self._buttons(actions))
        look.changed.connect(self._paint)
        self._paint()

    def show_document(self, loaded: Loaded, company: str | None) -> None:
        """Show this one; `company` is whom the window is about."""
        full, row = loaded.view.full, loaded.view.full.row
        self._title.setText(detail_text.heading(loaded))
        self._pill.setVisible(row is not None)
        self._total.setVisible(row is not None and row.total is not None)
        for between in (self._parties, self._issued):
            between.setVisible(row is not None)
        if row is None:
            self._parties.setText("")
            self._issued.setText("")
        else:
            self._pill.show_word(labels.state_word(row.state), kind_of_state(row.state))
            self._parties.setText(
                detail_text.parties_line(row, {company} if company else loaded.own, loaded.hidden, full.parties)
            )
            self._total.setText(formatting.money(row.total))
            self._issued.setText(formatting.moment(row.issued_at))
        self._key = full.access_key or ""
        self._digest = row.sha256 if row is not None else loaded.unreadable.sha256 if loaded.unreadable else ""
        self._groups.show_key(self._key)
        self._groups.setVisible(bool(self._key))
        self._copy_key.setVisible(bool(self._key))
        self._copy_key_action.setEnabled(bool(self._key))
        self._copy_digest_action.setEnabled(bool(self._digest))

    def offer_list(self, is_wide: bool) -> None:
        """The way back to the list, where this is over the whole window."""
        self._to_list.setVisible(is_wide)

    def copy_key(self) -> None:
        """Put the 44 characters into the clipboard."""
        QGuiApplication.clipboard().setText(self._key)

    def _copy_digest(self) -> None:
        QGuiApplication.clipboard().setText(self._digest)

    def _top(self, actions: Actions) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GAP)
        self._to_list = QToolButton()
        self._to_list.setProperty("look", "button")
        self._to_list.setText(t("Back to the list (Esc)"))
        self._to_list.setToolButtonStyle(_BESIDE)
        self._to_list.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._to_list.clicked.connect(lambda: self.list_wanted.emit())
        self._to_list.hide()
        row.addWidget(self._to_list)
        self._title = Elided()
        self._title.setProperty("rank", "title")
        row.addWidget(self._title, 1)
        for act in (Action.BACK, Action.FORWARD):
            button = QToolButton()
            button.setProperty("look", "quiet")
            button.setDefaultAction(actions[act])
            button.setToolButtonStyle(_ICON_ONLY)
            button.setAccessibleName(actions[act].text())
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)
        return row

    def _between(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GAP)
        self._parties = Elided()
        self._parties.setProperty("rank", "muted")
        row.addWidget(self._parties, 1)
        self._issued = Label()
        self._issued.setProperty("rank", "muted")
        row.addWidget(self._issued)
        return row

    def _worth(self) -> FlowLayout:
        """A long state stands below the value where there is no room beside it."""
        row = FlowLayout(spacing=WIDE_GAP)
        self._total = Label()
        self._total.setProperty("rank", "figure")
        self._total.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row.addWidget(self._total)
        self._pill = Pill(self._look)
        row.addWidget(self._pill)
        return row

    def _key_row(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(4)
        self._groups = KeyGroups()
        self._groups.setAccessibleName(t("Access key"))
        self._groups.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row.addWidget(self._groups, 1)
        self._copy_key = QToolButton()
        self._copy_key.setProperty("look", "quiet")
        self._copy_key.setToolTip(t("Copy the access key"))
        self._copy_key.setAccessibleName(t("Copy the access key"))
        self._copy_key.clicked.connect(self.copy_key)
        row.addWidget(self._copy_key)
        return row

    def _buttons(self, actions: Actions) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(GAP)
        for act in (Action.SAVE_XML, Action.COPY_XML):
            button = QToolButton()
            button.setProperty("look", "button")
            button.setDefaultAction(actions[act])
            button.setToolButtonStyle(_BESIDE)
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            row.addWidget(button)
        self._more = QToolButton()
        self._more.setProperty("look", "button")
        self._more.setToolTip(t("More to do with this document"))
        self._more.setAccessibleName(t("More to do with this document"))
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = menu_of(self._more)
        self._copy_key_action = menu.addAction(t("Copy the access key"))
        self._copy_key_action.triggered.connect(self.copy_key)
        self._copy_digest_action = menu.addAction(t("Copy the SHA-256"))
        self._copy_digest_action.triggered.connect(self._copy_digest)
        menu.addAction(t("Copy the summary")).triggered.connect(self.summary_wanted)
        self._more.setMenu(menu)
        row.addWidget(self._more)
        row.addStretch(1)
        return row

    def _paint(self) -> None:
        self._copy_key.setIcon(self._look.icon("copy"))
        self._more.setIcon(self._look.icon("more"))
        self._to_list.setIcon(self._look.icon("left"))
