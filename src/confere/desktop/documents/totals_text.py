"""The line about what is listed and selected, for the status bar."""

from __future__ import annotations

from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery, DocumentTotals
from confere.desktop.widgets.long_list.totals_reader import Summing, SumSource
from confere.system import formatting
from confere.system.messages import ngettext, t


def documents_text(count: int) -> str:
    return ngettext("{count} document", "{count} documents", count)


def listed_text(totals: DocumentTotals) -> str:
    """1.284 documents · R$ 412.933,10 · 12 without effect; of nothing but those, what they name."""
    if totals.void_count and totals.void_count == totals.count:
        without = t("{count} without effect", count=formatting.count(totals.void_count))
        return f"{without} · {formatting.money(totals.void_worth)}"
    parts = [documents_text(totals.count), formatting.money(totals.worth)]
    if totals.void_count:
        parts.append(t("{count} without effect", count=formatting.count(totals.void_count)))
    return " · ".join(parts)


def selection_text(totals: DocumentTotals) -> str:
    """R$ 1.204,00 · without effect: 1, R$ 20,00; what is selected amounts to, beside its count."""
    parts = [formatting.money(totals.worth)]
    if totals.void_count:
        parts.append(
            t(
                "without effect: {count}, {worth}",
                count=formatting.count(totals.void_count),
                worth=formatting.money(totals.void_worth),
            )
        )
    return " · ".join(parts)


def explained(totals: DocumentTotals) -> str:
    """What the sum leaves out, in a sentence; empty where it leaves out nothing."""
    if not totals.void_count:
        return ""
    worth = formatting.money(totals.void_worth)
    return ngettext(
        "The sum leaves out {count} document without effect (cancelled, denied…), which names {worth}.",
        "The sum leaves out {count} documents without effect (cancelled, denied…), which name {worth}.",
        totals.void_count,
        worth=worth,
    )


SUMS: SumSource[DocumentQuery, DocumentTotals] = SumSource(
    browse.totals, browse.totals_of, DocumentTotals(0, 0, 0, 0), listed_text, explained
)
DocumentSums = Summing[DocumentQuery, DocumentTotals]
