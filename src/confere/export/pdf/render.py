"""A paper as PDF: by the library where it can, plainly by ourselves where it cannot; no paper that is read has none."""

from __future__ import annotations

from confere.errors import Message, PaperError, message
from confere.export.pdf import danfe_library, plain_document, plain_event
from confere.export.pdf.pdf_request import DrawnKind, Rendered
from confere.fiscal.model import Document, Event, Paper, State
from confere.fiscal.reading.document import read


def render(
    data: bytes,
    position: int,
    kind: DrawnKind = DrawnKind.DOCUMENT,
    *,
    state: State | None = None,
    about: Document | None = None,
    name: Message | None = None,
) -> Rendered:
    """The nth document, event or voided range of the file `data`.

    `state` is the document's effective one: a paper without effect says so across every page; without it the protocol
    decides. `about` is the document of an event, read whole, and `name` what the event is called.

    Raises PaperError for what cannot be read, or has no such paper.
    """
    paper = read(data, whole=[position])
    match kind:
        case DrawnKind.DOCUMENT:
            return _document(data, position, _nth(paper, position), state)
        case DrawnKind.EVENT:
            return _event(data, position, _nth_event(paper, position), about, name)
        case DrawnKind.VOIDING:
            if not 0 <= position < len(paper.voidings):
                raise _nothing()
            return plain_event.voiding(paper.voidings[position], None)


def _document(data: bytes, position: int, found: Document, state: State | None) -> Rendered:
    made = danfe_library.document(data, position, found, state)
    return made if isinstance(made, Rendered) else plain_document.document(found, state, made)


def _event(data: bytes, position: int, found: Event, about: Document | None, name: Message | None) -> Rendered:
    if found.code != danfe_library.CORRECTION:
        return plain_event.event(found, name, about, None)
    made = danfe_library.correction_letter(data, position, found, about)
    return made if isinstance(made, Rendered) else plain_event.event(found, name, about, made)


def _nth(paper: Paper, position: int) -> Document:
    if not 0 <= position < len(paper.documents):
        raise _nothing()
    return paper.documents[position]


def _nth_event(paper: Paper, position: int) -> Event:
    if not 0 <= position < len(paper.events):
        raise _nothing()
    return paper.events[position]


def _nothing() -> PaperError:
    return PaperError(
        message("There is nothing in this file that could be printed."),
        message("Look at its XML: Confere prints NF-e, NFC-e, CT-e, CT-e OS, MDF-e, their events and voidings."),
    )
