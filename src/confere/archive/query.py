"""What a list of documents is asked for, and the SQL that answers it; one place for every filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from confere.archive import search

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
    """The SQL of a query; every value is a parameter."""
    conditions: list[str] = []
    values: list[Any] = []
    day, key_of_owner = "d.issued_on", ""
    if query.company is not None:
        source = "belonging b CROSS JOIN document d ON d.id = b.document_id"
        conditions.append("b.tax_id = ?")
        values.append(query.company)
        day, key_of_owner = "b.issued_on", "b.direction"
    else:
        source = "document d"
        conditions.append("d.is_current = 1")
    for condition, value in (
        (f"{day} >= ?", query.from_day),
        (f"{day} <= ?", query.to_day),
        ("d.number = ?", query.number),
        ("d.series = ?", query.series),
        ("d.access_key = ?", query.access_key),
        ("',' || d.cfops || ',' LIKE ?", f"%,{query.cfop},%" if query.cfop else None),
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
    return Sql(f"FROM {source} WHERE {' AND '.join(conditions)}", tuple(values), f"ORDER BY {order}")


def _hub_conditions(query: DocumentQuery, conditions: list[str], values: list[Any]) -> None:
    inner: list[str] = []
    for column, value in (
        ("h.marketplace", query.marketplace),
        ("h.subtype", query.subtype),
        ("h.order_id", query.order_id),
        ("a.name", query.account),
    ):
        if value is not None:
            inner.append(f"{column} = ?")
            values.append(value)
    if inner:
        conditions.append(
            "EXISTS (SELECT 1 FROM hub_document h JOIN account a ON a.id = h.account_id WHERE (h.access_key ="
            " d.access_key OR h.id IN (SELECT w.hub_document_id FROM download w WHERE d.access_key IS NULL"
            f" AND w.content_id = d.content_id)) AND {' AND '.join(inner)})"
        )


def _word_conditions(words: str, conditions: list[str], values: list[Any]) -> None:
    plain = words.strip()
    if len(plain) == 44 and plain.isascii() and plain.isalnum():
        conditions.append("d.access_key = ?")
        values.append(plain.upper())
        return
    expression = search.expression(plain)
    in_text = "d.id IN (SELECT rowid FROM search WHERE search MATCH ?)"
    alternatives: list[str] = []
    if expression is not None:
        alternatives.append(in_text)
        values.append(expression)
    if plain.isascii() and plain.isdigit() and len(plain) <= 18:
        alternatives.append("d.number = ?")
        alternatives.append("d.access_key IN (SELECT access_key FROM hub_document WHERE order_id = ?)")
        alternatives.append("d.emitter_tax_id = ?")
        alternatives.append("d.recipient_tax_id = ?")
        values += (int(plain), plain, plain, plain)
    conditions.append(f"({' OR '.join(alternatives)})" if alternatives else "0")
