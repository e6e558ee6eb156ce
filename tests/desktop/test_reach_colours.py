"""Colours come from the palettes: no page has one of its own, and every label is written in one of theirs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from confere.desktop.theme.palettes import DARK, LIGHT, Colours, contrast
from confere.desktop.theme.theme import FIXED_DARK, FIXED_LIGHT
from tests.conftest import ROOT
from tests.desktop import reaching
from tests.desktop.conftest import Made
from tests.desktop.reaching import every_scene, open_main, where

PAGES = ROOT / "src" / "confere" / "desktop"
OF_ITS_OWN = re.compile(
    r"#[0-9a-fA-F]{6}\b|QColor\(\s*\d|GlobalColor\.(?!transparent)|\bqRgb|fromRgb|fromHsl|setNamedColor"
)
TEXT_ON = 4.5
BAR_ON = 3.0


def test_no_page_has_a_colour_of_its_own() -> None:
    found = [
        f"{file.relative_to(PAGES)}: {line.strip()}"
        for file in sorted(PAGES.rglob("*.py"))
        if not file.is_relative_to(PAGES / "theme")
        for line in file.read_text(encoding="utf-8").splitlines()
        if OF_ITS_OWN.search(line)
    ]
    assert found == []


def test_the_style_sheet_has_no_colour_of_its_own() -> None:
    sheet = Path(ROOT / "resources" / "theme" / "confere.qss").read_text(encoding="utf-8")
    assert not OF_ITS_OWN.findall(sheet)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("bar", ["bar_cte", "bar_nfce", "bar_mdfe", "bar_cteos", "accent"])
def test_bars_stand_out(colours: Colours, bar: str) -> None:
    assert contrast(getattr(colours, bar), colours.surface) >= BAR_ON


@pytest.mark.usefixtures("no_pdfs")
def test_labels_are_written_in_colours_of_the_palette(qtbot: QtBot, made: Made) -> None:
    """Of the one in use: those of a window that was made in the light too, when it has grown dark."""
    main = open_main(qtbot, made.services)
    for appearance, colours in ((FIXED_LIGHT, LIGHT), (FIXED_DARK, DARK)):
        made.services.look.use(appearance)
        known = {value for name, value in colours._asdict().items() if name != "is_dark"}
        seen: set[str] = set()
        for name, shown in every_scene(qtbot, main, reaching.FILLED):
            for label in shown.findChildren(QLabel):
                if label.isVisibleTo(shown) and label.text():
                    ink = label.palette().color(label.foregroundRole()).name()
                    assert ink in known, (appearance, name, where(label))
                    seen.add(ink)
        assert {colours.text, colours.muted} <= seen
        assert min(contrast(ink, colours.surface) for ink in seen) >= TEXT_ON
