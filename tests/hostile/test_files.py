"""Hostile files in a small size: each is a paper or a sentence, whoever looks at it."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.archive.store import Archive
from confere.errors import ConfereError, PaperError
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.judge import World, judge_paper
from confere.fiscal.reading import xml
from confere.fiscal.reading.document import read
from confere.fiscal.reading.xml_indent import indented
from confere.intake.files.file_import import import_files
from confere.intake.order_files.order_file_import import read_file
from tests.breadth import some_of
from tests.hostile import files

SIZE = 600_000


@pytest.mark.parametrize("name", some_of(files.XML, 20))
def test_an_xml_is_read_or_refused_and_can_be_shown(name: str) -> None:
    data = files.XML[name](SIZE)
    try:
        read(data, whole=True)
    except PaperError as error:
        assert str(error.what)
    shown = indented(data)
    assert len(shown) <= 4 * len(data) + 1000


@pytest.mark.parametrize(
    "name", ["elements", "elements, as many as are read", "items of a note", "events, as many as are read"]
)
def test_an_xml_is_judged_or_refused(name: str) -> None:
    try:
        judge_paper(files.XML[name](SIZE // 10), Trust([]), world=World.SANDBOX)
    except PaperError as error:
        assert str(error.what)


def test_the_bound_is_of_marks_before_a_tree_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml, "_PARSER", None)  # it would fail, if it came to that
    monkeypatch.setattr(xml, "MOST_MARKS", 10_000)
    for name in (
        "elements",
        "elements with text",
        "attributes of many elements",
        "namespaces of one element",
        "UTF-16",
    ):
        with pytest.raises(PaperError, match="more elements"):
            read(files.XML[name](SIZE))


@pytest.mark.parametrize("name", files.ZIPS)
def test_a_zip_is_taken_in_bounds(archive: Archive, tmp_path: Path, name: str) -> None:
    path = tmp_path / "hostile.zip"
    path.write_bytes(files.ZIPS[name](SIZE // 10 if "overlap" in name or "endless" in name else SIZE))
    result = import_files(archive, [path])
    assert result.files + result.ignored > 0
    assert result.unreadable == len(result.problems)


@pytest.mark.parametrize("name", files.ORDERS)
def test_a_list_of_orders_is_read_or_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(files.ORDERS[name](SIZE // 10))
    try:
        assert read_file(path).sheet.columns
    except ConfereError as error:
        assert str(error.what)


@pytest.mark.parametrize("name", files.FOLDERS)
def test_a_folder_of_other_things_than_files_ends(archive: Archive, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    files.FOLDERS[name](folder)
    result = import_files(archive, [folder])
    files.remove(folder)
    assert result.unreadable or result.recorded
