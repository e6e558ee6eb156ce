"""The use case "is everything well": machine, data folder, keyring, archive, accounts; each with what to do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from confere.app.keeping import free_bytes
from confere.app.workspace import Workspace
from confere.archive import accounts, backup, coverage, downloads, gone, health, rereading, verdicts
from confere.archive.clock import from_text
from confere.archive.health import Health as Health
from confere.archive.store import Archive
from confere.errors import Cancelled, ConfereError, Message, message
from confere.fiscal.periods import BRASILIA
from confere.system import figures, keyrings, machine
from confere.system.paths import share_warning
from confere.system.settings import BACKUPS_KEPT

LITTLE_SPACE = 1024**3


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at. `well` False means that something should be done: `what` says it.

    `attention`: to be looked at, even where nothing here could mend it.
    """

    topic: str
    well: bool
    what: Message
    attention: bool = False


@dataclass(slots=True)
class Examination:
    """All findings, with the facts behind them for scripts."""

    findings: list[Finding] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def well(self) -> bool:
        return all(entry.well for entry in self.findings)

    def add(self, topic: str, well: bool, what: Message, *, attention: bool = False) -> None:
        self.findings.append(Finding(topic, well, what, attention or not well))


def examine(
    workspace: Workspace,
    *,
    verify: bool = False,
    migrate: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Examination:
    """Look at everything; `verify` also reads every content back against its SHA-256."""
    found = Examination()
    found.facts["machine"] = machine.describe()
    _folder(workspace, found)
    _keyring(found)
    if not workspace.home.archive.is_file():
        found.add("archive", True, message("There is no archive yet in {path}.", path=str(workspace.home.root)))
        return found
    try:
        if migrate:
            workspace.writing("doctor --migrate").close()
        with workspace.reading() as archive:
            _archive(archive, found, verify, progress)
            _accounts(archive, found)
    except Cancelled:
        raise
    except ConfereError as error:
        found.add("archive", False, message("{what} {remedy}", what=error.what, remedy=error.remedy or ""))
    return found


def back_up(workspace: Workspace, found: Examination, *, progress: Callable[[int, int], None] | None = None) -> Path:
    """Copy the archive, check the copy, and keep the newest few (`backups_kept`). Raises what stood in the way."""
    kept = workspace.settings.get(BACKUPS_KEPT)
    with workspace.reading() as archive:
        written = backup.copy_on_request(archive.path, workspace.home.backups, kept, progress)
    found.facts["backup"] = str(written)
    found.add("backup", True, message("A checked copy of the archive is in {path}.", path=str(written)))
    return written


def _folder(workspace: Workspace, found: Examination) -> None:
    root = workspace.home.root
    found.facts["home"] = str(root)
    free = free_bytes(root)
    found.facts["free_bytes"] = free
    if free < LITTLE_SPACE:
        found.add("disk", False, message("Only {free} bytes are free for {path}.", free=free, path=str(root)))
    else:
        found.add("disk", True, message("There is room on the disk of {path}.", path=str(root)))
    warning = share_warning(workspace.home)
    if warning is not None:
        found.add("disk", False, warning)
    for entry in workspace.settings.warnings:
        found.add("settings", False, entry)


def _keyring(found: Examination) -> None:
    try:
        name = keyrings.usable()
        found.add("keyring", True, message("Tokens are kept in {name}.", name=name))
    except keyrings.KeyringUnusable as error:
        # Servers have none; files and variables do their work there.
        found.add("keyring", True, message("There is no keyring to use: {why}", why=error.why), attention=True)


def _archive(archive: Archive, found: Examination, verify: bool, progress: Callable[[int, int], None] | None) -> None:
    with archive.reading() as transaction:
        state = health.examine(transaction, archive, thorough=verify)
    found.facts["archive"] = {name: getattr(state, name) for name in Health.__slots__}
    if state.damage:
        found.add("archive", False, message("The archive is damaged: {why}", why="; ".join(state.damage)))
    else:
        found.add(
            "archive",
            True,
            message(
                "The archive holds {documents} and {events}.",
                documents=_documents(state.documents),
                events=_events(state.events),
            ),
        )
    if state.unreadable:
        found.add(
            "archive",
            True,
            message("1 received file cannot be read; see `confere list --unreadable`.")
            if state.unreadable == 1
            else message(
                "{count} received files cannot be read; see `confere list --unreadable`.",
                count=figures.count(state.unreadable),
            ),
            attention=True,
        )
    with archive.reading() as transaction:
        waiting = rereading.count(transaction)
        judged = verdicts.tally(transaction)
    found.facts["older_reader"] = waiting
    found.facts["verdicts"] = {name: getattr(judged, name) for name in verdicts.Tally.__slots__}
    if waiting:
        found.add(
            "reader",
            False,
            message("1 file was read by an older version; run `confere reindex`.")
            if waiting == 1
            else message(
                "{count} files were read by an older version; run `confere reindex`.", count=figures.count(waiting)
            ),
        )
    if judged.failed:
        found.add(
            "archive",
            True,  # told, but nothing that a hand at the archive could mend
            message("1 document is not authentic; see `confere list --verdict failed`.")
            if judged.failed == 1
            else message(
                "{count} documents are not authentic; see `confere list --verdict failed`.",
                count=figures.count(judged.failed),
            ),
            attention=True,
        )
    if verify:
        read, broken = health.verify_vault(archive, progress)
        found.facts["verified"] = read
        found.facts["broken"] = list(broken)
        if broken:
            found.add(
                "vault",
                False,
                message("1 content no longer matches its SHA-256.")
                if len(broken) == 1
                else message("{count} contents no longer match their SHA-256.", count=figures.count(len(broken))),
            )
        else:
            found.add(
                "vault",
                True,
                message("The only content matches its SHA-256.")
                if read == 1
                else message("All {count} contents match their SHA-256.", count=figures.count(read)),
            )


def _documents(number: int) -> Message:
    return message("1 document") if number == 1 else message("{count} documents", count=figures.count(number))


def _events(number: int) -> Message:
    return message("1 event") if number == 1 else message("{count} events", count=figures.count(number))


def _accounts(archive: Archive, found: Examination) -> None:
    with archive.reading() as transaction:
        for account in accounts.every(transaction):
            spans = coverage.covered(transaction, account.id, coverage.CREATED)
            whole = bool(spans) and spans[0].from_at == coverage.FOREVER
            waiting = downloads.count_open(transaction, account.id)
            absent = gone.count(transaction, account.id)
            found.facts.setdefault("accounts", {})[account.name] = {
                "covered": [[span.from_at, span.to_at] for span in spans],
                "whole": whole,
                "waiting": waiting,
                "gone": absent,
            }
            if absent:
                found.add(
                    "account",
                    True,  # kept, and nothing that could be mended
                    message(
                        "1 document of {account} is no longer listed by its hub; see `confere list --gone`.",
                        account=account.name,
                    )
                    if absent == 1
                    else message(
                        "{count} documents of {account} are no longer listed by its hub; see `confere list --gone`.",
                        count=figures.count(absent),
                        account=account.name,
                    ),
                    attention=True,
                )
            if not whole:
                found.add(
                    "account",
                    False,
                    message("{account} was never listed as a whole; sync it without dates.", account=account.name),
                )
            elif waiting:
                found.add(
                    "account",
                    False,
                    message("1 download of {account} is still open; sync it again.", account=account.name)
                    if waiting == 1
                    else message(
                        "{count} downloads of {account} are still open; sync it again.",
                        count=figures.count(waiting),
                        account=account.name,
                    ),
                )
            else:
                until = figures.moment(from_text(spans[0].to_at).astimezone(BRASILIA))
                found.add(
                    "account", True, message("{account} is complete up to {until}.", account=account.name, until=until)
                )
