"""The chart: what its bars are, how it is read by keyboard and mouse, and that it follows the palette."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from confere.app.overview.overview import DocumentTotals, Slice
from confere.desktop.overview.chart import BarMeasure, DayChart, _lines, _round_up
from confere.desktop.overview.chart_data import Bar, BarPart, bars_of, name_of, sentence, short_name
from confere.desktop.services import Services
from confere.desktop.theme.palettes import DARK, LIGHT
from confere.system import messages

SLICES = (
    Slice("2026-10-05", "nfe", DocumentTotals(3, 30_000, 1, 500)),
    Slice("2026-10-05", "cte", DocumentTotals(1, 2_000, 0, 0)),
    Slice("2026-10-31", "nfe", DocumentTotals(0, 0, 2, 900)),
)


@pytest.fixture
def chart(qtbot: QtBot, services: Services) -> DayChart:
    made = DayChart(services.look)
    qtbot.addWidget(made)
    made.resize(700, 260)
    made.put(bars_of(SLICES, "2026-10", {"2026-10-30"}))
    made.show()
    return made


def test_a_month_has_a_bar_for_each_of_its_days() -> None:
    bars = bars_of(SLICES, "2026-10", {"2026-10-30"})
    assert [bar.when for bar in bars] == [f"2026-10-{day:02d}" for day in range(1, 32)]
    assert bars[4] == Bar("2026-10-05", (BarPart("nfe", 3, 30_000), BarPart("cte", 1, 2_000)), 1)
    assert bars[30] == Bar("2026-10-31", (), 2)  # nothing but what is void
    assert [bar.when for bar in bars if bar.unlisted] == ["2026-10-30"]
    assert len(bars_of((), "2028-02", ())) == 29


def test_without_a_month_there_is_a_bar_for_each_month_between() -> None:
    slices = (Slice("2025-11", "nfe", DocumentTotals(1, 1, 0, 0)), Slice("2026-02", "nfe", DocumentTotals(1, 1, 0, 0)))
    bars = bars_of(slices, None, ())
    assert [(bar.when, bar.count) for bar in bars] == [("2025-11", 1), ("2025-12", 0), ("2026-01", 0), ("2026-02", 1)]
    assert (short_name(bars[0]), name_of(bars[0])) == ("11/25", "November 2025")
    assert bars_of((), None, ()) == ()


def test_a_bar_in_words() -> None:
    five, last = (bars_of(SLICES, "2026-10", {"2026-10-31"})[place] for place in (4, 30))
    assert sentence(five) == "2026-10-05 · documents: 4 · R$ 320,00 · NF-e 3, CT-e 1 · without effect: 1"
    assert sentence(last) == "2026-10-31 · documents: 0 · R$ 0,00 · without effect: 2 · never listed whole"
    messages.set_language("pt_BR")
    assert sentence(five).startswith("05/10/2026 · ")


@pytest.mark.parametrize("highest", [0, 1, 3, 4, 5, 7, 19, 20, 21, 99, 101, 4_321, 9_999_999])
def test_the_scale_ends_above_and_its_lines_are_whole(highest: int) -> None:
    top = _round_up(highest)
    assert top >= max(highest, 1)
    assert top <= max(highest * 2, 4)
    assert top % _lines(top) == 0
    assert 1 <= _lines(top) <= 4


def test_the_arrow_keys_read_day_by_day(qtbot: QtBot, chart: DayChart) -> None:
    seen: list[Bar | None] = []
    chosen: list[Bar] = []
    chart.pointed.connect(seen.append)
    chart.chosen.connect(chosen.append)
    chart.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_End, Qt.Key.Key_Right, Qt.Key.Key_Left, Qt.Key.Key_Home):
        qtbot.keyClick(chart, key)
    assert [bar.when[8:] for bar in seen if bar] == ["01", "02", "31", "30", "01"]
    qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert [bar.when for bar in chosen] == ["2026-10-01"]
    assert chart.accessibleDescription() == sentence(chart.bars[0])
    qtbot.keyClick(chart, Qt.Key.Key_Escape)
    assert chart.current is None
    assert "arrow keys" in chart.accessibleDescription()


def test_the_mouse_points_and_chooses(qtbot: QtBot, chart: DayChart) -> None:
    chosen: list[Bar] = []
    chart.chosen.connect(chosen.append)
    where = chart.bar_rect(4).center().toPoint()
    qtbot.mouseMove(chart, where)
    assert chart.current == chart.bars[4]
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=where)
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=QPoint(2, 2))  # beside the bars
    assert [bar.when for bar in chosen] == ["2026-10-05"]


def test_heights_are_counts_or_worth_in_the_colours_of_the_palette(services: Services, chart: DayChart) -> None:
    def ink(x: float, y: float) -> QColor:
        return QColor(chart.grab().toImage().pixel(round(x), round(y)))

    room = chart.bar_rect(4)
    # Of four documents three are NF-e: at 70 % of the height of the highest bar stands NF-e, at 80 % CT-e.
    low, high = room.bottom() - room.height() * 0.70, room.bottom() - room.height() * 0.80
    assert ink(room.center().x(), low) == QColor(LIGHT.accent)
    assert ink(room.center().x(), high) != QColor(LIGHT.accent)
    services.look.use("dark")
    assert ink(room.center().x(), low) == QColor(DARK.accent)
    chart.measure(BarMeasure.WORTH)
    room = chart.bar_rect(4)  # the scale is wider now: R$ 400
    assert ink(room.center().x(), room.bottom() - room.height() * 0.72) == QColor(DARK.accent)


def test_a_chart_of_nothing_is_painted_too(qtbot: QtBot, chart: DayChart) -> None:
    chart.put(())
    assert not chart.grab().isNull()
    qtbot.keyClick(chart, Qt.Key.Key_Right)
    assert chart.current is None


def test_what_is_pointed_at_stays_when_the_bars_change(chart: DayChart) -> None:
    chart.point(4)
    chart.put(bars_of(SLICES[:1], "2026-10", ()))
    assert chart.current is not None
    assert (chart.current.when, chart.current.count) == ("2026-10-05", 3)
    chart.put(bars_of((), "2026-09", ()))
    assert chart.current is None
