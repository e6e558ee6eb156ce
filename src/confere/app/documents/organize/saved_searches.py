"""The use case "saved searches": words and filters under a name, for the sidebar and for `confere list --saved`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents.organize.tags import PERSON_ERASED, Tag
from confere.archive.documents.search import document_tags, saved_searches
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.documents.search.saved_searches import SavedSearch as SavedSearch
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, UsageFault, message

_PURPOSE: Final = "saved searches"
_PATIENCE: Final = 5.0  # seconds that another short write may take


class Arranged(NamedTuple):
    """What the sidebar shows."""

    searches: tuple[SavedSearch, ...] = ()
    tags: tuple[Tag, ...] = ()


def every(opened: OpenArchive) -> tuple[SavedSearch, ...]:
    """All of them, in their order."""
    with opened.reading() as transaction:
        return saved_searches.every(transaction)


def arranged(opened: OpenArchive) -> Arranged:
    """All saved searches and tags, in one look."""
    with opened.reading() as transaction:
        return Arranged(saved_searches.every(transaction), document_tags.every(transaction))


def save(workspace: Workspace, name: str, words: str, filters: DocumentQuery, *, replace: bool = False) -> SavedSearch:
    """Keep a search: `words` of the search language within `filters`, whose own words and order do not count.

    `UsageFault` for words that make no sense, for a search of everything, and where the name is taken unless it is
    to `replace` what it stands for.
    """
    from confere.app.documents.organize import names
    from confere.app.documents.search import search_language, search_tokens

    kept, words = names.checked(name), words.strip()
    problems = search_language.parse(words, DocumentQuery()).problems
    if problems:
        raise UsageFault(problems[0].what)
    words = search_tokens.in_every_language(words)
    chosen = saved_searches.filters_of(filters)
    if not words and not chosen:
        raise UsageFault(
            message("A search of everything needs no name."), message("Give words to look for, or a filter.")
        )
    with workspace.writing(_PURPOSE, wait_seconds=_PATIENCE) as archive, archive.writing() as transaction:
        there = saved_searches.find(transaction, kept)
        if there is None:
            return saved_searches.add(transaction, kept, words, chosen)
        if not replace:
            raise UsageFault(
                message("There is a saved search {name} already.", name=there.name),
                message("Choose another name, or replace it (--replace)."),
            )
        saved_searches.change(transaction, there, words, chosen)
        return SavedSearch(there.id, there.name, words, chosen, there.position, there.created_at)


def rename(workspace: Workspace, name: str, new: str) -> SavedSearch:
    """Call it otherwise. `UsageFault` where another one is called so."""
    from confere.app.documents.organize import names

    kept = names.checked(new)
    with workspace.writing(_PURPOSE, wait_seconds=_PATIENCE) as archive, archive.writing() as transaction:
        saved = _known(transaction, name)
        other = saved_searches.find(transaction, kept)
        if other is not None and other.id != saved.id:
            raise UsageFault(
                message("There is a saved search {name} already.", name=other.name), message("Choose another name.")
            )
        if kept != saved.name:
            saved_searches.rename(transaction, saved, kept)
        return _known(transaction, kept)


def remove(workspace: Workspace, name: str) -> SavedSearch:
    """Forget it; what `bring_back` takes. `NotInArchive` with the names like it where there is none."""
    with workspace.writing(_PURPOSE, wait_seconds=_PATIENCE) as archive, archive.writing() as transaction:
        saved = _known(transaction, name)
        saved_searches.remove(transaction, saved)
        return saved


def bring_back(workspace: Workspace, saved: SavedSearch) -> SavedSearch:
    """Undo `remove`. `UsageFault` where another one has taken the name meanwhile, or a person was erased since: nobody
    knows any more whether its words name that one."""
    from confere.archive.accounts import audit
    from confere.archive.orders import persons

    with workspace.writing(_PURPOSE, wait_seconds=_PATIENCE) as archive, archive.writing() as transaction:
        if audit.came_after(transaction, persons.ERASED, "search remove", str(saved.id)):
            raise UsageFault(*PERSON_ERASED)
        if saved_searches.find(transaction, saved.name) is not None:
            raise UsageFault(message("There is a saved search {name} already.", name=saved.name))
        return saved_searches.add(transaction, saved.name, saved.words, saved.filters, saved.position)


def within(opened: OpenArchive, name: str, given: DocumentQuery) -> DocumentQuery:
    """What the saved search asks for, narrowed to what `given` asks for too, in the order of `given`."""
    from confere.app.documents.organize.narrowing import narrowed

    with opened.reading() as transaction:
        saved = _known(transaction, name)
    return narrowed(query_of(saved), given, saved.name)


def query_of(saved: SavedSearch) -> DocumentQuery:
    """All that it asks for. `UsageFault` where its words make no sense any more."""
    from confere.app.documents.search import search_language

    parsed = search_language.parse(saved.words, saved_searches.query_of(saved))
    if parsed.problems:
        raise UsageFault(
            message("The saved search {name} is not understood: {why}", name=saved.name, why=parsed.problems[0].what),
            message("Save it again under this name."),
        )
    return parsed.query


def filters_of(saved: SavedSearch) -> DocumentQuery:
    """Its filters alone, without the words. `ArchiveError` where one is not understood."""
    return saved_searches.query_of(saved)


def kept_filters(query: DocumentQuery) -> dict[str, Any]:
    """What is kept of a query beside the words."""
    return saved_searches.filters_of(query)


def free_name(wanted: str, searches: Sequence[SavedSearch]) -> str:
    """`wanted`, cut to what a name may be, with a number behind it where it is taken."""
    from confere.app.documents.organize import names

    taken = {names.compared(saved.name) for saved in searches}
    short = wanted[: names.LONGEST - 4].strip()
    number, name = 2, short
    while names.compared(name) in taken:
        name, number = f"{short} {number}", number + 1
    return name


def _known(transaction: Transaction, name: str) -> SavedSearch:
    from confere.app.documents.organize import names

    found = saved_searches.find(transaction, name)
    if found is None:
        raise NotInArchive(
            message("There is no saved search {name}.", name=name),
            names.instead_of(
                name,
                [saved.name for saved in saved_searches.every(transaction)],
                message("Save the first one: `confere saved add NAME WORDS`."),
            ),
        )
    return found
