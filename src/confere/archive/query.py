"""What a list of documents is asked for, and the SQL that answers it; one place for every filter."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from confere.archive import search
from confere.archive.sentences import storable
from confere.errors import UsageFault, message

_SORTS = {
    "issued": "d.issued_on {way}, d.id {way}",
    "number": "d.number {way}, d.id {way}",
    "total": "d.total {way}, d.id {way}",
    "emitter": "d.emitter_name {way}, d.id {way}",
    "recipient": "d.recipient_name {way}, d.id {way}",
    "type": "d.type {way}, d.id {way}",
    "state": "d.state {way}, d.id {way}",
}
SORTS = tuple(_SORTS)
_MASK = re.compile(r"[.\-/\s]")  # what people put into a CNPJ, a CPF or a key
# For the planner: every index of the hub's records by order begins with the account.
_ANY_ACCOUNT = "h.account_id IN (SELECT id FROM account)"


@dataclass(frozen=True, slots=True)
class DocumentQuery:
    """Which documents. `company` is a CNPJ or CPF that emitted, received or took it; days are `YYYY-MM-DD`.

    `words` are what a person typed: a 44-character key and a bare number are looked up as such, anything else in
    the full text.
    """

    company: str | None = None
    from_day: str | None = None
    to_day: str | None = None
    types: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    direction: str | None = None
    marketplace: str | None = None
    subtype: str | None = None
    order_id: str | None = None
    account: str | None = None
    number: int | None = None
    series: int | None = None
    cfop: str | None = None
    access_key: str | None = None
    words: str | None = None
    sort: str = "issued"
    descending: bool = True


@dataclass(frozen=True, slots=True)
class Sql:
    """`FROM … WHERE …` with its parameters, and the order."""

    source: str
    parameters: tuple[Any, ...]
    order: str


def sql_of(query: DocumentQuery) -> Sql:
    """The SQL of a query; every value is a parameter. `UsageFault` for a number beyond 63 bits."""
    conditions: list[str] = []
    values: list[Any] = []
    day, key_of_owner = "d.issued_on", ""
    # Documents of some hub record, word or number are few: they are fetched by id, and the plus keeps SQLite from
    # walking all current ones by date instead.
    picked = query.words or _hub_filters(query)
    if query.company is not None:
        source = "belonging b CROSS JOIN document d ON d.id = b.document_id"
        conditions.append("b.tax_id = ?")
        values.append(query.company)
        day, key_of_owner = "b.issued_on", "b.direction"
    else:
        source = "document d"
        conditions.append("+d.is_current = 1" if picked else "d.is_current = 1")
    for condition, value in (
        (f"{day} >= ?", query.from_day),
        (f"{day} <= ?", query.to_day),
        ("d.number = ?", storable_number(query.number)),
        ("d.series = ?", storable_number(query.series)),
        ("d.access_key = ?", query.access_key),
        ("instr(',' || d.cfops || ',', ?) > 0", f",{query.cfop}," if query.cfop else None),
    ):
        if value is not None:
            conditions.append(condition)
            values.append(value)
    for column, among in (("d.type", query.types), ("d.state", query.states)):
        if among:
            conditions.append(f"{column} IN ({','.join('?' * len(among))})")
            values += among
    if query.direction is not None:
        if key_of_owner:
            conditions.append("b.direction = ?")
            values.append(query.direction)
        else:
            conditions.append("d.direction = ?")
            values.append({"in": "0", "out": "1"}.get(query.direction, query.direction))
    _hub_conditions(query, conditions, values)
    if query.words:
        _word_conditions(query.words, conditions, values)
    way = "DESC" if query.descending else "ASC"
    order = _SORTS[query.sort].format(way=way)
    if query.sort == "issued" and query.company is not None:
        order = f"b.issued_on {way}, b.document_id {way}"  # the order of the tree that is read
    parameters = tuple(storable(value) if isinstance(value, str) else value for value in values)
    return Sql(f"FROM {source} WHERE {' AND '.join(conditions)}", parameters, f"ORDER BY {order}")


def storable_number(value: int | None) -> int | None:
    """`value`, where SQLite can hold it; `UsageFault` otherwise."""
    if value is not None and not -(2**63) <= value < 2**63:
        raise UsageFault(
            message("{value} is larger than any number in the archive can be.", value=value),
            message("Give a smaller number."),
        )
    return value


def _hub_filters(query: DocumentQuery) -> dict[str, str]:
    """Conditions on `hub_document h` with their values; none where nothing is asked of the hub."""
    found = {
        "h.order_id = ?": query.order_id,
        "h.marketplace = ?": query.marketplace,
        "h.subtype = ?": query.subtype,
        "h.account_id IN (SELECT id FROM account WHERE name = ?)": query.account,
    }
    return {condition: value for condition, value in found.items() if value is not None}


def _hub_conditions(query: DocumentQuery, conditions: list[str], values: list[Any]) -> None:
    filters = _hub_filters(query)
    if filters:
        among = list(filters)
        if query.account is None:
            among.append(_ANY_ACCOUNT)
        conditions.append(f"d.id IN ({_listed(among, few=query.order_id is not None)})")
        values += [*filters.values(), *filters.values()]


def _listed(among: Sequence[str], *, few: bool) -> str:
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


def _word_conditions(words: str, conditions: list[str], values: list[Any]) -> None:
    plain = words.strip()
    bare = _MASK.sub("", plain).upper()
    if len(bare) == 44 and bare.isascii() and bare.isalnum() and bare[:6].isdigit():
        conditions.append("d.access_key = ?")
        values.append(bare)
        return
    alternatives: list[str] = []
    if len(bare) in (11, 14) and bare.isascii() and bare.isalnum() and bare[-2:].isdigit():
        alternatives.append("SELECT document_id FROM belonging WHERE tax_id = ?")
        values.append(bare)
    expression = search.expression(plain)
    if expression is not None:
        alternatives.append("SELECT rowid FROM search WHERE search MATCH ?")
        values.append(expression)
    if plain.isascii() and plain.isdigit() and len(plain) <= 18:
        # One look-up each: joined by OR they would be tried on every document there is.
        alternatives.append("SELECT id FROM document WHERE number = ?")
        alternatives.append(_listed(("h.order_id = ?", _ANY_ACCOUNT), few=True))
        values += (int(plain), plain, plain)
    conditions.append(f"d.id IN ({' UNION '.join(alternatives)})" if alternatives else "0")
