"""What the envelope of a list answer says about the rest of the list; every part of it may be missing."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from confere.hub.json.json_reader import ListBody
from confere.hub.json.json_values import number, objects, text
from confere.hub.traits import hub_traits


def total(listing: ListBody) -> int | None:
    """How many items the hub says there are under this filter; None where it does not."""
    return number(_page(listing).get("totalElements"))


def page_size(listing: ListBody) -> int | None:
    """How many items the hub says a page has; None where it does not."""
    return number(_page(listing).get("size"))


def totals(listing: ListBody) -> str | None:
    """By what this answer says how long the list is; None where it says nothing."""
    if total(listing) is not None:
        return hub_traits.TOTAL_ELEMENTS
    if _total_pages(listing) is not None:
        return hub_traits.TOTAL_PAGES
    return hub_traits.LINKS if next_query(listing) is not None else None


def has_more(
    listing: ListBody, *, offset: int, count: int, size: int, links_tell: bool = True, totals_tell: bool = True
) -> bool | None:
    """Whether items follow the `count` ones that stand at `offset`; None where nothing says.

    `size` is what a page has when it is full, `links_tell` whether a missing `next` link means the end, `totals_tell`
    whether its totals are believed. Any sign of more counts: a list that ends too late costs a request, one that ends
    too early loses items. What the hub says of its page's number is no sign: it is counted from 0 or from 1, and
    rounded where pages overlap.
    """
    if listing.envelope is None:
        return None
    if next_query(listing) is not None:
        return True
    end = offset + count
    everything, sheets = (total(listing), _total_pages(listing)) if totals_tell else (None, None)
    full = page_size(listing) or size
    if sheets is not None and full > 0 and end <= (sheets - 1) * full and (everything is None or count == full):
        return True
    if everything is not None:
        return end < everything
    if sheets is not None:
        on_its_last = offset % full == 0 and offset // full + 1 >= sheets if full > 0 else True
        return False if on_its_last or end >= sheets * full else None
    return False if links_tell and has_links(listing) else None


def has_links(listing: ListBody) -> bool:
    """Whether the answer has a list of links at all."""
    return listing.envelope is not None and isinstance(listing.envelope.get("links"), list)


def next_query(listing: ListBody) -> dict[str, str] | None:
    """The query of the `next` link; None where there is no such link.

    Nothing else of the link is of use: its host, port and path may be those of a machine behind the hub's, and
    credentials go to the account's address alone.
    """
    for link in objects((listing.envelope or {}).get("links")):
        href = text(link.get("href"))
        if href and (text(link.get("rel")) or "").lower() == "next":
            try:
                return dict(parse_qsl(urlsplit(href).query, max_num_fields=50))
            except ValueError:
                return {}
    return None


def traits(listing: ListBody) -> tuple[bool, bool, bool]:
    """Whether there is an envelope, a page number, and a `next` link."""
    return (
        listing.envelope is not None,
        number(_page(listing).get("number")) is not None,
        next_query(listing) is not None,
    )


def _total_pages(listing: ListBody) -> int | None:
    return number(_page(listing).get("totalPages"))


def _page(listing: ListBody) -> Mapping[str, object]:
    envelope = listing.envelope or {}
    about = envelope.get("page")
    return about if isinstance(about, dict) else envelope
