"""Tags against a plain model: put on, taken off, renamed, deleted and brought back, and read again in between."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.browse import DocumentQuery
from confere.app.documents.organize import tags
from confere.app.documents.organize.tags import DeletedTag
from confere.app.maintenance import reindex
from confere.archive.accounts import audit_chain
from confere.archive.documents import documents
from confere.archive.maintenance.backups.backup import copy
from confere.archive.store import Archive
from confere.system.plain_text import folded_words
from tests.archive.papers import note, store

_NAMES = st.sampled_from(("Pagar", "pagár", "A conferir", "Zeta"))
_IDS = st.lists(st.integers(1, 4), min_size=1, max_size=3)
_ODD = b'<?xml version="1.0"?><odd xmlns="urn:x"><a>1</a></odd>'  # paper without a key


class Tagging(RuleBasedStateMachine):
    """`model` has, by the name as names are compared, which rows bear a tag."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="confere-tags-"))
        self.workspace = Workspace.at(self.folder)
        with self.workspace.writing("test") as archive:
            store(archive, note(1), note(2), note(2, padding=" "), _ODD)
        self.opened = OpenArchive(self.workspace)
        self.model: dict[str, set[int]] = {}
        self.deleted: tuple[DeletedTag, set[int]] | None = None
        self.twins = self._twins()

    def _twins(self) -> dict[int, set[int]]:
        """The rows that are of one key with each row."""
        with self.opened.reading() as transaction:
            rows = documents.by_ids(transaction, range(1, 5))
            return {
                row.id: set(documents.versions(transaction, row.access_key)) if row.access_key else {row.id}
                for row in rows
            }

    def _all(self, ids: list[int]) -> set[int]:
        return set().union(*(self.twins[number] for number in ids))

    @rule(name=_NAMES, ids=_IDS)
    def add(self, name: str, ids: list[int]) -> None:
        tags.add(self.workspace, name, ids)
        self.model.setdefault(folded_words(name), set()).update(self._all(ids))

    @precondition(lambda self: self.model)
    @rule(data=st.data(), ids=_IDS)
    def remove(self, data: st.DataObject, ids: list[int]) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        tags.remove(self.workspace, name, ids)
        self.model[name] -= self._all(ids)

    @precondition(lambda self: self.model)
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from(sorted(self.model)))
        self.deleted = tags.delete(self.workspace, name), self.model.pop(name)

    @precondition(lambda self: self.deleted is not None)
    @rule()
    def bring_back(self) -> None:
        assert self.deleted is not None
        (deleted, bore), self.deleted = self.deleted, None
        name = folded_words(deleted.tag.name)
        if name not in self.model:
            tags.bring_back(self.workspace, deleted)
            self.model[name] = bore

    @rule()
    def read_everything_again(self) -> None:
        reindex.reindex(self.workspace, everything=True)

    @invariant()
    def it_is_as_the_model_says(self) -> None:
        with self.opened.reading() as transaction:
            rows = documents.tagged(transaction, documents.by_ids(transaction, range(1, 5)))
            assert audit_chain.verify(transaction).holds
        assert {folded_words(tag.name) for tag in tags.every(self.opened)} == set(self.model)
        current = set(browse.snapshot(self.opened, DocumentQuery()))
        for name, bearing in self.model.items():
            borne = {row.id for row in rows if name in {folded_words(tag.name) for tag in row.tags}}
            assert borne == bearing
            assert set(browse.snapshot(self.opened, DocumentQuery(tags=(name,)))) == bearing & current

    def teardown(self) -> None:
        self.opened.close()
        shutil.rmtree(self.folder, ignore_errors=True)


TestTagging = Tagging.TestCase
TestTagging.settings = settings(max_examples=5, stateful_step_count=8, deadline=None)


def test_a_tag_stays_on_the_key_when_another_content_takes_the_lead(path: Path) -> None:
    with Archive.to_write(path, "test") as archive:
        store(archive, note(1, cstat=None))
    workspace = Workspace.at(path.parent)
    tags.add(workspace, "Pagar", [1])
    with Archive.to_write(path, "test") as archive:
        store(archive, note(1))  # with its protocol: the one that is shown
    opened = OpenArchive(workspace)
    (listed,) = browse.first(opened, DocumentQuery(tags=("pagar",)))
    opened.close()
    assert listed.id == 2
    assert [tag.name for tag in listed.tags] == ["Pagar"]


def test_a_copy_holds_tags_and_their_documents(path: Path, tmp_path: Path) -> None:
    with Archive.to_write(path, "test") as archive:
        store(archive, note(1), note(2))
    tags.add(Workspace.at(path.parent), "Pagar", [2])
    there = tmp_path / "other"
    there.mkdir()
    copy(path, there / "archive.sqlite3")
    opened = OpenArchive(Workspace.at(there))
    assert list(browse.snapshot(opened, DocumentQuery(tags=("PAGAR",)))) == [2]
    opened.close()
