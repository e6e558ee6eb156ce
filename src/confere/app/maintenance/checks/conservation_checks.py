"""What a check-up says of conservation: bytes that are missing, rows that disagree with them, sums without balance."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from confere.app.context import Workspace
from confere.app.maintenance.checks import derived_checks
from confere.app.maintenance.checks.check_result import Examination, some
from confere.app.maintenance.verification import verify
from confere.archive.accounts import accounts
from confere.archive.clock import from_text
from confere.archive.derived.due_rows import keys_in
from confere.archive.hub import unreadable_records
from confere.archive.hub.events_without_file import events_without_file
from confere.archive.hub.record_balance import account_sum
from confere.archive.maintenance import health
from confere.archive.maintenance.health import VaultShare, Verification
from confere.archive.store import Archive
from confere.archive.vault import check_times
from confere.archive.vault.damage import BrokenContent
from confere.errors import ArchiveError, Message, PaperError, message
from confere.fiscal.periods import BRASILIA
from confere.fiscal.reading.document import read
from confere.system import formatting


def of_gaps(archive: Archive, found: Examination, *, thorough: bool = False) -> None:
    """What is known to lack without reading a content, always looked at."""
    with archive.reading() as transaction:
        gaps = health.gaps(transaction, thorough=thorough)
    found.facts["missing_bytes"] = [broken_fact(entry) for entry in gaps.broken]
    found.facts["lost_records"] = list(gaps.records)
    if gaps.broken:
        found.add("vault", False, _broken(gaps.broken))
    if gaps.unread:
        names = tuple(dict.fromkeys(name for number in gaps.unread for name in _names_in(archive, number)))
        found.facts["without_rows"] = list(names)
        found.add(
            "archive",
            False,
            message(
                "Documents whose XML is here and which no list shows: {count} ({names})."
                " Run `confere doctor --repair`.",
                count=formatting.count(len(gaps.unread)),
                names=some(names),
            ),
        )
    if gaps.downloads:
        names = tuple(dict.fromkeys(entry.name for entry in gaps.downloads))
        found.facts["lost_downloads"] = list(names)
        found.add(
            "archive",
            False,
            message(
                "Documents of which the archive no longer knows that the hub offers them: {count} ({names})."
                " Run `confere doctor --repair`.",
                count=formatting.count(len(names)),
                names=some(names),
            ),
        )
    for fact, names, what in (
        (
            "lost_arrivals",
            tuple(dict.fromkeys(entry.name for entry in gaps.arrivals)),
            message("Documents of which the archive no longer knows where they came from: {names}."),
        ),
        (
            "lost_versions",
            gaps.versions,
            message("Records of which the hub's own words are gone: {names}."),
        ),
    ):
        if names:
            found.facts[fact] = list(names)
            said = Message(what.id, {"names": some(names)})
            found.add(
                "archive",
                False,
                message("{what} {remedy}", what=said, remedy=message("Run `confere doctor --repair`.")),
            )
    if gaps.records:
        found.add(
            "archive",
            False,
            message(
                "Records of the hub's list that are gone though their downloads are here: {names}."
                " Run `confere doctor --repair`.",
                names=some(gaps.records),
            ),
        )


def of_verification(
    workspace: Workspace,
    archive: Archive,
    found: Examination,
    part: VaultShare,
    progress: Callable[[int, int], None] | None,
    *,
    is_trial: bool = False,
) -> Verification:
    """Read a share of the contents back; what is broken is noted, where the archive can be written now.

    `is_trial`: of a copy that was restored for a trial, in which nothing is noted.
    """
    verification = verify(archive, workspace.home, progress, part)
    if not is_trial:
        note(workspace, verification)
    found.facts["verified"] = verification.read
    found.facts["part"] = f"{part.number}/{part.parts}"
    found.facts["damaged"] = [broken_fact(entry) for entry in verification.broken]
    found.facts["rows"] = [{"keys": list(entry.names), "tables": list(entry.tables)} for entry in verification.rows]
    found.facts["broken"] = [f"{entry.name}: {entry.reason}" for entry in verification.broken]
    if verification.broken:
        found.add("vault", False, _broken(verification.broken))
    else:
        found.add(
            "vault",
            True,
            message("The only content matches its SHA-256.")
            if verification.read == 1
            else message("All {count} contents match their SHA-256.", count=formatting.count(verification.read))
            if part.parts == 1
            else message(
                "All {count} contents of part {part} match their SHA-256.",
                count=formatting.count(verification.read),
                part=f"{part.number}/{part.parts}",
            ),
        )
    derived_checks.of_verification(found, verification)
    return verification


def note(workspace: Workspace, verification: Verification) -> bool:
    """Write down what reading back came to; False where another holds the archive, or nobody may write."""
    try:
        with workspace.writing("doctor --verify") as archive, archive.writing() as transaction:
            health.write_down(transaction, verification)
    except ArchiveError:
        return False
    return True


def of_last_check(archive: Archive, found: Examination) -> None:
    """When every content was last read back."""
    with archive.reading() as transaction:
        checked = check_times.last_whole(transaction)
    found.facts["last_whole_check"] = checked
    if checked is None:
        found.add(
            "vault", True, message("The archive was never read back as a whole; `confere doctor --verify` does it.")
        )
    else:
        moment = formatting.moment(from_text(checked).astimezone(BRASILIA))
        found.add("vault", True, message("The archive was last read back as a whole on {moment}.", moment=moment))


def of_sums(archive: Archive, found: Examination) -> None:
    """Whether what each hub listed is archived, waiting or refused; what is none of these is named."""
    with archive.reading() as transaction:
        for account in accounts.every(transaction):
            total = account_sum(transaction, account.id)
            fact = {name: getattr(total, name) for name in ("listed", "archived", "waiting", "refused", "lost")}
            found.facts.setdefault("accounts", {}).setdefault(account.name, {})["sum"] = fact
            if not total.balances:
                found.add(
                    "account",
                    False,
                    message(
                        "{account}: of {listed} listed records {lost} are neither archived, waiting nor refused"
                        " ({names}). Run `confere sync`.",
                        account=account.name,
                        listed=formatting.count(total.listed),
                        lost=formatting.count(total.lost),
                        names=some(total.lost_names),
                    ),
                )


def of_hub_records(archive: Archive, found: Examination) -> None:
    """Records of which nothing was understood, and events for which the hub offers no file, by account."""
    with archive.reading() as transaction:
        for account in accounts.every(transaction):
            unread = tuple(record.name for record in unreadable_records.records(transaction, account.id))
            lacking = tuple(record.name for record in events_without_file(transaction, account.id))
            facts = found.facts.setdefault("accounts", {}).setdefault(account.name, {})
            facts["not_understood"], facts["without_file"] = list(unread), list(lacking)
            if unread:
                found.add(
                    "account",
                    False,
                    message(
                        "{account}: of some records of the hub no file was understood: {count} ({names})."
                        " See `confere list --not-understood`.",
                        account=account.name,
                        count=formatting.count(len(unread)),
                        names=some(unread),
                    ),
                )
            if lacking:
                found.add(
                    "account",
                    True,  # the hub has no more to give
                    message(
                        "{account}: documents with events for which the hub offers no file: {count} ({names}).",
                        account=account.name,
                        count=formatting.count(len(lacking)),
                        names=some(lacking),
                    ),
                    attention=True,
                )


def broken_fact(entry: BrokenContent) -> dict[str, Any]:
    """As scripts read it."""
    return {"key": entry.name, "kind": entry.kind, "reason": entry.reason, "content": entry.content_id}


def _broken(broken: Iterable[BrokenContent]) -> Message:
    names = tuple(dict.fromkeys(entry.name for entry in broken))
    if len(names) == 1:
        return message(
            "The bytes of {name} are missing or damaged. Run `confere sync`, or `confere doctor --repair`.",
            name=names[0],
        )
    return message(
        "The bytes of {count} documents or records are missing or damaged: {names}."
        " Run `confere sync`, or `confere doctor --repair`.",
        count=formatting.count(len(names)),
        names=some(names),
    )


def _names_in(archive: Archive, content_id: int) -> tuple[str, ...]:
    try:
        return keys_in(read(archive.content(content_id))) or (str(content_id),)
    except (PaperError, ArchiveError):
        return (str(content_id),)
