"""The row above a long list: a text to look for, chips to narrow it by, and the way back to all of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from confere.desktop.theme.theme import Look
from confere.desktop.widgets.chip import ChipButton, Offer
from confere.desktop.widgets.flow_layout import FlowLayout
from confere.system.messages import t

_QUIET_MS: Final = 250  # between two letters, before anything is asked
_TEXT_WIDTH: Final = 300
_AROUND: Final = 30  # pixels around the hint in the field
_ACCOUNTS: Final = "accounts"


class ListFilters(Protocol):
    """What is chosen: a frozen dataclass with a `text`, and a tuple of codes by the key of each chip."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def text(self) -> str: ...


F = TypeVar("F", bound=ListFilters)


class ListFilterRow(QWidget, Generic[F]):
    """Shows `filters`; `changed` comes when a person chose otherwise, `wanted` when a menu needs fresh choices.

    `chips` are by the names of the filters' fields; `nothing` is chosen at first. One called `accounts` is shown only
    where there are several.
    """

    changed = Signal(object)
    wanted = Signal()

    def __init__(
        self, look: Look, nothing: F, chips: Mapping[str, ChipButton], *, hint: str, name: str, width: int = _TEXT_WIDTH
    ) -> None:
        super().__init__()
        self._look = look
        self._filters = self._nothing = nothing
        self.chips = chips
        self.text = QLineEdit()
        self.text.setPlaceholderText(hint)
        self.text.setAccessibleName(name)
        self.text.setClearButtonEnabled(True)
        self._width = width
        self.text.setFixedWidth(width)
        self.clear_button = QPushButton(t("Clear filters"))
        self.clear_button.setProperty("look", "link")
        self.clear_button.clicked.connect(self.clear)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(lambda: self._take(replace(self._filters, text=self.text.text().strip())))
        self.text.textEdited.connect(self._quiet.start)
        self.text.textChanged.connect(lambda text: None if text else self._quiet.start())
        self._layout = layout = FlowLayout(self, spacing=4)
        for widget in (self.text, *chips.values(), self.clear_button):
            layout.addWidget(widget)
        for chip in chips.values():
            chip.changed.connect(self._choose)
            chip.menu().aboutToShow.connect(self.wanted)
        if _ACCOUNTS in chips:
            chips[_ACCOUNTS].hide()
        look.changed.connect(self._paint)
        self._paint()
        self.show_filters(nothing)

    @property
    def filters(self) -> F:
        return self._filters

    @property
    def is_any(self) -> bool:
        """Whether anybody chose."""
        return self._filters != self._nothing

    def show_filters(self, filters: F) -> None:
        """Show these as chosen, without telling."""
        self._filters = filters
        for name, chip in self.chips.items():
            chip.show_chosen(getattr(filters, name))
        if filters.text != self.text.text().strip():
            self.text.setText(filters.text)
        self.clear_button.setVisible(self.is_any)

    def offer(self, choices: Mapping[str, Iterable[Offer]]) -> None:
        """Say in the menus of these chips what there is, and how many of each."""
        for name, offers in choices.items():
            self.chips[name].offer(list(offers))

    def offer_accounts(self, names: Sequence[str]) -> None:
        """Which accounts there are; with one alone there is nothing to choose."""
        chip = self.chips[_ACCOUNTS]
        chip.offer([Offer(name) for name in names])
        chip.setVisible(len(names) > 1 or bool(getattr(self._filters, _ACCOUNTS)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The field shows its hint in full where all of the row still stands on one line.

        Only another width changes it: what a chosen chip says must not move the chips.
        """
        super().resizeEvent(event)
        if event.oldSize().width() == event.size().width():
            return
        others = [chip for chip in self.chips.values() if not chip.isHidden()]
        room = self.width() - sum(
            one.sizeHint().width() + self._layout.spacing() for one in (*others, self.clear_button)
        )
        whole = self.text.fontMetrics().horizontalAdvance(self.text.placeholderText()) + _AROUND
        self.text.setFixedWidth(max(whole, self._width) if whole <= room else self._width)

    def clear(self) -> None:
        """See every row again."""
        had_focus = self.clear_button.hasFocus()
        self._take(self._nothing)
        if had_focus:
            self.text.setFocus()

    def _choose(self, key: str, values: Any) -> None:
        self._take(replace(self._filters, **{key: tuple(values)}))

    def _take(self, filters: F) -> None:
        if filters != self._filters:
            self.show_filters(filters)
            self.changed.emit(filters)

    def _paint(self) -> None:
        for chip in self.chips.values():
            chip.setIcon(self._look.icon("down", "muted"))
