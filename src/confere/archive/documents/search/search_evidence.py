"""What stands in a document beside what a list shows of it, as a search may have found it by: items, orders, notes."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from confere.archive.transaction import Transaction


class Evidence(NamedTuple):
    """Of one document: its items as `code description`, the orders that hubs name for it and those that are linked to
    it, by each of their numbers, the notes that it carries as `series/number`, and the protocols of its events."""

    items: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    carried: tuple[str, ...] = ()
    event_protocols: tuple[str, ...] = ()


_MOST_ITEMS = 200  # of a document: a catalogue on one note is not read whole for a sentence
_ITEMS = (
    "SELECT document_id, coalesce(code, '') || ' ' || coalesce(description, '') FROM item"
    f" WHERE document_id IN {{}} AND position < {_MOST_ITEMS} ORDER BY document_id, position"
)
_ORDERS = (
    "SELECT d.id, h.order_id FROM document d CROSS JOIN hub_document h ON h.access_key = d.access_key"
    " WHERE d.id IN {} AND h.order_id IS NOT NULL"
)
_LINKED = (
    "SELECT d.id, {name} FROM document d CROSS JOIN link l ON l.access_key = d.access_key"
    " CROSS JOIN sales_order o ON o.account_id = l.account_id AND o.hub_id = l.order_hub_id"
    " WHERE d.id IN {{}} AND {name} IS NOT NULL"
)
_LINKS = tuple(_LINKED.format(name=name) for name in ("o.hub_id", "o.marketplace_id", "o.partner_id"))
_CARRIED = (
    "SELECT d.id, coalesce(n.series || '/', '') || n.number FROM document d"
    " CROSS JOIN relation r ON r.source_key = d.access_key CROSS JOIN document n ON n.access_key = r.target_key"
    " WHERE d.id IN {} AND d.type IN ('cte', 'cteos') AND n.is_current = 1 AND n.number IS NOT NULL"
)
_PROTOCOLS = (
    "SELECT d.id, v.protocol FROM document d CROSS JOIN event v ON v.access_key = d.access_key"
    " WHERE d.id IN {} AND v.protocol IS NOT NULL"
)


def evidence(transaction: Transaction, ids: Collection[int]) -> dict[int, Evidence]:
    """The evidence of these documents, by id."""
    of_document: dict[int, list[list[str]]] = {number: [[], [], [], []] for number in ids}
    for place, questions in enumerate(((_ITEMS,), (_ORDERS, *_LINKS), (_CARRIED,), (_PROTOCOLS,))):
        for question in questions:
            for number, text in transaction.fetch_in(question, tuple(of_document)):
                of_document[number][place].append(text)
    return {
        number: Evidence(*(tuple(dict.fromkeys(texts)) for texts in lists)) for number, lists in of_document.items()
    }
