"""What changed between two versions of an order's JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from confere.app.labels.reconciliation_labels import status_word
from confere.app.orders.order_changes import MOST_FIELDS, changes
from confere.app.orders.order_sections import value_text
from confere.system import formatting


def compared(older: Any, newer: Any) -> list[tuple[str, str | None, str | None]]:
    return [
        (one.path, one.before, one.after) for one in changes(json.dumps(older).encode(), json.dumps(newer).encode())
    ]


def test_only_what_differs_is_told_by_its_path() -> None:
    older = {"status": "INVOICED", "total": 10.10, "items": [{"sku": {"partnerId": "A"}}], "tracking": None, "x": True}
    newer = {
        "status": "CONCLUDED",
        "total": 10.10,
        "items": [{"sku": {"partnerId": "B"}}, {"sku": {"partnerId": "C"}}],
        "tracking": {"carrier": "Rápida"},
    }
    assert compared(older, newer) == [
        ("status", "INVOICED", "CONCLUDED"),
        ("items[0].sku.partnerId", "A", "B"),
        ("items[1].sku.partnerId", None, "C"),
        ("tracking.carrier", None, "Rápida"),
        ("x", "true", None),
    ]


def test_known_fields_have_words_and_others_none() -> None:
    labels = {one.path: one.label for one in changes(b"{}", b'{"tracking": {"bufferingDate": "x"}, "odd": [1]}')}
    assert str(labels["tracking.bufferingDate"]) == "Ready by"
    assert labels["odd[0]"] is None


def test_the_same_number_written_otherwise_differs_as_it_is_written() -> None:
    assert [(one.before, one.after) for one in changes(b'{"total": 1.0}', b'{"total": 1.00}')] == [("1.0", "1.00")]


@pytest.mark.parametrize("raw", [b"", b"\xff", b"<x>", b"[" * 100_000])
def test_what_is_no_json_has_no_field(raw: bytes) -> None:
    assert compared({"a": 1}, {"a": 1}) == []
    assert [(one.path, one.after) for one in changes(b'{"a": 1}', raw)] == [("a", None)]


def test_an_order_without_end_is_cut() -> None:
    many = {str(number): number for number in range(MOST_FIELDS + 50)}
    assert len(compared({}, many)) == MOST_FIELDS


def test_values_are_said_in_words_and_people_can_be_hidden() -> None:
    assert value_text("gross", "47.7") == "R$ 47,70"
    assert value_text("items[0].price", "1") == "R$ 1,00"
    assert value_text("total", "much") == "much"
    assert value_text("tracking.shippedDate", "2026-10-31T12:00:00Z") == formatting.moment("2026-10-31T09:00:00-03:00")
    assert value_text("status", "CONCLUDED") == status_word("CONCLUDED")
    assert value_text("marketPlaceStatus", None) == "–"
    assert value_text("buyer.name", "Avó Maria") == "Avó Maria"
    hidden = {path: value_text(path, "x", hidden=True) for path in ("buyer.name", "shipping.zipCode", "shipping.city")}
    assert hidden == {"buyer.name": "•••", "shipping.zipCode": "•••", "shipping.city": "x"}
