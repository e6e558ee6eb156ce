"""Buttons and links whose text gives way where there is no room for all of it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStyleOptionToolButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

_TOOL_BUTTON = QStyle.ComplexControl.CC_ToolButton
_PUSH_BUTTON = QStyle.ControlElement.CE_PushButton
_ELIDE = Qt.TextElideMode.ElideRight
_MNEMONIC = Qt.TextFlag.TextShowMnemonic.value


class ElidedButton(QToolButton):
    """A tool button. Whoever gives it a text gives it a tooltip too, for what is not to be seen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    @property
    def shown_text(self) -> str:
        """What of the text there is room for."""
        return _shown_text(self)

    def minimumSizeHint(self) -> QSize:
        return _narrowest(self, letters=7)

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.text = self.shown_text
        painter = QStylePainter(self)
        painter.drawComplexControl(_TOOL_BUTTON, option)
        painter.end()


class ElidedLink(QPushButton):
    """A link in a table. Whoever gives it a text gives it a tooltip too. Enter follows it, as Space does."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text.replace("&", "&&"), parent)
        self.setProperty("look", "link")
        self.setProperty("flush", True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def shown_text(self) -> str:
        """What of the text there is room for."""
        return _shown_text(self)

    def minimumSizeHint(self) -> QSize:
        return _narrowest(self, letters=8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self.shown_text
        painter = QStylePainter(self)
        painter.drawControl(_PUSH_BUTTON, option)
        painter.end()


def _text_width(button: QAbstractButton) -> int:
    return button.fontMetrics().size(_MNEMONIC, button.text()).width()


def _shown_text(button: QAbstractButton) -> str:
    lacking = button.sizeHint().width() - button.width()
    if lacking <= 0:
        return button.text()
    return button.fontMetrics().elidedText(button.text(), _ELIDE, _text_width(button) - lacking, _MNEMONIC)


def _narrowest(button: QAbstractButton, letters: int) -> QSize:
    """The size at which so many letters are still to be seen."""
    hint, width = button.sizeHint(), _text_width(button)
    return QSize(hint.width() - width + min(width, button.fontMetrics().averageCharWidth() * letters), hint.height())
