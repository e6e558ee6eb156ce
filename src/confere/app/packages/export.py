"""The use case "hand over a month": filing packages for one company or all, written down as a run."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.ledger import ledger
from confere.archive.accounts import audit, runs
from confere.archive.accounts.recorded_run import Booking
from confere.archive.clock import utc_now
from confere.archive.documents import export_queries
from confere.archive.store import Archive
from confere.errors import ArchiveError, Cancelled, ConfereError, ExportRefused, UsageFault, message
from confere.export.months import known_companies, month_of, months_of
from confere.export.months import newest_full_month as newest_full_month
from confere.export.package import preview as package_preview
from confere.export.package.cancelled_profiles import Profile
from confere.export.package.missing import MissingFiles
from confere.export.package.name_templates import Templates
from confere.export.package.package import PackageResult as PackageResult
from confere.export.package.package import export_package
from confere.export.package.preview import ExportPreview as ExportPreview
from confere.export.package.request import Events as Events
from confere.export.package.request import Form as Form
from confere.export.package.request import PackageOptions as PackageOptions
from confere.export.package.request import PackageRequest
from confere.export.package.request import Split as Split
from confere.fiscal import taxpayers
from confere.system.files.atomic_file import storage_fault
from confere.system.processes.cancellation import Stop
from confere.system.progress import Reporter
from confere.system.settings import EXPORT_EVENT, EXPORT_FOLDER, EXPORT_NAME, EXPORT_VOIDING

PROFILES = tuple(profile.value for profile in Profile)

_WAIT_SECONDS = 5.0  # for another writer's end, before an export goes unwritten
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Undeclared:
    """A company that issued documents which are in no establishment's package."""

    tax_id: str
    name: str | None
    documents: int


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """What a person chose. `company` None means every establishment; `target` None the data folder's exports."""

    options: PackageOptions
    company: str | None = None
    target: Path | None = None
    profile: str = Profile.WITH_CANCELLATIONS.value
    name_template: str | None = None
    folder_template: str | None = None
    with_ledger: bool = True  # `{company}-{month}.xlsx` beside the package, where the month has documents
    with_pdf: bool = False  # `{company}-{month}-pdf.zip` beside the package


def export(
    workspace: Workspace, choice: ExportChoice, *, reporter: Reporter | None = None, stop: Stop | None = None
) -> tuple[PackageResult, ...]:
    """Write the packages; without a company, one for each known one that has documents in that month.

    Only reads the archive, so anything may write to it meanwhile. What was done is written down at the end; where
    somebody else still writes by then, or nobody may write at all, the packages stand without it.
    """
    acts: list[_Act] = []
    try:
        with workspace.reading() as archive:
            return tuple(
                _export_one(workspace, archive, company, choice, reporter, stop, acts)
                for company in _companies(archive, choice)
            )
    finally:
        if acts:
            _write_down_beside_others(workspace, acts)


def preview(opened: OpenArchive, choice: ExportChoice, stop: Stop | None = None) -> tuple[ExportPreview, ...]:
    """What `export` would write for this choice, without writing anything; raises as it does, and `Cancelled`."""
    archive = opened.archive()
    return tuple(
        package_preview.preview(archive, _request(opened.workspace, company, choice), stop)
        for company in _companies(archive, choice)
    )


def undeclared(opened: OpenArchive, month: str) -> tuple[Undeclared, ...]:
    """Whose documents of the month an export without a company leaves out, most documents first."""
    wanted = month_of(month)
    archive = opened.archive()
    declared = known_companies(archive)
    with archive.reading() as transaction:
        found = export_queries.of_nobody(transaction, declared, wanted.first_day, wanted.last_day)
    return tuple(Undeclared(*entry) for entry in found)


def export_month(
    workspace: Workspace,
    archive: Archive,
    company: str,
    month: str,
    *,
    again: bool = False,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> PackageResult:
    """One company's month into the data folder's exports, from an archive that is open already."""
    choice = ExportChoice(PackageOptions(month, replace=again), company)
    acts: list[_Act] = []
    try:
        return _export_one(workspace, archive, company, choice, reporter, stop, acts)
    finally:
        if archive.can_write:
            _write_down(archive, acts)


def has_papers(archive: Archive, company: str, month: str) -> bool:
    """Whether the company has documents in this month (`YYYY-MM`)."""
    return any(entry.month == month for entry in months_of(archive, company))


@dataclass(frozen=True, slots=True)
class _Act:
    """One package that was written or not: what the archive keeps of it. `path` is None without a package."""

    parameters: Mapping[str, str]
    started_at: str
    booking: Booking
    path: Path | None


def _write_down_beside_others(workspace: Workspace, acts: Sequence[_Act]) -> None:
    """Take the archive's lock for this moment only; a package is no worse for lacking its line."""
    # Who stopped the export does not want to wait for anybody.
    wait_seconds = 0.0 if acts[-1].booking.outcome == "stopped" else _WAIT_SECONDS
    try:
        with Archive.to_write(workspace.home.archive, "export", wait_seconds=wait_seconds) as archive:
            _write_down(archive, acts)
    except ArchiveError as error:
        _log.info("The export is not written down in the archive: %s", error)


def _write_down(archive: Archive, acts: Sequence[_Act]) -> None:
    with archive.writing() as transaction:
        for act in acts:
            number = runs.start(transaction, "export", None, act.parameters, started_at=act.started_at)
            runs.finish(transaction, number, act.booking.outcome, act.booking.counts, act.booking.problem)
            if act.path is not None:
                subject = f"{act.parameters['company']} {act.parameters['month']}"
                audit.write(transaction, "export", subject, str(act.path))


def _companies(archive: Archive, choice: ExportChoice) -> list[str]:
    """Whose packages are asked for."""
    companies = [choice.company] if choice.company else _with_papers(archive, choice.options.month)
    if len(companies) > 1 and choice.target is not None and choice.target.suffix.lower() == ".zip":
        raise UsageFault(
            message(
                "{count} companies do not fit into one file {path}.", count=len(companies), path=str(choice.target)
            ),
            message("Give a folder, or name one company with --company."),
        )
    return companies


def _with_papers(archive: Archive, month: str) -> list[str]:
    """The known companies that have documents in this month."""
    wanted = month_of(month).text
    found = [company for company in known_companies(archive) if has_papers(archive, company, wanted)]
    if not found:
        raise ExportRefused(
            message(
                "None of the known companies ({companies}) has documents in {month}.",
                companies=", ".join(known_companies(archive)) or "-",
                month=wanted,
            ),
            message("See whose documents are here with `confere list`, and name a company with --company."),
        )
    return found


def _export_one(
    workspace: Workspace,
    archive: Archive,
    company: str,
    choice: ExportChoice,
    reporter: Reporter | None,
    stop: Stop | None,
    acts: list[_Act],
) -> PackageResult:
    """Write one package; how it went is added to `acts`, whatever happens."""
    request = _request(workspace, company, choice)
    parameters = {"company": taxpayers.normalise(company), "month": choice.options.month, "profile": choice.profile}
    started_at = utc_now()
    booking, path = Booking(), None
    try:
        with booking.watch():
            result = export_package(archive, request, reporter, stop)
            path = result.path
            if choice.with_ledger and has_papers(archive, parameters["company"], result.contents.month):
                result = _with_ledger(workspace, result, stop)
            if choice.with_pdf:
                from confere.app.packages import pdf_beside  # which brings all that draws

                result = replace(result, pdfs=pdf_beside.write_beside(archive, result, reporter=reporter, stop=stop))
        booking.outcome = "partial" if result.contents.missing else "done"
        booking.counts = {
            "documents": result.contents.documents,
            "events": result.contents.events,
            "xml": result.contents.xml,
            "bytes": result.bytes,
            "identical": int(result.identical),
        }
    finally:
        acts.append(_Act(parameters, started_at, booking, path))
    return result


def _with_ledger(workspace: Workspace, result: PackageResult, stop: Stop | None) -> PackageResult:
    """Write the ledger beside a package; where that fails the package stands, and the ledger is among what lacks.

    Raises `Cancelled`.
    """
    company, month = result.contents.company, result.contents.month
    try:
        ledger.write_beside(workspace, company, month, result.path, stop=stop)
    except Cancelled:
        raise
    except (ConfereError, OSError) as error:
        fault = storage_fault(error, result.path.parent) if isinstance(error, OSError) else error
        _log.warning("The ledger of %s for %s is not written: %s", company, month, fault)
        lack = MissingFiles(
            "no_ledger",
            message("The ledger beside the package could not be written. {why}", why=fault.what),
            message("`confere ledger --company {company} --period {month}` writes it.", company=company, month=month),
        )
        return replace(result, contents=replace(result.contents, missing=(*result.contents.missing, lack)))
    return result


def _request(workspace: Workspace, company: str, choice: ExportChoice) -> PackageRequest:
    return PackageRequest(
        company=company,
        target=choice.target or workspace.home.exports,
        options=choice.options,
        profile=_profile(choice.profile),
        templates=_templates(workspace, choice),
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
        event=workspace.settings.get(EXPORT_EVENT) or usual.event,
        voiding=workspace.settings.get(EXPORT_VOIDING) or usual.voiding,
    )
