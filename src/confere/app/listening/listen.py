"""The use case "listen for a hub's callbacks": what is announced is fetched within moments; the list stays the rule."""

from __future__ import annotations

import time
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from confere.app.accounts.sync import SyncResult, sync_accounts
from confere.app.authenticity.verify import judge_events
from confere.app.context import Workspace
from confere.app.listening.inbox import Inbox
from confere.app.listening.server import serving
from confere.app.sandbox.sandbox_accounts import world_of
from confere.archive import lock
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.errors import (
    ArchiveLocked,
    ArchiveOlder,
    Cancelled,
    HubError,
    HubRefusedToken,
    Message,
    SecretUnavailable,
    UsageFault,
    message,
)
from confere.hub.address import is_loopback
from confere.intake.documents.announced_documents import AnnouncedAnswers, ask, record_announced
from confere.system.processes.cancellation import Stop
from confere.system.progress import Reporter
from confere.system.secrets import token_store

DEFAULT_PORT: Final = 8780
_MERGING: Final = 0.5  # seconds in which a burst becomes one batch
_BATCH: Final = 100
_LOOK: Final = 0.25  # seconds between two looks whether to stop
_LOCKED: Final = 1.0  # seconds until a locked archive is tried again
_FAILED: Final = (5.0, 15.0, 60.0, 300.0)  # seconds until a hub that failed is asked again; the last one from then on
_OVERFLOW: Final = 60.0  # seconds between two syncs because too much was announced at a time
_OVERFLOW_SHARE: Final = 0.1  # of the time at most that these may take
_REFUSED_NOTES: Final = 30.0  # seconds between two notes of what was refused


@dataclass(frozen=True, slots=True)
class ListenRequest:
    """`path` is the only place where notifications are taken; `sync_minutes` None syncs at the start alone."""

    account: str
    host: str = "127.0.0.1"
    port: int = DEFAULT_PORT
    path: str = "/"
    sync_minutes: float | None = None

    def check(self) -> None:
        """Raise `UsageFault` where the path is none."""
        if not self.path.startswith("/") or not self.path.isascii() or not self.path.isprintable():
            raise UsageFault(message("The path {path} does not begin with a /, or has odd characters.", path=self.path))
        if set(self.path) & set(" ?#%"):
            raise UsageFault(
                message("The path {path} has a space, ?, # or %.", path=self.path),
                message("Use letters, digits, - and / only."),
            )


@dataclass(slots=True)
class ListenResult:
    """What came, and what became of it. `refused` counts requests by reason; the rest counts documents and files."""

    received: int = 0
    merged: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    new: int = 0
    updated: int = 0
    unchanged: int = 0
    unknown: int = 0
    downloaded: int = 0
    failed: int = 0
    syncs: int = 0

    def as_json(self) -> dict[str, Any]:
        """Plain values by name."""
        return asdict(self)


def listen(
    workspace: Workspace,
    request: ListenRequest,
    *,
    reporter: Reporter,
    stop: Stop,
    prompt: token_store.Prompt | None = None,
) -> ListenResult:
    """Take notifications until `stop` is set, and fetch what they announce; sync once before, and then as asked.

    Raises `UsageFault`, `EnvironmentFault`, `HubRefusedToken` or `SecretUnavailable` where that cannot begin.
    """
    request.check()
    account = _account(workspace, request.account)
    if world_of(account) is not None:
        raise UsageFault(
            message("{account} is a demonstration: its hub runs only while it is asked.", account=account.name),
            message("Choose an account of a hub that runs by itself."),
        )
    inbox = Inbox()
    with serving(inbox, request.host, request.port, request.path) as address:
        reporter.note(message("Listening at {address} for {account}.", address=address, account=account.name))
        for note in _warnings(request):
            reporter.note(note)
        listener = _Listener(workspace, request, inbox, reporter, stop, prompt)
        listener.run()
    listener.note_refused()
    return listener.result()


def _account(workspace: Workspace, name: str) -> Account:
    """The account; an archive of an older release is brought up to date first, since nobody may be there to do it."""
    try:
        archive = workspace.reading()
    except ArchiveOlder:
        workspace.writing("listen").close()
        archive = workspace.reading()
    with archive, archive.reading() as transaction:
        return accounts.named(transaction, name)


def _warnings(request: ListenRequest) -> list[Message]:
    notes = []
    if not is_loopback(request.host):
        notes.append(
            message(
                "{host} can be reached from other machines, and nothing is encrypted: let only a reverse proxy with TLS"
                " reach this port.",
                host=request.host,
            )
        )
    if len(request.path) < len("/0123456789abcdef"):
        notes.append(
            message("Hubs do not sign callbacks: give --path a long secret, and the hub the same address with it.")
        )
    return notes


class _Listener:
    """The worker: everything that touches the archive happens on the thread that calls `run`."""

    def __init__(
        self,
        workspace: Workspace,
        request: ListenRequest,
        inbox: Inbox,
        reporter: Reporter,
        stop: Stop,
        prompt: token_store.Prompt | None,
    ) -> None:
        self._workspace = workspace
        self._request = request
        self._inbox = inbox
        self._reporter = reporter
        self._stop = stop
        self._prompt = prompt
        self._result = ListenResult()
        self._next_sync: float | None = 0.0  # monotonic, as the next two are
        self._not_before = self._overflow_sync = 0.0
        self._refused_noted = time.monotonic()
        self._refused = self._refused_now()
        self._failures = 0

    def run(self) -> None:
        """Work until it is stopped."""
        with suppress(Cancelled):
            while not self._stop.is_set:
                self._step()

    def _step(self) -> None:
        self._heed_overflow()
        if self._next_sync is not None and time.monotonic() >= self._next_sync:
            self._sync()
        elif time.monotonic() >= self._not_before and self._inbox.wait(_LOOK):
            if not self._stop.wait(_MERGING):
                self._fetch(self._inbox.take(_BATCH))
        else:
            self._stop.wait(_LOOK)
        if time.monotonic() - self._refused_noted > _REFUSED_NOTES:
            self.note_refused()

    def _heed_overflow(self) -> None:
        """Let the list say what was announced and refused: a flood cannot crowd out what the list shows."""
        now = time.monotonic()
        if now >= self._overflow_sync and self._failures == 0 and self._inbox.take_overflow():
            self._reporter.note(
                message("Too much was announced at a time: the hub's list shows what was not taken. Syncing.")
            )
            self._next_sync = now

    def result(self) -> ListenResult:
        """The figures until now."""
        self._result.received = self._inbox.received
        self._result.merged = self._inbox.merged
        self._result.refused = self._inbox.refused
        return self._result

    def note_refused(self) -> None:
        """Note what was refused since the last time, if anything was."""
        self._refused_noted = time.monotonic()
        before, self._refused = self._refused, self._refused_now()
        new = {why: count - before[why] for why, count in self._refused.items()}
        if any(new.values()):
            self._reporter.note(
                message(
                    "Not followed. Documents unknown to the hub: {unknown}; requests: {too_large} too large, {too_slow}"
                    " too slow, {malformed} malformed, {other_type} of another type, {elsewhere} to another path,"
                    " {too_many} too many at a time.",
                    **new,
                )
            )

    def _refused_now(self) -> dict[str, int]:
        return self._inbox.refused | {"unknown": self._result.unknown}

    def _sync(self) -> None:
        minutes, began = self._request.sync_minutes, time.monotonic()
        try:
            done = sync_accounts(
                self._workspace,
                (self._request.account,),
                reporter=self._reporter,
                stop=self._stop,
                prompt=self._prompt,
            )
        except ArchiveLocked:
            self._next_sync = time.monotonic() + _LOCKED
            return
        except (HubError, SecretUnavailable) as error:
            if not self._result.syncs and isinstance(error, HubRefusedToken | SecretUnavailable):
                raise
            self._failed(error)
        else:
            self._failures = 0
            self._result.syncs += 1
            now = time.monotonic()
            self._overflow_sync = now + max(_OVERFLOW, (now - began) / _OVERFLOW_SHARE)
            self._next_sync = None if minutes is None else now + 60.0 * minutes
            self._reporter.note(
                message(
                    "Synced {account}. Documents: {new} new, {updated} changed; files: {downloaded} fetched, {failed}"
                    " failed.",
                    account=self._request.account,
                    **_figures(done),
                )
            )

    def _failed(self, error: HubError | SecretUnavailable) -> None:
        """Sync when the hub may answer again: the list also shows what was announced and could not be fetched."""
        self._reporter.note(_sentence(error))
        now = time.monotonic()
        due = now + _FAILED[min(self._failures, len(_FAILED) - 1)]
        is_planned = self._next_sync is not None and now < self._next_sync < due
        self._next_sync = self._next_sync if is_planned else due
        self._failures += 1

    def _fetch(self, hub_ids: list[str]) -> None:
        """Fetch these. They wait while another process writes to the archive; where the hub fails, a sync follows."""
        try:
            if lock.holder(self._workspace.home.archive) is not None:
                self._later(hub_ids)
                return
            answers = self._ask_and_record(hub_ids)
        except ArchiveLocked:
            self._later(hub_ids)
        except (HubError, SecretUnavailable) as error:
            self._failed(error)
        else:
            self._inbox.give_back(len(hub_ids) - answers.unknown - answers.unchanged)
            self._result.unknown += answers.unknown
            self._result.unchanged += answers.unchanged

    def _later(self, hub_ids: list[str]) -> None:
        self._inbox.put_back(hub_ids)
        self._not_before = time.monotonic() + _LOCKED

    def _ask_and_record(self, hub_ids: list[str]) -> AnnouncedAnswers:
        """What the hub gave; the archive is opened for writing only where that is news."""
        workspace = self._workspace
        with ExitStack() as stack:
            with workspace.reading() as archive:
                with archive.reading() as transaction:
                    account = accounts.named(transaction, self._request.account)
                session = stack.enter_context(workspace.session(archive, account, stop=self._stop, prompt=self._prompt))
                answers = ask(archive, session, account, hub_ids, self._stop)
            if answers.records:
                with workspace.writing("listen") as archive:
                    done = record_announced(
                        archive, session, account, answers.records, reporter=self._reporter, stop=self._stop
                    )
                    judge_events(archive, workspace.home, self._stop)
                self._note_fetched(done)
        return answers

    def _note_fetched(self, done: SyncResult) -> None:
        self._result.new += done.new
        self._result.updated += done.updated
        self._result.downloaded += done.downloaded
        self._result.failed += done.failed
        self._reporter.note(
            message(
                "Announced by the hub. Documents: {new} new, {updated} changed; files: {downloaded} fetched, {failed}"
                " failed.",
                **_figures(done),
            )
        )


def _figures(done: SyncResult) -> dict[str, int]:
    return {"new": done.new, "updated": done.updated, "downloaded": done.downloaded, "failed": done.failed}


def _sentence(error: HubError | SecretUnavailable) -> Message:
    return message("{what} {remedy}", what=error.what, remedy=error.remedy or "")
