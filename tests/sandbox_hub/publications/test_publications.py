"""What is kept of publications: ids, the main one of a product's variations, the history of prices."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from sandbox_hub.publications.publication import (
    REMOVED,
    UNPUBLISHED,
    AdContent,
    Confirmation,
    HookCall,
    OfferedSku,
    Publication,
    Terms,
)
from sandbox_hub.publications.publications import Publications

TERMS = Terms(1_000, None, None, 5)


class Kept:
    """Publications with a clock to be set, and what they noted."""

    def __init__(self) -> None:
        self.now = 100
        self.changed: list[int] = []
        self.repriced: list[int] = []
        self.kept: dict[str, dict[str, Any]] = {}
        self.publications = self.again()

    def again(self) -> Publications:
        return Publications(1, self.kept, lambda: self.now, self.changed.append, self.repriced.append)

    def create(self, sku: int, product: int = 9, marketplace: str = "A") -> Publication:
        facts = OfferedSku(sku, product, f"P{sku}", AdContent(f"Produto {sku}", "", ("http://a.example/1.png",)), TERMS)
        return self.publications.create(facts, marketplace, TERMS)


@pytest.fixture
def kept() -> Kept:
    return Kept()


def test_the_main_publication_stands_for_all_variations_there(kept: Kept) -> None:
    first, second, elsewhere, other = kept.create(1), kept.create(2), kept.create(2, marketplace="B"), kept.create(3, 8)
    mains = [kept.publications.main_of(item) for item in (first, second, elsewhere, other)]
    assert mains == [first.id, first.id, elsewhere.id, other.id]
    kept.publications.change(replace(first, status=REMOVED))
    assert kept.publications.main_of(second) == second.id
    assert [item.id for item in kept.publications.standing()] == [second.id, elsewhere.id, other.id]
    assert first.account_id == second.account_id != elsewhere.account_id


def test_prices_are_kept_with_when_they_began(kept: Kept) -> None:
    item = kept.create(1)
    kept.now = 200
    item = kept.publications.change(replace(item, terms=TERMS._replace(available=1)))
    item = kept.publications.change(replace(item, terms=TERMS._replace(discount_cents=900, campaign="C")))
    assert [moment.since for moment in item.prices] == [100, 200]
    assert item.prices[-1] == (200, 1_000, 900, "C")
    assert kept.changed == [item.id] * 3
    assert kept.repriced == [item.id] * 2
    item = kept.publications.change(replace(item, confirmed=Confirmation(200, 1_000, 900, 1)))
    assert kept.repriced == [item.id] * 3
    for price in range(200):
        item = kept.publications.change(replace(item, terms=TERMS._replace(price_cents=2_000 + price)))
    assert len(item.prices) == 50
    assert item.prices[-1].price_cents == 2_199


def test_a_publication_is_the_same_after_it_was_written_down(kept: Kept) -> None:
    call = HookCall("/canSave", 100, 1, True, 200, "")
    item = replace(
        kept.create(1),
        status=UNPUBLISHED,
        terms=Terms(1_000, 900, "Semana", 5, ("price", "stock")),
        confirmed=Confirmation(100, 1_000, None, None),
        unsent=("price",),
        due=True,
        calls=(call,),
    )
    kept.publications.keep(item)
    kept.kept = json.loads(json.dumps(kept.kept))
    assert kept.again().get(item.id) == item
    assert kept.again().get(item.id + 1) is None
    assert kept.again().get(None) is None
