"""Colours XML on the screen: tags, attributes, values and comments, in the colours of the look."""

from __future__ import annotations

import re
from typing import Final

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from confere.desktop.theme.theme import Look

_TEXT, _COMMENT, _TAG, _CDATA = -1, 1, 2, 3
_OPENING: Final = re.compile(r"<!--|<!\[CDATA\[|</?[^\s<>/]*|<")
_INSIDE: Final = re.compile(r"""(?P<end>[/?]?>)|(?P<name>[^\s=<>"'/]+)(?=\s*=)|(?P<value>"[^"]*"?|'[^']*'?)""")
_ENDS: Final = {_COMMENT: "-->", _CDATA: "]]>"}


class XmlHighlighter(QSyntaxHighlighter):
    """Follows the look; told `use(False)` it leaves the text plain, as one does with very long ones."""

    def __init__(self, document: QTextDocument, look: Look) -> None:
        super().__init__(document)
        self._look = look
        self._is_on = True
        self._dye()
        look.changed.connect(self._dye_again)

    def use(self, on: bool) -> None:
        """Whether what is set from now on is coloured."""
        self._is_on = on

    def highlightBlock(self, text: str) -> None:
        if not self._is_on:
            return
        state, place = self.previousBlockState(), 0
        while place < len(text):
            if state == _TAG:
                state, place = self._tag(text, place)
            elif state in _ENDS:
                state, place = self._until(text, place, state)
            else:
                found = _OPENING.search(text, place)
                if found is None:
                    break
                state, place = self._open(text, found)
        self.setCurrentBlockState(state)

    def _open(self, text: str, found: re.Match[str]) -> tuple[int, int]:
        mark = found[0]
        if mark == "<!--":
            return self._until(text, found.start(), _COMMENT)
        if mark.startswith("<!["):
            self.setFormat(found.start(), len(mark), self._quiet)
            return _CDATA, found.end()
        self.setFormat(found.start(), len(mark), self._name)
        return _TAG, found.end()

    def _tag(self, text: str, place: int) -> tuple[int, int]:
        while (found := _INSIDE.search(text, place)) is not None:
            place = found.end()
            length = place - found.start()
            if found["end"]:
                self.setFormat(found.start(), length, self._name)
                return _TEXT, place
            self.setFormat(found.start(), length, self._attribute if found["name"] else self._value)
        return _TAG, len(text)

    def _until(self, text: str, place: int, state: int) -> tuple[int, int]:
        end = text.find(_ENDS[state], place)
        stop = len(text) if end < 0 else end + 3
        if state == _COMMENT:
            self.setFormat(place, stop - place, self._quiet)
        elif end >= 0:
            self.setFormat(end, 3, self._quiet)
        return (state if end < 0 else _TEXT), stop

    def _dye(self) -> None:
        colours = self._look.colours
        self._name, self._attribute = _format(colours.accent), _format(colours.warn)
        self._value, self._quiet = _format(colours.good), _format(colours.muted)

    def _dye_again(self) -> None:
        self._dye()
        self.rehighlight()


def _format(colour: str) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(QColor(colour))
    return made
