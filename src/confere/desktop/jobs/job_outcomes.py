"""Says in words how a job ended: what it brought, what it left, and the next step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from confere.app.labels import backup_labels
from confere.desktop.jobs.backup_outcomes import backed_up
from confere.desktop.jobs.backup_results import BackupJobResult
from confere.desktop.jobs.catalog_outcomes import catalog_synced, pushed
from confere.desktop.jobs.catalog_results import CatalogJobResult, PushJobResult
from confere.desktop.jobs.job import JobKind, JobOutcome, JobRequest, JobResult
from confere.desktop.jobs.job_results import (
    CheckJobResult,
    CloseJobResult,
    DeclaredMonth,
    ExportJobResult,
    HomeJobResult,
    ImportJobResult,
    OrdersJobResult,
    OrderWritesJobResult,
    ReconcileJobResult,
    ReindexJobResult,
    RestoreJobResult,
    SelectionJobResult,
    SyncJobResult,
    VerifyCounts,
    VerifyJobResult,
)
from confere.desktop.widgets.notices import BAD, GOOD, INFO, WARN
from confere.errors import Message
from confere.system import formatting
from confere.system.messages import render, t


def told(outcome: JobOutcome) -> tuple[str, str]:
    """The kind of notice and its sentence, for a job that did not end by an error."""
    if outcome.stopped:
        return INFO, _stopped(outcome)
    if outcome.order.kind is JobKind.UPGRADE:
        return _upgraded(outcome.result)
    match outcome.result:
        case SyncJobResult() as result:
            return _synced(result)
        case ImportJobResult() as result:
            return _imported(result)
        case ExportJobResult() as result:
            return _exported(result)
        case CheckJobResult() as result:
            return _examined(outcome.order, result)
        case BackupJobResult() as result:
            return backed_up(result)
        case RestoreJobResult() as result:
            return _restored(result)
        case HomeJobResult() as result:
            return _housed(result)
        case VerifyJobResult() as result:
            return _verified(result.counts)
        case ReindexJobResult() as result:
            return GOOD, t("Read again. Files: {count}.", count=formatting.count(result.contents))
        case ReconcileJobResult() as result:
            return _reconciled(result)
        case OrdersJobResult() as result:
            return _orders_imported(result)
        case OrderWritesJobResult() as result:
            return _moves_told(result) if outcome.order.kind is JobKind.MOVES else _invoices_told(result)
        case CloseJobResult() as result:
            return _closed(result)
        case CatalogJobResult() as result:
            return catalog_synced(result)
        case PushJobResult() as result:
            return pushed(result)
        case SelectionJobResult() as result:
            return _saved(result)
        case _:
            return GOOD, t("{title}: done.", title=outcome.order.title)


def brought_papers(outcome: JobOutcome) -> bool:
    """Whether it put papers into the archive whose authenticity nobody checked yet."""
    match outcome.result:
        case SyncJobResult(sync=figures):
            return outcome.order.kind is JobKind.SYNC and figures.downloaded > 0
        case ImportJobResult() as result:
            return result.documents + result.events > 0
        case ReindexJobResult() as result:
            return result.contents > 0
        case _:
            return False


def failed_checks(outcome: JobOutcome) -> int:
    """How many documents are found wrong, now or before."""
    return outcome.result.counts.failed if isinstance(outcome.result, VerifyJobResult) else 0


def found_wrong(outcome: JobOutcome) -> int:
    """How many documents and events this very check found wrong."""
    if not isinstance(outcome.result, VerifyJobResult):
        return 0
    return outcome.result.counts.judged_failed + outcome.result.counts.events_failed


def read_by_older(outcome: JobOutcome) -> int:
    """How many files an examination found that an older release read."""
    return outcome.result.facts.older_reader if isinstance(outcome.result, CheckJobResult) else 0


def packages(outcome: JobOutcome) -> tuple[str, ...]:
    """The files that an export wrote."""
    if not isinstance(outcome.result, ExportJobResult):
        return ()
    return tuple(path for package in outcome.result.packages for path in package.paths)


def folder_of(outcome: JobOutcome) -> str:
    """The folder in which somebody finds what a job wrote; empty where there is none to show."""
    match outcome.order.kind:
        case JobKind.EXPORT:
            return next((str(Path(path).parent) for path in packages(outcome)), "")
        case JobKind.SELECTION if isinstance(outcome.result, SelectionJobResult):
            return str(outcome.order.note.get("folder", ""))
        case _:
            return ""


def reports(outcome: JobOutcome) -> str:
    """The spreadsheet that a reconciliation or a push of products wrote, or empty."""
    if outcome.order.kind is JobKind.PUSH:
        return str(outcome.order.note.get("report", ""))
    return outcome.result.report if isinstance(outcome.result, ReconcileJobResult) else ""


def _stopped(outcome: JobOutcome) -> str:
    if outcome.order.kind is JobKind.SELECTION:
        return t("{title}: stopped. What was written stays.", title=outcome.order.title)
    if outcome.order.kind is JobKind.EXPORT:
        return t("The export was stopped; no package was left half written.")
    match outcome.result:
        case SyncJobResult(sync=figures):
            received = figures.downloaded
        case ImportJobResult() as result:
            received = result.recorded
        case _:
            received = 0
    if received:
        return t(
            "{title}: stopped. Files received: {count}; they are kept, and it goes on from there.",
            title=outcome.order.title,
            count=formatting.count(received),
        )
    return t("{title}: stopped. Everything received is kept, and it goes on from there.", title=outcome.order.title)


def _upgraded(result: JobResult | None) -> tuple[str, str]:
    bad = _sentences(result, "archive", well=False) if isinstance(result, CheckJobResult) else []
    if bad:
        return BAD, " ".join(bad)
    return GOOD, t("The archive is up to date; a copy of what it was is in the backups folder.")


def _synced(result: SyncJobResult) -> tuple[str, str]:
    count = formatting.count
    sync = result.sync
    text = t(
        "Synced. New documents: {new}; changed: {updated}; XML downloaded: {downloaded}.",
        new=count(sync.new),
        updated=count(sync.updated),
        downloaded=count(sync.downloaded),
    )
    accounts = [failure for failure in result.failures if failure.account]
    parts = [text]
    parts += [f"{failure.item_id}: {failure.reason}" for failure in accounts]
    downloads = sync.failed - len(accounts)
    if downloads > 0:
        parts.append(t("Downloads that failed: {count}; they stay in the queue.", count=count(downloads)))
    if sync.not_understood:
        parts.append(t("Records of the hub not understood: {count}.", count=count(sync.not_understood)))
    if sync.without_file:
        parts.append(t("Events for which the hub offers no file: {count}.", count=count(sync.without_file)))
    whole = sync.conservation
    if whole.listed and len(parts) > 1:
        parts.append(
            t(
                "{listed} listed in all: {archived} archived, {waiting} waiting, {refused} refused with a reason.",
                listed=count(whole.listed),
                archived=count(whole.archived),
                waiting=count(whole.waiting),
                refused=count(whole.refused),
            )
        )
    if whole.lost:
        parts.append(t("{count} are none of these: run the check of the archive.", count=count(whole.lost)))
    return (WARN, " ".join(parts)) if len(parts) > 1 else (GOOD, text)


def _imported(result: ImportJobResult) -> tuple[str, str]:
    count = formatting.count
    text = t(
        "Imported. Files: {files}; documents: {documents}; events: {events}; "
        "files that were here already: {duplicates}.",
        documents=count(result.documents),
        events=count(result.events),
        files=count(result.files),
        duplicates=count(result.duplicates),
    )
    if result.unreadable:
        text = f"{text} {t('Not readable: {count}; they are kept, with the reason.', count=count(result.unreadable))}"
    if result.not_declared:
        return WARN, f"{text} {result.not_declared}"
    return WARN if result.unreadable else GOOD, _with_declared(text, result.declared)


def _with_declared(text: str, declared: Sequence[DeclaredMonth]) -> str:
    """With the months that were declared complete."""
    months = ", ".join(entry.month for entry in declared)
    return f"{text} {t('Declared complete: {months}.', months=months)}" if months else text


def _exported(result: ExportJobResult) -> tuple[str, str]:
    text = t(
        "Written. Packages: {packages}; XML files: {xml}.",
        packages=formatting.count(len(result.packages)),
        xml=formatting.count(sum(package.xml for package in result.packages)),
    )
    missing = [line for package in result.packages for line in package.missing]
    if missing:
        return WARN, f"{text} {missing[0]}"
    return GOOD, text


def _housed(result: HomeJobResult) -> tuple[str, str]:
    sentences = []
    if result.copied.archive_id:
        sentences.append(t("A checked copy of the archive is in {path}.", path=result.next))
    sentences.append(t("From the next start on the data folder is {path}.", path=result.next))
    more = [*result.notes, *result.warnings]
    return (WARN if more else GOOD), " ".join([*sentences, *more])


def _restored(result: RestoreJobResult) -> tuple[str, str]:
    if not result.restored:
        return INFO, t("The backup {file} is whole.", file=result.file)
    text = t("The backup is restored. Documents: {count}.", count=formatting.count(result.backup.documents))
    if result.set_aside:
        text += f" {backup_labels.replaced_text(result.lost, result.set_aside, comes_back=result.comes_back)}"
    return GOOD, text + " " + t("Sync now: what came after the backup is fetched anew.")


def _saved(result: SelectionJobResult) -> tuple[str, str]:
    saved, count = result.saved, formatting.count
    if saved.documents:
        text = t(
            "Saved. Documents: {documents}; files: {files}.", documents=count(saved.documents), files=count(saved.files)
        )
    else:
        text = t("Saved. Rows of the list: {rows}.", rows=count(saved.rows))
    if saved.already:
        text += " " + t("There already, and as they are: {count}.", count=count(saved.already))
    if not result.failures:
        return GOOD, text
    first = result.failures[0]
    left = t(
        "Not saved: {count}. {name}: {why}",
        count=count(len(result.failures)),
        name=first.access_key or first.sha256,
        why=first.why,
    )
    return WARN, f"{text} {left}"


def _examined(order: JobRequest, result: CheckJobResult) -> tuple[str, str]:
    good = _sentences(result, "vault", well=True)
    bad = [*_sentences(result, "archive", well=False), *_sentences(result, "vault", well=False)]
    if bad:
        return WARN, " ".join([*good, *bad])
    return GOOD, " ".join(good) or t("{title}: done.", title=order.title)


def _sentences(result: CheckJobResult, topic: str, *, well: bool) -> list[str]:
    """What an examination said about `topic`: what is well, or what is not."""
    return [finding.what for finding in result.of(topic) if finding.well is well]


def _verified(counts: VerifyCounts) -> tuple[str, str]:
    """Of what was checked now; where that is nothing, of everything."""
    if counts.judged:
        ok, unchecked, failed = counts.judged_ok, counts.judged_unchecked, counts.judged_failed
        tests = counts.judged_test
    else:
        ok, unchecked, failed, tests = counts.ok, counts.unchecked, counts.failed, counts.test
    text = t(
        "{total} checked: {ok} authentic, {unchecked} could not be checked, {failed} failed.",
        total=formatting.count(ok + unchecked + failed + tests),
        ok=formatting.count(ok),
        unchecked=formatting.count(unchecked),
        failed=formatting.count(failed),
    )
    if tests:
        text = f"{text} {t('Test documents: {count}.', count=formatting.count(tests))}"
    if counts.events_failed:
        text = f"{text} {t('Events that failed: {count}.', count=formatting.count(counts.events_failed))}"
    return WARN if failed or counts.events_failed else GOOD, text


def _reconciled(result: ReconcileJobResult) -> tuple[str, str]:
    """Open findings are what a run is for, and no failure of it."""
    text = t(
        "Reconciled. Links: {links}, ambiguous: {ambiguous}; open findings: {open}, not checked: {unchecked}.",
        links=formatting.count(result.links.automatic + result.links.manual),
        ambiguous=formatting.count(result.links.ambiguous),
        open=formatting.count(sum(run.states.open for run in result.runs)),
        unchecked=formatting.count(sum(run.states.not_checked for run in result.runs)),
    )
    return GOOD, text


def _orders_imported(result: OrdersJobResult) -> tuple[str, str]:
    count = formatting.count
    text = t(
        "Orders imported. New: {new}; changed: {changed}; as they were: {same}.",
        new=count(result.new),
        changed=count(result.changed),
        same=count(result.same),
    )
    if result.unreadable:
        first = ""
        if result.problems:
            problem = result.problems[0]
            first = t("line {line}: {why}", line=problem.line, why=problem.reason)
        lines = t("Lines that could not be read: {count}.", count=count(result.unreadable))
        text = f"{text} {lines} {first}".strip()
        return WARN, " ".join(filter(None, (text, result.not_declared)))
    return GOOD, _with_declared(text, result.declared)


def _invoices_told(result: OrderWritesJobResult) -> tuple[str, str]:
    """Of what went wrong the first is told in the hub's own words; the audit trail has all of them."""
    done = result.counts.written + result.counts.already
    text = t("Orders that have their invoice at the hub now: {count}.", count=formatting.count(done))
    if not result.results:
        return GOOD, text
    first = result.results[0]
    left = t(
        "Not written: {count}. {order}: {why}",
        count=formatting.count(len(result.results)),
        order=first.order,
        why=first.hub_words or first.why or first.outcome,
    )
    return WARN, f"{text} {left}"


def _moves_told(result: OrderWritesJobResult) -> tuple[str, str]:
    """As of invoices; an early shipment that nobody knows the result of yet is no failure."""
    from confere.app.orders.write_back import MOVE_OUTCOMES, WriteOutcome  # with all that a sending needs

    done = result.counts.written + result.counts.already
    text = t("Orders that the hub shows moved now: {count}.", count=formatting.count(done))
    if not result.results:
        return GOOD, text
    first = result.results[0]
    said = render(Message(MOVE_OUTCOMES[WriteOutcome(first.outcome)]))
    left = t("{order}: {why}", order=first.order, why=" ".join(filter(None, (said, first.hub_words or first.why))))
    if len(result.results) > 1:
        left += " " + t("and {count} more", count=formatting.count(len(result.results) - 1))
    is_waiting = all(entry.outcome == WriteOutcome.UNDER_WAY for entry in result.results)
    return INFO if is_waiting else WARN, f"{text} {left}" if done else left


def _closed(result: CloseJobResult) -> tuple[str, str]:
    """What became of the months that were to be closed or opened again."""
    if result.reopened:
        return GOOD, " ".join((t("The month is open again; why is kept with it."), *result.judged.said))
    outcomes = {entry.outcome for entry in result.closed}
    parts = []
    if "closed" in outcomes:
        parts.append(t("The month is closed: what is filed is kept as it is now."))
    if "unchanged" in outcomes:
        parts.append(t("It was closed already, and nothing changed since."))
    if "changed" in outcomes:
        parts.append(t("It was closed already, and things changed since: open it again to close it anew."))
    if "incomplete" in outcomes:
        parts.append(t("It is not complete, so it was not closed."))
    parts += result.judged.said
    return (GOOD if outcomes <= {"closed", "unchanged"} else WARN), " ".join(parts)
