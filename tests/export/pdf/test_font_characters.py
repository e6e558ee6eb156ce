"""Letters: what a plain PDF has stays, what it lacks is put as near as can be, and what is lost is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.export.pdf import font_characters


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Papelaria São João, nº 1 – “azul” €5…", "Papelaria São João, nº 1 – “azul” €5…"),
        ("≥ 10 → 20 − 5", ">= 10 -> 20 - 5"),
        ("Dvořák Łódź", "Dvorák Lódz"),
        ("ﬁo de ½ pol.", "fio de ½ pol."),
        ("a\u200bb\u00a0c\u2003d", "ab\u00a0c d"),
        ("中文", "??"),
        ("Why?", "Why?"),
    ],
)
def test_each_letter_becomes_the_nearest(text: str, shown: str) -> None:
    assert font_characters.latin(text) == shown


@pytest.mark.parametrize(("text", "lost"), [("São João", False), ("Łódź →", False), ("Why?", False), ("茶", True)])
def test_what_is_lost_is_known(text: str, lost: bool) -> None:
    assert font_characters.loses(text) is lost


@given(st.text())
def test_whatever_comes_can_be_written(text: str) -> None:
    font_characters.latin(text).encode(font_characters.ENCODING)
    assert font_characters.loses(text) or "?" in text or "?" not in font_characters.latin(text)
