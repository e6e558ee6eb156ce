"""What became of a sync of a catalog, in figures, and the products that could not be kept."""

from __future__ import annotations

from dataclasses import dataclass, field

from confere.errors import Message
from confere.intake.listing.listing_figures import ListingFigures

_MOST_NAMED = 1000


@dataclass(frozen=True, slots=True)
class FailedProduct:
    """What was listed and could not be kept, and why."""

    name: str
    reason: Message


@dataclass(slots=True)
class CatalogResult(ListingFigures):
    """Figures of one sync of a catalog: `listed` = `archived` + `refused` + `lost`, which must be nothing.

    What was refused has its reason among the `failures`.

    `gone` counts products that a listing of everything no longer showed, `whole` says whether everything was listed,
    `short` counts lists that the hub gives short of what it has. `names` are registered names by their kind.
    """

    changed: int = 0
    archived: int = 0
    refused: int = 0
    gone: int = 0
    short: int = 0
    whole: bool = False
    names: dict[str, int] = field(default_factory=dict)
    failures: list[FailedProduct] = field(default_factory=list)

    @property
    def lost(self) -> int:
        """How many listed products are neither archived nor refused."""
        return self.listed - self.archived - self.refused

    def counts(self) -> dict[str, int | float | str | bool]:
        """The figures alone, as runs and scripts want them."""
        names = (
            *("listed", "archived", "refused", "new", "changed", "gone", "short", "lost"),
            *("whole", "requests", "date_filter"),
        )
        figures: dict[str, int | float | str | bool] = {name: getattr(self, name) for name in names}
        return {**figures, "seconds": round(self.seconds, 3)}

    def fail(self, name: str, reason: Message) -> None:
        """Name what could not be kept."""
        self.failed += 1
        if len(self.failures) < _MOST_NAMED:
            self.failures.append(FailedProduct(name, reason))
