"""The months that can be chosen, and which of them is the newest that is over."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import EMBEDDED, Workspace
from confere.app.overview.clients import clients
from confere.app.overview.months import KnownMonth, KnownMonths, known_months
from confere.app.overview.overview import overview
from confere.fiscal.periods import BRASILIA
from tests.app.made import account, listed, named_by_hub, workspace_at
from tests.archive.papers import EMITTER, RECIPIENT


def known(workspace: Workspace, company: str | None, now: datetime) -> KnownMonths:
    opened = OpenArchive(workspace)
    try:
        return known_months(opened, company, now=now)
    finally:
        opened.close()


NOVEMBER = datetime(2026, 11, 10, tzinfo=BRASILIA)


def test_a_month_that_is_listed_and_not_here_is_one_of_them(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path)
    with workspace.writing("test") as archive:
        shop = account(archive)
        named_by_hub(archive, shop, 50, items=("waits", "waits-too"), day="2026-11-03")
        named_by_hub(archive, shop, 51, items=("keyless",), day="2026-08-03", keyless=True)
        named_by_hub(archive, shop, 52, items=("more",), day="2026-10-03")
    found = known(workspace, None, NOVEMBER)
    assert found.months == (
        KnownMonth("2026-11", 0, 2),  # files, as the clients are told: an event of a document counts too
        KnownMonth("2026-10", 2, 1),
        KnownMonth("2026-09", 1),
        KnownMonth("2026-08", 0, 1),
    )
    assert found.newest_full == "2026-10"
    assert known(workspace, EMITTER, NOVEMBER).months == found.months


def test_what_another_establishment_emitted_is_not_of_this_company(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path)
    with workspace.writing("test") as archive:
        shop = account(archive, "shop", "production", EMITTER, RECIPIENT)
        named_by_hub(archive, shop, 50, items=("waits",), day="2026-11-03")  # emitted by EMITTER
    assert known(workspace, EMITTER, NOVEMBER).months[0] == KnownMonth("2026-11", 0, 1)
    assert "2026-11" not in [entry.month for entry in known(workspace, RECIPIENT, NOVEMBER).months]


def test_the_menu_and_the_clients_agree_on_whose_and_when(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path)
    carrier = "11222333000181"
    with workspace.writing("test") as archive:
        shop = account(archive)
        listed(archive, shop, "", "2026-11-09T03:00:00.000+00:00")
        other = account(archive, "other", "production", RECIPIENT)
        listed(archive, other, "", "2026-11-09T03:00:00.000+00:00")
        account(archive, "nothing listed", "production", carrier)
        # The last hours of October in Brasília are November in UTC.
        named_by_hub(archive, shop, 50, items=("late",), day="2026-11-01", time="01:30:00.000", keyless=True)
        named_by_hub(
            archive, shop, 51, items=("early", "its event"), day="2026-11-01", time="03:00:00.000", keyless=True
        )
        named_by_hub(archive, other, 52, items=("of-another-hub",), day="2026-10-03")
        named_by_hub(archive, shop, 1, items=("came-from-a-file",), day="2026-10-05")
    assert {entry.month: entry.missing for entry in known(workspace, None, NOVEMBER).months} == {
        "2026-11": 2,
        "2026-10": 2,
        "2026-09": 0,
    }
    opened = OpenArchive(workspace)
    try:
        for month, files in (("2026-10", 1), ("2026-11", 2)):
            rows = {row.tax_id: row.missing or 0 for row in clients(opened, month, now=NOVEMBER).rows}
            assert rows[EMITTER] == files
            assert rows == {
                company: next(
                    (entry.missing for entry in known(workspace, company, NOVEMBER).months if entry.month == month), 0
                )
                for company in (EMITTER, RECIPIENT, carrier)
            }
    finally:
        opened.close()


@pytest.mark.parametrize(
    ("now", "full"),
    [((2026, 12, 1), "2026-10"), ((2026, 10, 31), "2026-09"), ((2026, 9, 2), "2026-10")],
    ids=["over", "in it", "none is over"],
)
def test_the_newest_that_is_over(tmp_path: Path, now: tuple[int, int, int], full: str) -> None:
    assert known(workspace_at(tmp_path), None, datetime(*now, tzinfo=BRASILIA)).newest_full == full


def test_a_demonstration_has_a_calendar_of_its_own(tmp_path: Path) -> None:
    workspace = workspace_at(tmp_path)
    with workspace.writing("test") as archive:
        demo = account(archive, "demo", EMBEDDED)
        listed(archive, demo, "", "2026-11-01T03:00:00.000+00:00")
    assert known(workspace, None, datetime(2020, 1, 1, tzinfo=BRASILIA)).newest_full == "2026-10"


def test_the_figures_of_a_period_are_of_its_days(tmp_path: Path) -> None:
    opened = OpenArchive(workspace_at(tmp_path))
    try:
        every = overview(opened, None, None, now=NOVEMBER)
        some = overview(opened, None, None, days=("2026-09-30", "2026-10-06"), now=NOVEMBER)
    finally:
        opened.close()
    assert every.total.count == 3
    assert 0 < some.total.count < 3
    assert {entry.when for entry in some.slices} <= {"2026-09", "2026-10"}
