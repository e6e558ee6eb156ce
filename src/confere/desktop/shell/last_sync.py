"""Keeps the status bar's word about the last sync true while minutes go by and syncs end; and about backups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from confere.app.archive_session import OpenArchive
from confere.app.overview.sync_standing import SyncStanding
from confere.desktop.core.reader_topics import When
from confere.desktop.services import Services
from confere.system import formatting
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.backups.backup_status import BackupStatus
    from confere.app.schedule.alarms import Alarm

_TOPIC = "window: last sync"
_MINUTE_MS = 60_000


class BackupTrouble(Enum):
    """The gravest of what is wrong with the backups."""

    LOSS = "loss"  # the newest holds less than an older one
    AGE = "age"
    TRIAL = "trial"  # one could not be restored


class LastSyncText(QObject):
    """Belongs to one window; `say` takes the sentence, and whether it is an alarm: an account grows old."""

    def __init__(self, services: Services, say: Callable[[str, bool], None], parent: QObject) -> None:
        super().__init__(parent)
        self._services, self._say = services, say
        self._standing = SyncStanding()
        self._old: tuple[Alarm, ...] = ()
        self._backups: BackupTrouble | None = None
        self._minute = QTimer(self)
        self._minute.setInterval(_MINUTE_MS)
        self._minute.timeout.connect(self._tell)
        self._minute.start()

    def ask(self) -> None:
        """Look in the archive when that was."""
        opened = self._services.opened
        if opened.exists:
            self._services.reader.ask(_TOPIC, lambda: _state_of(opened), self._have, when=When.LATER)
        else:
            self._have((SyncStanding(), None, ()))

    def _have(self, state: tuple[SyncStanding, BackupTrouble | None, tuple[Alarm, ...]]) -> None:
        self._standing, self._backups, self._old = state
        self._tell()

    def _tell(self) -> None:
        """The gravest of what is not well: there is room for one thing."""
        stands = self._standing
        fresh = fresh_text(stands.newest, datetime.now(UTC))
        if self._old:
            self._say(old_text(self._old), True)
        elif stands.failed:
            self._say(t("{fresh}; the last one of {account} failed", fresh=fresh, account=stands.failed[0]), True)
        elif stands.to_download:
            count = formatting.count(stands.to_download)
            self._say(t("{fresh}; XML to download: {count}", fresh=fresh, count=count), True)
        elif stands.is_short:
            self._say(t("{fresh}; a list of the hub is not whole", fresh=fresh), True)
        elif self._backups is BackupTrouble.LOSS:
            self._say(t("{fresh}; an older backup holds more", fresh=fresh), False)
        elif self._backups is BackupTrouble.AGE:
            self._say(t("{fresh}; no recent backup", fresh=fresh), False)
        elif self._backups is BackupTrouble.TRIAL:
            self._say(t("{fresh}; a backup could not be restored", fresh=fresh), False)
        else:
            self._say(fresh, False)


def _state_of(opened: OpenArchive) -> tuple[SyncStanding, BackupTrouble | None, tuple[Alarm, ...]]:
    """How syncs stand, what is wrong with the backups, and which accounts are old."""
    # The list does not wait for what only this line of text needs.
    from confere.app.backups import backup_copies
    from confere.app.overview.sync_standing import sync_standing
    from confere.app.schedule import alarms

    return (
        sync_standing(opened),
        _trouble(backup_copies.of_open(opened, everywhere=False)),
        tuple(alarms.of_accounts(opened)),
    )


def _trouble(state: BackupStatus) -> BackupTrouble | None:
    if state.loss is not None:
        return BackupTrouble.LOSS
    if state.age_alarm is not None:
        return BackupTrouble.AGE
    return BackupTrouble.TRIAL if state.alarm is not None else None


def fresh_text(last_sync: datetime | None, now: datetime) -> str:
    """When the last sync was, as people say it."""
    if last_sync is None:
        return t("never synced")
    seconds = (now - last_sync).total_seconds()
    if seconds < 60:
        return t("last sync just now")
    return t("last sync {time} ago", time=formatting.duration(seconds // 60 * 60).split(" 00 s")[0])


def old_text(old: Sequence[Alarm]) -> str:
    """Which account was listed too long ago; of several how many there are, and the oldest."""
    first = old[0]
    days = formatting.count(first.days or 0)
    if len(old) == 1:
        return t("{account}: last listed {days} days ago", account=first.account, days=days)
    return t(
        "accounts that grow old: {count}; {account}: last listed {days} days ago",
        count=formatting.count(len(old)),
        account=first.account,
        days=days,
    )
