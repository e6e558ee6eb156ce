"""Orders of names: the documents of those that come first, along the index of names."""

from __future__ import annotations

from typing import Final, NamedTuple

from confere.archive.documents.search import sort_orders
from confere.archive.documents.search.first_rows.list_reading import ListReading
from confere.archive.documents.search.lookups import IdSelect
from confere.archive.documents.search.value_indexes import FEW
from confere.archive.transaction import Row, Transaction

_AT_ONCE: Final = 300  # documents of names that follow each other
_MOST: Final = 6000  # documents that are looked up

_NAMED: Final = (
    "SELECT n.name, d.id FROM taxpayer n CROSS JOIN document d ON {party} WHERE d.is_current = 1 AND"
    " n.name IS NOT NULL{names} ORDER BY n.name COLLATE NOCASE {way} LIMIT ?"
)
_EMITTER: Final = "d.emitter_id = n.id AND d.emitter_id > 0"
# The words by which SQLite knows the indexes of emitters and recipients are among them.
PARTIES: Final = {
    "emitter": (_EMITTER,),
    "recipient": ("d.recipient_id = n.id AND d.recipient_id > 0",),
    "counterparty": (
        "d.emitter_id IN {own} AND d.emitter_id > 0 AND d.recipient_id = n.id",
        f"{_EMITTER} AND n.id NOT IN {{own}}",
    ),
}


class _Named(NamedTuple):
    """The ids of documents by the name of a party; `last` is the name of which there may be more, None for none."""

    ids: list[int]
    last: str | None


def first(transaction: Transaction, reading: ListReading, until: int) -> list[int] | None:
    """The first rows; None where too many documents of too many names are not in the list, or it has fewer."""
    found: list[int] = []
    looked_up = 0
    beyond: str | None = None
    while looked_up < _MOST:
        named = _after(transaction, reading, beyond)
        looked_up += len(named.ids)
        found += _listed(transaction, reading, named.ids, until - len(found))
        if len(found) == until:
            return found
        if named.last is None:
            break  # all others are without a name
        beyond = named.last
        of_name = _called(transaction, reading, beyond)
        if of_name.last is None:
            looked_up += len(of_name.ids)
            found += _listed(transaction, reading, of_name.ids, until - len(found))
        else:
            newest = _by_day(transaction, reading, beyond, until - len(found))
            if newest is None:
                return None
            found += newest
        if len(found) == until:
            return found
    return None


def _after(transaction: Transaction, reading: ListReading, beyond: str | None) -> _Named:
    """The documents of the names that come after `beyond`, without those of the last one, which may be cut off."""
    sign = "<" if reading.query.descending else ">"
    names = "" if beyond is None else f" AND n.name COLLATE NOCASE {sign} ?"
    parts = _read(transaction, reading, names, () if beyond is None else (beyond,), _AT_ONCE)
    pick = max if reading.query.descending else min
    last = pick((rows[-1][0] for rows in parts if len(rows) == _AT_ONCE), key=_folded, default=None)
    if last is None:
        return _Named([number for rows in parts for _, number in rows], None)
    end = _folded(last)
    known = ((_folded(name), number) for rows in parts for name, number in rows)
    return _Named([number for name, number in known if (name > end if reading.query.descending else name < end)], last)


def _called(transaction: Transaction, reading: ListReading, name: str) -> _Named:
    """The documents of a name, however it is spelt in capitals."""
    parts = _read(transaction, reading, " AND n.name = ? COLLATE NOCASE", (name,), FEW)
    is_whole = all(len(rows) < FEW for rows in parts)
    return _Named([number for rows in parts for _, number in rows], None if is_whole else name)


def _read(
    transaction: Transaction, reading: ListReading, names: str, values: Row, limit: int
) -> list[list[tuple[str, int]]]:
    own, of_own = sort_orders.own_of(reading.query.company)
    parts: list[list[tuple[str, int]]] = []
    for party in PARTIES[reading.query.sort]:
        sql = _NAMED.format(party=party.format(own=own), names=names, way=reading.way)
        parts.append(transaction.fetch(sql, (*(of_own if "{own}" in party else ()), *values, limit)))
    return parts


def _listed(transaction: Transaction, reading: ListReading, ids: list[int], limit: int) -> list[int]:
    if not ids:
        return []
    numbers = ",".join(map(str, ids))
    return reading.first_of(transaction, IdSelect(f"SELECT id FROM document WHERE id IN ({numbers})", ()), limit)


def _by_day(transaction: Transaction, reading: ListReading, name: str, limit: int) -> list[int] | None:
    party, values = sort_orders.party_of(reading.query.sort, reading.query.company)
    called = "(SELECT id FROM taxpayer WHERE name = ? COLLATE NOCASE)"
    return reading.first_by_day(transaction, f"{party} IN {called}", (*values, name), limit)


def _folded(name: str) -> bytes:
    """What SQLite compares without regard to case: it knows the capitals of ASCII alone."""
    return name.encode("utf-8", "surrogatepass").lower()
