"""The words that people read for how a hub wants its lists asked: names of lists, of traits and of their values."""

from __future__ import annotations

from typing import Final

from confere.errors import N_, NC_, Message

_LISTS: Final = {
    "documents": N_("documents"),
    "orders": N_("orders"),
    "returns": N_("returns"),
    "products": N_("products"),
    "brands": N_("brands"),
    "categories": N_("categories"),
    "variations": N_("variations"),
    "skus": N_("SKUs"),
}
_FIELDS: Final = {
    "hub_id": N_("Id at the hub"),
    "access_key": N_("Access key"),
    "type": N_("Type"),
    "subtype": N_("Subtype"),
    "cfop": N_("CFOP"),
    "document_type_value": N_("Name of the type at the hub"),
    "marketplace": N_("Marketplace"),
    "order_id": N_("Order"),
    "created_at": N_("Created"),
    "updated_at": N_("Last change at the hub"),
    "metadata": N_("Further data"),
    "history": N_("History"),
    "related": N_("Documents that it names"),
    "items": N_("Files"),
    "complete": N_("Carries the whole detail"),
    "place": N_("Place in the list"),
    "unread": N_("Entries not understood"),
}
_TRAITS: Final = {
    "paging": N_("pages are asked for by"),
    "place": N_("name of the place"),
    "base": N_("number of the first page"),
    "first_place": N_("place of the first page"),
    "limit": N_("name of the page size"),
    "page_size": N_("largest page"),
    "end": N_("a page shorter than this is the last"),
    "totals": N_("the length is told by"),
    "empty": N_("an empty list is told by"),
    "unknown": N_("parameters it does not know"),
    "dates": N_("form of dates"),
    "date_filter": N_("date filters"),
    "files": N_("files of a record stand in"),
}
_VALUES: Final = {
    ("paging", "free"): N_("any offset"),
    ("paging", "whole pages"): N_("offsets of whole pages"),
    ("paging", "page"): N_("page number"),
    ("paging", "link"): N_("its next link alone"),
    ("limit", ""): N_("none is taken"),
    ("totals", "nothing"): N_("nothing"),
    ("totals", "links"): N_("its links"),
    ("unknown", "refused"): NC_("parameters", "refused"),
    ("unknown", "tolerated"): N_("tolerated"),
    ("dates", "refused"): N_("none is taken"),
    ("dates", "offset"): N_("with offset"),
    ("dates", "milliseconds"): N_("with milliseconds and offset"),
    ("dates", "no zone"): N_("without zone"),
    ("dates", "date"): N_("the date alone"),
    ("date_filter", "honoured"): N_("honoured"),
    ("date_filter", "ignored"): NC_("date filters", "ignored"),
}


def list_name(name: str) -> Message | str:
    """A list of the hub."""
    return _word(_LISTS.get(name), name)


def field_name(name: str) -> Message | str:
    """A field of a record of the list of documents, as it was understood."""
    return _word(_FIELDS.get(name), name)


def trait_name(name: str) -> Message | str:
    """A trait of a list."""
    return _word(_TRAITS.get(name), name)


def trait_value(trait: str, value: str) -> Message | str:
    """What a trait is; the hub's own word, as it came, where it is one."""
    return _word(_VALUES.get((trait, value)), value)


def _word(word: str | None, otherwise: str) -> Message | str:
    return otherwise if word is None else Message(word)
