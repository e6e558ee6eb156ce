"""What a package lacks, said in sentences: never listed, listed and not here, here and not readable."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.clock import from_text
from confere.archive.derived.due_rows import keys_in
from confere.archive.hub import completeness, coverage, shortfalls
from confere.archive.hub.completeness import Lack, Lacking, ListedMonth
from confere.archive.hub.coverage import Span
from confere.archive.hub.events_without_file import RecordLackingFiles, events_without_file
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault import missing_contents
from confere.errors import ArchiveError, Message, PaperError, message
from confere.export.months import Month
from confere.fiscal.document_models import hub_status_message
from confere.fiscal.periods import BRASILIA
from confere.fiscal.reading.document import read
from confere.system.formatting import moment
from confere.system.messages import render

NOT_AUTHENTIC: Final = "not_authentic"
_MOST_NAMES: Final = 1000  # keys that an entry names; all are counted


@dataclass(frozen=True, slots=True)
class MissingFiles:
    """One thing that lacks. `kind` is stable for scripts; `names` are the first of the `count` keys or ids.

    Kinds: `not_listed` (the account's hub was not listed to the month's end), `list_short` (its list is short of what
    it has, whatever the month), `not_downloaded`, `not_offered` and
    `unreadable` (of what it listed), `event_without_file` (its history has an event for which it offers no file),
    `document_of_event` (an event is here, its document is not), `undated`
    (documents that no month can claim), `bytes_missing` (the archive lost the bytes or they fail their SHA-256),
    `not_authentic` (kept back, since the verdict on them failed), `not_belonging` (the company's by their own fields,
    and its list does not have them), `not_shown` (their XML is here, and no list has them), `no_ledger` (the package
    stands, and the ledger beside it could not be written).
    """

    kind: str
    what: Message
    remedy: Message
    count: int = 1
    names: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()  # beside `names`; empty texts where nothing is known


@dataclass(frozen=True, slots=True)
class ListedUntil:
    """How far an account's hub was listed, as UTC text; None for never. `whole` says that the month is within it."""

    account: str
    created_until: str | None
    changed_until: str | None
    whole: bool


@dataclass(frozen=True, slots=True)
class Completeness:
    """What is known of a month's completeness. Without accounts nothing was listed, so nothing is proven."""

    missing: tuple[MissingFiles, ...]
    listed: tuple[ListedUntil, ...]


def completeness_of(
    archive: Archive, company: str, month: Month, damaged: frozenset[int] = frozenset()
) -> Completeness:
    """What lacks of the month of `company`, asked of every account that may hold its documents.

    `damaged` are contents of it whose bytes were found to fail their SHA-256.
    """
    missing: list[MissingFiles] = []
    listed: list[ListedUntil] = []
    with archive.reading() as transaction:
        for account in accounts.every(transaction):
            owners = [entry.tax_id for entry in account.establishments]
            if owners and company not in owners:
                continue
            created = coverage.covered(transaction, account.id, coverage.CREATED)
            changed = coverage.covered(transaction, account.id, coverage.UPDATED)
            reach = _reach(account, created, changed, month)
            listed.append(reach)
            if not reach.whole:
                missing.append(_not_listed(reach, month))
            asked = ListedMonth(
                account.id, month.text, month.from_at, month.to_at, tuple(owner for owner in owners if owner != company)
            )
            missing += [_lacking(account.name, entry) for entry in completeness.lacking(transaction, asked)]
            missing += [
                MissingFiles("list_short", entry.what, shortfalls.REMEDY, entry.missing)
                for entry in shortfalls.every(transaction, account.id, shortfalls.DOCUMENTS)
            ]
            missing += _without_file(account.name, asked, events_without_file(transaction, account.id))
        missing += _of_the_archive(
            completeness.keys_without_document(transaction, company, month.text),
            completeness.undated(transaction, company),
            company,
        )
        missing += _of_conservation(
            completeness.bytes_missing(transaction, company, month.first_day, month.last_day, damaged),
            completeness.not_belonging(transaction, company, month.first_day, month.last_day),
            _not_shown(archive, transaction, company, month),
        )
    return Completeness(tuple(missing), tuple(listed))


def not_authentic(found: Mapping[str, str]) -> tuple[MissingFiles, ...]:
    """What is kept back because it is not authentic: why, by key."""
    if not found:
        return ()
    names = tuple(found)[:_MOST_NAMES]
    return (
        MissingFiles(
            NOT_AUTHENTIC,
            message("Documents and events that are not authentic, and not in the package: {count}.", count=len(found)),
            message("Look at them with `confere verify KEY`; --with-not-authentic puts them in all the same."),
            len(found),
            names,
            tuple(found[name] for name in names),
        ),
    )


def _reach(account: Account, created: Sequence[Span], changed: Sequence[Span], month: Month) -> ListedUntil:
    return ListedUntil(
        account.name,
        created[-1].to_at if created else None,
        changed[-1].to_at if changed else None,
        any(span.from_at <= month.from_at and span.to_at >= month.to_at for span in created),
    )


def _not_listed(reach: ListedUntil, month: Month) -> MissingFiles:
    if reach.created_until is None:
        what = message("The documents of account {account} were never listed.", account=reach.account)
    elif reach.created_until < month.to_at:
        what = message(
            "The documents of account {account} were listed up to {until}, which is before the end of {month}.",
            account=reach.account,
            until=moment(from_text(reach.created_until).astimezone(BRASILIA)),
            month=month.text,
        )
    else:
        what = message(
            "The documents of account {account} were not listed for the whole of {month}.",
            account=reach.account,
            month=month.text,
        )
    remedy = message("Run `confere sync` and export again.")
    return MissingFiles("not_listed", what, remedy)


def _lacking(account: str, lacking: Lacking) -> MissingFiles:
    names = tuple(entry.name for entry in lacking.first)
    reasons = tuple(render(entry.reason) if entry.reason else "" for entry in lacking.first)
    if lacking.lack is Lack.NOT_DOWNLOADED:
        what = message(
            "Listed by the hub of account {account} and not downloaded yet: {count}.",
            count=lacking.count,
            account=account,
        )
        remedy = message("Run `confere sync` and export again.")
    elif lacking.lack is Lack.NOT_OFFERED:
        what = message(
            "Listed by the hub of account {account}, which has no file for them: {count}.",
            count=lacking.count,
            account=account,
        )
        remedy = message("Ask whoever emitted them for the XML, and import it.")
    else:
        what = message(
            "Received from the hub of account {account} and not readable: {count}.",
            count=lacking.count,
            account=account,
        )
        remedy = message("`confere doctor` lists them. Ask whoever emitted them for the XML, and import it.")
    return MissingFiles(str(lacking.lack), what, remedy, lacking.count, names, reasons)


def _without_file(account: str, asked: ListedMonth, records: Sequence[RecordLackingFiles]) -> list[MissingFiles]:
    """The documents of the month with an event that nobody has: by their keys, as the others that lack."""
    emitters = tuple(owner.zfill(14) for owner in asked.others)
    year_month = asked.month[2:4] + asked.month[5:7]
    of_month = [
        record
        for record in records
        if record.access_key and record.access_key[2:6] == year_month and record.access_key[6:20] not in emitters
    ]
    if not of_month:
        return []
    return [
        MissingFiles(
            "event_without_file",
            message(
                "Documents with events for which the hub of account {account} offers no file: {count}.",
                account=account,
                count=len(of_month),
            ),
            message("Ask the hub or whoever made the event for its XML, and import it."),
            len(of_month),
            tuple(record.name for record in of_month[:_MOST_NAMES]),
            tuple(
                ", ".join(render(hub_status_message(event.status)) for event in record.events if event.status)
                for record in of_month[:_MOST_NAMES]
            ),
        )
    ]


def _not_shown(archive: Archive, transaction: Transaction, company: str, month: Month) -> tuple[str, ...]:
    """Keys of this emitter and month that stand in contents of which the archive has no row."""
    keys: list[str] = []
    for content_id in missing_contents.without_rows(transaction):
        try:
            keys += keys_in(read(archive.vault.get(transaction, content_id)))
        except (PaperError, ArchiveError):
            continue
    begin = month.text[2:4] + month.text[5:7] + company.zfill(14)
    return tuple(sorted({key for key in keys if key[2:20] == begin}))


def _of_conservation(lost: Sequence[str], foreign: Sequence[str], hidden: Sequence[str]) -> list[MissingFiles]:
    repair = message("Run `confere doctor --repair` and export again.")
    kinds = (
        (
            "bytes_missing",
            lost,
            message("Documents whose bytes, or an event's, are missing or damaged: {count}.", count=len(lost)),
            message("Run `confere sync`, or `confere doctor --repair`, and export again."),
        ),
        (
            "not_belonging",
            foreign,
            message("Documents of the company that its list does not have: {count}.", count=len(foreign)),
            repair,
        ),
        (
            "not_shown",
            hidden,
            message("Documents whose XML is in the archive and which no list shows: {count}.", count=len(hidden)),
            repair,
        ),
    )
    return [
        MissingFiles(kind, what, remedy, len(names), tuple(names[:_MOST_NAMES]))
        for kind, names, what, remedy in kinds
        if names
    ]


def _of_the_archive(keys: Sequence[str], undated: int, company: str) -> list[MissingFiles]:
    found: list[MissingFiles] = []
    if keys:
        found.append(
            MissingFiles(
                "document_of_event",
                message("Documents of which only events are in the archive: {count}.", count=len(keys)),
                message("Sync again, or import their XML; their events are not in the package."),
                len(keys),
                tuple(keys[:100]),
            )
        )
    if undated:
        found.append(
            MissingFiles(
                "undated",
                message(
                    "Documents of {company} without a date that can be read: {count}.", count=undated, company=company
                ),
                message("No month's package has them: look at them with `confere list`."),
                undated,
            )
        )
    return found
