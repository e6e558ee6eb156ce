"""A document with all that is known of it, read in one go."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from confere.app.archive_session import OpenArchive
from confere.app.documents import browse, read_document, relations, state_reason
from confere.app.documents.browse import DocumentRow
from confere.app.documents.full_document import EventRow, FullDocument
from confere.app.documents.read_document import WholePaper
from confere.app.documents.relations import Relations
from confere.app.documents.view.document_view import DocumentView
from confere.app.documents.view.facts import Place, ViewOptions
from confere.app.overview import activity
from confere.app.overview.activity import UnreadableFile
from confere.errors import ConfereError, Message, NotInArchive, message
from confere.fiscal.authenticity.verdict import Verdict

T = TypeVar("T")
_MOST_RELATED = 2000  # a CT-e can carry that many notes; beyond, their keys are shown without their particulars
_EVENT = "event"
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A document with all that is known of it; of what could not be found out `problems` say why.

    `related` are the rows of those it is related to, by access key; `own` the tax ids of the establishments we know
    as ours. `unreadable` is set where it is no document at all, but
    a file that cannot be read. `faults` are those of the reasons that are mistakes of ours.
    """

    view: DocumentView
    related: Mapping[str, DocumentRow] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    options: ViewOptions = field(default_factory=ViewOptions)
    kinship: Relations | None = None
    unreadable: UnreadableFile | None = None
    problems: tuple[Message, ...] = ()
    faults: tuple[Exception, ...] = field(default=(), compare=False)

    @property
    def hidden(self) -> bool:
        """Whether natural persons are shown by initials."""
        return self.options.hidden

    @property
    def place(self) -> Place | None:
        if self.unreadable is not None:
            return self.unreadable.sha256
        row = self.view.full.row
        return self.view.full.access_key if row is None else row.id

    @property
    def verdict(self) -> Verdict | None:
        """The verdict on the document itself."""
        return next((entry.verdict for entry in self.view.verdicts if entry.judged.kind != _EVENT), None)

    def verdict_of(self, event: EventRow) -> Verdict | None:
        """The verdict on one of its events."""
        wanted = (_EVENT, event.sha256, event.position)
        found = (
            entry for entry in self.view.verdicts if (entry.judged.kind, entry.sha256, entry.judged.position) == wanted
        )
        return next((entry.verdict for entry in found), None)


def load(opened: OpenArchive, place: Place, hidden: bool) -> Loaded:
    """Everything about the document at `place`: its row, its access key, or the SHA-256 of a file.

    Raises `NotInArchive` and what opening an archive raises. What goes wrong beside the document itself hides nothing
    of the rest.
    """
    # Reading papers and judging them is not needed for the first rows of a list, which a start waits for.
    from confere.app.authenticity import verify

    try:
        full = browse.full(opened, place) if isinstance(place, int) else browse.named(opened, place)
    except NotInArchive:
        unreadable = _unreadable(opened, place)
        if unreadable is None:
            raise
        return Loaded(DocumentView(_no_document(unreadable)), options=ViewOptions(hidden), unreadable=unreadable)
    keys = [entry.target_key for entry in full.relations if entry.archived]
    keys += [entry.source_key for entry in full.related_by if entry.archived]
    ids = [browse.id_of(opened, key) for key in dict.fromkeys(keys[:_MOST_RELATED])]
    rows = browse.rows(opened, [number for number in ids if number is not None])
    problems: list[Message] = []
    faults: list[Exception] = []

    def tried(what: Callable[[], T], otherwise: T) -> T:
        try:
            return what()
        except ConfereError as error:
            problems.append(error.what)
        except Exception as error:
            faults.append(error)
            problems.append(message("A part of what is known of it could not be worked out."))
        return otherwise

    key = full.access_key
    view = DocumentView(
        full,
        whole=tried(lambda: read_document.whole(opened, full.row, _current(full.events)), WholePaper(None, {})),
        verdicts=tried(lambda: verify.judge(opened, full), ()),
        standing=tried(lambda: state_reason.standing(full), None),
        disagreements=tried(lambda: state_reason.disagreements(full), ()),
    )
    return Loaded(
        view,
        {row.access_key: row for row in rows if row.access_key},
        browse.own_tax_ids(opened),
        ViewOptions(hidden),
        kinship=tried(lambda: relations.relations(opened, key) if key else None, None),
        problems=tuple(problems),
        faults=tuple(faults),
    )


def _current(events: Iterable[EventRow]) -> list[EventRow]:
    return [event for event in events if event.is_current]


def _unreadable(opened: OpenArchive, place: Place) -> UnreadableFile | None:
    if not isinstance(place, str) or not _SHA256.fullmatch(place.lower()):
        return None
    return next((entry for entry in activity.unreadable(opened) if entry.sha256 == place.lower()), None)


def _no_document(file: UnreadableFile) -> FullDocument:
    return FullDocument(
        access_key=None,
        row=None,
        parties=(),
        items=(),
        events=(),
        relations=(),
        related_by=(),
        voiding=None,
        hub=(),
        sources=file.sources,
        versions=(),
    )
