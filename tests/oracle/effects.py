"""What notes that come to a month or lose their effect do to its table of taxes, by CFOP, CST and state."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from tests.oracle.items import lines
from tests.oracle.papers import read

Place = tuple[str, str, str]  # CFOP, origin and CST, the recipient's state
Sums = dict[Place, dict[str, int]]
# The columns of the table, each from these amounts of the items.
_COLUMNS = {
    "products": ("products",),
    "discount": ("discount",),
    "freight": ("freight",),
    "other": ("other", "insurance"),
    "icms_base": ("icms_base",),
    "icms": ("icms",),
    "icms_st_base": ("st_base",),
    "icms_st": ("st",),
    "fcp": ("fcp", "fcp_st"),
    "ipi": ("ipi",),
    "pis": ("pis",),
    "cofins": ("cofins",),
    "ibs": ("ibs",),
    "cbs": ("cbs",),
    "difal": ("difal_destination",),
    "fcp_destination": ("fcp_destination",),
    "difal_origin": ("difal_origin",),
}


def of_notes(signed: Iterable[tuple[int, bytes]]) -> tuple[int, Sums]:
    """The sum of vNF and the sums of items of these notes, each added (1) or taken away (-1), in centavos."""
    total = 0
    sums: dict[Place, Counter[str]] = defaultdict(Counter)
    for sign, data in signed:
        (note,) = read([data]).documents.values()
        total += sign * note.total
        for line in lines(note):
            place = line.cfop, line.origin + line.icms_code, note.text("dest/enderDest/UF")
            for column, names in _COLUMNS.items():
                sums[place][column] += sign * sum(line.amounts[name] for name in names)
    kept = {place: {name: amount for name, amount in of.items() if amount} for place, of in sums.items()}
    return total, {place: amounts for place, amounts in kept.items() if amounts}
