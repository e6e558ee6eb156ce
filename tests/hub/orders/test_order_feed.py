from __future__ import annotations

import json

import pytest

from confere.errors import HubRefusedRequest
from confere.hub.orders.order_feed import FeedItem, mark, unread
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.scripted import Reply, data


def test_reading_marks_nothing(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([data([{"id": 7, "token": "t-7"}, {"id": "8", "token": "t-8"}, {"id": 9}, 17, {"token": "x"}])])
    session = connect(hub)
    assert unread(session, 50) == (FeedItem("7", "t-7"), FeedItem("8", "t-8"))
    unread(session)
    assert [(asked.method, asked.target) for asked in hub.asked] == [
        ("GET", "/v2/orders/feeds?limit=50"),
        ("GET", "/v2/orders/feeds"),
    ]


def test_marking_is_one_explicit_request(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([Reply(200, body=b"")])
    mark(connect(hub), "7/8", 't-"7')
    (asked,) = hub.asked
    assert (asked.method, asked.target) == ("PUT", "/v2/orders/feeds/7%2F8")
    assert json.loads(asked.body) == {"token": 't-"7'}


def test_a_refused_mark_is_an_error(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([data({"message": "token errado"}, 422)])
    with pytest.raises(HubRefusedRequest, match="token errado"):
        mark(connect(hub), "7", "t")
    assert len(hub.asked) == 1
