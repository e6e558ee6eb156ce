"""A package as a BagIt bag, as a folder and as a ZIP: valid, deterministic, resumable."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from confere.archive.store import Archive
from confere.errors import ExportRefused
from confere.export.package.package import PackageResult, export_package
from confere.export.package.request import Form, PackageOptions, PackageRequest
from tests.export.made import COMPANY, MONTH, event, key, note, store

NAME = f"{COMPANY}-{MONTH}"


def export(archive: Archive, out: Path, form: Form) -> PackageResult:
    return export_package(archive, PackageRequest(COMPANY, out, PackageOptions(MONTH, form=form, bag=True)))


def files(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()}


@pytest.mark.parametrize("form", list(Form))
def test_bagit_validates_it_and_the_same_content_gives_the_same_bag(archive: Archive, out: Path, form: Form) -> None:
    store(archive, note(1), note(2), event(key(1)))
    result = export(archive, out / "one", form)
    other = export(archive, out / "two", form)
    assert files(out / "one") == files(out / "two")
    assert export(archive, out / "one", form).identical and not other.identical
    bag = result.path
    if form is Form.ZIP:
        assert sorted(entry.name for entry in (out / "one").iterdir()) == [f"{NAME}.manifest.json", f"{NAME}.zip"]
        with zipfile.ZipFile(result.path) as package:
            package.extractall(out / "taken")
        bag = out / "taken" / NAME
    subprocess.run([sys.executable, "-m", "bagit", "--validate", str(bag)], check=True, capture_output=True)
    info = (bag / "bag-info.txt").read_text("utf-8")
    assert "Source-Organization: Loja" in info and f"External-Identifier: {NAME}" in info
    assert f"Payload-Oxum: {len(note(1)) + len(note(2)) + len(event(key(1)))}.3" in info
    assert {path.read_bytes() for path in (bag / "data").rglob("*.xml")} == {note(1), note(2), event(key(1))}


def test_a_bag_half_made_is_finished_and_a_strangers_file_is_named(archive: Archive, out: Path) -> None:
    store(archive, note(1), note(2))
    whole = files(export(archive, out / "whole", Form.FOLDER).path)
    bag = export(archive, out, Form.FOLDER).path
    (out / f"{NAME}.manifest.json").unlink()
    (bag / "tagmanifest-sha256.txt").write_bytes(b"half")
    (bag / ".confere-0123456789ab.tmp").write_bytes(b"half")  # of a run that was killed while it wrote bagit.txt
    next((bag / "data").rglob("*.xml")).unlink()
    export(archive, out, Form.FOLDER)
    assert files(bag) == whole
    (out / f"{NAME}.manifest.json").unlink()
    (bag / "mine.txt").write_bytes(b"mine")
    with pytest.raises(ExportRefused, match=r"mine\.txt"):
        export(archive, out, Form.FOLDER)
