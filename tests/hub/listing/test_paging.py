"""The list of a hub in every shape: whatever it does, nothing is missed and nothing is endless."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from confere.errors import HubAnswerUnreadable, HubBroken, HubRefusedRequest
from confere.hub.documents.documents import LIST, DocumentFilter, DocumentPage, count, pages, probe
from confere.hub.listing import paging
from confere.hub.session import HubSession
from tests.breadth import some_of
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.scripted import Asked, Reply, data, page


@dataclass
class Lister:
    """A list of `size` documents, served with the traits given. `before` runs ahead of each answer."""

    size: int = 250
    enveloped: bool = True
    numbered: bool = True
    linked: bool = True
    totalled: bool = True
    largest: int = 100  # more is cut down in silence
    refused_above: int = 100
    place: str = "offset"  # the parameter that it obeys; others are refused
    ignores_others: bool = False
    counts_pages: bool = False
    before: Callable[[int], None] = lambda _: None
    ids: list[str] = field(default_factory=list)
    answers: int = 0

    def __post_init__(self) -> None:
        self.ids = [f"fd-{number}" for number in range(self.size)]

    def __call__(self, asked: Asked) -> Reply:
        query = asked.query
        if not self.ignores_others and set(query) - {"limit", self.place}:
            return data({"message": "Parâmetro desconhecido"}, 400)
        limit = int(query["limit"])
        if limit > self.refused_above or limit < 5:
            return data({"message": f"limit deve ser no máximo {self.refused_above}"}, 400)
        limit = min(limit, self.largest)
        self.before(self.answers)
        self.answers += 1
        at = int(query.get(self.place, 0))
        start = at * limit if self.counts_pages else at
        items: list[Any] = [{"id": found} for found in self.ids[start : start + limit]]
        if not self.enveloped:
            return data(items)
        envelope: dict[str, Any] = {}
        if self.linked:
            following = at + 1 if self.counts_pages else start + limit
            envelope["links"] = [{"rel": "self", "href": asked.target}]
            if start + limit < len(self.ids):
                link = f"http://x/v2/fiscalDocuments?limit={limit}&{self.place}={following}"
                envelope["links"].append({"rel": "next", "href": link})
        envelope["page"] = {"size": limit}
        if self.totalled:
            envelope["page"] |= {"totalElements": len(self.ids), "totalPages": -(-len(self.ids) // limit)}
        if self.numbered:
            envelope["page"]["number"] = start // limit
        return page(items, **envelope)


def read(session: HubSession, **options: Any) -> list[DocumentPage]:
    return list(pages(session, DocumentFilter(), **options))


def ids(read_pages: list[DocumentPage]) -> set[str | None]:
    return {item.hub_id for one in read_pages for item in one.items}


TRAITS: list[dict[str, Any]] = [
    {},
    {"enveloped": False},
    {"numbered": False},
    {"linked": False},
    {"totalled": False},
    {"linked": False, "numbered": False},
    {"linked": False, "totalled": False},
    {"linked": False, "totalled": False, "numbered": False},
    {"largest": 37},
    {"largest": 37, "enveloped": False},
    {"refused_above": 50},
    {"refused_above": 20},
    {"refused_above": 5, "size": 23},
    {"place": "page", "counts_pages": True},
    {"place": "page", "counts_pages": True, "ignores_others": True},
    {"place": "page", "counts_pages": True, "ignores_others": True, "linked": False},
    {"place": "page", "counts_pages": True, "ignores_others": True, "enveloped": False},
    {"counts_pages": True},
    {"counts_pages": True, "linked": False},
    {"counts_pages": True, "enveloped": False},
    {"place": "pageNumber", "counts_pages": True, "ignores_others": True, "linked": False},
]


@pytest.mark.parametrize("overlap", some_of([1, 0, 3], 1))
@pytest.mark.parametrize(
    "traits", TRAITS, ids=lambda traits: ",".join(f"{k}={v}" for k, v in traits.items()) or "plain"
)
def test_whatever_the_envelope_everything_is_listed_once_and_the_list_ends(
    serve: MakeServer, connect: MakeSession, traits: dict[str, Any], overlap: int
) -> None:
    for size in {0: (0, 100), 1: (0, 1, 5, 100, 101), 3: (5, 101)}[overlap] + (traits.get("size", 250),):
        lister = Lister(**{**traits, "size": size})
        if lister.place == "page" and not lister.ignores_others:
            lister.ignores_others = True  # the first request always says offset
        hub = serve(lister)
        found = read(connect(hub), overlap=overlap)
        assert ids(found) == set(lister.ids)
        assert found[-1].next_offset is None
        assert all(one.next_offset is not None for one in found[:-1])
        assert not any(one.shifted for one in found)
        seen = sum(len(one.items) for one in found)
        assert seen - size <= (overlap + 1) * len(found)
        assert len(hub.asked) <= len(found) + 11


def test_a_plain_list_costs_one_request_a_page(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve(Lister(size=1000))
    found = read(connect(hub), overlap=0)
    assert len(found) == 10
    assert len(hub.asked) == 11  # one more: whether anything stands behind a last page that is full
    assert [one.offset for one in found] == list(range(0, 1000, 100))
    assert {one.total for one in found} == {1000}


def test_each_page_comes_before_the_next_is_asked_for(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve(Lister(size=300))
    reader = pages(connect(hub), DocumentFilter())
    assert next(reader).next_offset == 100
    assert len(hub.asked) == 1
    next(reader)
    assert len(hub.asked) == 2


def test_reading_goes_on_where_it_stopped(serve: MakeServer, connect: MakeSession) -> None:
    lister = Lister(size=250)
    hub = serve(lister)
    session = connect(hub)
    first = next(iter(pages(session, DocumentFilter())))
    assert first.next_offset == 100
    rest = read(session, offset=first.next_offset)
    assert ids([first]) | ids(rest) == set(lister.ids)
    assert len(hub.asked) == 3
    counting = Lister(size=250, counts_pages=True)
    session = connect(serve(counting))
    read(session)  # it is learnt that offsets count pages here
    assert ids(read(session, offset=130)) == set(counting.ids[100:])


def test_a_page_smaller_than_what_pages_share_does_not_show_what_offsets_the_hub_takes(
    serve: MakeServer, connect: MakeSession
) -> None:
    lister = Lister(size=2, linked=False, totalled=False, numbered=False)
    lister.before = lambda answers: lister.ids.append("fd-new") if answers == 1 else None
    session = connect(serve(lister))
    assert ids(read(session, overlap=3)) == {"fd-0", "fd-1", "fd-new"}
    assert session.shapes.of(LIST).paging is None


@pytest.mark.parametrize("gone", [1, 3, 7, 60])
@pytest.mark.parametrize("at", [1, 2, 4])
def test_nothing_is_missed_when_items_vanish_while_reading(
    serve: MakeServer, connect: MakeSession, gone: int, at: int
) -> None:
    lister = Lister(size=500)

    def vanish(answers: int) -> None:
        if answers == at:
            del lister.ids[:gone]

    lister.before = vanish
    found = read(connect(serve(lister)))
    assert set(lister.ids) <= ids(found)
    assert any(one.shifted for one in found)


def test_nothing_is_missed_when_items_appear_at_the_head_or_the_end(serve: MakeServer, connect: MakeSession) -> None:
    lister = Lister(size=250)

    def appear(answers: int) -> None:
        if answers in (1, 2):
            lister.ids.append(f"new-{answers}")

    lister.before = appear
    assert ids(read(connect(serve(lister)))) == set(lister.ids)


@pytest.mark.parametrize("seed", range(12))
def test_single_answers_that_lack_items_are_seen_through(serve: MakeServer, connect: MakeSession, seed: int) -> None:
    """As a hub whose replicas lag: now and then an answer is given as if the first or last few were not there."""
    chance = random.Random(seed)
    lister = Lister(size=437)
    everything = list(lister.ids)

    def lag(_: int) -> None:
        missing = chance.randint(1, 3)
        kind = chance.choice(["whole", "whole", "whole", "head", "tail"])
        lister.ids = {"whole": everything, "head": everything[missing:], "tail": everything[:-missing]}[kind]

    lister.before = lag
    found = read(connect(serve(lister)))
    # Two answers that lag alike can hide an item from one reading; then the totals show that it is short (`Sighted`).
    assert ids(found) >= set(everything[:-3]) or len(ids(found)) < max(one.total or 0 for one in found)


def test_a_lagging_first_page_is_read_again(serve: MakeServer, connect: MakeSession) -> None:
    for size in (7, 250):
        lister = Lister(size=size)
        everything = list(lister.ids)

        def lag(answers: int, lister: Lister = lister, everything: list[str] = everything) -> None:
            lister.ids = everything[3:] if answers == 0 else everything

        lister.before = lag
        assert ids(read(connect(serve(lister)))) == set(everything)


def test_a_lagging_last_page_is_read_again(serve: MakeServer, connect: MakeSession) -> None:
    for size, lagging in ((7, 0), (250, 2)):
        lister = Lister(size=size)
        everything = list(lister.ids)

        def lag(
            answers: int, lister: Lister = lister, everything: list[str] = everything, lagging: int = lagging
        ) -> None:
            lister.ids = everything[:-2] if answers == lagging else everything

        lister.before = lag
        assert ids(read(connect(serve(lister)))) == set(everything)


def test_a_list_that_never_holds_still_ends(serve: MakeServer, connect: MakeSession) -> None:
    chance = random.Random(1)
    lister = Lister(size=300)
    lister.before = lambda _: chance.shuffle(lister.ids)
    hub = serve(lister)
    found = read(connect(hub))
    assert found[-1].next_offset is None
    assert len(hub.asked) <= 60


@pytest.mark.parametrize("traits", [{"linked": False}, {"enveloped": False}])
def test_the_same_page_again_and_again_is_an_error(
    serve: MakeServer, connect: MakeSession, traits: dict[str, Any]
) -> None:
    hub = serve(Lister(place="cursor", ignores_others=True, **traits))
    with pytest.raises(HubAnswerUnreadable, match="no end"):
        read(connect(hub))
    assert len(hub.asked) <= 12


def test_a_short_list_given_whole_each_time_ends(serve: MakeServer, connect: MakeSession) -> None:
    lister = Lister(size=30, place="cursor", ignores_others=True, enveloped=False)
    assert ids(read(connect(serve(lister)))) == set(lister.ids)


@pytest.mark.exhaustive
def test_a_list_that_grows_faster_than_it_is_read_is_an_error(serve: MakeServer, connect: MakeSession) -> None:
    lister = Lister(size=200)
    lister.before = lambda answers: lister.ids.extend(f"new-{answers}-{number}" for number in range(200))
    with pytest.raises(HubAnswerUnreadable, match="no end"):
        read(connect(serve(lister)))


def test_a_list_of_ever_new_items_without_a_total_is_an_error(
    serve: MakeServer, connect: MakeSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(paging, "MOST_WITHOUT_TOTAL", 1000)

    def ever_new(asked: Asked) -> Reply:
        offset = int(asked.query.get("offset", 0))
        return data([{"id": f"fd-{offset + place}"} for place in range(100)])

    hub = serve(ever_new)
    with pytest.raises(HubAnswerUnreadable, match=r"still goes on after \d+ items"):
        read(connect(hub))
    assert len(hub.asked) <= 15


def test_an_empty_page_with_more_behind_it_is_no_end(serve: MakeServer, connect: MakeSession) -> None:
    def holed(asked: Asked) -> Reply:
        offset = int(asked.query.get("offset", 0))
        places = [] if 190 <= offset < 300 else range(offset, min(450, offset + 100))
        return data([{"id": f"fd-{place}"} for place in places])

    found = read(connect(serve(holed)))
    assert [one.skipped for one in found].count(True) == 1
    assert {"fd-0", "fd-198", "fd-449"} <= ids(found)
    assert "fd-250" not in ids(found)


@pytest.mark.parametrize("linked", [True, False])
@pytest.mark.parametrize("totalled", [True, False])
def test_a_second_page_that_is_empty_is_no_end(
    serve: MakeServer, connect: MakeSession, linked: bool, totalled: bool
) -> None:
    lister = Lister(size=350, linked=linked, totalled=totalled)

    def holed(asked: Asked) -> Reply:
        if 90 <= int(asked.query.get("offset", 0)) < 200:
            return page([], page={"totalElements": 350} if totalled else {}, links=[])
        return lister(asked)

    found = read(connect(serve(holed)))
    assert [one.skipped for one in found].count(True) == 1
    assert ids(found) == {f"fd-{place}" for place in range(350) if not 100 <= place < 200}


MISCOUNTED: dict[str, Callable[[int, int], int]] = {
    "capped": lambda total, count: min(total, 200),
    "of the page": lambda total, count: count,
    "of a page": lambda total, count: 100,
    "none": lambda total, count: 0,
}


@pytest.mark.parametrize("count", MISCOUNTED)
@pytest.mark.parametrize("traits", [{}, {"linked": False}, {"largest": 50}, {"place": "page", "counts_pages": True}])
def test_a_total_that_is_too_small_ends_no_list(
    serve: MakeServer, connect: MakeSession, count: str, traits: dict[str, Any]
) -> None:
    lister = Lister(**{"size": 330, "ignores_others": True, "linked": False, **traits})

    def miscounting(asked: Asked) -> Reply:
        body = json.loads(lister(asked).body)
        told = MISCOUNTED[count](len(lister.ids), len(body["content"]))
        body["page"] |= {"totalElements": told, "totalPages": -(-told // 100)}
        return data(body)

    hub = serve(miscounting)
    found = read(connect(hub))
    assert ids(found) == set(lister.ids)
    assert not any(one.skipped for one in found)
    assert len(hub.asked) <= len(found) + 9


def test_a_total_that_shrinks_below_what_was_read_ends_the_list(serve: MakeServer, connect: MakeSession) -> None:
    lister = Lister(size=300)

    def shrink(answers: int) -> None:
        if answers == 2:
            del lister.ids[150:]

    lister.before = shrink
    found = read(connect(serve(lister)))
    assert found[-1].next_offset is None
    assert found[-1].total == 150


def test_elements_that_are_no_records_are_counted(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([page([{"id": "a"}, 17, None, "x", [], {"id": "b"}], page={"totalElements": 6})])
    (found,) = read(connect(hub))
    assert [item.hub_id for item in found.items] == ["a", "b"]
    assert found.refused == 4
    assert found.next_offset is None


def test_a_refusal_that_is_not_about_the_limit_comes_through(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([data({"message": "método desconhecido"}, 405)])
    with pytest.raises(HubRefusedRequest, match="método desconhecido"):
        read(connect(hub))
    assert len(hub.asked) == 1
    hub = serve([data({"message": "parâmetro desconhecido"}, 400)])
    with pytest.raises(HubRefusedRequest, match="parâmetro desconhecido"):
        read(connect(hub))
    assert [asked.query.get("limit") for asked in hub.asked] == ["100", "50", "20", "5", "100", None, None, None]
    assert len({asked.target for asked in hub.asked}) == len(hub.asked)


def test_an_error_in_the_middle_comes_through_after_the_pages_before_it(
    serve: MakeServer, connect: MakeSession
) -> None:
    lister = Lister(size=300)
    hub = serve(lambda asked: Reply(500) if asked.query.get("offset") == "200" else lister(asked))
    reader = pages(connect(hub, attempts=2), DocumentFilter())
    assert [next(reader).offset, next(reader).offset] == [0, 100]
    with pytest.raises(HubBroken):
        next(reader)


def test_limits_are_kept_within_what_a_hub_takes(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve(Lister(size=7))
    read(connect(hub), limit=1)
    read(connect(hub), limit=5000)
    assert {asked.query["limit"] for asked in hub.asked} == {"5", "100"}


def test_count_and_probe(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve(Lister(size=250))
    session = connect(hub)
    assert count(session, DocumentFilter()) == 250
    found = probe(session)
    assert (found.total, len(found.documents), found.enveloped, found.numbered, found.linked) == (
        250,
        5,
        True,
        True,
        True,
    )
    assert [json.loads(item.raw) for item in found.documents] == [{"id": f"fd-{n}"} for n in range(5)]
    assert len(hub.asked) == 2
    bare = probe(connect(serve(Lister(size=3, enveloped=False))))
    assert (bare.total, len(bare.documents), bare.enveloped, bare.numbered, bare.linked) == (
        None,
        3,
        False,
        False,
        False,
    )
