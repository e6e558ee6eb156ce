"""Leads what is typed into the search box to the list of documents, and shows it only beside that list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from confere.desktop.core.actions import Action

if TYPE_CHECKING:
    from confere.app.documents.search.search_language import SearchProblem
    from confere.desktop.shell.window import MainWindow


class SearchCommands(QObject):
    """Belongs to one window. Away from the list the box is empty; what was searched for is there again with it."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._text = ""
        self._problem: SearchProblem | None = None
        window.top.search.asked.connect(self._searched)
        window.top.search.left.connect(self._to_list)
        window.documents.search_cleared.connect(self._dropped)
        window.documents.problem_found.connect(self._have_problem)
        window.arrived.connect(self._arrived)

    def _searched(self, text: str) -> None:
        window = self._window
        if text != self._text:
            self._text, self._problem = text, None  # which was about another text
        if text and window.place is not Action.DOCUMENTS:
            is_typing = window.top.search.hasFocus()
            window.go_to(Action.DOCUMENTS)
            if is_typing:  # the list takes the keyboard when it is gone to, but not from under somebody's fingers
                window.top.search.setFocus(Qt.FocusReason.OtherFocusReason)
        window.documents.search(text)

    def _to_list(self) -> None:
        self._window.go_to(Action.DOCUMENTS)
        self._window.documents.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._window.documents.stand_on_result()

    def _dropped(self) -> None:
        self._text = ""
        self._window.top.search.put("")

    def _have_problem(self, problem: SearchProblem | None) -> None:
        self._problem = problem
        if self._window.place is Action.DOCUMENTS:
            self._window.top.search.show_problem(problem)

    def _arrived(self, place: Action) -> None:
        search, is_list = self._window.top.search, place is Action.DOCUMENTS
        # What somebody types stays; who left for another page while typing has the keyboard there.
        if not (search.is_waiting and (is_list or search.hasFocus())):
            search.show_text(self._text if is_list else "")
        search.show_problem(self._problem if is_list else None)
