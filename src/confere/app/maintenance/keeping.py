"""The use case "what must be kept until when": by company and year; nothing is ever removed because a day passed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from confere.archive.accounts import accounts
from confere.archive.maintenance import kept_years
from confere.archive.maintenance.kept_years import KeptYear
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.fiscal.law import retention
from confere.fiscal.law.retention import RetentionTerm
from confere.fiscal.periods import BRASILIA


@dataclass(frozen=True, slots=True)
class KeptLine:
    """What is kept of a company and year, and until when, days inclusive; None where nothing has a day of issue.

    `held`: open findings are about these documents, so that they are evidence whatever the day (CTN art. 195,
    parágrafo único, keeps what proves an entry until the claim lapses).
    """

    held_for: KeptYear
    tax_code: date | None
    adjustment: date | None
    today: date

    @property
    def held(self) -> bool:
        return self.held_for.open_findings > 0

    @property
    def over(self) -> bool:
        """Whether every term has passed and nothing is open."""
        last = max((day for day in (self.tax_code, self.adjustment) if day is not None), default=None)
        return last is not None and last < self.today and not self.held


@dataclass(frozen=True, slots=True)
class Keeping:
    """Every line, and the terms by which they were reckoned."""

    lines: tuple[KeptLine, ...]
    terms: tuple[RetentionTerm, ...]


def keeping(archive: Archive, today: date | None = None) -> Keeping:
    """What is in the archive. Raises what reading it does."""
    with archive.reading() as transaction:
        return of_transaction(transaction, today)


def of_transaction(transaction: Transaction, today: date | None = None) -> Keeping:
    """As `keeping`, within a view."""
    day = today or datetime.now(BRASILIA).date()
    companies = {entry.tax_id for account in accounts.every(transaction) for entry in account.establishments}
    lines = tuple(_line(year, day) for year in kept_years.kept_years(transaction, companies))
    return Keeping(lines, retention.terms())


def _line(year: KeptYear, today: date) -> KeptLine:
    newest = date.fromisoformat(year.newest) if year.newest else None
    if newest is None:
        return KeptLine(year, None, None, today)
    return KeptLine(
        year,
        retention.last_day(retention.TAX_CODE, newest),
        retention.last_day(retention.ADJUSTMENT, newest),
        today,
    )
