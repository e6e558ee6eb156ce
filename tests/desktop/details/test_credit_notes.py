"""A credit note in the details: its purpose with its type, what it was told by, and the marketplace that it names."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from tests.archive.papers import key
from tests.archive.test_credit_notes import ADVANCE, PARTLY
from tests.desktop.conftest import Made
from tests.desktop.details_made import Shown, bring_in, one


def test_a_credit_note_says_of_what_type_it_is(qtbot: QtBot, made: Made, no_pdfs: None, tmp_path: Path) -> None:
    shown = Shown(qtbot, made.services)
    bring_in(made.services, tmp_path / "files", PARTLY, ADVANCE)
    shown.show(one(made.services, access_key=key(3)).id)
    told = shown.panel.summary.toPlainText()
    assert "credit note: Return of a delivery refused in part" in told
    assert "11.444.777/0001-61" in told
    assert "return of a sale" in told
    shown.show(one(made.services, access_key=key(5)).id)
    told = shown.panel.summary.toPlainText()
    assert "debit note: Payment in advance" in told
    assert "prepayment" in told
