"""The notes of what is in hand: an end of the program is counted against what it was reading, and nothing else is."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from confere.archive.vault import unfinished_reads
from confere.archive.vault.unfinished_reads import ENDING, InHand

READER = 7
NEVER_LEFT: list[object] = []


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "archive.sqlite3"


def notes(archive: Path) -> Path:
    return archive.with_name(archive.name + ENDING)


def enter_for_good(hand: InHand, name: str) -> None:
    block = hand.doing(name)
    NEVER_LEFT.append(block)  # collected as garbage it would be left
    block.__enter__()


def killed_while(archive: Path, *names: str) -> None:
    """As the process leaves the file when it is killed inside these blocks."""
    hand = InHand(archive, READER)
    for name in names:
        enter_for_good(hand, name)


def test_a_good_end_leaves_nothing(archive: Path) -> None:
    hand = InHand(archive, READER)
    with hand.doing("a"), hand.doing("b"):
        assert notes(archive).exists()
    with pytest.raises(ValueError, match="an answer"), hand.doing("c"):
        raise ValueError("an answer")
    hand.close()
    assert not notes(archive).exists()


def test_ends_are_counted_and_set_aside_at_the_second(archive: Path) -> None:
    killed_while(archive, "download 1/a", "content ff")
    hand = InHand(archive, READER)
    assert hand.ended("download 1/") == {"download 1/a": 1}
    assert not hand.is_set_aside("download 1/a")
    hand.close()
    killed_while(archive, "download 1/a")
    hand = InHand(archive, READER)
    assert hand.is_set_aside("download 1/a")
    assert hand.ends("content ff") == 1
    with hand.doing("content ff"):
        pass
    assert hand.ends("content ff") == 0  # it was read after all
    hand.forget("download 1/")
    hand.close()
    assert InHand(archive, READER).ends("download 1/a") == 1


def test_set_aside_at_once_it_stays_so_until_a_newer_reader_comes(archive: Path) -> None:
    hand = InHand(archive, READER)
    with hand.doing("a"):
        hand.set_aside("a")
    assert hand.is_set_aside("a")
    hand.close()
    assert InHand(archive, READER).is_set_aside("a")
    assert InHand(archive, READER + 1).ends("a") == 1


def test_a_note_cut_short_names_nothing(archive: Path) -> None:
    killed_while(archive, "a")
    with notes(archive).open("ab") as file:
        file.write(b"+half a na")
    hand = InHand(archive, READER)
    assert hand.ended("") == {"a": 1}


def test_names_are_of_one_line(archive: Path) -> None:
    killed_while(archive, "a\n=9 b\n+c")
    assert InHand(archive, READER).ended("") == {"a =9 b +c": 1}


def test_long_notes_are_written_anew(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unfinished_reads, "_LONGEST", 2000)
    killed_while(archive, "old")
    hand = InHand(archive, READER)
    enter_for_good(hand, "kept")
    for number in range(500):
        with hand.doing(f"item {number}"):
            assert notes(archive).stat().st_size < 3000
    assert InHand(archive, READER).ended("") == {"old": 1, "kept": 1}


def test_without_a_place_nothing_is_noted(archive: Path) -> None:
    nowhere = InHand()
    with nowhere.doing("a"):
        assert nowhere.ends("a") == 0
    nowhere.close()
    notes(archive).mkdir()  # nothing can be written there
    hand = InHand(archive, READER)
    with hand.doing("a"):
        pass
    hand.close()
    assert list(notes(archive).iterdir()) == []


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["read", "kill", "restart"])), max_size=30))
def test_the_notes_agree_with_a_count_by_hand(tmp_path: Path, steps: list[tuple[str, str]]) -> None:
    archive = tmp_path / "archive.sqlite3"
    notes(archive).unlink(missing_ok=True)
    counted: dict[str, int] = {}
    for name, step in steps:
        hand = InHand(archive, READER)
        if step == "read" and not hand.is_set_aside(name):
            with hand.doing(name):
                pass
            counted.pop(name, None)
        if step == "kill" and not hand.is_set_aside(name):
            enter_for_good(hand, name)
            counted[name] = counted.get(name, 0) + 1
            continue
        hand.close()
    assert InHand(archive, READER).ended("") == counted
