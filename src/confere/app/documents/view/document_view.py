"""One paper with all that is known of it, as a command and the window show it."""

from __future__ import annotations

from dataclasses import dataclass, field

from confere.app.authenticity.stored_verdicts import PaperVerdict
from confere.app.documents.full_document import FullDocument
from confere.app.documents.read_document import WholePaper
from confere.app.documents.state_reason import DocumentState
from confere.errors import Message
from confere.fiscal.detail import Detail


@dataclass(frozen=True, slots=True)
class DocumentView:
    """The rows of a paper, all that it says, where it stands and why, what disagrees about it, and the verdicts on it.

    What could not be found out is None or empty.
    """

    full: FullDocument
    whole: WholePaper = field(default_factory=lambda: WholePaper(None, {}))
    standing: DocumentState | None = None
    disagreements: tuple[Message, ...] = ()
    verdicts: tuple[PaperVerdict, ...] = ()

    @property
    def detail(self) -> Detail | None:
        """All that the document says, where it can be read."""
        return None if self.whole.document is None else self.whole.document.detail
