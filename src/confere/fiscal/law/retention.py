"""Until when a fiscal document has to be kept: the terms of the law, and their last day for a day of issue.

Source: `resources/fiscal/retention.toml`, each term with its own.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Final

from confere.errors import Message
from confere.fiscal.law.tables import law_rows, law_tables

TAX_CODE: Final = "tax_code"
ADJUSTMENT: Final = "adjustment"


@dataclass(frozen=True, slots=True)
class RetentionTerm:
    """A term by which documents are kept: `months`, from the year after the issue or from the authorization."""

    code: str
    name: Message
    months: int
    from_next_year: bool
    source: str

    def last_day(self, day: date) -> date:
        """The last day on which a document issued (or authorized) on `day` has to be there.

        Source: Ajuste SINIEF 2/2025 (months from the authorization); Lei 5.172/1966 (CTN), art. 173, I (five years from
        the first day of the following year).
        """
        if self.from_next_year:
            return date(day.year + self.months // 12, 12, 31)
        years, month = divmod(day.month - 1 + self.months, 12)
        year, month = day.year + years, month + 1
        return date(year, month, min(day.day, monthrange(year, month)[1]))


@cache
def terms() -> tuple[RetentionTerm, ...]:
    """Every term that is known, the shortest first.

    Source: Ajuste SINIEF 07/05, cl. décima; Lei 5.172/1966 (CTN), art. 173, I, art. 174 and art. 195, parágrafo único;
    Ajuste SINIEF 2/2025.
    """
    names = law_tables("retention")["terms"]
    found = (
        RetentionTerm(code, names[code], int(row["months"]), row["counted_from"] == "next_year", row["source"])
        for code, row in law_rows("retention")["terms"].items()
    )
    return tuple(sorted(found, key=lambda term: term.months))


def last_day(code: str, day: date) -> date:
    """The last day of the term `code` (`TAX_CODE`, `ADJUSTMENT`) for a document of `day`.

    Source: Ajuste SINIEF 07/05, cl. décima, and Ajuste SINIEF 2/2025, as `terms` has them.
    """
    return next(term for term in terms() if term.code == code).last_day(day)
