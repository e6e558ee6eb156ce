"""A tool button whose text gives way where there is no room for all of it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyle, QStyleOptionToolButton, QStylePainter, QToolButton, QWidget

_BUTTON = QStyle.ComplexControl.CC_ToolButton
_ELIDE = Qt.TextElideMode.ElideRight
_MNEMONIC = Qt.TextFlag.TextShowMnemonic.value
_NARROWEST = 7  # letters that are to be seen in any case


class ElidedButton(QToolButton):
    """Whoever gives it a text gives it a tooltip too, for what is not to be seen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    @property
    def shown_text(self) -> str:
        """What of the text there is room for."""
        metrics, lacking = self.fontMetrics(), self.sizeHint().width() - self.width()
        if lacking <= 0:
            return self.text()
        return metrics.elidedText(self.text(), _ELIDE, self._advance() - lacking, _MNEMONIC)

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        text = self._advance()
        return QSize(hint.width() - text + min(text, self.fontMetrics().averageCharWidth() * _NARROWEST), hint.height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.text = self.shown_text
        painter = QStylePainter(self)
        painter.drawComplexControl(_BUTTON, option)
        painter.end()

    def _advance(self) -> int:
        return self.fontMetrics().size(_MNEMONIC, self.text()).width()
