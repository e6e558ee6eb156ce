"""Both palettes: every colour that carries text can be read on what it stands on."""

from __future__ import annotations

import pytest

from confere.desktop.theme.palettes import DARK, LIGHT, Colours, contrast
from confere.desktop.theme.theme import style_sheet

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
