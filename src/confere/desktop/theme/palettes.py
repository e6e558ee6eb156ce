"""The two complete palettes, light and dark, as named colours; every pair that carries text has contrast of 4.5:1."""

from __future__ import annotations

from typing import NamedTuple

SHEET = "#ffffff"
"""Paper, as printed: a PDF's page stays white in either palette."""


class Colours(NamedTuple):
    """Colours by what they are for, as `#rrggbb`. A `…_soft` is a background for text of the colour it is named for."""

    window: str  # behind everything
    surface: str  # lists, cards, fields
    raised: str  # heads of lists, bars, hovered rows
    line: str  # borders that part things without asking for attention
    strong_line: str  # borders of controls
    text: str
    muted: str  # second-rank text
    accent: str
    on_accent: str
    accent_soft: str  # selected rows and the page in use
    good: str
    good_soft: str
    warn: str
    warn_soft: str
    bad: str
    bad_soft: str
    info: str
    info_soft: str
    neutral_soft: str
    # Bars of a chart beside those in the accent: contrast of 3:1 with the surface, and told apart by who cannot tell
    # red from green.
    bar_cte: str
    bar_nfce: str
    bar_mdfe: str
    bar_cteos: str
    is_dark: bool


LIGHT = Colours(
    window="#f4f5f7",
    surface="#ffffff",
    raised="#eceef2",
    line="#dfe2e8",
    strong_line="#b9bfca",
    text="#1b2430",
    muted="#566172",
    accent="#1d5fbf",
    on_accent="#ffffff",
    accent_soft="#dce8fa",
    good="#14693a",
    good_soft="#dcf2e3",
    warn="#7d4c00",
    warn_soft="#fbecc9",
    bad="#ad1f2b",
    bad_soft="#fbe0e2",
    info="#1d5fbf",
    info_soft="#dce8fa",
    neutral_soft="#e6e9ee",
    bar_cte="#2f9c8a",
    bar_nfce="#8264c8",
    bar_mdfe="#b0760f",
    bar_cteos="#c0568f",
    is_dark=False,
)

DARK = Colours(
    window="#15191f",
    surface="#1c2129",
    raised="#262c36",
    line="#2f3743",
    strong_line="#4d5867",
    text="#e5e9ef",
    muted="#9eaaba",
    accent="#7fb0f5",
    on_accent="#0d1a2d",
    accent_soft="#25405f",
    good="#7fd6a2",
    good_soft="#1c3a2a",
    warn="#efc06a",
    warn_soft="#40320f",
    bad="#ff9aa2",
    bad_soft="#4a2227",
    info="#8fbaf7",
    info_soft="#223a59",
    neutral_soft="#2d343f",
    bar_cte="#57c4b0",
    bar_nfce="#ae97ee",
    bar_mdfe="#dba94a",
    bar_cteos="#e28cbb",
    is_dark=True,
)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG 2.1, from 1 to 21."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
