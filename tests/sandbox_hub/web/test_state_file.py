"""The state file: what was saved is there after a kill, and a save costs the same whatever was written before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sandbox_hub.errors import SandboxError
from sandbox_hub.kept import kept, repeat
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import start
from sandbox_hub.state import State
from tests.sandbox_hub.web.client import Client, sandbox


def saved(path: Path) -> dict[str, Any]:
    """What a process that starts now has of the section."""
    return dict(State(path).section("world"))


def test_each_save_is_there_for_the_next_process_without_an_orderly_end(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    assert saved(path) == {}
    state = State(path)
    section = state.section("world")
    section["marks"] = {"5": 1}
    state.save()
    section["marks"]["6"] = 2
    section.setdefault("orders", {}).setdefault("7", []).append({"status": "INVOICED"})
    section["orders"]["7"] += [{"status": "CONCLUDED"}]
    section["orders"]["7"][0]["at"] = 9
    state.save()
    section["marks"].pop("5")
    section["marks"]["5"] = 3  # now the last
    section["callbacks"] = {"url": "http://127.0.0.1/"}
    section["callbacks"].clear()
    section["callbacks"].update(url=None, topics=["A"])
    state.save()
    section["marks"]["never"] = "saved"
    wanted = {
        "marks": {"6": 2, "5": 3},
        "orders": {"7": [{"status": "INVOICED", "at": 9}, {"status": "CONCLUDED"}]},
        "callbacks": {"url": None, "topics": ["A"]},
    }
    assert saved(path) == wanted
    assert list(saved(path)["marks"]) == ["6", "5"]
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_torn_off_by_a_kill_was_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    state = State(path)
    section = state.section("world")
    sizes = []
    for number in range(3):
        section[str(number)] = f"número {number}"
        state.save()
        sizes.append(path.stat().st_size)
    whole = path.read_bytes()
    for length in range(sizes[0], len(whole) + 1):
        path.write_bytes(whole[:length])
        complete = sum(length >= size for size in sizes)
        assert list(saved(path)) == ["0", "1", "2"][:complete]
        after = State(path)
        after.section("world")["more"] = length
        after.save()
        assert saved(path)["more"] == length
        assert len(saved(path)) == complete + 1


def test_the_file_grows_with_what_is_written_and_not_with_its_square(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    state = State(path)
    section = state.section("world")
    written, before = 0, 0
    for number in range(2_000):
        section[str(number)] = "x" * 500
        state.save()
        size = path.stat().st_size
        written += size - before if size > before else size
        before = size
    assert len(saved(path)) == 2_000
    assert written < 6 * 2_000 * 500


def test_a_file_of_a_former_release_or_written_by_hand_is_read_and_added_to(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    content = {"version": 1, "worlds": {"world": {"marks": {"5": 1}, "name": "São"}}}
    for text in (json.dumps(content), json.dumps(content, indent=2) + "\n"):
        path.write_text(text, "utf-8")
        state = State(path)
        state.section("world")["marks"]["6"] = 2
        state.save()
        assert saved(path) == {"marks": {"5": 1, "6": 2}, "name": "São"}


def test_an_orderly_end_leaves_plain_json_and_touches_no_file_of_others(tmp_path: Path) -> None:
    path = tmp_path / "state.json"
    state = State(path)
    for number in range(3):
        state.section("world")[str(number)] = number
        state.save()
    other = State(path)
    state.close()
    assert json.loads(path.read_text("utf-8"))["worlds"] == {"world": {"0": 0, "1": 1, "2": 2}}
    other.section("world")["3"] = 3
    other.save()
    state.section("world")["4"] = 4
    before = path.read_bytes()
    state.close()
    assert path.read_bytes() == before
    path.unlink()
    other.section("world")["5"] = 5
    other.save()
    assert list(saved(path)) == ["0", "1", "2", "3", "5"]


@pytest.mark.parametrize("line", ["{", "5", '[["set"]]', '[["set",["no","where"],1]]', '[["turn",["world"],1]]', "[5]"])
def test_a_line_that_no_sandbox_wrote_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "state.json"
    path.write_text('{"version": 1, "worlds": {"world": {}}}\n' + line + "\n")
    with pytest.raises(SandboxError, match=r"state\.json"):
        State(path)


def test_every_change_is_noted_or_refused() -> None:
    notes: list[str] = []
    value = kept({"a": [1, {"b": 2}], "c": {}}, notes.append)
    value["a"][1]["b"] = {"d": []}
    value["a"][1]["b"]["d"].append([])
    value["a"][-1]["b"]["d"][0].append(7)
    value["a"][-2] = 0
    value["a"] += [{"e": 1}, {"f": 1}]
    value["a"][2]["e"] = value["a"][3]["f"] = 2
    del value["c"]
    assert value.pop("c", None) is None
    copy: dict[str, Any] = {"a": [1, {"b": 2}], "c": {}}
    repeat((json.loads(note) for note in notes), copy)
    assert copy == value == {"a": [0, {"b": {"d": [[7]]}}, {"e": 2}, {"f": 2}]}
    length = len(notes)
    for change in (
        lambda: value["a"].pop(),
        lambda: value["a"].insert(0, 1),
        lambda: value["a"].sort(key=str),
        lambda: value["a"].__delitem__(0),
        lambda: value["a"].__setitem__(slice(0, 1), []),
        lambda: value.popitem(),
        lambda: value.__ior__({}),
    ):
        with pytest.raises(TypeError):
            change()
    assert len(notes) == length


def test_a_hub_that_is_not_stopped_has_kept_all_that_it_answered(tmp_path: Path) -> None:
    options = SandboxOptions(documents=60, seed=3, state_file=tmp_path / "state.json")
    killed = start(options)
    try:
        client = Client(killed)
        brands = [client.post("/brands", {"name": f"Marca {n}", "partnerId": f"M-{n}"}).json() for n in range(3)]
        (tmp_path / "copy.json").write_bytes((tmp_path / "state.json").read_bytes())
        client.http.close()
    finally:
        killed.stop()
    with sandbox(documents=60, seed=3, state_file=tmp_path / "copy.json") as after:
        assert after.all("/brands")[-3:] == brands
