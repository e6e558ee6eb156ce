"""What waits to be judged: found in short looks at the archive, eight bytes a content."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from confere.app.authenticity import judging
from confere.app.authenticity.judging import Accounts, JudgingTask, Roots, Worlds
from confere.archive.authenticity import verdicts
from confere.archive.documents import documents
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.store import Archive
from confere.archive.transaction import Ids, Transaction
from confere.system.paths import Home
from confere.system.processes.cancellation import Stop

TASK: Final = 64
"""Contents of a task."""
_LOOK: Final = 4000  # contents looked at once for what is to do


class VerifyPlan:
    """The contents to judge, by the basis that each is to be judged by."""

    def __init__(self, archive: Archive, home: Home) -> None:
        self._archive = archive
        self._home = home
        self._bases: dict[Accounts, int] = {}
        self._waiting: dict[Accounts, Ids] = {}
        self.roots: Roots = {}

    @property
    def contents(self) -> int:
        return sum(map(len, self._waiting.values()))

    def look(self, query: DocumentQuery | None, again: bool, stop: Stop | None) -> None:
        """Find what waits, in short looks at the archive."""
        for part in self._candidates(query):
            if stop is not None and stop.is_set:
                return
            with self._archive.reading() as transaction:
                worlds = verdicts.worlds(transaction, part)
                before = verdicts.judged_by(transaction, part)
                self._meet(transaction, set(worlds.values()))
            for content_id in part:
                accounts = worlds[content_id]
                if again or before.get(content_id) != self._bases[accounts]:
                    self._waiting.setdefault(accounts, Ids("q")).append(content_id)

    def take(self, content_ids: Collection[int]) -> None:
        """These contents, whatever was found in them before."""
        with self._archive.reading() as transaction:
            worlds = verdicts.worlds(transaction, content_ids)
            self._meet(transaction, set(worlds.values()))
        for content_id in sorted(content_ids):
            self._waiting.setdefault(worlds[content_id], Ids("q")).append(content_id)

    def tasks(self) -> Iterator[JudgingTask]:
        for accounts, ids in self._waiting.items():
            for start in range(0, len(ids), TASK):
                yield JudgingTask(accounts, self._bases[accounts], tuple(ids[start : start + TASK]))

    def _candidates(self, query: DocumentQuery | None) -> Iterator[tuple[int, ...]]:
        if query is not None:
            with self._archive.reading() as transaction:
                found = verdicts.contents_of(transaction, documents.ids(transaction, query))
            yield from (found[start : start + _LOOK] for start in range(0, len(found), _LOOK))
            return
        after = 0
        while True:
            with self._archive.reading() as transaction:
                found = verdicts.contents(transaction, after, _LOOK)
            if not found:
                return
            yield found
            after = found[-1]

    def _meet(self, transaction: Transaction, worlds: set[Accounts]) -> None:
        new = worlds - self._bases.keys()
        if not new:
            return
        self.roots = {**self.roots, **judging.roots_of(transaction, new)}
        known = Worlds(self._home, self.roots)
        with self._archive.writing() as writing:
            for accounts in sorted(new):
                self._bases[accounts] = verdicts.basis_id(writing, *known.basis(accounts))
