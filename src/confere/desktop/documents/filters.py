"""What the chips above the list have chosen, as a value, and each chip as data."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from confere.app.documents.browse import DocumentQuery
from confere.app.labels import labels
from confere.app.labels.marketplace_labels import marketplace_word
from confere.errors import N_, Message
from confere.system.messages import render

if TYPE_CHECKING:
    from confere.app.documents.browse import Choice, Choices


@dataclass(frozen=True, slots=True)
class DocumentFilters:
    """Codes as the archive has them. `with_warnings` is `yes` or `no`; `day` a day of issue, `YYYY-MM-DD`."""

    types: tuple[str, ...] = ()
    directions: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    marketplaces: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    ufs: tuple[str, ...] = ()
    with_warnings: tuple[str, ...] = ()
    with_findings: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()
    grounds: tuple[str, ...] = ()
    day: str | None = None

    @property
    def is_any(self) -> bool:
        """Whether anything is chosen."""
        return self != DocumentFilters()

    def chosen(self, key: str) -> tuple[str, ...]:
        """The values of the chip `key`."""
        found: tuple[str, ...] = getattr(self, key)
        return found

    def with_chosen(self, key: str, values: Iterable[str]) -> DocumentFilters:
        """The same with other values of the chip `key`."""
        if key not in _KEYS:
            raise KeyError(key)
        return replace(self, **{key: tuple(values)})  # type: ignore[arg-type]

    def within(self, base: DocumentQuery) -> DocumentQuery:
        """`base` narrowed to what is chosen."""
        query = replace(
            base,
            types=self.types,
            direction=_only(self.directions),
            states=self.states,
            marketplaces=self.marketplaces,
            operations=self.operations,
            uf=_only(self.ufs),
            verdict=self.verdicts,
            grounds=self.grounds,
            with_warnings=_whether(self.with_warnings),
            with_findings=_whether(self.with_findings),
        )
        if self.day is None:
            return query
        first, last = base.from_day or self.day, base.to_day or self.day
        return replace(query, from_day=max(self.day, first), to_day=min(self.day, last))


_KEYS: Final = frozenset(entry.name for entry in fields(DocumentFilters)) - {"day"}


class Chip(NamedTuple):
    """`key` is the field of `DocumentFilters`; `offered` are its values with counts; `several` may be chosen at once.

    `mark` is the drawing that stands for its title, as at the head of its column.
    """

    key: str
    title: str
    word: Callable[[str], str]
    offered: Callable[[Choices], tuple[Choice, ...]]
    several: bool = True
    mark: str = ""


def _itself(code: str) -> str:
    return code


_FIXED: Final = {
    "directions": ("in", "out"),
    "with_warnings": ("yes", "no"),
    "with_findings": ("yes", "no"),
}
_WARNING_WORDS: Final = {"yes": N_("with warnings"), "no": N_("without warnings")}
_FINDING_WORDS: Final = {"yes": N_("with open findings"), "no": N_("without open findings")}


def _warning_word(code: str) -> str:
    return render(Message(_WARNING_WORDS[code]))


def _finding_word(code: str) -> str:
    return render(Message(_FINDING_WORDS[code]))


def fixed(key: str) -> tuple[str, ...]:
    """The values of a chip that are the same in every archive; empty where the archive says which there are."""
    return _FIXED.get(key, ())


CHIPS: Final = (
    Chip("types", N_("Type"), labels.type_word, lambda found: found.types),
    Chip("directions", N_("In/out"), labels.direction_word, lambda _: (), several=False),
    Chip("states", N_("State"), labels.state_word, lambda found: found.states),
    Chip("marketplaces", N_("Marketplace"), marketplace_word, lambda found: found.marketplaces),
    Chip("operations", N_("Operation"), labels.operation_word, lambda found: found.operations),
    Chip("ufs", "UF", _itself, lambda found: found.ufs, several=False),
    Chip("verdicts", N_("Authenticity"), labels.verdict_word, lambda found: found.verdicts, mark="authentic"),
    Chip("grounds", N_("State stands on"), labels.ground_word, lambda found: found.grounds, mark="ground"),
    Chip("with_warnings", N_("Warnings"), _warning_word, lambda _: (), several=False, mark="warning"),
    Chip("with_findings", N_("Findings"), _finding_word, lambda _: (), several=False, mark="reconcile"),
)


def _only(values: tuple[str, ...]) -> str | None:
    return values[0] if values else None


def _whether(values: tuple[str, ...]) -> bool | None:
    return values[0] == "yes" if values else None
