from __future__ import annotations

import json

import pytest

from confere.errors import HubRefusedRequest
from confere.hub.feeds.feed import FeedItem, mark, mark_all_read, mark_together, unread
from confere.sales.hub_feeds import HubFeed
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.scripted import Reply, data


def test_reading_marks_nothing(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([data([{"id": 7, "token": "t-7"}, {"id": "8", "token": "t-8"}, {"id": 9}, 17, {"token": "x"}])])
    session = connect(hub)
    assert unread(session, HubFeed.ORDERS, 50) == ((FeedItem("7", "t-7"), FeedItem("8", "t-8")), 3)
    unread(session, HubFeed.PRICES)
    assert [(asked.method, asked.target) for asked in hub.asked] == [
        ("GET", "/v2/orders/feeds?limit=50"),
        ("GET", "/v2/transmissions-price/feeds"),
    ]


def test_marking_is_one_explicit_request(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([Reply(200, body=b"")])
    mark(connect(hub), HubFeed.ORDERS, FeedItem("7/8", 't-"7'))
    (asked,) = hub.asked
    assert (asked.method, asked.target) == ("PUT", "/v2/orders/feeds/7%2F8")
    assert json.loads(asked.body) == {"token": 't-"7'}


def test_a_refused_mark_is_an_error(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([data({"message": "token errado"}, 422)])
    with pytest.raises(HubRefusedRequest, match="token errado"):
        mark(connect(hub), HubFeed.ORDERS, FeedItem("7", "t"))
    assert len(hub.asked) == 1


def test_marking_many_names_them_or_nothing(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([Reply(200, body=b""), Reply(200, body=b"")])
    session = connect(hub)
    mark_together(session, HubFeed.PRODUCTS, [FeedItem("7", "t-7"), FeedItem("A-8", "t-8"), FeedItem("007", "t")])
    mark_all_read(session, HubFeed.RESERVATIONS)
    assert [(asked.method, asked.target, json.loads(asked.body)) for asked in hub.asked] == [
        (
            "PUT",
            "/v2/products/feeds/batch",
            [{"id": 7, "token": "t-7"}, {"id": "A-8", "token": "t-8"}, {"id": "007", "token": "t"}],
        ),
        ("PUT", "/v2/reservations/feeds/batch", {}),
    ]
