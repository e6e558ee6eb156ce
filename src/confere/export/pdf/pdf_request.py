"""What is asked of a rendering and what comes of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from confere.errors import Message


class DrawnKind(StrEnum):
    """What of a file is to be drawn: the nth of its documents, of its events, or of its voided ranges."""

    DOCUMENT = "document"
    EVENT = "event"
    VOIDING = "voiding"


class By(StrEnum):
    """Who drew it."""

    LIBRARY = "library"  # as DANFE, DACTE, DAMDFE or correction letter
    OWN = "own"  # Confere's plain rendering


@dataclass(frozen=True, slots=True)
class Rendered:
    """A PDF. `why` says why the library did not draw it, or what it could not show; None where all is as it should."""

    pdf: bytes
    pages: int
    by: By
    why: Message | None = None
