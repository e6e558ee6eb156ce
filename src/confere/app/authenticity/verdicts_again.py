"""Judging contents once more while they are verified, to compare the verdicts that are kept of them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from confere.app.authenticity import judging
from confere.app.authenticity.judging import Accounts, Worlds
from confere.archive.authenticity import verdicts
from confere.archive.authenticity.verdicts import JudgedContent
from confere.archive.maintenance.health import PaperReader
from confere.archive.transaction import Transaction
from confere.fiscal.model import Paper
from confere.intake.isolated_reading import is_large
from confere.system.paths import Home

_UNKNOWN: Final = -1


class JudgingReader(PaperReader):
    """Judges in the same parse what was judged by today's rules and certificates; the others are counted and read.

    What may end the process, and was judged apart from it, is read alone.
    """

    def __init__(self, home: Home) -> None:
        super().__init__()
        self._home = home
        self._accounts: dict[int, Accounts] = {}
        self._due: dict[int, int] = {}  # the basis by which each content of this block is to be judged
        self._roots: dict[Accounts, tuple[bytes, ...]] = {}
        self._worlds = Worlds(home, {})

    def begin(self, transaction: Transaction, content_ids: Collection[int]) -> None:
        """Look up by what these contents were judged."""
        self.judged = []
        self._accounts = verdicts.worlds(transaction, content_ids)
        self._meet(transaction, set(self._accounts.values()))
        known = verdicts.bases(transaction)
        before = verdicts.judged_by(transaction, content_ids)
        bases = {
            accounts: known.get(self._worlds.basis(accounts), _UNKNOWN) for accounts in set(self._accounts.values())
        }
        self._due = {
            content_id: basis
            for content_id, accounts in self._accounts.items()
            if (basis := bases[accounts]) == before.get(content_id)
        }
        self.by_another_basis += len(before) - len(self._due)

    def read(self, content_id: int, data: bytes) -> Paper:
        """As `PaperReader.read`, judged where that can be compared."""
        basis = self._due.get(content_id)
        if basis is None or is_large(data):
            return super().read(content_id, data)
        paper, found = self._worlds.read_and_judge(data, self._accounts[content_id])
        self.judged.append(JudgedContent(content_id, basis, found))
        return paper

    def _meet(self, transaction: Transaction, worlds: set[Accounts]) -> None:
        if worlds - self._roots.keys():
            self._roots |= judging.roots_of(transaction, worlds - self._roots.keys())
            self._worlds = Worlds(self._home, self._roots)
