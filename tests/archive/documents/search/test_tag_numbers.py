"""Numbers of tags and saved searches are never used again: what undoes an act knows its tag or search by them."""

from __future__ import annotations

from pathlib import Path

from confere.app.context import Workspace
from confere.archive.documents.search import document_tags, saved_searches
from confere.archive.store import Archive


def test_no_number_is_used_again(tmp_path: Path) -> None:
    with Workspace.at(tmp_path).writing("test") as archive:
        first = _tag(archive, "Alfa")
        search = _search(archive, "um")
    with Workspace.at(tmp_path).writing("test") as archive:
        with archive.writing() as transaction:
            document_tags.delete(transaction, first)
            saved_searches.remove(transaction, search)
        second = _tag(archive, "Beta")
        with archive.writing() as transaction:
            back = document_tags.bring_back(transaction, first, ())
        assert len({first.id, second.id, back.id}) == 3
        assert _search(archive, "dois").id != search.id


def _tag(archive: Archive, name: str) -> document_tags.Tag:
    with archive.writing() as transaction:
        return document_tags.make(transaction, name)


def _search(archive: Archive, name: str) -> saved_searches.SavedSearch:
    with archive.writing() as transaction:
        return saved_searches.add(transaction, name, name, {})
