"""One message over the pages: a sentence with its next step, details to copy, and a button that closes it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPropertyAnimation, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QGraphicsOpacityEffect,
    QHBoxLayout,
    QPushButton,
    QStyle,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from confere.desktop.core.error_reporting import Fault
from confere.desktop.theme.measures import GAP, ICON
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.error_details import show_fault
from confere.desktop.widgets.notices import BAD, GOOD, INFO, WARN, Notice
from confere.desktop.widgets.plain_text import Label
from confere.system.messages import t

FADES_AFTER_MS = 6000
"""How long good news stays; what is wrong stays until it is closed."""
_FADING_MS = 250
_ICONS = {GOOD: "check", INFO: "info", WARN: "warning", BAD: "error"}
_PASSING = (GOOD, INFO)


class NoticeCard(QFrame):
    """`closed` comes with the card when it was closed by hand or has faded."""

    closed = Signal(object)

    def __init__(self, notice: Notice, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.notice = notice
        self._look = look
        self.setProperty("notice", notice.kind)
        self.setAccessibleName(notice.text)
        self._icon = Label()
        text = Label(notice.text)
        text.setWordWrap(True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        text.setAccessibleName(notice.text)
        self.close_button = QToolButton()
        self.close_button.setProperty("look", "quiet")
        self.close_button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.close_button.setAccessibleName(t("Close this message"))
        self.close_button.setToolTip(t("Close this message (Esc)"))
        self.close_button.clicked.connect(lambda: self.closed.emit(self))
        head = QHBoxLayout()
        head.setSpacing(GAP)
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(text, 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(GAP + 4, GAP, GAP, GAP)
        layout.setSpacing(2)
        layout.addLayout(head)
        steps = self._steps()
        if steps:
            foot = QHBoxLayout()
            foot.setContentsMargins(ICON + GAP, 0, 0, 0)
            for step in steps:
                foot.addWidget(step)
            foot.addStretch(1)
            layout.addLayout(foot)
        self._first = (*steps, self.close_button)[0]
        self._wait = QTimer(self)
        self._wait.setSingleShot(True)
        self._wait.setInterval(FADES_AFTER_MS)
        self._wait.timeout.connect(self._time_is_up)
        self._fading: QPropertyAnimation | None = None
        self._paint()
        look.changed.connect(self._paint)

    @property
    def is_passing(self) -> bool:
        """Whether it goes by itself."""
        return self.notice.kind in _PASSING

    def take_keyboard(self) -> None:
        """Give the keyboard to its next step, or to the button that closes it."""
        self._first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def has_keyboard(self) -> bool:
        """Whether one of its buttons has the keyboard."""
        focused = self.window().focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def begin_to_pass(self) -> None:
        """Count its time from now on, where it is one that goes by itself; it is counted only while it is seen."""
        if self.is_passing and not self._wait.isActive() and self._fading is None:
            self._wait.start()

    def wait_hidden(self) -> None:
        """It is not on the screen: its time begins anew when it comes back."""
        self._wait.stop()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._hold()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.begin_to_pass()
        super().leaveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit(self)
        else:
            super().keyPressEvent(event)

    def _steps(self) -> list[QPushButton]:
        steps = []
        if self.notice.action is not None:
            title, act = self.notice.action
            steps.append(_step(title, act))
        fault = self.notice.fault
        if fault is not None:
            steps.append(_step(t("Details"), lambda: self._show(fault)))
        return steps

    def _show(self, fault: Fault) -> None:
        show_fault(fault, self._look, self.window())

    def _time_is_up(self) -> None:
        """Not from under the mouse or the keyboard, nor while another window is looked at."""
        if self.underMouse() or self.has_keyboard() or not self.isActiveWindow():
            self._wait.start()
        elif _may_animate(self):
            self._fade()
        else:
            self.closed.emit(self)

    def _fade(self) -> None:
        effect = QGraphicsOpacityEffect(self)
        self.setGraphicsEffect(effect)
        self._fading = QPropertyAnimation(effect, b"opacity", self)
        self._fading.setDuration(_FADING_MS)
        self._fading.setStartValue(1.0)
        self._fading.setEndValue(0.0)
        self._fading.finished.connect(lambda: self.closed.emit(self))
        self._fading.start()

    def _hold(self) -> None:
        """The mouse came: it stays, also where it had begun to go."""
        self._wait.stop()
        if self._fading is not None:
            self._fading.stop()
            self._fading = None
            self.setGraphicsEffect(None)  # type: ignore[arg-type]  # Qt takes it as "none"

    def _paint(self) -> None:
        kind = self.notice.kind
        self._icon.setPixmap(self._look.icon(_ICONS[kind], kind).pixmap(ICON, ICON))
        self.close_button.setIcon(self._look.icon("close"))


def _step(title: str, act: Callable[[], None]) -> QPushButton:
    button = QPushButton(title.replace("&", "&&"))
    button.setProperty("look", "link")
    button.setAutoDefault(False)
    button.clicked.connect(lambda: act())
    return button


def _may_animate(widget: QWidget) -> bool:
    """Whether the person's system has not asked for less movement."""
    lasts = widget.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration, None, widget)
    return lasts > 0 and QApplication.isEffectEnabled(Qt.UIEffect.UI_General)
