"""Draws the application's icon files (PNG, ICO for Windows, ICNS for macOS) from resources/icons/confere.svg.

Usage: python packaging/make_icons.py FOLDER
"""

from __future__ import annotations

import argparse
import os
import struct
from pathlib import Path

SOURCE = Path(__file__).resolve().parent.parent / "resources" / "icons" / "confere.svg"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
# The four letters are Apple's names of a size; the second half are the same pixels for screens of double density.
ICNS_NAMES = (
    *((b"icp4", 16), (b"icp5", 32), (b"ic07", 128), (b"ic08", 256), (b"ic09", 512)),
    *((b"ic11", 32), (b"ic12", 64), (b"ic13", 256), (b"ic14", 512)),
)


def draw(source: Path, sizes: tuple[int, ...]) -> dict[int, bytes]:
    """The drawing as PNG, by side in pixels. Needs no screen."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
    from PySide6.QtGui import QImage, QImageWriter, QPainter
    from PySide6.QtSvg import QSvgRenderer

    renderer = QSvgRenderer(str(source))
    if not renderer.isValid():
        raise SystemExit(f"{source} is not a drawing that Qt can read.")
    pictures: dict[int, bytes] = {}
    for side in sizes:
        image = QImage(side, side, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        renderer.render(painter)
        painter.end()
        written = QByteArray()
        buffer = QBuffer(written)
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        QImageWriter(buffer, QByteArray(b"png")).write(image)
        pictures[side] = bytes(written.data())
    return pictures


def ico(pictures: dict[int, bytes]) -> bytes:
    """One Windows icon that holds the PNGs as they are; a side of 256 is written as 0."""
    offset = 6 + 16 * len(pictures)
    entries, bodies = [], []
    for side, png in sorted(pictures.items()):
        entries.append(struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(png), offset))
        bodies.append(png)
        offset += len(png)
    return struct.pack("<HHH", 0, 1, len(pictures)) + b"".join(entries + bodies)


def icns(pictures: dict[int, bytes]) -> bytes:
    """One macOS icon that holds the PNGs as they are."""
    body = b"".join(name + struct.pack(">I", 8 + len(pictures[side])) + pictures[side] for name, side in ICNS_NAMES)
    return b"icns" + struct.pack(">I", 8 + len(body)) + body


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    pictures = draw(SOURCE, SIZES)
    for side, png in pictures.items():
        (folder / f"confere-{side}.png").write_bytes(png)
    (folder / "confere.ico").write_bytes(ico({side: pictures[side] for side in ICO_SIZES}))
    (folder / "confere.icns").write_bytes(icns(pictures))


if __name__ == "__main__":
    main()
