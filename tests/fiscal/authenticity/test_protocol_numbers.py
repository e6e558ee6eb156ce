"""The number of a protocol against the key and the date of its answer: what cannot be, and what nobody knows."""

from __future__ import annotations

import pytest

from confere.fiscal.authenticity import digests
from confere.fiscal.authenticity.protocol_numbers import CLAIMED_LINE, checked
from confere.fiscal.authenticity.verdict import Result

KEY = "35260811222333000181550010000000111123456783"
AT = "2026-08-07T10:16:00-03:00"
GOOD = "135260000000001"


def result(number: str | None, at: str = AT, key: str | None = KEY, **more: str) -> Result:
    answer = {"dhRecbto": at, **more} | ({} if number is None else {"nProt": number})
    line = checked(CLAIMED_LINE, answer, key)
    assert (line is CLAIMED_LINE) is (line.result is Result.OK)
    return line.result


OK, FAILED, UNCHECKED = Result.OK, Result.FAILED, Result.UNCHECKED


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (GOOD, OK),
        (GOOD + "1", OK),
        (GOOD + "12", OK),
        (None, UNCHECKED),
        ("", FAILED),
        (GOOD[:-1], FAILED),
        (GOOD + "123", FAILED),
        (GOOD[:-1] + "x", FAILED),
        (GOOD[:-1] + "٣", FAILED),
    ],
)
def test_a_number_has_15_to_17_digits(number: str | None, expected: Result) -> None:
    assert result(number) is expected


@pytest.mark.parametrize(
    ("year", "at", "expected"),
    [
        ("26", AT, OK),
        ("27", AT, FAILED),
        ("25", AT, FAILED),
        ("26", "2026-12-31T23:00:00-03:00", OK),
        ("27", "2026-12-31T23:00:00-03:00", OK),  # clocks part at New Year
        ("27", "2026-12-30T23:00:00-03:00", FAILED),
        ("26", "2027-01-01T00:10:00-03:00", OK),
        ("26", "2027-01-02T00:10:00-03:00", FAILED),
        ("26", "", OK),
        ("27", "soon", OK),  # after the key's own year, and no date to hold it against
        ("26", "0001-01-01", OK),
        ("26", "9999-12-31", OK),
    ],
)
def test_its_year_is_the_answers(year: str, at: str, expected: Result) -> None:
    assert result(f"135{year}0000000001", at) is expected


@pytest.mark.parametrize(
    ("month", "year", "expected"),
    [("08", "25", FAILED), ("02", "25", FAILED), ("01", "25", OK), ("01", "24", FAILED), ("08", "26", OK)],
)
def test_its_year_is_not_before_the_keys(month: str, year: str, expected: Result) -> None:
    assert result(f"135{year}0000000001", "", KEY[:4] + month + KEY[6:]) is expected


def test_the_answer_of_an_event_has_its_own_date() -> None:
    assert result("135270000000001", "", None, dhRegEvento=AT) is FAILED
    assert result("135270000000001", "", None) is OK
    assert result("135270000000001", "", "35é") is OK


@pytest.mark.parametrize(
    ("state", "more", "emission", "expected"),
    [
        ("35", {}, "1", OK),
        ("33", {}, "1", UNCHECKED),
        ("91", {}, "1", OK),  # the national environment
        ("90", {}, "1", OK),
        ("92", {}, "1", OK),
        ("93", {}, "1", UNCHECKED),
        ("33", {"cOrgao": "33"}, "1", OK),
        ("33", {"cUF": "33"}, "1", OK),
        ("33", {"cUF": "31"}, "1", UNCHECKED),
        *(("33", {}, emission, OK) for emission in "3678"),
        *(("33", {}, emission, UNCHECKED) for emission in "2459"),
    ],
)
def test_another_state_than_the_keys_is_not_known_to_be_wrong(
    state: str, more: dict[str, str], emission: str, expected: Result
) -> None:
    key = KEY[:34] + emission + KEY[35:]
    assert result(f"1{state}260000000001", key=key, **more) is expected
    assert result(f"1{state}260000000001", key=None, **more) is OK


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ("QUJD", "QUJD", True),
        ("QUJD", " QU\nJD ", True),
        ("QUJD", "QUJE", False),
        ("QUJ", "QUJ", True),  # no base64, compared as text
        ("QUJ", "QUJD", False),
        ("QUJD", "é", False),
        ("QUI=", "QUI", False),
    ],
)
def test_digests_are_compared_as_bytes(one: str, other: str, are_same: bool) -> None:
    assert digests.are_same(one, other) is are_same
    assert digests.are_same(other, one) is are_same
