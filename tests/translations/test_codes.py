"""The codes of stored sentences: given once, kept for good, and a sentence without one is seen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.translations import codes


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "source"
    for room in ("archive", "reconcile", "export", "cli"):
        (folder / room).mkdir(parents=True)
    (folder / "archive" / "one.py").write_text('message("The file {name} is gone.", name=1); N_("A label")')
    (folder / "reconcile" / "two.py").write_text('GOODS = N_("goods"); message("{name}: {what}", name=1, what=2)')
    (folder / "archive" / "four.py").write_text('nmessage("{count} old page", "{count} old pages", 2)')
    (folder / "cli" / "three.py").write_text('t("Only shown")')
    return folder


@pytest.fixture
def locales(tmp_path: Path, source: Path) -> Path:
    codes.update(source, tmp_path)
    return tmp_path


def written(locales: Path, sentences: dict[str, str], former: dict[str, str] | None = None) -> None:
    text = json.dumps({"sentences": sentences, "former": former or {}})
    (locales / "codes.json").write_text(text, encoding="utf-8")


def test_what_may_be_stored_gets_a_code(source: Path, locales: Path) -> None:
    sentences, _ = codes.read(locales)
    assert sentences == {
        "the-file-is-gone": "The file {name} is gone.",
        "goods": "goods",
        "old-pages": "{count} old page\0{count} old pages",
        "name-what": "{name}: {what}",
    }
    assert list(codes.check(source, locales)) == []


def test_codes_stay_when_sentences_go_and_no_two_are_alike(source: Path, locales: Path) -> None:
    (source / "archive" / "one.py").write_text('message("The file {path} is gone!", path=1)')
    assert ["no code" in problem for problem in codes.check(source, locales)] == [True]
    codes.update(source, locales)
    sentences, _ = codes.read(locales)
    assert sentences["the-file-is-gone"] == "The file {name} is gone."
    assert sentences["the-file-is-gone-2"] == "The file {path} is gone!"


def test_a_reworded_sentence_keeps_its_code(source: Path, locales: Path) -> None:
    (source / "archive" / "one.py").write_text('message("No file {name}.", name=1)')
    sentences, _ = codes.read(locales)
    former = {"The file {name} is gone.": "the-file-is-gone"}
    written(locales, sentences | {"the-file-is-gone": "No file {name}."}, former)
    assert list(codes.check(source, locales)) == []


@pytest.mark.parametrize(
    ("sentences", "former", "complaint"),
    [
        ({"Not A Code": "x"}, {}, "not a code"),
        ({"a": "x", "b": "x"}, {}, "two codes"),
        ({"a": "x"}, {"y": "b"}, "not there"),
        ({"a": "x {name}"}, {"y {other}": "a"}, "other placeholders"),
        ({"a": "x"}, {"x": "a"}, "is a sentence"),
    ],
)
def test_what_is_wrong_is_named(
    tmp_path: Path, sentences: dict[str, str], former: dict[str, str], complaint: str
) -> None:
    written(tmp_path, sentences, former)
    (tmp_path / "empty").mkdir()
    assert any(complaint in problem for problem in codes.check(tmp_path / "empty", tmp_path))
