"""Which documents name which, asked for by the ways of naming: each set of ways is put in order once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from confere.sales.reconciliation_input import DocumentReference, PaperEntry

Ways = frozenset[str]
"""Words of `confere.fiscal.references.RelationKind`."""


class References:
    """The relations of a ledger, from both sides."""

    def __init__(self, relations: Sequence[DocumentReference], papers: Mapping[str, PaperEntry]) -> None:
        self._relations = relations
        self._papers = papers
        self._targets: dict[Ways, dict[str, list[str]]] = {}
        self._sources: dict[Ways, dict[str, list[PaperEntry]]] = {}

    def targets(self, key: str, ways: Ways) -> Sequence[str]:
        """The keys that a document names in one of these ways, each once."""
        keys_named = self._targets.get(ways)
        if keys_named is None:
            keys_named = self._targets[ways] = self._named(ways)
        return keys_named.get(key, ())

    def sources(self, key: str, ways: Ways) -> Sequence[PaperEntry]:
        """The archive's documents that name this one in one of these ways, each once."""
        documents_naming = self._sources.get(ways)
        if documents_naming is None:
            documents_naming = self._sources[ways] = self._naming(ways)
        return documents_naming.get(key, ())

    def _named(self, ways: Ways) -> dict[str, list[str]]:
        keys_named: dict[str, list[str]] = defaultdict(list)
        for relation in self._relations:
            if relation.kind in ways:
                keys_named[relation.source].append(relation.target)
        return {source: _once(named) for source, named in keys_named.items()}

    def _naming(self, ways: Ways) -> dict[str, list[PaperEntry]]:
        documents_naming: dict[str, list[str]] = defaultdict(list)
        for relation in self._relations:
            if relation.kind in ways and relation.source in self._papers:
                documents_naming[relation.target].append(relation.source)
        return {target: [self._papers[key] for key in _once(naming)] for target, naming in documents_naming.items()}


def _once(keys: list[str]) -> list[str]:
    return list(dict.fromkeys(keys)) if len(keys) > 1 else keys
