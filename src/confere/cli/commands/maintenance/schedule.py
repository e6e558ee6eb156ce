"""`confere schedule`: unattended runs by the system's own scheduler."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli import tables
from confere.cli.context import Face
from confere.cli.json import schedule_json
from confere.cli.options import option_values, option_words, typed_values
from confere.cli.render import labels
from confere.errors import NC_, UsageFault, message
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.schedulers.schedule import Rhythm

if TYPE_CHECKING:
    from confere.app.schedule.scheduling import ScheduleStatus


def schedule_install(
    face: Face,
    at: Annotated[str, typer.Option("--at", metavar="HH:MM", help=t("When, by this machine's clock."))] = "02:30",
    every: Annotated[
        str,
        typer.Option(
            "--every",
            metavar=option_words.alternatives(tuple(Rhythm), option_values.RHYTHMS),
            help=t("How often; an hourly run takes the minute of --at."),
        ),
    ] = "day",
    account: Annotated[
        list[str] | None, typer.Option("--account", metavar="NAME", help=t("Only this account; may be repeated."))
    ] = None,
    every_account: Annotated[bool, typer.Option("--all", metavar="", help=t("Every account (the default)."))] = False,
    backup: Annotated[
        bool,
        typer.Option(
            "--backup", metavar="", help=t("Write the usual copies of the archive after each run where they are due.")
        ),
    ] = False,
) -> int:
    """0 where the system has taken it; 1 where its units are written and could not be enabled here; 3 where nothing
    was put in."""
    if account and every_account:
        raise UsageFault(
            message("--all names every account already."), message("Give --all, or --account for some of them.")
        )
    rhythm = typed_values.choice("--every", every, tuple(Rhythm), option_values.RHYTHMS)
    from confere.app.archive_session import OpenArchive
    from confere.app.schedule import scheduling

    plan = scheduling.plan_of(at, rhythm, tuple(account or ()), backup)
    with closing(OpenArchive(face.workspace)) as opened:
        done = scheduling.install(face.workspace, opened, plan)
        status = scheduling.status(face.workspace, opened)
    code = 0 if done.problem is None else 1
    face.out.result(schedule_json.installed(status, done), code)
    if face.out.for_people:
        for path in done.files:
            face.out.print(t("Written: {path}", path=path))
        for sentence in (done.problem, done.note):
            if sentence is not None:
                face.out.aside(render(sentence))
        if status.next_run is not None and done.problem is None:
            face.out.print(t("The next run begins {moment}.", moment=formatting.moment(status.next_run)))
    return code


def schedule_remove(face: Face) -> int:
    """0, also where there was nothing to take out."""
    from confere.app.schedule import scheduling

    there = scheduling.remove(face.workspace)
    face.out.result({"removed": there})
    face.out.aside(t("It is taken out.") if there else t("There was no schedule."))
    return 0


def schedule_status(face: Face) -> int:
    """1 where an account was listed too long ago, or what is scheduled does not run; 0 otherwise."""
    from confere.app.archive_session import OpenArchive
    from confere.app.schedule import scheduling

    with closing(OpenArchive(face.workspace)) as opened:
        status = scheduling.status(face.workspace, opened)
    code = 1 if status.alarms else 0
    face.out.result(schedule_json.standing(status), code)
    if face.out.for_people:
        _tell(face, status)
    return code


def _tell(face: Face, status: ScheduleStatus) -> None:
    plan, last = status.plan, status.last_run
    every = {
        "day": t("every day"),
        "hour": t("every hour"),
        "weekday": t("Monday to Friday"),
    }
    installed = t("no")
    if plan is not None and status.present:
        installed = t("yes") if status.active is not False else t("written, but not enabled")
    face.out.print(
        tables.facts(
            [
                (t("Installed"), installed),
                (t("Scheduler"), f"{status.scheduler}, {status.name}"),
                (
                    t(NC_("time of day", "Time")),
                    "" if plan is None else f"{plan.schedule.at}, {every[plan.schedule.every]}",
                ),
                (t("Accounts"), "" if plan is None else ", ".join(plan.accounts) or t(NC_("accounts", "all"))),
                (t("Backup"), t("yes") if plan is not None and plan.backups else ""),
                (t("Next run"), t("none") if status.next_run is None else formatting.moment(status.next_run)),
                (t("Last run"), t("never") if last is None else formatting.moment(last.entry.started_at)),
                (t("Outcome"), "" if last is None else labels.outcome_word(last.entry.outcome)),
            ]
        )
    )
    for problem in () if last is None else last.problems:
        face.out.aside(render(problem))
    for alarm in status.alarms:
        face.out.aside(render(alarm.what))
