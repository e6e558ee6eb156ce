"""The checklist of a month for people: one company line by line, or a table of all, worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from confere.app.labels.checklist_labels import (
    findings_text,
    line_title,
    month_state_word,
    name_with_events,
    named_text,
    state_word,
)
from confere.app.labels.labels import month_word
from confere.cli import tables
from confere.cli.output import Output
from confere.cli.render import labels
from confere.errors import NC_
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.closing.checklist_line import ChecklistLine, CompanyChecklist, OfficeChecklist
    from confere.cli.fitted_table import FittedTable

_STYLES: Final = {"ok": "green", "warning": "yellow", "not_checked": "magenta", "problem": "bold red"}
_INCOMPLETE: Final = ("not_checked", "problem")
_FIRST: Final = 5  # names of a line; JSON has more


def checked(out: Output, found: OfficeChecklist, *, alone: bool) -> None:
    """One company with every line, or all of them in a table."""
    if alone:
        for company in found.companies:
            _company(out, company)
        return
    if not found.companies:
        out.print(t("There is no company here: connect an account or import documents."))
        return
    out.print(month_word(found.month))
    out.print(_table(found))


def reasons(found: OfficeChecklist) -> list[str]:
    """Which lines of which company keep the month from being complete."""
    return [
        f"{plain(company.name or labels.tax_id_word(company.tax_id))}: {', '.join(titles)}"
        for company in found.companies
        if (titles := [line_title(line.code) for line in company.lines if line.state in _INCOMPLETE])
    ]


def _company(out: Output, company: CompanyChecklist) -> None:
    title = " · ".join(filter(None, (company.name, labels.tax_id_word(company.tax_id), month_word(company.month))))
    out.print(Text.assemble(plain(title), ": ", (month_state_word(company.state), _STYLES[company.state])))
    for line in company.lines:
        out.print(Text.assemble("  ", _state(line.state), f"  {plain(render(line.what))}"))
        for text in _proof(line):
            out.print(f"      {plain(text)}")


def _proof(line: ChecklistLine) -> list[str]:
    texts = []
    if line.proof.names:
        names = [name_with_events(name, line.proof.events) for name in line.proof.names[:_FIRST]]
        texts.append(named_text(names, line.proof.named))
    if line.remedy is not None:
        texts.append(render(line.remedy))
    if line.proof.command and line.proof.named:
        texts.append(line.proof.command)
    return texts


def _table(found: OfficeChecklist) -> FittedTable:
    from confere.app.closing.company_row import company_row

    headers = [
        *(t("Company"), t("CNPJ"), t("State"), t("Listed through"), t("Missing XML"), t("Unreadable")),
        *(t("Not authentic"), t("Gaps"), t("Findings"), t("Package"), t("Closed")),
    ]
    rows = []
    for company in found.companies:
        row = company_row(company)
        rows.append(
            [
                plain(company.name or "—"),
                labels.tax_id_word(company.tax_id),
                month_state_word(company.state),
                formatting.date(row.listed_through) if row.listed_through else "—",
                _number(row.missing_known),
                formatting.count(row.unreadable),
                _number(row.not_authentic),
                _number(row.gaps),
                findings_text(row.findings),
                formatting.moment(company.exported_at) or "—",
                formatting.moment(company.closed_at) or "—",
            ]
        )
    return tables.table(headers, rows, right=(4, 5, 6, 7))


def _number(number: int | None) -> str:
    return t(NC_("line", "not checked")) if number is None else formatting.count(number)


def _state(state: str) -> tuple[str, str]:
    return state_word(state), _STYLES[state]
