"""An archive of the fourth format with orders gets the newer fields from the JSON that it holds, read again lazily."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from confere.app.maintenance.reindex import reindex_archive
from confere.archive.orders import order_aliases, order_search, orders, outdated_orders
from confere.archive.orders.order_rows import FILE, HUB
from confere.archive.orders.order_search import OrderQuery
from confere.archive.store import Archive
from confere.hub.orders.orders import order_of_text
from confere.intake.orders.order_rereading import reread_orders
from tests.archive.listed import add_accounts
from tests.archive.older import made_older
from tests.archive.schema.test_migrate import definitions
from tests.archive.sold import received, record

NEW = "partner_id, marketplace_number, interest, fulfillment, updated_at, reader"


def said(number: int) -> bytes:
    return json.dumps(
        {
            "id": number,
            "createdAt": "2026-10-05T12:00:00Z",
            "marketPlaceId": f"M-{number}",
            "marketPlaceNumber": f"N-{number}",
            "partnerId": f"P-{number}",
            "interestValue": 1.25,
            "fulfillment": True,
            "lastUpdate": "2026-10-06T12:00:00Z",
        }
    ).encode()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "archive.sqlite3"
    with Archive.to_write(path, "test") as archive:
        add_accounts(archive)
        for number, source in ((1, HUB), (2, HUB), (3, FILE)):
            record(archive, received(order_of_text(said(number)).order, source=source, raw=said(number)))
    return path


def everything(path: Path) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(f"SELECT hub_id, marketplace_id, {NEW} FROM sales_order ORDER BY id").fetchall()


def test_orders_are_read_again_from_their_json(path: Path) -> None:
    wanted, shape = everything(path), definitions(path)
    assert wanted[0] == ("1", "M-1", "P-1", "N-1", 125, "true", "2026-10-06T12:00:00.000+00:00", 3)
    made_older(path, "0004")
    with closing(sqlite3.connect(path)) as database:
        assert "partner_id" not in {row[1] for row in database.execute("PRAGMA table_info(sales_order)")}

    with Archive.to_write(path, "test") as archive:
        assert [row[2:] for row in everything(path)] == [(None,) * 6] * 3
        assert (reread_orders(archive, 1), reread_orders(archive, 1), reread_orders(archive, 2)) == (3, 0, 0)
        with archive.reading() as transaction:
            assert outdated_orders.waiting(transaction, 1, 0, 10) == ()
            assert orders.one(transaction, 1, "N-2") == orders.one(transaction, 1, "P-2") == orders.one(
                transaction, 1, "2"
            )  # fmt: skip
            for text in ("N-2", "P-2", "M-2", "2"):
                (only,) = order_search.page(transaction, OrderQuery(text=text), 10)
                assert only.hub_id == "2"
    assert everything(path) == wanted
    assert definitions(path) == shape


def test_json_that_cannot_be_read_leaves_its_row_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE sales_order SET reader = NULL, partner_id = NULL")
        database.execute(
            "UPDATE content SET payload = x'00' WHERE id = (SELECT content_id FROM sales_order WHERE id = 1)"
        )
        database.commit()
    with Archive.to_write(path, "test") as archive:
        assert reread_orders(archive, 1) == 2
    assert [row[2] for row in everything(path)] == [None, "P-2", "P-3"]


def test_reindex_reads_orders_again_too(path: Path) -> None:
    wanted = everything(path)
    made_older(path, "0004")
    with Archive.to_write(path, "test") as archive:
        assert (reindex_archive(archive, workers=0).orders, reindex_archive(archive, workers=0).orders) == (3, 0)
    assert everything(path) == wanted


def test_any_number_names_an_order_and_the_hubs_id_goes_first(path: Path) -> None:
    with Archive.to_write(path, "test") as archive:
        twin = order_of_text(b'{"id": "P-1", "partnerId": "P-2"}').order
        record(archive, received(twin, raw=b'{"id": "P-1", "partnerId": "P-2"}'))
        with archive.reading() as transaction:
            found = order_aliases.by_any_name(transaction, 1, {"P-1", "P-2", "N-2", "M-3", "none"})
            assert found == {"P-1": ("P-1",), "P-2": ("2", "P-1"), "N-2": ("2",), "M-3": ("3",)}
            assert order_aliases.by_marketplace_id(transaction, 1, {"N-1", "M-2", "N-3"}) == {"N-1": "1", "M-2": "2"}
