"""The strip above the orders that warns of a feed which was not read for too long, with the button that reads it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from confere.app.orders.browse_orders import FEED_KEPT_DAYS, EndingFeed
from confere.desktop.theme.measures import GAP, ICON, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.card import label
from confere.desktop.widgets.plain_text import Label
from confere.system import formatting
from confere.system.messages import t


class FeedWarning(QFrame):
    """Takes no room while every feed was read of late."""

    def __init__(self, look: Look, sync: QAction, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self._is_over = look, False
        self.setProperty("strip", True)
        self._feeds: tuple[EndingFeed, ...] = ()
        self._mark = Label()
        self.words = label("", wraps=True)
        self.sync = QPushButton(sync.text())
        self.sync.setProperty("look", "link")
        self.sync.clicked.connect(sync.trigger)
        sync.changed.connect(lambda: self.sync.setEnabled(sync.isEnabled()))
        self.sync.setEnabled(sync.isEnabled())
        row = QHBoxLayout(self)
        row.setContentsMargins(WIDE_GAP, GAP, WIDE_GAP, GAP)
        row.setSpacing(GAP)
        row.addWidget(self._mark)
        row.addWidget(self.words, 1)
        row.addWidget(self.sync)
        look.changed.connect(self._paint)
        self._paint()
        self.hide()

    def show_feeds(self, feeds: Sequence[EndingFeed]) -> None:
        """Say which of them were read so long ago; nothing of none."""
        self._feeds = tuple(feeds)
        self._is_over = any(feed.is_over for feed in feeds)
        self.words.setText("\n".join(map(_words, feeds)))
        self._paint()
        self.setVisible(bool(feeds))

    def _paint(self) -> None:
        kind = "bad" if self._is_over else "warn"
        self.setProperty("notice", kind)
        self.style().unpolish(self)
        self.style().polish(self)
        drawing = "error" if self._is_over else "warning"
        self._mark.setPixmap(self._look.picture(drawing, kind, ICON, self.devicePixelRatioF()))


def _words(feed: EndingFeed) -> str:
    days, kept = formatting.count(feed.days), formatting.count(FEED_KEPT_DAYS)
    if feed.is_over:
        return t(
            "{account}: the feed of orders was last read {days} days ago. The hub keeps changes for {kept} days, so "
            "some may be lost: sync now, and look at what should have changed since.",
            account=feed.account,
            days=days,
            kept=kept,
        )
    return t(
        "{account}: the feed of orders was last read {days} days ago. The hub forgets changes after {kept} days: sync "
        "now.",
        account=feed.account,
        days=days,
        kept=kept,
    )
