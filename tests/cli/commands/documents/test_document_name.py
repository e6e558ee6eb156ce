"""A document is named by whatever the search understands, where one document fits: `confere show 1/6539`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from confere.app.context import Workspace
from tests.app.documents.search.searched_world import GROUPS_OF_A, KEY_A, KEY_B, KEY_D, KEY_E, fill
from tests.cli.running import Call


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    with Workspace.at(folder).writing("test") as archive:
        fill(archive)
    return folder


@pytest.mark.parametrize(
    ("typed", "key"),
    [
        ("1/6539", KEY_A),  # its freight belongs to it, and does not make two of it
        ("nota 1/6540", KEY_B),
        ("patricia lima", KEY_D),
        ("cte 880", KEY_E),
        ("121,04", KEY_A),
        (KEY_A, KEY_A),
        (GROUPS_OF_A, KEY_A),
    ],
)
def test_one_document_that_fits_is_meant(call: Call, home: Path, typed: str, key: str) -> None:
    for command in ("show", "relations"):
        assert call(command, "--json", "--home", home, "--", typed).json["access_key"] == key, command
    verified = call("verify", "--json", "--home", home, "--", typed).json["documents"]
    assert [document["access_key"] for document in verified] == [key]


def test_its_xml_its_pdf_and_its_tags(call: Call, home: Path, tmp_path: Path) -> None:
    assert KEY_A in call("show", "1/6539", "--xml", "--home", home).out
    assert call("pdf", "1/6539", "--output", tmp_path / "note.pdf", "--home", home).code == 0
    assert (tmp_path / "note.pdf").exists()
    assert call("tag", "add", "pay", "1/6539", "1/6540", "--home", home).code == 0
    assert call("list", "--tag", "pay", "--json", "--home", home).json["total"] == 2


def test_several_are_listed_and_a_way_to_choose_is_said(call: Call, home: Path) -> None:
    done = call("show", "patricia", "--home", home)
    assert done.code == 2
    assert KEY_A in done.err
    assert KEY_D in done.err
    assert done.out == ""
    assert "patricia fits 2 documents." in done.err
    assert "access key" in done.err
    refused = call("show", "patricia", "--home", home, "--json")
    assert refused.code == 2
    assert refused.json["error"]["what"] == f"patricia fits 2 documents: {KEY_A}, {KEY_D}"


@pytest.mark.parametrize("typed", ["1/9999", "xyzzy", "valor>", '"', " "])
def test_none_is_said(call: Call, home: Path, typed: str) -> None:
    for command in ("show", "relations", "pdf", "verify"):
        done = call(command, "--home", home, "--", typed)
        assert done.code == 2, (command, done)
        assert "The archive holds no paper called" in done.err


def test_a_number_is_not_taken_for_a_row_of_another_document(call: Call, home: Path) -> None:
    """The tag would stand on a note that nobody named."""
    with Workspace.at(home).writing("test") as archive, archive.writing() as transaction:
        other = transaction.scalar("SELECT id FROM document WHERE access_key = ?", (KEY_B,))
        transaction.execute("UPDATE document SET number = ? WHERE access_key = ?", (other, KEY_A))
    refused = call("tag", "add", "pay", str(other), "--home", home, "--json")
    assert refused.code == 2
    assert KEY_A in refused.json["error"]["what"] and KEY_B in refused.json["error"]["what"]
    assert f"row:{other}" in refused.json["error"]["remedy"]
    assert call("tag", "list", "--json", "--home", home).json["tags"] == []
    assert call("show", f"row:{other}", "--json", "--home", home).json["access_key"] == KEY_B
    assert call("show", f"1/{other}", "--json", "--home", home).json["access_key"] == KEY_A


@pytest.mark.parametrize("language", ["pt_BR", "en", "es"])
def test_what_lists_and_refusals_write_is_taken(call: Call, home: Path, language: str) -> None:
    """`linha:7` is named as it is typed, and understood whatever the language."""
    refused = call("--lang", language, "show", "x" * 44, "--home", home)
    example = re.search(r"\b\w+:1791\b", refused.err)
    assert example is not None, refused.err
    with Workspace.at(home).reading() as archive, archive.reading() as transaction:
        row = transaction.scalar("SELECT id FROM document WHERE access_key = ?", (KEY_B,))
    typed = example[0].replace("1791", str(row))
    assert call("--lang", "en", "show", typed, "--json", "--home", home).json["access_key"] == KEY_B
    for command in ("add", "remove"):
        lacking = call("--lang", language, "tag", command, "pago", "--home", home)
        assert lacking.code == 2 and example[0] in lacking.err
