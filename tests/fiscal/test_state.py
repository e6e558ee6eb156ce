"""The effective state of a document."""

from __future__ import annotations

import pytest

from confere.fiscal.model import State
from confere.fiscal.state import effective_state, is_registered


@pytest.mark.parametrize(
    ("cstat", "events", "expected"),
    [
        ("100", [], State.AUTHORIZED),
        ("150", [], State.AUTHORIZED),
        *((code, [], State.DENIED) for code in ("110", "205", "301", "302", "303")),
        ("204", [], State.REJECTED),
        ("OK", [], State.REJECTED),
        (None, [], State.NO_PROTOCOL),
        ("101", [], State.CANCELLED),
        ("151", [], State.CANCELLED),
        ("100", [("110111", True)], State.CANCELLED),
        ("100", [("110112", True)], State.CANCELLED),
        ("100", [("110111", False)], State.AUTHORIZED),
        ("100", [("110110", True), ("210210", True), (None, True)], State.AUTHORIZED),
        ("100", [("110110", True), ("110111", False), ("110111", True)], State.CANCELLED),
        ("100", [("110001", True)], State.AUTHORIZED),  # cancels one of the reform's own events
        (None, [("110111", True)], State.CANCELLED),
        (None, [("110111", False)], State.NO_PROTOCOL),
        ("204", [("110111", True)], State.CANCELLED),
        ("302", [("110111", True)], State.DENIED),
    ],
)
def test_effective_state(cstat: str | None, events: list[tuple[str | None, bool]], expected: State) -> None:
    assert effective_state(cstat, events) is expected


def test_closing_a_manifest_cancels_nothing() -> None:
    assert effective_state("100", [("110112", True)], model="58") is State.AUTHORIZED
    assert effective_state("100", [("110111", True)], model="58") is State.CANCELLED


@pytest.mark.parametrize(
    ("model", "registering"),
    [
        ("55", {"135", "136", "155", "101", "151"}),
        ("65", {"135", "136", "155", "101", "151"}),
        ("57", {"134", "135", "136", "101", "151"}),
        ("67", {"134", "135", "136", "101", "151"}),
        (None, {"134", "135", "136", "101", "151"}),
    ],
)
def test_registering_answers(model: str | None, registering: set[str]) -> None:
    assert {str(code) for code in range(1000) if is_registered(str(code), model)} == registering
    assert not is_registered(None, model)
