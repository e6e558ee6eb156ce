"""Closed months as values: the act that closed one, and what was frozen of a company's month, row by row.

Money in centavos; months `YYYY-MM`; a company is named by its tax id. Rows name papers by `paper`: the access key, or
`sha256/position` of a document that has none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class ClosingKind(StrEnum):
    """What an act did to a month."""

    CLOSE = "close"
    REOPEN = "reopen"


@dataclass(frozen=True, slots=True)
class SigningNames:
    """Who prepared and who reviewed what was filed, as they were named."""

    preparer: str | None = None
    reviewer: str | None = None


@dataclass(frozen=True, slots=True)
class ClosingAct:
    """One link of the archive's chain of closings, `number` from 1.

    `head` is the hash of everything in it and of `previous_head`, in hex; `totals` what was filed, by name.
    `is_incomplete`: it was closed although the checklist lacked something.
    """

    number: int
    company: str
    month: str
    kind: ClosingKind
    at: str  # UTC
    actor: str
    names: SigningNames
    reason: str | None
    is_incomplete: bool
    totals: Mapping[str, int]
    previous_head: str
    head: str

    @property
    def is_closed(self) -> bool:
        """Whether the month is closed while this is its newest act."""
        return self.kind is ClosingKind.CLOSE


class ClosingName(NamedTuple):
    """A closing as papers name it: its number in the chain, and the first digits of its head."""

    number: int
    head: str


class FiledDocument(NamedTuple):
    """A document of the month. `direction` and `uf` as `TaxGroup` has them; `key` None: it has none."""

    paper: str
    key: str | None
    sha256: str
    type: str
    state: str
    direction: str
    uf: str | None
    total: int | None
    verdict: int | None
    issued_on: str


class FiledTaxes(NamedTuple):
    """A document's items of one CFOP and CST; `amounts` in the order of `confere.fiscal.document_parts.TaxSums`."""

    paper: str
    cfop: str | None
    cst: str | None
    amounts: tuple[int | None, ...]


class FiledEvent(NamedTuple):
    """A current event of a document of the month."""

    key: str
    code: str | None
    sequence: int | None
    sha256: str
    registered: int
    occurred_at: str | None


class FiledLink(NamedTuple):
    """A link of a document of the month with an order; `account` is the archive's number."""

    account: int
    order_id: str
    key: str
    kind: int


class FiledFinding(NamedTuple):
    """A finding of the month, or about a document of it."""

    account: int
    fingerprint: str
    rule: str
    state: str
    amount: int | None
    keys: str  # JSON


class FiledTerms(NamedTuple):
    """What an account's owner wanted: terms and tolerances, as JSON; what is not in it is the program's own."""

    account: int
    name: str
    preferences: str


class FiledCoverage(NamedTuple):
    """A stretch of time of the month that was listed at a hub."""

    account: int
    axis: str
    from_at: str
    to_at: str
    narrowed: str
    method: str
    finished_at: str | None


@dataclass(frozen=True, slots=True)
class MonthRows:
    """What there is of a company's month, each kind in the order of its columns."""

    documents: tuple[FiledDocument, ...] = ()
    taxes: tuple[FiledTaxes, ...] = ()
    events: tuple[FiledEvent, ...] = ()
    links: tuple[FiledLink, ...] = ()
    findings: tuple[FiledFinding, ...] = ()
    terms: tuple[FiledTerms, ...] = ()
    coverage: tuple[FiledCoverage, ...] = ()


@dataclass(frozen=True, slots=True)
class ClosedMonth:
    """A closed month beside what the archive holds of it now: `findings`, `terms` and `coverage` may be left out.

    `is_damaged`: what was frozen was edited or is damaged, so that there is nothing to compare with.
    """

    act: ClosingAct
    filed: MonthRows = field(repr=False)
    now: MonthRows = field(repr=False)
    is_damaged: bool = False
