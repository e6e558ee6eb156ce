"""Every row of the specification holds at both ends; and where the hub is broken, its row says so."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sandbox_hub.publications import publishing
from sandbox_hub.web import responses
from tests.breadth import some_of
from tests.hub.rows import probes
from tests.hub.rows.bench import Bench, bench
from tests.hub.rows.running import End, Outcome, Result, run
from tests.hub.rows.table import Row, rows

# How many facts each part of the specification states: one that is taken out of the table is missed here.
SECTIONS = {
    "service": 22,
    "category": 8,
    "brand": 2,
    "stock": 6,
    "product": 27,
    "sku": 11,
    "catalog operations": 10,
    "order": 52,
    "order moves": 9,
    "order operations": 8,
    "feeds": 19,
    "transmission": 3,
    "publication record": 6,
    "publication event": 15,
    "publication lifecycle": 11,
    "middleware operations": 8,
    "fiscal document": 12,
    "fiscal document operations": 12,
    "callback": 10,
    "spec lookup": 29,
    "addresses": 4,
    "authentication": 5,
    "errors": 9,
    "limits": 6,
    "versioning": 3,
}
# Rows about one field of what the hub answers: without the field the row cannot hold.
FIELDS = ("category_field", "brand_field", "stock_field", "product_field", "sku_field", "order_field", "document_field")
RULES = {"product.id", "stock.additionalTime-alone", "sku.ean-null", "sku.price-text", "product.skus"}
AT_CLIENT = (
    "category.calculatePrice", "brand.partnerId", "product.warrantyTime", "product.images.variation", "sku.amount",
    "stock.cost", "order.buyer.email", "order.tracking.bufferingDate", "order.payments.value", "order.items.discount",
    "document.cfop", "document.history.status", "transmission.marketplaceStatus", "filter.marketplace",
    "early.transmissionMessage", "limit.totalPages", "feed.transmissions",
)  # fmt: skip


@pytest.fixture(scope="module")
def workplace() -> Iterator[Bench]:
    with bench() as made:
        yield made


def test_every_fact_of_the_specification_has_a_row_with_probes() -> None:
    table = rows()
    assert Counter(row.section for row in table) == SECTIONS
    probes.load()
    assert {row.hub for row in table} == set(probes.HUB)
    assert {row.client for row in table if row.client} <= set(probes.CLIENT)
    for row in table:
        assert re.fullmatch(r"[A-Za-z/].*\.", row.text), row
        assert not row.reason or re.fullmatch(r"[A-Z].{20,}\.", row.reason), row


@pytest.mark.exhaustive
def test_every_row_holds_at_both_ends(workplace: Bench) -> None:
    results = list(run(workplace, rows()))
    assert [(r.row.name, r.end.value, r.why, r.calls[-2:]) for r in results if not r.is_good] == []
    outcomes = Counter((result.end, result.outcome) for result in results)
    assert outcomes[End.HUB, Outcome.OK] == len(rows())
    assert outcomes[End.CLIENT, Outcome.OK] > 240
    assert all(result.calls for result in results if result.outcome is Outcome.OK)


def test_a_row_without_a_probe_is_missing_and_one_that_calls_nothing_fails(
    workplace: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    probes.load()
    monkeypatch.setitem(probes.HUB, "idle", lambda _bench, _subject: None)
    made = [Row("a.b", "s", "T.", "nobody", "", "R."), Row("a.c", "s", "T.", "idle", "", "R.")]
    results = list(run(workplace, made))
    assert [result.outcome for result in results] == [
        Outcome.MISSING,
        Outcome.ONE_END,
        Outcome.FAILED,
        Outcome.ONE_END,
    ]
    assert [result.is_good for result in results] == [False, True, False, True]


Break = Callable[[str], None]


@pytest.fixture
def without(workplace: Bench, monkeypatch: pytest.MonkeyPatch) -> Iterator[Break]:
    """`without(field)`: from now on the hub leaves this field out of every answer and every event."""
    encode, payload = responses.encode, publishing.event_payload

    def break_hub(field: str) -> None:
        workplace.forget()
        monkeypatch.setattr(responses, "encode", lambda content: encode(cut(content, field)))
        monkeypatch.setattr(publishing, "event_payload", lambda *given: cut(payload(*given), field))

    yield break_hub
    monkeypatch.undo()
    workplace.forget()


def cut(content: Any, field: str) -> Any:
    """A copy without the field, wherever it stands."""
    if isinstance(content, dict):
        return {name: cut(value, field) for name, value in content.items() if name != field}
    return [cut(value, field) for value in content] if isinstance(content, list) else content


def one_end(workplace: Bench, row: Row, end: End) -> Result:
    [result] = run(workplace, [row], [end])
    return result


@pytest.mark.parametrize(
    "row", [row for row in rows() if row.hub in FIELDS and row.name not in RULES], ids=lambda row: row.name
)
def test_a_field_that_the_hub_leaves_out_is_missed(workplace: Bench, without: Break, row: Row) -> None:
    without(row.subject.rpartition(".")[2])
    assert one_end(workplace, row, End.HUB).outcome is Outcome.FAILED


@pytest.mark.parametrize("name", some_of(AT_CLIENT, 2))
def test_the_clients_end_misses_it_too(workplace: Bench, without: Break, name: str) -> None:
    row = next(row for row in rows() if row.name == name)
    assert one_end(workplace, row, End.CLIENT).outcome is Outcome.OK
    without("token" if row.name.startswith("feed.") else row.subject.rpartition(".")[2])
    assert one_end(workplace, row, End.CLIENT).outcome is Outcome.FAILED
