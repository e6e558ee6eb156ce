"""Laying the product's values beside those of a generated binding, tag by tag."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import product

from tests.corpus.bindings import Leaves
from tests.corpus.manifest import Compared
from tests.corpus.unfold import Value

NOT_READ = "not read"
BOOKKEEPING = frozenset({"@versao", "infProt/@Id", "infProt/@versao", "infProt/verAplic", "infProt/tpAmb"})
"""What no field is meant for: the version once more, and the authority's own notes on its answer."""
SUM = " + "
INDEX = re.compile(r"\[[0-9]+\]")
FRACTION = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+")


@dataclass(frozen=True, slots=True)
class Beside:
    """The values of one element in both readings; `alone` are the product's fields that the binding has not."""

    compared: tuple[Compared, ...]
    alone: tuple[str, ...]


def laid_beside(values: Iterable[Value], bound: Leaves) -> Beside:
    """Every value of the product beside the binding's, and every one that only one of both has.

    The field of a comparison is `tag path = name of the product's field`; values under one path are compared
    together, in the order of the paper. What the product alone has is nobody's disagreement: a binding drops what
    its schema does not know.
    """
    ends = endings(bound)
    ours: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    alone: list[str] = []
    compared: list[Compared] = []
    for value in values:
        if SUM in value.path:
            compared += summed(value, bound)
            continue
        places = resolved(value.path, bound, ends)
        if places:
            ours.setdefault((value.name, places), []).append(value.text)
        else:
            alone.append(f"{INDEX.sub('', value.path)} = {value.name}")
    read: set[str] = set()
    for (name, places), texts in ours.items():
        place = best(places, texts, bound)
        read.update(place)
        theirs = [text for path in place for text in bound[path]]
        compared += each(f"{INDEX.sub('', place[0])} = {name}", theirs, texts)
    for path, theirs in bound.items():
        if path not in read and path not in BOOKKEEPING:
            compared += [Compared(f"{INDEX.sub('', path)} = {NOT_READ}", text, "") for text in theirs]
    return Beside(tuple(compared), tuple(alone))


def summed(value: Value, bound: Leaves) -> Iterator[Compared]:
    """A value that the product adds up from several tags."""
    terms = [Decimal(text) for path in value.path.split(SUM) for text in bound.get(path, ())]
    field = f"{INDEX.sub('', value.path)} = {value.name}"
    yield Compared(field, normal(str(sum(terms))) if terms else "", normal(value.text))


def each(field: str, theirs: list[str], ours: list[str]) -> Iterator[Compared]:
    """Value by value; where their numbers differ, all of them at once."""
    if len(theirs) != len(ours):
        yield Compared(field, " | ".join(theirs), " | ".join(ours))
        return
    for their, our in zip(theirs, ours, strict=True):
        yield Compared(field, normal(their), normal(our))


def normal(text: str) -> str:
    """A number without the zeros that change nothing: `1.50` and `1.5000` are one; any other text as it stands."""
    return text.rstrip("0").rstrip(".") if FRACTION.fullmatch(text) else text


def endings(bound: Leaves) -> dict[str, list[str]]:
    """The paths by their last tag."""
    found: dict[str, list[str]] = {}
    for path in bound:
        found.setdefault(path.rpartition("/")[2], []).append(path)
    return found


def resolved(pattern: str, bound: Leaves, ends: dict[str, list[str]]) -> tuple[str, ...]:
    """The paths of the binding that `pattern` (see `Value`) names."""
    if pattern in bound:
        return (pattern,)
    steps = [step.split("|") for step in pattern.removeprefix("*/").split("/")]
    spelled = ["/".join(filter(None, choice)) for choice in product(*steps)]
    if not pattern.startswith("*/"):
        return tuple(path for path in spelled if path in bound)
    return tuple(
        path
        for tail in spelled
        for path in ends.get(tail.rpartition("/")[2], ())
        if f"/{INDEX.sub('', path)}".endswith(f"/{tail}")
    )


def best(places: tuple[str, ...], texts: list[str], bound: Leaves) -> tuple[str, ...]:
    """Of several places that a tag may stand in, the one that has these texts; else all of them."""
    for path in places:
        if [normal(text) for text in bound[path]] == [normal(text) for text in texts]:
            return (path,)
    return places
