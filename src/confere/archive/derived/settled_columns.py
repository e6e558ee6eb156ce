"""What the columns of documents and events are to hold that other papers, hubs and verdicts decide."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from confere.archive.authenticity import verdicts
from confere.archive.documents import recompute
from confere.archive.hub import hub_columns
from confere.archive.hub.hub_columns import HUB_COLUMNS, SettledHubWord
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Transaction
from confere.fiscal.model import DocumentType


@dataclass(frozen=True, slots=True)
class SettledColumns:
    """Of stored documents and events, by their numbers; `verdicts` by content, kind and place among its kind."""

    current: set[int]
    current_events: set[int]
    states: dict[int, tuple[str, int]]
    words: dict[int, SettledHubWord]
    verdicts: dict[tuple[int, int, int], int]

    def document(self, due: NamedRow, stored: NamedRow, place: int) -> NamedRow:
        """The row that is due of the paper, with what is settled; `place`: which of its kind it is in its content."""
        kind = verdicts.VOIDING if due.type == DocumentType.VOIDING else verdicts.DOCUMENT
        state, ground = self.states.get(stored.id, (due.state, due.state_ground))
        settled: dict[str, Any] = {
            "id": stored.id,
            "is_current": int(stored.access_key is None or stored.id in self.current),
            "state": state,
            "state_ground": ground,
            "verdict": self.verdicts.get((due.content_id, kind, place)),
            "emitter_id": stored.emitter_id,  # by the taxpayers themselves, elsewhere
            "recipient_id": stored.recipient_id,
            "taker_id": stored.taker_id,
        }
        word = self.words.get(stored.id)
        if word is not None:
            settled.update(zip(HUB_COLUMNS, word.columns, strict=True))
            settled["operation"] = word.operation or due.operation
        return due._replace(**settled)

    def event(self, due: NamedRow, stored: NamedRow) -> NamedRow:
        """The row that is due of an event, with what is settled."""
        is_current = stored.access_key is None or stored.id in self.current_events
        return due._replace(id=stored.id, is_current=int(is_current))


def of(transaction: Transaction, keys: Collection[str], content_ids: Collection[int]) -> SettledColumns:
    """What is settled of these keys, and of the documents without a key in these contents."""
    words = (*hub_columns.of_keys(transaction, keys), *hub_columns.of_contents(transaction, content_ids))
    return SettledColumns(
        {row.id for row in recompute.settled_versions(transaction, keys).best.values()},
        {row.id for row, is_best in recompute.settled_events(transaction, keys) if is_best},
        {row.id: row.settled for row in recompute.settled_states(transaction, keys, again=True)},
        {word.row.id: word for word in words},
        verdicts.results(transaction, content_ids),
    )
