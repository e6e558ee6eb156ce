"""What a paper says that no field of its detail holds: kept as written, under the name of the group it stands in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from lxml.etree import _Element

from confere.fiscal.detail import Fields
from confere.fiscal.document_parts import Warning
from confere.fiscal.reading import amounts
from confere.fiscal.reading.elements import LOCAL
from confere.fiscal.reading.xml_leaves import leaves


@dataclass(slots=True)
class Rest:
    """Gathers what is left over while a detail is read; `odd` are numbers that a field holds rounded or not at all.

    They are no warnings of the document: those are of what its rows hold, however it was read.
    """

    sections: list[tuple[str, Fields]] = field(default_factory=list)
    odd: list[Warning] = field(default_factory=list)

    def keep(self, name: str, left: Fields) -> None:
        if left:
            self.sections.append((name, left))

    def keep_group(self, group: _Element) -> None:
        self.keep(LOCAL[group.tag], leaves(group))

    def cents(self, get: Mapping[str, str], tag: str) -> int | None:
        return amounts.cents(get.get(tag), tag, self.odd)

    def quantity(self, get: Mapping[str, str], tag: str) -> Decimal | None:
        return amounts.quantity(get.get(tag), tag, self.odd)

    def take_odd(self) -> Fields:
        """The odd numbers so far, as written; whoever asks keeps them."""
        told = as_written(self.odd)
        self.odd.clear()
        return told


def left_of(
    group: _Element, held: Mapping[str, str | None], tags: Collection[str], skip: Collection[str] = ()
) -> Fields:
    """The leaves of `group` but those whose path is among `tags` and whose text `held` has under it."""
    return tuple((path, text) for path, text in leaves(group, skip=skip) if path not in tags or held.get(path) != text)


def under(name: str, fields: Fields) -> Fields:
    """`fields` of the group `name`, seen from the group around it."""
    return tuple((f"{name}/{path}", text) for path, text in fields)


def as_written(odd: Iterable[Warning]) -> Fields:
    """Field and text of the numbers that these warnings tell of."""
    return tuple((tag, text) for tag, _, text in (warning.detail.partition("=") for warning in odd))
