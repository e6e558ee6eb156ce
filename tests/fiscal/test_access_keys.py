"""Access keys: the check digit, the parts, and what must never be done to a key."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from confere.fiscal import access_keys
from tests.fiscal import made

REAL = "35180834128745000152550010000476861118934859"

digits = st.text("0123456789", min_size=1)
key_starts = st.builds(
    lambda head, emitter, tail: head + emitter + tail,
    st.text("0123456789", min_size=6, max_size=6),
    st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=12, max_size=12),
    st.text("0123456789", min_size=25, max_size=25),
)


def test_parts_of_a_real_key() -> None:
    parts = access_keys.parse(REAL)
    assert parts is not None
    assert (parts.uf_code, parts.year_month, parts.period) == ("35", "1808", "2018-08")
    assert (parts.emitter, parts.model, parts.series, parts.number) == ("34128745000152", "55", 1, 47686)
    assert (parts.emission_type, parts.code, parts.check_digit) == ("1", "11893485", "9")
    assert parts.check_digit_holds


@settings(deadline=None)
@given(key_starts)
def test_check_digit_agrees_with_the_obvious_computation_letters_included(first: str) -> None:
    key = first + access_keys.check_digit(first)
    assert key[43] == made.check_digit(first)
    assert access_keys.is_valid(key)
    parts = access_keys.parse(key)
    assert parts is not None
    assert parts.check_digit_holds
    assert parts.emitter_field == key[6:20]
    rebuilt = (
        f"{parts.uf_code}{parts.year_month}{parts.emitter_field}{parts.model}{parts.series:03d}"
        f"{parts.number:09d}{parts.emission_type}{parts.code}{parts.check_digit}"
    )
    assert rebuilt == key


@settings(deadline=None)
@given(key_starts, st.integers(0, 42), st.sampled_from("0123456789"))
def test_one_changed_digit_is_noticed(first: str, position: int, digit: str) -> None:
    if first[position] == digit or not first[position].isdecimal():
        return
    changed = first[:position] + digit + first[position + 1 :]
    # Remainders 0 and 1 share the digit 0: the one collision that modulus 11 knows.
    if access_keys.check_digit(first) != "0":
        assert access_keys.check_digit(changed) != access_keys.check_digit(first)


@pytest.mark.parametrize("key", ["", REAL[:-3], REAL + "1", "NFe" + REAL, "A" + REAL[1:], REAL[:18] + "A" + REAL[19:]])
def test_no_key_is_none(key: str) -> None:
    assert access_keys.parse(key) is None
    assert not access_keys.is_valid(key)


def test_an_ordinary_letter_of_another_script_is_no_digit() -> None:
    assert access_keys.parse("٣" + REAL[1:]) is None


@pytest.mark.parametrize("first", ["123", "é" * 43])
def test_check_digit_refuses_what_is_no_key(first: str) -> None:
    with pytest.raises(ValueError):
        access_keys.check_digit(first)


def test_cpf_of_an_individual_is_unpadded() -> None:
    parts = access_keys.parse(made.access_key(emitter=made.RECIPIENT, series=920))
    assert parts is not None
    assert parts.emitter_field == "000" + made.RECIPIENT
    assert parts.emitter == made.RECIPIENT


def test_lettered_cnpj_is_kept_whole() -> None:
    parts = access_keys.parse(made.access_key(emitter=made.LETTERED))
    assert parts is not None
    assert parts.emitter == made.LETTERED


@pytest.mark.parametrize(
    ("id_attribute", "expected"),
    [
        (f"NFe{REAL}", REAL),
        (f"CTe{REAL}", REAL),
        (f" MDFe{REAL}\n", REAL),
        (REAL, REAL),
        ("NFe" + REAL[:41], REAL[:41]),
        (f"NFe{REAL}9", REAL + "9"),
        ("Test", "Test"),
        ("", None),
        ("  ", None),
    ],
)
def test_find_cuts_the_prefix_and_nothing_else(id_attribute: str, expected: str | None) -> None:
    assert access_keys.find(id_attribute) == expected


def test_normalise_takes_a_key_as_people_paste_it() -> None:
    key = made.access_key(emitter=made.LETTERED)
    pasted = " ".join(key[start : start + 4] for start in range(0, 44, 4)).lower()
    assert access_keys.normalise(f"\n{pasted}\t") == key


def test_the_authority_numbers_as_its_own_the_notes_that_it_issues() -> None:
    assert [series for series in ("1", "889", "890", "899", "900") if access_keys.names_authority("55", series)] == [
        "890",
        "899",
    ]
    for model, series in (("65", "890"), ("57", "890"), (None, "890"), ("55", None), ("55", "0890"), ("55", "89O")):
        assert not access_keys.names_authority(model, series)
