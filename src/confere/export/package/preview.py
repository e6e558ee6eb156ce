"""What a package would hold, told before anything is written: the same choice and the same names, without the bytes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from confere.archive.store import Archive
from confere.errors import Cancelled, message
from confere.export.months import month_of
from confere.export.package.contents import PackageContents
from confere.export.package.manifest import ENDING
from confere.export.package.missing import completeness_of, not_authentic
from confere.export.package.package import listed, looks
from confere.export.package.package_file_name import path_of
from confere.export.package.request import Form, PackageRequest, Split, company_of
from confere.export.package.selection import Selection
from confere.system.processes.cancellation import Stop

_FIRST_NAMES = 12


@dataclass(frozen=True, slots=True)
class ExportPreview:
    """What would be handed over. `bytes` is of the XML before it is packed.

    `names` are the first paths inside the ZIP. `existing` are those of the paths that cannot be written without
    replacing something. With no XML there is nothing to hand over.
    """

    contents: PackageContents
    existing: tuple[Path, ...]
    bytes: int
    names: tuple[str, ...]

    @property
    def exists(self) -> bool:
        """Whether a package is there already."""
        return bool(self.existing)


def preview(archive: Archive, request: PackageRequest, stop: Stop | None = None) -> ExportPreview:
    """Go over the month as the export would. Raises `UsageFault` as it does, and `Cancelled` once `stop` is set."""
    company = company_of(request.company)
    month = month_of(request.options.month)
    selection = Selection(
        company, month, request.profile, request.templates, frozenset(), request.options.with_not_authentic,
        request.options.events,
    )  # fmt: skip
    path = path_of(request, company)
    models: set[str] = set()
    names: list[str] = []
    xml = size = 0
    for look, part in looks(selection, listed(archive, company, month)):
        if stop is not None and stop.is_set:
            raise Cancelled(
                message("The preview of {company} for {month} was stopped.", company=company, month=month.text)
            )
        with archive.reading() as transaction:
            files = look(transaction, part).files
        xml += len(files)
        size += sum(file.entry.sheet.size for file in files)
        models |= {file.package for file in files}
        names += [file.entry.path for file in files[: _FIRST_NAMES - len(names)]]
    paths = sorted({path(model) for model in models or ({""} if request.options.split is Split.ONE else ())})
    contents = PackageContents(
        company=company,
        month=month.text,
        paths=tuple(paths),
        documents=selection.documents.total(),
        events=selection.events.total(),
        xml=xml,
        left_out=selection.left_out.total(),
        missing=(*completeness_of(archive, company, month).missing, *not_authentic(selection.not_authentic)),
        verdicts=dict(selection.verdicts),
        earlier_events=selection.earlier_events.total(),
    )
    return ExportPreview(
        contents,
        existing=tuple(path for path in paths if _is_taken(path, request.options.form)),
        bytes=size,
        names=tuple(names),
    )


def _is_taken(path: Path, form: Form) -> bool:
    """Whether a package stands there; a folder without its manifest is one that was stopped, and is gone on with."""
    finished = path.with_name(path.stem + ENDING).exists()
    return finished or (path.exists() and not (form is Form.FOLDER and path.is_dir()))
