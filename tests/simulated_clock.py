"""A clock that tests set: the moment that names of copies, their age and every act are dated by."""

from __future__ import annotations

from datetime import datetime, tzinfo

import pytest

from confere.app.backups import backup_copies
from confere.archive import clock
from confere.archive.maintenance.backups import backup


def set_clock(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    """It is `moment` from now on; where no zone is asked for, in its own."""

    class Clock(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
            return moment.astimezone(tz or moment.tzinfo)

    for module in (backup, backup_copies, clock):
        monkeypatch.setattr(module, "datetime", Clock)
