"""The use case "hand over a month": filing packages for one company or all, written down as a run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from confere.app.workspace import Workspace
from confere.archive import audit, runs
from confere.archive.store import Archive
from confere.errors import ArchiveLocked, Cancelled, ConfereError, ExportRefused, Message, UsageFault, message
from confere.export.months import known_companies, month_of, months_of
from confere.export.months import newest_full_month as newest_full_month
from confere.export.package import PackageResult, export_package
from confere.export.profiles import Profile
from confere.export.request import PackageRequest, Split
from confere.export.templates import Templates
from confere.system.jobs import Reporter
from confere.system.settings import EXPORT_FOLDER, EXPORT_NAME
from confere.system.stopping import Stop

PROFILES = tuple(profile.value for profile in Profile)


@dataclass(frozen=True, slots=True)
class Package:
    """One package that was written; `path` is its first ZIP, `paths` all of them. `missing` says what lacks."""

    company: str
    month: str
    path: Path
    paths: tuple[Path, ...]
    manifest: Path
    documents: int
    events: int
    xml: int
    left_out: int
    bytes: int
    seconds: float
    missing: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """What a person chose. `company` None means every establishment; `target` None the data folder's exports."""

    month: str
    company: str | None = None
    target: Path | None = None
    profile: str = Profile.WITH_CANCELLATIONS.value
    replace: bool = False
    split: bool = False
    name_template: str | None = None
    folder_template: str | None = None


def export(
    workspace: Workspace, choice: ExportChoice, *, reporter: Reporter | None = None, stop: Stop | None = None
) -> tuple[Package, ...]:
    """Write the packages; without a company, one for each known one that has documents in that month.

    Works beside a running sync: then nothing is written down about it in the archive.
    """
    try:
        archive = workspace.writing("export")
    except ArchiveLocked:
        archive = workspace.reading()
    with archive:
        companies = [choice.company] if choice.company else _with_papers(archive, choice.month)
        return tuple(_export_one(workspace, archive, company, choice, reporter, stop) for company in companies)


def export_month(
    workspace: Workspace,
    archive: Archive,
    company: str,
    month: str,
    *,
    again: bool = False,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> Package:
    """One company's month into the data folder's exports, from an archive that is open already."""
    choice = ExportChoice(month, company, replace=again)
    return _export_one(workspace, archive, company, choice, reporter, stop)


def has_papers(archive: Archive, company: str, month: str) -> bool:
    """Whether the company has documents in this month (`YYYY-MM`)."""
    return any(entry.month == month for entry in months_of(archive, company))


def _with_papers(archive: Archive, month: str) -> list[str]:
    """The known companies that have documents in this month."""
    wanted = month_of(month).text
    found = [company for company in known_companies(archive) if has_papers(archive, company, wanted)]
    if not found:
        raise ExportRefused(
            message("No known company has documents in {month}.", month=wanted),
            message("See what is here with `confere list`, sync an account, or name a company with --company."),
        )
    return found


def _export_one(
    workspace: Workspace,
    archive: Archive,
    company: str,
    choice: ExportChoice,
    reporter: Reporter | None,
    stop: Stop | None,
) -> Package:
    request = PackageRequest(
        company=company,
        month=choice.month,
        target=choice.target or workspace.home.exports,
        profile=_profile(choice.profile),
        templates=_templates(workspace, choice),
        split=Split.MODEL if choice.split else Split.ONE,
        replace=choice.replace,
    )
    run_id = None
    if archive.can_write:
        with archive.writing() as transaction:
            parameters = {"company": company, "month": choice.month, "profile": choice.profile}
            run_id = runs.start(transaction, "export", None, parameters)
    outcome, counts, problem = "failed", {}, None
    try:
        result = export_package(archive, request, reporter, stop)
        outcome = "partial" if result.missing else "done"
        counts = {"documents": result.documents, "events": result.events, "xml": result.xml, "bytes": result.bytes}
    except Cancelled:
        outcome = "stopped"
        raise
    except ConfereError as error:
        problem = str(error)
        raise
    finally:
        if run_id is not None:
            with archive.writing() as transaction:
                runs.finish(transaction, run_id, outcome, counts, problem)
                if outcome in ("done", "partial"):
                    audit.write(transaction, "export", f"{company} {choice.month}", str(result.paths[0]))
    return _package(result)


def _package(result: PackageResult) -> Package:
    return Package(
        company=result.company,
        month=result.month,
        path=result.paths[0],
        paths=result.paths,
        manifest=result.manifests[0],
        documents=result.documents,
        events=result.events,
        xml=result.xml,
        left_out=result.left_out,
        bytes=result.bytes,
        seconds=result.seconds,
        missing=tuple(entry.what for entry in result.missing),
    )


def _profile(name: str) -> Profile:
    try:
        return Profile(name)
    except ValueError:
        raise UsageFault(
            message("{value} is not a profile.", value=name),
            message("Choose one of: {known}.", known=", ".join(PROFILES)),
        ) from None


def _templates(workspace: Workspace, choice: ExportChoice) -> Templates:
    """The standard names, unless the settings or this call say otherwise."""
    usual = Templates()
    return Templates(
        folder=choice.folder_template or workspace.settings.get(EXPORT_FOLDER) or usual.folder,
        document=choice.name_template or workspace.settings.get(EXPORT_NAME) or usual.document,
    )
