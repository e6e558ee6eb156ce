"""Small workbooks written by hand, honest and hostile: the parts of an XLSX, packed into bytes."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/xl/workbook.xml"'
    ' ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    "</Types>"
)
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_ROOT = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="rId1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>'
)
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_STYLES = f'<styleSheet xmlns="{_MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>'
Value = str | int | float | None


def day(serial: float) -> tuple[str, float]:
    """A cell that a spreadsheet shows as a day."""
    return "day", serial


def workbook(*sheets: tuple[str, Sequence[Sequence[object]]], **parts: str) -> bytes:
    """Each sheet by name with its rows; `parts` replace or add members, `__` in their names standing for `/`."""
    files = {
        "[Content_Types].xml": _TYPES,
        "_rels/.rels": _ROOT,
        "xl/styles.xml": _STYLES,
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
        + "".join(f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>' for n, (name, _) in enumerate(sheets, 1))
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
        'relationships">'
        + "".join(
            f'<Relationship Id="rId{n}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
            for n in range(1, len(sheets) + 1)
        )
        + f'<Relationship Id="rId99" Type="{_OFFICE}/styles" Target="styles.xml"/></Relationships>',
        **{f"xl/worksheets/sheet{n}.xml": sheet(rows) for n, (_, rows) in enumerate(sheets, 1)},
        **{f"{name.replace('__', '/')}.xml": text for name, text in parts.items()},
    }
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return target.getvalue()


def sheet(rows: Sequence[Sequence[object]]) -> str:
    cells = "".join(
        f'<row r="{line}">'
        + "".join(_cell(f"{chr(65 + at)}{line}", value) for at, value in enumerate(row) if value is not None)
        + "</row>"
        for line, row in enumerate(rows, start=1)
    )
    return sheet_of(cells)


def sheet_of(rows: str) -> str:
    """The sheet with these rows, as XML."""
    return f'<worksheet xmlns="{_MAIN}"><sheetData>{rows}</sheetData></worksheet>'


def _cell(place: str, value: object) -> str:
    if isinstance(value, tuple):
        return f'<c r="{place}" s="1"><v>{value[1]}</v></c>'
    if isinstance(value, int | float):
        return f'<c r="{place}"><v>{value}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(str(value))}</t></is></c>'
