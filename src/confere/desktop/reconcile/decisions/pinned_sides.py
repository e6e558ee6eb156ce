"""What a partner is looked for, pinned above the candidates: who, when, how much and which items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtWidgets import QFrame, QVBoxLayout

from confere.app.labels.labels import number_word, party_word, type_word
from confere.app.labels.marketplace_labels import marketplace_word
from confere.app.reconciliation.differences import goods_cents
from confere.app.reconciliation.queries import OrderSide, PaperSide, SideBySide
from confere.desktop.reconcile.reconciliation_text import paper_name, status_word
from confere.desktop.theme.measures import GAP
from confere.desktop.widgets.card import label
from confere.desktop.widgets.elided_labels import Elided
from confere.fiscal.document_parts import Item
from confere.sales.order import OrderItem
from confere.system import formatting
from confere.system.messages import t

_MOST_SIDES, _MOST_ITEMS = 2, 4


def pinned(side: SideBySide, *, of_orders: bool, hidden: bool) -> QFrame:
    """The orders, or the documents, of what is compared: a line of facts and a line of items for each."""
    frame = QFrame()
    frame.setProperty("card", True)
    column = QVBoxLayout(frame)
    column.setContentsMargins(GAP + 4, GAP, GAP + 4, GAP)
    column.setSpacing(2)
    if of_orders:
        parts = [_order(entry, hidden) for entry in side.orders[:_MOST_SIDES]]
    else:
        parts = [_paper(entry, hidden) for entry in side.papers[:_MOST_SIDES]]
    for head, items in parts:
        column.addWidget(label(head, "heading", wraps=True))
        if items:
            column.addWidget(_items_line(items))
    return frame


def _items_line(text: str) -> Elided:
    made = Elided()
    made.setText(text)
    made.setProperty("rank", "muted")
    return made


def _order(side: OrderSide, hidden: bool) -> tuple[str, str]:
    order = side.order
    if order is None:
        return side.order_id, t("This order is not in the archive.")
    numbers = [name for name in (side.order_id, order.marketplace_number or order.marketplace_id) if name]
    facts = (
        t("Order {name}", name=" · ".join(dict.fromkeys(numbers))),
        marketplace_word(order.marketplace),
        formatting.date(side.created_on or None),
        party_word(order.buyer.tax_id, order.buyer.name, hidden),
        formatting.money(order.total_cents),
        status_word(order.status),
    )
    return " · ".join(filter(None, facts)), _items(order.items)


def _paper(side: PaperSide, hidden: bool) -> tuple[str, str]:
    row = side.row
    if row is None:
        return paper_name(side.key), t("This document is not in the archive.")
    facts = (
        f"{type_word(row.type)} {number_word(row.series, row.number)}",
        formatting.date(row.issued_on),
        party_word(row.recipient_tax_id, row.recipient_name, hidden),
        formatting.money(row.total),
    )
    return " · ".join(filter(None, facts)), _items(side.items)


def _items(items: Sequence[OrderItem] | Sequence[Item]) -> str:
    told = "; ".join(_pieces(items[:_MOST_ITEMS]))
    more = len(items) - _MOST_ITEMS
    return told if more <= 0 else f"{told} +{formatting.count(more)}"


def _pieces(items: Iterable[OrderItem | Item]) -> Iterator[str]:
    """Each as the comparison has it: before its discount, as the items of a note are."""
    for item in items:
        quantity = "" if item.quantity is None else f"{formatting.quantity(item.quantity)} × "
        name = " ".join(filter(None, (item.code, item.description)))
        yield f"{quantity}{name} {formatting.money(goods_cents(item))}".strip()
