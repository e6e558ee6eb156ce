"""What a job is asked to do and how it ended, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, NamedTuple, Protocol

from confere.system.messages import RenderedError


class JobKind(StrEnum):
    """What the window has done by a child process. Kinds that write to the archive wait for one another."""

    DEMO = "demo"
    SYNC = "sync"
    IMPORT = "import"
    EXPORT = "export"
    VERIFY = "verify"  # authenticity
    REINDEX = "reindex"
    CHECK = "check"  # every byte against its SHA-256
    BACKUP = "backup"
    RESTORE_PREVIEW = "restore-preview"  # what a backup holds
    RESTORE = "restore"  # a backup, into the archive's place
    HOME = "home"  # another data folder for the starts to come, with a copy of the archive or not
    PDF = "pdf"  # of one document, for whoever looks at it
    UPGRADE = "upgrade"
    RECONCILE = "reconcile"
    ORDERS = "orders"  # import of a list of orders
    INVOICES = "invoices"  # of orders, told to the hub
    MOVES = "moves"  # of orders, told to the hub
    CATALOG = "catalog"  # sync of products
    PUSH_PREVIEW = "push-preview"  # what a file of products would write to the hub
    CLOSE = "close"  # of a month, or opening it again
    PUSH = "push"  # a file of products, written to the hub
    SELECTION = "selection"  # documents of a list, saved as files


_READING: Final = frozenset(
    {
        JobKind.EXPORT,
        JobKind.CHECK,
        JobKind.BACKUP,
        JobKind.RESTORE_PREVIEW,
        JobKind.HOME,
        JobKind.PDF,
        JobKind.SELECTION,
    }
)


@dataclass(frozen=True, slots=True)
class JobRequest:
    """`arguments` are those of `confere` (`("sync", "--account", "loja")`); `title` says it to a person."""

    kind: JobKind
    title: str
    arguments: tuple[str, ...]
    note: Mapping[str, Any] = field(default_factory=dict)  # what whoever ordered it wants back with the outcome

    @property
    def quiet(self) -> bool:
        """Nobody asked for it: it gives way to what somebody asks for, and keeps no window open."""
        return bool(self.note.get("quiet"))

    @property
    def writes(self) -> bool:
        return self.kind not in _READING


class JobResult(Protocol):
    """What its command printed, as `job_results` reads it for each kind of job."""

    @property
    def stopped(self) -> bool: ...


class JobOutcome(NamedTuple):
    """How it ended: `result` is None where it ended by an error, `exit_code` 0 done, 1 done with failures."""

    order: JobRequest
    exit_code: int
    result: JobResult | None
    error: RenderedError | None
    stopped: bool

    @property
    def done(self) -> bool:
        return self.error is None and self.exit_code in (0, 1) and not self.stopped
