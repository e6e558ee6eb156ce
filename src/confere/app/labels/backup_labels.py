"""What the state and the place of a backup are called, in every face."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from confere.app.maintenance.backup_copies import CopyPlaceKind, CopyState
from confere.errors import N_, NC_, Message
from confere.system.messages import render

STATES: Final[Mapping[CopyState, str]] = {
    CopyState.WHOLE: N_("whole"),
    CopyState.DAMAGED: N_("damaged"),
    CopyState.UNCHECKED: NC_("copy", "not checked"),
    CopyState.OTHER: N_("of another archive"),
}
PLACES: Final[Mapping[CopyPlaceKind, str]] = {
    CopyPlaceKind.BACKUPS: N_("backups folder"),
    CopyPlaceKind.SECOND: N_("second folder"),
    CopyPlaceKind.ELSEWHERE: N_("elsewhere"),
}


def state_word(state: CopyState) -> str:
    """What is known of a copy."""
    return render(Message(STATES[state]))


def place_word(place: CopyPlaceKind) -> str:
    """Where a copy stands."""
    return render(Message(PLACES[place]))
