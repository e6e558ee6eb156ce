"""What another program holds for an instant is written all the same; what it holds for long is said in these words."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.errors import EnvironmentFault
from confere.export.spreadsheet import xlsx_writer
from confere.system.files import held_files
from confere.system.files.atomic_file import storage_fault, write_text
from confere.system.settings import BACKUPS_DAILY, Settings
from sandbox_hub.state import State
from tests.held import ACCESS_DENIED, SHARING_VIOLATION, Held, refusal

ALWAYS = 1000


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Held:
    return Held(monkeypatch)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("code", [ACCESS_DENIED, SHARING_VIOLATION])
def test_a_file_that_is_held_for_an_instant_is_replaced(tmp_path: Path, held: Held, code: int) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    held.hold("a.txt", 3, code)
    write_text(file, "new")
    assert file.read_text() == "new"
    assert names(tmp_path) == ["a.txt"]
    assert held.slept == list(held_files.PAUSES[:3])


def test_a_file_that_stays_held_is_said_to_be_open_in_another_program(tmp_path: Path, held: Held) -> None:
    file = tmp_path / "a.txt"
    file.write_text("old")
    held.hold("a.txt", ALWAYS)
    with pytest.raises(EnvironmentFault, match=r"a\.txt is open in another program"):
        write_text(file, "new")
    assert file.read_text() == "old"
    assert names(tmp_path) == ["a.txt"]
    assert held.slept == list(held_files.PAUSES)


def test_what_is_only_denied_is_no_matter_of_another_program(tmp_path: Path) -> None:
    assert "does not let" in str(storage_fault(refusal(ACCESS_DENIED, "a"), tmp_path / "a"))
    assert "another program" in str(storage_fault(refusal(33, "a"), tmp_path / "a"))


def test_a_refusal_of_another_kind_is_not_waited_for(tmp_path: Path, held: Held) -> None:
    with pytest.raises(FileNotFoundError):
        held_files.replace(tmp_path / "none", tmp_path / "a")
    held.hold("a", ALWAYS, 1314)  # a privilege that is not held
    for name in ("a", "new"):
        (tmp_path / name).write_text(name)
    with pytest.raises(PermissionError):
        held_files.replace(tmp_path / "new", tmp_path / "a")
    assert held.slept == []


def test_settings_are_kept_although_a_scanner_looks_at_them(tmp_path: Path, held: Held) -> None:
    file = tmp_path / "settings.json"
    settings = Settings(file)
    settings.set(BACKUPS_DAILY, 5)
    held.hold("settings.json", 2)
    settings.save()
    assert Settings(file).get(BACKUPS_DAILY) == 5


def test_the_sandboxs_state_is_kept_although_a_scanner_looks_at_it(tmp_path: Path, held: Held) -> None:
    file = tmp_path / "state.json"
    state = State(file)
    state.section("world")["marks"] = 1
    state.save()
    file.write_text("")  # by others: it is written whole again
    held.hold("state.json", 2)
    state.section("world")["marks"] = 2
    state.save()
    assert State(file).section("world") == {"marks": 2}
    assert len(held.slept) == 2
    file.write_text("")
    held.hold("state.json*", ALWAYS)
    with pytest.raises(PermissionError):
        state.save()
    held.times = 0
    state.section("world")["marks"] = 3
    state.save()
    assert State(file).section("world") == {"marks": 3}


def test_work_is_not_begun_for_a_file_that_stays_open(
    tmp_path: Path, held: Held, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([True, True, False])
    monkeypatch.setattr(held_files, "_is_open_elsewhere", lambda _path: next(answers))
    held_files.refuse_held(tmp_path / "a.xlsx")
    assert held.slept == list(held_files.PAUSES[:2])
    monkeypatch.setattr(held_files, "_is_open_elsewhere", lambda _path: True)
    with pytest.raises(EnvironmentFault, match=r"a\.xlsx is open in another program"):
        xlsx_writer.write(tmp_path / "a.xlsx", (), title="A")
    assert names(tmp_path) == []
