"""`confere run`: everything that a night has to do, for schedulers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli import tables
from confere.cli.context import Face
from confere.cli.json import schedule_json
from confere.cli.options import option_values, option_words, typed_values
from confere.cli.render import labels
from confere.errors import NC_, UsageFault, message
from confere.system import formatting
from confere.system.messages import render, render_error, t

if TYPE_CHECKING:
    from confere.app.schedule.unattended_result import AccountOutcome, UnattendedResult

_MOST_SECONDS = 86400


def run(
    face: Face,
    account: Annotated[
        list[str] | None, typer.Option("--account", metavar="NAME", help=t("Only this account; may be repeated."))
    ] = None,
    every: Annotated[bool, typer.Option("--all", metavar="", help=t("Every account."))] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            metavar="FOLDER",
            help=t("Where a spreadsheet of each month goes that changed (default: the data folder's exports)."),
        ),
    ] = None,
    no_report: Annotated[bool, typer.Option("--no-report", metavar="", help=t("Write no spreadsheets."))] = False,
    backup: Annotated[
        bool,
        typer.Option(
            "--backup",
            metavar="",
            help=t(
                "Write the usual copies of the archive afterwards where they are due, as `confere backup --if-due`."
            ),
        ),
    ] = False,
    fail_on: Annotated[
        str,
        typer.Option(
            "--fail-on",
            metavar=option_words.alternatives(option_values.FAIL_ON_CODES, option_values.FAIL_ON),
            help=t("End with exit code 1 where the run found new findings of high severity (default), any, or never."),
        ),
    ] = "high",
    wait: Annotated[
        int,
        typer.Option(
            "--wait",
            metavar="SECONDS",
            help=t("How long to wait while another process writes to the archive, such as a job of the window."),
        ),
    ] = 600,
) -> int:
    """0 where all is well; 1 where something is missing, not authentic, newly found or was stopped; 3 where no account
    could be synced, or the archive was not free."""
    if bool(account) is every:
        raise UsageFault(
            message("Say whose documents: --all for every account, or --account NAME for one."),
            message("A scheduler usually runs `confere run --all`."),
        )
    if no_report and report is not None:
        raise UsageFault(message("--report and --no-report contradict each other."), message("Give one of them."))
    if not 0 <= wait <= _MOST_SECONDS:
        raise UsageFault(
            message("{seconds} seconds cannot be waited.", seconds=wait), message("Give 0 to 86400 seconds.")
        )
    failing = typed_values.choice("--fail-on", fail_on, option_values.FAIL_ON_CODES, option_values.FAIL_ON)
    from confere.app.schedule.unattended import UnattendedRequest, run_unattended

    reports = None if no_report else (report or face.home.exports).expanduser().absolute()
    request = UnattendedRequest(tuple(account or ()), reports, backup, wait)
    with face.job() as reporter:
        result = run_unattended(face.workspace, request, reporter=reporter, stop=face.stop)
    code = _code(result, failing)
    face.out.result(schedule_json.unattended(result), code)
    if face.out.for_people:
        _tell(face, result)
    return code


def _code(result: UnattendedResult, failing: str) -> int:
    from confere.app.schedule.unattended_result import FAILED
    from confere.sales.findings import Severity

    if result.outcome == FAILED:
        return 3
    new = result.new_findings(Severity.HIGH if failing == "high" else None) if failing != "never" else 0
    return 1 if result.stopped or result.lacking or result.not_authentic or new else 0


def _tell(face: Face, result: UnattendedResult) -> None:
    counts, number = result.counts(), formatting.count
    for outcome in result.accounts:
        _tell_account(face, outcome)
    face.out.print(
        tables.facts(
            [
                (t("Accounts"), number(len(result.accounts))),
                (t("Accounts that failed"), number(counts["failed_accounts"]) if counts["failed_accounts"] else ""),
                (t("New documents"), number(counts["new"])),
                (t("Changed documents"), number(counts["updated"])),
                (t("New orders"), number(counts["new_orders"])),
                (t("Not authentic"), number(counts["not_authentic"]) if counts["not_authentic"] else ""),
                (t("New findings"), number(counts["new_findings"])),
                (t("Of these of high severity"), number(counts["new_grave_findings"])),
                (t(NC_("duration", "Time")), formatting.duration(result.seconds)),
            ]
        )
    )
    for path in result.reports:
        face.out.print(t("Report: {path}", path=path))
    for path in result.backups:
        face.out.print(t("Backup: {path}", path=path))
    for problem in result.problems:
        face.out.aside(render(problem))
    if not result.changed and not result.lacking and not result.stopped:
        face.out.print(t("Nothing has changed since the run before."))
    if result.stopped:
        face.out.aside(t("It was stopped; what was done is kept. Start it again to go on from there."))


def _tell_account(face: Face, outcome: AccountOutcome) -> None:
    face.out.print(f"{outcome.account}: {labels.outcome_word(outcome.outcome)}")
    if outcome.problem is not None:
        error = render_error(outcome.problem)
        face.out.aside(f"{error.what} {error.remedy or ''}".strip())
    for failure in outcome.sync.failures if outcome.sync is not None else ():
        face.out.aside(f"  {failure.item_id}: {render(failure.reason)}")
