"""The application's icon is a drawing that scales, and Windows and macOS get it in files of their own form."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage

from tests.conftest import ROOT

SVG = ROOT / "resources" / "icons" / "confere.svg"
PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def icons(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("icons")
    command = [sys.executable, str(ROOT / "packaging" / "make_icons.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return folder


def side_of(png: bytes) -> int:
    """The side in pixels of a square picture."""
    assert png.startswith(PNG)
    width, height = struct.unpack(">II", png[16:24])
    assert width == height
    return int(width)


def test_the_drawing_is_square_and_of_simple_shapes() -> None:
    root = ElementTree.parse(SVG).getroot()
    assert root.get("viewBox") == "0 0 64 64"
    kinds = {element.tag.partition("}")[2] for element in root}
    assert kinds <= {"title", "path"}
    assert len(set(re.findall(r"#[0-9a-f]{6}", SVG.read_text(encoding="utf-8")))) == 3


def test_pictures_of_every_size(icons: Path) -> None:
    sides = {side_of(path.read_bytes()): path for path in icons.glob("*.png")}
    assert {16, 32, 48, 256, 512} <= set(sides)
    assert all(path.name == f"confere-{side}.png" for side, path in sides.items())


def test_the_icon_of_windows_holds_the_pictures(icons: Path) -> None:
    data = (icons / "confere.ico").read_bytes()
    reserved, kind, count = struct.unpack_from("<HHH", data)
    assert (reserved, kind) == (0, 1)
    end = 6 + 16 * count
    for number in range(count):
        width, height, _, _, _, depth, length, offset = struct.unpack_from("<BBBBHHII", data, 6 + 16 * number)
        assert offset == end
        assert side_of(data[offset : offset + length]) == (width or 256) == (height or 256)
        assert depth == 32
        end += length
    assert end == len(data)


def test_the_icon_of_macos_holds_the_pictures(icons: Path) -> None:
    data = (icons / "confere.icns").read_bytes()
    assert data[:4] == b"icns"
    assert struct.unpack(">I", data[4:8]) == (len(data),)
    offset, sides = 8, []
    while offset < len(data):
        (length,) = struct.unpack_from(">I", data, offset + 4)
        sides.append(side_of(data[offset + 8 : offset + length]))
        offset += length
    assert {16, 32, 128, 256, 512} <= set(sides)


def test_the_check_mark_shows_at_the_smallest_size(icons: Path) -> None:
    """Clean white on clean accent: a smudge would have neither."""
    image = QImage(str(icons / "confere-16.png"))
    colours = [image.pixelColor(x, y) for x in range(16) for y in range(16)]
    white = [colour for colour in colours if colour.alpha() == 255 and min(colour.red(), colour.green()) > 220]
    accent = [colour for colour in colours if colour.name() == "#1d5fbf" and colour.alpha() == 255]
    assert len(white) >= 12
    assert len(accent) >= 90
