"""What `confere backup` printed as JSON, as values: the part that the window reads."""

from __future__ import annotations

from typing import NamedTuple


class BackupSummary(NamedTuple):
    """How many whole copies there are now, as a sentence; `alarms` say what is wrong with them."""

    summary: str = ""
    alarms: tuple[str, ...] = ()


class DrillFigures(NamedTuple):
    """What the trial of a backup came to; `file` is empty where none was made."""

    file: str = ""
    passed: bool = False
    documents: int = 0
    problems: tuple[str, ...] = ()


class BackupJobResult(NamedTuple):
    """`problems` say which copies could not be written."""

    written: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    status: BackupSummary = BackupSummary()
    drill: DrillFigures = DrillFigures()

    @property
    def stopped(self) -> bool:
        """Never: when it is stopped, the command prints no result."""
        return False
