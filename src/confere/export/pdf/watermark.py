"""The word that stands across every page of a paper without effect or without fiscal value."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from confere.fiscal.model import Document, DocumentType, State

# On the paper itself, so in the paper's language, as the manuals of DANFE and DACTE write them.
_STEMS: Final = {
    State.CANCELLED: "CANCELAD",
    State.CANCELLED_LATE: "CANCELAD",
    State.REPLACED: "SUBSTITUÍD",
    State.ANNULLED: "ANULAD",
    State.DENIED: "DENEGAD",
    State.REJECTED: "REJEITAD",
    State.VOIDED: "INUTILIZAD",
}
_WITHOUT_PROTOCOL: Final = "SEM PROTOCOLO"
WITHOUT_VALUE: Final = "SEM VALOR FISCAL"
TEST: Final = "2"  # tpAmb
_NOTES: Final = (DocumentType.NFE, DocumentType.NFCE)
_EARLIEST: Final = datetime(2000, 1, 1, tzinfo=UTC)
_ANGLE: Final = 55
_LARGEST: Final = 60  # points
_RED: Final = (200, 40, 40)


def words(read: Document, state: State | None) -> str:
    """What stands across the document; empty for one in effect. Without a `state` its protocol decides."""
    if state is None and read.protocol is None:
        state = State.NO_PROTOCOL
    found = []
    if state in _STEMS:
        found.append(_STEMS[state] + ("A" if read.type in _NOTES else "O"))
    if state is State.NO_PROTOCOL:
        found.append(_WITHOUT_PROTOCOL)
    if read.environment == TEST:
        found.append(WITHOUT_VALUE)
    return " - ".join(found)


def stamp(pdf: Any, text: str) -> None:
    """Write `text` across every page of the open PDF, so that what it covers can still be read."""
    if not text:
        return
    pdf.set_font("Helvetica", "B", _LARGEST)
    room = min(pdf.w, pdf.h) * 1.15
    size = min(_LARGEST, _LARGEST * room / max(pdf.get_string_width(text), 1))
    for number in range(1, pdf.pages_count + 1):
        pdf.page = number
        pdf.set_font("Courier", "", 1)  # a page is told of a font only when it changes
        pdf.set_font("Helvetica", "B", size)
        x, y = pdf.w / 2, pdf.h / 2
        with pdf.local_context(fill_opacity=0.22, text_color=_RED), pdf.rotation(_ANGLE, x, y):
            pdf.text(x - pdf.get_string_width(text) / 2, y, text)


def settle(pdf: Any, title: str, issued_at: str | None) -> None:
    """The same paper gives the same bytes: the PDF is as old as the paper."""
    pdf.set_title(title)
    pdf.set_creation_date(_moment(issued_at))


def _moment(text: str | None) -> datetime:
    try:
        found = datetime.fromisoformat(text or "")
    except ValueError:
        return _EARLIEST
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def title_of(document: Document) -> str:
    """The paper's key, or what else it can be told by."""
    return document.access_key or f"{document.type.value} {document.number or ''}".strip()
