"""The shape of a JSON answer tells what programs rely on, and nothing of the day on which it was asked for."""

from __future__ import annotations

import json
from io import StringIO

import pytest

from confere.errors import Message, message
from confere.hub.retry.liveness import Silence
from confere.system.progress import JsonLines
from tests.cli.json_shape import as_text, shape_of, shape_of_lines

KEY = "35260411222333000181550010000000011000000010"
ANSWER = {
    "total": 2,
    "worth": "12.34",
    "documents": [
        {"key": KEY, "at": "2026-11-01T03:00:00Z", "party": {"tax_id": "11222333000181"}, "note": None},
        {"key": None, "at": "2026-11-01T03:00:00.5Z", "party": None, "note": "", "mark": True},
    ],
}
SHAPE = {
    "total": "int",
    "worth": "decimal",
    "documents": [
        {
            "key": "access key | null",
            "at": "timestamp Z",
            "party": {"(either)": [{"tax_id": "CNPJ"}, "null"]},
            "note": "empty string | null",
            "mark?": "bool",
        }
    ],
}


def test_a_shape_has_keys_kinds_and_one_shape_for_the_elements_of_a_list() -> None:
    assert as_text(shape_of(ANSWER)) == as_text(SHAPE)


@pytest.mark.parametrize(
    "other",
    [
        {"worth": "12.34", "total": 2, "documents": ANSWER["documents"]},
        {**ANSWER, "total": "2"},
        {**ANSWER, "total": 2.0},
        {**ANSWER, "total": True},
        {**ANSWER, "total": None},
        {**ANSWER, "worth": 12.34},
        {**ANSWER, "worth": "12,34"},
        {**ANSWER, "documents": []},
        {**ANSWER, "documents": None},
        {**ANSWER, "documents": [dict(reversed(entry.items())) for entry in ANSWER["documents"]]},  # type: ignore[attr-defined]
        {**ANSWER, "more": None},
        {"total": 2, "worth": "12.34"},
    ],
)
def test_another_order_of_keys_and_another_kind_are_another_shape(other: dict[str, object]) -> None:
    assert as_text(shape_of(other)) != as_text(SHAPE)


def test_one_element_of_many_in_another_order_shows() -> None:
    one, other = {"a": 1, "b": 1, "c": 1}, {"b": 1, "a": 1}
    assert as_text(shape_of([one, {"a": 1, "c": 1}])) == as_text([{"a": "int", "b?": "int", "c": "int"}])
    assert as_text(shape_of([one, other])) != as_text(shape_of([one, {"a": 1, "b": 1}]))
    assert list(shape_of([{"b": 1}, {"a": 1, "b": 1, "c": 1}])[0]) == ["a?", "b", "c?"]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("2026-11-01", "date"),
        ("2026-11", "month"),
        ("2026-11-01T00:00:00-03:00", "timestamp offset"),
        ("2026-11-01T00:00:00", "timestamp without zone"),
        ("-0.5000", "decimal"),
        ("12.5", "string"),
        ("52998224725", "CPF"),
        ("52998224726", "string"),
        ("11222333000181", "CNPJ"),
        ("12ABC34501DE35", "CNPJ"),
        ("11222333000182", "string"),
        ("0" * 63 + "f", "sha256"),
        (1, "int"),
        (1.0, "float"),
    ],
)
def test_kinds(value: object, kind: str) -> None:
    assert shape_of(value) == kind


def test_keys_that_are_values_become_their_kind() -> None:
    assert shape_of({"2026-10": 1, "2026-11": 2.5, KEY: "", "R1": 0}) == {
        "<month>": "float | int",
        "<access key>": "empty string",
        "R1": "int",
    }


def test_lines_of_progress_do_not_hang_on_the_machine() -> None:
    def lines(**how: object) -> str:
        told = {"type": "progress", "done": 1, "total": 2, "remaining": None, **how}
        return "\n".join(json.dumps(line) for line in (told, told, {"type": "result", "result": {"a": 1}}))

    usual = as_text(shape_of_lines(lines()))
    assert usual == as_text(shape_of_lines(lines(total=None, remaining=0.5)))
    assert usual != as_text(shape_of_lines(lines(total="2")))
    assert usual != as_text(shape_of_lines(lines(remaining=1)))
    assert usual != as_text(shape_of_lines(lines(done=None)))
    assert list(shape_of_lines(lines())) == ["progress", "result"]


def test_notes_of_a_hubs_silence_come_or_not() -> None:
    said: list[Message] = []
    now = [0.0]
    silence = Silence(said.append, clock=lambda: now[0])
    silence.asked(1)
    now[0] = 60.0
    silence.look()
    silence.heard(1)
    silence.close()
    assert len(said) == 2
    assert shape_of_lines(lines_of(*said)) == shape_of_lines(lines_of()) != {}
    assert shape_of_lines(lines_of(message("The hub is away."))) != shape_of_lines(lines_of())


def lines_of(*notes: Message) -> str:
    """What a command prints that ends with a result after these notes."""
    text = StringIO()
    lines = JsonLines(text)
    for note in notes:
        lines.note(note)
    lines.write({"type": "result", "result": {"a": 1}})
    return text.getvalue()
