"""What holds of every page of the bridge, whatever its orders and invoices."""

from __future__ import annotations

from collections import defaultdict

from confere.reconcile.bridge.page import BridgePage
from confere.reconcile.bridge.placement import Placement
from confere.sales.bridge import BridgeCode, BridgePart


def check_page(placement: Placement, made: BridgePage) -> None:
    """The lines come to the invoices, the shares to their lines, and to no more than their orders and documents."""
    running_sum = 0
    of_order: dict[str, int] = defaultdict(int)
    of_note: dict[str, int] = defaultdict(int)
    for line in made.lines:
        shares = list(made.shares(line.code))
        assert sum(share.amount for share in shares) == line.amount, line
        part = line.code.part
        if part in (BridgePart.START, BridgePart.ORDERS, BridgePart.INVOICES):
            running_sum += line.amount
        elif part in (BridgePart.SUBTOTAL, BridgePart.END):
            assert running_sum == line.amount, (made.scope, line)
        for share in shares:
            if part in (BridgePart.ORDERS, BridgePart.SUBTOTAL):
                assert share.order_id is not None
                of_order[share.order_id] += share.amount if part is BridgePart.SUBTOTAL else -share.amount
            if part in (BridgePart.INVOICES, BridgePart.SUBTOTAL):
                assert share.key is not None
                of_note[share.key] += share.amount
    orders, papers = placement.view.orders, placement.view.papers
    assert all(amount == (orders[name].total or 0) for name, amount in of_order.items())
    assert all(amount == (papers[key].total or 0) for key, amount in of_note.items())
    assert of_order.keys() == {share.order_id for share in made.shares(BridgeCode.ORDERS_TAKEN)}
    assert of_note.keys() == {share.key for share in made.shares(BridgeCode.INVOICES_AUTHORIZED)}
