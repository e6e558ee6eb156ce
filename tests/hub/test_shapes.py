"""Any shape of a list, alone and combined: everything is listed, in bounded requests, and learnt once."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from confere.errors import HubNotFound, HubRefusedRequest
from confere.hub.documents.documents import LIST, DocumentFilter, pages
from confere.hub.listing.date_filters import DatesRefused
from confere.hub.session import HubSession
from confere.hub.traits import hub_traits
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.scripted import Asked, Reply, ScriptedServer
from tests.hub.shaped import NAMED, SHAPES, ListShape

_DATES = ("createdAtFrom", "createdAtTo", "lastUpdateFrom", "lastUpdateTo")
SINCE = DocumentFilter(created_from=datetime(2026, 1, 5, 12, tzinfo=UTC))


@dataclass
class Shaped:
    """A hub with one list. `before` runs ahead of each answer with the number of answers so far."""

    shape: ListShape = field(default_factory=ListShape)
    ids: list[str] = field(default_factory=list)
    before: Callable[[int], None] = lambda _: None
    answers: int = 0

    def fill(self, size: int) -> Shaped:
        self.ids = [f"fd-{number}" for number in range(size)]
        self.answers = 0
        self.before = lambda _: None
        return self

    def __call__(self, asked: Asked) -> Reply:
        if asked.path != "/v2/fiscalDocuments":
            return Reply(404)
        self.before(self.answers)
        self.answers += 1
        refusal = self.shape.refusal(asked.query, _DATES)
        items: list[Any] = [{"id": found} for found in self.ids]
        status, body = refusal or self.shape.page(items, asked.query)
        return Reply(status, body if isinstance(body, bytes) else json.dumps(body).encode())


@pytest.fixture(scope="module")
def world() -> Iterator[tuple[Shaped, ScriptedServer]]:
    """One server for all examples; its list changes its shape."""
    hub = Shaped()
    server = ScriptedServer(hub)
    yield hub, server
    server.close()


def tells_something(wanted: ListShape) -> bool:
    """Whether an answer shows that the hub has changed: one that drops what is asked in silence does not."""
    return wanted.takes_limit and not wanted.bare and (wanted.links or wanted.totals != "none")


def listed(session: HubSession, wanted: DocumentFilter | None = None, overlap: int = 2) -> set[str | None]:
    found = pages(session, wanted or DocumentFilter(), overlap=overlap)
    return {item.hub_id for page in found for item in page.items}


@pytest.mark.parametrize("name", NAMED)
def test_each_shape_is_listed_whole_and_learnt_once(serve: MakeServer, connect: MakeSession, name: str) -> None:
    hub = Shaped(NAMED[name]).fill(430)
    server = serve(hub)
    session = connect(server)
    sheets = 24 if name == "no-limit" else 5
    assert listed(session) == set(hub.ids)
    assert len(server.asked) <= sheets * (2 if name == "link-alone" else 1) + 12
    first = len(server.asked)
    assert listed(session) == set(hub.ids)
    again = server.asked[first:]
    assert len(again) <= sheets * (2 if name == "link-alone" else 1) + 1
    statuses = [hub(asked).status for asked in again]
    assert set(statuses) == {200}
    if name.startswith("dates-"):
        return
    assert listed(session, SINCE) == set(hub.ids)


def test_a_strict_hub_answers_the_very_first_request(serve: MakeServer, connect: MakeSession) -> None:
    hub = Shaped(NAMED["strict"]).fill(7)
    server = serve(hub)
    assert listed(connect(server)) == set(hub.ids)
    assert [hub(asked).status for asked in server.asked] == [200, 200]


@pytest.mark.exhaustive
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    wanted=SHAPES,
    size=st.one_of(st.sampled_from([0, 1, 30, 37, 98, 100, 101, 200]), st.integers(0, 450)),
    overlap=st.integers(0, 2),
    grows=st.dictionaries(st.integers(1, 8), st.integers(1, 60), max_size=2),
)
def test_any_combination_is_listed_whole_while_items_appear(
    world: tuple[Shaped, ScriptedServer], wanted: ListShape, size: int, overlap: int, grows: dict[int, int]
) -> None:
    hub, server = world
    hub.shape = wanted
    hub.fill(size)
    at_first = set(hub.ids)

    def grow(answers: int) -> None:
        if size:  # a list that is empty at first and then is not may end as either
            hub.ids.extend(f"new-{answers}-{number}" for number in range(grows.get(answers, 0)))

    hub.before = grow
    server.asked.clear()
    with HubSession(server.address, "token", "p", attempts=1) as session:
        if not size and wanted.empty == 404:
            with pytest.raises(HubNotFound):  # nothing else answers either: a wrong address looks like this
                listed(session)
            return
        found = listed(session, overlap=overlap)
        says_little = wanted.bare or wanted.totals == "none"
        sheet = min(wanted.largest, 100 if wanted.takes_limit else 20)
        assert at_first <= found
        first = len(server.asked)
        assert first <= 3 * (len(hub.ids) // sheet + 1) + 24
        hub.before = lambda _: None
        if size:
            assert listed(session, overlap=overlap) == set(hub.ids)
            # A total at a round number may be a cap: what stands behind it is asked for in every way that is known.
            looks_behind = 8 * (len(hub.ids) % 10 == 0)
            most = 2 * (len(hub.ids) // (sheet - 2) + 1) + 2 + 12 * says_little + looks_behind
            assert len(server.asked) - first <= most


@pytest.mark.exhaustive
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(before=SHAPES, after=SHAPES.filter(tells_something), size=st.integers(0, 330))
def test_a_hub_that_changes_its_way_is_learnt_anew_in_the_same_reading(
    world: tuple[Shaped, ScriptedServer], before: ListShape, after: ListShape, size: int
) -> None:
    hub, server = world
    hub.shape = before
    hub.fill(330)
    server.asked.clear()
    with HubSession(server.address, "token", "p", attempts=1) as session:
        listed(session)
        hub.shape = after
        hub.fill(max(size, 1))
        assert listed(session) == set(hub.ids)
    assert len(server.asked) <= 160


@pytest.mark.parametrize(
    ("dates", "form", "sent"),
    [
        ("any", "offset", "2026-01-05T12:00:00+00:00"),
        ("milliseconds", "milliseconds", "2026-01-05T12:00:00.000+00:00"),
        ("UTC", "UTC", "2026-01-05T12:00:00Z"),
        ("no zone", "no zone", "2026-01-05T09:00:00"),
        ("date", "date", "2026-01-05"),
    ],
)
def test_the_form_of_dates_is_found_and_kept(
    serve: MakeServer, connect: MakeSession, dates: str, form: str, sent: str
) -> None:
    hub = Shaped(ListShape(dates=dates)).fill(7)
    server = serve(hub)
    session = connect(server)
    listed(session)
    assert listed(session, SINCE) == set(hub.ids)
    assert session.shapes.of(LIST).dates == form
    asked = len(server.asked)
    listed(session, SINCE)
    assert {entry.query["createdAtFrom"] for entry in server.asked[asked:]} == {sent}
    assert len(server.asked) - asked == 2
    hub.shape = replace(hub.shape, dates="UTC")  # it changes its mind
    assert listed(session, SINCE) == set(hub.ids)
    assert session.shapes.of(LIST).dates in ("UTC", "offset" if dates == "any" else "UTC")


def test_a_hub_without_dates_is_told_apart_and_not_asked_again_for_a_week(
    serve: MakeServer, connect: MakeSession
) -> None:
    hub = Shaped(ListShape(dates="refused")).fill(7)
    server = serve(hub)
    session = connect(server)
    with pytest.raises(DatesRefused, match="Data inválida"):
        listed(session, SINCE)
    assert listed(session) == set(hub.ids)
    session.shapes.learn(LIST, dates=hub_traits.REFUSED)
    asked = len(server.asked)
    with pytest.raises(DatesRefused):
        listed(session, SINCE)
    assert len(server.asked) == asked


def test_a_first_contact_under_a_filter_finds_out_what_is_refused(serve: MakeServer, connect: MakeSession) -> None:
    hub = Shaped(ListShape(strict=True, takes_limit=False, dates="date")).fill(45)
    session = connect(serve(hub))
    assert listed(session, SINCE) == set(hub.ids)
    known = session.shapes.of(LIST)
    assert (known.limit, known.unknown, known.dates) == ("", hub_traits.REFUSED, "date")


# -- emptiness -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [204, 404])
def test_an_empty_window_of_a_list_that_answers_is_empty(serve: MakeServer, connect: MakeSession, status: int) -> None:
    hub = Shaped(ListShape(empty=status)).fill(7)

    def answer(asked: Asked) -> Reply:
        if "createdAtFrom" in asked.query:
            return Reply(status, b"" if status == 204 else b'{"message": "Nenhum registro"}')
        return hub(asked)

    server = serve(answer)
    session = connect(server)
    assert listed(session, SINCE) == set()  # on first contact: the list without a filter is asked as well
    assert len(server.asked) <= 2
    if status == 404:
        assert session.shapes.of(LIST).empty == "404"
    assert listed(session) == set(hub.ids)
    assert listed(session, SINCE) == set()


def test_a_404_of_everything_is_a_wrong_address(serve: MakeServer, connect: MakeSession) -> None:
    server = serve([Reply(404)])
    with pytest.raises(HubNotFound):
        listed(connect(server))
    with pytest.raises(HubNotFound):
        listed(connect(server), SINCE)
    assert len(server.asked) <= 8


def test_a_first_404_is_empty_where_another_list_of_the_hub_answers(serve: MakeServer, connect: MakeSession) -> None:
    server = serve(lambda asked: Reply(404) if asked.path.endswith("fiscalDocuments") else Reply(200, b"[]"))
    assert listed(connect(server)) == set()
    assert len(server.asked) == 2


def test_a_list_that_had_something_is_not_empty_by_a_404(serve: MakeServer, connect: MakeSession) -> None:
    hub = Shaped().fill(7)
    server = serve(lambda asked: hub(asked) if hub.ids else Reply(404 if "fiscal" in asked.path else 200, b"[]"))
    session = connect(server)
    listed(session)
    hub.ids.clear()
    with pytest.raises(HubNotFound):
        listed(session)


def test_what_the_hub_refuses_for_itself_is_still_an_error(serve: MakeServer, connect: MakeSession) -> None:
    hub = Shaped().fill(7)

    def answer(asked: Asked) -> Reply:
        return Reply(422, b'{"message": "marketplace desconhecido"}') if "marketplace" in asked.query else hub(asked)

    session = connect(serve(answer))
    with pytest.raises(HubRefusedRequest, match="marketplace desconhecido"):
        listed(session, DocumentFilter(marketplace="?"))
