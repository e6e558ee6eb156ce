"""The row above the findings: chips for state and severity, only what is new, and a text to look for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QToolButton, QWidget

from confere.app.reconciliation.queries import FindingFilter, FindingQuery, FindingState, Severity
from confere.desktop.reconcile.reconciliation_text import severity_code_word, state_code_word
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.chip import ChipButton
from confere.desktop.widgets.flow_layout import FlowLayout
from confere.system.messages import t

_QUIET_MS = 250  # between two letters, before anything is asked
_TEXT_WIDTH = 180
_UNSETTLED: Final = (FindingState.OPEN.value, FindingState.NOT_CHECKED.value)


@dataclass(frozen=True, slots=True)
class FindingFilters:
    """What is to be seen. As long as nobody chose: all that waits for a person."""

    states: tuple[str, ...] = _UNSETTLED
    severities: tuple[str, ...] = ()
    only_new: bool = False
    text: str = ""

    @classmethod
    def with_state(cls, state: FindingState) -> FindingFilters:
        """What shows a finding of this state: all that waits for a person where it does, else those of that state."""
        return cls() if state.value in _UNSETTLED else cls(states=(state.value,))

    @property
    def is_any(self) -> bool:
        """Whether anybody chose."""
        return self != FindingFilters()

    def query(self, account: str, base: FindingFilter) -> FindingQuery:
        """`base` narrowed to what is chosen."""
        wanted = replace(base, states=self.states, severities=self.severities, text=self.text)
        return FindingQuery(account, wanted, self.only_new)


class FilterRow(QWidget):
    """Shows `filters`; `changed` comes when a person chose otherwise."""

    changed = Signal(object)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._filters = FindingFilters()
        self.states = self._chip("states", t("State"), state_code_word, tuple(state.value for state in FindingState))
        self.severities = self._chip(
            "severities", t("Severity"), severity_code_word, tuple(severity.value for severity in Severity)
        )
        self.only_new = QToolButton()
        self.only_new.setProperty("look", "chip")
        self.only_new.setText(t("New since the run before"))
        self.only_new.setCheckable(True)
        self.only_new.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.only_new.clicked.connect(lambda on: self._take(replace(self._filters, only_new=on)))
        self.text = QLineEdit()
        self.text.setPlaceholderText(t("Order, key, text…"))
        self.text.setAccessibleName(t("Look for text in the findings"))
        self.text.setClearButtonEnabled(True)
        self.text.setFixedWidth(_TEXT_WIDTH)
        self.clear_button = QPushButton(t("Clear filters"))
        self.clear_button.setProperty("look", "link")
        self.clear_button.clicked.connect(self.clear)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(self._typed)
        self.text.textEdited.connect(self._quiet.start)
        self.text.textChanged.connect(lambda text: None if text else self._quiet.start())
        layout = FlowLayout(self, spacing=4)
        for widget in (self.states, self.severities, self.only_new, self.text, self.clear_button):
            layout.addWidget(widget)
        look.changed.connect(self._paint)
        self._paint()
        self.show_filters(self._filters)

    @property
    def filters(self) -> FindingFilters:
        return self._filters

    def show_filters(self, filters: FindingFilters) -> None:
        """Show these as chosen, without telling."""
        self._filters = filters
        self.states.show_chosen(filters.states)
        self.severities.show_chosen(filters.severities)
        self.only_new.setChecked(filters.only_new)
        self.only_new.setProperty("chosen", "true" if filters.only_new else "false")
        self.only_new.style().unpolish(self.only_new)
        self.only_new.style().polish(self.only_new)
        if filters.text != self.text.text().strip():
            self.text.setText(filters.text)
        self.clear_button.setVisible(filters.is_any)

    def clear(self) -> None:
        """See again what one sees when nothing is chosen."""
        had_focus = self.clear_button.hasFocus()
        self._take(FindingFilters())
        if had_focus:
            self.states.setFocus()

    def _chip(self, key: str, title: str, word: Callable[[str], str], codes: tuple[str, ...]) -> ChipButton:
        chip = ChipButton(key, title, word, fixed=codes, parent=self)
        chip.changed.connect(self._choose)
        return chip

    def _choose(self, key: str, values: Any) -> None:
        chosen: tuple[str, ...] = tuple(values)
        self._take(
            replace(self._filters, states=chosen) if key == "states" else replace(self._filters, severities=chosen)
        )

    def _typed(self) -> None:
        self._take(replace(self._filters, text=self.text.text().strip()))

    def _take(self, filters: FindingFilters) -> None:
        if filters != self._filters:
            self.show_filters(filters)
            self.changed.emit(filters)

    def _paint(self) -> None:
        for chip in (self.states, self.severities):
            chip.setIcon(self._look.icon("down", "muted"))
