"""The page of relations: the graph to walk, what its chain tells, and the same relations as a list below."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from confere.app.documents.view.loaded import Loaded
from confere.desktop.core.window_memory import Memory
from confere.desktop.details.graph.graph_view import RelationGraph
from confere.desktop.details.graph.relation_list import RelationList
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.plain_text import Label
from confere.system import formatting
from confere.system.messages import render, t

_NAME = "details/relations"


class RelationsPage(QWidget):
    """`key_wanted`: somebody goes to that document, by the graph or by the list; `order_wanted`: to that order."""

    key_wanted = Signal(str)
    order_wanted = Signal(str, str)  # the account and the hub's id

    def __init__(self, look: Look, memory: Memory, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._memory = memory
        self.graph = RelationGraph(look)
        self.notes = Label()
        self.notes.setWordWrap(True)
        self.notes.setProperty("rank", "muted")
        self.notes.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, GAP)
        self.notes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.list = RelationList(look)
        above = QWidget()
        layout = QVBoxLayout(above)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.graph, 1)
        layout.addWidget(self.notes)
        self.parts = QSplitter(Qt.Orientation.Vertical)
        self.parts.addWidget(above)
        self.parts.addWidget(self.list)
        self.parts.setStretchFactor(0, 3)
        self.parts.setStretchFactor(1, 2)
        self.parts.setChildrenCollapsible(True)
        memory.restore_splitter(_NAME, self.parts)
        self.parts.splitterMoved.connect(self._moved)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.parts)
        self.graph.key_wanted.connect(self.key_wanted)
        self.graph.list_wanted.connect(self._to_list)
        self.list.key_wanted.connect(self.key_wanted)
        self.graph.order_wanted.connect(self.order_wanted)
        self.list.order_wanted.connect(self.order_wanted)

    def show_document(self, loaded: Loaded) -> None:
        """Show the relations of this one."""
        self.graph.show_document(loaded)
        had_keyboard = self.list.hasFocus()
        self.list.show_document(loaded)
        # Where there is nothing the graph says so; once is enough.
        self.list.setVisible(bool(self.list.rows_model.rows))
        if had_keyboard and not self.list.isVisibleTo(self):
            self.graph.setFocus(Qt.FocusReason.OtherFocusReason)
        told = _notes(loaded)
        self.notes.setText("\n".join(told))
        self.notes.setVisible(bool(told))

    def _to_list(self) -> None:
        if not self.parts.sizes()[1]:
            self.parts.setSizes([3, 2])
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _moved(self, _place: int, _number: int) -> None:
        self._memory.keep_splitter(_NAME, self.parts)


def _notes(loaded: Loaded) -> list[str]:
    """What the chain as a whole tells, and how much of it is too far away to be drawn."""
    kinship = loaded.kinship
    if kinship is None:
        return []
    told = [render(note) for note in kinship.notes]
    if kinship.left_out:
        count = formatting.count(kinship.left_out)
        told.append(t("Further documents of this chain that are not shown: {count}.", count=count))
    return told
