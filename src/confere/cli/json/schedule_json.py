"""The JSON of unattended runs and of their schedule that scripts rely on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confere.cli.json import json_shapes, reconciliation_json
from confere.cli.json.encoder import Shape, each_of, fields_of

if TYPE_CHECKING:
    from confere.app.schedule.scheduling import ScheduleStatus
    from confere.app.schedule.unattended_result import AccountOutcome, UnattendedResult
    from confere.app.schedule.unattended_runs import UnattendedRun
    from confere.system.schedulers.scheduler import InstalledTask

_COUNTED = (
    *("new", "updated", "new_orders", "changed_orders", "new_findings", "new_grave_findings", "not_authentic"),
    *("failed_accounts", "reports"),
)


def unattended(result: UnattendedResult) -> Shape:
    """`changed` says whether the run changed anything but that it is written down; `new_findings` counts by severity
    what nobody has settled and no run found before. `verified` is null where it did not come to that."""
    counts = result.counts()
    return {
        **fields_of(result, "run", "outcome", "changed"),
        "counts": {name: counts[name] for name in _COUNTED},
        "accounts": [_account(outcome) for outcome in result.accounts],
        "verified": None if result.verified is None else result.verified.counts(),
        **fields_of(result, "reports", "backup", "backups", "problems"),
        "drill": None if result.drill is None else fields_of(result.drill, "file", "passed", "problems"),
        "seconds": counts["seconds"],
        "stopped": result.stopped,
    }


def _account(outcome: AccountOutcome) -> Shape:
    problem = outcome.problem
    synced = None if outcome.sync is None else json_shapes.sync(outcome.sync)
    return {
        **fields_of(outcome, "account", "outcome"),
        "problem": None if problem is None else {"what": problem.what, "remedy": problem.remedy},
        "sync": None if synced is None else synced["sync"],
        "failures": [] if synced is None else synced["failures"],
        "reconciliation": None if outcome.reconciled is None else reconciliation_json.run(outcome.reconciled),
        **fields_of(outcome, "new_findings", "months", "changed"),
    }


def installed(status: ScheduleStatus, done: InstalledTask) -> Shape:
    """`enabled` is false where the system has not taken what was written; `problem` says why, and what to do."""
    shape = fields_of(done, "files", "problem", "note") | {"enabled": done.problem is None}
    return {"installed": True, **shape, **_plan(status)}


def standing(status: ScheduleStatus) -> Shape:
    """`installed`: there is a schedule and the system has it. `enabled` is null where nobody can tell."""
    return {
        "installed": status.present and status.plan is not None,
        "enabled": status.active,
        **_plan(status),
        "last_run": None if status.last_run is None else _run(status.last_run),
        "alarms": each_of(status.alarms, "what", "account", "days"),
        "stale_after_days": status.stale_after,
    }


def _plan(status: ScheduleStatus) -> Shape:
    plan = status.plan
    return {
        **fields_of(status, "scheduler", "name"),
        "at": None if plan is None else plan.schedule.at,
        "every": None if plan is None else plan.schedule.every,
        "accounts": None if plan is None else plan.accounts,
        "backup": None if plan is None else plan.backups,
        "next_run": status.next_run,
    }


def _run(run: UnattendedRun) -> Shape:
    of_entry = ("run=entry.id", "started_at=entry.started_at", "finished_at=entry.finished_at", "outcome=entry.outcome")
    counts = {name: run.count(name) for name in _COUNTED}
    return {**fields_of(run, *of_entry), "counts": counts, **fields_of(run, "accounts", "problems", "age_seconds")}
