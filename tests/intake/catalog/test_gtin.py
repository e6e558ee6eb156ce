"""The check digit of a GTIN, of each length that there is."""

from __future__ import annotations

import pytest

from confere.sales.gtin import is_gtin


@pytest.mark.parametrize("code", ["7891000315507", "96385074", "036000291452", "10614141000415"])
def test_codes_that_hold(code: str) -> None:
    assert is_gtin(code)
    assert not is_gtin(code[:-1] + str((int(code[-1]) + 1) % 10))


@pytest.mark.parametrize("code", ["", "789100031550", "SEM GTIN", "78910003155O7", "٧٨٩١٠٠٠٣١٥٥٠٧"])
def test_codes_that_do_not(code: str) -> None:
    assert not is_gtin(code)
