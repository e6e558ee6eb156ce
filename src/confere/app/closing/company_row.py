"""A company's month in one row of the office's table, for whoever has fifteen of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from confere.app.closing.checklist_line import CompanyChecklist, LineCode, LineState

_MOMENT = timedelta(milliseconds=1)  # a list that ends with a day's last one has that day whole


@dataclass(frozen=True, slots=True)
class OpenFindings:
    """Open findings by severity."""

    high: int
    medium: int
    low: int


@dataclass(frozen=True, slots=True)
class CompanyRow:
    """What the table shows. None is "not checked": nothing was counted, or not all of it.

    `missing` are XML that the hub listed, or events name, and that are not here.
    """

    company: CompanyChecklist
    listed_through: date | None  # the last day that is listed whole
    missing: int
    unreadable: int
    not_authentic: int | None
    gaps: int | None
    findings: OpenFindings | None

    @property
    def missing_known(self) -> int | None:
        """`missing`, or None where no list was ever read whole: nobody can say then that nothing is missing."""
        return self.missing if self.missing or self.listed_through is not None else None


def company_row(company: CompanyChecklist) -> CompanyRow:
    """The row of a company's checklist."""
    missing = sum(
        company.count(code, "documents")
        for code in (
            LineCode.NOT_DOWNLOADED,
            LineCode.NOT_OFFERED,
            LineCode.EVENT_WITHOUT_FILE,
            LineCode.DOCUMENT_OF_EVENT,
            LineCode.BYTES_MISSING,
        )
    )
    failed = company.count(LineCode.AUTHENTICITY, "not_authentic")
    gaps = company.count(LineCode.NUMBER_GAPS, "missing")
    severities = (company.count(LineCode.FINDINGS, name) for name in ("high", "medium", "low"))
    found = OpenFindings(*severities)
    until = company.listed_until
    is_open = found != OpenFindings(0, 0, 0)
    return CompanyRow(
        company,
        None if until is None else (until - timedelta(days=1) + _MOMENT).date(),
        missing,
        company.count(LineCode.UNREADABLE, "documents"),
        failed if failed or _is_checked(company, LineCode.AUTHENTICITY) else None,
        gaps if gaps or _is_checked(company, LineCode.NUMBER_GAPS) else None,
        found if is_open or _is_checked(company, LineCode.FINDINGS) else None,
    )


def _is_checked(company: CompanyChecklist, code: LineCode) -> bool:
    return all(line.state is not LineState.NOT_CHECKED for line in company.of(code))
