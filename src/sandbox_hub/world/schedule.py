"""The deck: the stories' papers and orders shuffled into fixed places, repeated cycle after cycle.

A story begins somewhere in its cycle; a paper that comes some days later has a place of its own in the same or
a later cycle, always by the same number of cycles. So from any index (cycle × width + place) everything else of
its story is found by addition, for a world of any size.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from sandbox_hub.world.scenarios import Fate, PaperCourse, Story, Subtype, deck_of_stories
from sandbox_hub.world.seeded_random import Die
from sandbox_hub.world.timeline import DAY, SPAN

VOIDED_NUMBERS = 2  # how many numbers one voiding record gives up


class NumberLine(NamedTuple):
    """A sequence of numbers: one emitter, model and series."""

    emitter: int  # place in the cast: companies first, then carriers
    model: str
    series: int


@dataclass(frozen=True, slots=True)
class Place(PaperCourse):
    """A place of the deck that holds a paper; `refers` are places too, `orders` are ranks of order seats."""

    place: int
    story: int
    delay: int  # cycles after the story's own
    subtype: Subtype
    company: int
    marketplace: int
    carrier: int
    line: NumberLine
    refers: tuple[int, ...]
    orders: tuple[int, ...]
    fulfilment: bool


@dataclass(frozen=True, slots=True, eq=False)
class Seat:
    """An order's seat: it is created in the slot before place `before`, as number `share` of `shares` there.

    Its deck has it once: seats are compared, and looked up, as the things that they are and not field by field.
    """

    rank: int
    story: int
    delay: int
    before: int
    share: int
    shares: int
    company: int
    marketplace: int
    fate: Fate
    papers: tuple[int, ...]  # places of all papers that name the order, in order of time
    invoices: tuple[int, ...]  # its sales that stand: one a package, none where it is not invoiced
    cancelled_by: int | None  # place of the paper whose cancellation or coming cancels the order
    has_freight: bool
    buyer_slot: int  # orders of a story with the same slot are one buyer's
    to_company: bool
    like: int  # rank of the seat whose throws fill its basket: its own, but for a twin


@dataclass(frozen=True, slots=True)
class Deck:
    places: tuple[Place, ...]
    seats: tuple[Seat, ...]
    first_cycle: int  # no order and no reference reaches further back (zero or below)
    stories: tuple[Story, ...]
    names: tuple[str, ...]  # of the paper at each place, within its story
    place_of: Mapping[tuple[int, str], int]  # story and name of a paper
    seats_of: tuple[tuple[Seat, ...], ...]  # of each story, in the order of its purchases
    places_of: tuple[tuple[int, ...], ...]  # of each story, in the order of its papers
    width: int  # how many places there are

    def seats_in_time(self, story: int) -> tuple[Seat, ...]:
        """A story's seats in the order of the deck."""
        return tuple(sorted(self.seats_of[story], key=lambda seat: seat.rank))


class _Ticket(NamedTuple):
    """A paper or an order of a story on its way to its place: sorted by `fraction` of the cycle."""

    fraction: float
    story: int
    nth: int  # within its story
    delay: int


@dataclass(frozen=True, slots=True)
class _Shuffled:
    """The stories' papers and orders in the order of the deck, and the way back to where each one went."""

    stories: tuple[Story, ...]
    papers: list[_Ticket]
    purchases: list[_Ticket]
    place_of: dict[tuple[int, str], int]  # story and name of a paper
    rank_of: dict[tuple[int, int], int]  # story and number of an order


@lru_cache(maxsize=32)
def build_deck(seed: int, documents: int, *, twins: bool = False, lying: bool = False) -> Deck:
    """The deck of the world of `seed`; its width never changes, its delays depend on the number of documents."""
    shuffled = _shuffle(seed, documents, deck_of_stories(twins=twins, lying=lying))
    places = tuple(_place(shuffled, place) for place in range(len(shuffled.papers)))
    fractions = [ticket.fraction for ticket in shuffled.papers]
    gaps = [bisect_left(fractions, ticket.fraction) for ticket in shuffled.purchases]
    seats = tuple(_seat(shuffled, places, gaps, rank) for rank in range(len(shuffled.purchases)))
    stories = tuple(enumerate(shuffled.stories))
    return Deck(
        places,
        seats,
        -max(place.delay for place in places),
        shuffled.stories,
        tuple(shuffled.stories[ticket.story].papers[ticket.nth].name for ticket in shuffled.papers),
        shuffled.place_of,
        tuple(tuple(seats[shuffled.rank_of[s, n]] for n in range(len(story.purchases))) for s, story in stories),
        tuple(tuple(shuffled.place_of[s, paper.name] for paper in story.papers) for s, story in stories),
        len(places),
    )


def _shuffle(seed: int, documents: int, stories: tuple[Story, ...]) -> _Shuffled:
    width = sum(len(story.papers) for story in stories)
    cycle_days = width * SPAN / documents / DAY
    die = Die(seed, "deck")
    begins = list(range(len(stories)))
    die.shuffle(begins)
    papers: list[_Ticket] = []
    purchases: list[_Ticket] = []
    for s, story in enumerate(stories):
        begin = (begins[s] + die.unit(10_000 + s)) / len(stories)

        def ticket(day: float, nth: int, s: int = s, begin: float = begin) -> _Ticket:
            when = begin + day / cycle_days
            delay = math.floor(when)
            return _Ticket(when - delay, s, nth, delay)

        papers += [ticket(paper.day, nth) for nth, paper in enumerate(story.papers)]
        purchases += [ticket(purchase.day, nth) for nth, purchase in enumerate(story.purchases)]
    papers.sort()
    purchases.sort()
    return _Shuffled(
        stories,
        papers,
        purchases,
        {(t.story, stories[t.story].papers[t.nth].name): place for place, t in enumerate(papers)},
        {(t.story, t.nth): rank for rank, t in enumerate(purchases)},
    )


def _place(shuffled: _Shuffled, place: int) -> Place:
    ticket = shuffled.papers[place]
    s, story = ticket.story, shuffled.stories[ticket.story]
    paper = story.papers[ticket.nth]
    if paper.subtype is Subtype.FREIGHT:
        line = NumberLine(2 + story.carrier, "57", 1)
    elif story.consumer:
        line = NumberLine(story.company, "65", 3)
    else:
        line = NumberLine(story.company, "55", 2 if story.fulfilment else 1)
    return Place(
        place=place,
        story=s,
        delay=ticket.delay,
        subtype=paper.subtype,
        company=story.company,
        marketplace=story.marketplace,
        carrier=story.carrier,
        line=line,
        refers=tuple(shuffled.place_of[s, name] for name in paper.refers),
        orders=tuple(shuffled.rank_of[s, n] for n in paper.orders),
        part=paper.part,
        parts=paper.parts,
        happenings=paper.happenings,
        fulfilment=story.fulfilment,
        adjusts=paper.adjusts,
    )


def _seat(shuffled: _Shuffled, places: tuple[Place, ...], gaps: list[int], rank: int) -> Seat:
    ticket = shuffled.purchases[rank]
    s, story = ticket.story, shuffled.stories[ticket.story]
    fate = story.purchases[ticket.nth].fate
    named = [paper for paper in story.papers if ticket.nth in paper.orders]
    mine = {shuffled.place_of[s, paper.name]: paper for paper in named}
    in_time = sorted(mine, key=lambda place: (places[place].delay, place))
    sales = [place for place in in_time if mine[place].subtype is Subtype.SALE]
    cancelled_by = None
    if fate is Fate.CANCELLED:
        cancelled_by = sales[0]
    elif fate is Fate.RETURNED:
        cancelled_by = next(place for place in in_time if mine[place].subtype is Subtype.SALE_RETURN)
    share, shares = _share(rank, gaps, len(places))
    return Seat(
        rank=rank,
        story=s,
        delay=ticket.delay,
        before=gaps[rank],
        share=share,
        shares=shares,
        company=story.company,
        marketplace=story.marketplace,
        fate=fate,
        papers=tuple(in_time),
        invoices=tuple(place for place in sales if mine[place].stands),
        cancelled_by=cancelled_by,
        has_freight=any(paper.subtype is Subtype.FREIGHT for paper in named),
        buyer_slot=0 if story.one_buyer else ticket.nth,
        to_company=story.to_company,
        like=shuffled.rank_of[s, 0] if story.twins else rank,
    )


def _share(rank: int, gaps: list[int], width: int) -> tuple[int, int]:
    """Which part of its gap, of how many, a seat has; gap 0 goes on where gap `width` of the cycle before ends."""
    gap = gaps[rank]
    share = gaps[:rank].count(gap)
    if gap == 0:
        share += gaps.count(width)
    shares = gaps.count(0) + gaps.count(width) if gap in (0, width) else gaps.count(gap)
    return share, shares
