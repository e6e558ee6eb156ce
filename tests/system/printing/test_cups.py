"""What `lp` is given: the PDF itself, with copies, pages, sides and paper."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from confere.errors import EnvironmentFault
from confere.system.printing import cups
from confere.system.printing.cups import PaperSides, PrintTicket
from tests.system.printing.spooler import Spooler

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no CUPS")


def test_the_pdf_is_handed_over_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spooler = Spooler(tmp_path / "spool", monkeypatch)
    ticket = PrintTicket(
        "-note-danfe", "Sala 2", copies=3, pages=(1, 2, 3, 5, 8, 9), paper="A4", sides=PaperSides.LONG_EDGE,
        is_collated=False, is_grey=True, fits=True,
    )  # fmt: skip
    assert cups.is_there() and cups.send(b"%PDF-1.7 text", ticket)
    *options, file = spooler.arguments
    assert options == [
        *("-t", "-note-danfe", "-d", "Sala 2", "-n", "3", "-P", "1-3,5,8-9", "-o", "media=A4"),
        *("-o", "sides=two-sided-long-edge", "-o", "collate=false", "-o", "print-color-mode=monochrome"),
        *("-o", "fit-to-page=true", "-o", "print-scaling=fit"),
    ]
    assert spooler.printed == b"%PDF-1.7 text" and spooler.rights == "-rw-------"
    assert not Path(file).exists(), "the paper has data of persons: nothing of it stays behind"


def test_what_nobody_chose_is_left_to_the_printer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spooler = Spooler(tmp_path / "spool", monkeypatch)
    assert cups.send(b"%PDF", PrintTicket("note"))
    assert spooler.arguments[:-1] == ["-t", "note"]


def test_a_spooler_that_refuses_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spooler = Spooler(tmp_path / "spool", monkeypatch, code=1)
    assert not cups.send(b"%PDF", PrintTicket("note"))
    assert not Path(spooler.arguments[-1]).exists()


def test_a_spooler_that_is_gone_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert not cups.is_there()
    with pytest.raises(EnvironmentFault, match="does not answer"):
        cups.send(b"%PDF", PrintTicket("note"))


@pytest.mark.parametrize(
    ("pages", "text"), [((), ""), ((4,), "4"), ((1, 2), "1-2"), ((3, 1, 2, 2), "1-3"), ((1, 3, 5), "1,3,5")]
)
def test_pages_are_named_in_ranges(pages: tuple[int, ...], text: str) -> None:
    assert cups.ranges(pages) == text
