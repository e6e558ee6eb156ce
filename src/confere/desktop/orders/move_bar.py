"""The buttons of one order: the invoice to be told, the moves that are usual from where it is, the others in a menu."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from confere.app.orders.browse_orders import OrderDetail, OrderMoveKind
from confere.desktop.dialogs.move_dialog import title_of
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.card import label
from confere.desktop.widgets.flow_layout import FlowLayout
from confere.desktop.widgets.menus import empty, menu_of
from confere.desktop.widgets.plain_text import as_tip
from confere.system import formatting
from confere.system.messages import t

_ARROW = 10
_FEW = 2  # selected orders from which it is said that a button is for all of them


class MoveBar(QWidget):
    """`move_wanted` has the move that a button is for."""

    move_wanted = Signal(object)
    invoice_wanted = Signal()

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._offered: tuple[object, ...] = ()
        self.buttons: dict[OrderMoveKind, QPushButton] = {}
        self.invoice = QPushButton(t("Send the invoice data…"))
        self.invoice.setToolTip(as_tip(t("What is sent to the hub is shown first")))
        self.invoice.clicked.connect(self.invoice_wanted)
        self.more = QPushButton()
        self.more.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the word
        self.more.setIconSize(QSize(_ARROW, _ARROW))
        menu = menu_of(self.more)
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.more.setMenu(menu)
        self.several: QLabel = label("", "muted")
        self._layout = FlowLayout(self, spacing=6)
        self._layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self.invoice, self.more, self.several):
            self._layout.addWidget(widget)
        look.changed.connect(self._paint)
        self._paint()

    def offer(self, detail: OrderDetail, *, invoice: bool, failed: bool) -> None:
        """What the order may do; `failed`: its early shipment did, and may be tried again."""
        offered = (detail.usual, detail.moves, failed)
        self.invoice.setVisible(invoice)
        if offered != self._offered:
            self._offered = offered
            self._make(detail.usual, [kind for kind in detail.moves if kind not in detail.usual], failed=failed)
        self._name_menu()
        self._say_when_empty()

    def say_selected(self, count: int) -> None:
        """Whether a button is for several orders."""
        self.several.setText(
            t("for the {count} selected orders", count=formatting.count(count)) if count >= _FEW else ""
        )
        self.several.setVisible(bool(self.several.text()))

    def _make(self, usual: Sequence[OrderMoveKind], others: Sequence[OrderMoveKind], *, failed: bool) -> None:
        for widget in (*self.buttons.values(), self.invoice, self.more, self.several):
            self._layout.removeWidget(widget)
        for button in self.buttons.values():
            button.hide()
            button.deleteLater()
        self.buttons = {kind: self._button(kind, failed=failed) for kind in usual}
        for widget in (self.invoice, *self.buttons.values(), self.more, self.several):
            self._layout.addWidget(widget)
        for button in self.buttons.values():
            button.show()
        menu = self.more.menu()
        empty(menu)
        for kind in others:
            menu.addAction(title_of(kind, again=failed), partial(self.move_wanted.emit, kind))
        self.more.setVisible(bool(others))

    def _name_menu(self) -> None:
        """Beside no other button the moves of the menu are all that there are, and no "other" ones."""
        name = t("Moves") if self.invoice.isHidden() and not self.buttons else t("Other moves")
        self.more.setText(f"{name} ")  # with room before the arrow
        for named in (self.more, self.more.menu()):
            named.setAccessibleName(name)

    def _say_when_empty(self) -> None:
        """Without anything to do it takes no room."""
        self.setVisible(bool(self.buttons) or not self.invoice.isHidden() or not self.more.isHidden())
        self._layout.invalidate()

    def _button(self, kind: OrderMoveKind, *, failed: bool) -> QPushButton:
        made = QPushButton(title_of(kind, again=failed))
        made.setToolTip(as_tip(t("What is sent to the hub is shown first")))
        made.clicked.connect(partial(self._want, kind))
        return made

    def _want(self, kind: OrderMoveKind, _checked: bool = False) -> None:
        self.move_wanted.emit(kind)

    def _paint(self) -> None:
        self.more.setIcon(self._look.icon("down", "muted"))
