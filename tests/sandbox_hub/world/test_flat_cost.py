"""The work behind a page is the same wherever the page is and however large the world."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from sandbox_hub.world.documents.event_times import Happenings
from sandbox_hub.world.documents.numbering import Numbering
from sandbox_hub.world.filters import DocumentQuery, OrderQuery
from sandbox_hub.world.orders.order_lifecycle import Lives
from sandbox_hub.world.scenarios import Subtype
from sandbox_hub.world.timeline import DAY, END, START, Timeline
from sandbox_hub.world.world import World

QUERIES = {
    "all": DocumentQuery(),
    "subtype": DocumentQuery(subtype=Subtype.SALE_RETURN),
    "marketplace": DocumentQuery(marketplace="FEIRA_DIGITAL"),
    "created": DocumentQuery(created_from=START + 30 * DAY, created_to=END - 30 * DAY),
    "changed": DocumentQuery(changed_from=START + 60 * DAY, changed_to=END - 9 * DAY),
    "together": DocumentQuery(
        marketplace="MERCADO_AZUL",
        subtype=Subtype.SALE,
        created_from=START + DAY,
        created_to=END - DAY,
        changed_from=START + 100 * DAY,
        changed_to=END - 2 * DAY,
    ),
}


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[Counter[str]]:
    """Counts every look at a single document or order."""
    seen: Counter[str] = Counter()

    def count(owner: type, name: str) -> None:
        plain = getattr(owner, name)

        def counted(self: object, *args: object, **named: object) -> object:
            seen[name] += 1
            return plain(self, *args, **named)

        monkeypatch.setattr(owner, name, counted)

    count(Timeline, "created")
    count(Happenings, "moment")
    count(Lives, "created")
    count(Numbering, "key")
    yield seen


def cost(work: Counter[str], world: World, query: DocumentQuery, *, last: bool) -> int:
    """Looks for one page of keys, the selection made anew."""
    world.set_clock(world.now)
    work.clear()
    found = world.select(query)
    offset = max(0, len(found) - 100) if last else 0
    keys = [world.numbering.key(index) for index in found.page(offset, 100)]
    assert len(keys) == min(100, len(found))
    return work.total()


@pytest.mark.parametrize("name", QUERIES)
def test_last_page_costs_what_the_first_does(work: Counter[str], name: str) -> None:
    large = World(1, 1_000_000)
    first = cost(work, large, QUERIES[name], last=False)
    last = cost(work, large, QUERIES[name], last=True)
    assert first == last
    assert first < 3_500


@pytest.mark.parametrize("name", QUERIES)
def test_a_hundred_times_the_documents_costs_no_more_than_a_little(work: Counter[str], name: str) -> None:
    small = cost(work, World(1, 20_000), QUERIES[name], last=True)
    large = cost(work, World(1, 2_000_000), QUERIES[name], last=True)
    assert large <= 2 * small


def test_orders_too(work: Counter[str]) -> None:
    large = World(1, 1_000_000)
    query = OrderQuery(status="CONCLUDED", created_from=START + 9 * DAY)
    found = large.select_orders(query)
    built = work.total()
    assert built < 40_000
    pages = [found.page(0, 100), found.page(len(found) // 2, 100), found.page(len(found) - 100, 100)]
    assert [len(page) for page in pages] == [100, 100, 100]
    assert work.total() == built


def test_cancellations_by_hand_cost_by_their_number_only(work: Counter[str]) -> None:
    large = World(1, 1_000_000)
    for index in (10, 400_000, 999_990):
        large.cancel(index, END - DAY)
    query = DocumentQuery(changed_from=END - 40 * DAY, changed_to=END)
    first = cost(work, large, query, last=False)
    last = cost(work, large, query, last=True)
    assert first == last
    assert first < 3_500
    work.clear()
    found = large.select(query)
    assert found.page(0, 1) == [10]
    assert found.rank(400_001) - found.rank(400_000) == 1


def test_making_a_world_looks_at_no_document(work: Counter[str]) -> None:
    World(1, 1_000_000)
    assert work.total() == 0
