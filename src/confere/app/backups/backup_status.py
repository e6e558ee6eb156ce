"""The copies of the archive that are known, and what has to be said of them: how many, how old, and what was lost."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Final

from confere.app.backups import backup_loss
from confere.archive.maintenance.backups import copy_memory
from confere.archive.maintenance.backups.copy_memory import HeldMore as HeldMore
from confere.archive.maintenance.backups.copy_records import CopyRecord
from confere.archive.maintenance.backups.trail_standing import NOTHING_KNOWN, HeadPlace, LastDrill, TrailStanding
from confere.errors import Message, message, nmessage
from confere.fiscal.periods import BRASILIA
from confere.system import formatting

AHEAD: Final = timedelta(days=1)
"""What a clock may be wrong without telling of the future."""


class CopyState(StrEnum):
    """What is known of a copy. Only `WHOLE` counts."""

    WHOLE = "whole"
    DAMAGED = "damaged"
    UNCHECKED = "unchecked"  # not read yet, or encrypted by somebody else and not readable without its passphrase
    OTHER = "other"  # of another archive, or no archive of a format known here


class CopyPlaceKind(StrEnum):
    """Where a copy stands: in the data folder, in the second folder, or where a person named a file."""

    BACKUPS = "backups"
    SECOND = "second"
    ELSEWHERE = "elsewhere"


@dataclass(frozen=True, slots=True)
class BackupCopy:
    """One copy; `size` in bytes, `made_at` in the zone of Brasília. `documents` counts what it holds, where known."""

    path: Path
    place: CopyPlaceKind
    state: CopyState
    made_at: datetime
    size: int
    encrypted: bool
    record: CopyRecord | None = None  # of its newest check

    @property
    def number(self) -> int:
        return 0 if self.record is None else self.record.number

    @property
    def documents(self) -> int:
        return 0 if self.record is None else self.record.documents

    @property
    def newest_run(self) -> str | None:
        return None if self.record is None else self.record.newest_run


@dataclass(frozen=True, slots=True)
class BackupStatus:
    """All copies, the newest first, and what has to be said of them.

    `since` is when the archive began, None where nothing has to be saved yet (no archive, nothing in it, or only a
    demonstration). `second_folder` is None where none is set, `second_reachable` whether it is there just now. `trail`
    is what the archive's audit trail says of the copies. `archive_id` is None where the archive could not be read: then
    `whole` copies may be another archive's.
    """

    copies: tuple[BackupCopy, ...]
    now: datetime
    since: datetime | None
    alarm_days: int
    second_folder: Path | None = None
    second_reachable: bool = False
    trail: TrailStanding = NOTHING_KNOWN
    archive_id: str | None = None

    @property
    def whole(self) -> tuple[BackupCopy, ...]:
        return tuple(copy for copy in self.copies if copy.state is CopyState.WHOLE)

    @property
    def newest(self) -> BackupCopy | None:
        """The newest whole copy; one that claims to be of the future tells nothing of its age."""
        dated = [copy for copy in self.whole if copy.made_at <= self.now + AHEAD]
        return max(dated, key=lambda copy: copy.made_at, default=None)

    @property
    def days(self) -> int | None:
        """The age of the newest whole copy in whole days; None without one."""
        return None if self.newest is None else max((self.now - self.newest.made_at).days, 0)

    @property
    def is_from_today(self) -> bool:
        """Whether the newest whole copy was made on the calendar day of `now`, or claims a later one."""
        return self.newest is not None and self.newest.made_at.date() >= self.now.date()

    @property
    def holding_more(self) -> tuple[HeldMore, ...]:
        """The copies that hold more of something than the newest whole one, which nobody has accepted."""
        return copy_memory.holding_more((copy.record for copy in self.whole if copy.record is not None), self.trail)

    @property
    def loss(self) -> Message | None:
        """That the newest copy holds less than an older one, and what to do; None where it does not."""
        return backup_loss.sentence(self.holding_more)

    @property
    def alarm(self) -> Message | None:
        """The gravest of what is wrong with the backups; None while all is well."""
        return next(iter(self.alarms), None)

    @property
    def alarms(self) -> tuple[Message, ...]:
        """That something was lost, that no whole copy is young enough, and that one could not be restored."""
        failed = None if self.drill is None or self.drill.passed else self.drill_sentence
        return tuple(alarm for alarm in (self.loss, self.age_alarm, failed) if alarm is not None)

    def head_place(self, copy: BackupCopy) -> HeadPlace | None:
        """Where the last line of the audit trail in a copy stands now; None where it says none, or was accepted."""
        record = copy.record
        if record is None or record.audit_head is None or record.number < self.trail.accepted:
            return None
        return self.trail.place_of(record.audit_line, record.audit_head, record.made_at)

    @property
    def drill(self) -> LastDrill | None:
        """The newest trial of a copy."""
        return self.trail.drill

    @property
    def drill_sentence(self) -> Message | None:
        """When a copy was last restored for a trial, and how that went; None where there is no copy to try."""
        if self.drill is None:
            return message("No backup was restored for a trial yet: `confere backup --drill`.") if self.whole else None
        moment = formatting.moment(self.drill.at.astimezone(BRASILIA))
        if self.drill.passed:
            return message("The newest trial restore of a backup passed, on {moment}.", moment=moment)
        return message(
            "The trial restore of the backup {file} failed on {moment}. Make another backup, then run"
            " `confere backup --drill` again.",
            file=self.drill.file,
            moment=moment,
        )

    @property
    def age_alarm(self) -> Message | None:
        """What to do, where no whole copy is younger than the days that were set; None while all is well."""
        limit = timedelta(days=self.alarm_days)
        if not self.alarm_days or self.since is None:
            return None
        if self.newest is None:
            if self.now - self.since < limit:
                return None
            return message("There is no whole backup of the archive. Run `confere backup`, to another disk if you can.")
        if self.now - self.newest.made_at < limit:
            return None
        return nmessage(
            "The newest whole backup is {count} day old. Run `confere backup`, or have it done by `confere schedule`.",
            "The newest whole backup is {count} days old. Run `confere backup`, or have it done by `confere schedule`.",
            self.days or 0,
        )

    @property
    def sentence(self) -> Message:
        """How many whole copies there are, and how old the newest is."""
        if self.is_from_today:
            return counted(len(self.whole), 0)
        return counted(len(self.whole), None if self.days is None else max(self.days, 1))


def counted(whole: int, days: int | None) -> Message:
    """So many whole copies, the newest so many days old; 0: of today, None: nobody knows."""
    if not whole:
        return message("No whole copy of the archive.")
    if days is None:  # all of them of a clock that ran ahead
        return message("Whole copies: {count}; none of them has a date to trust.", count=formatting.count(whole))
    if days == 0:
        return nmessage("{count} whole copy, made today.", "{count} whole copies, the newest made today.", whole)
    return nmessage(
        "{count} whole copy, {age} old.",
        "{count} whole copies, newest {age} old.",
        whole,
        age=nmessage("{count} day", "{count} days", days),
    )
