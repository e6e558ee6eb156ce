"""The search box: asks while one types, suggests what the word may become, and says under itself what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QEvent, QModelIndex, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent, QMouseEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QFrame, QHBoxLayout, QLineEdit, QListView, QSizePolicy, QWidget

from confere.desktop.theme.measures import FIELD
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.plain_text import Label
from confere.system.messages import render, t

if TYPE_CHECKING:
    from confere.app.documents.search.search_language import FieldHelp, SearchProblem
    from confere.app.documents.search.search_suggestions import SearchSuggestion

_PAUSE_MS: Final = 180
_OFFER_PAUSE_MS: Final = 60
_SHORTEST: Final = 2  # letters of a word before names of fields are offered
_NARROWEST, _WIDEST = 172, 560
_BESIDE_GLASS: Final = -10  # Qt leaves the room of a second icon between the first one and the letters
_OFFERS_WIDTH: Final = 240
_OFFER_HEIGHT: Final = 26
_OFFERS_FRAME: Final = 14  # the list's border and padding, which a completer does not count
_MOVED: Final = (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Hide, QEvent.Type.Show)
_ENDS: Final = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_LEFT_TO_COMPLETER: Final = (*_ENDS, Qt.Key.Key_Escape, Qt.Key.Key_Tab, Qt.Key.Key_Backtab)


class SearchBox(QLineEdit):
    """`asked` comes with the text when the keys rest, and at once with Enter; Esc empties the box."""

    asked = Signal(str)
    left = Signal()  # Enter, the arrow down, or Esc in an empty box: the keyboard goes to the list
    entered = Signal()  # the keyboard came here
    offers_wanted = Signal(str)  # suggestions for the word that is being typed: `offer` takes them

    def __init__(self, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._last = ""
        self._problem: SearchProblem | None = None
        self._bubble: _Bubble | None = None
        self._watched: QWidget | None = None
        self.setPlaceholderText(t("Search: number, key, name, item… or field:value"))
        self.setAccessibleName(t("Search"))
        self.setClearButtonEnabled(True)
        self.setMinimumHeight(FIELD)
        self.setMinimumWidth(_NARROWEST)
        self.setMaximumWidth(_WIDEST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._glass = self.addAction(look.icon("search", "muted"), QLineEdit.ActionPosition.LeadingPosition)
        self.setTextMargins(_BESIDE_GLASS, 0, 0, 0)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(_OFFER_PAUSE_MS)
        self._typing.timeout.connect(lambda: self.offers_wanted.emit(self._word()[1]))
        self._names = QStandardItemModel(self)
        self._offers = QListView()
        self._offers.setProperty("look", "offers")
        self._completer = QCompleter(self._names, self)
        self._completer.setPopup(self._offers)
        self._completer.setWidget(self)
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.activated[QModelIndex].connect(self._complete)  # type: ignore[index]
        self._known_fields: tuple[FieldHelp, ...] = ()
        self.textChanged.connect(self._changed)
        self.textEdited.connect(self._edited)
        look.changed.connect(self._paint)

    @property
    def problem(self) -> SearchProblem | None:
        """What is wrong with the text, as it is shown."""
        return self._problem

    @property
    def problem_text(self) -> str:
        """The sentence under the box; empty where there is none."""
        return self._bubble.text if self._bubble is not None and self._bubble.isVisible() else ""

    @property
    def completer_popup(self) -> QListView:
        """The list of names that is offered while one types."""
        return self._offers

    @property
    def _is_choosing(self) -> bool:
        """Whether somebody has gone into the suggestions. A window system that gives their list the keyboard makes the
        first one current, though not selected: Enter would put it in place of what was typed."""
        return self._offers.selectionModel().hasSelection()

    @property
    def is_waiting(self) -> bool:
        """Whether something is typed that is asked for when the keys rest."""
        return self._pause.isActive() and self.text().strip() != self._last

    def show_text(self, text: str) -> None:
        """Show what is searched for already; somebody's blanks around it stay."""
        if text != self.text().strip():
            self._last = text
            self.setText(text)

    def put(self, text: str) -> None:
        """Search for `text` as if it had been typed."""
        self.setText(text)
        self._ask()

    def show_problem(self, problem: SearchProblem | None) -> None:
        """Say what is wrong under the box, or nothing any more."""
        if problem == self._problem:
            return  # marking it anew would end a letter that is being put together of two keys
        self._problem = problem
        self.setProperty("wrong", "true" if problem is not None else "false")
        self.style().unpolish(self)
        self.style().polish(self)
        self._underline()
        if problem is None:
            if self._bubble is not None:
                self._bubble.hide()
            return
        if self._bubble is None or self._bubble.parentWidget() is not self.window():
            self._bubble = _Bubble(self.window())
            self._bubble.pressed.connect(self._show_place)
            self._watch(self.window())
        self._bubble.say(render(problem.what))
        self._place_bubble()

    # What Qt asks

    def keyPressEvent(self, event: QKeyEvent) -> None:
        popup = self._offers
        if popup.isVisible() and event.key() in _LEFT_TO_COMPLETER:
            if event.key() in _ENDS and not self._is_choosing:
                popup.hide()
                self._ask()
                self.left.emit()
                return
            event.ignore()
            return
        if event.key() in _ENDS:
            self._ask()
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape:
            if self.text():
                self.clear()
                self._ask()
            else:
                self.left.emit()
        elif event.key() == Qt.Key.Key_Down:
            self._ask()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.entered.emit()
        if event.reason() in (Qt.FocusReason.ShortcutFocusReason, Qt.FocusReason.TabFocusReason):
            self.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._watched and event.type() == QEvent.Type.Resize:
            self._place_bubble()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in _MOVED and getattr(self, "_bubble", None) is not None:
            self._place_bubble()
        return done

    # What happens

    def _changed(self) -> None:
        if self._problem is not None:
            self.show_problem(None)  # it was about another text
        self._pause.start()

    def _ask(self) -> None:
        self._pause.stop()
        self._typing.stop()
        text = self.text().strip()
        if text != self._last:
            self._last = text
            self.asked.emit(text)

    def _word(self) -> tuple[int, str]:
        """Where the word under the cursor begins, and its part before the cursor."""
        before = self.text()[: self.cursorPosition()]
        start = max(before.rfind(" "), before.rfind('"')) + 1
        return start, before[start:]

    def _edited(self) -> None:
        self._typing.start()
        self._show_offers(())

    def offer(self, word: str, suggestions: Sequence[SearchSuggestion]) -> None:
        """Show what `word` may become, above the names of fields; nothing where another word is typed by now.

        Whoever has gone into the list of suggestions already keeps it as it is.
        """
        if suggestions and self.hasFocus() and word == self._word()[1] and not self._is_choosing:
            self._show_offers(suggestions)

    def _show_offers(self, suggestions: Sequence[SearchSuggestion]) -> None:
        from confere.app.documents.search.search_suggestions import SearchSuggestion
        from confere.system.plain_text import plain

        fields = (SearchSuggestion(text, text) for text in self._fitting(self._word()[1]))
        self._names.clear()
        for text, label in (*suggestions, *fields):
            item = QStandardItem(plain(label))
            item.setData(text, Qt.ItemDataRole.UserRole)
            item.setSizeHint(QSize(0, _OFFER_HEIGHT))
            self._names.appendRow(item)
        if self._names.rowCount():
            place = self.rect() if suggestions else self.cursorRect()
            place.setWidth(max(_OFFERS_WIDTH, min(self.width(), _WIDEST)) if suggestions else _OFFERS_WIDTH)
            self._completer.complete(place)
            shown = min(self._names.rowCount(), self._completer.maxVisibleItems())
            self._offers.resize(self._offers.width(), shown * _OFFER_HEIGHT + _OFFERS_FRAME)
        else:
            self._offers.hide()

    @property
    def _fields(self) -> tuple[FieldHelp, ...]:
        """The fields of the language, put together when somebody types."""
        if not self._known_fields:
            from confere.app.documents.search import search_language

            self._known_fields = search_language.fields()
        return self._known_fields

    def _fitting(self, word: str) -> list[str]:
        """Names of fields that begin like `word` or, after a colon, values; accents may be missing."""
        name, colon, value = word.partition(":")
        if colon:
            field = next((entry for entry in self._fields if _is_called(entry, name)), None)
            found = [f"{name}:{one}" for one in field.values if _begins(one, value)] if field is not None else []
        elif len(word) >= _SHORTEST:
            found = [f"{entry.name}:" for entry in self._fields if _begins(entry.name, word)]
        else:
            found = []
        return [entry for entry in found if entry != word]

    def _complete(self, index: QModelIndex) -> None:
        from confere.system.plain_text import plain

        chosen = plain(index.data(Qt.ItemDataRole.UserRole) or "")
        start, word = self._word()
        rest = self.text()[start + len(word) :]
        ending = "" if chosen.endswith(":") or rest.startswith(" ") else " "
        self.setText(self.text()[:start] + chosen + ending + rest)
        self.setCursorPosition(start + len(chosen) + len(ending))
        if chosen.endswith(":"):
            self._edited()
        else:
            self._pause.start()

    def _show_place(self) -> None:
        if self._problem is not None:
            self.setFocus()
            self.setSelection(self._problem.start, self._problem.end - self._problem.start)

    def _watch(self, window: QWidget) -> None:
        if self._watched is not window:
            if self._watched is not None:
                self._watched.removeEventFilter(self)
            self._watched = window
            window.installEventFilter(self)

    def _place_bubble(self) -> None:
        if self._bubble is None:
            return
        shown = self._problem is not None and self.isVisible()
        self._bubble.setVisible(shown)
        if shown:
            window = self.window()
            below = self.mapTo(window, QPoint(0, self.height() + 4))
            self._bubble.fit(max(self.width(), 320), window.width() - below.x() - 8)
            self._bubble.move(below)
            self._bubble.raise_()

    def _underline(self) -> None:
        """Mark the word that is wrong: a line edit takes marks only the way an input method makes them."""
        from PySide6.QtGui import QTextCharFormat

        marks = []
        if self._problem is not None:
            wave = QTextCharFormat()
            wave.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            wave.setUnderlineColor(self._look.colours.bad)
            start, length = self._problem.start - self.cursorPosition(), self._problem.end - self._problem.start
            marks.append(QInputMethodEvent.Attribute(QInputMethodEvent.AttributeType.TextFormat, start, length, wave))
        QCoreApplication.sendEvent(self, QInputMethodEvent("", marks))

    def _paint(self) -> None:
        self._glass.setIcon(self._look.icon("search", "muted"))


class _Bubble(QFrame):
    """A sentence that lies over the window and takes no room in it."""

    pressed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("notice", "bad")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._label = Label(parent=self)
        self._label.setWordWrap(True)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 6, 10, 6)
        layout.addWidget(self._label)
        self.hide()

    @property
    def text(self) -> str:
        return self._label.text()

    def say(self, text: str) -> None:
        self._label.setText(text)
        self._label.setAccessibleName(text)

    def fit(self, wanted: int, room: int) -> None:
        """As wide as the box, no wider than the window, and as high as the text needs."""
        width = max(min(wanted, room), 160)
        self.setFixedWidth(width)
        self.setFixedHeight(self._label.heightForWidth(width - 20) + 12)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()
        self.pressed.emit()


def _is_called(field: FieldHelp, name: str) -> bool:
    from confere.system.plain_text import folded

    return folded(name) in map(folded, (field.name, *field.synonyms))


def _begins(text: str, beginning: str) -> bool:
    from confere.system.plain_text import folded

    return folded(text).startswith(folded(beginning))
