"""What `confere restore` printed as JSON, as values: what a backup holds, lacks and brings."""

from __future__ import annotations

from typing import NamedTuple


class CopyFigures(NamedTuple):
    """What an archive or a copy of it holds; `newest_run` is UTC text."""

    archive_id: str = ""
    format: str = ""
    older: bool = False
    documents: int = 0
    events: int = 0
    newest_run: str = ""


class LossFigures(NamedTuple):
    """How many of a kind the archive holds and the backup does not; -1 where that could not be read.

    `newest` is UTC text, empty where nobody knows.
    """

    kind: str = ""
    number: int = -1
    newest: str = ""


class RestoredAccountFigures(NamedTuple):
    """An account that a restore brings, keeps, moves or takes away; addresses are empty where there is none."""

    name: str = ""
    address: str = ""
    present_address: str = ""
    disarmed: bool = False


class RestoreJobResult(NamedTuple):
    """Of a preview and of a restore; `present` is empty where there is no archive, or (`there`) one that is damaged.

    `losses` are of every kind; none where nothing of the archive could be read.
    """

    file: str = ""
    size: int = 0
    encrypted: bool = False
    same_archive: bool = False
    backup: CopyFigures = CopyFigures()
    there: bool = False
    present: CopyFigures = CopyFigures()
    losses: tuple[LossFigures, ...] = ()
    restored: bool = False
    set_aside: str = ""
    accounts: tuple[RestoredAccountFigures, ...] = ()

    @property
    def lost(self) -> list[tuple[str, int | None, str | None]] | None:
        """What the archive that is replaced holds and the backup does not; None where it cannot be read."""
        if self.there and not self.losses:
            return None
        return [(loss.kind, None if loss.number < 0 else loss.number, loss.newest or None) for loss in self.losses]

    @property
    def comes_back(self) -> bool:
        """Whether the archive that is set aside can be restored in turn, as far as it was read."""
        return bool(self.present.archive_id) and all(loss.number >= 0 for loss in self.losses)

    @property
    def stopped(self) -> bool:
        """Never: when it is stopped, the command prints no result."""
        return False
