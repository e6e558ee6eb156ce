"""Both palettes: every colour that carries text can be read on what it stands on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from confere.desktop.theme.palettes import DARK, LIGHT, Colours, contrast
from confere.desktop.theme.theme import FIXED_DARK, FIXED_LIGHT, style_sheet
from tests.desktop.conftest import Made

READABLE = 4.5
PAIRS = [
    *(
        (ink, ground)
        for ink in ("text", "muted")
        for ground in ("window", "surface", "raised", "accent_soft", "neutral_soft")
    ),
    *((ink, ground) for ink in ("good", "warn", "bad", "info") for ground in ("window", "surface", f"{ink}_soft")),
    *(("accent", ground) for ground in ("window", "surface", "accent_soft")),
    ("on_accent", "accent"),
]


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_text_stands_out(colours: Colours, ink: str, ground: str) -> None:
    assert contrast(getattr(colours, ink), getattr(colours, ground)) >= READABLE


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_the_style_sheet_names_only_colours_that_there_are(colours: Colours) -> None:
    sheet = style_sheet(colours)
    assert "$" not in sheet
    assert all(getattr(colours, name) in sheet for name in ("text", "accent"))


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_drawings_have_the_colours_of_what_they_stand_on(colours: Colours) -> None:
    """A picture in a style sheet has no colour of the palette by itself; Qt's own ticks are coarse on fine screens."""
    drawings = {
        Path(url).stem.partition("-")[0]: Path(url) for url in re.findall(r'url\("(.+?)"\)', style_sheet(colours))
    }
    assert drawings.keys() >= {"tick", "check", "dot"}
    for name, ink in {"tick": colours.on_accent, "dot": colours.on_accent, "check": colours.text}.items():
        assert ink in drawings[name].read_text(encoding="utf-8")


@pytest.mark.parametrize(("appearance", "colours"), [(FIXED_LIGHT, LIGHT), (FIXED_DARK, DARK)], ids=["light", "dark"])
def test_what_an_empty_field_asks_for_can_be_read(
    qtbot: QtBot, made_empty: Made, appearance: str, colours: Colours
) -> None:
    """Qt paints it in half the colour of the text where the style sheet names none."""
    made_empty.services.look.use(appearance)
    for made in (QLineEdit(), QPlainTextEdit()):
        qtbot.addWidget(made)
        made.setPlaceholderText("Name or CNPJ…")
        made.show()
        ink = made.palette().color(QPalette.ColorRole.PlaceholderText)
        assert (ink.name(), ink.alpha()) == (colours.muted, 255)
    assert contrast(colours.muted, colours.surface) >= READABLE
