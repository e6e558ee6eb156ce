"""The row above the list of orders: a text to look for, chips for status, marketplace, transmission and account."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from confere.app.labels.reconciliation_labels import status_word
from confere.app.orders.browse_orders import OrderChoices, OrderQuery, OrdersScope
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.chip import ChipButton, Offer
from confere.desktop.widgets.flow_layout import FlowLayout
from confere.sales.order import OrderStatus
from confere.system.messages import t

_QUIET_MS: Final = 250  # between two letters, before anything is asked
_TEXT_WIDTH: Final = 300
_FAILED: Final = "failed"
_MISSING: Final = "missing"
_STATUSES: Final = tuple(status.value for status in OrderStatus)


@dataclass(frozen=True, slots=True)
class OrderFilters:
    """Which orders are to be seen; `transmissions` is `failed` or nothing, `invoices` `missing` or nothing."""

    text: str = ""
    statuses: tuple[str, ...] = ()
    marketplaces: tuple[str, ...] = ()
    invoices: tuple[str, ...] = ()
    transmissions: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()

    @property
    def is_any(self) -> bool:
        """Whether anybody chose."""
        return self != OrderFilters()

    def with_chosen(self, key: str, values: Iterable[str]) -> OrderFilters:
        """The same with other values of the chip `key`."""
        return replace(self, **{key: tuple(values)})  # type: ignore[arg-type]

    def within(self, base: OrdersScope, first_day: str | None, last_day: str | None) -> OrdersScope:
        """What is asked for, of the company of `base` and a stretch of days, sorted as `base` is."""
        query = OrderQuery(
            from_day=first_day,
            to_day=last_day,
            statuses=self.statuses,
            marketplaces=self.marketplaces,
            text=self.text,
            without_invoice=_MISSING in self.invoices,
            transmission_failed=_FAILED in self.transmissions,
        )
        return replace(base, account=self.accounts[0] if self.accounts else None, query=query)


class OrderFilterRow(QWidget):
    """Shows `filters`; `changed` comes when a person chose otherwise, `wanted` when a menu needs fresh choices."""

    changed = Signal(object)
    wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._filters = OrderFilters()
        self.text = QLineEdit()
        self.text.setPlaceholderText(t("Order, key, tax id or name of the buyer…"))
        self.text.setAccessibleName(t("Look for an order"))
        self.text.setClearButtonEnabled(True)
        self.text.setFixedWidth(_TEXT_WIDTH)
        self.chips = {
            "statuses": self._chip("statuses", t("Status"), status_word, _STATUSES),
            "marketplaces": self._chip("marketplaces", t("Marketplace"), str),
            "invoices": self._chip("invoices", t("Invoice"), lambda _: t("missing"), (_MISSING,), several=False),
            "transmissions": self._chip(
                "transmissions", t("Transmission"), lambda _: t("failed"), (_FAILED,), several=False
            ),
            "accounts": self._chip("accounts", t("Account"), str, several=False),
        }
        self.chips["accounts"].hide()
        self.clear_button = QPushButton(t("Clear filters"))
        self.clear_button.setProperty("look", "link")
        self.clear_button.clicked.connect(self.clear)
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(lambda: self._take(replace(self._filters, text=self.text.text().strip())))
        self.text.textEdited.connect(self._quiet.start)
        self.text.textChanged.connect(lambda text: None if text else self._quiet.start())
        layout = FlowLayout(self, spacing=4)
        for widget in (self.text, *self.chips.values(), self.clear_button):
            layout.addWidget(widget)
        look.changed.connect(self._paint)
        self._paint()
        self.show_filters(self._filters)

    @property
    def filters(self) -> OrderFilters:
        return self._filters

    def show_filters(self, filters: OrderFilters) -> None:
        """Show these as chosen, without telling."""
        self._filters = filters
        for name, chip in self.chips.items():
            chip.show_chosen(getattr(filters, name))
        if filters.text != self.text.text().strip():
            self.text.setText(filters.text)
        self.clear_button.setVisible(filters.is_any)

    def offer(self, choices: OrderChoices) -> None:
        """Say in the menus what there is, and how many of each."""
        self.chips["statuses"].offer([Offer(*pair) for pair in choices.statuses])
        self.chips["marketplaces"].offer([Offer(*pair) for pair in choices.marketplaces])
        self.chips["transmissions"].offer([Offer(_FAILED, choices.transmission_failed)])

    def offer_accounts(self, names: Sequence[str]) -> None:
        """Which accounts there are; with one alone there is nothing to choose."""
        self.chips["accounts"].offer([Offer(name) for name in names])
        self.chips["accounts"].setVisible(len(names) > 1 or bool(self._filters.accounts))

    def clear(self) -> None:
        """See every order again."""
        had_focus = self.clear_button.hasFocus()
        self._take(OrderFilters())
        if had_focus:
            self.text.setFocus()

    def _chip(
        self, key: str, title: str, word: Callable[[str], str], codes: tuple[str, ...] = (), *, several: bool = True
    ) -> ChipButton:
        chip = ChipButton(key, title, word, several=several, fixed=codes, parent=self)
        chip.changed.connect(self._choose)
        chip.menu().aboutToShow.connect(self.wanted)
        return chip

    def _choose(self, key: str, values: Any) -> None:
        self._take(self._filters.with_chosen(key, values))

    def _take(self, filters: OrderFilters) -> None:
        if filters != self._filters:
            self.show_filters(filters)
            self.changed.emit(filters)

    def _paint(self) -> None:
        for chip in self.chips.values():
            chip.setIcon(self._look.icon("down", "muted"))
