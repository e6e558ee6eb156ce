"""A shop's account at a sandbox over HTTP: orders that wait for their invoice, and sales to give them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import SyncRequest, sync_accounts
from confere.app.archive_session import OpenArchive
from confere.app.context import EMBEDDED, Workspace
from confere.app.orders import write_back
from confere.app.orders.write_back import RequestPreview, WriteBackPlan
from confere.archive.accounts import audit, runs
from confere.archive.orders import order_search, orders
from confere.archive.orders.orders import OrderRow
from confere.archive.reconciliation import links
from confere.errors import message
from confere.sales.links import Link, LinkKind
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.loopback import LOOPBACK

SINCE = datetime(2026, 10, 20, tzinfo=UTC)


class Shop:
    """A data folder of one's own, its account at the shared sandbox, and an order that waits for its invoice."""

    def __init__(self, home: Path, hub: RunningHub, order_id: str, key: str) -> None:
        self.workspace = Workspace.at(home)
        self.hub = hub
        self.order_id = order_id
        self.key = key
        self.link(key)

    def link(self, key: str, order_id: str = "") -> None:
        evidence = (message("A person said so."),)
        with self.workspace.writing("test") as archive, archive.writing() as transaction:
            found = Link(order_id or self.order_id, key, LinkKind.PERSON, 100, evidence)
            links.put(transaction, 1, [found])

    def plan(self, *names: str, account: str | None = "shop", period: str | None = None) -> WriteBackPlan:
        opened = OpenArchive(self.workspace)
        try:
            return write_back.plan(opened, account, period=period, orders=names)
        finally:
            opened.close()

    def previews(self) -> list[RequestPreview]:
        return [write_back.preview(entry) for entry in self.plan(self.order_id).candidates]

    def at_hub(self) -> dict[str, Any]:
        answer = httpx.get(f"{self.hub.address}/orders/{self.order_id}", headers=self.headers, **LOOPBACK)
        found: dict[str, Any] = answer.json()
        return found

    def put(self, **body: Any) -> None:
        """Somebody else writes to the order."""
        address = f"{self.hub.address}/orders/{self.order_id}"
        body = {"order_id": self.order_id, **body}
        httpx.put(address, json=body, headers=self.headers, **LOOPBACK).raise_for_status()

    def row(self) -> OrderRow:
        with self.workspace.reading() as archive, archive.reading() as transaction:
            found = orders.one(transaction, 1, self.order_id)
            assert found is not None
            return found

    def versions(self) -> int:
        with self.workspace.reading() as archive, archive.reading() as transaction:
            return len(orders.versions(transaction, self.row().id))

    def trail(self) -> list[tuple[str, str, str | None]]:
        """The lines about invoices of orders, oldest first."""
        with self.workspace.reading() as archive, archive.reading() as transaction:
            lines = audit.lines(transaction)
        return [(line.action, line.subject, line.detail) for line in lines[::-1] if line.action.startswith("order ")]

    def last_run(self) -> runs.Run:
        with self.workspace.reading() as archive, archive.reading() as transaction:
            return runs.newest(transaction, 1)[0]

    @property
    def headers(self) -> dict[str, str]:
        return {"serviceToken": self.hub.token, "platform": "erp"}


MakeShop = Callable[..., Shop]


@dataclass(frozen=True)
class Synced:
    """A running sandbox, the data folder that was synced from it, ids of orders that wait, and keys of sales."""

    hub: RunningHub
    home: Path
    waiting: list[str]
    sales: list[str]


@contextmanager
def lively(home: Path, **options: Any) -> Iterator[Synced]:
    """The orders alone of a strict hub at a moment when some are of every status."""
    world = SandboxOptions(documents=1_500, seed=3, clock="2026-07-15T12:00:00-03:00", strict_bodies=True)
    with running(replace(world, **options)) as hub:
        workspace = Workspace.at(home)
        accounts.add(workspace, NewAccount("shop", hub.address, "test", EMBEDDED), hub.token)
        assert sync_accounts(workspace, (), SyncRequest(documents=False)).failed == 0
        with workspace.reading() as archive, archive.reading() as transaction:
            query = order_search.OrderQuery(statuses=("PAID_WAITING_SHIP",), descending=False)
            waiting = [row.hub_id for row in order_search.page(transaction, query, 100)]
            done = order_search.OrderQuery(statuses=("CONCLUDED",))
            sales = [row.invoice_key or "" for row in order_search.page(transaction, done, 3)]
        yield Synced(hub, home, waiting, sales)


@contextmanager
def synced(home: Path) -> Iterator[Synced]:
    """All orders of a small world, and its newest sales."""
    with running(SandboxOptions(documents=900, seed=23)) as hub:
        workspace = Workspace.at(home)
        accounts.add(workspace, NewAccount("shop", hub.address, "test", EMBEDDED), hub.token)
        assert sync_accounts(workspace, (), SyncRequest(type="sale", from_at=SINCE, orders=False)).failed == 0
        assert sync_accounts(workspace, (), SyncRequest(documents=False)).failed == 0
        with workspace.reading() as archive, archive.reading() as transaction:
            query = order_search.OrderQuery(statuses=("PAID_WAITING_SHIP",), descending=False)
            waiting = [row.hub_id for row in order_search.page(transaction, query, 100)]
            sql = "SELECT access_key FROM document WHERE operation = 'sale' AND state = 'authorized' ORDER BY id"
            sales = [row[0] for row in transaction.fetch(sql)]
        assert len(waiting) > 8
        assert len(sales) > 2
        yield Synced(hub, home, waiting, sales)


def shop_of(world: Synced, folder: Path, *, writes: bool) -> Shop:
    """A shop with a copy of the archive; an order that is written to at the hub is no other test's."""
    shutil.copy(world.home / "archive.sqlite3", folder / "archive.sqlite3")
    return Shop(folder, world.hub, world.waiting.pop() if writes else world.waiting[0], world.sales[0])
