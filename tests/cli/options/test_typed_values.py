"""What people type is understood, and what makes no sense is refused by name."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.app.documents.search import typed_days
from confere.app.labels import reconciliation_labels
from confere.cli.options import option_words, typed_values
from confere.errors import UsageFault
from confere.fiscal.model import State
from confere.sales.findings import Severity


@pytest.fixture(autouse=True)
def day_of_the_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typed_days, "today", lambda: date(2026, 11, 26))


@pytest.mark.parametrize("text", ["2026-10-31", "31/10/2026", " 2026-10-31 ", "31/10", "31/10/26", "31-10-2026"])
def test_a_day_is_written_in_many_ways(text: str) -> None:
    assert typed_values.day(text) == date(2026, 10, 31)


def test_without_a_year_it_is_the_newest_that_was_or_the_next() -> None:
    assert typed_values.day("26/11") == typed_values.day("26/11", coming=True) == date(2026, 11, 26)
    assert typed_values.day("27/11") == date(2025, 11, 27)
    assert typed_values.day("25/11", coming=True) == date(2027, 11, 25)
    assert typed_values.day("29/02") == date(2024, 2, 29)
    assert typed_values.day("29/02", coming=True) == date(2028, 2, 29)


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("outubro", "2026-10"), ("OUT", "2026-10"), ("out.", "2026-10"), ("out/2025", "2025-10"),
        ("out 2025", "2025-10"), ("outubro de 2025", "2025-10"), ("october", "2026-10"), ("octubre 2025", "2025-10"),
        ("novembro", "2026-11"), ("dezembro", "2025-12"), ("março", "2026-03"), ("out/25", "2025-10"),
    ],
)  # fmt: skip
def test_a_month_has_a_name(text: str, month: str) -> None:
    assert typed_values.month(text) == month


@pytest.mark.parametrize(
    "text", ["", "2026-13-01", "31/02/2026", "10/31/2026", "2026", "2026-10-31T10:00", "٢٠٢٦-١٠-٣١"]
)
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(UsageFault, match="is not a day"):
        typed_values.day(text)


@given(st.dates(date(1990, 1, 1), date(2199, 12, 31)))
def test_every_day_is_read_back(day: date) -> None:
    assert typed_values.day(day.isoformat()) == day
    assert typed_values.day(f"{day.day}/{day.month:02d}/{day.year:04d}") == day
    assert typed_values.month(f"{day.month}/{day.year:04d}") == day.isoformat()[:7]


@pytest.mark.parametrize("text", ["2026-00", "13/2026", "2026-10-01", "octo", "outono", "0000-10", "27/10"])
def test_what_is_no_month_is_refused(text: str) -> None:
    with pytest.raises(UsageFault, match="is not a month"):
        typed_values.month(text)


def test_days_are_local_and_included() -> None:
    days = typed_values.days("2026-10-01", "31/10/2026", None)
    assert days.begins_at is not None
    assert days.ends_at is not None
    assert days.begins_at.astimezone(UTC) == datetime(2026, 10, 1, 3, tzinfo=UTC)
    assert days.ends_at.astimezone(UTC) == datetime(2026, 11, 1, 2, 59, 59, 999999, tzinfo=UTC)
    assert (days.from_day, days.to_day) == ("2026-10-01", "2026-10-31")


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-10-31", "2026-10-31T15:00:00+00:00"),
        ("31/10/2026 14:05", "2026-10-31T17:05:00+00:00"),
        ("2026-10-31T14:05:09", "2026-10-31T17:05:09+00:00"),
        ("2026-10-31T14:05:09Z", "2026-10-31T14:05:09+00:00"),
        (" 2026-10-31 14:05+00:00 ", "2026-10-31T14:05:00+00:00"),
    ],
)
def test_a_moment_is_brasilias_unless_it_says_its_zone(text: str, utc: str) -> None:
    assert typed_values.moment("--at", text).astimezone(UTC).isoformat() == utc


@pytest.mark.parametrize(
    "text", ["", "now", "2026-10-31T25:00", "2026-02-30 10:00", "14:05", "0226-10-31", "9999-12-31T23:00", "0001-01-01"]
)
def test_what_is_no_moment_is_refused(text: str) -> None:
    with pytest.raises(UsageFault, match="--at cannot be"):
        typed_values.moment("--at", text)


def test_a_month_is_its_days() -> None:
    assert typed_values.days(None, None, "2024-02") == typed_values.Days(date(2024, 2, 1), date(2024, 2, 29))
    assert typed_values.days(None, None, None) == typed_values.Days()
    assert typed_values.Days().begins_at is typed_values.Days().ends_at is None
    open_end = typed_values.days("2026-10-01", None, None)
    assert open_end.ends_at is None
    assert open_end.to_day is None


def test_days_that_contradict_are_refused() -> None:
    with pytest.raises(UsageFault, match="after the last"):
        typed_values.days("2026-10-02", "2026-10-01", None)
    with pytest.raises(UsageFault, match="both days"):
        typed_values.days("2026-10-02", None, "2026-10")


def test_a_tax_id_loses_its_mask_and_keeps_its_letters() -> None:
    assert typed_values.tax_id("12.ABC.345/01DE-35") == "12ABC34501DE35"
    assert typed_values.tax_id("11.444.777/0001-61") == "11444777000161"
    with pytest.raises(UsageFault, match="check digits"):
        typed_values.tax_id("11.444.777/0001-62")


def test_choices_are_named_when_one_is_wrong() -> None:
    assert typed_values.choices("--type", ["NFE,cte", "nfe"], ("nfe", "cte")) == ("nfe", "cte")
    assert typed_values.choices("--type", None, ("nfe",)) == ()
    with pytest.raises(UsageFault, match=r"--type cannot be x.*nfe, cte"):
        typed_values.choices("--type", ["nfe", "x"], ("nfe", "cte"))


def test_patterns_are_filled_in_for_shells_that_do_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("b.xml", "a.xml", "c.txt", "[odd].xml"):
        (tmp_path / name).touch()
    assert typed_values.paths([tmp_path / "?.xml"]) == [tmp_path / "a.xml", tmp_path / "b.xml"]
    assert typed_values.paths([tmp_path / "[odd].xml"]) == [tmp_path / "[odd].xml"]
    assert typed_values.paths([tmp_path / "no*"]) == [tmp_path / "no*"]
    monkeypatch.chdir(tmp_path)
    assert typed_values.paths([Path("*.txt")]) == [Path("c.txt")]


def test_a_path_that_cannot_be_looked_at_is_left_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(self: Path) -> bool:
        raise PermissionError(self)

    monkeypatch.setattr(Path, "exists", closed)
    assert typed_values.paths([tmp_path / "a*.xml"]) == [tmp_path / "a*.xml"]


def test_words_in_another_encoding_are_written_out_and_paths_are_not() -> None:
    path = Path("nota-\udce7.xml")
    assert typed_values.words("a\udce7ção") == "a\\udce7ção"
    assert typed_values.words(["\ud800", "b", path]) == ["\\ud800", "b", path]
    assert typed_values.words(path) is path
    assert typed_values.words(None) is None
    assert typed_values.words(7) == 7


def test_values_are_taken_by_the_words_on_the_screen_in_every_language() -> None:
    words = option_words.of_field("state")
    states = tuple(State)
    for typed, code in {
        "cancelled": State.CANCELLED,
        "Cancelada": State.CANCELLED,
        "canceladas": State.CANCELLED,
        "substituida": State.REPLACED,
        "sustituida": State.REPLACED,
        "SUBSTITUÍDA": State.REPLACED,
        "cancelada fora do prazo": State.CANCELLED_LATE,
        "cancelled-late": State.CANCELLED_LATE,
        "cancelled_late": State.CANCELLED_LATE,
    }.items():
        assert typed_values.choice("--state", typed, states, words) is code, typed
    both = typed_values.choices("--state", ["autorizada,cancelada"], states, words)
    assert both == (State.AUTHORIZED, State.CANCELLED)
    with pytest.raises(UsageFault, match=r"Choose one of: authorized, .*cancelled-late"):
        typed_values.choice("--state", "gone", states, words)


def test_a_word_may_have_a_comma_of_its_own() -> None:
    words = {"A": ("paid, to be invoiced",), "B": ("invoiced",)}
    for typed in ("paid, to be invoiced", "paid-to-be-invoiced", "A"):
        assert typed_values.choices("--status", [typed], ("A", "B"), lambda code: words[code]) == ("A",)
    assert typed_values.choices("--status", ["invoiced,A"], ("A", "B"), lambda code: words[code]) == ("B", "A")


def test_labels_are_taken_in_every_language() -> None:
    words = option_words.of_labels(reconciliation_labels.SEVERITIES)
    for typed in ("high", "alta", "ALTA"):
        assert typed_values.choice("--severity", typed, tuple(Severity), words) is Severity.HIGH
    assert typed_values.choice("--severity", "media", tuple(Severity), words) is Severity.MEDIUM
