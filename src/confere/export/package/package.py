"""The filing package of a company and month: every fiscal XML in one ZIP or one for each model, with its manifest.

What goes in: the current documents that `confere list --company C --month M` shows, the events that belong to them,
and the events of the month on documents of earlier months. Bytes are untouched. Nothing but fiscal XML is in the ZIP;
the manifest stands beside it as `<name>.manifest.json`.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Final, NamedTuple

from confere.archive.closing import closings
from confere.archive.documents import export_queries
from confere.archive.documents.export_queries import OtherCopy
from confere.archive.hub import no_longer_listed as archived_unlisted
from confere.archive.hub.no_longer_listed import GoneDocument
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault.bulk_reader import by_weight
from confere.errors import ArchiveCorrupt, ArchiveError, Cancelled, EnvironmentFault, ExportRefused, message, nmessage
from confere.export.months import Month, month_of
from confere.export.package.compressor import GROUP, Press, compared, crew, made_ready, workers_for
from confere.export.package.contents import PackageContents, PdfPackage
from confere.export.package.missing import Completeness, MissingFiles, completeness_of, not_authentic
from confere.export.package.output.folder import FolderBook
from confere.export.package.package_file_name import path_of
from confere.export.package.request import Form, PackageRequest, company_of
from confere.export.package.selection import Outgoing, Selection, SelectionStep
from confere.export.package.writer import Shelf
from confere.system.diagnostics import version
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

_STEP: Final = 400  # documents of one look at the archive


@dataclass(frozen=True, slots=True)
class PackageResult:
    """What was handed over: its `contents`, with a manifest beside each ZIP.

    `bytes` is the size of the ZIPs.
    `identical`: the same package was there already, and was left as it is. `pdfs` stand beside the packages, where
    they were asked for.
    """

    contents: PackageContents
    manifests: tuple[Path, ...]
    bytes: int
    seconds: float
    identical: bool = False
    pdfs: tuple[PdfPackage, ...] = ()

    @property
    def path(self) -> Path:
        """Its first ZIP."""
        return self.contents.paths[0]


def export_package(
    archive: Archive, request: PackageRequest, reporter: Reporter | None = None, stop: Stop | None = None
) -> PackageResult:
    """Write the package of a company and month: whole, or not at all.

    Only reads the archive, in short steps and constant memory; it may grow meanwhile. The list of documents is the
    one of the moment when the export begins.

    Raises `UsageFault` (company, month, target, templates), `ExportRefused` (a file is in the way, or there is
    nothing to hand over), `DiskFull` or `EnvironmentFault` (the target), `ArchiveCorrupt`, and `Cancelled` once
    `stop` is set.
    """
    proof = _Proof()
    try:
        return _export(archive, request, reporter, stop, frozenset(), proof)
    except (ArchiveCorrupt, EnvironmentFault) as error:
        if not isinstance(error, ArchiveCorrupt) and not proof.failed:
            raise
        damaged = _damaged(archive, request)
        if not damaged:
            raise
    # What fails its SHA-256 must not keep the rest of the month back: it stands in `missing` instead.
    return _export(archive, request, reporter, stop, damaged, _Proof())


class _Proof:
    """Whether what was written was read back as something else: the archive's bytes may be to blame."""

    failed = False


def _damaged(archive: Archive, request: PackageRequest) -> frozenset[int]:
    """The contents of the package whose bytes cannot be given back."""
    company, month = company_of(request.company), month_of(request.options.month)
    selection = Selection(
        company, month, request.profile, request.templates, frozenset(), request.options.with_not_authentic,
        request.options.events,
    )  # fmt: skip
    damaged: set[int] = set()
    for look, part in looks(selection, listed(archive, company, month)):
        with archive.reading() as transaction:
            for file in look(transaction, part).files:
                try:
                    archive.vault.get(transaction, file.content_id)
                except ArchiveError:
                    damaged.add(file.content_id)
    return frozenset(damaged)


def _export(
    archive: Archive,
    request: PackageRequest,
    reporter: Reporter | None,
    stop: Stop | None,
    without: frozenset[int],
    proof: _Proof,
) -> PackageResult:
    """As `export_package`, leaving these contents out."""
    started = time.monotonic()
    company = company_of(request.company)
    month = month_of(request.options.month)
    selection = Selection(
        company, month, request.profile, request.templates, without, request.options.with_not_authentic,
        request.options.events,
    )  # fmt: skip
    as_folder, as_bag = request.options.form is Form.FOLDER, request.options.bag
    shelf = Shelf(
        path_of(request, company),
        _head(archive, request, company),
        replace=request.options.replace,
        as_folder=as_folder,
        as_bag=as_bag,
    )
    known = completeness_of(archive, company, month, without)
    with archive.reading() as transaction:
        unlisted = archived_unlisted.of_company(transaction, company, month.first_day, month.last_day)
    ids, earlier = listed(archive, company, month)
    meter = Meter(
        reporter or Silent(),
        message("Writing the package of {company} for {month}", company=company, month=month.text),
        len(ids) + len(earlier),
    )
    # A disk takes files one by one: it is not the processor that a folder waits for.
    press = (
        Press(deflated=False)
        if as_folder or request.options.bag
        else Press(workers=workers_for(len(ids) + len(earlier)))
    )
    with ExitStack() as stack:
        stack.callback(shelf.discard)
        run = stack.enter_context(crew(archive, press))
        with (
            closing(_batches(archive, selection, (ids, earlier))) as batches,
            closing(made_ready(archive, batches, press, run)) as ready,
        ):
            for batch, contents in ready:
                _check(stop, company, month)
                for file, content in zip(batch.files, contents, strict=True):
                    shelf.put(file.package, file.entry, content)
                for package, copy in batch.copies:
                    shelf.beside(package, copy)
                meter.advance(batch.papers)
        known = replace(known, missing=(*known.missing, *not_authentic(selection.not_authentic)))
        if not shelf.books and selection.not_authentic:
            raise ExportRefused(
                nmessage(
                    "Nothing of {company} for {month} is authentic: {count} document or event is kept back.",
                    "Nothing of {company} for {month} is authentic: {count} documents and events are kept back.",
                    len(selection.not_authentic),
                    company=company,
                    month=month.text,
                ),
                message("Look at them with `confere verify`; --with-not-authentic hands them over all the same."),
            )
        if not shelf.books:
            raise ExportRefused(
                message(
                    "The archive holds nothing of {company} for {month} to hand over (profile {profile}).",
                    company=company,
                    month=month.text,
                    profile=request.profile.value,
                ),
                message("`confere list --company {company}` shows what there is.", company=company),
            )
        _check(stop, company, month)
        shelf.seal(lambda models: _tail(selection, known, unlisted, models, month))
        proof.failed = True
        for book in shelf.books:
            if isinstance(book, FolderBook):  # each of its files was compared when it was written
                continue
            compared(book.zip.draft, book.text.draft, run, lambda: _check(stop, company, month))
        proof.failed = False
        identical = shelf.settle()
    meter.finish()
    figures = PackageContents(
        company=company,
        month=month.text,
        paths=tuple(book.path for book in shelf.books),
        documents=selection.documents.total(),
        events=selection.events.total(),
        xml=sum(book.count for book in shelf.books),
        left_out=selection.left_out.total(),
        missing=known.missing,
        verdicts=dict(selection.verdicts),
        earlier_events=selection.earlier_events.total(),
    )
    return PackageResult(
        figures,
        manifests=tuple(book.text.path for book in shelf.books),
        bytes=sum(book.size for book in shelf.books),
        seconds=time.monotonic() - started,
        identical=identical,
    )


class _Batch(NamedTuple):
    """Files that go through the press together, and what is done once they are written."""

    files: Sequence[Outgoing]
    copies: Sequence[tuple[str, OtherCopy]]
    papers: int


def listed(archive: Archive, company: str, month: Month) -> tuple[array[int], array[int]]:
    """What goes out, as of now: ids of the month's documents, and of its events on earlier ones."""
    ids = array("q")
    with archive.reading() as transaction:
        for part in export_queries.document_ids(transaction, company, month.first_day, month.last_day):
            ids.extend(part)
        earlier = array("q", export_queries.earlier_event_ids(transaction, company, month.first_day, month.last_day))
    return ids, earlier


Look = Callable[[Transaction, Sequence[int]], SelectionStep]


def looks(
    selection: Selection, wanted: tuple[array[int], array[int]]
) -> Generator[tuple[Look, Sequence[int]], None, None]:
    """How `listed` is looked at, in the order of the package: some of it at a time, with what tells its files."""
    for ids, look in zip(wanted, (selection.of_documents, selection.of_earlier_events), strict=True):
        for start in range(0, len(ids), _STEP):
            yield look, ids[start : start + _STEP]


def _batches(
    archive: Archive, selection: Selection, wanted: tuple[array[int], array[int]]
) -> Generator[tuple[_Batch, Sequence[int]], None, None]:
    """The files in their order, with the numbers of their contents, in groups of bounded number and weight."""
    for look, part in looks(selection, wanted):
        with archive.reading() as transaction:
            files, copies = look(transaction, part)
        for first, after in by_weight([file.entry.sheet.size for file in files], GROUP):
            group = files[first:after]
            yield _Batch(group, (), 0), [file.content_id for file in group]
        yield _Batch((), copies, len(part)), []


def _check(stop: Stop | None, company: str, month: Month) -> None:
    if stop is not None and stop.is_set:
        raise Cancelled(
            message("The package of {company} for {month} was not finished.", company=company, month=month.text),
            message("There is no package. Export it again when you like; a folder goes on where it stopped."),
        )


def _head(archive: Archive, request: PackageRequest, company: str) -> Mapping[str, object]:
    """What the manifest begins with; `closing` is null for a month that is not closed."""
    with archive.reading() as transaction:
        organization = export_queries.name_of(transaction, company) or company
        closed = closings.name_of(transaction, company, request.options.month)
    return {
        "program": f"confere {version()}",
        "company": company,
        "organization": organization,
        "month": request.options.month,
        "closing": None if closed is None else closed._asdict(),
        "profile": request.profile.value,
        "split": request.options.split.value,
        "bag": request.options.bag,
        "events_placed": request.options.events.value,
        "with_not_authentic": request.options.with_not_authentic,
    }


def _tail(
    selection: Selection,
    known: Completeness,
    unlisted: Sequence[GoneDocument],
    models: Sequence[str],
    month: Month,
) -> Mapping[str, object]:
    """What the manifest of the ZIP with these models says at its end.

    `missing`, `listed` and `no_longer_listed` are of the month: the last are here, and the hub lists them no more.
    `content_as_of` is when the newest file of the month's package was recorded. Nothing tells of later moments, so
    that the same content gives the same manifest: `listed` reaches no further than the month.
    """
    return {
        "content_as_of": selection.recorded_at,
        "documents": sum(selection.documents[model] for model in models),
        "events": sum(selection.events[model] for model in models),
        "earlier_events": sum(selection.earlier_events[model] for model in models),
        "left_out_by_profile": dict(sorted(selection.left_out.items())),
        "verdicts": dict(sorted(selection.verdicts.items())),
        "referenced_not_archived": {
            "count": selection.references,
            "first": [{"document": source, "refers_to": target} for source, target in selection.first_references],
        },
        "missing": [_missing(entry) for entry in known.missing],
        "listed": [
            {
                **asdict(entry),
                "created_until": _within(entry.created_until, month),
                "changed_until": _within(entry.changed_until, month),
            }
            for entry in known.listed
        ],
        "no_longer_listed": [entry._asdict() for entry in unlisted],
    }


def _within(moment: str | None, month: Month) -> str | None:
    return None if moment is None else min(moment, month.to_at)


def _missing(entry: MissingFiles) -> Mapping[str, object]:
    first = [
        {"name": name, "reason": reason or None}
        for name, reason in zip_longest(entry.names, entry.reasons, fillvalue="")
    ]
    return {
        "kind": entry.kind, "count": entry.count, "what": str(entry.what), "remedy": str(entry.remedy), "first": first,
    }  # fmt: skip
