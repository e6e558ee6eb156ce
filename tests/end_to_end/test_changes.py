"""What changed at the hub since the last sync is found without listing everything again."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.end_to_end.confere import add_account, confere
from tests.loopback import LOOPBACK

DOCUMENTS = 450
FEW = 210  # pages enough to be listed by
CONTROL = {"X-Sandbox-Control": "1"}


def move_clock(hub: RunningHub, now: str) -> None:
    httpx.post(f"{hub.panel}/clock", json={"now": now}, headers=CONTROL, **LOOPBACK).raise_for_status()


@pytest.mark.exhaustive
def test_a_note_cancelled_three_months_later_is_found_without_a_full_scan(tmp_path: Path) -> None:
    options = SandboxOptions(documents=DOCUMENTS, seed=6, clock="2026-07-10T12:00:00-03:00")
    with running(options) as hub:
        add_account(tmp_path, "hub", hub.address, hub.token)
        first = confere(tmp_path, "sync").json["sync"]
        old = confere(tmp_path, "list", "--month", "2026-04", "--state", "authorized", "--type", "nfe", "--all").json
        quiet = confere(tmp_path, "sync").json["sync"]
        move_clock(hub, "2026-07-12T12:00:00-03:00")
        key = old["documents"][0]["access_key"]
        httpx.post(f"{hub.panel}/cancel", json={"documentKey": key}, headers=CONTROL, **LOOPBACK).raise_for_status()
        second = confere(tmp_path, "sync").json["sync"]
        shown = confere(tmp_path, "show", key).json
    print(f"requests: first {first['requests']}, quiet {quiet['requests']}, cancelled {second['requests']}")
    assert shown["state"] == "cancelled_late"
    assert [event["code"] for event in shown["events"]] == ["110111"]
    assert quiet["downloaded"] == 0
    assert quiet["requests"] <= 4
    # At most a page for each axis and a request for each thing that came: far from the pages of a whole listing.
    assert second["requests"] <= 6 + second["downloaded"] + second["new"] + second["updated"]
    assert second["listed"] < first["listed"] / 4


def test_time_passes_and_only_what_is_new_comes(tmp_path: Path) -> None:
    with running(SandboxOptions(documents=FEW, seed=6, clock="2026-03-01T00:00:00-03:00")) as hub:
        add_account(tmp_path, "hub", hub.address, hub.token)
        listed = confere(tmp_path, "sync").json["sync"]["listed"]
        for now in ("2026-03-20T08:00:00-03:00", "2026-05-02T23:59:59-03:00", "2026-11-01T00:00:00-03:00"):
            move_clock(hub, now)
            sync = confere(tmp_path, "sync").json["sync"]
            assert sync["failed"] == 0
            listed += sync["new"]
        assert listed == FEW
        whole = confere(tmp_path, "sync", "--full").json["sync"]
    assert (whole["listed"], whole["new"], whole["updated"], whole["downloaded"]) == (FEW, 0, 0, 0)


def test_a_hub_that_ignores_dates_is_found_out_and_listed_whole(tmp_path: Path) -> None:
    for faults in ("ignore-dates", "no-dates"):
        home = tmp_path / faults
        with running(SandboxOptions(documents=150, seed=6, faults=faults, clock="2026-06-01T00:00:00-03:00")) as hub:
            add_account(home, "hub", hub.address, hub.token)
            first = confere(home, "sync").json["sync"]
            move_clock(hub, "2026-11-01T00:00:00-03:00")
            second = confere(home, "sync").json["sync"]
        assert second["date_filter"] == "ignored"
        assert first["listed"] + second["new"] == 150
        assert second["failed"] == 0


@pytest.mark.exhaustive
def test_narrowing_is_proven_or_done_here(tmp_path: Path) -> None:
    with running(SandboxOptions(documents=200, seed=6)) as hub:
        add_account(tmp_path, "hub", hub.address, hub.token)
        sale = confere(tmp_path, "sync", "--type", "sale").json["sync"]
        cte = confere(tmp_path, "sync", "--type", "cte").json["sync"]
        october = confere(tmp_path, "sync", "--from", "2026-10-01", "--to", "2026-10-31").json["sync"]
        types = {row["type"] for row in confere(tmp_path, "list", "--all", "--to", "2026-09-30").json["documents"]}
        everything = confere(tmp_path, "sync").json["sync"]
    assert 0 < sale["listed"] < 200
    assert 0 < cte["listed"] < 200
    assert 0 < october["listed"] < 200
    assert types == {"nfe", "cte"}
    assert everything["listed"] == 200
    assert everything["new"] == 200 - confere_total(sale, cte, october)


def confere_total(*syncs: dict[str, int]) -> int:
    return sum(sync["new"] for sync in syncs)
