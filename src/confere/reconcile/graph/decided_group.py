"""The group that a decision belongs to: orders, documents and freight that hang together, before it or after it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable

from confere.sales.findings import Discrepancy
from confere.sales.links import Linked
from confere.sales.slotted_records import record

Pair = tuple[str, str]
"""The hub's id of an order, and an access key."""


@record
class DecidedGroup:
    """`orders` are the hub's ids, `keys` access keys; a CT-e is in it by the link with its order."""

    orders: frozenset[str]
    keys: frozenset[str]

    def holds(self, discrepancy: Discrepancy) -> bool:
        """Whether it is about an order or a document of the group."""
        return not (self.orders.isdisjoint(discrepancy.orders) and self.keys.isdisjoint(discrepancy.keys))

    def relinked(self, before: Linked, after: Linked) -> Linked:
        """The group as it is linked after the decision, and everything else as it was linked before."""
        orders, keys = self.orders, self.keys
        return Linked(
            (
                *(link for link in before.links if link.order_id not in orders and link.key not in keys),
                *(link for link in after.links if link.order_id in orders or link.key in keys),
            ),
            (
                *(tie for tie in before.ties if orders.isdisjoint(tie.orders) and keys.isdisjoint(tie.keys)),
                *(tie for tie in after.ties if not (orders.isdisjoint(tie.orders) and keys.isdisjoint(tie.keys))),
            ),
            (
                *(near for near in before.suggestions if near.order_id not in orders and near.key not in keys),
                *(near for near in after.suggestions if near.order_id in orders or near.key in keys),
            ),
        )


def decided_group(pairs: Collection[Pair], before: Linked, after: Linked) -> DecidedGroup:
    """Everything that links, ties or suggestions, of before or after the decision, connect with the decided pairs.

    A tie connects all its orders with all its documents.
    """
    of_order: dict[str, list[str]] = defaultdict(list)
    of_key: dict[str, list[str]] = defaultdict(list)
    for order_id, key in (*pairs, *_edges(before), *_edges(after)):
        of_order[order_id].append(key)
        of_key[key].append(order_id)
    orders = {order_id for order_id, _ in pairs}
    keys: set[str] = set()
    ahead = list(orders)
    while ahead:
        for key in of_order[ahead.pop()]:
            if key not in keys:
                keys.add(key)
                beyond = [order_id for order_id in of_key[key] if order_id not in orders]
                orders.update(beyond)
                ahead += beyond
    return DecidedGroup(frozenset(orders), frozenset(keys))


def _edges(linked: Linked) -> Iterable[Pair]:
    """Pairs that connect what `linked` connects. Of a tie a few are enough: each name with the first of the others."""
    yield from ((link.order_id, link.key) for link in linked.links)
    yield from ((near.order_id, near.key) for near in linked.suggestions)
    for tie in linked.ties:
        yield from ((order_id, tie.keys[0]) for order_id in tie.orders)
        yield from ((tie.orders[0], key) for key in tie.keys)
