"""Says in words how a job ended: what it brought, what it left, and the next step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from confere.desktop.jobs.order import Kind, Outcome
from confere.desktop.shell.notices import BAD, GOOD, INFO, WARN
from confere.system import figures
from confere.system.messages import t


def told(outcome: Outcome) -> tuple[str, str]:
    """The kind of notice and its sentence, for a job that did not end by an error."""
    result = outcome.result or {}
    if outcome.stopped:
        return INFO, _stopped(outcome, result)
    match outcome.order.kind:
        case Kind.SYNC | Kind.DEMO:
            return _synced(result.get("sync", {}), result.get("failures", ()))
        case Kind.IMPORT:
            return _imported(result)
        case Kind.EXPORT:
            return _exported(result)
        case Kind.UPGRADE:
            bad = _findings(result, "archive", well=False)
            if bad:
                return BAD, " ".join(bad)
            return GOOD, t("The archive is up to date; a copy of what it was is in the backups folder.")
        case Kind.VERIFY | Kind.BACKUP:
            return _examined(outcome, result)


def packages(outcome: Outcome) -> tuple[str, ...]:
    """The files that an export wrote."""
    return tuple(str(path) for entry in (outcome.result or {}).get("packages", ()) for path in entry["paths"])


def _stopped(outcome: Outcome, result: Mapping[str, Any]) -> str:
    if outcome.order.kind is Kind.EXPORT:
        return t("The export was stopped; no package was left half written.")
    figure = result.get("sync", {}).get("downloaded") or result.get("recorded")
    if figure:
        return t(
            "{title}: stopped. Files received: {count}; they are kept, and it goes on from there.",
            title=outcome.order.title,
            count=figures.count(figure),
        )
    return t("{title}: stopped. Everything received is kept, and it goes on from there.", title=outcome.order.title)


def _synced(found: Mapping[str, Any], failures: Sequence[Mapping[str, Any]]) -> tuple[str, str]:
    count = figures.count
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
    return (WARN, " ".join(parts)) if len(parts) > 1 else (GOOD, text)


def _imported(result: Mapping[str, Any]) -> tuple[str, str]:
    count = figures.count
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
        return WARN, f"{text} {t('Not readable: {count}; they are kept, with the reason.', count=count(unreadable))}"
    return GOOD, text


def _exported(result: Mapping[str, Any]) -> tuple[str, str]:
    found = result.get("packages", ())
    text = t(
        "Written. Packages: {packages}; XML files: {xml}.",
        packages=figures.count(len(found)),
        xml=figures.count(sum(int(entry["xml"]) for entry in found)),
    )
    missing = [str(line) for entry in found for line in entry.get("missing", ())]
    if missing:
        return WARN, f"{text} {missing[0]}"
    return GOOD, text


def _examined(outcome: Outcome, result: Mapping[str, Any]) -> tuple[str, str]:
    wanted = "vault" if outcome.order.kind is Kind.VERIFY else "backup"
    good = _findings(result, wanted, well=True)
    bad = [*_findings(result, "archive", well=False), *_findings(result, wanted, well=False)]
    if bad:
        return WARN, " ".join([*good, *bad])
    return GOOD, " ".join(good) or t("{title}: done.", title=outcome.order.title)


def _findings(result: Mapping[str, Any], topic: str, *, well: bool) -> list[str]:
    """What an examination said about `topic`: what is well, or what is not."""
    entries = [entry for entry in result.get("findings", ()) if isinstance(entry, dict)]
    return [
        str(entry.get("what", ""))
        for entry in entries
        if entry.get("topic") == topic and bool(entry.get("well")) is well
    ]
