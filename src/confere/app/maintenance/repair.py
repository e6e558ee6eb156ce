"""The use case "bring back what was lost": from the hub, backups or a folder, and rows from the vault itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from confere.app.accounts.sync import SyncRequest, sync_accounts
from confere.app.context import Workspace
from confere.app.maintenance import derived_repair, rebuild, row_repair
from confere.app.maintenance.derived_repair import paper_reader
from confere.app.maintenance.reindex import reindex_archive
from confere.app.maintenance.verification import verify
from confere.archive import message_encoding
from confere.archive.accounts import accounts
from confere.archive.documents import reindex
from confere.archive.documents.reindex import Reread
from confere.archive.hub import download_queue, hub_records
from confere.archive.maintenance import absence, health
from confere.archive.maintenance.backups import copies
from confere.archive.maintenance.salvage import fill_from
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault import backup_contents, damage, missing_contents, vault
from confere.archive.vault.damage import BrokenContent
from confere.archive.vault.mending import mend
from confere.archive.vault.vault import Blob, Family
from confere.errors import ArchiveError, ConfereError, Message, PaperError, message
from confere.fiscal.model import Paper
from confere.fiscal.reading.document import read
from confere.fiscal.reading.reader_version import READER
from confere.intake.files import file_sources
from confere.intake.isolated_reading import Received, read_guarded
from confere.system.files import presence
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent
from confere.system.secrets.token_store import Prompt

HUB: Final = "hub"
BACKUP: Final = "backup"
FOLDER: Final = "folder"
VAULT: Final = "vault"
RULES: Final = "rules"

_ROUNDS: Final = 3  # what is computed anew may show what else was computed from it


@dataclass(frozen=True, slots=True)
class Repaired:
    """A document, event or record that is whole again: its key or the hub's id, and from where."""

    name: str
    source: str


@dataclass(slots=True)
class Repair:
    """What a repair came to. `notes` say what was done beside, and what could not be asked."""

    repaired: list[Repaired] = field(default_factory=list)
    still_missing: list[BrokenContent] = field(default_factory=list)
    notes: list[Message] = field(default_factory=list)
    stopped: bool = False

    @property
    def whole(self) -> bool:
        return not self.still_missing and not self.stopped


def repair(
    workspace: Workspace,
    folder: Path | None = None,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
    prompt: Prompt | None = None,
) -> Repair:
    """Find everything that lacks and bring it back. Raises what keeps the archive from being opened at all."""
    done = Repair()
    rebuilt = rebuild.make_readable(workspace, done.notes)
    rows = row_repair.give_back(workspace)  # first of all: where the hub is asked is such a row too
    done.repaired += [Repaired(f"{row.table} {row.text}", BACKUP) for row in rows.given_back]
    before = _look(workspace, reporter, stop)
    lists = _drop_strays(
        workspace, relist=rebuilt.records_lost or any("relation" in entry.tables for entry in before.rows)
    )
    asked = bool(before.broken or lists or rebuilt.records_lost)
    if asked:
        _in_place(workspace, before)
        _from_hub(workspace, done, reporter, stop, prompt, full=lists or rebuilt.records_lost)
        left = _told(workspace, done, before.broken, HUB)
        if left:
            _from_backups(workspace, left)
            left = _told(workspace, done, left, BACKUP)
        if left and folder is not None:
            _from_folder(workspace, left, folder)
            left = _told(workspace, done, left, FOLDER)
    if rows.left and (lists or rebuilt.records_lost):
        row_repair.listed_anew(workspace)
    if rebuilt.search_lost:
        with workspace.writing("doctor --repair") as archive:
            reindex_archive(archive, everything=True, reporter=reporter, stop=stop, workers=0)
    after = _look(workspace, reporter, stop) if asked or rebuilt.search_lost else before
    for _ in range(_ROUNDS):
        if not derived_repair.differs(after):
            break
        names = derived_repair.repair_derived(workspace, after)
        done.repaired += [Repaired(name, VAULT) for name in names if name not in {one.name for one in done.repaired}]
        judged = (one for entry in after.judged for one in entry.differences)
        done.repaired += [Repaired(name, RULES) for name in dict.fromkeys(f"{one.table} {one.key}" for one in judged)]
        after = _look(workspace, reporter, stop)
    done.still_missing = list(after.broken) + [
        BrokenContent(content_id, "rows", table, name)
        for content_id, table, name in (
            *((entry.content_id, "document", name) for entry in after.rows for name in entry.names),
            *((0, entry.table.name, entry.differences[0].key) for entry in after.records),
            *((0, difference.table, difference.key) for difference in after.heads),
            *((0, claim.difference.table, claim.source_key) for claim in after.claims),
            *((0, one.table, f"{one.table} {one.key}") for entry in after.judged for one in entry.differences),
            *((0, entry.invariant.table, name) for entry in after.violations for name in entry.names),
        )
    ]
    done.still_missing += [
        BrokenContent(0, row.action, "row", f"{row.table} {row.text}") for row in row_repair.still_left(workspace, rows)
    ]
    missing = {entry.name for entry in done.still_missing}
    done.repaired = [
        entry for entry in done.repaired if entry.source not in (VAULT, RULES) or entry.name not in missing
    ]
    done.stopped = stop is not None and stop.is_set
    return done


def can_repair(workspace: Workspace) -> bool:
    """Whether there is an archive, or was one: not in a new data folder."""
    path = workspace.home.archive
    return presence.is_file(path) or absence.trace_of(path) is not None


def _look(workspace: Workspace, reporter: Reporter | None, stop: Stop | None) -> health.Verification:
    meter = Meter(reporter or Silent(), message("Reading the archive back"))

    told = 0

    def progress(read_back: int, total: int) -> None:
        nonlocal told
        if stop is not None:
            stop.check(message("The repair was stopped; what came back until then is kept."))
        meter.advance(read_back - told, total=total)
        told = read_back

    with workspace.writing("doctor --repair") as archive:
        found = verify(archive, workspace.home, progress)
        with archive.writing() as transaction:
            damage.note_missing(transaction)
            health.write_down(transaction, found)
    meter.finish()
    return found


def _drop_strays(workspace: Workspace, *, relist: bool) -> bool:
    """Let go of what belongs to nothing; whether the hub has to list everything again, as `relist` asks anyhow."""
    with workspace.writing("doctor --repair") as archive, archive.writing() as transaction:
        lost = relist or any(
            look(transaction)
            for look in (missing_contents.lost_records, missing_contents.downloads_lost, missing_contents.versions_lost)
        )
        missing_contents.write_arrivals(transaction)
        reindex.drop_strays(transaction)
        if lost:  # every record is new to us, so that each is asked for its files again
            hub_records.forget_versions(transaction)
    return lost


def _in_place(workspace: Workspace, before: health.Verification) -> None:
    """What a second copy in the archive or a backup's dictionary mends, without any bytes from elsewhere."""
    with workspace.reading() as archive:
        identity = archive.id
    for copy in copies.newest_first(workspace.home.backups):
        if copy.archive_id == identity:
            fill_from(workspace.home.archive, copy.path, ("dictionary", "certificate", "arrival"))
            break
    with workspace.writing("doctor --repair") as archive, archive.writing() as transaction:
        for entry in before.broken:
            if entry.reason == damage.DAMAGED:
                mend(transaction, archive.vault, archive.vault_writer, entry.content_id)
        damage.clear(
            transaction,
            [entry.content_id for entry in before.broken if _is_whole(archive, transaction, entry.content_id)],
        )


def _from_hub(
    workspace: Workspace,
    done: Repair,
    reporter: Reporter | None,
    stop: Stop | None,
    prompt: Prompt | None,
    *,
    full: bool,
) -> None:
    with workspace.reading() as archive, archive.reading() as transaction:
        names = [account.name for account in accounts.every(transaction)]
    for name in names:
        try:
            sync_accounts(workspace, (name,), SyncRequest(full=full), reporter=reporter, stop=stop, prompt=prompt)
        except ConfereError as error:
            done.notes.append(message("{account} could not be asked: {why}", account=name, why=error.what))


def _from_backups(workspace: Workspace, left: Iterable[BrokenContent]) -> None:
    with workspace.writing("doctor --repair") as archive:
        wanted = {entry.content_id: None for entry in left}
        with archive.reading() as transaction:
            digests = vault.digests_of(transaction, wanted)
        open_ones: dict[int, bytes | None] = {number: digests.get(number) for number in wanted}
        for copy in copies.newest_first(workspace.home.backups):
            if not open_ones or copy.archive_id != archive.id:
                continue
            for number, data in backup_contents.contents_of(copy.path, dict(open_ones)):
                _put_back(archive, number, data)
                del open_ones[number]


def _from_folder(workspace: Workspace, left: Collection[BrokenContent], folder: Path) -> None:
    with workspace.writing("doctor --repair") as archive:
        with archive.reading() as transaction:
            known = damage.known(transaction)
            digests = vault.digests_of(transaction, {entry.content_id for entry in left})
            numbers = {digest: number for number, digest in digests.items()}
        if known is None:
            return
        taken: set[int] = set()
        for found in file_sources.find([folder]):
            if not isinstance(found, Received) or found.refused is not None:
                continue
            digest = vault.digest_of(found.data)
            paper = read_guarded(found, digest, archive.in_hand).paper
            number = numbers.get(digest) or damage.place_for(known, "", paper, taken)
            if number is not None and number not in taken:
                taken.add(number)
                _put_back(archive, number, found.data)


def _put_back(archive: Archive, content_id: int, data: bytes) -> None:
    """These bytes under that number again, with rows that say what they say."""
    digest = vault.digest_of(data)
    with archive.writing() as transaction:
        is_json = data[:1] in (b"{", b"[") or hub_records.is_record(transaction, content_id)
        paper: Paper | None = None
        problem: str | None = None
        if not is_json:
            try:
                paper = read(data)
            except PaperError as error:
                problem = message_encoding.kept(error.what)
        archive.vault_writer.restore(
            transaction,
            content_id,
            Blob(data, digest, Family.JSON if is_json else Family.XML, problem),
            None if is_json else READER,
        )
        damage.clear(transaction, [content_id])
        download_queue.close_restored(transaction, content_id)
        if paper is not None:
            reindex.heal(transaction, [Reread(content_id, paper)], paper_reader(archive, transaction))


def _told(workspace: Workspace, done: Repair, broken: Iterable[BrokenContent], source: str) -> list[BrokenContent]:
    """Write down which of these are whole now, as from `source`; the others."""
    left: list[BrokenContent] = []
    with workspace.reading() as archive, archive.reading() as transaction:
        whole = {number: _is_whole(archive, transaction, number) for number in {entry.content_id for entry in broken}}
    for entry in broken:
        if whole[entry.content_id]:
            done.repaired.append(Repaired(entry.name, source))
        else:
            left.append(entry)
    return left


def _is_whole(archive: Archive, transaction: Transaction, content_id: int) -> bool:
    try:
        archive.vault.get(transaction, content_id)
    except ArchiveError:
        return False
    return True
