"""What a document is related to, as a list in words: groups by kind, the other ends, and its orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from confere.app.documents.relations import DocumentOrder, Edge
from confere.app.documents.view import detail_text
from confere.app.documents.view.loaded import Loaded
from confere.app.labels import labels
from confere.app.labels.marketplace_labels import marketplace_word
from confere.desktop.details import order_text
from confere.fiscal import access_keys
from confere.system import formatting
from confere.system.messages import t


@dataclass(frozen=True, slots=True)
class Kin:
    """One line. A `heading` parts groups; `access_key` leads to the other end, which is in the archive if `archived`.

    `order` is the account and the hub's id of an order to be gone to; `copied` is what Ctrl+C takes.
    """

    title: str
    detail: str = ""
    value: str = ""
    access_key: str | None = None
    archived: bool = True
    heading: bool = False
    copied: str = ""
    claimed: str = ""
    order: tuple[str, str] | None = None


def of(loaded: Loaded) -> tuple[Kin, ...]:
    """What it refers to first, then what refers to it, then orders."""
    groups: dict[str, list[Kin]] = {}
    out, incoming, left = _edges(loaded)
    for edges, reverse in ((out, False), (incoming, True)):
        for edge in edges:
            groups.setdefault(labels.relation_word(edge.kind, reverse=reverse), []).append(_kin(edge, loaded))
    found: list[Kin] = []
    for title, members in groups.items():
        found += [_heading(f"{title[:1].upper()}{title[1:]}", len(members)), *members]
    if left:
        found.append(Kin(t("and {count} more, which are not listed here", count=formatting.count(left)), heading=True))
    orders = _orders(loaded)
    if orders:
        found.append(_heading(t("Orders") if len(orders) > 1 else t("Order"), len(orders)))
        found += map(_order, orders)
    return tuple(found)


def _heading(title: str, count: int) -> Kin:
    """The title of a group, with how many it has where it is not one."""
    return Kin(f"{title} ({formatting.count(count)})" if count > 1 else title, heading=True)


def _orders(loaded: Loaded) -> Sequence[DocumentOrder]:
    """Those that are known, or named by the hub alone where the paper has no key to look for more by."""
    if loaded.kinship is not None:
        return loaded.kinship.orders
    named = {word.order_id: word.marketplace for word in loaded.view.full.hub if word.order_id}
    return [DocumentOrder(order_id, marketplace) for order_id, marketplace in sorted(named.items())]


def _order(order: DocumentOrder) -> Kin:
    """With its total, and below why it is linked and where it was sold."""
    return Kin(
        order.order_id,
        " · ".join(filter(None, (order_text.tie_of(order), marketplace_word(order.marketplace), order.number))),
        formatting.money(order.total) if order.total is not None else "",
        archived=order.archived,
        copied=order.order_id,
        claimed=". ".join(order_text.reasons_of(order)),
        order=(order.account, order.order_id) if order.account is not None and order.archived else None,
    )


def _edges(loaded: Loaded) -> tuple[Sequence[Edge], Sequence[Edge], int]:
    """The relations of both ways, and how many more there are; the archive's own rows where no more was found out."""
    kinship = loaded.kinship
    if kinship is not None:
        listed = len(kinship.out) + len(kinship.incoming)
        return kinship.out, kinship.incoming, kinship.out_total + kinship.incoming_total - listed
    out = [Edge(row.kind, row.target_key, row.archived, row.claims) for row in loaded.view.full.relations]
    incoming = [Edge(row.kind, row.source_key, row.archived, row.claims) for row in loaded.view.full.related_by]
    return out, incoming, 0


def _kin(entry: Edge, loaded: Loaded) -> Kin:
    key = entry.key
    row = entry.row or loaded.related.get(key)
    said = t("says {who}", who=labels.claims_word(entry.claims))
    if row is not None:
        name = detail_text.parties_line(row, loaded.own, loaded.hidden)
        title = " · ".join(
            filter(None, (f"{labels.type_word(row.type)} {labels.number_word(row.series, row.number)}", name))
        )
        return Kin(title, labels.key_groups(key), formatting.money(row.total), key, True, False, key, said)
    parts = access_keys.parse(key)
    if parts is None:
        title = t("unreadable key")
    else:
        kind = labels.model_word(parts.model)
        title = f"{kind} {labels.number_word(parts.series, parts.number)}"
    return Kin(title, labels.key_groups(key), "", key, entry.archived, False, key, said)
