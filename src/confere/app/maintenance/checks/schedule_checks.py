"""What a check-up says of unattended work: how the newest run ended, and whether what is scheduled still runs."""

from __future__ import annotations

from confere.app.context import Workspace
from confere.app.labels import labels
from confere.app.maintenance.checks.check_result import Examination
from confere.app.schedule import alarms, schedule_plan, unattended_runs
from confere.archive.store import Archive
from confere.errors import Message, message
from confere.system import formatting


def of_schedule(workspace: Workspace, archive: Archive, found: Examination) -> None:
    """The system's scheduler itself is not asked: `confere schedule status` does that."""
    plan, last = schedule_plan.kept(workspace.home), unattended_runs.newest_in(archive)
    found.facts["unattended"] = {
        "scheduled": plan is not None,
        "run": None if last is None else last.entry.id,
        "started_at": None if last is None else last.entry.started_at.isoformat(),
        "outcome": None if last is None else last.entry.outcome,
    }
    raised = list(alarms.of_schedule(workspace, last))
    for alarm in raised:
        found.add("schedule", False, alarm.what)
    if last is not None and not raised:
        what = message(
            "The newest unattended run began {moment}: {outcome}.",
            moment=formatting.moment(last.entry.started_at),
            outcome=Message(labels.OUTCOMES[last.entry.outcome]),
        )
        found.add("schedule", True, what)
