"""Orders that an older version read are read again from their JSON in the vault: a newer one finds more in it."""

from __future__ import annotations

from confere.archive.orders import outdated_orders
from confere.archive.store import Archive
from confere.errors import ArchiveCorrupt
from confere.hub.orders.orders import order_of_text
from confere.sales.order import Order
from confere.system.processes.cancellation import Stop

BATCH = 500


def reread_orders(archive: Archive, account_id: int, *, stop: Stop | None = None) -> int:
    """Read the account's orders again that an older version read; how many were. Each batch is a transaction.

    What cannot be read from the vault stays as it is, and is tried again by the next call. Raises `Cancelled`.
    """
    count, after = 0, 0
    while True:
        if stop is not None:
            stop.check()
        with archive.reading() as transaction:
            waiting = outdated_orders.waiting(transaction, account_id, after, BATCH)
        if not waiting:
            return count
        after = waiting[-1].id
        orders = [(row.id, order) for row in waiting if (order := _order(archive, row.content_id))]
        with archive.writing() as transaction:
            outdated_orders.rewrite(transaction, orders)
        count += len(orders)


def _order(archive: Archive, content_id: int) -> Order | None:
    try:
        return order_of_text(archive.content(content_id)).order
    except (ArchiveCorrupt, ValueError):
        return None
