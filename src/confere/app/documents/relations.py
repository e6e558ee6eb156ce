"""The use case "what belongs to this document": relations both ways with who claims them, and its chain."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import full_document
from confere.app.documents.chain import chain as chains
from confere.app.documents.chain.chain import Chain as Chain
from confere.app.documents.chain.chain import ChainStep as ChainStep
from confere.app.documents.chain.chain import EventMark as EventMark
from confere.app.documents.chain.chain import HubName as HubName
from confere.app.documents.chain.chain import RelationEdge as RelationEdge
from confere.app.documents.chain.chain import Role as Role
from confere.app.documents.document_orders import DocumentOrder as DocumentOrder
from confere.app.documents.document_orders import orders_of
from confere.archive.documents import details
from confere.archive.documents import relations as related
from confere.archive.documents.details import EventRow, RelationRow
from confere.archive.documents.documents import DocumentRow
from confere.archive.documents.recorder import UNSPECIFIED
from confere.archive.transaction import Transaction
from confere.errors import Message, NotInArchive, UsageFault, message
from confere.fiscal import access_keys

MOST_EDGES: Final = 2000
"""What a window lists of each way: a remessa can have more retornos than anybody reads."""

_MOST_ROWS = 500  # of a way's other ends are told in full
_BY_HUB = 2


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation as the document sees it: `key` is the other end.

    `claims`: 1 the XML says so, 2 the hub, 3 both. `row` is the other end's where it is `archived`, except far down
    a very long list.
    """

    kind: str
    key: str
    archived: bool
    claims: int
    row: DocumentRow | None = None


@dataclass(frozen=True, slots=True)
class Relations:
    """Everything that belongs to one document, which need not be in the archive itself.

    `out` is what it refers to, `incoming` what refers to it, and the totals count beyond what is listed. `events` are
    its own.
    """

    access_key: str
    out: tuple[Edge, ...] = ()
    incoming: tuple[Edge, ...] = ()
    chain: tuple[ChainStep, ...] = ()
    left_out: int = 0
    notes: tuple[Message, ...] = ()
    events: tuple[EventRow, ...] = ()
    orders: tuple[DocumentOrder, ...] = ()
    out_total: int = 0
    incoming_total: int = 0

    @property
    def step(self) -> ChainStep | None:
        """The document itself in its chain."""
        return next((step for step in self.chain if step.role is Role.SELF), None)


def relations(source: OpenArchive | Transaction, access_key: str, most: int | None = MOST_EDGES) -> Relations:
    """What belongs to the document with this key: at most `most` relations of each way, None for all."""
    if isinstance(source, Transaction):
        return _relations(source, access_key, most)
    with source.reading() as transaction:
        return _relations(transaction, access_key, most)


def named(workspace: Workspace, name: str) -> Relations:
    """All of what belongs to the paper called `name`: an access key, a SHA-256 or a row number.

    A key of which only others speak has relations too. `NotInArchive` where nothing is known of it, `UsageFault`
    where the paper has no key that others could name.
    """
    with workspace.reading() as archive, archive.reading() as transaction:
        return _relations(transaction, _key_of(transaction, name), None)


def _relations(transaction: Transaction, access_key: str, most: int | None) -> Relations:
    out, incoming = _joined(
        details.relations_from(transaction, access_key), details.relations_to(transaction, access_key)
    )
    shown = [way if most is None else way[:most] for way in (out, incoming)]
    ends = [edge.key for way in shown for edge in way[:_MOST_ROWS] if edge.archived]
    rows = related.rows_of(transaction, ends)
    chain = chains.of(transaction, access_key)
    return Relations(
        access_key=access_key,
        out=tuple(replace(edge, row=rows.get(edge.key)) for edge in shown[0]),
        incoming=tuple(replace(edge, row=rows.get(edge.key)) for edge in shown[1]),
        chain=chain.steps,
        left_out=chain.left_out,
        notes=chain.notes,
        events=tuple(entry for entry in details.events(transaction, [access_key]) if entry.is_current),
        orders=orders_of(transaction, access_key),
        out_total=len(out),
        incoming_total=len(incoming),
    )


def _joined(out: Sequence[RelationRow], incoming: Sequence[RelationRow]) -> tuple[list[Edge], list[Edge]]:
    """Both ways; a hub's bare "related" is one claim with what is known of the same two, whichever names which."""
    specific = {row.target_key for row in out if row.kind != UNSPECIFIED}
    specific |= {row.source_key for row in incoming if row.kind != UNSPECIFIED}
    vague = {row.target_key for row in out if row.kind == UNSPECIFIED}
    vague |= {row.source_key for row in incoming if row.kind == UNSPECIFIED}
    outgoing = [
        _edge(row, row.target_key, vague) for row in out if row.kind != UNSPECIFIED or row.target_key not in specific
    ]
    told = specific | {edge.key for edge in outgoing}
    return outgoing, [
        _edge(row, row.source_key, vague) for row in incoming if row.kind != UNSPECIFIED or row.source_key not in told
    ]


def _edge(row: RelationRow, key: str, vague: Collection[str]) -> Edge:
    return Edge(row.kind, key, row.archived, row.claims | (_BY_HUB if key in vague else 0))


def _key_of(transaction: Transaction, name: str) -> str:
    try:
        found = full_document.named(transaction, name).access_key
    except NotInArchive:
        key = access_keys.normalise(name)
        if not related.is_named(transaction, key):
            raise
        return key
    if found is None:
        raise UsageFault(
            message("{name} has no access key, so nothing can refer to it.", name=name),
            message("See what is known of it with `confere show`."),
        )
    return found
