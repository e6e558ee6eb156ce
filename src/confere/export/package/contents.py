"""What a package holds, in figures: the same of one that was written and of one that is only looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from confere.errors import Message
from confere.export.package.missing import NOT_AUTHENTIC, MissingFiles


@dataclass(frozen=True, slots=True)
class PackageContents:
    """What is handed over of a company and month.

    `documents` and `events` count papers, `xml` files: a lot is one file with many documents. `events` leaves out
    those that stand inside their document's file; `earlier_events` of them happened in the month on documents of
    earlier ones, so that a closing, which freezes the month's documents with their events, counts them elsewhere.
    `left_out` counts documents that the profile did not want.
    `missing` is what the month lacks, as far as the archive can tell; empty where nothing does. `verdicts` counts the
    documents by what was found on their authenticity; `none`: not checked yet.
    """

    company: str
    month: str
    paths: tuple[Path, ...]
    documents: int
    events: int
    xml: int
    left_out: int
    missing: tuple[MissingFiles, ...]
    verdicts: Mapping[str, int]
    earlier_events: int = 0

    @property
    def not_authentic(self) -> int:
        """How many documents and events are kept back because they are not authentic."""
        return sum(lack.count for lack in self.missing if lack.kind == NOT_AUTHENTIC)

    @property
    def is_whole(self) -> bool:
        """Whether nothing lacks but what is not authentic."""
        return all(lack.kind == NOT_AUTHENTIC for lack in self.missing)


class NotDrawn(NamedTuple):
    """A document of the package that has no PDF. `name` is its access key, else its SHA-256."""

    name: str
    why: Message


class PdfPackage(NamedTuple):
    """A ZIP beside a package, with the PDFs of its documents."""

    path: Path
    documents: int
    not_drawn: tuple[NotDrawn, ...]
