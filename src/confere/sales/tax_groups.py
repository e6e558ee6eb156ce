"""Taxes of a document by CFOP and CST, as the archive keeps them: what the tax pivot (R20) adds up."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TaxGroup:
    """The items of one document that share CFOP and CST (of a CT-e: the document).

    Amounts in centavos; None where no item names the field, which is not zero. `period` is the month of issue,
    `state` a word of `State`, `direction` is `in` or `out` as the account's company sees it. `cst` is the origin with
    the CST or CSOSN of ICMS, as `000` or `0102`. `uf` is the recipient's, `EX` abroad.
    """

    key: str | None
    period: str
    state: str
    direction: str
    cfop: str | None
    cst: str | None
    uf: str | None
    products: int | None = None
    discount: int | None = None
    freight: int | None = None
    other: int | None = None
    icms_base: int | None = None
    icms: int | None = None
    icms_st_base: int | None = None
    icms_st: int | None = None
    fcp: int | None = None
    ipi: int | None = None
    pis: int | None = None
    cofins: int | None = None
    ibs: int | None = None
    cbs: int | None = None
