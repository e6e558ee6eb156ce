"""Files that are built to fill a memory, to take for ever or to leave their folder; each in any size."""

from __future__ import annotations

import base64
import gzip
import io
import os
import shutil
import socket
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from tests.archive.papers import key, note
from tests.intake.workbooks import workbook

Make = Callable[[int], bytes]
_NFE = b"http://www.portalfiscal.inf.br/nfe"


def _times(piece: bytes, size: int, start: bytes = b"<a>", end: bytes = b"</a>") -> bytes:
    return start + piece * (size // len(piece)) + end


def _numbered(form: str, size: int) -> bytes:
    return "".join(form.format(number) for number in range(size // len(form.format(size)))).encode()


def _inside_a_note(mark: bytes, piece: bytes) -> bytes:
    before, found, after = note(7).partition(mark)
    return before + piece + found + after


def _entities(size: int) -> bytes:
    lines = [b'<!ENTITY e0 "' + b"x" * 1000 + b'">']
    lines += [f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">'.encode() for n in range(1, 10)]
    return b"<?xml version='1.0'?><!DOCTYPE a [" + b"".join(lines) + b"]><a>" + b"&e9;" * (size // 1000) + b"</a>"


def _packed_inside(size: int) -> bytes:
    bomb = base64.b64encode(gzip.compress(b"<a>" + b"<b/>" * (size // 4) + b"</a>"))
    return (
        b"<retDistDFeInt><loteDistDFeInt>"
        + (b"<docZip>" + bomb + b"</docZip>") * 20
        + b"</loteDistDFeInt></retDistDFeInt>"
    )


def _written_inside(size: int) -> bytes:
    inner = b"<a>" + b"<b/>" * (size // 40) + b"</a>"
    return b"<log>" + (b"<c><![CDATA[" + inner + b"]]></c>") * 10 + b"</log>"


XML: dict[str, Make] = {
    "elements": lambda size: _times(b"<b/>", size),
    "elements with text": lambda size: _times(b"<b>xy</b>z", size),
    "elements of every name": lambda size: b"<a>" + _numbered("<b{}/>", size) + b"</a>",
    "elements, as many as are read": lambda size: _times(b"<b/>x", min(size, 2_400_000)),
    "attributes of one element": lambda size: b"<a " + _numbered("b{}='' ", size) + b"/>",
    "attributes, as many as are read": lambda size: b"<a " + _numbered("b{}='x' ", min(size, 4_000_000)) + b"/>",
    "attributes of many elements": lambda size: _times(b"<b c='' d='' e='' f=''/>", size),
    "namespaces of one element": lambda size: b"<a " + _numbered("xmlns:b{0}='u{0}' ", size) + b"/>",
    "100,000 namespaces": lambda size: b"<a " + _numbered("xmlns:b{0}='u{0}' ", min(size, 2_200_000)) + b"><b9:c/></a>",
    "namespaces of many elements": lambda size: _times(b"<b xmlns='u' xmlns:c='v'/>", size),
    "a comment": lambda size: b"<a><!--" + b"x" * size + b"--></a>",
    "comments": lambda size: _times(b"<!---->", size),
    "comments before the root": lambda size: _times(b"<!-- -->", size, b"", b"<a/>"),
    "an instruction": lambda size: b"<a><?b " + b"x" * size + b"?></a>",
    "instructions": lambda size: _times(b"<?b c?>", size),
    "a text": lambda size: b"<a>" + b"x" * size + b"</a>",
    "texts of 9 MB": lambda size: b"<a>" + (b"<b>" + b"x" * 9_000_000 + b"</b>") * (size // 9_000_000 + 1) + b"</a>",
    "a text of emoji": lambda size: b"<a>" + ("\U0001f600" * (size // 4)).encode() + b"</a>",
    "base64 in one element": lambda size: b"<a><docZip>" + base64.b64encode(bytes(size)) + b"</docZip></a>",
    "a CDATA part": lambda size: b"<a><![CDATA[" + b"<b/>" * (size // 4) + b"]]></a>",
    "CDATA parts": lambda size: _times(b"<![CDATA[x]]>", size),
    "character references": lambda size: _times(b"&#65;", size),
    "nesting": lambda size: b"<a>" * (size // 7) + b"</a>" * (size // 7),
    "nesting, as deep as is read": lambda size: b"<a>" * 250 + b"<b/>" * min(size // 4, 400_000) + b"</a>" * 250,
    "an attribute": lambda size: b"<a b='" + b"x" * size + b"'/>",
    "a name": lambda size: b"<" + b"x" * size + b"/>",
    "entities": _entities,
    "an outside entity": lambda _: b"<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///dev/zero'>]><a>&b;</a>",
    "an outside DTD": lambda _: b"<!DOCTYPE a SYSTEM 'http://127.0.0.1:9/x.dtd'><a/>",
    "UTF-16": lambda size: _times(b"<b/>", size // 2).decode().encode("utf-16"),
    "UTF-32": lambda size: _times(b"<b/>", size // 4).decode().encode("utf-32"),
    "UTF-7": lambda size: b"<?xml version='1.0' encoding='UTF-7'?><a>" + b"+ADw-b/+AD4-" * (size // 12) + b"</a>",
    "EBCDIC": lambda size: "<?xml version='1.0' encoding='cp500'?>".encode("cp500") + b"\x4c\x82\x61\x6e" * (size // 4),
    "punycode": lambda size: b"<?xml version='1.0' encoding='punycode'?><a>" + b"x" * (size // 8) + b"-abc</a>",
    "zeros": bytes,
    "a wide gap": lambda size: b"<a>" + b" " * size + b"</a>",
    "documents without anything": lambda size: _times(
        b"<NFe/>", size, b"<enviNFe xmlns='" + _NFE + b"'>", b"</enviNFe>"
    ),
    "documents, as many as are read": lambda size: _times(
        b"<NFe><infNFe Id='x'/></NFe>", min(size, 3_500_000), b"<enviNFe xmlns='" + _NFE + b"'>", b"</enviNFe>"
    ),
    "events, as many as are read": lambda size: _times(
        b"<evento><infEvento/></evento>", min(size, 3_500_000), b"<a xmlns='" + _NFE + b"'>", b"</a>"
    ),
    "protocols, as many as are read": lambda size: _times(
        b"<protNFe><infProt><chNFe>1</chNFe></infProt></protNFe>", min(size, 4_000_000), b"<a>", b"</a>"
    ),
    "items of a note": lambda size: _inside_a_note(b"<total>", b"<det><prod/></det>" * (min(size, 2_000_000) // 18)),
    "items with words": lambda size: _inside_a_note(
        b"<total>", (b"<det><prod><xProd>" + b"y" * 1000 + b"</xProd></prod></det>") * (size // 1043)
    ),
    "references of a note": lambda size: _inside_a_note(
        b"</ide>", f"<NFref><refNFe>{key(9)}</refNFe></NFref>".encode() * (min(size, 5_000_000) // 78)
    ),
    "parties of a note": lambda size: _inside_a_note(
        b"<total>", b"<autXML><CPF>1</CPF></autXML>" * (min(size, 2_000_000) // 30)
    ),
    "words of a note": lambda size: _inside_a_note(
        b"</infNFe>",
        b"<infAdic><infCpl>" + b"pedido 1234-5678 " * (min(size, 9_000_000) // 17) + b"</infCpl></infAdic>",
    ),
    "an amount of a million digits": lambda size: note(7, total="9" * min(size, 1_000_000)),
    "an amount with an exponent": lambda _: note(7, total="1E999999999"),
    "an amount that is none": lambda _: note(7, total="NaN"),
    "a date of the year 99999": lambda _: note(7).replace(b"2026-10-05T", b"99999-10-05T"),
    "distribution of bombs": _packed_inside,
    "papers written inside": _written_inside,
    "envelopes": lambda size: b"<a><b>" * 100 + note(7) + b"</b></a>" * 100,
}
"""By name, the bytes of an XML file of about a size; the numbered ones stop where the program reads them at all."""


def zipped(members: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", how) as packed:
        for name, data in members.items():
            packed.writestr(name, data)
    return target.getvalue()


def _nested(size: int) -> bytes:
    data = zipped({f"{n}.xml": b"<a>" + b" " * (size // 2) + b"</a>" for n in range(3)})
    for level in range(6):
        data = zipped({f"{level}-{n}.zip": data for n in range(3)})
    return data


def _stored(size: int) -> bytes:
    data = zipped({"a.xml": bytes(size // 2)}, zipfile.ZIP_STORED)
    for level in range(3):
        data = zipped({f"{level}.zip": data}, zipfile.ZIP_STORED)
    return data


def _many(size: int) -> bytes:
    """A list of members as long as half of `size`, all of one empty member."""
    name = b"%d"
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0) + b"x"
    entries = bytearray()
    count = size // 2 // 55
    for number in range(count):
        name = b"%05d.xml" % (number % 100_000)
        entries += struct.pack(
            "<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, 0, 0, 0, 0, 0, 0, len(name), 0, 0, 0, 0, 0, 0
        )
        entries += name
    end = struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, count & 0xFFFF, count & 0xFFFF, len(entries), len(local), 0)
    return local + bytes(entries) + end


def _overlapping(size: int) -> bytes:
    """Thousands of members that are all the same few kilobytes."""
    raw = b"<a>" + b"<b>0123456789012345678901234567890123456789</b>" * (size // 47) + b"</a>"
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(raw) + packer.flush()
    packed += os.urandom(len(raw) // 250)  # so that the ratio looks modest; the stream has ended before
    name = b"a.xml"
    crc = zlib.crc32(raw)
    local = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 8, 0, 0, crc, len(packed), len(raw), len(name), 0) + name
    entry = struct.pack(
        "<IHHHHHHIIIHHHHHII",
        0x02014B50, 20, 20, 0, 8, 0, 0, crc, len(packed), len(raw), len(name), 0, 0, 0, 0, 0, 0,
    )  # fmt: skip
    count = 3000
    end = struct.pack(
        "<IHHHHIIH", 0x06054B50, 0, 0, count, count, count * (len(entry) + 5), len(local) + len(packed), 0
    )
    return local + packed + (entry + name) * count + end


ZIPS: dict[str, Make] = {
    "ZIP of one bomb": lambda size: zipped({"a.xml": bytes(size)}),
    "ZIP of elements": lambda size: zipped({"a.xml": XML["elements"](size)}),
    "ZIP in ZIPs": _nested,
    "ZIP in ZIPs, stored": _stored,
    "ZIP of endless members": _many,
    "ZIP of members that overlap": _overlapping,
    "ZIP with tricks in its names": lambda _: zipped(
        {"../a.xml": note(1), "/etc/b.xml": note(2), "C:\\c.xml": note(3), "..\\..\\d.xml": note(4), "CON.xml": note(5)}
    ),
    "ZIP cut short": lambda size: zipped({"a.xml": os.urandom(size)})[:-30],
    "ZIP that is none": lambda size: b"PK\x03\x04" + bytes(size),
}


def _cells(size: int) -> bytes:
    rows = "".join(f"<row r='{n}'><c r='A{n}'><v>1</v></c></row>" for n in range(1, size // 40))
    return workbook(
        ("A", [["Pedido"], ["1"]]), xl__worksheets__sheet1=f"<worksheet><sheetData>{rows}</sheetData></worksheet>"
    )


def _shared(place: int) -> bytes:
    return workbook(
        ("A", [["Pedido"], ["1"]]),
        xl__sharedStrings="<sst><si><t>Pedido</t></si></sst>",
        xl__worksheets__sheet1="<worksheet><sheetData><row r='1'><c r='A1' t='s'><v>0</v></c></row>"
        f"<row r='2'><c r='A2' t='s'><v>{place}</v></c></row></sheetData></worksheet>",
    )


ORDERS: dict[str, Make] = {
    "workbook of spaces.xlsx": lambda size: workbook(("A", [["Pedido"], ["1"]]), xl__big=" " * (10 * size)),
    "workbook of cells.xlsx": _cells,
    "workbook with a far cell.xlsx": lambda _: workbook(
        ("A", [["Pedido"], ["1"]]),
        xl__worksheets__sheet1="<worksheet><sheetData><row r='1048576'><c r='XFD1048576'><v>1</v></c></row>"
        "</sheetData></worksheet>",
    ),
    "workbook of elements.xlsx": lambda size: workbook(
        ("A", [["Pedido"], ["1"]]), xl__worksheets__sheet1="<worksheet>" + "<b/>" * (size // 4) + "</worksheet>"
    ),
    "workbook of shared texts.xlsx": lambda size: workbook(
        ("A", [["Pedido"], ["1"]]), xl__sharedStrings="<sst>" + "<si><t>x</t></si>" * (size // 17) + "</sst>"
    ),
    "workbook of attributes.xlsx": lambda size: workbook(
        ("A", [["Pedido"], ["1"]]),
        xl__worksheets__sheet1="<worksheet " + " ".join(f"b{n}=''" for n in range(size // 9)) + "/>",
    ),
    "workbook with entities.xlsx": lambda size: workbook(
        ("A", [["Pedido"], ["1"]]), xl__worksheets__sheet1=_entities(size).decode()
    ),
    "workbook with a shared text -1.xlsx": lambda _: _shared(-1),
    "workbook with a shared text beyond.xlsx": lambda _: _shared(2**31),
    "one line.csv": lambda size: b"Pedido;Total\n" + b"x" * size,
    "one cell.csv": lambda size: b'Pedido;Total\n"' + b"x\n" * (size // 2),
    "columns.csv": lambda size: b"Pedido;" * (size // 7),
    "empty lines.csv": lambda size: b"\n" * size,
    "separators.csv": lambda size: b"Pedido;Total\n" + (b";" * 900 + b"\n") * (size // 901),
    "short lines.csv": lambda size: b"Pedido;Total\n" + b"1;1\n" * (size // 4),
    "emoji.csv": lambda size: b"Pedido;Total\n" + ("\U0001f600;1\n" * (size // 7)).encode(),
}
"""Lists of orders, by the name of the file."""


def _pipe(folder: Path) -> None:
    os.mkfifo(folder / "pipe.xml")


def _links(folder: Path) -> None:
    (folder / "up").symlink_to(folder)
    (folder / "round.xml").symlink_to(folder / "round.xml")
    (folder / "zero.xml").symlink_to("/dev/zero")
    (folder / "random.zip").symlink_to("/dev/urandom")


def _socket(folder: Path) -> None:
    here = Path.cwd()
    os.chdir(folder)  # its name may have a hundred letters at most
    try:
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind("socket.xml")
    finally:
        os.chdir(here)


def _deep(folder: Path) -> None:
    _nest(folder, "d", 1500)


def _deepest(folder: Path) -> None:
    """Deeper than a path of the system can say."""
    _nest(folder, "d" * 200, 60)


def _nest(folder: Path, name: str, depth: int) -> None:
    at = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir(name, dir_fd=at)
        under = os.open(name, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = under
    file = os.open("a.xml", os.O_WRONLY | os.O_CREAT, dir_fd=at)
    os.write(file, note(1))
    os.close(file)
    os.close(at)


def remove(folder: Path) -> None:
    """Remove a folder however deep it is: Python's own way recurses."""
    subprocess.run(["rm", "-rf", str(folder)], check=True) if os.name == "posix" else shutil.rmtree(folder)


def _outside(folder: Path) -> None:
    beside = folder.parent / "outside"
    beside.mkdir()
    (beside / "secret.xml").write_bytes(note(2))
    (folder / "secret.xml").symlink_to(beside / "secret.xml")
    (folder / "outside").symlink_to(beside)
    (folder / "again.xml").symlink_to(folder / "good.xml")  # inside: honest


FOLDERS: dict[str, Callable[[Path], None]] = (
    {}
    if sys.platform == "win32"
    else {
        "pipe": _pipe,
        "links": _links,
        "socket": _socket,
        "deep folders": _deep,
        "folders beyond a path": _deepest,
        "links out": _outside,
    }
)
"""What makes of an empty folder one with things in it that are no files."""
