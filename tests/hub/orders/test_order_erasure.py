"""Orders' JSON without the person: every spelling of buyer and address goes, what reconciliation needs stays."""

from __future__ import annotations

import json

import pytest

from confere.hub.orders.order_erasure import erased, names_in, spellings

ORDER = {
    "id": 7,
    "total": 10.50,
    "createdAt": "2026-10-05T10:00:00Z",
    "buyer": {"name": "José Araújo", "contacts": [{"type": "email", "value": "jose@x.example"}], "vip": True},
    "shipping": {"state": "SP", "freight": "3.50", "street": "Rua Um, 1", "value": 12.5, "shippedAt": "2026-10-06"},
    "billing-address": {"zipCode": 1310100, "city": "Osasco"},
    "customerName": "JOSÉ ARAÚJO",
    "notes": ["deixar com josé araújo", "frágil"],
    "items": [{"title": "Caneca", "total": 10.50, "seller": {"name": "Loja"}}],
}


def test_the_person_goes_and_the_business_stays() -> None:
    raw = json.dumps(ORDER).encode()
    names = names_in(raw)
    assert {"José Araújo", "jose@x.example", "Rua Um, 1", "1310100"} <= names
    made = json.loads(erased(raw, names))
    assert made == {
        **ORDER,
        "buyer": {"name": None, "contacts": [{"type": None, "value": None}], "vip": True},
        "shipping": {"state": "SP", "freight": "3.50", "street": None, "value": 12.5, "shippedAt": "2026-10-06"},
        "billing-address": {"zipCode": None, "city": None},
        "customerName": None,
        "notes": [None, "frágil"],
    }
    assert erased(raw, names) == erased(json.dumps(ORDER, indent=2).encode(), names)
    assert erased(erased(raw, names)) == erased(raw, names)


@pytest.mark.parametrize(
    "raw", [b"", b"x", b"[1]", b"\xff\xfe", b"[" * 100_000, b'"Jos\xc3\xa9"', b'{"a": 1e999999999999}']
)
def test_what_is_no_object_keeps_nothing(raw: bytes) -> None:
    assert erased(raw) in (b"{}", b'{"a": null}')
    assert isinstance(names_in(raw), frozenset)


def test_half_a_letter_and_deep_nesting_end_in_json() -> None:
    assert json.loads(erased(b'{"note": "\\ud83d"}')) == {"note": "\ud83d"}
    deep = b'{"a": ' * 600 + b"1" + b"}" * 600
    assert json.loads(erased(deep)) in ({}, json.loads(deep))


def test_how_a_tax_id_can_be_written() -> None:
    assert spellings("52998224725") == ("52998224725", "529.982.247-25")
    assert spellings("11222333000181") == ("11222333000181", "11.222.333/0001-81", "11.222.333\\/0001-81")
