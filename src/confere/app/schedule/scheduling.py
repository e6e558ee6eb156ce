"""The use case "let it run by itself": put into the system's scheduler, taken out again, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.schedule import alarms, schedule_plan, unattended_runs
from confere.app.schedule.alarms import Alarm
from confere.app.schedule.schedule_plan import SchedulePlan as SchedulePlan
from confere.app.schedule.schedule_plan import plan_of as plan_of
from confere.app.schedule.unattended_runs import UnattendedRun
from confere.archive.accounts import accounts
from confere.errors import ConfereError, message
from confere.system.schedulers.scheduler import InstalledTask, Scheduler, of_this_system
from confere.system.settings import STALE_AFTER


@dataclass(frozen=True, slots=True)
class ScheduleStatus:
    """`plan` is what was put in, None for nothing; `present` whether the system has it, `active` whether it will start
    it (None where nobody can tell). `next_run` is in this machine's zone, the system's word or computed; None where
    nothing is to run. `last_run` is the newest unattended run, also one that a person began."""

    scheduler: str
    name: str
    plan: SchedulePlan | None
    present: bool
    active: bool | None
    next_run: datetime | None
    last_run: UnattendedRun | None
    alarms: tuple[Alarm, ...]
    stale_after: int


def install(
    workspace: Workspace, opened: OpenArchive, plan: SchedulePlan, scheduler: Scheduler | None = None
) -> InstalledTask:
    """Put the plan into the system's scheduler, in the place of the one before.

    Raises `UsageFault` for an account that there is not, and `EnvironmentFault` where nothing was put in.
    """
    _refuse_strangers(opened, plan)
    workspace.home.ensure()
    scheduler = scheduler or of_this_system()
    done = scheduler.install(schedule_plan.task_of(workspace.home, plan))
    try:
        schedule_plan.keep(workspace.home, plan)
    except ConfereError:
        scheduler.remove(schedule_plan.task_name(workspace.home))
        raise
    return done


def remove(workspace: Workspace, scheduler: Scheduler | None = None) -> bool:
    """Take it out; whether there was anything. Raises `EnvironmentFault` where it stays."""
    scheduler = scheduler or of_this_system()
    there = scheduler.remove(schedule_plan.task_name(workspace.home))
    there = workspace.home.schedule.is_file() or there
    schedule_plan.forget(workspace.home)
    return there


def status(workspace: Workspace, opened: OpenArchive, scheduler: Scheduler | None = None) -> ScheduleStatus:
    """How it stands now; the system's programs are asked, so this takes a moment."""
    scheduler = scheduler or of_this_system()
    name = schedule_plan.task_name(workspace.home)
    plan, state = schedule_plan.kept(workspace.home), scheduler.state(name)
    now = datetime.now().astimezone()
    next_run = state.next_run
    if next_run is None and plan is not None and state.present and state.active is not False:
        next_run = plan.schedule.next_after(now)
    last = unattended_runs.newest(opened)
    raised = list(alarms.every(workspace, opened, last))
    if plan is not None and not state.present:
        gone = message("The system's scheduler does not have it any more; install it again.")
        raised.insert(0, Alarm(gone))
    return ScheduleStatus(
        scheduler.kind,
        name,
        plan,
        state.present,
        state.active,
        next_run,
        last,
        tuple(raised),
        workspace.settings.get(STALE_AFTER),
    )


def _refuse_strangers(opened: OpenArchive, plan: SchedulePlan) -> None:
    if plan.accounts:
        with opened.reading() as transaction:
            for name in plan.accounts:
                accounts.named(transaction, name)
