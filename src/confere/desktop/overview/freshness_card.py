"""The card of what is here and what is not: how far each account is known, and what lacks in four different words."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from confere.app.accounts.freshness import AccountFreshness
from confere.app.labels.feed_labels import feed_word
from confere.app.labels.labels import environment_word, outcome_word
from confere.app.overview.overview import Overview
from confere.desktop.core.activity_sections import FAILED, NOT_OFFERED, UNREADABLE
from confere.desktop.theme.measures import GAP, ICON
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.card import Card, button, clear, focus_kept, label
from confere.desktop.widgets.plain_text import Label, as_tip
from confere.system import formatting
from confere.system.messages import render, t

_BAD_ENDS = ("failed", "interrupted")


class FreshnessCard(Card):
    """`look_wanted` asks for a part of the activity, `sync_wanted` for a sync of an account, by its name."""

    look_wanted = Signal(str)
    sync_wanted = Signal(str)

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(t("Complete and fresh?"), parent)
        self._look = look
        self._found: Overview | None = None
        self._marks: list[tuple[QLabel, str, str]] = []  # with the drawing and the role of its colour
        self._accounts = QVBoxLayout()
        self._accounts.setSpacing(14)
        self.body.addLayout(self._accounts)
        self.body.addStretch(1)
        look.changed.connect(self._paint)

    def put(self, found: Overview) -> None:
        """Show how far these accounts are known."""
        if found == self._found:
            return
        self._found = found
        with focus_kept(self):
            self._fill(found)
        self._paint()

    def _fill(self, found: Overview) -> None:
        clear(self._accounts)
        self._marks.clear()
        for account in found.accounts:
            self._accounts.addLayout(self._account(account, found.month is not None))
        if not found.accounts:
            self._accounts.addWidget(
                label(t("No account is connected: what is here came from files."), "muted", wraps=True)
            )
        rest = self._rest(found)
        if rest is not None:
            self._accounts.addLayout(rest)

    def _account(self, account: AccountFreshness, of_month: bool) -> QVBoxLayout:
        made = QVBoxLayout()
        made.setSpacing(3)
        head = QHBoxLayout()
        head.setSpacing(GAP)
        name = label(account.account)
        font = name.font()
        font.setBold(True)
        name.setFont(font)
        head.addWidget(name)
        head.addWidget(label(environment_word(account.environment), "muted"))
        head.addStretch(1)
        made.addLayout(head)
        made.addWidget(label(*_synced(account), wraps=True))
        if account.listed_until is not None:
            made.addWidget(label(_listed(account), "muted", wraps=True))
        lines = self._lacks(account)
        for line in lines:
            made.addLayout(line)
        if not lines and account.is_whole_here:
            words = (
                t("Everything that the hub listed for this month is here.")
                if of_month
                else t("Everything that the hub listed is here.")
            )
            made.addLayout(self._line("check", "good", label(words, "good", wraps=True)))
        return made

    def _lacks(self, account: AccountFreshness) -> list[QHBoxLayout]:
        found = [self._line("warning", "bad", label(render(short), "bad", wraps=True)) for short in account.short]
        if account.listed_days is not None:
            text = t("last listed {days} days ago", days=formatting.count(account.listed_days))
            tip = t("What the hub has had since is not known here. Click to sync.")
            found.append(self._link("warn", text, tip, lambda: self.sync_wanted.emit(account.account)))
        for feed in account.ending_feeds:
            days = formatting.count(feed.days or 0)
            text = t("feed of {feed} last read {days} days ago", feed=render(feed_word(feed.feed)), days=days)
            tip = t("The hub keeps changes there for 30 days. Click to sync.")
            found.append(self._link("warn", text, tip, lambda: self.sync_wanted.emit(account.account)))
        lacks = account.lacks
        if account.unlisted_days:
            text = t("never listed: {count} days", count=formatting.count(len(account.unlisted_days)))
            found.append(self._link("warn", text, _days_of(account), lambda: self.sync_wanted.emit(account.account)))
        if lacks.waiting + lacks.failed:
            count = formatting.count(lacks.waiting + lacks.failed)
            if lacks.failed:
                text = t(
                    "not downloaded: {count}, failed: {failed}", count=count, failed=formatting.count(lacks.failed)
                )
                tip = t("Listed by the hub, but its XML did not come. Click to see why.")
                found.append(self._link("bad", text, tip, lambda: self.look_wanted.emit(FAILED)))
            else:
                text = t("not downloaded: {count}", count=count)
                tip = t("Listed by the hub, and not asked for yet. Click to sync.")
                found.append(self._link("warn", text, tip, lambda: self.sync_wanted.emit(account.account)))
        if lacks.not_offered:
            text = t("not offered: {count}", count=formatting.count(lacks.not_offered))
            tip = t("Listed by the hub without any XML; only whoever emitted them can give it.")
            found.append(self._link("warn", text, tip, lambda: self.look_wanted.emit(NOT_OFFERED)))
        if lacks.unreadable:
            text = t("not readable: {count}", count=formatting.count(lacks.unreadable))
            tip = t("Kept exactly as it came, but it is not what Confere can read.")
            found.append(self._link("bad", text, tip, lambda: self.look_wanted.emit(UNREADABLE)))
        return found

    def _rest(self, found: Overview) -> QVBoxLayout | None:
        """What no account answers for."""
        lines = []
        others = found.unreadable_files - found.lacks.unreadable
        if others > 0:
            text = t("not readable, in all: {count}", count=formatting.count(found.unreadable_files))
            tip = t("Kept exactly as it came, but it is not what Confere can read.")
            lines.append(self._link("warn", text, tip, lambda: self.look_wanted.emit(UNREADABLE)))
        if found.events_without_document:
            text = t(
                "Events whose document is not here: {count}", count=formatting.count(found.events_without_document)
            )
            lines.append(self._line("warning", "warn", label(text, "warn", wraps=True)))
        if not lines:
            return None
        made = QVBoxLayout()
        made.setSpacing(3)
        for line in lines:
            made.addLayout(line)
        return made

    def _link(self, role: str, text: str, tip: str, act: Callable[[], None]) -> QHBoxLayout:
        link = button(text, act, "link")
        link.setToolTip(as_tip(tip))
        link.setAccessibleDescription(tip)
        return self._line("warning", role, link)

    def _line(self, drawing: str, role: str, what: QWidget) -> QHBoxLayout:
        made = QHBoxLayout()
        made.setSpacing(4)
        mark = Label()
        self._marks.append((mark, drawing, role))
        made.addWidget(mark, 0, Qt.AlignmentFlag.AlignVCenter)
        made.addWidget(what, 1 if isinstance(what, QLabel) else 0)
        if not isinstance(what, QLabel):
            made.addStretch(1)
        return made

    def _paint(self) -> None:
        for mark, drawing, role in self._marks:
            mark.setPixmap(self._look.icon(drawing, role).pixmap(ICON, ICON))


def _synced(account: AccountFreshness) -> tuple[str, str]:
    """The sentence and its rank."""
    if account.syncing:
        return t("Syncing now."), ""
    if account.synced_at is None:
        return t("Never synced."), "warn"
    words = t(
        "Last sync: {moment}, {outcome}.",
        moment=formatting.moment(account.synced_at),
        outcome=outcome_word(account.outcome or ""),
    )
    return words, "bad" if account.outcome in _BAD_ENDS else ""


def _listed(account: AccountFreshness) -> str:
    moment = formatting.moment(account.listed_until)
    if account.interrupted:
        return t("Listed up to {moment}; a listing was cut off and goes on with the next sync.", moment=moment)
    if account.whole:
        return t("Listed from the beginning up to {moment}.", moment=moment)
    return t("Listed up to {moment}, not from the beginning.", moment=moment)


def _days_of(account: AccountFreshness) -> str:
    days = [formatting.date(day) for day in account.unlisted_days]
    text = days[0] if len(days) == 1 else f"{days[0]} – {days[-1]}"
    return t("No listing covers these days whole: {days}. Click to sync.", days=text)
