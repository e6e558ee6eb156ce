"""The first page of an office: a text and chips to narrow its clients by, an order, and the table of them."""

from __future__ import annotations

from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QToolButton, QVBoxLayout, QWidget

from confere.app.labels.client_labels import flag_word, sort_word
from confere.app.labels.labels import month_word
from confere.app.overview.client_choice import ClientFlag, ClientSort, narrowed, ordered
from confere.app.overview.clients import Clients
from confere.desktop.overview.clients_table import ClientsTable
from confere.desktop.services import Services
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import button, label
from confere.desktop.widgets.chip import ChipButton
from confere.desktop.widgets.flow_layout import FlowLayout
from confere.system import formatting
from confere.system.messages import t

_TEXT_WIDTH: Final = 240
_SORT: Final = "overview/clients sort"
_REVERSED: Final = "-"  # before the name of a sort in what the window remembers


class ClientsView(QWidget):
    """`company_wanted` has the CNPJ of a client to go into; `together_wanted` asks for all in one overview."""

    company_wanted = Signal(str)
    together_wanted = Signal()

    def __init__(self, services: Services, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self.shown: Clients | None = None
        kept = services.memory.text(_SORT).removeprefix(_REVERSED)
        self._sort = ClientSort(kept) if kept in {sort.value for sort in ClientSort} else ClientSort.WORST
        self._is_reversed = services.memory.text(_SORT).startswith(_REVERSED)
        self.title = label("", "title")
        self.summary = label("", "muted", wraps=True)
        self.together = button(t("All together"), self.together_wanted.emit, "link")
        self.text = QLineEdit()
        self.text.setPlaceholderText(t("Name or CNPJ…"))
        self.text.setAccessibleName(t("Look for a client"))
        self.text.setClearButtonEnabled(True)
        self.text.setFixedWidth(_TEXT_WIDTH)
        self.text.textChanged.connect(self._list)
        self.text.returnPressed.connect(self._enter_first)
        self.flags = {flag: self._chip(flag) for flag in ClientFlag}
        self.order = ChipButton(
            "sort", t("Sort by"), lambda code: sort_word(ClientSort(code)), several=False,
            fixed=tuple(sort.value for sort in ClientSort),
        )  # fmt: skip
        self.order.changed.connect(self._order_chosen)
        self.table = ClientsTable(services)
        self.table.company_wanted.connect(self.company_wanted)
        self.table.sort_wanted.connect(self._head_chosen)
        self._nothing = label(t("No client matches."), "muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.hide()
        self._lay_out()
        services.look.changed.connect(self._paint)
        self._paint()

    def put(self, found: Clients) -> None:
        """Show how the clients stand; what is typed, chosen and current stays."""
        self.shown = found
        word = month_word(found.month) if found.month else t("Every month")
        self.title.setText(t("Clients · {month}", month=word))
        bad, unclosed, stale = (len(narrowed(found.rows, flags=(flag,))) for flag in ClientFlag)
        for (flag, chip), number in zip(self.flags.items(), (bad, unclosed, stale), strict=True):
            chip.setText(f"{flag_word(flag)} {formatting.count(number)}")
        figures = {"bad": formatting.count(bad), "count": formatting.count(len(found.rows))}
        if self._sort is ClientSort.WORST and not self._is_reversed:
            words = t("{bad} of {count} with problems. The worst stand first; a click or Enter goes in.", **figures)
        else:
            words = t("{bad} of {count} with problems.", **figures)
        self.summary.setText(words)
        self._list()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.title)
        head.addStretch(1)
        head.addWidget(self.together)
        row = QWidget()
        chips = FlowLayout(row, spacing=4)
        for widget in (self.text, *self.flags.values(), self.order):
            chips.addWidget(widget)
        above = QVBoxLayout()
        above.setContentsMargins(WIDE_GAP + 4, WIDE_GAP, WIDE_GAP + 4, GAP)
        above.setSpacing(GAP - 2)
        above.addLayout(head)
        above.addWidget(self.summary)
        above.addWidget(row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(above)
        column.addWidget(self.table, 1)
        column.addWidget(self._nothing, 1)

    def _chip(self, flag: ClientFlag) -> QToolButton:
        chip = QToolButton()
        chip.setProperty("look", "chip")
        chip.setText(flag_word(flag))
        chip.setAccessibleName(flag_word(flag))
        chip.setCheckable(True)
        chip.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        chip.toggled.connect(lambda on: self._flag_chosen(chip, on=on))
        return chip

    def _flag_chosen(self, chip: QToolButton, *, on: bool) -> None:
        chip.setProperty("chosen", "true" if on else "false")
        chip.style().unpolish(chip)
        chip.style().polish(chip)
        self._list()

    def _order_chosen(self, _key: str, values: Any) -> None:
        self._order_by(ClientSort(values[0]) if values else ClientSort.WORST, is_reversed=False)

    def _head_chosen(self, sort: ClientSort) -> None:
        """The same head again turns the order around."""
        self._order_by(sort, is_reversed=sort is self._sort and not self._is_reversed)

    def _order_by(self, sort: ClientSort, *, is_reversed: bool) -> None:
        self._sort, self._is_reversed = sort, is_reversed
        self._services.memory.put(_SORT, f"{_REVERSED if is_reversed else ''}{sort}")
        if self.shown is not None:
            self.put(self.shown)

    def _list(self) -> None:
        if self.shown is None:
            return
        flags = [flag for flag, chip in self.flags.items() if chip.isChecked()]
        rows = ordered(narrowed(self.shown.rows, self.text.text(), flags), self._sort, is_reversed=self._is_reversed)
        self.table.put_clients(rows, of_month=self.shown.month is not None)
        self.table.show_sort(self._sort, is_reversed=self._is_reversed)
        self.order.show_chosen(() if self._sort is ClientSort.WORST else (self._sort.value,))
        self.table.setVisible(bool(rows))
        self._nothing.setVisible(not rows)

    def _enter_first(self) -> None:
        """Enter in the text goes into the client that is current: the first one that matches."""
        if self.table.current is not None:
            self.company_wanted.emit(self.table.current.tax_id)

    def _paint(self) -> None:
        self.order.setIcon(self._services.look.icon("down", "muted"))
