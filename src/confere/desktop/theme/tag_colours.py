"""The colours of tags: eight that are told apart, light and dark, each with contrast of 3:1 to what is behind it."""

from __future__ import annotations

from typing import Final

from confere.desktop.theme.palettes import Colours

LIGHT: Final = ("#2563c9", "#b3341f", "#23804a", "#8a4fc4", "#a86500", "#0f7f8c", "#bb3d80", "#5b6675")
DARK: Final = ("#7fb0f5", "#ff8d78", "#74d09a", "#c3a0f2", "#e7b35a", "#5fcbd6", "#f08fbf", "#aab4c2")


def tag_colour(number: int, colours: Colours) -> str:
    """The colour of this number, as `#rrggbb`; numbers beyond the last begin anew."""
    chosen = DARK if colours.is_dark else LIGHT
    return chosen[number % len(chosen)]
