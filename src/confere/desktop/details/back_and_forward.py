"""The documents that were shown, in order, to walk back and forward as a browser does."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from confere.app.documents.view.facts import Place

_LONGEST = 200


class VisitedDocuments:
    """Where one was, and where one is among it."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self._at = -1

    @property
    def here(self) -> Place | None:
        return self._places[self._at] if self._at >= 0 else None

    @property
    def can_go_back(self) -> bool:
        return self._at > 0

    @property
    def can_go_forward(self) -> bool:
        return self._at < len(self._places) - 1

    def go_to(self, place: Place) -> None:
        """Be at `place`; what lay ahead is forgotten."""
        if place == self.here:
            return
        del self._places[self._at + 1 :]
        self._places.append(place)
        del self._places[:-_LONGEST]
        self._at = len(self._places) - 1

    def back(self) -> Place | None:
        """The place before, None at the beginning."""
        if not self.can_go_back:
            return None
        self._at -= 1
        return self.here

    def forward(self) -> Place | None:
        """The place after, None at the end."""
        if not self.can_go_forward:
            return None
        self._at += 1
        return self.here

    def clear(self) -> None:
        self._places.clear()
        self._at = -1
