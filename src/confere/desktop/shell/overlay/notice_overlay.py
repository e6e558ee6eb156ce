"""The messages over the pages, at the lower right, where no button is; nothing below them moves for their sake."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from confere.desktop.shell.overlay import free_room
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.card import button
from confere.desktop.widgets.notices import BAD, WARN, Notice, Notices
from confere.system import formatting
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.desktop.shell.overlay.notice_card import NoticeCard

_SHOWN = 2
_MOST = 50  # that are kept for "+3"; older ones are in the activity
_WIDTH = 400
_ENOUGH = 120  # pixels of them that are shown at the lowest place, where they would take more
_LEAST = 64  # that are worth another place
_ABOVE = 6  # pixels between the messages and what stands above them


class NoticeOverlay(QWidget):
    """A child of the window's content that stands in no layout, as large as its messages and no larger.

    At most two messages are seen, and "+3" for those before them, which shows all. The newest one is on top, so that
    those that are there stay where they are. `changed` comes when one was added or went.
    """

    changed = Signal()

    def __init__(self, notices: Notices, look: Look, over: QWidget, above: QWidget) -> None:
        """`over` is what it lies on, and `above` a part of that whose top edge it stays above."""
        super().__init__(over)
        self.setObjectName("notices")
        self.setAccessibleName(t("Messages"))
        self._look, self._over, self._above = look, over, above
        self._lines: list[NoticeCard] = []  # newest first
        self._before: QWidget | None = None  # what had the keyboard before a message took it
        self._is_open = False  # all are shown
        self._inside = QWidget()
        self._inside.setProperty("plain", True)
        self._column = QVBoxLayout(self._inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(GAP)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setWidget(self._inside)
        self.more = _pill("", self._turn)
        self.close_all = _pill(t("Close all"), self._close_all)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self.close_all)
        foot.addWidget(self.more)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(_ABOVE)
        layout.addLayout(foot)
        layout.addWidget(self._scroll, 1)
        self._again = QTimer(self)  # once everything has its place
        self._again.setSingleShot(True)
        self._again.setInterval(0)
        self._again.timeout.connect(self._stand)
        self.hide()
        for watched in (over, above, self._inside):
            watched.installEventFilter(self)
        notices.added.connect(self._add)
        notices.withdrawn.connect(self._withdraw)

    @property
    def texts(self) -> list[str]:
        """What is told, newest first, also where only "+3" is seen of it."""
        return [line.notice.text for line in self._lines]

    @property
    def cards(self) -> list[NoticeCard]:
        """The messages that are seen, from top to bottom."""
        return self._lines if self._is_open else self._lines[:_SHOWN]

    def take_keyboard(self) -> None:
        """Put the keyboard into the newest message; Esc closes it and gives the keyboard back."""
        if self._lines:
            focused = self.window().focusWidget()
            if focused is not None and not self.isAncestorOf(focused):
                self._before = focused
            self._lines[0].take_keyboard()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.LayoutRequest) and self.isVisible():
            if event.type() != QEvent.Type.LayoutRequest:
                self._stand()
            self._again.start()
        return super().eventFilter(watched, event)

    def leaveEvent(self, event: QEvent) -> None:
        """What came while the mouse was here is shown now."""
        self._show()
        super().leaveEvent(event)

    def _add(self, notice: Notice) -> None:
        from confere.desktop.shell.overlay.notice_card import NoticeCard

        if notice.fault is not None and notice.fault in [line.notice.fault for line in self._lines]:
            return  # drawn anew it would bring the next one, were it a fault of drawing
        gone = [
            line
            for line in self._lines
            if (notice.topic and line.notice.topic == notice.topic) or line.notice.text == notice.text
        ]
        for line in gone:
            self._drop(line)
        line = NoticeCard(notice, self._look, self._inside)
        line.hide()
        line.closed.connect(self._closed)
        self._lines.insert(0, line)
        self._column.insertWidget(0, line)
        for old in self._lines[_MOST:]:
            self._drop(old)
        self._announce(notice)
        # Under the mouse nothing changes its place, unless what lay there is gone.
        if gone or not self.underMouse():
            self._show()
        else:
            self._say_more()
        self.changed.emit()

    def _withdraw(self, topic: str) -> None:
        gone = [line for line in self._lines if line.notice.topic == topic]
        for line in gone:
            self._drop(line)
        if gone:
            self._show()
            self.changed.emit()

    def _closed(self, line: NoticeCard) -> None:
        if line not in self._lines:
            return
        had_keyboard, place = line.has_keyboard(), self._lines.index(line)
        self._drop(line)
        self._show()
        if had_keyboard and self.cards:
            self.cards[min(place, len(self.cards) - 1)].take_keyboard()
        elif had_keyboard:
            self._give_back()
        self.changed.emit()

    def _close_all(self) -> None:
        for line in list(self._lines):
            self._drop(line)
        self._show()
        self._give_back()
        self.changed.emit()

    def _drop(self, line: NoticeCard) -> None:
        had_keyboard = line.has_keyboard()
        self._lines.remove(line)
        if had_keyboard:  # else Qt gives it to whatever comes next
            if self.cards:
                self.cards[0].take_keyboard()
            else:
                self._give_back()
        self._column.removeWidget(line)
        line.hide()
        line.deleteLater()

    def _give_back(self) -> None:
        before, self._before = self._before, None
        if before is not None and _is_there(before):
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    def _turn(self) -> None:
        self._is_open = not self._is_open
        self._show()

    def _show(self) -> None:
        """Show those that are to be seen, and stand where there is room."""
        if len(self._lines) <= _SHOWN:
            self._is_open = False
        shown = self.cards
        for line in self._lines:
            line.setVisible(line in shown)
            if line in shown:
                line.begin_to_pass()
            else:
                line.wait_hidden()
        self._say_more()
        self.setVisible(bool(self._lines))
        if self._lines:
            self._stand()
            self._again.start()
            self.raise_()

    def _say_more(self) -> None:
        hidden = sum(not line.isVisibleTo(self._inside) for line in self._lines)
        several = len(self._lines) > _SHOWN
        self.more.setVisible(several)
        self.close_all.setVisible(several)
        if self._is_open:
            self.more.setText(t("Show fewer"))
            self.more.setAccessibleName(t("Show fewer"))
        else:
            self.more.setText(f"+{formatting.count(hidden)}")
            self.more.setAccessibleName(t("Show {count} more messages", count=formatting.count(hidden)))
            self.more.setToolTip(t("Show every message"))

    def _stand(self) -> None:
        """At the lower right of what it lies on; of more than fits it shows a part, which scrolls."""
        if not self._lines:
            return
        width = min(_WIDTH, self._over.width() - 2 * WIDE_GAP)
        left = self._over.width() - width - WIDE_GAP
        head = self.more.sizeHint().height() + _ABOVE if len(self._lines) > _SHOWN else 0
        wanted = head + self._column.heightForWidth(width)
        whole = range(WIDE_GAP, self._above.mapTo(self._over, QPoint(0, 0)).y() - GAP - 4)
        taken = free_room.controls(self._over, self, range(left, left + width))
        room = free_room.room_in(whole, taken, min(wanted, _ENOUGH), _LEAST)
        height = min(wanted, len(room))
        # Asked whether it needs one, an area that has a scroll bar measures a narrower text, and keeps the bar.
        whether = Qt.ScrollBarPolicy.ScrollBarAlwaysOff if height == wanted else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        self._scroll.setVerticalScrollBarPolicy(whether)
        self.setGeometry(left, room.stop - height, width, height)

    def _announce(self, notice: Notice) -> None:
        """Tell who listens to the screen instead of looking at it."""
        from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent  # Qt makes all their names at once

        announcement = QAccessible.AnnouncementPoliteness
        event = QAccessibleAnnouncementEvent(self, notice.text)
        is_urgent = notice.kind in (BAD, WARN)
        event.setPoliteness(announcement.Assertive if is_urgent else announcement.Polite)
        QAccessible.updateAccessibility(event)


def _pill(text: str, act: Callable[[], None]) -> QPushButton:
    made = button(text, act)
    made.setProperty("look", "pill")
    made.setAutoDefault(False)
    return made


def _is_there(widget: QWidget) -> bool:
    try:
        return widget.isVisible() and widget.isEnabled()
    except RuntimeError:  # the list that it was in was made anew meanwhile
        return False
