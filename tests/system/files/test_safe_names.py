"""Any text becomes a name that Windows, Linux and macOS take, and each name is taken once."""

from __future__ import annotations

import ntpath
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.errors import EnvironmentFault
from confere.system.files.safe_names import LONGEST, Taken, inside, marked, segment

HOSTILE = st.one_of(
    st.text(),
    st.text(alphabet='/\\.:*?"<>| \t\n\x00\x7f\u202e\ud800é💥CONULx', max_size=200),
    st.sampled_from(["..", ".", "", "../../etc/passwd", "C:\\Windows", "nul.xml", "COM1"]),
    st.sampled_from(["a" * 400, "." * 300, "CON" + " " * 300, "é" * 200 + ".xml"]),
)


def holds(name: str) -> None:
    """What every system asks of a file's name; Windows is asked through Python's own model of its rules."""
    assert name not in ("", ".", "..")
    assert len(name.encode()) <= LONGEST
    assert not set(name) & set('<>:"/\\|?*')
    assert not any(ord(character) < 32 or 0xD800 <= ord(character) < 0xE000 for character in name)
    assert name[0] not in ". " and name[-1] not in ". "
    assert PurePosixPath(name).parts == (name,)
    windows = PureWindowsPath(name)
    assert windows.parts == (name,) and not windows.drive
    assert not (ntpath.isreserved(name) if hasattr(ntpath, "isreserved") else windows.is_reserved())


@given(HOSTILE)
def test_a_segment_is_a_name_everywhere(text: str) -> None:
    name = segment(text)
    holds(name)
    assert segment(name) == name


@given(HOSTILE, st.sampled_from(["1a2b3c4d", "f" * 64]))
def test_a_marked_name_is_a_name_too(text: str, mark: str) -> None:
    name = marked(segment(text), mark)
    assert segment(name) == name
    assert f"-{mark}" in name


@given(st.from_regex(r"[0-9]{6}[A-Z0-9]{12}[0-9]{26}", fullmatch=True))
def test_a_key_stays_as_it_is(key: str) -> None:
    assert segment(f"{key}-procNFe.xml") == f"{key}-procNFe.xml"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("../../x", "_._.._x"),
        ("..", "__"),
        ("a/b\\c", "a_b_c"),
        ("con", "_con"),
        ("Aux.xml", "_Aux.xml"),
        ("COM¹.txt", "_COM¹.txt"),
        ("nul .x", "_nul .x"),
        ("console.xml", "console.xml"),
        ("ends. ", "ends._"),
        ("São João", "São João"),
        ("Sa\u0303o", "São"),
        ("a\u202eb", "a_b"),
        ("x" * 200 + ".xml", "x" * (LONGEST - 4) + ".xml"),
        ("é" * 100 + ".xml", "é" * 73 + ".xml"),
    ],
)
def test_names_by_example(text: str, name: str) -> None:
    assert segment(text) == name


def test_a_mark_goes_before_the_ending() -> None:
    assert marked("lote.xml", "ab") == "lote-ab.xml"
    assert marked("lote", "ab") == "lote-ab"
    assert marked("x" * 146 + ".xml", "ab") == "x" * 143 + "-ab.xml"


def test_a_path_is_taken_once_whatever_its_case() -> None:
    taken = Taken()
    assert taken.take("a/Nota.xml")
    assert not taken.take("A/NOTA.XML")
    assert taken.take("a/Nota2.xml")


@given(st.lists(st.text(max_size=4), max_size=60))
def test_taking_agrees_with_a_set(paths: list[str]) -> None:
    taken, seen = Taken(), set()
    for path in paths:
        assert taken.take(path) == (path.casefold() not in seen)
        seen.add(path.casefold())


def test_many_paths_are_all_told_apart() -> None:
    taken = Taken()
    assert all(taken.take(f"p/{number}") for number in range(20_000))
    assert not any(taken.take(f"P/{number}") for number in range(0, 20_000, 97))


@given(st.lists(HOSTILE, min_size=1, max_size=4))
def test_a_place_lies_inside_its_folder_by_the_rules_of_every_system(names: list[str]) -> None:
    place = inside(Path("/chosen/folder"), *names)
    assert place.parts[:3] == ("/", "chosen", "folder")
    assert len(place.parts) == 3 + len(names)
    windows = ntpath.normpath(ntpath.join("C:\\chosen\\folder", *place.parts[3:]))
    assert ntpath.commonpath(["C:\\chosen\\folder", windows]) == "C:\\chosen\\folder"
    assert len(PureWindowsPath(windows).parts) == 3 + len(names)


def test_a_link_that_leads_out_is_not_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "folder", tmp_path / "outside"
    for made in (folder / "below", outside):
        made.mkdir(parents=True)
    (folder / "out").symlink_to(outside)
    (folder / "within").symlink_to(folder / "below")
    (tmp_path / "chosen").symlink_to(folder)
    assert inside(folder, "within", "a.xml") == folder / "within" / "a.xml"
    assert inside(tmp_path / "chosen", "a.xml") == tmp_path / "chosen" / "a.xml"
    with pytest.raises(EnvironmentFault, match="leads out of the folder"):
        inside(folder, "out", "a.xml")
