"""Each rule of what to do next, alone; and nothing where all is well."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from confere.app.accounts.account_status import FeedAge
from confere.app.accounts.freshness import AccountFreshness, Lacks
from confere.app.overview.suggestions import Closing, NextStep, Situation, StepKind, calm_text, next_steps
from confere.errors import message
from confere.fiscal.periods import BRASILIA
from confere.sales.hub_feeds import HubFeed
from confere.system.messages import render

NOW = datetime(2026, 11, 10, 9, 0, tzinfo=BRASILIA)
COMPANY = "11222333000181"
SOON = NOW - timedelta(hours=2)
FRESH = AccountFreshness("shop", "production", SOON, "done", SOON, whole=True, listed_at=SOON)
WELL = Situation(
    now=NOW,
    connected=True,
    accounts=(FRESH,),
    documents=100,
    closing=Closing("2026-10", ()),
    began_at=NOW - timedelta(days=300),
    backed_up_at=NOW - timedelta(days=3),
)


def of(situation: Situation) -> list[NextStep]:
    found = list(next_steps(situation))
    for step in found:
        text = render(step.what)
        assert "{" not in text
        assert "_" not in text
    return found


def one(**changes: object) -> NextStep:
    """The only step of an account that differs so from one where all is well."""
    (step,) = of(replace(WELL, accounts=(replace(FRESH, **changes),)))  # type: ignore[arg-type]
    assert step.account == "shop"
    assert "shop" in render(step.what)
    return step


def kinds(situation: Situation) -> list[StepKind]:
    return [step.kind for step in of(situation)]


def test_where_all_is_well_there_is_nothing_to_do() -> None:
    assert of(WELL) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"syncing": True, "synced_at": None, "outcome": None, "listed_until": None, "listed_at": None},
        {"syncing": True, "queue_waiting": 3},
        {"queue_waiting": 3},
        {"interrupted": 1},
        {"short": (message("A list of the hub is short."),)},
    ],
    ids=["first sync", "sync with files waiting", "files waiting", "cut off", "short"],
)
def test_all_is_well_is_not_said_before_it_is(changes: dict[str, Any]) -> None:
    assert calm_text((FRESH,))[1]
    what, is_well = calm_text((FRESH, replace(FRESH, **changes)))
    assert not is_well
    assert "well" not in render(what)


def test_all_is_well_is_not_said_of_a_company_that_no_account_covers() -> None:
    assert not calm_text(())[1]


@pytest.mark.parametrize(
    "changes",
    [
        {"syncing": True},
        {"interrupted": 1},
        {"outcome": "failed"},
        {"listed_until": None},
        {"short": (message("A list of the hub is short."),)},
        {"lacks": Lacks(waiting=1)},
    ],
    ids=["syncing", "cut off", "failed", "never listed", "short", "waiting"],
)
def test_everything_is_here_is_not_said_before_it_is(changes: dict[str, Any]) -> None:
    assert FRESH.is_whole_here
    assert not replace(FRESH, **changes).is_whole_here


def test_an_empty_archive_teaches() -> None:
    assert kinds(Situation(now=NOW)) == [StepKind.CONNECT, StepKind.IMPORT, StepKind.TRY]


def test_documents_without_an_account_ask_for_one() -> None:
    assert kinds(replace(WELL, connected=False, accounts=())) == [StepKind.CONNECT]


def test_a_company_of_no_account_does_not_ask_for_an_account_that_is_there() -> None:
    assert kinds(replace(WELL, accounts=())) == []


def test_what_was_never_synced() -> None:
    assert one(synced_at=None, outcome=None, listed_until=None, whole=False).kind is StepKind.FIRST_SYNC


@pytest.mark.parametrize(("days", "said"), [(25, "keeps it for 30"), (30, "whole"), (90, "may be lost")])
def test_a_feed_that_is_about_to_forget_changes(days: int, said: str) -> None:
    newer = FeedAge(HubFeed.ORDERS, NOW, 25)
    step = one(ending_feeds=(FeedAge(HubFeed.PRICES, NOW, days), newer), listed_days=days)
    assert (step.kind, step.count) == (StepKind.SYNC, days)
    assert said in render(step.what)
    assert f"feed of changed prices was last read {days} days ago" in render(step.what)


def test_what_was_interrupted() -> None:
    assert one(interrupted=1).kind is StepKind.RESUME
    assert one(interrupted=1, synced_at=None, outcome=None).kind is StepKind.RESUME


def test_a_sync_that_failed_is_looked_at() -> None:
    assert one(outcome="failed", interrupted=1).kind is StepKind.LOOK_AT_SYNC


@pytest.mark.parametrize("days", [None, 3, 99])
def test_a_sync_grows_old(days: int | None) -> None:
    for synced_at in (NOW - timedelta(days=99), SOON):  # a sync of one order since then does not make it younger
        old = replace(WELL, accounts=(replace(FRESH, synced_at=synced_at, listed_days=days),))
        assert kinds(old) == ([] if days is None else [StepKind.SYNC])


def test_a_list_that_is_short_is_no_month_to_hand_over() -> None:
    short = message("less than it has")
    situation = replace(WELL, accounts=(replace(FRESH, short=(short,)),), closing=Closing("2026-10", (COMPANY,)))
    (step,) = next_steps(situation)
    assert (step.kind, step.account) == (StepKind.SHORT, "shop")
    assert render(step.what) == "Sync shop: less than it has"


@pytest.mark.parametrize("environment", ["production", "embedded"])
@pytest.mark.parametrize("outcome", ["stopped", "done"])
def test_a_sync_that_listed_nothing_whole_is_not_enough(environment: str, outcome: str) -> None:
    step = one(environment=environment, outcome=outcome, listed_until=None, listed_at=None, whole=False)
    assert step.kind is StepKind.SYNC


def test_a_demonstration_does_not_grow_old() -> None:
    long_ago = NOW - timedelta(99)
    demo = replace(FRESH, environment="embedded", synced_at=long_ago, listed_at=long_ago)
    assert kinds(replace(WELL, accounts=(demo,))) == []


def test_days_that_were_never_listed() -> None:
    step = one(unlisted_days=("2026-10-01", "2026-10-02"))
    assert (step.kind, step.count) == (StepKind.SYNC, 2)


def test_a_queue_that_waits() -> None:
    step = one(queue_waiting=7)
    assert (step.kind, step.count) == (StepKind.DOWNLOAD, 7)


def test_while_a_sync_runs_none_is_asked_for() -> None:
    busy = replace(FRESH, syncing=True, synced_at=None, outcome=None, queue_waiting=7, unlisted_days=("2026-10-01",))
    assert kinds(replace(WELL, accounts=(busy,))) == []


def test_failed_downloads_are_tried_again() -> None:
    step = one(queue_failed=3)
    assert (step.kind, step.count) == (StepKind.RETRY, 3)


def test_what_the_hub_does_not_offer_is_asked_of_the_emitter() -> None:
    step = one(lacks=Lacks(not_offered=4))
    assert (step.kind, step.count) == (StepKind.ASK, 4)


def test_what_cannot_be_read_is_looked_at() -> None:
    (step,) = of(replace(WELL, unreadable=2))
    assert (step.kind, step.count) == (StepKind.LOOK, 2)


def test_what_is_not_authentic_is_looked_at() -> None:
    (step,) = of(replace(WELL, not_authentic=2))
    assert (step.kind, step.count, step.is_elsewhere) == (StepKind.NOT_AUTHENTIC, 2, False)
    here, elsewhere = of(replace(WELL, not_authentic=2, false_elsewhere=3))
    assert here == step
    assert (elsewhere.kind, elsewhere.count, elsewhere.is_elsewhere) == (StepKind.NOT_AUTHENTIC, 3, True)


def test_grave_findings_are_looked_at_in_their_month() -> None:
    (step,) = of(replace(WELL, grave_findings=3, month="2026-10"))
    assert (step.kind, step.count, step.month) == (StepKind.FINDINGS, 3, "2026-10")
    (step,) = of(replace(WELL, grave_findings=3))
    assert step.month is None


def test_what_an_older_release_read_is_read_again() -> None:
    (step,) = of(replace(WELL, read_by_older=1200))
    assert (step.kind, step.count) == (StepKind.REREAD, 1200)


def test_a_month_that_is_over_is_handed_over() -> None:
    (step,) = of(replace(WELL, closing=Closing("2026-10", (COMPANY,))))
    assert (step.kind, step.company, step.month) == (StepKind.EXPORT, COMPANY, "2026-10")
    assert render(step.what) == "Export October 2026 of 11.222.333/0001-81: the month is over."
    (step,) = of(replace(WELL, closing=Closing("2026-10", (COMPANY, "x", "y"))))
    assert (step.kind, step.company, step.month, step.count) == (StepKind.EXPORT, None, "2026-10", 3)
    assert kinds(replace(WELL, closing=None)) == []


@pytest.mark.parametrize(("days", "due"), [(6, False), (7, True)])
def test_a_backup_grows_old(days: int, due: bool) -> None:
    assert kinds(replace(WELL, backed_up_at=NOW - timedelta(days=days))) == ([StepKind.BACKUP] if due else [])
    never = replace(WELL, backed_up_at=None, began_at=NOW - timedelta(days=days))
    assert kinds(never) == ([StepKind.BACKUP] if due else [])
    assert kinds(replace(never, documents=0, began_at=NOW - timedelta(days=99))) == []


@pytest.mark.parametrize(("days", "age"), [(1, "1 day"), (2, "2 days")])
def test_the_age_of_a_backup_is_said_of_one_day_and_of_many(days: int, age: str) -> None:
    (step,) = of(replace(WELL, backup_days=1, backed_up_at=NOW - timedelta(days=days)))
    assert render(step.what) == f"Make a backup: the newest one is {age} old."


def test_accounts_come_before_files_months_and_backups() -> None:
    every = replace(
        WELL,
        accounts=(replace(FRESH, queue_failed=1, lacks=Lacks(not_offered=1)),),
        unreadable=1,
        closing=Closing("2026-10", (COMPANY,)),
        backed_up_at=NOW - timedelta(days=90),
    )
    order = ["retry", "ask", "look", "export", "backup"]
    assert kinds(every) == [StepKind(name) for name in order]


@pytest.mark.parametrize("half", [{"interrupted": 1}, {"syncing": True}, {"queue_waiting": 9}])
def test_no_package_is_asked_for_while_half_of_it_is_not_here(half: dict[str, Any]) -> None:
    closing = Closing("2026-10", (COMPANY,))
    assert StepKind.EXPORT in kinds(replace(WELL, accounts=(FRESH,), closing=closing))
    assert StepKind.EXPORT not in kinds(replace(WELL, accounts=(replace(FRESH, **half),), closing=closing))
