"""The use case "show one paper in full": its rows, all it says, where it stands and why, and the verdict on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from confere.app.authenticity import verify
from confere.app.authenticity.verify import PaperVerdict
from confere.app.context import Workspace
from confere.app.documents import full_document, read_document, state_reason
from confere.app.documents.full_document import FullDocument
from confere.app.documents.read_document import WholePaper
from confere.app.documents.view.document_view import DocumentView
from confere.app.documents.view.facts import EVERYTHING
from confere.app.documents.view.loaded import Loaded
from confere.archive.documents import documents, total_parts
from confere.archive.documents.documents import DocumentRow
from confere.archive.store import Archive
from confere.errors import ConfereError, Message, message
from confere.system.paths import Home

T = TypeVar("T")


def show(workspace: Workspace, name: str) -> Loaded:
    """The paper called `name`: an access key, a SHA-256 or a row number. `NotInArchive` otherwise."""
    with workspace.reading() as archive:
        with archive.reading() as transaction:
            full = full_document.named(transaction, name)
            keys = [relation.source_key for relation in full.related_by if relation.archived]
            numbers = total_parts.current_of(transaction, keys)
            rows = documents.by_ids(transaction, list(numbers.values()))
        return _show(archive, workspace.home, full, {row.access_key: row for row in rows if row.access_key})


def _show(archive: Archive, home: Home, full: FullDocument, related: Mapping[str, DocumentRow]) -> Loaded:
    problems: list[Message] = []

    def tried(what: Callable[[], T], otherwise: T) -> T:
        try:
            return what()
        except ConfereError as error:
            problems.append(error.what)
            return otherwise

    if any(entry.sha256 == "" for entry in (full.row, *full.events) if entry is not None):
        problems.append(message("Its bytes are missing from the archive; `confere sync` or `confere doctor --repair`."))
    whole = tried(lambda: read_document.whole_of(archive, full.row, full.events), WholePaper(None, {}))
    nothing: tuple[PaperVerdict, ...] = ()
    verdicts = tried(lambda: verify.judge_in(archive, home, full), nothing)
    known = full.row is not None or bool(full.events)
    view = DocumentView(
        full,
        whole,
        state_reason.standing(full) if known else None,
        state_reason.disagreements(full) if known else (),
        verdicts,
    )
    return Loaded(view, related, options=EVERYTHING, problems=tuple(problems))
