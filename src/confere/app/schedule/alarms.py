"""The alarm of what grows old: an account that was listed days ago, and a schedule that does not run any more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from confere.app.accounts import account_status
from confere.app.accounts.freshness import clock
from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.schedule import schedule_plan
from confere.app.schedule.unattended_runs import UnattendedRun
from confere.errors import Message, message
from confere.system import formatting
from confere.system.settings import STALE_AFTER


@dataclass(frozen=True, slots=True)
class Alarm:
    """What has to be looked at; `account` and `days` say of whom and since when, where it is that."""

    what: Message
    account: str | None = None
    days: int | None = None


def every(workspace: Workspace, opened: OpenArchive, last: UnattendedRun | None) -> Iterator[Alarm]:
    """The accounts that were listed too long ago (`stale_after_days`), then the schedule; `last` is its newest run.

    A listing counts however it came about: by a run, by hand, or by the window.
    """
    yield from of_accounts(opened)
    yield from of_schedule(workspace, last)


def of_accounts(opened: OpenArchive) -> Iterator[Alarm]:
    """The accounts that were listed too long ago, the oldest first."""
    old = [(stands.days or 0, name) for name, stands in account_status.every(opened).items() if stands.is_stale]
    for days, name in sorted(old, reverse=True):
        what = message("{account} was last listed {days} days ago.", account=name, days=formatting.count(days))
        yield Alarm(what, name, days)


def of_schedule(workspace: Workspace, last: UnattendedRun | None) -> Iterator[Alarm]:
    """Whether what is scheduled does not run any more, or its newest run did not come to a good end."""
    plan = schedule_plan.kept(workspace.home)
    if plan is None:
        return
    ended = last.entry.finished_at or last.entry.started_at if last is not None else None
    since = max((moment for moment in (ended, plan.since) if moment is not None), default=None)
    if since is not None and (days := _days(since)) >= workspace.settings.get(STALE_AFTER):
        what = message("The scheduled run has not run for {days} days.", days=formatting.count(days))
        yield Alarm(what, None, days)
    elif last is not None and last.entry.outcome in ("failed", "interrupted"):
        why = last.problems[0] if last.problems else message("It was cut off.")
        yield Alarm(message("The newest unattended run failed. {why}", why=why))


def _days(since: datetime) -> int:
    return max(0, (clock() - since).days)
