"""The ZIP writer, read back by `zipfile` and by the `unzip` program."""

from __future__ import annotations

import io
import random
import subprocess
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.export.package import zip
from confere.export.package.zip import ZipWriter, deflate, dos_time

DICE = random.Random(3)
FILES = {
    "empty.xml": b"",
    "a/pequeno.xml": b"<a/>",
    "a/b/grande.xml": b"<nota>" + b"0123456789" * 40_000 + b"</nota>",
    "a/b/sem repetição.xml": DICE.randbytes(3000),
    "coração/ação.xml": "ação".encode("latin-1") * 100,
}


def write(target: Path, files: dict[str, bytes], written: str | None = "2026-10-31T23:59:59-03:00") -> None:
    with target.open("wb") as output:
        writer = ZipWriter(output, io.BytesIO())
        for name, data in files.items():
            writer.add(name, deflate(data), written)
        writer.finish()


def test_zipfile_reads_back_every_byte(tmp_path: Path) -> None:
    write(tmp_path / "z.zip", FILES)
    with zipfile.ZipFile(tmp_path / "z.zip") as package:
        assert package.testzip() is None
        assert {name: package.read(name) for name in package.namelist()} == FILES
        for entry in package.infolist():
            assert entry.date_time == (2026, 10, 31, 23, 59, 58)
            assert zlib.crc32(FILES[entry.filename]) == entry.CRC
            assert entry.external_attr >> 16 == 0o100644
            assert entry.flag_bits == 0x800
        assert package.getinfo("a/b/sem repetição.xml").compress_type == zipfile.ZIP_STORED
        assert package.getinfo("a/b/grande.xml").compress_size < 3000


@pytest.mark.system_program("unzip")
def test_unzip_accepts_it_and_gives_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path / "z.zip", FILES)
    subprocess.run(["unzip", "-tq", "z.zip"], cwd=tmp_path, check=True, capture_output=True)
    subprocess.run(["unzip", "-q", "z.zip", "-d", "x"], cwd=tmp_path, check=True, capture_output=True)
    for name in ("empty.xml", "a/pequeno.xml", "a/b/grande.xml"):
        assert (tmp_path / "x" / name).read_bytes() == FILES[name]


@pytest.mark.parametrize(("small", "few"), [(1000, 0xFFFF), (0xFFFFFFFF, 3), (100, 2), (0, 0)])
@pytest.mark.system_program("unzip")
def test_large_packages_use_the_large_fields(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: int, few: int
) -> None:
    """The limits are lowered, so that sizes, offsets and counts of ours need ZIP64."""
    monkeypatch.setattr(zip, "SMALL", small)
    monkeypatch.setattr(zip, "FEW", few)
    write(tmp_path / "z.zip", FILES)
    with zipfile.ZipFile(tmp_path / "z.zip") as package:
        assert {name: package.read(name) for name in package.namelist()} == FILES
    assert b"PK\6\6" in (tmp_path / "z.zip").read_bytes()
    subprocess.run(["unzip", "-tq", "z.zip"], cwd=tmp_path, check=True, capture_output=True)


def test_more_files_than_the_old_field_can_count(tmp_path: Path) -> None:
    with (tmp_path / "z.zip").open("wb") as output:
        writer = ZipWriter(output, io.BytesIO())
        nothing = deflate(b"")
        for number in range(65_536):
            writer.add(f"{number}", nothing)
        writer.finish()
    with zipfile.ZipFile(tmp_path / "z.zip") as package:
        assert len(package.namelist()) == 65_536
        assert package.read("65535") == b""


def test_the_same_files_give_the_same_zip(tmp_path: Path) -> None:
    write(tmp_path / "one.zip", FILES)
    write(tmp_path / "two.zip", FILES)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


@given(st.binary(max_size=2000))
def test_what_is_deflated_inflates_to_the_same_bytes(data: bytes) -> None:
    packed = deflate(data)
    assert packed.crc == zlib.crc32(data) and packed.size == len(data) >= len(packed.data)
    assert (zlib.decompress(packed.data, -15) if packed.method else packed.data) == data


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("1980-01-01T00:00:00-03:00", (0, 0x21)),
        ("2107-12-31T23:59:58-03:00", (23 << 11 | 59 << 5 | 29, 127 << 9 | 12 << 5 | 31)),
        ("2010-05-03", (0, 30 << 9 | 5 << 5 | 3)),
        ("1979-12-31T00:00:00", (0, 0x21)),
        ("2108-01-01T00:00:00", (0, 0x21)),
        ("2026-13-45T99:00:00", (0, 0x21)),
        ("", (0, 0x21)),
        (None, (0, 0x21)),
    ],
)
def test_times_as_a_zip_tells_them(written: str | None, told: tuple[int, int]) -> None:
    assert dos_time(written) == told
