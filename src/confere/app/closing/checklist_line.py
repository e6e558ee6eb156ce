"""What the checklist of a company and month says: each line with its state, its sentence and its proof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from confere.errors import Message

MOST_NAMES: Final = 1000  # names that a line holds; all are counted


class LineState(StrEnum):
    """How a line stands. Only `ok` and `warning` let a month be complete."""

    OK = "ok"  # looked at, and nothing lacks
    WARNING = "warning"  # looked at, and worth a look: nothing lacks for it
    NOT_CHECKED = "not_checked"  # not looked at, or not to its end: nobody can say that nothing lacks
    PROBLEM = "problem"  # looked at, and something lacks


WORST_FIRST: Final = (LineState.PROBLEM, LineState.NOT_CHECKED, LineState.WARNING, LineState.OK)


class LineCode(StrEnum):
    """What a line is about; stable for scripts."""

    DOCUMENTS_LISTED = "documents_listed"
    ORDERS_LISTED = "orders_listed"
    RETURNS_LISTED = "returns_listed"
    LIST_SHORT = "list_short"
    CONSERVATION = "conservation"
    NOT_DOWNLOADED = "not_downloaded"
    NOT_OFFERED = "not_offered"
    UNREADABLE = "unreadable"
    UNREADABLE_FILES = "unreadable_files"
    EVENT_WITHOUT_FILE = "event_without_file"
    DOCUMENT_OF_EVENT = "document_of_event"
    BYTES_MISSING = "bytes_missing"
    NOT_BELONGING = "not_belonging"
    NOT_SHOWN = "not_shown"
    UNDATED = "undated"
    AUTHENTICITY = "authenticity"
    REFUSED_EVENTS = "refused_events"
    REFERENCES = "references"
    NUMBER_GAPS = "number_gaps"
    ORDERS_OF_NO_COMPANY = "orders_of_no_company"
    EVENTS_FRESH = "events_fresh"
    FINDINGS = "findings"
    SIGNED = "signed"
    EXPORTED = "exported"
    CLOSED = "closed"


class RemedyKind(StrEnum):
    """What there is to do about a line, for a button; stable."""

    SYNC = "sync"
    VERIFY = "verify"
    RECONCILE = "reconcile"
    FINDINGS = "findings"
    ORDERS = "orders"  # those of no company
    NOT_AUTHENTIC = "not_authentic"
    UNREADABLE = "unreadable"
    NOT_OFFERED = "not_offered"
    IMPORT = "import"
    EXPORT = "export"
    TERMS = "terms"  # the account's declared series
    CHANGES = "changes"  # since the month was closed


@dataclass(frozen=True, slots=True)
class NamedEvent:
    """An event that a line is about, of the document of this key; `with_document`: of the document itself the line says
    the same."""

    access_key: str
    code: str | None
    sequence: int | None
    description: str | None
    with_document: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LineProof:
    """What was counted for a line. `names` are the first keys, ids or ranges of numbers of `named` in all; `command`
    shows all of them; `events` are those that it is about, each under the key of its document in `names`. `is_listed`
    False: no list of documents has them, so each is looked at by itself.
    `from_at` (None: the beginning) to `to_at` is the stretch that was listed, `since` when it was
    last looked at (all in the zone of Brasília)."""

    counts: Mapping[str, int] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    named: int = 0
    command: str = ""
    events: tuple[NamedEvent, ...] = ()
    is_listed: bool = True
    from_at: datetime | None = None
    to_at: datetime | None = None
    since: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChecklistLine:
    """One line. `account` is empty for what no account alone answers for; `remedy` says what to do, where something
    can be done, and `remedy_kind` names it for a button."""

    code: LineCode
    state: LineState
    what: Message
    account: str = ""
    proof: LineProof = field(default_factory=LineProof)
    remedy: Message | None = None
    remedy_kind: RemedyKind | None = None


@dataclass(frozen=True, slots=True)
class CompanyChecklist:
    """The lines of a company (`tax_id`) and month. `documents` are those of the month; `exported_at` and `closed_at`
    are None for never."""

    tax_id: str
    name: str | None
    month: str
    documents: int
    lines: tuple[ChecklistLine, ...]
    exported_at: datetime | None = None
    closed_at: datetime | None = None

    @property
    def state(self) -> LineState:
        """The worst of its lines; a month without a line was not checked."""
        return worst(line.state for line in self.lines) if self.lines else LineState.NOT_CHECKED

    @property
    def is_complete(self) -> bool:
        """Whether everything was looked at and nothing lacks."""
        return self.state in (LineState.OK, LineState.WARNING)

    def of(self, *codes: LineCode) -> tuple[ChecklistLine, ...]:
        """Its lines about these things."""
        return tuple(line for line in self.lines if line.code in codes)

    def count(self, code: LineCode, name: str) -> int:
        """What its lines of `code` counted as `name`, all together."""
        return sum(line.proof.counts.get(name, 0) for line in self.of(code))

    @property
    def listed_until(self) -> datetime | None:
        """Up to when the documents were listed by every account of the company; None where one never was."""
        ends = [line.proof.to_at for line in self.of(LineCode.DOCUMENTS_LISTED)]
        return None if None in ends else min((end for end in ends if end is not None), default=None)

    @property
    def weight(self) -> tuple[int, int, int]:
        """The worse, the smaller: by state, then by how many lines lack or were not checked."""
        states = [line.state for line in self.lines]
        return (
            WORST_FIRST.index(self.state),
            -states.count(LineState.PROBLEM),
            -states.count(LineState.NOT_CHECKED),
        )


@dataclass(frozen=True, slots=True)
class OfficeChecklist:
    """The companies of the office in a month, worst first."""

    month: str
    companies: tuple[CompanyChecklist, ...]

    @property
    def is_complete(self) -> bool:
        """Whether there is a company, and the month of each is complete."""
        return bool(self.companies) and all(company.is_complete for company in self.companies)


def worst(states: Iterable[LineState]) -> LineState:
    """The worst of these; `ok` where there are none."""
    return min(states, key=WORST_FIRST.index, default=LineState.OK)


def named(names: Iterable[str], command: str = "", **counts: int) -> LineProof:
    """A proof that names things: all are counted, the first are named."""
    every = tuple(names)
    return LineProof(counts=counts, names=every[:MOST_NAMES], named=len(every), command=command)
