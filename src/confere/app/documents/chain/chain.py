"""The chain of a document as one structure: from the remessa to the return, with the CT-e that carry its steps."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from confere.app.documents.chain import chain_text
from confere.app.documents.chain.chain_step import ChainStep as ChainStep
from confere.app.documents.chain.chain_walk import Role as Role
from confere.app.documents.chain.chain_walk import is_freight, stages_of, walk
from confere.archive.documents import relations
from confere.archive.documents.relations import EventMark as EventMark
from confere.archive.documents.relations import HubName as HubName
from confere.archive.documents.relations import RelationEdge as RelationEdge
from confere.archive.transaction import Transaction
from confere.errors import Message
from confere.fiscal.references import RelationKind


@dataclass(frozen=True, slots=True)
class Chain:
    """Steps by stage, then as they were issued; a carrier stands after what it carries.

    `left_out`: documents next to these that were found and are not among the steps. `notes`: what the chain as a
    whole tells.
    """

    steps: tuple[ChainStep, ...]
    left_out: int = 0
    notes: tuple[Message, ...] = ()


def of(transaction: Transaction, access_key: str) -> Chain:
    """The chain of the document with this key, be it here or not.

    Up from it along what it refers to, down along what refers to it; not down again from what lies above: a remessa
    has thousands of retornos. A handful of statements a level, whatever its width.
    """
    found = walk(transaction, access_key)
    roles = found.roles
    stages = stages_of(found, with_carried=is_freight(access_key))
    rows = relations.rows_of(transaction, roles)
    marks = relations.marks_of(transaction, roles)
    absent = relations.hub_names(transaction, roles.keys() - rows.keys())
    told = chain_text.classified(roles, rows, absent, found.links)
    refers, referred = relations.count_from(transaction, roles), relations.count_to(transaction, roles)
    inner = sorted(
        (link for link in found.links if link.source_key in roles and link.target_key in roles),
        key=lambda link: (link.target_key, link.kind),
    )
    outgoing: dict[str, list[RelationEdge]] = defaultdict(list)
    sources: dict[str, set[str]] = defaultdict(set)
    for link in inner:
        outgoing[link.source_key].append(link)
        sources[link.target_key].add(link.source_key)
    steps = [
        ChainStep(
            access_key=key,
            role=role,
            stage=stages[key],
            row=rows.get(key),
            operation=told[key].operation.value if key in told else None,
            evidence=told[key].evidence if key in told else None,
            links=tuple(link for link in outgoing[key] if link.kind != RelationKind.RELATED.value),
            events=marks.get(key, ()),
            refers_elsewhere=refers.get(key, 0) - len({link.target_key for link in outgoing[key]}),
            referred_elsewhere=referred.get(key, 0) - len(sources[key]),
            hub=absent.get(key),
        )
        for key, role in roles.items()
    ]
    ordered = tuple(sorted(steps, key=_place))
    return Chain(ordered, found.left_out, chain_text.notes(transaction, ordered, found.followed))


def _place(step: ChainStep) -> tuple[object, ...]:
    issued = step.row.issued_at if step.row is not None else None
    return (step.stage, step.role is Role.CARRIER, issued or "", step.access_key)
