"""Keeps the status bar's word about the last sync true while minutes go by and syncs end; and about backups."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from PySide6.QtCore import QObject, QTimer

from confere.app.maintenance import backup_copies
from confere.app.overview import activity
from confere.desktop.services import Services
from confere.system import formatting
from confere.system.messages import t

_TOPIC = "window: last sync"
_MINUTE_MS = 60_000


class LastSyncText(QObject):
    """Belongs to one window; `say` takes the sentence."""

    def __init__(self, services: Services, say: Callable[[str], None], parent: QObject) -> None:
        super().__init__(parent)
        self._services, self._say = services, say
        self._last_sync: datetime | None = None
        self._is_short = self._lacks_backup = False
        self._minute = QTimer(self)
        self._minute.setInterval(_MINUTE_MS)
        self._minute.timeout.connect(self._tell)
        self._minute.start()

    def ask(self) -> None:
        """Look in the archive when that was."""
        opened = self._services.opened
        if opened.exists:
            self._services.reader.ask(
                _TOPIC,
                lambda: (
                    activity.newest_sync(opened),
                    activity.is_short(opened),
                    backup_copies.of_open(opened, everywhere=False).alarm is not None,
                ),
                self._have,
            )
        else:
            self._have((None, False, False))

    def _have(self, found: tuple[datetime | None, bool, bool]) -> None:
        self._last_sync, self._is_short, self._lacks_backup = found
        self._tell()

    def _tell(self) -> None:
        fresh = fresh_text(self._last_sync, datetime.now(UTC))
        if self._is_short:
            fresh = t("{fresh}; a list of the hub is not whole", fresh=fresh)
        if self._lacks_backup:
            fresh = t("{fresh}; no recent backup", fresh=fresh)
        self._say(fresh)


def fresh_text(last_sync: datetime | None, now: datetime) -> str:
    """When the last sync was, as people say it."""
    if last_sync is None:
        return t("never synced")
    seconds = (now - last_sync).total_seconds()
    if seconds < 60:
        return t("last sync just now")
    return t("last sync {time} ago", time=formatting.duration(seconds // 60 * 60).split(" 00 s")[0])
