"""Judging contents of the archive: one here, or many in a worker process that reads the archive for itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.serialization import Encoding

from confere.app.authenticity import trust
from confere.archive.authenticity import account_roots, verdicts
from confere.archive.authenticity.verdicts import JudgedContent as Kept
from confere.archive.authenticity.verdicts import Judgement
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault import vault
from confere.archive.vault.bulk_reader import by_weight
from confere.archive.vault.reader import VaultReader
from confere.archive.vault.vault import digest_of
from confere.errors import ArchiveCorrupt, PaperError
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import RULES, JudgedDocument, World, judge_paper, read_and_judge
from confere.fiscal.authenticity.schemas import SchemaSet
from confere.fiscal.authenticity.verdict import Check, SignedKind
from confere.fiscal.model import Paper
from confere.intake.isolated_reading import is_large
from confere.system.paths import Home
from confere.system.processes.isolated_process import Ended, apart_or_again

Accounts = tuple[int, ...]
"""The sandboxes' accounts in whose world a paper stands; none for production."""
Roots = Mapping[Accounts, tuple[bytes, ...]]

JUDGING: Final = "verdict "
"""How what is judged is called in the notes of what is in hand; the SHA-256 of its bytes follows."""

_KINDS: Final = {
    SignedKind.DOCUMENT: verdicts.DOCUMENT,
    SignedKind.EVENT: verdicts.EVENT,
    SignedKind.VOIDING: verdicts.VOIDING,
}
_SCHEMA: Final = frozenset({Check.SCHEMA})


@dataclass(frozen=True, slots=True)
class JudgingTask:
    """Contents to judge in one world, by one basis."""

    accounts: Accounts
    basis: int
    content_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class JudgingResult:
    """What became of a task. The bytes of `damaged` contents are no longer what was received.

    Judging those `set_aside` ended a process; they are among the judged, with nothing found. `met` are authorities
    that came along in signatures and are not known (DER); nobody has proved them yet.
    """

    judged: tuple[Kept, ...]
    damaged: tuple[int, ...]
    set_aside: tuple[int, ...] = ()
    met: tuple[bytes, ...] = ()


class Worlds:
    """The trusted certificates of each world, loaded once."""

    def __init__(self, home: Home, known: Roots) -> None:
        self._home = home
        self._known = known
        self._trusts: dict[Accounts, Trust] = {}

    def trust(self, accounts: Accounts) -> Trust:
        found = self._trusts.get(accounts)
        if found is None:
            found = self._trusts[accounts] = trust.trust_for(self._home, self._known.get(accounts, ()))
        return found

    def take_met(self) -> tuple[bytes, ...]:
        """The authorities met in signatures since the last call, that no store here has; in DER, not proved."""
        met = (certificate for known in self._trusts.values() for certificate in known.take_met())
        return tuple(certificate.public_bytes(Encoding.DER) for certificate in met)

    def basis(self, accounts: Accounts) -> tuple[int, bytes]:
        """What a verdict in this world stands on: the rules, and a name of the world with its certificates."""
        return RULES, self.trust(accounts).digest + world_of(accounts).value[:1].encode()

    def judge(self, data: bytes, accounts: Accounts, schemas: SchemaSet | None = None) -> tuple[JudgedDocument, ...]:
        """The verdicts on everything in `data`; none where it cannot be read."""
        try:
            return judge_paper(data, self.trust(accounts), world=world_of(accounts), schemas=schemas)
        except PaperError:
            return ()

    def read_and_judge(self, data: bytes, accounts: Accounts) -> tuple[Paper, tuple[Judgement, ...]]:
        """What `data` holds and the verdicts as they are kept, in one parse. Raises `PaperError`."""
        paper, judged = read_and_judge(data, self.trust(accounts), world=world_of(accounts))
        return paper, tuple(map(_kept, judged))


def world_of(accounts: Accounts) -> World:
    return World.SANDBOX if accounts else World.PRODUCTION


def roots_of(transaction: Transaction, wanted: Collection[Accounts]) -> dict[Accounts, tuple[bytes, ...]]:
    """The certificates that each of these worlds trusts beside ICP-Brasil's."""
    return {
        accounts: tuple(sorted({root.certificate for root in account_roots.of_accounts(transaction, accounts)}))
        for accounts in set(wanted)
    }


def prepare(home: Home, archive: Path, known: Roots) -> Callable[[JudgingTask], JudgingResult]:
    """What a worker process does: an archive of its own, opened once."""
    return Judge(Archive.to_read(archive), Worlds(home, known))


class Judge:
    """Does tasks on an archive that is open."""

    def __init__(self, archive: Archive, worlds: Worlds) -> None:
        self._archive = archive
        self._worlds = worlds
        self._reader = VaultReader()

    def __call__(self, task: JudgingTask) -> JudgingResult:
        judged: list[Kept] = []
        damaged: list[int] = []
        aside: list[int] = []
        with self._archive.reading() as transaction:
            sizes = vault.sizes_of(transaction, task.content_ids)
        for start, stop in by_weight([sizes.get(number, 0) for number in task.content_ids], len(task.content_ids)):
            with self._archive.reading() as transaction:
                stored = self._reader.fetch(transaction, task.content_ids[start:stop])
            for packed in stored:
                try:
                    data = self._reader.unpack(packed)
                except ArchiveCorrupt:
                    damaged.append(packed.content_id)
                    continue
                found = self.judgements(data, replace(task, content_ids=(packed.content_id,)))
                if found is None:
                    aside.append(packed.content_id)
                judged.append(Kept(packed.content_id, task.basis, found or ()))
        return JudgingResult(tuple(judged), tuple(damaged), tuple(aside), self._worlds.take_met())

    def judgements(self, data: bytes, task: JudgingTask) -> tuple[Judgement, ...] | None:
        """The verdicts on what is in the one content of `task`, whose bytes are `data`; None where it is set aside."""
        return tuple(map(_kept, self._worlds.judge(data, task.accounts)))


class GuardedJudge(Judge):
    """As `Judge`, in the process that has the archive open to write: what may end it is judged in another one.

    `are_suspects`: a process ended while it had these contents at hand.
    """

    def __init__(self, archive: Archive, home: Home, known: Roots, *, are_suspects: bool = False) -> None:
        super().__init__(archive, Worlds(home, known))
        self._setup = home, archive.path, known
        self._in_hand = archive.in_hand
        self._are_suspects = are_suspects

    def judgements(self, data: bytes, task: JudgingTask) -> tuple[Judgement, ...] | None:
        name = JUDGING + digest_of(data).hex()
        if self._in_hand.is_set_aside(name):
            return None
        if not self._are_suspects and not self._in_hand.ends(name) and not is_large(data):
            with self._in_hand.doing(name):
                return super().judgements(data, task)
        try:
            with self._in_hand.doing(name):
                return apart_or_again(_judge_apart, (*self._setup, task))
        except Ended:
            self._in_hand.set_aside(name)
            return None


def _judge_apart(setup: tuple[Home, Path, Roots, JudgingTask]) -> tuple[Judgement, ...] | None:
    home, path, known, task = setup
    (judged,) = prepare(home, path, known)(task).judged
    return judged.found


def _kept(found: JudgedDocument) -> Judgement:
    return verdicts.pack(_KINDS[found.kind], found.position, found.verdict, _SCHEMA)


def pick(found: Sequence[JudgedDocument], kind: SignedKind, position: int) -> JudgedDocument | None:
    """The verdict on one paper of a content."""
    return next((entry for entry in found if entry.kind is kind and entry.position == position), None)
