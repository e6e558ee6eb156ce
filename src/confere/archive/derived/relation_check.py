"""Holding the relations that XML claims against the documents and events that claim them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from confere.archive.derived.difference import WHOLE_ROW, ValueDifference
from confere.archive.derived.due_rows import keys_of
from confere.archive.documents.recorder import CLAIMED_BY_XML, Claim, claims_in
from confere.archive.documents.reindex import Read, claimed_elsewhere
from confere.archive.transaction import Transaction
from confere.fiscal.model import Paper

_FROM: Final = (
    f"SELECT source_key, target_key, kind FROM relation WHERE claims & {CLAIMED_BY_XML} AND source_key IN {{}}"
)
# Of an event's relations the other document is the source: where it is here itself, it is looked at with it.
_TO: Final = (
    f"SELECT source_key, target_key, kind FROM relation WHERE claims & {CLAIMED_BY_XML} AND target_key IN {{}}"
    " AND NOT EXISTS (SELECT 1 FROM document d WHERE d.access_key = source_key)"
)


def differences(
    transaction: Transaction, papers: Mapping[int, Paper], read: Read
) -> dict[int, tuple[ValueDifference, ...]]:
    """Relations that these papers claim and that are missing, and those of their keys that no paper claims.

    By content. `read` gives the papers of further contents, which may claim what these do not.
    """
    claimed: dict[Claim, int] = {}
    contents: dict[str, int] = {}
    claims: dict[int, set[Claim]] = {}
    for content_id, paper in papers.items():
        claims[content_id] = set(claims_in(paper))
        claimed |= dict.fromkeys(claims[content_id], content_id)
        contents |= dict.fromkeys(keys_of(paper), content_id)
    sources = {source for source, _, _ in claimed} | contents.keys()
    events = {happened.access_key for paper in papers.values() for happened in paper.events if happened.access_key}
    stored: set[Claim] = {(row.source_key, row.target_key, row.kind) for row in transaction.named_in(_FROM, sources)}
    stored |= {(row.source_key, row.target_key, row.kind) for row in transaction.named_in(_TO, events)}
    differing: dict[int, list[ValueDifference]] = defaultdict(list)
    for claim in claimed.keys() - stored:
        if claim[0] != claim[1]:
            differing[claimed[claim]].append(ValueDifference("relation", claim[0], WHOLE_ROW))
    for claim in stored - claimed.keys():
        source, target, _ = claim
        speaking = contents.get(source) or contents.get(target)
        if speaking is not None and claim not in claimed_elsewhere(transaction, claim, claims, read):
            differing[speaking].append(ValueDifference("relation", source, WHOLE_ROW))
    return {content_id: tuple(found) for content_id, found in differing.items()}
