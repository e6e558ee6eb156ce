"""The line about what is listed and selected, for the status bar."""

from __future__ import annotations

from confere.app.documents.browse import DocumentTotals
from confere.system import formatting
from confere.system.messages import t


def documents_text(count: int) -> str:
    return t("1 document") if count == 1 else t("{count} documents", count=formatting.count(count))


def listed_text(totals: DocumentTotals) -> str:
    """1.284 documents · R$ 412.933,10 · 12 without effect; of nothing but those, what they name."""
    if totals.void_count and totals.void_count == totals.count:
        without = t("{count} without effect", count=formatting.count(totals.void_count))
        return f"{without} · {formatting.money(totals.void_worth)}"
    parts = [documents_text(totals.count), formatting.money(totals.worth)]
    if totals.void_count:
        parts.append(t("{count} without effect", count=formatting.count(totals.void_count)))
    return " · ".join(parts)


def selected_text(count: int, worth: int | None = None) -> str:
    """3 selected R$ 1.204,00"""
    text = t("{count} selected", count=formatting.count(count))
    return text if worth is None else f"{text} {formatting.money(worth)}"


def explained(totals: DocumentTotals) -> str:
    """What the sum leaves out, in a sentence; empty where it leaves out nothing."""
    if not totals.void_count:
        return ""
    return t(
        "The sum leaves out {count} documents without effect (cancelled, denied…), which name {worth}.",
        count=formatting.count(totals.void_count),
        worth=formatting.money(totals.void_worth),
    )
