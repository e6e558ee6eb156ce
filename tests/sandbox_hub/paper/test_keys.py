"""Access keys: composition, check digit by another computation, and keys published by others."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import nfelib
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox_hub.paper.document_factory import access_key, check_digit
from tests.sandbox_hub.paper.cases import BUYER, FREIGHT, LETTERS, SALE


def digit(body: str) -> int:
    """The rule as the manual words it: weights 2 to 9 from the right, ASCII less 48, 11 less the remainder."""
    total, weight = 0, 2
    for character in reversed(body):
        total += (ord(character) - 48) * weight
        weight = 2 if weight == 9 else weight + 1
    return 0 if total % 11 in (0, 1) else 11 - total % 11


@given(st.from_regex(r"[0-9]{6}[A-Z0-9]{12}[0-9]{25}", fullmatch=True))
def test_check_digit_letters_included(body: str) -> None:
    assert check_digit(body) == str(digit(body))


def test_check_digit_of_published_keys() -> None:
    """Most samples of nfelib are real notes; a wrong rule would agree with one key in ten."""
    keys: set[str] = set()
    for path in Path(nfelib.__file__).parent.rglob("samples/**/*.xml"):
        written = path.read_text(encoding="utf-8", errors="replace")
        keys.update(re.findall(r'(?:Id="NFe|Id="CTe|<chNFe>|<chCTe>)([0-9]{44})', written))
    holding = [key for key in keys if check_digit(key[:43]) == key[43]]
    assert len(holding) >= 12
    assert len(holding) >= 0.75 * len(keys)


def test_composition() -> None:
    assert re.fullmatch(r"352603112223330001815500100000471111020304\d\d", access_key(SALE))
    assert access_key(replace(SALE, emitter=LETTERS))[6:20] == "12ABC34501DE35"
    assert access_key(replace(SALE, emitter=replace(SALE.emitter, tax_id=BUYER.tax_id)))[6:20] == "00052998224725"
    assert access_key(replace(SALE, model="65"))[20:22] == "65"
    assert access_key(FREIGHT)[20:34] == "57005000000987"
    # The month is the one on the paper, not the one in Greenwich.
    late = datetime(2026, 4, 1, 2, 30, tzinfo=UTC).astimezone(SALE.issued_at.tzinfo)
    assert access_key(replace(SALE, issued_at=late))[2:6] == "2603"


@pytest.mark.parametrize("facts", [replace(SALE, code="123"), replace(SALE, number=10**9), replace(SALE, series=1000)])
def test_number_that_does_not_fit_is_refused(facts: object) -> None:
    with pytest.raises(ValueError, match="argument"):
        access_key(facts)  # type: ignore[arg-type]
