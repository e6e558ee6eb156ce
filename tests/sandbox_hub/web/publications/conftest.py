"""Publications that the tests of bodies and credentials only look at, or try to change in vain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.sandbox_hub.publications.seller import Seller, shop


@pytest.fixture(scope="module")
def seller() -> Iterator[Seller]:
    with shop() as found:
        yield found


@pytest.fixture(scope="module")
def active(seller: Seller) -> dict[str, Any]:
    """A publication that the marketplace shows."""
    return seller.published("SKU-0010", price=80, discountPrice=70, campaign="Semana")


@pytest.fixture(scope="module")
def limited(seller: Seller) -> dict[str, Any]:
    """A publication that is limited to price, stock and status."""
    return seller.published("SKU-0011", onlySync=True)
