"""A small business: notes, orders in the hub's own form, an account, and links and findings as a run leaves them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from confere.app.context import Workspace
from confere.archive.accounts import runs
from confere.archive.accounts.accounts import Account
from confere.archive.clock import utc_now
from confere.archive.orders import orders
from confere.archive.orders.orders import HUB, ReceivedOrder
from confere.archive.reconciliation import findings, links
from confere.archive.store import Archive
from confere.errors import message
from confere.hub.orders.orders import order_of_text
from confere.sales.findings import Finding, Severity
from confere.sales.links import Link, Linked, LinkKind, Tie
from tests.app.made import account
from tests.archive.papers import RECIPIENT, cancellation, key, note, store

ACCOUNT = "shop"
OCTOBER = "2026-10"
SEPTEMBER_KEY = key(5, month="2609")


def order_json(number: str, **how: Any) -> bytes:
    """An order as the specification writes it, of one mug for ten reais."""
    told: dict[str, Any] = {
        "id": number,
        "createdAt": "2026-10-04T15:00:00Z",
        "status": "INVOICED",
        "marketPlace": "MARKET",
        "marketPlaceId": f"MP-{number}",
        "total": 10.0,
        "gross": 10.0,
        "discount": 0,
        "freight": 0,
        "buyer": {"name": "Cliente Avó", "document": RECIPIENT},
        "items": [{"sku": {"partnerId": "A1", "title": "Caneca azul"}, "amount": 1, "unit": 10.0, "total": 10.0}],
    }
    return json.dumps(told | how).encode()


def record_orders(archive: Archive, owner: Account, *raws: bytes) -> None:
    with archive.writing() as transaction:
        received = [ReceivedOrder(order_of_text(raw).order, raw, HUB, utc_now()) for raw in raws]
        orders.record(transaction, archive.vault_writer, owner.id, 1, received)


def a_finding(rule: str, *names: str, keys: tuple[str, ...] = (), **how: Any) -> Finding:
    told: dict[str, Any] = {
        "version": 1,
        "period": OCTOBER,
        "severity": Severity.HIGH,
        "amount": 1000,
        "evidence": (message("made by hand: {rule}", rule=rule),),
    }
    return Finding(rule=rule, orders=names, keys=keys, **(told | how))


def a_link(order: str, number: int, kind: LinkKind = LinkKind.ORDER_KEY) -> Link:
    return Link(order, key(number), kind, 100, (message("made by hand"),))


LINKED = Linked(
    (a_link("o1", 1), a_link("o2", 2), a_link("o2", 3, LinkKind.SCORED)),
    (Tie(("o3", "o4"), (key(4), SEPTEMBER_KEY), LinkKind.SCORED, message("they are alike")),),
)
FOUND = (
    a_finding("R3", "o2", keys=(key(2), key(3)), amount=1200),
    a_finding("R1", "o3", checked=False, amount=None),
    a_finding("R2", keys=(SEPTEMBER_KEY,), period="2026-09"),
    a_finding("R1", "o1"),
)


def run(archive: Archive, owner: Account, linked: Linked = LINKED, found: tuple[Finding, ...] = FOUND) -> int:
    """What a run writes, of links and findings that are given to it."""
    with archive.writing() as transaction:
        number = runs.start(transaction, "reconcile", owner.id, {"period": None})
        links.replace(transaction, owner.id, number, linked)
        findings.store(transaction, owner.id, number, found, period=None, at=utc_now())
        runs.finish(transaction, number, "done", {"rules": {}, "previous": None})
    return number


def workspace_at(folder: Path, *, reconciled: bool = True) -> Workspace:
    """Five notes (the third cancelled), four orders, and what a run found in them."""
    found = Workspace.at(folder)
    with found.writing("test") as archive:
        store(archive, *(note(number) for number in (1, 2, 3, 4)), note(5, day="2026-09-30"), cancellation(3))
        owner = account(archive, ACCOUNT)
        record_orders(archive, owner, *(order_json(f"o{number}") for number in (1, 2, 3, 4)))
        if reconciled:
            run(archive, owner)
    return found
