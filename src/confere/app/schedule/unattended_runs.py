"""What unattended runs left in the archive: how the last one ended, and what those since a certain one brought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from confere.app.accounts.freshness import clock
from confere.app.archive_session import OpenArchive
from confere.app.overview import activity
from confere.app.overview.activity import RUNNING, RunEntry
from confere.archive import message_encoding
from confere.archive.accounts import runs
from confere.archive.store import Archive
from confere.errors import Message

KIND: Final = "unattended"
_SUMMED: Final = 100  # runs: three months of nights


@dataclass(frozen=True, slots=True)
class UnattendedRun:
    """A run as Activity has it, with what it says of accounts. `accounts` is the outcome of each by its name."""

    entry: RunEntry
    accounts: dict[str, str]
    problems: tuple[Message, ...]

    @property
    def is_over(self) -> bool:
        """Whether it does not run any more, however it ended."""
        return self.entry.outcome != RUNNING

    @property
    def age_seconds(self) -> int:
        """How long ago it ended, or began where it has no end."""
        since = self.entry.finished_at or self.entry.started_at
        return max(0, int((clock() - since).total_seconds()))

    def count(self, name: str) -> int:
        """A figure of the run by its name; 0 where it has none."""
        found = self.entry.run.counts.get(name)
        return found if isinstance(found, int) else 0


@dataclass(frozen=True, slots=True)
class RunNews:
    """What runs brought that nobody was told of. `last` is the newest of them; `runs` how many there were."""

    last: UnattendedRun
    runs: int
    new_documents: int
    new_findings: int
    not_authentic: int

    @property
    def failed(self) -> bool:
        """Whether the newest run failed, or was cut off, or an account of it failed."""
        ended_well = self.last.entry.outcome in ("done", "partial", "stopped")
        return not ended_well or bool(self.last.count("failed_accounts"))

    @property
    def is_news(self) -> bool:
        """Whether anybody should hear of it: what changed nothing and went well is none."""
        return bool(self.new_documents or self.new_findings or self.not_authentic or self.failed)


def newest(opened: OpenArchive) -> UnattendedRun | None:
    """The newest unattended run, one that runs now too; None where there never was one."""
    return newest_in(opened.archive()) if opened.exists else None


def newest_in(archive: Archive) -> UnattendedRun | None:
    """As `newest`, with the archive open."""
    return next(iter(_page(archive, 1)), None)


def news_since(opened: OpenArchive, run: int) -> RunNews | None:
    """What the runs after number `run` came to; None where none of them is over."""
    if not opened.exists:
        return None
    found = [entry for entry in _page(opened.archive(), _SUMMED) if entry.entry.id > run and entry.is_over]
    if not found:
        return None
    return RunNews(found[0], len(found), _sum(found, "new"), _sum(found, "new_findings"), _sum(found, "not_authentic"))


def of_entry(entry: RunEntry) -> UnattendedRun:
    """What a run of the kind says beside its figures."""
    accounts, problems = entry.run.counts.get("accounts"), entry.run.counts.get("problems")
    sentences = [message_encoding.read(text) for text in problems] if isinstance(problems, list) else []
    if not sentences and entry.problem is not None:
        sentences.append(entry.problem)
    return UnattendedRun(entry, accounts if isinstance(accounts, dict) else {}, tuple(sentences))


def _sum(found: Sequence[UnattendedRun], name: str) -> int:
    return sum(run.count(name) for run in found)


def _page(archive: Archive, limit: int) -> list[UnattendedRun]:
    with archive.reading() as transaction:
        entries = activity.entries(archive, transaction, runs.of_kind(transaction, KIND, limit=limit))
    return list(map(of_entry, entries))
