"""R27: where the catalog states something else than the invoices of sales do, mistake by mistake."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from sandbox_hub.catalog.planted_errors import EAN, NBM, ORIGIN, UNIT_FIELD
from sandbox_hub.oracle.expected_findings.case import Case, Finding
from sandbox_hub.world.documents.nfe_facts import sale_lines

_MANY: Final = 20  # products with the very same mistake are one finding
_OF_PRODUCT: Final = (NBM, ORIGIN)
_NAMES: Final = {NBM: "ncm", EAN: "ean", ORIGIN: "origin", UNIT_FIELD: "unit"}

CatalogError = Mapping[str, Any]
"""A SKU and field where the catalog states something else than invoices do: `Catalog.errors` makes them."""


class _Mistake(NamedTuple):
    field: str
    owner: str  # the product's id, or the SKU's code
    noted: str
    listed: str


class SoldItems:
    """When each item was sold last by a sale that stands."""

    def __init__(self) -> None:
        self._last: dict[str, str] = {}

    def add(self, case: Case) -> None:
        """Take down what a story's sales hold."""
        for sale in case.sales:
            for line in sale_lines(case.world, sale.index):
                code = line.product.code
                self._last[code] = max(sale.period, self._last.get(code, ""))

    def findings(self, errors: Iterable[CatalogError]) -> Iterator[Finding]:
        """One finding a mistake of which any item was sold, in the month of the newest sale of it."""
        mistakes: dict[_Mistake, str] = {}
        for error in errors:
            period = self._last.get(error["partnerId"])
            if period is not None:
                owner = str(error["productId"]) if error["field"] in _OF_PRODUCT else error["partnerId"]
                field = _NAMES[error["field"]]
                mistake = _Mistake(field, owner, error["invoices"], error["catalog"].replace(".", ""))
                mistakes[mistake] = max(period, mistakes.get(mistake, ""))
        kinds: dict[str, list[_Mistake]] = defaultdict(list)
        for mistake in mistakes:
            kinds[_kind(mistake)].append(mistake)
        for kind, alike in kinds.items():
            if len(alike) >= _MANY:
                yield Finding("R27", (), (), max(mistakes[mistake] for mistake in alike), kind)
                continue
            for mistake in alike:
                yield Finding("R27", (), (), mistakes[mistake], "/".join(mistake))


def _kind(mistake: _Mistake) -> str:
    return "ean" if mistake.field == "ean" else f"{mistake.field}/{mistake.noted}/{mistake.listed}"
