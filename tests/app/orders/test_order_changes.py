"""What changed between two versions of an order's JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from confere.app.orders.order_changes import MOST_FIELDS, changes


def told(older: Any, newer: Any) -> list[tuple[str, str | None, str | None]]:
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
    assert told(older, newer) == [
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
    assert told({"a": 1}, {"a": 1}) == []
    assert [(one.path, one.after) for one in changes(b'{"a": 1}', raw)] == [("a", None)]


def test_an_order_without_end_is_cut() -> None:
    many = {str(number): number for number in range(MOST_FIELDS + 50)}
    assert len(told({}, many)) == MOST_FIELDS
