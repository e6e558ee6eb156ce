"""Orders of the hub that name no invoice, with the sales that are linked to them."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from sqlalchemy import func

from confere.archive.authenticity.verdict_codes import verdict_of
from confere.archive.message_encoding import storable
from confere.archive.orders.orders import HUB, IS_LINKED, ORDER, ROWS, OrderRow, one
from confere.archive.shared_phrases import Phrases
from confere.archive.transaction import Transaction
from confere.errors import Message, NotInArchive, message
from confere.fiscal.model import IN_EFFECT
from confere.fiscal.operations import Operation
from confere.sales.links import LinkKind

_MODELS = ("55", "65")


@dataclass(frozen=True, slots=True)
class LinkedSale:
    """A sale in effect, and why it is linked. `total` in centavos, `issued_at` as written; `verdict` None: not judged.

    A complement of a sale (finNFe 2) is none.
    """

    document_id: int
    key: str
    series: int | None
    number: int | None
    issued_at: str | None
    total: int | None
    verdict: str | None
    kind: LinkKind
    confidence: int
    evidence: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class OrderGap:
    """An order and the sales linked to it, oldest first."""

    order: OrderRow
    sales: tuple[LinkedSale, ...]


def gaps(
    transaction: Transaction, account_id: int, statuses: Collection[str], period: str | None = None
) -> tuple[OrderGap, ...]:
    """The hub's orders in one of `statuses` without an access key, to which a sale is linked; oldest first.

    `period` is the month of the order's creation, YYYY-MM.
    """
    rows = ROWS.where(
        ORDER.c.account_id == account_id,
        ORDER.c.source == HUB,
        ORDER.c.invoice_key.is_(None),
        ORDER.c.status.in_(statuses),
        IS_LINKED,
    )
    if period is not None:
        rows = rows.where(func.substr(ORDER.c.created_on, 1, 7) == period)
    orders = transaction.fetch_as(OrderRow, rows.order_by(ORDER.c.created_on, ORDER.c.id))
    found = _with_sales(transaction, account_id, orders)
    return tuple(gap for gap in found if gap.sales)


def named(transaction: Transaction, account_id: int, names: Iterable[str]) -> tuple[OrderGap, ...]:
    """These orders, each once, whether they lack an invoice or not. `NotInArchive` where one is not here."""
    found: dict[int, OrderRow] = {}
    for name in names:
        order = one(transaction, account_id, name)
        if order is None:
            raise NotInArchive(
                message("There is no order {order} in the archive.", order=name),
                message("Look at `confere orders list`, or sync the account first."),
            )
        found[order.id] = order
    return _with_sales(transaction, account_id, list(found.values()))


def _with_sales(transaction: Transaction, account_id: int, orders: list[OrderRow]) -> tuple[OrderGap, ...]:
    states = ", ".join(f"'{state.value}'" for state in sorted(IN_EFFECT))
    models = ", ".join(f"'{model}'" for model in _MODELS)
    phrases = Phrases(transaction)
    sales: dict[str, list[LinkedSale]] = {}
    for row in transaction.named_in(
        "SELECT l.order_hub_id, d.id, d.access_key, d.series, d.number, d.issued_at, d.total, d.verdict, l.kind,"
        " l.confidence, l.evidence FROM link l JOIN document d ON d.access_key = l.access_key AND d.is_current = 1"
        f" WHERE l.account_id = {int(account_id)} AND d.operation = '{Operation.SALE.value}'"
        f" AND coalesce(d.purpose, '1') = '1' AND d.model IN ({models}) AND d.state IN ({states})"
        " AND l.order_hub_id IN {} ORDER BY d.issued_on, d.id",
        {storable(order.hub_id) for order in orders},
    ):
        sales.setdefault(row.order_hub_id, []).append(
            LinkedSale(
                row.id,
                row.access_key,
                row.series,
                row.number,
                row.issued_at,
                row.total,
                verdict_of(row.verdict),
                LinkKind(row.kind),
                row.confidence,
                phrases.read_all(row.evidence),
            )
        )
    return tuple(OrderGap(order, tuple(sales.get(order.hub_id, ()))) for order in orders)
