"""The story over HTTP, from a brand to the end of a publication, as the command tells it; and where a step fails."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from confere.app.sandbox.sandbox import SandboxChoice
from confere.app.sandbox.story import order_steps, story
from confere.app.sandbox.story.story import StoryOutcome, StoryStep
from confere.errors import Cancelled
from confere.system.processes.cancellation import Stop
from tests.end_to_end.confere import confere, spoken

WORLD = SandboxChoice(documents=20, anomalies="none", forget=False, middleware=True)


def test_every_step_of_the_story_holds(tmp_path: Path) -> None:
    told = confere(tmp_path / "home", "demo", "--story")
    assert told.code == 0, told
    assert told.json["story"]["complete"] is True
    steps: dict[str, Any] = {step["step"]: step for step in told.json["story"]["steps"]}
    assert list(steps) == [step.name for step in story.STEPS]
    assert {step["outcome"] for step in steps.values()} == {"held"}
    requests = {name: [call["request"] for call in step["calls"]] for name, step in steps.items()}
    assert "POST /v2/products" in requests["product"]
    assert [text for text in requests["stock"] if "AZUL" in text] == ["GET /v2/stocks?partnerId=REDE-AZUL-2"]
    seen = {name: {check["what"]: check["seen"] for check in step["checks"]} for name, step in steps.items()}
    assert seen["stand-by"] == {"publicationStatus": "STAND_BY", "hooks": '["/canSave"]'}
    assert seen["publish"]["publicationStatus, marketplaceStatus"] == '["ACTIVE", "Active"]'
    assert seen["callback"] == {"new, downloaded": "[1, 1]"}
    assert len(seen["archive"]["SHA-256"]) == 64
    assert seen["write-back"]["status, invoice"].startswith('["INVOICED", {"series"')
    assert seen["concluded"] == {"status": "CONCLUDED"}
    assert seen["deleted"]["hooks"] == "/deletePublication"
    assert seen["early-failed"]["status, transmissionStatus"] == '["INVOICED", "ERROR"]'
    assert seen["early-failed"]["transmissionMessage"]
    assert seen["early-retried"]["status, transmissionStatus"] == '["PAID_WAITING_DELIVERY", "OK"]'
    sent = next(call for call in steps["write-back"]["calls"] if call["request"].startswith("PUT "))
    assert json.loads(sent["body"])["status"] == "INVOICED"
    assert sent["answer"] == "written"
    assert not (tmp_path / "home" / "archive.sqlite3").exists()  # nothing of it is kept


def test_a_hub_without_a_middleware_breaks_it_where_it_is_needed() -> None:
    told: list[StoryStep] = []
    result = story.run(replace(WORLD, middleware=False), told=told.append, stop=Stop())
    assert tuple(told) == result.steps
    assert not result.complete
    outcomes = {step.name: step.outcome for step in result.steps}
    assert outcomes["stock"] is StoryOutcome.HELD
    assert outcomes["stand-by"] is StoryOutcome.FAILED
    assert outcomes["publish"] is outcomes["early-retried"] is StoryOutcome.NOT_REACHED
    [broken] = [step for step in told if step.outcome is StoryOutcome.FAILED]
    assert "PRE_VALIDATION instead of ACCEPTED" in str(broken.why)


def test_a_failed_step_is_shown_with_its_reason_and_the_command_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_steps, "_MOST_TRIES", 0)
    code, shown, _ = spoken(tmp_path / "home", "demo", "--story")
    text = shown.decode()
    assert code == 1
    assert "16/18  ok  The publication is deleted and taken off sale" in text
    assert "17/18  failed  An early shipment of another order is refused" in text
    assert "No early shipment was refused." in text
    assert "18/18  not reached" in text


def test_it_can_be_stopped() -> None:
    stop = Stop()

    def told(step: StoryStep) -> None:
        if step.name == "brand":
            stop.set()

    with pytest.raises(Cancelled):
        story.run(WORLD, told=told, stop=stop)
