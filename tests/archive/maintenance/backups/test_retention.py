"""Which copies stay: by day, week, month and year, the same however often one looks, and never without the newest."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from confere.archive.maintenance.backups.retention import DatedCopy, KeepReason, RetentionPolicy, RetentionResult, keep
from confere.fiscal.periods import BRASILIA

USUAL = RetentionPolicy(7, 5, 13, 6)
BEGAN = datetime(2020, 1, 1, 2, 30, tzinfo=BRASILIA)
policies = st.builds(RetentionPolicy, st.integers(1, 9), st.integers(0, 6), st.integers(0, 14), st.integers(0, 7))
hours = st.lists(st.integers(0, 24 * 365 * 9), min_size=1, max_size=60, unique=True).map(sorted)


def copies(when: Sequence[int]) -> list[DatedCopy]:
    """Copies made so many hours after the beginning."""
    return [DatedCopy(Path(f"{hour}"), BEGAN + timedelta(hours=hour), hour) for hour in when]


def now_of(made: Sequence[DatedCopy]) -> datetime:
    return max(copy.made_at for copy in made)


def after_each(made: Sequence[DatedCopy], policy: RetentionPolicy) -> set[DatedCopy]:
    """What is left where the rest was removed after every copy."""
    left: set[DatedCopy] = set()
    for copy in made:
        left = set(keep({*left, copy}, policy, copy.made_at).kept)
    return left


def days_kept(result: RetentionResult, reason: KeepReason) -> list[str]:
    return [copy.made_at.date().isoformat() for copy, reasons in result.kept.items() if reason in reasons]


def test_a_daily_backup_of_seven_years_leaves_7_days_5_weeks_13_months_and_6_years() -> None:
    made = copies(
        [24 * day for day in range(7 * 365)]
    )  # to 30 December 2026, a Wednesday; 2020 and 2024 are leap years
    result = keep(made, USUAL, now_of(made))
    assert days_kept(result, KeepReason.DAY) == [f"2026-12-{day}" for day in range(29, 22, -1)]
    assert days_kept(result, KeepReason.WEEK) == ["2026-12-29", "2026-12-27", "2026-12-20", "2026-12-13", "2026-12-06"]
    assert days_kept(result, KeepReason.MONTH) == [
        "2026-12-29", "2026-11-30", "2026-10-31", "2026-09-30", "2026-08-31", "2026-07-31", "2026-06-30", "2026-05-31",
        "2026-04-30", "2026-03-31", "2026-02-28", "2026-01-31", "2025-12-31",
    ]  # fmt: skip
    assert days_kept(result, KeepReason.YEAR) == [
        "2026-12-29", "2025-12-31", "2024-12-31", "2023-12-31", "2022-12-31", "2021-12-31",
    ]  # fmt: skip
    assert len(result.kept) == 7 + 3 + 12 + 4
    assert len(result.kept) + len(result.removed) == len(made)


@given(hours, policies)
def test_the_newest_always_stays_and_there_are_no_more_than_the_sum(when: list[int], policy: RetentionPolicy) -> None:
    made = copies(when)
    result = keep(made, policy, now_of(made))
    assert made[-1] in result.kept
    assert len(result.kept) <= policy.daily + policy.weekly + policy.monthly + policy.yearly
    assert {*result.kept, *result.removed} == set(made)


@given(hours, policies)
def test_looking_after_each_copy_ends_as_looking_once(when: list[int], policy: RetentionPolicy) -> None:
    made = copies(when)
    once = keep(made, policy, now_of(made))
    assert set(once.kept) == after_each(made, policy)
    again = keep(list(once.kept), policy, now_of(made))
    assert again.removed == ()


@given(hours, policies, st.data())
def test_whoever_keeps_more_of_a_period_keeps_all_that_was_kept(
    when: list[int], policy: RetentionPolicy, data: st.DataObject
) -> None:
    made = copies(when)
    more = RetentionPolicy(*(data.draw(st.integers(count, count + 3)) for count in _counts(policy)))
    now = now_of(made)
    assert set(keep(made, policy, now).kept) <= set(keep(made, more, now).kept)


@given(hours, policies, st.data())
def test_what_is_removed_once_does_not_come_back_with_a_newer_copy(
    when: list[int], policy: RetentionPolicy, data: st.DataObject
) -> None:
    made = copies(when)
    (newer,) = copies([when[-1] + data.draw(st.integers(1, 24 * 400))])
    removed = set(keep(made, policy, now_of(made)).removed)
    assert removed <= set(keep([*made, newer], policy, newer.made_at).removed)


@given(hours, policies, st.data())
def test_pinned_copies_and_those_of_the_future_stay_and_take_no_place(
    when: list[int], policy: RetentionPolicy, data: st.DataObject
) -> None:
    made = copies(when)
    ahead = copies([when[-1] + 24 * 30, when[-1] + 24 * 600])
    pinned = data.draw(st.sets(st.sampled_from(made)))
    plain = keep(made, policy, now_of(made))
    result = keep([*made, *ahead], policy, now_of(made), {copy.path for copy in pinned})
    assert set(result.kept) == set(plain.kept) | pinned | set(ahead)
    assert all(KeepReason.FUTURE in result.kept[copy] for copy in ahead)
    assert all(KeepReason.HOLDS_MORE in result.kept[copy] for copy in pinned)


def _counts(policy: RetentionPolicy) -> tuple[int, int, int, int]:
    return policy.daily, policy.weekly, policy.monthly, policy.yearly
