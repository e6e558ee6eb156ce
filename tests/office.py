"""What LibreOffice reads in a report: `python -m tests.office FILE.xlsx` counts rows and formulas, sheet by sheet.

Not one of the tests: installing LibreOffice takes longer than all of them. Ends with 1 where a cell is a formula.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from lxml import etree

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"


def main() -> int:
    """Convert the file by LibreOffice and look at what it became."""
    soffice = shutil.which("soffice")
    if len(sys.argv) != 2 or soffice is None:
        sys.stderr.write("python -m tests.office FILE.xlsx, with LibreOffice's soffice on PATH\n")
        return 2
    with tempfile.TemporaryDirectory() as folder:
        profile = f"-env:UserInstallation={(Path(folder) / 'profile').as_uri()}"
        command = [soffice, profile, "--headless", "--convert-to", "ods", "--outdir", folder, sys.argv[1]]
        subprocess.run(command, check=True, timeout=300, stdout=subprocess.DEVNULL)
        with zipfile.ZipFile(next(Path(folder).glob("*.ods"))) as archive:
            content = etree.fromstring(archive.read("content.xml"))
    formulas = 0
    for sheet in content.iter(f"{_TABLE}table"):
        computed = [cell for cell in sheet.iter(f"{_TABLE}table-cell") if cell.get(f"{_TABLE}formula") is not None]
        rows = sum(1 for row in sheet.iter(f"{_TABLE}table-row") if any(True for _ in row.itertext()))
        print(f"{sheet.get(f'{_TABLE}name')}: {rows} rows, {len(computed)} formulas")
        formulas += len(computed)
    return 1 if formulas else 0


if __name__ == "__main__":
    sys.exit(main())
