"""Every sheet, column and row of the ledger of notes written by hand; and the columns where a world has all sheets."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.app.context import Workspace
from tests.app import filed_worlds
from tests.app.closing.closing_world import COMPANY as SELLER
from tests.app.filed_worlds import COMPANY, MONTH, SIMPLES
from tests.app.ledger.sheet_text import text_of
from tests.archive.papers import store

EXPECTED = Path(__file__).parent / "expected"


def same(text: str, name: str, tmp_path: Path) -> None:
    """Whether it is what `expected` has; what it is now is kept below `tmp_path`, to be looked at and taken over."""
    (tmp_path / name).write_text(text, encoding="utf-8", newline="\n")
    assert text == (EXPECTED / name).read_text(encoding="utf-8"), tmp_path / name


@pytest.mark.parametrize(("company", "name"), [(COMPANY, "company.txt"), (SIMPLES, "simples.txt")])
def test_every_row_of_notes_written_by_hand(tmp_path: Path, company: str, name: str) -> None:
    workspace = Workspace.at(tmp_path / "home")
    with workspace.writing("test") as archive:
        store(archive, *filed_worlds.notes_by_hand())
    same(text_of(workspace, company, MONTH, rows=True), name, tmp_path)


def test_every_column_of_a_month_that_was_reconciled(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> None:
    world = filed_worlds.made(tmp_path_factory, "closing")
    same(text_of(world.workspace, SELLER, "2026-01", rows=False), "reconciled.txt", tmp_path)


def test_regimes_are_counted_in_their_order(tmp_path: Path) -> None:
    """A company that left the Simples Nacional within the month."""
    workspace = Workspace.at(tmp_path / "home")
    notes = filed_worlds.notes_by_hand()
    changed = [data.replace(b"<CRT>3</CRT>", b"<CRT>1</CRT>") if b"<nNF>108</nNF>" in data else data for data in notes]
    with workspace.writing("test") as archive:
        store(archive, *changed)
    text = text_of(workspace, COMPANY, MONTH, rows=True)
    assert "   Regime (CRT), by own documents = 1 (1), 3 (7)\n" in text
    assert "revenue | 1 | inside | ordinary | ordinary | 1 | 1 | 10000\n" in text
