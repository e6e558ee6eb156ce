"""An archive of the twelfth format gets what became of an order's transmission from the JSON that it holds."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from confere.archive.orders import order_search
from confere.archive.orders.order_search import OrderQuery
from confere.archive.store import Archive
from confere.hub.orders.orders import order_of_text
from confere.intake.orders.order_rereading import reread_orders
from tests.archive.listed import add_accounts
from tests.archive.older import made_older
from tests.archive.schema.test_migrate import definitions
from tests.archive.sold import received, record


def said(number: int, status: str) -> bytes:
    order = {"id": number, "createdAt": "2026-10-05T12:00:00Z", "transmissionStatus": status}
    return json.dumps(order | ({"transmissionMessage": "Não."} if status != "OK" else {})).encode()


def test_failed_transmissions_are_found_after_the_orders_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "archive.sqlite3"
    with Archive.to_write(path, "test") as archive:
        add_accounts(archive)
        for number, status in ((1, "OK"), (2, "error")):
            raw = said(number, status)
            record(archive, received(order_of_text(raw).order, raw=raw))
    shape = definitions(path)
    made_older(path, "0012")
    with closing(sqlite3.connect(path)) as database:
        assert "transmission_status" not in {row[1] for row in database.execute("PRAGMA table_info(sales_order)")}
        database.execute("UPDATE sales_order SET reader = 2")  # of that release
        database.commit()
    failed = OrderQuery(1, transmission_failed=True)
    with Archive.to_write(path, "test") as archive:
        with archive.reading() as transaction:
            assert order_search.count(transaction, failed) == 0
        assert reread_orders(archive, 1) == 2
        with archive.reading() as transaction:
            (row,) = order_search.page(transaction, failed, 10)
            assert (row.hub_id, row.transmission_status, row.transmission_message) == ("2", "ERROR", "Não.")
    assert definitions(path) == shape
