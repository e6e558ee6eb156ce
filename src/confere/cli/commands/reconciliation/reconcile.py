"""`confere reconcile`: orders against documents against freight, and what does not agree."""

from __future__ import annotations

from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import reconciliation_json
from confere.cli.options import option_values, option_words, options, reconciliation_options, typed_values
from confere.cli.render import near_miss_reports, reconciliation_reports
from confere.errors import UsageFault, message
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.reconciliation.reconcile import ReconcileResult


def reconcile(
    face: Face,
    account: Annotated[
        list[str] | None, typer.Option("--account", metavar="NAME", help=t("Only this account; may be repeated."))
    ] = None,
    period: Annotated[
        str | None,
        typer.Option(
            "--period",
            metavar="YYYY-MM",
            help=t("The findings of this month (default: the newest month that is over)."),
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", metavar="", help=t("The findings of every month."))] = False,
    as_of: Annotated[
        str | None,
        typer.Option(
            "--as-of",
            metavar="TIME",
            help=t("The run's “now”, such as 2026-11-01T00:00:00-03:00 (default: this machine's)."),
        ),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE.xlsx", help=t("Write everything to this spreadsheet."))
    ] = None,
    fail_on: Annotated[
        str,
        typer.Option(
            "--fail-on",
            metavar=option_words.alternatives(option_values.FAIL_ON_CODES, option_values.FAIL_ON),
            help=t("End with exit code 1 where findings of high severity, or any, are open (default: never)."),
        ),
    ] = "never",
    summary: reconciliation_options.Summary = False,
    hide_people: options.HidePeople = False,
) -> int:
    """0 done, whatever was found; 1 where it was stopped, or where `--fail-on` says so."""
    if period is not None and every:
        raise UsageFault(
            message("--all says every month already."), message("Give --period for one month, or --all for every one.")
        )
    month = None if period is None else typed_values.month(period)
    now = None if as_of is None else typed_values.moment("--as-of", as_of, bare=time.min)
    failing = typed_values.choice("--fail-on", fail_on, option_values.FAIL_ON_CODES, option_values.FAIL_ON)
    from confere.app.reconciliation import reconcile
    from confere.app.reconciliation import spreadsheet_report as report_use_case

    if report is not None:
        report_use_case.refuse_others(report)
    with face.job() as reporter:
        result = reconcile.reconcile(
            face.workspace,
            tuple(account or ()),
            month,
            now,
            last_month=month is None and not every,
            reporter=reporter,
            stop=face.stop,
        )
        written = None
        if report is not None and not result.stopped:
            written = report_use_case.report(
                face.workspace, _asked(result), report, hide_people=hide_people, stop=face.stop
            )
    found = None if summary and not face.out.for_people else reconciliation_reports.found_by(face.workspace, result)
    code = 1 if result.stopped or _fails(failing, result) else 0
    listed = None if summary else near_miss_reports.beside(face.workspace, result)
    face.out.result(reconciliation_json.reconciled(result, found, written, listed), code)
    if found is not None and face.out.for_people:
        reconciliation_reports.reconciled(face.out, result, found, written, listed)
        if code and not result.stopped:
            face.out.ends_with_1(*reconciliation_reports.open_findings(found, only_high=failing == "high"))
    return code


def _asked(result: ReconcileResult) -> list[tuple[str, str | None]]:
    return [(entry.account, entry.period) for entry in result.runs]


def _fails(failing: str, result: ReconcileResult) -> bool:
    tallies = [entry for run in result.runs for entry in run.rules if entry.state == "open"]
    return failing != "never" and any(failing == "any" or entry.severity == "high" for entry in tallies)
