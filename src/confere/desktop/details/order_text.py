"""An order of a document in words: what it is called, why it is linked, and all that is told of it."""

from __future__ import annotations

from typing import Final

from confere.app.documents.relations import DocumentOrder
from confere.app.labels.marketplace_labels import marketplace_word
from confere.app.labels.reconciliation_labels import kind_word, status_word
from confere.errors import N_, Message
from confere.sales.links import LinkKind
from confere.system import formatting
from confere.system.messages import render, t

# The evidence in a word or two, beside the line between the two; the tooltip says it in full.
_SHORT: Final = {
    LinkKind.ORDER_KEY: N_("access key"),
    LinkKind.DOCUMENT_ORDER: N_("hub's record"),
    LinkKind.INVOICE_NUMBER: N_("invoice number"),
    LinkKind.QUOTED: N_("quoted"),
    LinkKind.REFERENCE: N_("reference"),
    LinkKind.SCORED: N_("likeness"),
}


def name_of(order: DocumentOrder) -> str:
    return t("Order {number}", number=order.order_id)


def tie_of(order: DocumentOrder) -> str:
    """What holds the two together, in a few words."""
    if order.unlinked:
        return t("unlinked")
    if order.link is None:
        return t("named by the hub")
    if order.manual:
        return t("by a person")
    said = _SHORT.get(order.link.kind)
    words = [render(Message(said))] if said else []
    return " · ".join([*words, t("confirmed")] if order.confirmed else words)


def is_certain(order: DocumentOrder) -> bool:
    """Whether a person said that they belong together."""
    return order.manual or order.confirmed


def told_of(order: DocumentOrder) -> tuple[str, ...]:
    """Everything, line by line: where it was sold, how it stands, and why it belongs to the document."""
    at = t("at the marketplace: {number}", number=order.number) if order.number else ""
    sold = " · ".join(filter(None, (marketplace_word(order.marketplace), at)))
    return tuple(filter(None, (name_of(order), sold, _standing(order), *reasons_of(order))))


def _standing(order: DocumentOrder) -> str:
    """When it was created, what it came to and its status."""
    row = order.row
    if row is None:
        return t("not in the archive")
    worth = formatting.money(row.total) if row.total is not None else ""
    return " · ".join(filter(None, (formatting.date(row.created_on or None), worth, status_word(row.status))))


def reasons_of(order: DocumentOrder) -> list[str]:
    """Why it belongs to the document, the evidence in sentences."""
    if order.unlinked:
        return [t("The hub names it; a person said that they do not belong together.")]
    link = order.link
    if link is None:
        return [t("The hub names it on the document; no reconciliation has linked them.")]
    if order.manual:
        why = kind_word(link.kind)
    else:
        why = t("{why} ({confidence}%)", why=kind_word(link.kind), confidence=link.confidence)
    said = t("Linked: {why}", why=why)
    confirmed = [t("Confirmed by a person")] if order.confirmed else []
    return [said, *confirmed, *map(render, link.evidence)]
