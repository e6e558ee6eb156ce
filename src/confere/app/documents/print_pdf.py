"""The use case "print this": papers of the archive as PDF files, one or a month of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import tee
from pathlib import Path

from confere.app.context import Workspace
from confere.app.documents import full_document, save_xml
from confere.app.documents.browse import DocumentQuery, DocumentRow
from confere.app.documents.full_document import EventRow, FullDocument
from confere.app.labels import event_names
from confere.archive.documents import details, documents
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import ConfereError, Message, NotInArchive, PaperError, UsageFault, message
from confere.export.pdf import danfe_library
from confere.export.pdf.batch import DrawnPart, Piece, work
from confere.export.pdf.pdf_request import By as By
from confere.export.pdf.pdf_request import DrawnKind, Rendered
from confere.fiscal.model import State, Voiding
from confere.system.files.atomic_file import storage_fault, write_bytes
from confere.system.files.safe_names import Taken, inside, marked, segment
from confere.system.processes import worker_pool
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

CORRECTION = "110110"
"""The event that has a form of its own: the correction letter."""

_FORMS = {"nfe": "danfe", "nfce": "danfe", "cte": "dacte", "cteos": "dacte", "mdfe": "damdfe"}
_STATES = frozenset(state.value for state in State)
ALONE = 23
"""Up to so many papers one process makes them: starting another takes as long as some."""
_AT_ONCE = 200  # rows read at a time


@dataclass(frozen=True, slots=True)
class PrintChoice:
    """What a person chose: papers by name (`full_paper.named`), rows of the archive by `ids`, or all of a query.

    `event` is the number of one of the paper's events, from 1, oldest first, to be printed in the document's place.
    `output` is a file or folder; None is the folder at hand.
    """

    names: tuple[str, ...] = ()
    query: DocumentQuery | None = None
    event: int | None = None
    output: Path | None = None
    ids: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Printed:
    """A PDF that was written. `why` says why the plain rendering was needed, or what a PDF cannot show."""

    access_key: str | None
    sha256: str
    path: Path
    pages: int
    size: int
    by: By
    why: Message | None


@dataclass(frozen=True, slots=True)
class NotPrinted:
    """A paper that has no PDF, with the reason. `asked` is the name that it was asked for by, if any."""

    access_key: str | None
    sha256: str
    why: Message
    asked: str | None = None


@dataclass(frozen=True, slots=True)
class PrintResult:
    """`already` counts PDFs that were there before; nothing is written over."""

    printed: tuple[Printed, ...]
    failed: tuple[NotPrinted, ...]
    already: int
    stopped: bool

    def count(self, by: By) -> int:
        """How many were drawn so."""
        return sum(entry.by is by for entry in self.printed)


@dataclass(frozen=True, slots=True)
class DocumentPdf:
    """A document as a PDF, or the reason for which there is none. `name` is its access key, else its SHA-256."""

    name: str
    sha256: str
    position: int
    file_name: str
    issued_at: str | None
    made: Rendered | Message


@dataclass(frozen=True, slots=True)
class _Job:
    """A paper to print, and what its file is called."""

    access_key: str | None
    sha256: str
    content_id: int
    part: DrawnPart
    file_name: str
    about: DocumentRow | None = None
    asked: str | None = None
    issued_at: str | None = None


def document_file_name(row: DocumentRow, voiding: Voiding | None = None) -> str:
    """What a document's PDF is called: `KEY-danfe.pdf` and its kin; what is drawn plainly has the name of its kind."""
    form = _FORMS.get(row.type)
    if form is None:
        return save_xml.document_name(row, voiding).removesuffix(".xml") + ".pdf"
    if not danfe_library.draws(row.type, row.layout):
        form = row.type
    return segment(f"{row.access_key or f'no-key-{row.sha256[:16]}'}-{form}.pdf")


def event_file_name(event: EventRow) -> str:
    """What an event's PDF is called: `KEY-cce-1.pdf` of a correction letter, else with its code."""
    form = "cce" if event.code == CORRECTION else event.code or "event"
    return segment(f"{event.access_key or f'no-key-{event.sha256[:16]}'}-{form}-{event.sequence or 1}.pdf")


def print_papers(
    workspace: Workspace, choice: PrintChoice, *, reporter: Reporter | None = None, stop: Stop | None = None
) -> PrintResult:
    """Write a PDF of each paper of the choice, atomically and never over anything.

    Of one paper `output` may be a file; of many it is a folder, in which what is there already is left alone: a run
    that was stopped goes on. Raises `NotInArchive`, `UsageFault`, and `PaperError` where the only paper has no PDF.
    """
    with workspace.reading() as archive:
        with archive.reading() as transaction:
            wanted = list(_jobs(transaction, choice))
        if not wanted:
            raise NotInArchive(
                message("There is nothing to print: no document fits."),
                message("See what is there with `confere list`."),
            )
        if len(wanted) == 1 and choice.names:
            return _one(archive, wanted[0], choice.output)
        return _many(archive, wanted, _folder(choice.output), reporter or Silent(), stop or Stop())


def draw(archive: Archive, ids: Sequence[int], stop: Stop) -> Iterator[DocumentPdf]:
    """These documents of the archive one after the other, nothing written; ends early once `stop` is set."""
    jobs, again = tee(_in_steps(archive, ids))
    pieces = (_piece(archive, job) for job in jobs)
    for job, made in zip(again, work(pieces, processes=_processes(len(ids)), stop=stop), strict=False):
        yield DocumentPdf(
            job.access_key or job.sha256, job.sha256, job.part.position, job.file_name, job.issued_at, made
        )


def _in_steps(archive: Archive, ids: Sequence[int]) -> Iterator[_Job]:
    for start in range(0, len(ids), _AT_ONCE):
        with archive.reading() as transaction:
            rows = documents.by_ids(transaction, ids[start : start + _AT_ONCE])
            found = [_of_row(transaction, row) for row in rows]
        yield from found


def _one(archive: Archive, job: _Job, output: Path | None) -> PrintResult:
    path = inside(output or Path(), job.file_name) if output is None or output.is_dir() else output
    if path.exists():
        raise UsageFault(
            message("There is something at {path} already; nothing was written.", path=str(path)),
            message("Choose another name, or move that one away."),
        )
    made = next(work([_piece(archive, job)]))
    if isinstance(made, Message):
        raise PaperError(
            message("{name} has no PDF: {why}", name=job.asked or job.sha256, why=made),
            message("Look at its XML; everything else about it is in `confere show`."),
        )
    return PrintResult((_written(job, made, path),), (), 0, False)


def _many(archive: Archive, wanted: list[_Job], folder: Path, reporter: Reporter, stop: Stop) -> PrintResult:
    names = _names(wanted)
    jobs = [(job, inside(folder, name)) for job, name in zip(wanted, names, strict=True)]
    left = [(job, path) for job, path in jobs if not path.exists()]
    meter = Meter(reporter, message("Printing"), len(left))
    printed: list[Printed] = []
    failed: list[NotPrinted] = []
    pieces = (_piece(archive, job) for job, _ in left)
    made = work(pieces, processes=_processes(len(left)), stop=stop)
    for (job, path), entry in zip(left, made, strict=False):
        if isinstance(entry, Message):
            failed.append(NotPrinted(job.access_key, job.sha256, entry, job.asked))
        else:
            printed.append(_written(job, entry, path))
        meter.advance()
    meter.finish()
    return PrintResult(tuple(printed), tuple(failed), len(jobs) - len(left), stop.is_set)


def _processes(papers: int) -> int:
    return 1 if papers <= ALONE else min(worker_pool.cores(), 8)


def _written(job: _Job, made: Rendered, path: Path) -> Printed:
    write_bytes(path, made.pdf)
    return Printed(job.access_key, job.sha256, path, made.pages, len(made.pdf), made.by, made.why)


def _piece(archive: Archive, job: _Job) -> Piece | Message:
    """The bytes for a worker, or why there are none."""
    try:
        data = archive.content(job.content_id)
        about = archive.content(job.about.content_id) if job.about is not None else b""
    except ConfereError as error:
        return error.what
    place = job.about.position if job.about is not None else 0
    return Piece(data, job.part, about, place)


def _folder(output: Path | None) -> Path:
    folder = output or Path()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise UsageFault(
            message("{path} is a file, and there is more than one PDF.", path=str(folder)),
            message("Give a folder with --output."),
        ) from None
    except OSError as error:
        raise storage_fault(error, folder) from error
    return folder


def _names(wanted: Iterable[_Job]) -> Iterator[str]:
    """The files' names; of a second paper with the same key, its SHA-256 too."""
    taken = Taken()
    for job in wanted:
        name = job.file_name
        if not taken.take(name):
            name = marked(name, f"{job.sha256[:8]}-{job.part.position}")
            taken.take(name)
        yield name


def _jobs(transaction: Transaction, choice: PrintChoice) -> Iterator[_Job]:
    for name in choice.names:
        found = list(_named(transaction, name, choice.event))
        # Where a name stands for many papers, it does not tell which of them is meant.
        yield from found if len(found) > 1 else (replace(job, asked=name) for job in found)
    ids = choice.ids if choice.query is None else documents.ids(transaction, choice.query)
    for start in range(0, len(ids), _AT_ONCE):
        for row in documents.by_ids(transaction, ids[start : start + _AT_ONCE]):
            yield _of_row(transaction, row)


def _named(transaction: Transaction, name: str, event: int | None) -> Iterator[_Job]:
    found = full_document.named(transaction, name)
    if event is not None:
        yield _of_event(found, event)
    elif found.row is None:
        for place in range(1, len(found.events) + 1):
            yield _of_event(found, place)
    else:
        rows = [found.row]
        if name.lower() == found.row.sha256:  # of a lot, every paper
            rows = list(documents.by_ids(transaction, documents.of_digest(transaction, bytes.fromhex(name))[1]))
        for row in rows:
            yield _of_row(transaction, row)


def _of_row(transaction: Transaction, row: DocumentRow) -> _Job:
    is_voiding = row.type == "voiding"
    voiding = details.voiding(transaction, row.id) if is_voiding else None
    kind = DrawnKind.VOIDING if is_voiding else DrawnKind.DOCUMENT
    part = DrawnPart(row.position, kind, State(row.state) if row.state in _STATES else None)
    return _Job(
        row.access_key, row.sha256, row.content_id, part, document_file_name(row, voiding), issued_at=row.issued_at
    )


def _of_event(found: FullDocument, number: int) -> _Job:
    if not 1 <= number <= len(found.events):
        raise UsageFault(
            message("There is no event {number}: the paper has {count}.", number=number, count=len(found.events)),
            message("See its history with `confere show`."),
        )
    event = found.events[number - 1]
    name = event_names.name_of(event.code, event.access_key) if event.code else None
    return _Job(
        event.access_key,
        event.sha256,
        event.content_id,
        DrawnPart(event.position, DrawnKind.EVENT, name=name),
        event_file_name(event),
        found.row if found.row is not None and found.row.type in _FORMS else None,
    )
