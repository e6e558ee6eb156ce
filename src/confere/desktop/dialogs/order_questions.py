"""What the import of orders asks: what a doubtful column is, what words for statuses mean, whether it is complete."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from confere.app.orders.orders import FIELD_WORDS, CompleteFor, Doubt, OrderFilePreview
from confere.desktop.theme.measures import GAP, WIDE_GAP
from confere.desktop.widgets.card import button, clear, label
from confere.errors import NC_, Message
from confere.sales.order import STATUS_MEANING_WORDS
from confere.system import formatting
from confere.system.messages import render, t

_MOST_WORDS = 12
_IN_A_ROW = 2


class OrderQuestions(QWidget):
    """`answer` is called with a column and the field that it is; `ask_again` after a word for a status was told."""

    def __init__(self, answer: Callable[[str, str], None], ask_again: Callable[[], None]) -> None:
        super().__init__()
        self._answer = answer
        self._ask_again = ask_again
        self.statuses: dict[str, str] = {}  # what a person said, by the file's word
        self.words: dict[str, QComboBox] = {}
        self._counts: dict[str, int] = {}
        self._doubts = QVBoxLayout()
        self._doubts.setSpacing(GAP)
        self._words_title = label(t("What these words for a status mean; it is remembered for the marketplace:"))
        self._words = QGridLayout()
        self._words.setHorizontalSpacing(WIDE_GAP)
        self._words.setVerticalSpacing(GAP)
        for place in range(_IN_A_ROW):
            self._words.setColumnStretch(2 * place + 1, 1)
        self.complete = QCheckBox(t("The file holds all orders of"))
        self.month = QComboBox()
        self.month.setAccessibleName(t("Month that is complete"))
        self.marketplace = QComboBox()
        self.marketplace.setAccessibleName(t("Marketplaces that are complete"))
        self.marketplace.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.complete.toggled.connect(self._enable)
        whole = QHBoxLayout()
        whole.setSpacing(GAP)
        for part in (self.complete, self.month, self.marketplace):
            whole.addWidget(part)
        whole.addStretch(1)
        self._whole = QWidget()
        beside = QVBoxLayout(self._whole)
        beside.setContentsMargins(0, 0, 0, 0)
        beside.setSpacing(2)
        beside.addLayout(whole)
        beside.addWidget(
            label(t("Then what is missing is missing; the findings name you and this file."), "muted", wraps=True)
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP + 2)
        layout.addLayout(self._doubts)
        layout.addWidget(self._words_title)
        layout.addLayout(self._words)
        layout.addWidget(self._whole)
        self._enable()
        self.show_nothing()

    @property
    def claim(self) -> CompleteFor | None:
        """What is declared complete."""
        month = self.month.currentData()
        if not self.complete.isChecked() or not month:
            return None
        name = self.marketplace.currentData()
        return CompleteFor((month,), (name,) if name else ())

    def forget(self) -> None:
        """Begin with another file."""
        self.statuses.clear()
        self._counts.clear()
        self.complete.setChecked(False)
        self.show_nothing()

    def show_nothing(self) -> None:
        """No file can be read: nothing is asked."""
        clear(self._doubts)
        self._fill_words({})
        self._whole.hide()

    def show_file(self, found: OrderFilePreview) -> None:
        """Ask what this file leaves open."""
        clear(self._doubts)
        for doubt in found.reading.doubts:
            self._doubts.addWidget(self._question(doubt))
        unknown = {word: count for word, count in found.reading.unknown_statuses.items() if word}
        self._counts = {**{word: count for word, count in self._counts.items() if word in self.statuses}, **unknown}
        self._fill_words(self._counts)
        newest = sorted(found.months.items(), reverse=True)
        _refill(self.month, {month: render_month(month, count) for month, count in newest})
        each = {name: t("of {marketplace}", marketplace=name) for name in found.marketplaces}
        _refill(self.marketplace, {"": t("of all marketplaces")} | each)
        self._whole.setVisible(bool(found.months))

    def _question(self, doubt: Doubt) -> QWidget:
        asked = QWidget()
        layout = QVBoxLayout(asked)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(GAP)
        layout.addWidget(label(render(doubt.why), "warn", wraps=True))
        row = QHBoxLayout()
        row.setSpacing(GAP)
        for field in doubt.choices:
            name = render(Message(FIELD_WORDS[field]))
            row.addWidget(
                button(
                    t("It is: {meaning}", meaning=name),
                    lambda field=field, column=doubt.column: self._answer(column, field),  # type: ignore[misc]
                )
            )
        row.addStretch(1)
        layout.addLayout(row)
        return asked

    def _fill_words(self, counts: Mapping[str, int]) -> None:
        shown = dict(list(counts.items())[:_MOST_WORDS])
        self._words_title.setVisible(bool(shown))
        if list(self.words) == list(shown):
            return
        clear(self._words)
        self.words.clear()
        for number, (word, count) in enumerate(shown.items()):
            row, place = divmod(number, _IN_A_ROW)
            name = label(f"{word} ({formatting.count(count)})")
            combo = QComboBox()
            combo.setAccessibleName(t("Meaning of the status {word}", word=word))
            combo.addItem(t(NC_("choice", "not known")), "")
            for meaning, text in STATUS_MEANING_WORDS.items():
                combo.addItem(render(Message(text)), meaning)
            combo.setCurrentIndex(max(0, combo.findData(self.statuses.get(word, ""))))
            combo.activated.connect(lambda _=0, word=word: self._said(word))
            name.setBuddy(combo)
            self.words[word] = combo
            self._words.addWidget(name, row, 2 * place, Qt.AlignmentFlag.AlignLeft)
            self._words.addWidget(combo, row, 2 * place + 1)

    def _said(self, word: str) -> None:
        meaning: str = self.words[word].currentData()
        if meaning:
            self.statuses[word] = meaning
        else:
            self.statuses.pop(word, None)
        self._ask_again()

    def _enable(self) -> None:
        for part in (self.month, self.marketplace):
            part.setEnabled(self.complete.isChecked())


def render_month(month: str, count: int) -> str:
    """`10/2026 (120)`: a month and how many orders of it there are."""
    return f"{formatting.month(month)} ({formatting.count(count)})"


def _refill(combo: QComboBox, entries: Mapping[str, str]) -> None:
    before = combo.currentData()
    if [combo.itemData(place) for place in range(combo.count())] == list(entries):
        return
    combo.clear()
    for data, text in entries.items():
        combo.addItem(text, data)
    combo.setCurrentIndex(max(0, combo.findData(before)))
