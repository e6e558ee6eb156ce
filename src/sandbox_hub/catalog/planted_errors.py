"""Which products the catalog describes wrongly on purpose, against what the invoices say: NCM, EAN, origin or unit."""

from __future__ import annotations

from sandbox_hub.paper.facts import NATIONAL, UNIT
from sandbox_hub.world.parties.products import KIND_NAMES, Product
from sandbox_hub.world.parties.tax_ids import ean13
from sandbox_hub.world.seeded_random import Die

NBM, EAN, ORIGIN, UNIT_FIELD = "nbm", "ean", "origin", "unit"
FIELDS = (NBM, EAN, ORIGIN, UNIT_FIELD)
_ORIGINS = ("1", "2", "3", "8")
_UNITS = ("CX", "PC", "KT", "PAR")
_STEP = 8  # throws that belong to one product


class PlantedErrors:
    """`share` of the products have one field wrong; drawn by the seed for each product's `number`."""

    def __init__(self, seed: int, share: float, ncm_of_kinds: tuple[str, ...]) -> None:
        self._share = share
        self._ncm = ncm_of_kinds
        self._die = Die(seed, "catalog errors")

    def field(self, number: int) -> str:
        """The field that is wrong, one of FIELDS; empty for a product that is described rightly."""
        wrong = self._die.unit(number * _STEP) < self._share
        return self._die.pick(number * _STEP + 1, FIELDS) if wrong else ""

    def value(self, number: int, field: str, right: str) -> str:
        """What stands there instead of what is `right`, and is always something else."""
        throw = number * _STEP + 2
        if field == NBM:
            kind = self._ncm.index(right)
            return self._ncm[(kind + self._die.between(throw, 1, len(KIND_NAMES) - 1)) % len(KIND_NAMES)]
        if field == EAN:
            other = ean13(self._die(throw))
            return other if other != right else ean13(self._die(throw) + 1)
        return self._die.pick(throw, _ORIGINS if field == ORIGIN else _UNITS)


def on_invoices(product: Product) -> dict[str, str]:
    """What every invoice of the world says of a product, by field."""
    return {NBM: product.ncm, EAN: product.ean, ORIGIN: str(NATIONAL), UNIT_FIELD: UNIT}
