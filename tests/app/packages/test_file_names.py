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
        path = file_names.example(sample, "", f"{{{entry.name}}}.xml")
        assert path.endswith(".xml")
        if entry.in_folders:
            assert file_names.example(sample, f"{{{entry.name}}}", "").count("/") == 1
        else:
            with pytest.raises(UsageFault):
                file_names.example(sample, f"{{{entry.name}}}", "")
