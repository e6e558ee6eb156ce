"""Computing anew what differs from what bytes, hub records and decisions give; the audit trail says so first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Final

from confere.app.authenticity import judging
from confere.app.authenticity.verify_plan import VerifyPlan
from confere.app.context import Workspace
from confere.app.maintenance import judged_again
from confere.archive import message_encoding
from confere.archive.accounts import audit
from confere.archive.authenticity import verdicts
from confere.archive.derived import content_check, hub_claims, invariants, paper_check, record_rows, restoring
from confere.archive.documents import reindex
from confere.archive.documents.reindex import Reread
from confere.archive.hub import hub_columns
from confere.archive.maintenance.health import Verification
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import ArchiveError, PaperError
from confere.fiscal.model import Paper
from confere.fiscal.reading.document import read

COMPUTED: Final = "computed anew"
"""In the audit trail: rows of this table were not what they are made of."""
_VERDICT: Final = "verdict"
_BATCH: Final = 200  # contents whose rows are made anew in one transaction
_NAMED: Final = 20  # keys that a line of the audit trail names


def differs(verification: Verification) -> bool:
    """Whether anything of it can be computed anew."""
    return bool(verification.differences or verification.violations)


def repair_derived(workspace: Workspace, verification: Verification) -> list[str]:
    """Compute anew what a verification found different; what people call those that are as they should be now."""
    with workspace.writing("doctor --repair") as archive:
        with archive.writing() as transaction:
            _write_down(transaction, verification)
        with archive.writing() as transaction:
            restoring.restore(transaction, verification.violations)
            if verification.heads:
                content_check.write_heads(transaction)
            hub_claims.write(transaction, verification.claims)
        with archive.writing() as transaction:
            for record in verification.records:
                record_rows.write(transaction, record)
            _settle_hub_words(transaction, verification)
        _judge_again(archive, workspace, verification)
        names = _rows_anew(archive, verification)
        names += [entry.differences[0].key for entry in verification.records]
        names += [claim.source_key for claim in verification.claims]
        names += [name for entry in verification.violations for name in entry.names]
        for account in verification.judged:
            if account.differences:
                judged_again.reconcile_again(archive, account)
    return list(dict.fromkeys(names))


def paper_reader(archive: Archive, transaction: Transaction) -> Callable[[int], Paper | None]:
    """What gives the paper in a content; None where it cannot be read."""

    def read_one(content_id: int) -> Paper | None:
        try:
            return read(archive.vault.get(transaction, content_id))
        except (PaperError, ArchiveError):
            return None

    return read_one


def _write_down(transaction: Transaction, verification: Verification) -> None:
    """A line for each table: how many were different, in which columns, and the first of them."""
    keys: dict[str, dict[str, None]] = defaultdict(dict)
    columns: dict[str, dict[str, None]] = defaultdict(dict)
    for difference in verification.differences:
        keys[difference.table][difference.key] = None
        columns[difference.table][difference.column] = None
    for entry in verification.violations:
        keys[entry.invariant.table] |= dict.fromkeys(entry.names)
        columns[entry.invariant.table][entry.invariant.column] = None
    for table, names in keys.items():
        first = " ".join(list(names)[:_NAMED])
        audit.write(transaction, COMPUTED, table, f"{len(names)} {','.join(columns[table])} {first}")


def _settle_hub_words(transaction: Transaction, verification: Verification) -> None:
    """Copy what the records of a hub say now to their documents."""
    of_documents = [entry for entry in verification.records if entry.table is record_rows.HUB_DOCUMENTS]
    keys = {key for entry in of_documents if (key := entry.due.columns.get("access_key"))}
    hub_columns.settle_keys(transaction, keys)
    hub_columns.settle_downloads(transaction, [entry.number for entry in of_documents])


def _judge_again(archive: Archive, workspace: Workspace, verification: Verification) -> None:
    contents = {
        entry.content_id for entry in verification.rows if any(one.table == _VERDICT for one in entry.differences)
    }
    contents |= {
        content_id
        for entry in verification.violations
        if entry.invariant is invariants.VERDICT_HAS_BASIS
        for _, content_id in entry.rows
    }
    if not contents:
        return
    plan = VerifyPlan(archive, workspace.home)
    plan.take(contents)
    for done in map(judging.GuardedJudge(archive, workspace.home, plan.roots), plan.tasks()):
        with archive.writing() as transaction:
            verdicts.record(transaction, done.judged)


def _rows_anew(archive: Archive, verification: Verification) -> list[str]:
    """Make rows anew from the bytes; the names of papers whose rows are right now."""
    names: list[str] = []
    for start in range(0, len(verification.rows), _BATCH):
        part = verification.rows[start : start + _BATCH]
        with archive.writing() as transaction:
            read_one = paper_reader(archive, transaction)
            read_again = [_reread(archive, transaction, entry.content_id) for entry in part]
            readable = {entry.content_id: entry.paper for entry in read_again if entry.paper is not None}
            reindex.heal(transaction, [entry for entry in read_again if entry.paper or entry.problem], read_one)
            reindex.drop_strays(transaction)
            wrong = paper_check.differences(transaction, readable, read_one)
        unread = {entry.content_id for entry in read_again if entry.problem}
        whole = (entry for entry in part if entry.content_id in unread | (readable.keys() - wrong.keys()))
        names += _names(entry.names for entry in whole)
    return names


def _reread(archive: Archive, transaction: Transaction, content_id: int) -> Reread:
    try:
        return Reread(content_id, read(archive.vault.get(transaction, content_id)))
    except PaperError as error:
        return Reread(content_id, None, message_encoding.kept(error.what))
    except ArchiveError:
        return Reread(content_id, None)


def _names(of_entries: Iterable[tuple[str, ...]]) -> list[str]:
    return [name for names in of_entries for name in names]
