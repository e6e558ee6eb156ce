"""Suggestions under the search box, read beside the window while one types."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from confere.desktop.core.reader_topics import TopicReader, When
from confere.desktop.services import Services
from confere.desktop.shell.search.search_box import SearchBox
from confere.system.settings import HIDE_PEOPLE

if TYPE_CHECKING:
    from confere.app.documents.search.search_suggestions import SearchSuggestion


class SearchSuggester(QObject):
    """Gives `box` what the archive has for the word that is being typed, of the company and the days in use.

    It takes no focus and says no errors.
    """

    def __init__(self, box: SearchBox, services: Services) -> None:
        super().__init__(box)
        self._box = box
        self._services = services
        self._is_warm = False
        self._reader = TopicReader(self, services.reader, "search", self._forgive)
        box.offers_wanted.connect(self._ask)
        box.entered.connect(self._warm_up)

    def prepare(self) -> None:
        """Build the grammar once nothing else is being asked: whoever comes here by a key types at once."""
        self._warm_up(When.LATER)

    def _ask(self, word: str) -> None:
        from confere.app.documents.browse import DocumentQuery
        from confere.app.documents.search import search_suggestions

        scope = self._services.scope
        within = DocumentQuery(company=scope.company, from_day=scope.first_day, to_day=scope.last_day)
        opened = self._services.opened
        hidden = self._services.workspace.settings.get(HIDE_PEOPLE)
        self._reader.ask(
            "offers",
            lambda: search_suggestions.suggestions(opened, word, within=within, hide_people=hidden),
            partial(self._offer, word),
        )

    def _offer(self, word: str, suggestions: tuple[SearchSuggestion, ...]) -> None:
        self._box.offer(word, suggestions)

    def _warm_up(self, when: When = When.NOW) -> None:
        """The first search need not build the grammar while somebody types."""
        if not self._is_warm:
            self._reader.ask("grammar", _build_grammar, self._warmed, when=when)

    def _warmed(self, _: None) -> None:
        self._is_warm = True

    def _forgive(self, _error: Exception) -> None:
        """The list says what is wrong with the archive."""


def _build_grammar() -> None:
    from confere.app.documents.search import search_grammar  # loaded beside the window, too

    search_grammar.warm_up()
