"""Text from outside shown as it is written: labels and tooltips that take nothing for markup, pages that load nothing.

Qt guesses whether a text is HTML, and opens what it names: files, devices, other machines' shares. So every label and
tooltip of the window is made here.
"""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import Qt as Guessing
from PySide6.QtWidgets import QLabel, QTextBrowser, QWidget

from confere.system.plain_text import plain

_LONGEST_TIP: Final = 2_000
_REAIS: Final = "R$ "
_BESIDE: Final = "R$\N{NO-BREAK SPACE}"


class Label(QLabel):
    """Words as they are written. An amount that stands at the end of a line stays beside its `R$`."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(unbroken(text))

    def text(self) -> str:
        """As it was set."""
        return super().text().replace(_BESIDE, _REAIS)


class RichTextPage(QTextBrowser):
    """Rich text of our own making, in which what came from outside is escaped. It loads no file, whatever it names."""

    def setHtml(self, text: str) -> None:
        """Show this page; each `R$` stays on the line of its amount."""
        super().setHtml(unbroken(text))

    def loadResource(self, _type: int, _name: QUrl | str) -> object:
        """Nothing: there are no pictures in our pages."""
        return None


def unbroken(text: str) -> str:
    """`text` with each `R$` kept on the line of its amount. For what is shown, not for what is copied or compared."""
    return text.replace(_REAIS, _BESIDE)


def as_tip(text: str) -> str:
    """`text` for a tooltip: told as it is written, also where Qt would guess that it is HTML."""
    shown = plain(text, lines=True)
    if len(shown) > _LONGEST_TIP:
        shown = shown[:_LONGEST_TIP] + "…"
    if not Guessing.mightBeRichText(shown):
        return shown
    from html import escape  # with the names of two thousand characters: hardly any tip needs it

    return f'<qt><span style="white-space:pre-wrap">{escape(shown)}</span></qt>'


def as_page(browser: QTextBrowser) -> None:
    """A page, not a field: the frame of fields is for what can be written into."""
    browser.setStyleSheet(
        "QTextBrowser { border: 1px solid transparent; border-radius: 0; padding: 0; }"
        " QTextBrowser:focus { border-color: palette(link); }"
    )
