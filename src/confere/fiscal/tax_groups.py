"""Taxes of a document by CFOP and CST, as the archive keeps them: what the tax pivot (R20) adds up."""

from __future__ import annotations

from typing import NamedTuple

from confere.fiscal.document_parts import TaxSums


class TaxGroup(NamedTuple):
    """The items of one document that share CFOP and CST (of a CT-e: the document), and what they come to.

    `period` is the month of issue, `state` a word of `State`, `direction` is `in` or `out` as the account's company
    sees it. `uf` is the recipient's, `EX` abroad.
    """

    key: str | None
    period: str
    state: str
    direction: str
    uf: str | None
    sums: TaxSums
