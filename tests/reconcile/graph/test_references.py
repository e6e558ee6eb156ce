"""Which documents name which: each once, by the ways that are asked for, from both sides."""

from __future__ import annotations

from confere.reconcile.graph.references import References
from confere.sales.reconciliation_input import DocumentReference
from tests.reconcile.made import note

REFERS = frozenset({"references", "item_references"})
CARRIES = frozenset({"carries"})


def test_each_is_named_once_and_by_these_ways_alone() -> None:
    sale, back = note(1), note(2)
    key, other = sale.key or "", back.key or ""
    found = References(
        (
            DocumentReference(other, key, "references"),
            DocumentReference(other, key, "item_references"),
            DocumentReference(other, "absent", "references"),
            DocumentReference("stranger", key, "references"),
            DocumentReference(other, key, "carries"),
        ),
        {key: sale, other: back},
    )
    assert list(found.targets(other, REFERS)) == [key, "absent"]
    assert list(found.targets(other, CARRIES)) == [key]
    assert list(found.sources(key, REFERS)) == [back]  # the stranger is not in the archive
    assert list(found.sources("absent", REFERS)) == [back]
    assert list(found.targets(key, REFERS)) == list(found.sources(other, REFERS)) == []
