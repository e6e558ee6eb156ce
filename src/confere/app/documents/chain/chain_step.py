"""A document of a chain, as it is shown: its place, its references to other steps, and its events."""

from __future__ import annotations

from dataclasses import dataclass

from confere.app.documents.chain.chain_walk import Role
from confere.archive.documents.documents import DocumentRow
from confere.archive.documents.relations import EventMark, HubName, RelationEdge
from confere.errors import Message


@dataclass(frozen=True, slots=True)
class ChainStep:
    """A document of the chain.

    `links` are its references to other steps. `refers_elsewhere` and `referred_elsewhere` count those from and to
    documents that are no steps of this chain, such as the other retornos of the same remessa. `stage` is its place
    from the beginning of the chain, 0 first; a carrier has that of what it carries. `row` is None where the document
    is not in the archive; `hub` is what a hub calls such a one.
    """

    access_key: str
    role: Role
    stage: int
    row: DocumentRow | None
    operation: str | None
    evidence: Message | None
    links: tuple[RelationEdge, ...] = ()
    events: tuple[EventMark, ...] = ()
    refers_elsewhere: int = 0
    referred_elsewhere: int = 0
    hub: HubName | None = None

    @property
    def archived(self) -> bool:
        return self.row is not None

    @property
    def refers_to(self) -> tuple[str, ...]:
        """The keys of the steps it refers to, each once."""
        return tuple(dict.fromkeys(link.target_key for link in self.links))
