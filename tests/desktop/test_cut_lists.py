"""Complete means complete: lists cut short and files swapped, in sync, doctor, the manifest and the window."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.overview.overview import Overview, StepKind, overview
from confere.app.overview.sync_standing import sync_standing
from confere.desktop.overview.freshness_card import FreshnessCard
from confere.desktop.theme.theme import Look
from tests.archive.papers import cancellation, key, note
from tests.end_to_end.confere import Done, confere, spoken
from tests.intake.cut_hub import CAP, EMPTY_PAGE, MISCOUNTED, ONLY_SO_MANY, SAID_MORE, SHORT, CutHub
from tests.intake.served import serving

COMPANY, MONTH = "11222333000181", "2026-10"
HAS = 220
SHOWN = {EMPTY_PAGE: HAS - 100, SAID_MORE: HAS, ONLY_SO_MANY: CAP}


@pytest.fixture
def hub() -> Iterator[CutHub]:
    with serving(CutHub(now=datetime.now(UTC))) as running:
        yield running


@pytest.fixture
def home(hub: CutHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CONFERE_TOKEN", "token-of-a-test")
    monkeypatch.setenv("CONFERE_LANGUAGE", "en")
    home = tmp_path / "home"
    add = ("account", "add", "loja", "--address", hub.address, "--platform", "p", "--environment", "sandbox")
    assert confere(home, *add).code == 0
    return home


def sync(home: Path, *arguments: str) -> Done:
    return confere(home, "sync", "--no-orders", *arguments)


def missing(home: Path, name: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit code of an export, and what its manifest says is missing, by kind."""
    target = home / f"{name}.zip"
    done = confere(home, "export", "--company", COMPANY, "--month", MONTH, "--to", str(target))
    told = json.loads(target.with_name(f"{name}.manifest.json").read_text())
    return done.code, {entry["kind"]: entry for entry in told["missing"]}


def seen(home: Path) -> Overview:
    opened = OpenArchive(Workspace.at(home))
    try:
        return overview(opened, None, None)
    finally:
        opened.close()


def standing_short(home: Path) -> bool:
    """Whether the status bar, which stands under every page, says that a list is not whole."""
    opened = OpenArchive(Workspace.at(home))
    try:
        return sync_standing(opened).is_short
    finally:
        opened.close()


def texts(qtbot: QtBot, qapp: QApplication, found: Overview) -> str:
    card = FreshnessCard(Look(qapp))
    qtbot.addWidget(card)
    card.put(found)
    return " ".join(label.text() for label in card.findChildren(QLabel))


@pytest.mark.parametrize("cut", SHORT)
def test_a_list_that_is_short_is_told_everywhere_until_it_is_whole(
    qtbot: QtBot, qapp: QApplication, hub: CutHub, home: Path, cut: str
) -> None:
    hub.cut = cut
    for number in range(1, HAS + 1):
        hub.add(number, number // 5)
    for _ in range(2):
        done = sync(home)
        assert (done.code, done.json["sync"]["conservation"]["archived"]) == (1, SHOWN[cut])
        (told,) = done.json["sync"]["shortfalls"]
        assert (told["list"], told["shown"]) == ("documents", SHOWN[cut])
        assert "fiscal documents" in done.json["failures"][-1]["reason"]
    code, _, complaints = spoken(home, "sync", "--no-orders", "--retry")
    assert code == 1
    assert "missing" in complaints

    doctor = confere(home, "doctor")
    assert doctor.code == 1
    assert doctor.json["facts"]["accounts"]["loja"]["short"][0]["missing"] == told["missing"]
    said = [entry["what"] for entry in doctor.json["findings"] if entry["topic"] == "account"]
    assert [what for what in said if "list of fiscal documents" in what]
    assert not [what for what in said if "is complete" in what]

    code, lacks = missing(home, "short")
    assert code == 1
    assert lacks["list_short"]["count"] == told["missing"]

    found = seen(home)
    assert StepKind.SHORT in {step.kind for step in found.steps}
    assert StepKind.EXPORT not in {step.kind for step in found.steps}
    assert "list of fiscal documents" in texts(qtbot, qapp, found)
    assert confere(home, "account", "list").json["accounts"][0]["short"]
    assert standing_short(home)

    hub.cut = ""
    done = sync(home)
    assert (done.code, done.json["sync"]["conservation"]["archived"]) == (0, HAS)
    assert done.json["sync"]["shortfalls"] == []
    assert confere(home, "doctor").code == 0
    assert "list_short" not in missing(home, "whole")[1]
    assert not standing_short(home)
    found = seen(home)
    assert StepKind.SHORT not in {step.kind for step in found.steps}
    assert "list of fiscal documents" not in texts(qtbot, qapp, found)


@pytest.mark.parametrize("cut", MISCOUNTED)
def test_a_total_that_is_too_small_hides_nothing(hub: CutHub, home: Path, cut: str) -> None:
    hub.cut = cut
    for number in range(1, HAS + 1):
        hub.add(number, number // 5)
    for _ in range(2):
        done = sync(home)
        assert (done.code, done.json["sync"]["conservation"]["archived"]) == (0, HAS)
    assert confere(home, "doctor").code == 0


def test_a_listing_that_was_whole_once_becomes_short(hub: CutHub, home: Path) -> None:
    for number in range(1, HAS + 1):
        hub.add(number, number // 5)
    assert sync(home).code == 0
    hub.cut = EMPTY_PAGE
    assert sync(home, "--full").code == 1
    done = sync(home)  # the newest days are whole, and what was short still stands
    assert (done.code, done.json["sync"]["never_shown"]) == (1, 0)
    assert done.json["sync"]["listed"] < HAS
    assert confere(home, "doctor").code == 1
    hub.cut = ""
    assert sync(home, "--full").code == 0
    assert confere(home, "doctor").code == 0


def another(hub: CutHub) -> None:
    hub.files["n1"] = note(9)


def a_listed_one(hub: CutHub) -> None:
    hub.files["n1"] = note(2)


def its_event(hub: CutHub) -> None:
    hub.files["n1"] = cancellation(1)


def one_for_two_without_keys(hub: CutHub) -> None:
    for record in hub.documents:
        del record["documentKey"]
    hub.files["n1"] = note(2)


def one_item_of_two_without_keys(hub: CutHub) -> None:
    for record in hub.documents:
        del record["documentKey"]
    hub.documents[0]["documents"] = hub.documents[1]["documents"]


@pytest.mark.parametrize(
    ("swap", "refused"),
    [(another, 1), (a_listed_one, 1), (its_event, 1), (one_for_two_without_keys, 2), (one_item_of_two_without_keys, 1)],
)
def test_a_swapped_file_is_not_the_listed_document(
    qtbot: QtBot, qapp: QApplication, hub: CutHub, home: Path, swap: Callable[[CutHub], None], refused: int
) -> None:
    for number in range(1, 6):
        hub.add(number, number)
    hub.documents, whole = [dict(record) for record in hub.documents], hub.documents
    swap(hub)
    done = sync(home)
    assert done.code == 1
    sums = done.json["sync"]["conservation"]
    assert (sums["listed"], sums["archived"], sums["refused"]) == (5, 5 - refused, refused)
    named = {entry["item_id"] for entry in done.json["failures"]}
    assert len(named) == refused
    assert named <= {key(1), "n1", "fd-1", "fd-2"}
    doctor = confere(home, "doctor")
    assert doctor.code == 1
    said = [entry["what"] for entry in doctor.json["findings"] if entry["topic"] == "account"]
    assert not [what for what in said if "is complete" in what]
    if swap is not one_for_two_without_keys and swap is not one_item_of_two_without_keys:
        code, lacks = missing(home, "swapped")
        assert code == 1
        assert {"not_downloaded", "not_offered"} & set(lacks)
        shown = seen(home)
        assert shown.lacks.count == 1
        assert "Everything that the hub listed" not in texts(qtbot, qapp, shown)
    hub.documents = whole
    hub.files["n1"] = note(1)
    assert sync(home, "--full").code == 0
    assert confere(home, "doctor").code == 0
