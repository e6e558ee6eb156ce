"""SQL of what a search looks up in an index of its own: numbers, orders, protocols, keys, tax ids, words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from confere.archive.documents.search import full_text, party_conditions
from confere.archive.documents.search.document_query import Lookup, Match
from confere.archive.documents.search.full_text import Spelling
from confere.archive.message_encoding import storable
from confere.fiscal import access_keys

# For the planner: every index of the hub's records by order begins with the account.
ANY_ACCOUNT: Final = "h.account_id IN (SELECT id FROM account)"
_MASK: Final = re.compile(r"[.\-/\s]")  # what people put into a CNPJ, a CPF or a key
_AFTER_ALL: Final = "\U0010ffff"
_LONGEST_NUMBER: Final = 9  # nNF
_NUMBER_IN_KEY: Final = slice(25, 34)
_END_OF_KEY: Final = 8
_MOST_AFTER: Final = 4  # characters of a key after the part that is looked for, so that those before are few
_MOST_LEFT_OUT: Final = 6  # first digits of its number that a part of a key leaves out
_MOST_NUMBERS: Final = 1_000  # that can be meant then, and are looked up
_SHORTEST_ORDER: Final = 10  # digits that begin an order
_PROTOCOL: Final = 15  # nProt
_FREIGHT_OF: Final = (
    "SELECT x.id FROM document n CROSS JOIN relation r ON r.target_key = n.access_key"
    " CROSS JOIN document x ON x.access_key = r.source_key WHERE n.number = ?{series} AND x.type IN ('cte', 'cteos')"
)


_NUMBERS_ENDING: Final = (
    "SELECT id FROM document WHERE number IN (WITH RECURSIVE ending(number) AS (VALUES (?) UNION ALL SELECT number + ?"
    f" FROM ending WHERE number + ? <= (SELECT max(number) FROM document) LIMIT {_MOST_NUMBERS})"
    " SELECT number FROM ending)"
    " AND substr(access_key, ?, ?) = ?"
)


class IdSelect(NamedTuple):
    """A SELECT of the ids of documents, with its parameters."""

    sql: str
    values: tuple[Any, ...]


def chosen(lookup: Lookup, spelling: Spelling = full_text.expression) -> IdSelect | None:
    """The ids of what `lookup` means, which can stand in several places; None where nothing can be meant.

    Each place is looked up by its own index: joined by OR they would be tried on every document there is.
    """
    places = tuple(_places(lookup, spelling))
    if not places:
        return None
    return IdSelect(
        " UNION ALL ".join(place.sql for place in places),
        tuple(storable(value) if isinstance(value, str) else value for place in places for value in place.values),
    )


def listed(among: Sequence[str], *, few: bool) -> str:
    """SQL for the ids of documents whose hub record meets all conditions, each of them taken twice.

    By the access key; paper without one by its download. `few` records are followed to their paper; otherwise the
    paper without a key is less, and is followed to its record.
    """
    where = " AND ".join(among)
    tables = (
        "hub_document h CROSS JOIN download w ON w.hub_document_id = h.id"
        " CROSS JOIN document x ON x.content_id = w.content_id"
        if few
        else "document x CROSS JOIN download w ON w.content_id = x.content_id"
        " CROSS JOIN hub_document h ON h.id = w.hub_document_id"
    )
    return (
        "SELECT x.id FROM hub_document h CROSS JOIN document x ON x.access_key = h.access_key"
        f" WHERE {where} UNION SELECT x.id FROM {tables} WHERE x.access_key IS NULL AND {where}"
    )


# By the hub's number of the order, the marketplace's or the seller's own, whole; each has an index.
_LINKED_PAPER: Final = " CROSS JOIN document x ON x.access_key = l.access_key WHERE "
_LINKED_ORDER: Final = (
    "SELECT x.id FROM sales_order o CROSS JOIN link l ON l.account_id = o.account_id AND l.order_hub_id = o.hub_id"
    + _LINKED_PAPER
)


def linked(order: str, account: str | None = None) -> IdSelect:
    """The ids of documents that a reconciliation or a person linked to an order; of every account, or of this one."""
    named, mine = "SELECT id FROM account", ""
    values: tuple[str, ...] = (order,)
    if account is not None:
        named, values = f"{named} WHERE name = ?", (account, order)
        mine = f"o.account_id IN ({named}) AND "
    return IdSelect(
        f"SELECT x.id FROM link l{_LINKED_PAPER}l.account_id IN ({named}) AND l.order_hub_id = ?"
        f" UNION {_LINKED_ORDER}{mine}o.marketplace_id = ? UNION {_LINKED_ORDER}{mine}o.partner_id = ?",
        values * 3,
    )


def _places(lookup: Lookup, spelling: Spelling) -> Iterator[IdSelect]:
    text = lookup.text
    match lookup.kind:
        case "words":
            yield from _words(text, spelling, lookup.without)
        case "number":
            yield from _numbers(int(text), None)
            yield from _orders(text)
            yield from _protocols(text)
            yield from _parts_of_keys(text)
            if party_conditions.is_tax_id(text):
                yield _belonging(text)
            yield from _words(text, spelling)
        case "numbered":
            yield from _numbers(int(text), lookup.series)
        case "code":
            bare = _MASK.sub("", text).upper()
            yield from _orders(text)
            yield from _beginning_of_keys(bare)
            if party_conditions.is_tax_id(bare):
                yield _belonging(bare)
            yield from _words(text, spelling)
        case "key":
            yield IdSelect("SELECT id FROM document WHERE access_key = ?", (text,))
        case "key_part":
            yield from _parts_of_keys(text)
        case "two_groups":
            yield from _parts_of_keys(text.replace(" ", ""))
            yield from _both_numbers(text, spelling)
        case "tax_id":
            yield _belonging(text)


def _both_numbers(text: str, spelling: Spelling) -> Iterator[IdSelect]:
    """Documents that both numbers of a text find."""
    both = [chosen(Lookup("number", number), spelling) for number in text.split()]
    known = [ids for ids in both if ids is not None]
    if len(known) == len(both):
        sql = " INTERSECT ".join(f"SELECT * FROM ({ids.sql})" for ids in known)
        yield IdSelect(f"SELECT * FROM ({sql})", tuple(value for ids in known for value in ids.values))


def _words(text: str, spelling: Spelling, without: Sequence[str] = ()) -> Iterator[IdSelect]:
    expression = spelling(text)
    if expression is not None:
        for unwanted in filter(None, map(spelling, without)):
            expression = f"({expression}) NOT ({unwanted})"
        yield IdSelect("SELECT rowid FROM search WHERE search MATCH ?", (expression,))


def words_of_owner(lookup: Lookup, spelling: Spelling, tax_id: str) -> IdSelect | None:
    """The ids of the documents with the words of `lookup` that may be this taxpayer's."""
    for ids in _words(lookup.text, spelling, lookup.without):
        (expression,) = ids.values
        return ids._replace(values=(f'({expression}) AND "{full_text.owner_word(tax_id)}"',))
    return None


def whole_words(text: str) -> IdSelect | None:
    """The ids of documents with these very words, which are fewer than those with words that begin so."""
    expression = full_text.expression(text, whole=True)
    return None if expression is None else IdSelect("SELECT rowid FROM search WHERE search MATCH ?", (expression,))


def _numbers(number: int, series: int | None) -> Iterator[IdSelect]:
    """Documents of this number, voidings of it, and the freights of its notes."""
    if number >= 10**_LONGEST_NUMBER:
        return
    one = (number,) if series is None else (number, series)
    of = "" if series is None else " AND series = ?"
    yield IdSelect(f"SELECT id FROM document WHERE number = ?{of}", one)
    yield IdSelect(f"SELECT document_id FROM voiding WHERE first <= ? AND last >= ?{of}", (number, *one))
    yield IdSelect(_FREIGHT_OF.format(series=of.replace("series", "n.series")), one)


def _orders(text: str) -> Iterator[IdSelect]:
    if len(text) >= _SHORTEST_ORDER and text.isdigit():
        values = (text, text + _AFTER_ALL)
        yield IdSelect(listed(("h.order_id >= ?", "h.order_id < ?", ANY_ACCOUNT), few=True), values * 2)
    else:
        yield IdSelect(listed(("h.order_id = ?", ANY_ACCOUNT), few=True), (text, text))
    yield linked(text)


def _protocols(text: str) -> Iterator[IdSelect]:
    """Of the document itself, of its events, of a voiding."""
    if len(text) == _PROTOCOL:
        yield IdSelect("SELECT id FROM document WHERE protocol = ?", (text,))
        yield IdSelect(
            "SELECT x.id FROM event v CROSS JOIN document x ON x.access_key = v.access_key WHERE v.protocol = ?",
            (text,),
        )
        yield IdSelect("SELECT document_id FROM voiding WHERE protocol = ?", (text,))


def may_begin_keys(match: Match) -> bool:
    """Whether access keys may begin with what is looked for."""
    return isinstance(match, Lookup) and access_keys.may_begin(_MASK.sub("", match.text).upper())


def _beginning_of_keys(text: str) -> Iterator[IdSelect]:
    if access_keys.may_begin(text):
        values = (text, text + _AFTER_ALL)
        yield IdSelect("SELECT id FROM document WHERE access_key >= ? AND access_key < ?", values)


def _parts_of_keys(text: str) -> Iterator[IdSelect]:
    """Keys that begin so, that end so or nearly so, or have it around or from within their number.

    Another part before the number is in the keys of everybody with that emitter and month, and is not looked for.
    """
    size = len(text)
    if size in access_keys.LENGTHS:
        yield IdSelect("SELECT id FROM document WHERE access_key = ?", (text,))
        return
    if not _END_OF_KEY <= size <= access_keys.LENGTH:
        return
    yield from _beginning_of_keys(text)
    yield IdSelect(
        "SELECT id FROM document WHERE substr(access_key, -8) = ? AND substr(access_key, ?) = ?",
        (text[-_END_OF_KEY:], -size, text),
    )
    numbers = sorted(
        {
            int(text[_NUMBER_IN_KEY.start - place : _NUMBER_IN_KEY.stop - place])
            for place in range(1, _NUMBER_IN_KEY.start + 1)
            if place + size >= _NUMBER_IN_KEY.stop and place + size <= access_keys.LENGTH
        }
    )
    if numbers:
        marks = ",".join("?" * len(numbers))
        yield IdSelect(
            f"SELECT id FROM document WHERE number IN ({marks}) AND instr(access_key, ?) > 0", (*numbers, text)
        )
    for after in range(1, min(_MOST_AFTER, access_keys.LENGTH - size) + 1):
        known = text[after - _END_OF_KEY :]
        yield IdSelect(
            "SELECT id FROM document WHERE substr(access_key, -8) >= ? AND substr(access_key, -8) < ?"
            " AND substr(access_key, ?, ?) = ?",
            (known, known + _AFTER_ALL, -size - after, size, text),
        )
    for left_out in range(1, _MOST_LEFT_OUT + 1):
        place = _NUMBER_IN_KEY.start + left_out
        last = text[: _NUMBER_IN_KEY.stop - place]
        step = 10 ** len(last)
        if place + size < access_keys.LENGTH - _MOST_AFTER and last.isdigit():
            yield IdSelect(_NUMBERS_ENDING, (int(last), step, step, place + 1, size, text))


def _belonging(tax_id: str) -> IdSelect:
    return IdSelect("SELECT document_id FROM belonging WHERE tax_id = ?", (tax_id,))
