"""What the overview asks other pages to show."""

from __future__ import annotations

from typing import Any, NamedTuple


class DocumentsRequest(NamedTuple):
    """Documents of these types, states and direction (`in`, `out`), of the company and month in use.

    `day` is a day of issue, `YYYY-MM-DD`; `everywhere`: of every company and month instead.
    """

    types: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    direction: str | None = None
    day: str | None = None
    verdicts: tuple[str, ...] = ()
    everywhere: bool = False

    @property
    def filters(self) -> dict[str, Any]:
        """The same by the names of the list's filters."""
        return {
            "types": self.types,
            "states": self.states,
            "directions": (self.direction,) if self.direction else (),
            "day": self.day,
            "verdicts": self.verdicts,
        }


NOT_AUTHENTIC = DocumentsRequest(verdicts=("failed",), everywhere=True)
"""What failed a check of authenticity: it may be of any company and month."""
