"""Dates in filters, in whatever form a hub takes them: a ladder from the full form to the date alone.

The specification does not show the form. So the full one is tried first, and a hub that refuses it is asked with
less; what it took is kept. Where precision is lost the window grows, never shrinks: a time without a zone may be read
as one of Brasília or of UTC, a date as its first second or its last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import TypeVar

from confere.errors import HubRefusedRequest, message
from confere.hub.listing import list_requests, paging
from confere.hub.listing.list_page import ListKind, ListPage
from confere.hub.listing.list_requests import WRONG
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession
from confere.hub.traits.hub_traits import REFUSED

V = TypeVar("V")

OFFSET, MILLISECONDS, UTC_SECONDS, UTC_MILLISECONDS = "offset", "milliseconds", "UTC", "UTC with milliseconds"
NO_ZONE, DATE = "no zone", "date"
LADDER = (OFFSET, MILLISECONDS, UTC_SECONDS, UTC_MILLISECONDS, NO_ZONE, DATE)
"""The forms, the most exact first: the words of `HubShape.dates`, beside `REFUSED` for a hub that takes none."""
TRY_AGAIN = timedelta(days=7)
"""A hub that took no dates is asked again after this time."""
_BRASILIA = timezone(timedelta(hours=-3))  # no daylight saving since 2019
_SECOND, _DAY = timedelta(seconds=1), timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a window: an aware time, inclusive. `is_last` says which end."""

    moment: datetime
    is_last: bool = False


class DatesRefused(HubRefusedRequest):
    """The hub takes dates in no form that is known; what was asked has to be picked out of everything."""


def written(moment: datetime | None, form: str = OFFSET, *, is_last: bool = False) -> str | None:
    """A time as a filter has it, in a form of `LADDER`; the window is never smaller for it.

    Raises `ValueError` for a time without a zone.
    """
    if moment is None:
        return None
    if moment.tzinfo is None:
        raise ValueError("a time for the hub needs a zone")
    if form == OFFSET:
        return moment.isoformat(timespec="milliseconds" if moment.microsecond else "seconds")
    if form == MILLISECONDS:
        return moment.isoformat(timespec="milliseconds")
    universal = moment.astimezone(UTC).replace(tzinfo=None)
    if form == UTC_MILLISECONDS:
        return universal.isoformat(timespec="milliseconds") + "Z"
    if is_last and universal.microsecond:
        universal += _SECOND
    if form == UTC_SECONDS:
        return universal.isoformat(timespec="seconds") + "Z"
    # UTC is ahead: as a last moment it is the later reading, as a first one Brasília's is the earlier.
    local = universal if is_last else moment.astimezone(_BRASILIA).replace(tzinfo=None)
    if form == NO_ZONE:
        return local.isoformat(timespec="seconds")
    return (local.date() + _DAY if is_last else local.date()).isoformat()


def widened(form: str | None) -> timedelta:
    """By how much a window in this form may be larger than the one that was meant."""
    return {NO_ZONE: timedelta(hours=4), DATE: timedelta(days=2)}.get(form or "", timedelta(0))


def pages(
    session: HubSession,
    kind: ListKind[V],
    params: Mapping[str, str | int],
    bounds: Mapping[str, Bound],
    *,
    offset: int = 0,
    limit: int = list_requests.LARGEST,
    overlap: int = 1,
    stop: StopSignal | None = None,
) -> Iterator[ListPage[V]]:
    """The pages of a list under `params` and a window of dates, in a form that the hub takes; see `paging.pages`.

    Raises `DatesRefused` where it takes none, at once where that was learnt lately.
    """

    def read(window: Mapping[str, str | int]) -> Iterator[ListPage[V]]:
        return paging.pages(session, kind, {**params, **window}, offset=offset, limit=limit, overlap=overlap, stop=stop)

    if not bounds:
        yield from read({})
        return
    last: HubRefusedRequest | None = None
    for form in _forms(session, kind.name):
        window = {name: written(bound.moment, form, is_last=bound.is_last) for name, bound in bounds.items()}
        found = read({name: text for name, text in window.items() if text is not None})
        try:
            first = next(found, None)
        except HubRefusedRequest as refused:
            if refused.status not in WRONG:
                raise
            last = refused
            continue
        session.shapes.learn(kind.name, dates=form)
        if first is not None:
            yield first
        yield from found
        return
    if last is None:
        raise DatesRefused(
            message("The hub took dates in no form when it was last asked for them."),
            message("`confere account shape NAME --forget` lets Confere try again."),
        )
    raise DatesRefused(last.what, last.remedy, status=last.status, hub_words=last.hub_words)


def created_between(first: datetime | None, last: datetime | None) -> dict[str, Bound]:
    """The window as the lists of orders and of returns take it, by the names of their query."""
    given = {"createdAfter": first, "createdBefore": last}
    return {name: Bound(at, name == "createdBefore") for name, at in given.items() if at is not None}


def _forms(session: HubSession, name: str) -> tuple[str, ...]:
    """The forms to try, the one that is known first, or that another list takes; none where all were refused lately."""
    known = session.shapes.of(name).dates
    if known == REFUSED:
        at = session.shapes.learnt_at(name, "dates")
        return () if at is not None and datetime.now(UTC) - at < TRY_AGAIN else LADDER
    likely = known if known in LADDER else session.shapes.dates_elsewhere()
    return LADDER if likely not in LADDER else (likely, *(form for form in LADDER if form != likely))
