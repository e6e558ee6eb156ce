"""The use case "is everything well": machine, data folder, keyring, archive, accounts; each with what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from confere.app.context import Workspace
from confere.app.maintenance.checks import (
    account_checks,
    backup_checks,
    chain_checks,
    conservation_checks,
    derived_checks,
    schedule_checks,
    seal_checks,
    trust_checks,
)
from confere.app.maintenance.checks.check_result import CheckResult as CheckResult
from confere.app.maintenance.checks.check_result import Examination as Examination
from confere.app.maintenance.checks.check_result import some
from confere.app.maintenance.storage import free_bytes
from confere.archive.authenticity import verdicts
from confere.archive.documents import reindex
from confere.archive.maintenance import health
from confere.archive.maintenance.health import Health as Health
from confere.archive.maintenance.health import VaultShare as VaultShare
from confere.archive.store import Archive
from confere.errors import Cancelled, ConfereError, Message, message, nmessage
from confere.system import diagnostics
from confere.system.files import permissions, presence
from confere.system.paths import cloud_warning, is_own_name, share_warning
from confere.system.processes.cancellation import Stop
from confere.system.progress import Reporter
from confere.system.secrets import system_keyring
from confere.system.settings import STALE_AFTER

if TYPE_CHECKING:
    from confere.app.maintenance.repair import Repair

LITTLE_SPACE = 1024**3
_ARCHIVE_FACTS = (
    "revision", "damage", "contents", "raw_bytes", "vault_bytes", "file_bytes", "documents", "events", "unreadable",
    "waiting", "failed", "dictionaries", "interrupted_windows",
)  # fmt: skip


def examine(
    workspace: Workspace,
    *,
    verify: bool = False,
    migrate: bool = False,
    part: VaultShare | None = None,
    trust: bool = False,
    counts_copies: bool = True,
    audit_head: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Examination:
    """Look at everything; `verify` also reads every content back against its SHA-256, or the share `part` of them.

    `trust`: also how far the chains of the signers reach, and which authorities are missing. Without `counts_copies`
    the backups are left to `back_up`, which counts them with the one that it makes. `audit_head` is a hash of which a
    person asks where it stands. Raises `ArchiveGone`.
    """
    found = Examination()
    found.facts["machine"] = diagnostics.describe()
    _folder(workspace, found)
    _keyring(found)
    if presence.is_hidden(workspace.home.archive):
        found.add("archive", False, message("The archive {path} cannot be opened.", path=str(workspace.home.archive)))
        return found
    if not workspace.has_archive:
        found.add("archive", True, message("There is no archive yet in {path}.", path=str(workspace.home.root)))
        return found
    try:
        if migrate:
            workspace.writing("doctor --migrate").close()
        with workspace.reading() as archive:
            _archive(archive, found, thorough=verify)
            conservation_checks.of_gaps(archive, found, thorough=verify)
            if verify:
                verify_archive(workspace, archive, found, part or VaultShare(), progress)
            else:
                derived_checks.of_cheap_invariants(archive, found)
            seal_checks.of_trail(archive, found)
            conservation_checks.of_last_check(archive, found)
            if audit_head is not None:
                backup_checks.of_head(archive, audit_head, found)
            if trust:
                trust_checks.of_chains(workspace, archive, found)
            account_checks.of_accounts(archive, workspace.home, workspace.settings.get(STALE_AFTER), found)
            schedule_checks.of_schedule(workspace, archive, found)
            conservation_checks.of_sums(archive, found)
            conservation_checks.of_hub_records(archive, found)
        if counts_copies:
            backup_checks.of_backups(workspace, found)
    except Cancelled:
        raise
    except ConfereError as error:
        found.add("archive", False, message("{what} {remedy}", what=error.what, remedy=error.remedy or ""))
    return found


def verify_archive(
    workspace: Workspace,
    archive: Archive,
    examination: Examination,
    part: VaultShare,
    progress: Callable[[int, int], None] | None,
    *,
    is_trial: bool = False,
) -> None:
    """Read everything back, or the share `part`, follow the chains, and hold sealed rows against their seals.

    `is_trial`: of a copy that was restored for a trial, so that nothing of it is written down in the archive.
    """
    conservation_checks.of_verification(workspace, archive, examination, part, progress, is_trial=is_trial)
    chain_checks.of_chains(workspace, archive, examination)
    seal_checks.of_rows(archive, examination)


def back_up(
    workspace: Workspace, found: Examination, *, reporter: Reporter | None = None, stop: Stop | None = None
) -> None:
    """Write the usual copies (`confere backup`), and say where they are and how many there are with them.

    Raises what stood in the way.
    """
    from confere.app.backups import backup, backup_passphrase

    made = backup.make(workspace, backup.BackupWish(), backup_passphrase.find, reporter=reporter, stop=stop)
    found.facts["backup"] = str(made.written[0])
    for written in made.written:
        found.add("backup", True, message("A checked copy of the archive is in {path}.", path=str(written)))
    for note in made.notes:
        found.add("backup", True, note)
    for problem in made.problems:
        found.add("backup", False, message("{what} {remedy}", what=problem.what, remedy=problem.remedy or ""))
    backup_checks.of_backups(workspace, found)


def of_repair(found: Examination, repaired: Repair) -> None:
    """Add what a repair did: what came back from where, and what is still missing."""
    found.facts["repaired"] = [{"key": entry.name, "from": entry.source} for entry in repaired.repaired]
    found.facts["still_missing"] = [conservation_checks.broken_fact(entry) for entry in repaired.still_missing]
    for note in repaired.notes:
        found.add("repair", True, note, attention=True)
    for source, what in (
        ("hub", message("Brought back from the hub: {names}.")),
        ("backup", message("Brought back from a backup: {names}.")),
        ("folder", message("Brought back from the folder: {names}.")),
        ("vault", message("Read again from the archive's own XML: {names}.")),
    ):
        names = tuple(dict.fromkeys(entry.name for entry in repaired.repaired if entry.source == source))
        if names:
            found.add("repair", True, Message(what.id, {"names": some(names)}))
    if repaired.still_missing:
        names = tuple(dict.fromkeys(entry.name for entry in repaired.still_missing))
        found.add(
            "repair",
            False,
            message("Still missing or damaged: {names}.", names=some(names)),
        )
    elif not repaired.repaired and not repaired.notes:
        found.add("repair", True, message("There was nothing to repair."))


def _folder(workspace: Workspace, found: Examination) -> None:
    root = workspace.home.root
    found.facts["home"] = str(root)
    free = free_bytes(root)
    found.facts["free_bytes"] = free
    if free < LITTLE_SPACE:
        found.add("disk", False, message("Only {free} bytes are free for {path}.", free=free, path=str(root)))
    else:
        found.add("disk", True, message("There is room on the disk of {path}.", path=str(root)))
    for warning in (share_warning(workspace.home), cloud_warning(workspace.home)):
        if warning is not None:
            found.add("disk", False, warning)
    _rights(root, found)
    for entry in workspace.settings.warnings:
        found.add("settings", False, entry)


def _rights(root: Path, found: Examination) -> None:
    """Whether other users of this machine can read what is kept here, as far as the system tells."""
    if not permissions.ARE_KNOWN:
        what = message("Who else can read {path} is not looked at on this system.", path=str(root))
        found.add("rights", True, what)
        return
    open_ones = [path for path in permissions.readable_by_others(root) if is_own_name(path.relative_to(root).parts[0])]
    found.facts["readable_by_others"] = [str(path) for path in open_ones]
    if not open_ones:
        found.add("rights", True, message("Nobody else on this machine can read what is in {path}.", path=str(root)))
        return
    found.add(
        "rights",
        False,
        nmessage(
            "Other users of this machine can read {count} of Confere's files and folders in {path}: {first}."
            " Every command that writes closes it where it belongs to this user; else: chmod -R go= {path}",
            "Other users of this machine can read {count} of Confere's files and folders in {path}, {first} among them."
            " Every command that writes closes those that belong to this user; else: chmod -R go= {path}",
            len(open_ones),
            path=str(root),
            first=open_ones[0].name,
        ),
    )


def _keyring(found: Examination) -> None:
    try:
        name = system_keyring.usable()
        found.add("keyring", True, message("Tokens are kept in {name}.", name=name))
    except system_keyring.KeyringUnusable as error:
        # Servers have none; files and variables do their work there.
        found.add("keyring", True, message("There is no keyring to use: {why}", why=error.why), attention=True)


def _archive(archive: Archive, found: Examination, *, thorough: bool) -> None:
    with archive.reading() as transaction:
        state = health.examine(transaction, archive, thorough=thorough)
    found.facts["archive"] = {name: getattr(state, name) for name in _ARCHIVE_FACTS}
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
            nmessage(
                "{count} received file cannot be read; see `confere list --unreadable`.",
                "{count} received files cannot be read; see `confere list --unreadable`.",
                state.unreadable,
            ),
            attention=True,
        )
    with archive.reading() as transaction:
        waiting = reindex.count(transaction)
        judged = verdicts.tally(transaction)
    found.facts["older_reader"] = waiting
    found.facts["verdicts"] = {name: getattr(judged, name) for name in verdicts.VerdictTally.__slots__}
    if waiting:
        found.add(
            "reader",
            False,
            nmessage(
                "{count} file was read by an older version; run `confere reindex`.",
                "{count} files were read by an older version; run `confere reindex`.",
                waiting,
            ),
        )
    if judged.failed:
        found.add(
            "archive",
            True,  # told, but nothing that a hand at the archive could mend
            nmessage(
                "{count} document is not authentic; see `confere list --verdict failed`.",
                "{count} documents are not authentic; see `confere list --verdict failed`.",
                judged.failed,
            ),
            attention=True,
        )


def _documents(number: int) -> Message:
    return nmessage("{count} document", "{count} documents", number)


def _events(number: int) -> Message:
    return nmessage("{count} event", "{count} events", number)
