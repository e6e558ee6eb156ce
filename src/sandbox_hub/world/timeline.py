"""The fixed calendar and where each index falls in it; seconds since the epoch inside, ISO 8601 outside."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from datetime import UTC, datetime, timedelta, timezone

from sandbox_hub.world.seeded_random import Die

HUB_ZONE = timezone(timedelta(hours=-3))  # what the hub writes its dates in
WEST_ZONE = timezone(timedelta(hours=-4))
# Two hours into the first day: the first note of the western company is then in November by its own clock too.
START = int(datetime(2025, 11, 1, 2, tzinfo=HUB_ZONE).timestamp())
END = int(datetime(2026, 11, 1, tzinfo=HUB_ZONE).timestamp())
SPAN = END - START
DAY = 86_400
_BARE_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.]\d{1,9})?)?(Z|[+-]\d\d:?\d\d)", re.ASCII)
_SHORTEST_LAG = 100  # seconds from issue to the hub's record
_LONGEST_LAG = 7_200


class Timeline:
    """Times of documents and orders; every function of an index is monotone in it, below zero too.

    An index below zero is the time before the hub was connected: such documents are not held, but what is held
    may refer to them.
    """

    def __init__(self, seed: int, documents: int) -> None:
        self.documents = documents
        self._appear = Die(seed, "appear")
        self._issue = Die(seed, "issue")

    def created(self, index: int) -> int:
        """When the hub's record of document `index` appears."""
        return START + (index * SPAN + self._appear(index) % SPAN) // self.documents

    def issued(self, index: int) -> int:
        """When the paper says that it was issued (dhEmi): 100 seconds to 2 hours earlier."""
        late = self._appear(index) % SPAN
        lag = late * (self._issue(index) % 1024) // 1024 // self.documents
        created = START + (index * SPAN + late) // self.documents
        return created - _SHORTEST_LAG - min(lag, _LONGEST_LAG - _SHORTEST_LAG)

    def first_created_from(self, moment: int) -> int:
        """The first index whose record appears at `moment` or later."""
        near = (moment - START) * self.documents // SPAN
        return bisect_left(range(near - 3, near + 4), moment, key=self.created) + near - 3

    def first_created_after(self, moment: int) -> int:
        """The first index whose record appears after `moment`."""
        return self.first_created_from(moment + 1)

    def within_gap(self, index: int, share: int, shares: int, throw: int) -> int:
        """A moment after document `index` - 1's slot began and before document `index` appears.

        The slot is cut into `shares`; the moment lies in number `share`, placed by `throw`.
        """
        return START + ((index - 1) * SPAN + (share * SPAN + throw % SPAN) // shares) // self.documents


def hub_time(moment: int) -> str:
    """As the fiscal documents interface writes it: local time with its offset."""
    return datetime.fromtimestamp(moment, HUB_ZONE).isoformat()


def utc_time(moment: int) -> str:
    """As the orders interface writes it: UTC with a Z."""
    return datetime.fromtimestamp(moment, UTC).replace(tzinfo=None).isoformat() + "Z"


def first_second(text: str) -> int:
    """The earliest whole second that `text` includes: a moment with its offset, or a bare date's midnight.

    Raises ValueError for anything else.
    """
    return math.ceil(_read(text).timestamp())


def last_second(text: str) -> int:
    """The latest whole second that `text` includes: a bare date's last one."""
    moment = _read(text)
    if _BARE_DATE.fullmatch(text):
        moment += timedelta(days=1, seconds=-1)
    return math.floor(moment.timestamp())


def _read(text: str) -> datetime:
    if _BARE_DATE.fullmatch(text):
        return datetime.fromisoformat(text).replace(tzinfo=HUB_ZONE)
    if not _MOMENT.fullmatch(text):
        raise ValueError("a time is YYYY-MM-DDThh:mm[:ss] with its offset")
    return datetime.fromisoformat(text)
