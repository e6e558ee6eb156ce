"""A line of the checklist: its state as a mark and a word, its sentence, a button for what to do, and its proof."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from confere.app.closing.checklist_line import ChecklistLine, RemedyKind
from confere.app.labels.checklist_labels import count_word, line_title, name_with_events, named_text, state_word
from confere.app.labels.labels import key_groups
from confere.desktop.theme.measures import GAP, ICON, WIDE_GAP
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.card import button, label
from confere.desktop.widgets.plain_text import Label, as_tip
from confere.errors import N_, Message
from confere.fiscal import access_keys
from confere.system import formatting
from confere.system.messages import render, t

# Of each state the drawing and the role of its colour: shapes tell them apart where colours do not.
STATE_MARKS: Final = {
    "ok": ("check", "good"),
    "warning": ("info", "info"),
    "not_checked": ("question", "warn"),
    "problem": ("error", "bad"),
}
PILLS: Final = {"ok": "good", "warning": "good", "not_checked": "warn", "problem": "bad"}
_VERBS: Final = {
    RemedyKind.SYNC: N_("Sync"),
    RemedyKind.VERIFY: N_("Check authenticity"),
    RemedyKind.RECONCILE: N_("Reconcile now"),
    RemedyKind.FINDINGS: N_("Show the findings"),
    RemedyKind.ORDERS: N_("Show the orders"),
    RemedyKind.NOT_AUTHENTIC: N_("Show the documents"),
    RemedyKind.UNREADABLE: N_("Look"),
    RemedyKind.NOT_OFFERED: N_("Look"),
    RemedyKind.IMPORT: N_("Import files…"),
    RemedyKind.EXPORT: N_("Export…"),
    RemedyKind.TERMS: N_("Accounts"),
    RemedyKind.CHANGES: N_("Show the changes"),
}
_KEYS: Final = 8  # that the proof names one by one; all of them can be copied
_WORD: Final = 96  # the width of the state's word


class ChecklistRow(QFrame):
    """`remedy_wanted` has the line whose button was pressed, `paper_wanted` the key of a document in its proof."""

    remedy_wanted = Signal(object)
    paper_wanted = Signal(str)
    copy_wanted = Signal(object)
    folded = Signal(object, bool)

    def __init__(self, look: Look, line: ChecklistLine, *, is_open: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look, self.line = look, line
        self.setProperty("card", True)
        title = line_title(line.code)
        self.setAccessibleName(f"{title}: {state_word(line.state)}")
        self._mark = Label()
        self._mark.setFixedWidth(ICON)
        self._word = label(state_word(line.state), STATE_MARKS[line.state][1])
        self._word.setMinimumWidth(_WORD)
        self.fold = QToolButton()
        self.fold.setProperty("look", "quiet")
        self.fold.setCheckable(True)
        self.fold.setChecked(is_open)
        self.fold.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.fold.setAccessibleName(t("Proof: {line}", line=title))
        self.fold.setToolTip(as_tip(t("Show or hide what was counted")))
        self.fold.toggled.connect(self._fold)
        self._proof = _proof(self)
        self._proof.setVisible(is_open)
        self._lay_out(title)
        self._paint()
        look.changed.connect(self._paint)

    def _lay_out(self, title: str) -> None:
        name = label(title)
        font = name.font()
        font.setBold(True)
        name.setFont(font)
        sentence = label(render(self.line.what), wraps=True, selectable=True)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(name)
        words.addWidget(sentence)
        head = QHBoxLayout()
        head.setSpacing(GAP)
        top = Qt.AlignmentFlag.AlignTop
        head.addWidget(self._mark, 0, top)
        head.addWidget(self._word, 0, top)
        head.addLayout(words, 1)
        if self.line.remedy_kind is not None:
            head.addWidget(self._remedy(self.line.remedy_kind, title), 0, top)
        head.addWidget(self.fold, 0, top)
        column = QVBoxLayout(self)
        column.setContentsMargins(WIDE_GAP, GAP, GAP, GAP)
        column.setSpacing(GAP // 2)
        column.addLayout(head)
        column.addWidget(self._proof)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def _remedy(self, kind: RemedyKind, title: str) -> QPushButton:
        verb = render(Message(_VERBS[kind]))
        made = button(verb, lambda: self.remedy_wanted.emit(self.line), name=f"{verb}: {title}")
        if self.line.remedy is not None:
            made.setToolTip(as_tip(render(self.line.remedy)))
        return made

    def _fold(self, is_open: bool) -> None:
        self._proof.setVisible(is_open)
        self._paint()
        self.folded.emit(self.line, is_open)

    def _paint(self) -> None:
        drawing, role = STATE_MARKS[self.line.state]
        self._mark.setPixmap(self._look.icon(drawing, role).pixmap(ICON, ICON))
        self.fold.setIcon(self._look.icon("up" if self.fold.isChecked() else "down", "muted"))


def _proof(row: ChecklistRow) -> QWidget:
    """What was counted, the stretch that was listed, the first names, and the way to all of them."""
    proof = row.line.proof
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(ICON + GAP + _WORD + GAP, 0, 0, 0)
    column.setSpacing(2)
    for text in _facts(row.line):
        column.addWidget(_fact(text))
    keys = [name for name in proof.names if access_keys.is_valid(name)][:_KEYS]
    for key in keys:
        link = button(
            name_with_events(key, proof.events).replace(key, key_groups(key)),
            partial(row.paper_wanted.emit, key),
            "link",
            t("Show the document {key}", key=key),
        )
        column.addWidget(link, 0, Qt.AlignmentFlag.AlignLeft)
    others = [name for name in proof.names if name not in keys]
    if others and not keys:
        column.addWidget(_fact(named_text(others[:_KEYS], proof.named)))
    elif proof.named > len(keys) > 0:
        column.addWidget(_fact(t("and {count} more", count=formatting.count(proof.named - len(keys)))))
    if proof.names:
        copy = button(
            t("Copy the list"), lambda: row.copy_wanted.emit(row.line), "link", t("Copy the list: {line}",
            line=line_title(row.line.code))
        )  # fmt: skip
        column.addWidget(copy, 0, Qt.AlignmentFlag.AlignLeft)
    return made


def _facts(line: ChecklistLine) -> list[str]:
    proof = line.proof
    texts = []
    if proof.counts:
        counted = (f"{count_word(name)}: {formatting.count(number)}" for name, number in proof.counts.items())
        texts.append(" · ".join(counted))
    if proof.to_at is not None:
        begins = formatting.moment(proof.from_at) if proof.from_at is not None else t("the beginning")
        texts.append(t("Listed from {first} to {last}.", first=begins, last=formatting.moment(proof.to_at)))
    if proof.since is not None:
        texts.append(t("Last looked at: {moment}.", moment=formatting.moment(proof.since)))
    if line.remedy is not None:
        texts.append(render(line.remedy))
    if proof.command:
        texts.append(t("All of it, on the command line: {command}", command=proof.command))
    return texts or [t("Nothing was counted.")]


def _fact(text: str) -> QLabel:
    return label(text, "muted", wraps=True, selectable=True)
