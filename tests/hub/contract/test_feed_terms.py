"""How feeds are read and marked: by the contract where there is one, by the specification where there is none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from confere.hub.contract.contract import Contract, read_contract
from confere.hub.contract.feed_terms import Marking, feed_terms
from confere.sales.hub_feeds import HubFeed

NAMED = {"type": "array", "items": {"type": "object", "required": ["id", "token"]}}
EMPTY = {"type": "object", "maxProperties": 0}


def contract(*paths: str, batch: Any = None, required: bool = False, limit: bool = False) -> Contract:
    """Of a hub with these reads and markings of its feed of products; `batch` is the schema of its batch's body."""
    known: dict[str, Any] = {"/orders": {"get": {}}}
    for path in paths:
        method, _, address = path.partition(" ")
        known.setdefault(address, {})[method] = {}
    if limit:
        known["/products/feeds"]["get"]["parameters"] = [{"name": "limit", "in": "query", "schema": {}}]
    if batch is not None:
        content = {"application/json": {"schema": batch}}
        known["/products/feeds/batch"] = {"put": {"requestBody": {"required": required, "content": content}}}
    return read_contract(json.dumps({"openapi": "3.1.0", "paths": known}))


def test_without_a_contract_the_specification_holds() -> None:
    terms = {feed: feed_terms(None, feed) for feed in HubFeed}
    assert all(each.is_offered for each in terms.values())
    assert [feed for feed, each in terms.items() if each.record] == [HubFeed.ORDERS]
    singly = {feed for feed, each in terms.items() if each.marking is Marking.SINGLY}
    assert singly == {HubFeed.ORDERS, HubFeed.PRODUCTS, HubFeed.TRANSMISSIONS}
    assert {each.marking for feed, each in terms.items() if feed not in singly} == {Marking.ALL_READ}


def test_what_a_contract_does_not_declare_is_not_offered() -> None:
    terms = feed_terms(contract(), HubFeed.PRODUCTS)
    assert (terms.is_offered, terms.takes_limit, terms.marking, terms.record) == (False, False, None, None)


@pytest.mark.parametrize(
    ("paths", "batch", "required", "marking"),
    [
        ((), NAMED, True, Marking.TOGETHER),
        (("put /products/feeds/{id}",), NAMED, True, Marking.TOGETHER),
        ((), {"anyOf": [EMPTY, NAMED]}, False, Marking.TOGETHER),
        # Naming items is safer than marking whatever was shown: one by one where they cannot be named together.
        (("put /products/feeds/{id}",), EMPTY, False, Marking.SINGLY),
        ((), EMPTY, True, Marking.ALL_READ),
        ((), {"type": "object", "required": ["all"]}, False, Marking.ALL_READ),
        ((), {"type": "object", "required": ["all"]}, True, None),
        (("put /products/feeds/{id}",), None, False, Marking.SINGLY),
        (("put /products/feeds/batch",), None, False, Marking.ALL_READ),
        (("put /products/feeds/{id}/{other}",), None, False, None),
        ((), None, False, None),
    ],
)
def test_marking(paths: tuple[str, ...], batch: Any, required: bool, marking: Marking | None) -> None:
    known = contract("get /products/feeds", *paths, batch=batch, required=required)
    assert feed_terms(known, HubFeed.PRODUCTS).marking is marking


def test_ids_may_be_texts_or_numbers() -> None:
    texts = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "string"}}}}
    numbers = {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}}
    for body in (texts, numbers):
        known = contract("get /products/feeds", batch=body, required=True)
        assert feed_terms(known, HubFeed.PRODUCTS).marking is Marking.TOGETHER


def test_the_limit_is_sent_where_the_feed_takes_one() -> None:
    assert feed_terms(contract("get /products/feeds", limit=True), HubFeed.PRODUCTS).takes_limit
    assert not feed_terms(contract("get /products/feeds"), HubFeed.PRODUCTS).takes_limit


def test_where_records_are_read() -> None:
    known = contract("get /products/feeds", "get /products/{productId}", "get /products/{productId}/skus")
    assert feed_terms(known, HubFeed.PRODUCTS).record == "/products/{productId}"
    known = contract("get /transmissions/{id}")
    assert feed_terms(known, HubFeed.PRICES).record == "/transmissions/{id}", "a price stands on its publication"
    known = contract("get /transmissions/{id}", "get /transmissions-price/{id}")
    assert feed_terms(known, HubFeed.PRICES).record == "/transmissions-price/{id}"
    assert feed_terms(contract("get /reservations"), HubFeed.RESERVATIONS).record is None
