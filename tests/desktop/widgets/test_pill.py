"""States in columns: no word is cut off in any language, and the whole of a short one is told."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from confere.app.labels.labels import state_word
from confere.desktop.documents.columns import COLUMNS
from confere.desktop.theme.measures import GAP
from confere.desktop.widgets.pill import brief_state
from confere.fiscal.document_models import State
from confere.system.messages import set_language


@pytest.fixture(params=["pt_BR", "es", "en"])
def _language(request: pytest.FixtureRequest) -> Iterator[None]:
    set_language(request.param)
    yield
    set_language("en")


@pytest.mark.usefixtures("_language")
def test_no_state_is_cut_off_in_the_list_of_documents(qapp: QApplication) -> None:
    (column,) = (column for column in COLUMNS if column.key == "state")
    font = qapp.font()
    font.setPointSizeF(font.pointSizeF() * 0.92)  # that of a pill
    for state in State:
        word = brief_state(state.value)
        assert QFontMetrics(font).horizontalAdvance(word) + 4 * GAP <= column.width, word


def test_only_the_longest_are_shortened() -> None:
    shortened = {state for state in State if brief_state(state.value) != state_word(state.value)}
    assert shortened == {State.UNREGISTERED, State.CANCELLED_LATE}
