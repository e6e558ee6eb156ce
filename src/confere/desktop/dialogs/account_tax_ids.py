"""The establishments of an account as lines to type in: masked while typed, checked by their digits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from confere.desktop.theme.theme import Look
from confere.desktop.widgets.form import mark_wrong
from confere.fiscal import taxpayers
from confere.system.messages import t

_CNPJ: Final = 14
_CPF: Final = 11
_SIGNS: Final = {2: ".", 5: ".", 8: "/", 12: "-"}
_BETWEEN: Final = re.compile(r"[;,\s]+")


def masked(text: str) -> str:
    """What was typed of a CNPJ so far, with the signs of its mask: `11222333` is `11.222.333`."""
    plain = _plain(text)[:_CNPJ]
    return "".join(_SIGNS.get(place, "") + letter for place, letter in enumerate(plain))


def problem_of(text: str) -> str:
    """What is wrong with a CNPJ or CPF, as a sentence; empty where nothing is, or nothing was typed."""
    plain = _plain(text)
    if not plain or taxpayers.is_cnpj(plain) or taxpayers.is_cpf(plain):
        return ""
    shown = taxpayers.format_tax_id(plain)
    if taxpayers.CNPJ_SHAPE.fullmatch(plain) or taxpayers.CPF_SHAPE.fullmatch(plain):
        return t("{value} is no CNPJ or CPF: its check digits do not agree. Copy it from an invoice.", value=shown)
    return t("{value} is no CNPJ or CPF: a CNPJ has 14 characters, a CPF 11.", value=masked(text))


class TaxIds(QWidget):
    """One line for each establishment; several that are pasted at once become several lines."""

    changed = Signal()
    finished = Signal()  # a line was left: time to say what is wrong

    def __init__(self, look: Look, values: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self.lines: list[_Line] = []
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(6)
        layout.addLayout(self._rows)
        for value in values or ("",):
            self._add(value)
        self.more = QPushButton(look.icon("plus", "accent"), t("Add another establishment"))
        self.more.setProperty("look", "link")
        self.more.setAutoDefault(False)  # Enter is for what the dialog is for
        self.more.clicked.connect(self._add_empty)
        foot = QHBoxLayout()
        foot.addWidget(self.more)
        foot.addStretch(1)
        layout.addLayout(foot)
        self.setFocusProxy(self.lines[0].edit)

    @property
    def values(self) -> tuple[str, ...]:
        """What was typed, without masks and empty lines, each once."""
        return tuple(dict.fromkeys(plain for line in self.lines if (plain := _plain(line.edit.text()))))

    @property
    def problem(self) -> str:
        """The first thing that is wrong, or empty."""
        return next((found for line in self.lines if (found := problem_of(line.edit.text()))), "")

    def show_problems(self) -> None:
        """Mark the lines that are wrong."""
        for line in self.lines:
            mark_wrong(line.edit, bool(problem_of(line.edit.text())))

    def _add_empty(self) -> None:
        self._add("").edit.setFocus()
        self._order()
        self.changed.emit()

    def _add(self, value: str) -> _Line:
        line = _Line(self._look, value, self)
        line.edited.connect(self._edited)
        line.edit.editingFinished.connect(self.finished)
        line.gone.connect(self._remove)
        self.lines.append(line)
        self._rows.addWidget(line)
        line.show()  # a layout shows it only later, and what is hidden takes no keyboard
        self._name()
        return line

    def _remove(self, line: _Line) -> None:
        """The last line stays, empty."""
        if len(self.lines) == 1:
            line.edit.clear()
        else:
            place = self.lines.index(line)
            self.lines.remove(line)
            self._rows.removeWidget(line)
            line.hide()
            line.deleteLater()
            self.lines[min(place, len(self.lines) - 1)].edit.setFocus()
        self._name()
        self.setFocusProxy(self.lines[0].edit)
        self.changed.emit()
        self.finished.emit()

    def _edited(self, line: _Line, typed: str) -> None:
        pieces = [piece for piece in _BETWEEN.split(typed) if piece]
        if len(pieces) > 1 and all(len(_plain(piece)) in (_CNPJ, _CPF) for piece in pieces):
            line.put(pieces[0])
            for piece in pieces[1:]:
                self._add(_plain(piece))
            self._order()
            self.finished.emit()
        self.changed.emit()

    def _order(self) -> None:
        """Tab goes down the lines, then to the button under them, which is older than a line added later."""
        controls = [control for line in self.lines for control in (line.edit, line.remove)]
        for before, after in pairwise((*controls, self.more)):
            self.setTabOrder(before, after)

    def _name(self) -> None:
        for number, line in enumerate(self.lines, 1):
            line.edit.setAccessibleName(t("CNPJ of establishment {number}", number=number))


class _Line(QWidget):
    edited = Signal(object, str)
    gone = Signal(object)

    def __init__(self, look: Look, value: str, parent: QWidget) -> None:
        super().__init__(parent)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self.edit = QLineEdit(taxpayers.format_tax_id(value))
        self.edit.setPlaceholderText("00.000.000/0000-00")
        self.edit.textEdited.connect(self._typed)
        self.edit.editingFinished.connect(self._left)
        layout.addWidget(self.edit, 1)
        self.remove = QToolButton()
        self.remove.setProperty("look", "quiet")
        self.remove.setIcon(look.icon("trash"))
        self.remove.setToolTip(t("Remove this establishment"))
        self.remove.setAccessibleName(t("Remove this establishment"))
        self.remove.clicked.connect(lambda: self.gone.emit(self))
        layout.addWidget(self.remove)

    def put(self, value: str) -> None:
        self.edit.setText(taxpayers.format_tax_id(_plain(value)))

    def _typed(self, typed: str) -> None:
        self.edited.emit(self, typed)
        if self.edit.text() != typed:  # it was spread over several lines
            return
        before = len(_plain(typed[: self.edit.cursorPosition()]))
        at_end = self.edit.cursorPosition() == len(typed)
        shown = masked(typed)
        if shown != typed:
            self.edit.setText(shown)
            self.edit.setCursorPosition(len(shown) if at_end else _place_after(shown, before))

    def _left(self) -> None:
        plain = _plain(self.edit.text())
        if taxpayers.is_cpf(plain):
            self.edit.setText(taxpayers.format_tax_id(plain))


def _plain(text: str) -> str:
    return "".join(letter for letter in taxpayers.normalise(text) if letter.isascii() and letter.isalnum())


def _place_after(shown: str, count: int) -> int:
    """The place behind the first `count` letters and digits."""
    for place, letter in enumerate(shown):
        if count == 0:
            return place
        count -= letter.isalnum()
    return len(shown)
