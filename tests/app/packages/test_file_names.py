"""Names of exported files are tried on a document of the archive, or on an invented one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents.import_files import import_paths
from confere.app.packages import file_names
from confere.errors import UsageFault
from tests.archive.papers import key, note
from tests.export.made import COMPANY, MONTH, event, store
from tests.export.made import key as package_key
from tests.export.made import note as package_note


@pytest.fixture
def opened(tmp_path: Path) -> OpenArchive:
    return OpenArchive(Workspace.at(tmp_path / "home"))


def test_without_an_archive_the_document_is_invented(opened: OpenArchive) -> None:
    found = file_names.sample(opened)
    assert found.invented
    assert file_names.example(found, "", "").endswith("-procNFe.xml")
    assert file_names.example(found, "{month}", "{number:09}.xml") == "2026-10/000004711.xml"


def test_a_document_of_the_archive_is_taken(opened: OpenArchive, tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    (files / "note.xml").write_bytes(note(7))
    import_paths(opened.workspace, [files])
    shutil.rmtree(files)
    found = file_names.sample(opened)
    assert not found.invented
    assert found.sheet.access_key == key(7)
    assert file_names.example(found, "{kind}", "{key}.xml") == f"nfe/{key(7)}.xml"
    opened.close()


@pytest.mark.parametrize(
    ("folder", "document"), [("{key}", ""), ("a//b", ""), ("", "{key}.txt"), ("", "{nonsense}.xml")]
)
def test_a_bad_template_is_refused(folder: str, document: str) -> None:
    with pytest.raises(UsageFault):
        file_names.example(file_names.invented(), folder, document)


def test_every_placeholder_works_and_is_explained() -> None:
    sample = file_names.invented()
    for entry in file_names.placeholders():
        assert str(entry.meaning)
        for which in entry.known_by:
            file_names.check(which, f"{{{entry.name}}}" + ("" if which == "folder" else ".xml"))
        for which in {"folder", "document", "event", "voiding"}.difference(entry.known_by):
            with pytest.raises(UsageFault):
                file_names.check(which, f"{{{entry.name}}}.xml")
        if "document" not in entry.known_by:
            continue
        path = file_names.example(sample, "", f"{{{entry.name}}}.xml")
        assert path.endswith(".xml")
        if entry.in_folders:
            assert file_names.example(sample, f"{{{entry.name}}}", "").count("/") == 1
        else:
            with pytest.raises(UsageFault):
                file_names.example(sample, f"{{{entry.name}}}", "")


def test_the_preview_names_the_files_of_a_month_and_what_was_wrong_with_each(opened: OpenArchive) -> None:
    with opened.workspace.writing("test") as archive:
        store(archive, package_note(1), package_note(2), event(package_key(1)))
    shown = file_names.preview_names(opened, COMPANY, MONTH, folder="CON/{kind}", document="nota. ?.xml")
    assert [name.path for name in shown.names[:2]] == ["_CON/nfe/nota. _.xml", shown.names[1].path]
    assert shown.has_problems and [len(name.problems) for name in shown.names] == [2, 3, 0]
    usual = file_names.preview_names(opened, COMPANY, MONTH)
    assert not usual.has_problems and len(usual.names) == 3
    assert usual.names[0].path == f"{COMPANY}/{MONTH}/nfe/out/{package_key(1)}-procNFe.xml"
    assert len(file_names.preview_names(opened, COMPANY, MONTH, limit=1).names) == 1
    for bad in (
        file_names.preview_names(opened, COMPANY, MONTH, document="{key"),
        file_names.preview_names(opened, COMPANY, "2026-13"),
        file_names.preview_names(opened, "12", MONTH),
    ):
        assert bad.refusal is not None and bad.names == () and bad.has_problems
    opened.close()


def test_a_path_that_is_too_long_for_windows_is_cut_and_stays_unique(opened: OpenArchive) -> None:
    with opened.workspace.writing("test") as archive:
        store(archive, package_note(1), package_note(2))
    folder = "/".join(["uma pasta com um nome muito comprido mesmo"] * 8)
    shown = file_names.preview_names(opened, COMPANY, MONTH, folder=folder, document="x" * 140 + "{number}.xml")
    paths = [name.path for name in shown.names]
    assert len(set(paths)) == 2 and all(len(path) <= 240 for path in paths)
    assert all(path.endswith(".xml") for path in paths)
    opened.close()
