"""Shapes hold values as the program has them; the encoder makes JSON of them in one place."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from pathlib import Path
from types import MappingProxyType

import pytest

from confere.cli.json.encoder import each_of, fields_of, joined, json_text
from confere.errors import message
from confere.system import messages


class Letter(StrEnum):
    A = "a"


class Number(IntEnum):
    ONE = 1


class Word(Enum):
    YES = "yes"


@dataclass(frozen=True)
class Buyer:
    name: str


@dataclass(frozen=True)
class Order:
    id: int
    total: int | None
    buyer: Buyer
    internal: str = "never told"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, None),
        (True, True),
        (1.5, 1.5),
        ("text", "text"),
        (Letter.A, "a"),
        (Number.ONE, 1),
        (Word.YES, "yes"),
        (Path("folder") / "file", str(Path("folder") / "file")),
        (datetime(2026, 1, 2, 3, 4, 5, 678, UTC), "2026-01-02T03:04:05+00:00"),
        (date(2026, 1, 2), "2026-01-02"),
        (Decimal("1.500"), "1.5"),
        (Decimal("1E+2"), "100"),
        (Decimal("20"), "20"),
        ((1, (Letter.A,)), [1, ["a"]]),
        (frozenset({"b", "a"}), ["a", "b"]),
        (MappingProxyType({"a": MappingProxyType({"b": Decimal("2.0")})}), {"a": {"b": "2"}}),
        ((message("{count} of {all}", count=1, all=2), message("End")), ["1 of 2", "End"]),
    ],
)
@pytest.mark.parametrize("readable", [False, True])
def test_every_kind_of_value_has_its_json(value: object, expected: object, readable: bool) -> None:
    assert json.loads(json_text({"value": value}, readable=readable)) == {"value": expected}


def test_a_message_is_told_in_the_language_of_the_run() -> None:
    before = messages.language()
    sentence = message("Documents")
    try:
        messages.set_language("en")
        english = json_text({"what": sentence})
        messages.set_language("pt_BR")
        assert json.loads(json_text({"what": sentence})) == {"what": "Documentos"}
    finally:
        messages.set_language(before)
    assert json.loads(english) == {"what": "Documents"}


@pytest.mark.parametrize("value", [Buyer("Ana"), b"bytes", object()])
def test_a_value_that_nobody_thought_of_is_a_bug(value: object) -> None:
    with pytest.raises(TypeError, match=type(value).__name__):
        json_text({"value": value})


def test_fields_are_those_that_are_named_in_their_order() -> None:
    order = Order(7, 123456, Buyer("Ana"))
    shape = fields_of(order, "total", "order_id=id", "buyer_name=buyer.name", money=("total",))
    assert list(shape.items()) == [("total", "1234.56"), ("order_id", 7), ("buyer_name", "Ana")]
    assert fields_of(order, "id") == {"id": 7}


def test_money_that_is_not_known_is_null() -> None:
    assert each_of([Order(7, None, Buyer("Ana"))], "total", money=("total",)) == [{"total": None}]


def test_a_name_that_a_value_does_not_have_is_a_bug() -> None:
    with pytest.raises(AttributeError, match="price"):
        fields_of(Order(7, None, Buyer("Ana")), "price")


def test_sentences_of_one_text_are_joined() -> None:
    assert joined([message("One."), message("Two.")]) == "One. Two."
