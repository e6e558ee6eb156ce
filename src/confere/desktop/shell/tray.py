"""Tells what unattended runs brought: in the window, and in the system's tray where that is wanted and there is one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QWidget

from confere.desktop.core.actions import Action
from confere.desktop.core.reader_topics import When
from confere.desktop.services import Services
from confere.desktop.widgets.notices import GOOD, INFO, WARN
from confere.desktop.widgets.plain_text import as_tip
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.resources import resource
from confere.system.settings import TRAY

if TYPE_CHECKING:
    from PySide6.QtWidgets import QSystemTrayIcon

    from confere.app.archive_session import OpenArchive
    from confere.app.schedule.unattended_runs import RunNews

SEEN = "schedule/seen"
"""What the window remembers: the newest run that was told of."""
_TOPIC = "window: unattended runs"


class RunNotices(QObject):
    """Belongs to one window. A run that brought nothing and went well is told nowhere."""

    def __init__(self, services: Services, go_to: Callable[[Action], None], window: QWidget) -> None:
        """`go_to` shows a place of the window."""
        super().__init__(window)
        self._services, self._go_to, self._window = services, go_to, window
        self._place = Action.ACTIVITY
        self._icon: QSystemTrayIcon | None = None
        services.watch.changed.connect(self.ask)

    def ask(self) -> None:
        """Look whether runs ended that nobody was told of: since the window was open last, or just now."""
        services = self._services
        if services.opened.exists:
            work = partial(_news_since, services.opened, self._seen)
            services.reader.ask(_TOPIC, work, self._have, when=When.LATER)

    @property
    def _seen(self) -> int:
        kept = self._services.memory.text(SEEN, "0")
        return int(kept) if kept.isascii() and kept.isdecimal() else 0

    def _have(self, news: RunNews | None) -> None:
        if news is None or news.last.entry.id <= self._seen:
            return
        self._services.memory.put(SEEN, str(news.last.entry.id))
        if not news.is_news:
            return
        sentence = news_text(news)
        kind = WARN if news.failed or news.not_authentic else INFO if news.new_findings else GOOD
        title, self._place = t("Show the runs"), Action.ACTIVITY
        if news.new_findings and not news.failed:
            title, self._place = t("Show the findings"), Action.RECONCILE
        self._services.notices.add(kind, sentence, topic=_TOPIC, action=(title, partial(self._go_to, self._place)))
        self._tell_tray(sentence, is_bad=kind == WARN)

    def _tell_tray(self, sentence: str, *, is_bad: bool) -> None:
        from PySide6.QtWidgets import QSystemTrayIcon

        wanted = self._services.workspace.settings.get(TRAY) and QSystemTrayIcon.isSystemTrayAvailable()
        if not wanted:
            if self._icon is not None:
                self._icon.hide()
            return
        if self._icon is None:
            self._icon = QSystemTrayIcon(QIcon(str(resource("icons", "confere.svg"))), self)
            self._icon.setToolTip(as_tip("Confere"))
            self._icon.activated.connect(lambda _reason: self._come())
            self._icon.messageClicked.connect(self._come)
        self._icon.show()
        shape = QSystemTrayIcon.MessageIcon.Warning if is_bad else QSystemTrayIcon.MessageIcon.Information
        self._icon.showMessage("Confere", sentence, shape)

    def _come(self) -> None:
        """Bring the window up at what was told."""
        if self._window.isMinimized():
            self._window.showNormal()
        self._window.raise_()
        self._window.activateWindow()
        self._go_to(self._place)


def _news_since(opened: OpenArchive, seen: int) -> RunNews | None:
    from confere.app.schedule import unattended_runs  # asked beside the window, which waits for no news

    return unattended_runs.news_since(opened, seen)


def news_text(news: RunNews) -> str:
    """The sentence: which run, what came, what was found, and why it failed."""
    when = formatting.moment(news.last.entry.started_at)
    number = formatting.count
    parts = [
        t("Unattended run of {moment}:", moment=when)
        if news.runs == 1
        else t("Unattended runs since you were here: {count}, the last one {moment}:", count=news.runs, moment=when)
    ]
    counted = [t("new documents: {count}", count=number(news.new_documents))]
    counted.append(t("new findings: {count}", count=number(news.new_findings)))
    if news.not_authentic:
        counted.append(t("not authentic: {count}", count=number(news.not_authentic)))
    parts.append(f"{'; '.join(counted)}.")
    if news.failed:
        problems = news.last.problems
        parts.append(render(problems[0]) if problems else t("It was cut off."))
    return " ".join(parts)
