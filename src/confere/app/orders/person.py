"""The use case "a person's data": where somebody is in the archive and its copies, until when it has to be kept, and
taking the person out of what no law keeps (LGPD art. 18, VI)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from confere.app.backups import backup_copies
from confere.app.backups.backup_copies import Depth
from confere.app.context import Workspace
from confere.archive.accounts import accounts, audit, overview
from confere.archive.accounts.overview import Exported
from confere.archive.closing import act_texts
from confere.archive.closing.act_texts import ClosingPlace
from confere.archive.documents.search import document_tags, saved_searches
from confere.archive.maintenance import set_aside
from confere.archive.maintenance.backups import copy_records, encrypted_copies
from confere.archive.orders import backup_erasure, person_mentions, persons
from confere.archive.orders.person_mentions import PersonMentions
from confere.archive.orders.persons import Erasure, PersonTraces
from confere.archive.transaction import Transaction
from confere.archive.vault.reader import VaultReader
from confere.archive.vault.vault import VaultWriter
from confere.errors import ArchiveError, Message, UsageFault, message
from confere.fiscal import taxpayers
from confere.fiscal.law import retention
from confere.hub.orders.order_erasure import erased, names_in, spellings
from confere.system.files.own_files import is_own_file


@dataclass(frozen=True, slots=True)
class Retention:
    """Until when the newest document must be kept, days inclusive; nothing is ever removed because a day passed.

    `tax_code`: five years after the year of issue (CTN art. 173 and 174). `adjustment`: 132 months from the issue
    (Ajuste SINIEF 2/2025), which most read as the taxpayer's duty, some as the authorities' own.
    """

    newest: date
    tax_code: date
    adjustment: date


@dataclass(frozen=True, slots=True)
class CopyPlace:
    """A backup. `entries` counts its orders and returns that name the person; None where it cannot be looked at."""

    path: Path
    entries: int | None
    why_not: Message | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """Where a person is. `tax_id` without mask.

    `packages` were written of a company and month in which it emitted a document of the person: they left the house.
    `closings` name the person in their names or their reason, `searches` and `tags` are the names of saved searches and
    of tags that do.
    """

    tax_id: str
    places: PersonTraces
    copies: tuple[CopyPlace, ...]
    retention: Retention | None
    exports: Path
    mentions: PersonMentions
    packages: tuple[Exported, ...]
    closings: tuple[ClosingPlace, ...] = ()
    searches: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def erasable(self) -> bool:
        """Whether there is anything that can be taken out, or was and may have left traces."""
        return bool(
            self.places.orders
            or self.places.returns
            or self.places.erased_at
            or any(copy.entries for copy in self.copies)
            or any(not closing.is_fixed for closing in self.closings)
            or self.searches
            or self.tags
        )


@dataclass(frozen=True, slots=True)
class ErasureResult:
    """What was done. `traces`: the archive's file still holds old bytes, because another program was reading it."""

    archive: Erasure
    copies: tuple[CopyPlace, ...]  # `entries` those that were taken out, `why_not` where nothing could be
    traces: bool

    @property
    def complete(self) -> bool:
        return not self.traces and not self.archive.kept and all(copy.why_not is None for copy in self.copies)


def normalised(text: str) -> str:
    """The CPF or CNPJ without its mask. Raises UsageFault for what is neither, without repeating it."""
    found = taxpayers.normalise(text)
    if not (taxpayers.is_cpf(found) or taxpayers.is_cnpj(found)):
        raise UsageFault(
            message("That is neither a CPF nor a CNPJ: its check digits do not hold."),
            message("Give it as 123.456.789-09, or its digits alone."),
        )
    return found


def look(workspace: Workspace, tax_id: str) -> Person:
    """Where the person is; `tax_id` as `normalised` gives it. Raises what opening the archive raises."""
    said = spellings(tax_id)
    with workspace.reading() as archive:
        with archive.reading() as transaction:
            found = persons.places(transaction, archive.vault, tax_id, said)
            names = persons.names(transaction, archive.vault, found, said, names_in)
            closings = act_texts.naming(transaction, names)
            named = person_mentions.mentions(
                transaction,
                sorted(names),
                [(order.account_id, order.hub_id) for order in found.orders],
                [paper.access_key for paper in found.papers if paper.access_key],
            )
            searches = tuple(saved.name for saved in saved_searches.naming_person(transaction, names))
            tags = tuple(tag.name for tag in document_tags.naming_person(transaction, names))
            packages = _packages(overview.exports(transaction), found)
        archive_id = archive.id

    def count(transaction: Transaction, vault: VaultReader) -> int:
        there = persons.places(transaction, vault, tax_id, said)
        return len(there.orders) + len(there.returns)

    copies = []
    for path in _every_copy(workspace):
        if path.name.endswith(encrypted_copies.ENDING):
            why: Message | None = message("It is encrypted; remove it once a newer one has taken its place.")
            copies.append(CopyPlace(path, None, why))
            continue
        why = backup_erasure.why_not(path, archive_id)
        entries: int | None = None
        if why is None:
            try:
                entries = backup_erasure.look(path, count)
            except ArchiveError as error:
                why = error.what
        copies.append(CopyPlace(path, entries, why))
    copies += [
        CopyPlace(path, None, message("It is the damaged archive that a repair kept; remove it once it is not needed."))
        for path in sorted(workspace.home.root.glob("archive-damaged-*.sqlite3"))
    ]
    kept = _retention(found)
    return Person(tax_id, found, tuple(copies), kept, workspace.home.exports, named, packages, closings, searches, tags)


def erase(workspace: Workspace, person: Person) -> ErasureResult:
    """Take the person out of orders, returns and their copies; fiscal documents stay. May be repeated.

    Raises UsageFault for an establishment of an account, and what opening the archive to write raises.
    """
    tax_id = person.tax_id
    said = spellings(tax_id)
    with workspace.writing("person") as archive:
        with archive.reading() as transaction:
            own = {entry.tax_id for account in accounts.every(transaction) for entry in account.establishments}
        if tax_id in own:
            raise UsageFault(message("That is a company of this archive, not a buyer: nothing was erased."))
        with archive.writing() as transaction:
            done = persons.erase(transaction, archive.vault, archive.vault_writer, tax_id, said, names_in, erased)
            audit.write(
                transaction,
                persons.ERASED,
                masked(tax_id),
                f"orders {done.orders}, versions {done.versions}, returns {done.returns}, texts {done.texts}",
            )
        traces = not archive.rewrite()

    def change(transaction: Transaction, vault: VaultReader, writer: VaultWriter) -> None:
        persons.erase(transaction, vault, writer, tax_id, said, names_in, erased)

    copies = []
    for copy in person.copies:
        if copy.entries:
            try:
                backup_erasure.change(copy.path, change)
            except ArchiveError as error:
                copies.append(replace(copy, why_not=error.what))
                continue
        copies.append(copy)
    copy_records.forget(workspace.home.root, [copy.path for copy in copies if copy.entries and copy.why_not is None])
    return ErasureResult(done, tuple(copies), traces)


def _every_copy(workspace: Workspace) -> list[Path]:
    """Every backup that is known, wherever it stands, and the archives that a restore set aside."""
    known = backup_copies.of_archive(workspace, None, None, Depth.KNOWN, everywhere=True).copies
    return [
        *(copy.path for copy in known),
        *filter(is_own_file, sorted(workspace.home.root.glob(f"{set_aside.ASIDE}*.sqlite3"))),
    ]


def _packages(written: Sequence[Exported], found: PersonTraces) -> tuple[Exported, ...]:
    """Those of a company and month in which that company emitted a document of the person."""
    emitted = {
        (taxpayers.normalise(paper.access_key[6:20]), paper.issued_on[:7])
        for paper in found.papers
        if paper.access_key and paper.issued_on
    }
    return tuple(
        entry for entry in written if entry.is_new and (taxpayers.normalise(entry.company), entry.month) in emitted
    )


def why_fixed(closing: ClosingPlace) -> Message | None:
    """Why the person cannot be taken out of this closing; None where that can be done."""
    if not closing.is_fixed:
        return None
    return message(
        "The head of this closing covers the text itself: without the name the chain of closings would not hold any"
        " more. It was written by an older version, as evidence of what was filed (LGPD art. 16, I)."
    )


def masked(tax_id: str) -> str:
    """The middle digits alone, as public registers show a CPF: `***.456.789-**`."""
    if len(tax_id) == 11:
        return f"***.{tax_id[3:6]}.{tax_id[6:9]}-**"
    return f"**.{tax_id[2:5]}.{tax_id[5:8]}/****-**"


def _retention(found: PersonTraces) -> Retention | None:
    days = [date.fromisoformat(paper.issued_on[:10]) for paper in found.papers if paper.issued_on]
    if not days:
        return None
    newest = max(days)
    return Retention(
        newest, retention.last_day(retention.TAX_CODE, newest), retention.last_day(retention.ADJUSTMENT, newest)
    )


__all__ = [
    "ClosingPlace",
    "CopyPlace",
    "ErasureResult",
    "Person",
    "Retention",
    "erase",
    "look",
    "masked",
    "normalised",
    "why_fixed",
]
