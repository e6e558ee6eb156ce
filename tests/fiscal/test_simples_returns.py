"""Returns by customers who bought for use, for assets or for export are deducted in the Simples Nacional too."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from confere.fiscal.ledger.simples_revenue import RevenueKind, segregate


def taxes(cfop: str) -> Any:
    return SimpleNamespace(item=SimpleNamespace(cfop=cfop), icms_code="102", pis_code="49", cofins_code="49")


@pytest.mark.parametrize("cfop", ["5503", "5553", "6556", "5202"])
def test_a_customer_s_return_is_a_return(cfop: str) -> None:
    found = segregate(taxes(cfop), is_own=False, direction="in", purpose="4")
    assert found is not None
    assert (found.kind, found.is_export) == (RevenueKind.RETURN, cfop == "5503")
    assert segregate(taxes(cfop), is_own=False, direction="in", purpose="1") is None
