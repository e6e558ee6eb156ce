"""Reading a package back: whatever part of it is not as it was written is found, wherever its stretches are cut."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from confere.archive.store import Archive
from confere.errors import EnvironmentFault
from confere.export.package import zip
from confere.export.package.output import read_back
from confere.export.package.output.read_back import first_different, stretches
from confere.export.package.package import PackageResult, export_package
from confere.export.package.request import PackageOptions, PackageRequest
from tests.export.made import COMPANY, MONTH, inside, note, store

DOCUMENTS = 20


@pytest.fixture
def written(archive: Archive, out: Path) -> PackageResult:
    store(archive, *(note(number) for number in range(1, DOCUMENTS + 1)))
    return export_package(archive, PackageRequest(COMPANY, out, PackageOptions(MONTH)))


def wrong(result: PackageResult) -> list[str]:
    found = map(first_different, stretches(result.path, result.manifests[0]))
    return [name for name in found if name is not None]


def change(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new, 1))


@pytest.mark.parametrize("block", [50, 300, 256 * 1024])
@pytest.mark.parametrize("most", [1, 3, 256])
@pytest.mark.parametrize("large", [False, True])
def test_stretches_hold_each_file_once(
    archive: Archive, out: Path, monkeypatch: pytest.MonkeyPatch, block: int, most: int, large: bool
) -> None:
    if large:
        monkeypatch.setattr(zip, "SMALL", 100)
        monkeypatch.setattr(zip, "FEW", 2)
    monkeypatch.setattr(read_back, "_BLOCK", block)
    monkeypatch.setattr(read_back, "_MOST", most)
    store(archive, *(note(number) for number in range(1, DOCUMENTS + 1)))
    result = export_package(archive, PackageRequest(COMPANY, out, PackageOptions(MONTH)))
    parts = list(stretches(result.path, result.manifests[0]))
    assert len(parts) == -(-DOCUMENTS // most)
    for kind in ("files", "entries", "lines"):
        spans = [getattr(part, kind) for part in parts]
        assert all(before.after == after.start for before, after in pairwise(spans))
    assert wrong(result) == [] and len(inside(result.path)) == DOCUMENTS


def test_heavy_files_make_stretches_of_their_own(written: PackageResult, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_back, "_MOST_BYTES", 1)
    assert len(list(stretches(written.path, written.manifests[0]))) > DOCUMENTS / 3
    assert wrong(written) == []


def test_a_file_that_the_manifest_lacks_is_found(written: PackageResult) -> None:
    manifest = written.manifests[0]
    line = re.search(rb'\n  \{"path": [^\n]*,(?=\n)', manifest.read_bytes())
    assert line is not None
    change(manifest, line[0], b"")
    with pytest.raises(EnvironmentFault, match="was not read back"):
        wrong(written)


def test_a_file_that_only_the_manifest_has_is_found(written: PackageResult) -> None:
    manifest = written.manifests[0]
    line = re.search(rb'\n  \{"path": [^\n]*,(?=\n)', manifest.read_bytes())
    assert line is not None
    change(manifest, line[0], line[0] * 2)
    with pytest.raises(EnvironmentFault, match="was not read back"):
        wrong(written)


def test_a_directory_that_ends_too_early_is_found(written: PackageResult) -> None:
    data = written.path.read_bytes()
    written.path.write_bytes(data[: data.rindex(b"PK\1\2")] + data[data.rindex(b"PK\5\6") :])
    with pytest.raises(EnvironmentFault, match="was not read back"):
        wrong(written)


@pytest.mark.parametrize(
    ("old", "new"), [(b"PK\1\2", b"PK\1\3"), (b'"size": ', b'"size": 1'), (b'"sha256": "', b'"sha257": "')]
)
def test_a_changed_entry_or_line_is_found(written: PackageResult, old: bytes, new: bytes) -> None:
    change(written.path if old.startswith(b"PK") else written.manifests[0], old, new)
    assert len(wrong(written)) == 1
