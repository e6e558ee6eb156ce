"""`confere findings list`, `show` and `report`: what does not agree, as the last run left it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from confere.app.labels import labels, reconciliation_labels
from confere.cli import list_saving
from confere.cli.context import Face
from confere.cli.json import reconciliation_json
from confere.cli.options import option_words, options, reconciliation_options, typed_values
from confere.cli.render import reconciliation_reports
from confere.cli.render.reconciliation.matching_reports import of_no_company
from confere.fiscal.periods import BRASILIA
from confere.sales.findings import FindingState, Severity
from confere.system import formatting
from confere.system.messages import t

_STATES = tuple(FindingState)
_NOT_RESOLVED = tuple(entry for entry in _STATES if entry is not FindingState.RESOLVED)
_SEVERITIES = tuple(Severity)
_STATE_WORDS = option_words.of_labels(reconciliation_labels.STATES)
_SEVERITY_WORDS = option_words.of_labels(reconciliation_labels.SEVERITIES)


def findings_list(
    face: Face,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WORDS",
            help=t("An order, a key or a part of it, a number, a name, or words as the list shows them."),
            show_default=False,
        ),
    ] = None,
    account: reconciliation_options.Account = None,
    company: reconciliation_options.Company = None,
    period: reconciliation_options.Period = None,
    rule: Annotated[
        list[str] | None, typer.Option("--rule", metavar="RULE", help=t("Only this rule, such as R3; may be repeated."))
    ] = None,
    state: Annotated[
        list[str] | None,
        typer.Option(
            "--state",
            metavar="STATE",
            help=t(
                "{words}; may be repeated (default: all but the last).",
                words=option_words.listed(_STATES, _STATE_WORDS),
            ),
        ),
    ] = None,
    severity: Annotated[
        list[str] | None,
        typer.Option(
            "--severity",
            metavar=option_words.alternatives(_SEVERITIES, _SEVERITY_WORDS),
            help=t("Only of this severity; may be repeated."),
        ),
    ] = None,
    run: Annotated[
        int | None, typer.Option("--run", metavar="N", help=t("Only what this run found, closed or changed."))
    ] = None,
    new: Annotated[bool, typer.Option("--new", metavar="", help=t("Only what the newest run found first."))] = False,
    assignee: Annotated[
        str | None, typer.Option("--assignee", metavar="NAME", help=t("Only what this person is to settle."))
    ] = None,
    due_before: Annotated[
        str | None, typer.Option("--due-before", metavar="YYYY-MM-DD", help=t("Only what is due before this day."))
    ] = None,
    overdue: Annotated[
        bool, typer.Option("--overdue", metavar="", help=t("Only what was due before today, and is not settled."))
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option("--limit", metavar="N", min=0, help=t("At most this many (default: 50; with --json every one).")),
    ] = None,
    every: Annotated[bool, typer.Option("--all", metavar="", help=t("Without a limit."))] = False,
    save_xml: list_saving.SaveXml = None,
    save_pdf: list_saving.SavePdf = None,
    xlsx: list_saving.ToXlsx = None,
    csv: list_saving.ToCsv = None,
    replace: list_saving.Replace = False,
    hide_people: options.HidePeople = False,
    ids_from: list_saving.RowsFrom = None,
) -> int:
    """0: an empty list is an answer too. What programs read has no end that they did not ask for.

    With a company and without an account: of every account that may hold it. 1 where something was to be saved and
    could not be.
    """
    plan = list_saving.SavePlan(save_xml, save_pdf, xlsx, csv, replace, hide_people, ids_from)
    list_saving.check(plan)
    if every or (limit is None and not face.out.for_people):
        limit = -1
    usual = (FindingState.OPEN, FindingState.NOT_CHECKED) if overdue else _NOT_RESOLVED
    states = typed_values.choices("--state", state, _STATES, _STATE_WORDS) or usual
    due = None if due_before is None else typed_values.day(due_before, coming=True)
    if overdue:
        due = datetime.now(BRASILIA).date()
    severities = typed_values.choices("--severity", severity, _SEVERITIES, _SEVERITY_WORDS)
    month = None if period is None else typed_values.month(period)
    from confere.app.accounts.known_companies import why_nothing_of
    from confere.app.reconciliation import queries
    from confere.app.selection import finding_files

    chosen = list_saving.rows(face, plan)
    if chosen is not None:  # they are of the accounts that they are of
        return list_saving.save(face, plan, finding_files.of_numbers(chosen))
    rules = typed_values.choices("--rule", rule, queries.RULES)
    with reconciliation_options.opened_for(face, account, company) as (opened, name):
        wanted = queries.FindingFilter(
            period=month,
            rules=rules,
            states=states,
            severities=severities,
            text=" ".join(words or ()),
            run=run,
            assignee=assignee,
            due_before=None if due is None else due.isoformat(),
            company=None if company is None else typed_values.tax_id(company),
        )
        query = queries.FindingQuery(name, wanted, only_new=new)
        if plan.targets:
            return list_saving.save(face, plan, finding_files.finding_files(query))
        found = queries.findings(opened, query, 0, reconciliation_reports.MOST_TOLD if limit is None else limit)
        total, groups = queries.count(opened, query), queries.groups(opened, query)
        unowned = queries.of_no_company(opened, query)
        unknown = None if total else why_nothing_of(opened, wanted.company)
        others = None if total else queries.other_months(opened, query)
    face.out.result(reconciliation_json.findings(name, total, groups, found, wanted.company, unowned, others))
    if face.out.for_people:
        reconciliation_reports.findings(face.out, total, groups, found)
        if due_before is not None and due is not None and not overdue:  # a day without a year is the next one
            face.out.aside(t("Due before {day}.", day=formatting.date(due)))
        if others is not None:
            face.out.aside(labels.other_months_text(others))
        of_no_company(face.out, unowned, unknown)
    return 0


def findings_show(
    face: Face,
    number: Annotated[int, typer.Argument(metavar="N", help=t("The finding's number, as the list shows it."))],
) -> int:
    """Always 0."""
    from confere.app.reconciliation import queries

    with reconciliation_options.archive_of(face) as opened:
        found = queries.side_by_side(opened, number)
    face.out.result(reconciliation_json.sides(found))
    if face.out.for_people:
        reconciliation_reports.sides(face.out, found)
    return 0


def findings_report(
    face: Face,
    file: Annotated[Path, typer.Argument(metavar="FILE.xlsx", help=t("Where the spreadsheet goes."))],
    account: reconciliation_options.Account = None,
    period: reconciliation_options.Period = None,
    hide_people: options.HidePeople = False,
) -> int:
    """Always 0. What stands in the archive, without reconciling anew."""
    month = None if period is None else typed_values.month(period)
    from confere.app.reconciliation import spreadsheet_report

    spreadsheet_report.refuse_others(file)
    with reconciliation_options.opened(face, account) as (_, name):
        pass
    with face.job():
        written = spreadsheet_report.report(
            face.workspace, [(name, month)], file, hide_people=hide_people, stop=face.stop
        )
    face.out.result({"report": written})
    face.out.aside(t("The report is in {path}.", path=str(written)))
    return 0
