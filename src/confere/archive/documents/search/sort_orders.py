"""The orders of a list: one for each of its columns, each ending in the document's number so that it is total."""

from __future__ import annotations

from typing import Any, NamedTuple

from confere.archive.message_encoding import storable

OURS = (
    "(SELECT t.id FROM account a JOIN establishment e ON e.account_id = a.id JOIN taxpayer t ON t.tax_id = e.tax_id"
    " WHERE a.removed_at IS NULL)"
)
"""The taxpayers that are establishments of the accounts in use, in every spelling."""
_NAME = "n.name COLLATE NOCASE"
_SORTS = {
    "issued": "d.issued_on",
    "number": "+d.number",  # along its own index every row of the table would be read to filter it
    "type": "d.type",
    "counterparty": _NAME,
    "operation": "d.operation",
    "marketplace": "d.hub_marketplace",
    "order": "d.hub_order_id",
    "total": "+d.total",  # its own index finds one total; in its order the filters would read every row of the table
    "state": "d.state",
    "warnings": "d.warning_count",
    "verdict": "d.verdict",
    "ground": "d.state_ground",
    "emitter": _NAME,
    "recipient": _NAME,
}
SORTS = tuple(_SORTS)
_NAMED = {
    "counterparty": "CASE WHEN d.emitter_id IN {own} THEN d.recipient_id ELSE d.emitter_id END",
    "emitter": "d.emitter_id",
    "recipient": "d.recipient_id",
}
_ALWAYS_THERE = frozenset({"issued", "type", "state"})
_RARELY_TWICE = frozenset({"number", "total", "order"})


class SortOrder(NamedTuple):
    """What follows `ORDER BY`, and the table of names that it needs, with its parameters; "" for none."""

    by: str
    names: str = ""
    parameters: tuple[Any, ...] = ()


def order_of(sort: str, *, descending: bool, company: str | None, owned: bool) -> SortOrder:
    """The order; `owned` where `belonging b` is read along its tree.

    What has no value comes last, whichever way: nobody sorts by orders to read those without one.
    """
    way = "DESC" if descending else "ASC"
    if sort == "issued":
        # Within a day by number: the order of arrival is another on every machine.
        return SortOrder(
            f"b.issued_on {way}, d.number {way}, d.id {way}"
            if owned
            else f"d.issued_on {way}, d.number {way}, d.id {way}"
        )
    last = "" if sort in _ALWAYS_THERE else " NULLS LAST"
    newest = "" if sort in _RARELY_TWICE else f"d.issued_on {way}, "
    by = f"{_SORTS[sort]} {way}{last}, {newest}d.id {way}"
    if sort not in _NAMED:
        return SortOrder(by)
    # A join, not a look-up in the order: it takes two thirds of the time.
    party, values = party_of(sort, company)
    return SortOrder(by, f" LEFT JOIN taxpayer n ON n.id = {party}", values)


def party_of(sort: str, company: str | None) -> tuple[str, tuple[Any, ...]]:
    """The taxpayer by whose name this order is, with its parameters."""
    own, values = own_of(company)
    return _NAMED[sort].format(own=own), values if sort == "counterparty" else ()


def own_of(company: str | None) -> tuple[str, tuple[Any, ...]]:
    """The SELECT of the taxpayers whose counterparty the other side is, with its parameters."""
    return (OURS, ()) if company is None else ("(SELECT id FROM taxpayer WHERE tax_id = ?)", (storable(company),))
