"""What the envelope of a list answer says about the rest of the list; every part of it may be missing."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from confere.hub.json_text import Listing
from confere.hub.values import number, objects, text


def total(listing: Listing) -> int | None:
    """How many items the hub says there are under this filter; None where it does not."""
    return number(_page(listing).get("totalElements"))


def has_more(listing: Listing, *, end: int) -> bool | None:
    """Whether items follow after the first `end` of the list; None where nothing says.

    Any sign of more counts: a list that ends too late costs a request, one that ends too early loses items.
    """
    if listing.envelope is None:
        return None
    if next_query(listing) is not None:
        return True
    everything = total(listing)
    if everything is not None:
        return end < everything
    count, at = number(_page(listing).get("totalPages")), number(_page(listing).get("number"))
    if count is not None and at is not None:
        return at + 1 < count
    return False if isinstance(listing.envelope.get("links"), list) else None


def next_query(listing: Listing) -> dict[str, int] | None:
    """Whole numbers in the query of the `next` link; None where there is no such link."""
    for link in objects((listing.envelope or {}).get("links")):
        href = text(link.get("href"))
        if href and (text(link.get("rel")) or "").lower() == "next":
            try:
                pairs = parse_qsl(urlsplit(href).query, max_num_fields=50)
            except ValueError:
                return {}
            return {name: whole for name, value in pairs if (whole := number(value)) is not None}
    return None


def traits(listing: Listing) -> tuple[bool, bool, bool]:
    """Whether there is an envelope, a page number, and a `next` link."""
    return (
        listing.envelope is not None,
        number(_page(listing).get("number")) is not None,
        next_query(listing) is not None,
    )


def _page(listing: Listing) -> Mapping[str, object]:
    envelope = listing.envelope or {}
    about = envelope.get("page")
    return about if isinstance(about, dict) else envelope
