"""Tasks that end in files: print a document, send eight of them, export the month."""

from __future__ import annotations

import json
import subprocess
import zipfile
from pathlib import Path

from tests.walk.documents_tasks import LIST, MONTH, carried
from tests.walk.hand import Hand
from tests.walk.stage import Stage
from tests.walk.window_view import View

_SENT = 8


def print_document(hand: Hand, stage: Stage) -> None:
    """Into a PDF file, by the print dialog."""
    number, _, key, _, _, _ = carried(stage)
    target = stage.desk / "printed.pdf"
    hand.click("PDF", "QTabBar")
    hand.click("Print…", "QToolButton")
    hand.window("Print")
    hand.click("filename", "QLineEdit")
    hand.chord("ctrl+a")
    hand.type(str(target))
    hand.click("Print", "QPushButton")
    hand.main_window()
    hand.until(lambda _: target.exists(), "the printed file")
    said = subprocess.run(["pdftotext", str(target), "-"], capture_output=True, text=True, check=True).stdout
    digits = "".join(letter for letter in said if letter.isdigit())
    assert f"{number:09}" in digits
    assert key in digits, "the key is text in the PDF"


def send_eight(hand: Hand, stage: Stage) -> None:
    """Select eight rows; save their XML as a ZIP, then copy them as files."""
    hand.click("Search", "SearchBox")
    hand.chord("ctrl+a", "BackSpace")
    hand.until(lambda view: len({cell.row for cell in view.cells(LIST)}) > _SENT, "the whole month")
    hand.at_rest()
    hand.click(lambda view: view.cells(LIST, 0)[0])
    hand.click(lambda view: view.cells(LIST, 0)[_SENT - 1], held=("shift",))
    view = hand.until(lambda view: sum(cell.selected for cell in view.cells(LIST, 0)) == _SENT, "eight selected rows")
    names = [cell.text for cell in view.cells(LIST, 0) if cell.selected]
    keys = _keys_of(stage, names)
    target = stage.desk / "eight.zip"
    hand.click(lambda view: next(found for found in view.matching("Save XML", "QToolButton") if found.text == "XML"))
    hand.click("As one ZIP…", "QMenu")
    answer_file_dialog(hand, target)
    hand.until(lambda view: target.exists() and not view.facts["jobs"], "the ZIP")
    assert checked_zip(target) == keys
    hand.click("Copy files, to paste them into a folder or an e-mail", "QToolButton")
    view = hand.until(lambda view: len(view.facts["clipboard"]) == _SENT, "eight files in the clipboard")
    for path in map(Path, view.facts["clipboard"]):
        (key,) = (key for key in keys if key in path.name)
        assert path.read_bytes() == stage.xml_of(key), f"{path.name} is not what was archived"


def export_month(hand: Hand, stage: Stage) -> None:
    """The verdict first, then the packages."""
    hand.click("Export the month…", "QToolButton")
    hand.window("Export the month")
    hand.until(lambda view: view.has("{month}, all documents: {contents}"), "the verdict")
    hand.click("Write the package", "QPushButton")
    hand.main_window()
    exports = stage.home / "exports"
    hand.until(lambda view: len(list(exports.glob("*.zip"))) == 2 and not view.facts["jobs"], "two packages")
    wanted = {row["access_key"] for row in stage.told("list", "--month", MONTH)["documents"]}
    packed = set()
    for package in exports.glob("*.zip"):
        checked_zip(package)
        packed |= {entry["access_key"] for entry in _files(package) if entry["kind"] in ("nfe", "cte")}
    assert packed == wanted, f"in the packages: {len(packed)}, in the archive: {len(wanted)}"


def answer_file_dialog(hand: Hand, path: Path) -> None:
    """Type the path into the system's file dialog, and Enter."""
    hand.until(_asks_for_file, "the file dialog")
    hand.at_rest()
    hand.chord("ctrl+a")
    hand.type(str(path))
    hand.chord("Return")
    hand.main_window()


def checked_zip(path: Path) -> set[str]:
    """`unzip -t` finds no fault; the access keys of the XML files in it."""
    done = subprocess.run(["unzip", "-t", str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    with zipfile.ZipFile(path) as packed:
        return {name.rsplit("/", 1)[-1][:44] for name in packed.namelist() if name.endswith(".xml")}


def _asks_for_file(view: View) -> bool:
    return view.window(view.facts["active"]).get("class") == "QFileDialog" and view.focus.get("class") == "QLineEdit"


def _keys_of(stage: Stage, names: list[str]) -> set[str]:
    rows = stage.told("list", "--month", MONTH)["documents"]
    return {row["access_key"] for row in rows if f"{row['series']}/{row['number']}" in names}


def _files(package: Path) -> list[dict[str, str]]:
    """What the manifest beside the package says of its files."""
    found: list[dict[str, str]] = json.loads(package.with_suffix(".manifest.json").read_text())["files"]
    return found
