"""Says in words how a job ended: what it brought, what it left, and the next step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from confere.desktop.jobs.job import JobKind, JobOutcome
from confere.desktop.widgets.notices import BAD, GOOD, INFO, WARN
from confere.system import formatting
from confere.system.messages import t


def told(outcome: JobOutcome) -> tuple[str, str]:
    """The kind of notice and its sentence, for a job that did not end by an error."""
    result = outcome.result or {}
    if outcome.stopped:
        return INFO, _stopped(outcome, result)
    match outcome.order.kind:
        case JobKind.SYNC | JobKind.DEMO:
            return _synced(result.get("sync", {}), result.get("failures", ()))
        case JobKind.IMPORT:
            return _imported(result)
        case JobKind.EXPORT:
            return _exported(result)
        case JobKind.UPGRADE:
            bad = _findings(result, "archive", well=False)
            if bad:
                return BAD, " ".join(bad)
            return GOOD, t("The archive is up to date; a copy of what it was is in the backups folder.")
        case JobKind.CHECK | JobKind.BACKUP:
            return _examined(outcome, result)
        case JobKind.VERIFY:
            return _verified(result)
        case JobKind.REINDEX:
            return _reread(result)
        case JobKind.RECONCILE:
            return _reconciled(result)
        case JobKind.ORDERS:
            return _orders_imported(result)
        case JobKind.INVOICES:
            return _invoices_told(result)
        case JobKind.PDF:
            return GOOD, t("{title}: done.", title=outcome.order.title)


def brought_papers(outcome: JobOutcome) -> bool:
    """Whether it put papers into the archive whose authenticity nobody checked yet."""
    result = outcome.result or {}
    match outcome.order.kind:
        case JobKind.SYNC:
            return bool(result.get("sync", {}).get("downloaded"))
        case JobKind.IMPORT:
            return bool(result.get("documents") or result.get("events"))
        case JobKind.REINDEX:
            return bool(result.get("contents"))
        case _:
            return False


def failed_checks(outcome: JobOutcome) -> int:
    """How many documents are found wrong, now or before."""
    return _counted(outcome, "failed")


def found_wrong(outcome: JobOutcome) -> int:
    """How many documents and events this very check found wrong."""
    return _counted(outcome, "judged_failed") + _counted(outcome, "events_failed")


def _counted(outcome: JobOutcome, name: str) -> int:
    found = (outcome.result or {}).get("counts", {}).get(name, 0)
    return found if isinstance(found, int) else 0


def read_by_older(outcome: JobOutcome) -> int:
    """How many files an examination found that an older release read."""
    found = (outcome.result or {}).get("facts", {}).get("older_reader", 0)
    return found if isinstance(found, int) else 0


def packages(outcome: JobOutcome) -> tuple[str, ...]:
    """The files that an export wrote."""
    return tuple(str(path) for entry in (outcome.result or {}).get("packages", ()) for path in entry["paths"])


def _stopped(outcome: JobOutcome, result: Mapping[str, Any]) -> str:
    if outcome.order.kind is JobKind.EXPORT:
        return t("The export was stopped; no package was left half written.")
    figure = result.get("sync", {}).get("downloaded") or result.get("recorded")
    if figure:
        return t(
            "{title}: stopped. Files received: {count}; they are kept, and it goes on from there.",
            title=outcome.order.title,
            count=formatting.count(figure),
        )
    return t("{title}: stopped. Everything received is kept, and it goes on from there.", title=outcome.order.title)


def _synced(found: Mapping[str, Any], failures: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    count = formatting.count
    text = t(
        "Synced. New documents: {new}; changed: {updated}; XML downloaded: {downloaded}.",
        new=count(found.get("new", 0)),
        updated=count(found.get("updated", 0)),
        downloaded=count(found.get("downloaded", 0)),
    )
    accounts = [entry for entry in failures if entry.get("account")]
    parts = [text]
    parts += [f"{entry.get('item_id')}: {entry.get('reason')}" for entry in accounts]
    downloads = found.get("failed", 0) - len(accounts)
    if downloads > 0:
        parts.append(t("Downloads that failed: {count}; they stay in the queue.", count=count(downloads)))
    if found.get("not_understood"):
        parts.append(t("Records of the hub not understood: {count}.", count=count(found["not_understood"])))
    if found.get("without_file"):
        parts.append(t("Events for which the hub offers no file: {count}.", count=count(found["without_file"])))
    whole = found.get("conservation") or {}
    if whole.get("listed") and len(parts) > 1:
        parts.append(
            t(
                "{listed} listed in all: {archived} archived, {waiting} waiting, {refused} refused with a reason.",
                **{name: count(whole[name]) for name in ("listed", "archived", "waiting", "refused")},
            )
        )
    if whole.get("lost"):
        parts.append(t("{count} are none of these: run the check of the archive.", count=count(whole["lost"])))
    return (WARN, " ".join(parts)) if len(parts) > 1 else (GOOD, text)


def _imported(result: Mapping[str, Any]) -> tuple[str, str]:
    count = formatting.count
    text = t(
        "Imported. Files: {files}; documents: {documents}; events: {events}; "
        "files that were here already: {duplicates}.",
        documents=count(result.get("documents", 0)),
        events=count(result.get("events", 0)),
        files=count(result.get("files", 0)),
        duplicates=count(result.get("duplicates", 0)),
    )
    unreadable = result.get("unreadable", 0)
    if unreadable:
        text = f"{text} {t('Not readable: {count}; they are kept, with the reason.', count=count(unreadable))}"
    if result.get("not_declared"):
        return WARN, f"{text} {result['not_declared']}"
    return WARN if unreadable else GOOD, _with_declared(text, result)


def _with_declared(text: str, result: Mapping[str, Any]) -> str:
    """With the months that were declared complete."""
    months = [str(entry.get("month")) for entry in result.get("declared") or () if isinstance(entry, dict)]
    return f"{text} {t('Declared complete: {months}.', months=', '.join(months))}" if months else text


def _exported(result: Mapping[str, Any]) -> tuple[str, str]:
    found = result.get("packages", ())
    text = t(
        "Written. Packages: {packages}; XML files: {xml}.",
        packages=formatting.count(len(found)),
        xml=formatting.count(sum(int(entry["xml"]) for entry in found)),
    )
    missing = [str(line) for entry in found for line in entry.get("missing", ())]
    if missing:
        return WARN, f"{text} {missing[0]}"
    return GOOD, text


def _examined(outcome: JobOutcome, result: Mapping[str, Any]) -> tuple[str, str]:
    wanted = "vault" if outcome.order.kind is JobKind.CHECK else "backup"
    good = _findings(result, wanted, well=True)
    bad = [*_findings(result, "archive", well=False), *_findings(result, wanted, well=False)]
    if bad:
        return WARN, " ".join([*good, *bad])
    return GOOD, " ".join(good) or t("{title}: done.", title=outcome.order.title)


def _verified(result: Mapping[str, Any]) -> tuple[str, str]:
    """Of what was checked now; where that is nothing, of everything."""
    counts = result.get("counts", {})
    prefix = "judged_" if counts.get("judged") else ""
    found = {name: int(counts.get(f"{prefix}{name}", 0)) for name in ("ok", "unchecked", "failed")}
    tests = int(counts.get(f"{prefix}test", 0))
    text = t(
        "{total} checked: {ok} authentic, {unchecked} could not be checked, {failed} failed.",
        total=formatting.count(sum(found.values()) + tests),
        **{name: formatting.count(number) for name, number in found.items()},
    )
    if tests:
        text = f"{text} {t('Test documents: {count}.', count=formatting.count(tests))}"
    events = int(counts.get("events_failed", 0))
    if events:
        text = f"{text} {t('Events that failed: {count}.', count=formatting.count(events))}"
    return WARN if found["failed"] or events else GOOD, text


def _reread(result: Mapping[str, Any]) -> tuple[str, str]:
    return GOOD, t("Read again. Files: {count}.", count=formatting.count(int(result.get("contents", 0))))


def _reconciled(result: Mapping[str, Any]) -> tuple[str, str]:
    """Open findings are what a run is for, and no failure of it."""
    states = [entry.get("states", {}) for entry in result.get("runs", ())]
    links = result.get("links", {})
    text = t(
        "Reconciled. Links: {links}, ambiguous: {ambiguous}; open findings: {open}, not checked: {unchecked}.",
        links=formatting.count(int(links.get("automatic", 0)) + int(links.get("manual", 0))),
        ambiguous=formatting.count(int(links.get("ambiguous", 0))),
        open=formatting.count(sum(int(entry.get("open", 0)) for entry in states)),
        unchecked=formatting.count(sum(int(entry.get("not_checked", 0)) for entry in states)),
    )
    return GOOD, text


def _orders_imported(result: Mapping[str, Any]) -> tuple[str, str]:
    count = formatting.count
    text = t(
        "Orders imported. New: {new}; changed: {changed}; as they were: {same}.",
        new=count(int(result.get("new", 0))),
        changed=count(int(result.get("changed", 0))),
        same=count(int(result.get("same", 0))),
    )
    unreadable = int(result.get("unreadable", 0))
    if unreadable:
        problems = [entry for entry in result.get("problems", ()) if isinstance(entry, dict)]
        first = t("line {line}: {why}", line=problems[0].get("line"), why=problems[0].get("reason")) if problems else ""
        text = f"{text} {t('Lines that could not be read: {count}.', count=count(unreadable))} {first}".strip()
        return WARN, " ".join(filter(None, (text, result.get("not_declared"))))
    return GOOD, _with_declared(text, result)


def _invoices_told(result: Mapping[str, Any]) -> tuple[str, str]:
    """Of what went wrong the first is told in the hub's own words; the audit trail has all of them."""
    counts = result.get("counts") or {}
    done = sum(int(counts.get(name, 0)) for name in ("written", "already"))
    wrong = [entry for entry in result.get("results") or () if isinstance(entry, dict)]
    text = t("Orders that have their invoice at the hub now: {count}.", count=formatting.count(done))
    if not wrong:
        return GOOD, text
    first = wrong[0]
    why = str(first.get("hub_words") or first.get("why") or first.get("outcome") or "")
    left = t(
        "Not written: {count}. {order}: {why}", count=formatting.count(len(wrong)), order=first.get("order"), why=why
    )
    return WARN, f"{text} {left}"


def reports(outcome: JobOutcome) -> str:
    """The spreadsheet that a reconciliation wrote, or empty."""
    return str((outcome.result or {}).get("report") or "") if outcome.order.kind is JobKind.RECONCILE else ""


def _findings(result: Mapping[str, Any], topic: str, *, well: bool) -> list[str]:
    """What an examination said about `topic`: what is well, or what is not."""
    entries = [entry for entry in result.get("findings", ()) if isinstance(entry, dict)]
    return [
        str(entry.get("what", ""))
        for entry in entries
        if entry.get("topic") == topic and bool(entry.get("well")) is well
    ]
