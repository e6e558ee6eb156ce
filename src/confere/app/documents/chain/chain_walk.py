"""The walk along a document's chain: who belongs to it in which role, by which links, and at which stage of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from confere.archive.documents import relations
from confere.archive.documents.relations import RelationEdge
from confere.archive.transaction import Transaction
from confere.fiscal import access_keys
from confere.fiscal.references import RelationKind

MOST_STEPS: Final = 500
"""A chain has no more steps than this; what it leaves out is counted."""

_DEEPEST = 40  # levels up, and down: the longest chain of the trade has five
_MOST_LINKS = 20_000  # read of one level
_CARRIES = frozenset({RelationKind.CARRIES.value})
_TIES = frozenset(
    {
        RelationKind.REFERENCES.value,
        RelationKind.ITEM_REFERENCES.value,
        RelationKind.PREPAYMENT.value,
        RelationKind.EARLIER.value,
        RelationKind.COMPLEMENTS.value,
        RelationKind.REPLACES.value,
        RelationKind.ANNULS.value,
        RelationKind.CONTINUES.value,
    }
)
"""What leads from one step to the next. A hub's bare "related" has no direction: it is shown, and not walked."""
_FREIGHT_TIES = frozenset({RelationKind.COMPLEMENTS.value, RelationKind.REPLACES.value, RelationKind.ANNULS.value})
_ALL = frozenset(kind.value for kind in RelationKind)
_FREIGHT_MODELS: Final = frozenset({"57", "67"})


class Role(StrEnum):
    """How a step stands to the document whose chain it is."""

    SELF = "self"
    BEFORE = "before"  # what it refers to, and so on
    AFTER = "after"  # what refers to it, and so on
    BESIDE = "beside"  # a CT-e that changes the same one as the document, a CT-e itself
    CARRIER = "carrier"  # a CT-e that carries a step, and what changes that CT-e
    CARRIED = "carried"  # a note that the CT-e, or the one it changes, carries


@dataclass
class Walk:
    """What was found so far: roles by key in the order of finding, links, and whose followers are known."""

    transaction: Transaction
    roles: dict[str, Role] = field(default_factory=dict)
    links: set[RelationEdge] = field(default_factory=set)
    followed: set[str] = field(default_factory=set)
    passed_over: set[str] = field(default_factory=set)
    uncounted: int = 0

    @property
    def left_out(self) -> int:
        return len(self.passed_over - self.roles.keys()) + self.uncounted

    def take(self, found: Iterable[str], role: Role) -> list[str]:
        """Let these in as far as there is room; those that are new."""
        new = []
        for key in found:
            if key in self.roles:
                continue
            if len(self.roles) < MOST_STEPS:
                self.roles[key] = role
                new.append(key)
            else:
                self.passed_over.add(key)
        return new

    def up(self, start: Collection[str], kinds: Collection[str], role: Role) -> None:
        """Walk along what these refer to."""
        level: Collection[str] = start
        for _ in range(_DEEPEST):
            if not level:
                return
            links = relations.links_from(self.transaction, level, kinds, _MOST_LINKS)
            self.links |= set(links)
            level = self.take((link.target_key for link in links), role)
        self._pass_over(relations.links_from(self.transaction, level, kinds, _MOST_LINKS))

    def down(self, start: Collection[str], kinds: Collection[str], role: Role) -> None:
        """Walk along what refers to these."""
        level: Collection[str] = start
        for _ in range(_DEEPEST):
            if not level:
                return
            links = relations.links_to(self.transaction, level, kinds, _MOST_LINKS)
            if len(links) == _MOST_LINKS:
                every = sum(relations.count_to(self.transaction, level).values())
                self.uncounted += max(0, every - len({link.source_key for link in links}))
            else:
                self.followed |= set(level)
            self.links |= set(links)
            level = self.take((link.source_key for link in links), role)
        self._pass_over(relations.links_to(self.transaction, level, kinds, _MOST_LINKS))

    def _pass_over(self, links: Iterable[RelationEdge]) -> None:
        """Count what lies behind the deepest level."""
        self.passed_over |= {key for link in links for key in (link.source_key, link.target_key)}


def walk(transaction: Transaction, access_key: str) -> Walk:
    """Walk from the document with this key, be it here or not."""
    found = Walk(transaction, {access_key: Role.SELF})
    found.up([access_key], _TIES, Role.BEFORE)
    found.down([access_key], _TIES, Role.AFTER)
    if is_freight(access_key):
        above = [key for key, role in found.roles.items() if role is Role.BEFORE]
        found.down(above, _FREIGHT_TIES, Role.BESIDE)
        _take_carried(found)
    else:
        _take_carriers(found)
    _tie(found)
    return found


def is_freight(access_key: str) -> bool:
    """Whether a key is that of a CT-e."""
    parts = access_keys.parse(access_key)
    return parts is not None and parts.model in _FREIGHT_MODELS


def _take_carriers(walk: Walk) -> None:
    """The CT-e of every step, and what complements, replaces or annuls these."""
    links = relations.links_to(walk.transaction, walk.roles, _CARRIES, _MOST_LINKS)
    carriers = walk.take((link.source_key for link in links), Role.CARRIER)
    walk.links |= set(links)
    walk.up(carriers, _FREIGHT_TIES, Role.CARRIER)
    walk.down(carriers, _FREIGHT_TIES, Role.CARRIER)


def _take_carried(walk: Walk) -> None:
    """The notes that a CT-e and those it changes carry."""
    links = relations.links_from(walk.transaction, walk.roles, _CARRIES, _MOST_LINKS)
    walk.take((link.target_key for link in links), Role.CARRIED)
    walk.links |= set(links)


def _tie(walk: Walk) -> None:
    """The links among the steps that the walk did not come by, as from a return to a step above the sale."""
    walk.links |= set(relations.links_from(walk.transaction, walk.roles, _ALL - _CARRIES, _MOST_LINKS))


def stages_of(walk: Walk, *, with_carried: bool) -> dict[str, int]:
    """The longest way from a beginning to each step; a circle is cut where it was entered."""
    upwards: dict[str, set[str]] = {key: set() for key in walk.roles}
    downwards: dict[str, set[str]] = {key: set() for key in walk.roles}
    carried_by: dict[str, set[str]] = {}
    for link in walk.links:
        source, target = link.source_key, link.target_key
        if (
            source not in upwards
            or target not in upwards
            or source == target
            or link.kind == RelationKind.RELATED.value
        ):
            continue
        carrier = walk.roles[source] is Role.CARRIER or walk.roles[target] is Role.CARRIER
        if carrier:
            carried_by.setdefault(source, set()).add(target)
            carried_by.setdefault(target, set()).add(source)
        elif link.kind != RelationKind.CARRIES.value or with_carried:
            upwards[source].add(target)
            downwards[target].add(source)
    stages: dict[str, int] = {}
    waiting = {key: len(upwards[key]) for key, role in walk.roles.items() if role is not Role.CARRIER}
    ready = [key for key, count in waiting.items() if not count]
    entries = iter(_from_the_far_end(walk.roles))
    while len(stages) < len(waiting):
        if not ready:
            ready = [next(key for key in entries if key not in stages)]
        key = ready.pop()
        if key in stages:
            continue
        stages[key] = max((stages[above] + 1 for above in upwards[key] if above in stages), default=0)
        for below in downwards[key]:
            waiting[below] -= 1
            if not waiting[below] and below not in stages:
                ready.append(below)
    _stage_carriers(walk.roles, carried_by, stages)
    return stages


def _from_the_far_end(roles: dict[str, Role]) -> list[str]:
    """Where to enter a circle: what lies above first, the farthest of it before the nearer."""
    order = (Role.BEFORE, Role.SELF, Role.AFTER, Role.BESIDE, Role.CARRIED)
    return [key for role in order for key in reversed(roles) if roles[key] is role]


def _stage_carriers(roles: Mapping[str, Role], beside: Mapping[str, Collection[str]], stages: dict[str, int]) -> None:
    """Add the carriers to `stages`: each stands with the last it carries; one that changes a carrier, with that one."""
    left = [key for key, role in roles.items() if role is Role.CARRIER]
    while left:
        placed = {
            key: max(found)
            for key in left
            if (found := [stages[near] for near in beside.get(key, ()) if near in stages])
        }
        if not placed:  # its only tie is to what was left out
            placed = dict.fromkeys(left, 0)
        stages |= placed
        left = [key for key in left if key not in placed]
