"""What tells whose a line of reconciliation is: the orders and documents in it, as `owning_company` wants them."""

from __future__ import annotations

from confere.app.reconciliation.values import StockRow, SuggestionLine, TieLine
from confere.archive.accounts.owning_company import OwnedGroup
from confere.sales.findings import ExplainedDifference


def of_tie(line: TieLine) -> OwnedGroup:
    """What tells whose a tie is."""
    return OwnedGroup(line.orders, line.keys)


def of_suggestion(line: SuggestionLine) -> OwnedGroup:
    """What tells whose a pair that nearly fits is."""
    return OwnedGroup((line.order_id,), (line.key,))


def of_explained(line: ExplainedDifference) -> OwnedGroup:
    """What tells whose a difference that R3 explains is."""
    return OwnedGroup(line.orders, line.keys)


def of_stock(line: StockRow) -> OwnedGroup:
    """What tells whose goods are: the company in their name, else who emitted the first of their documents."""
    return OwnedGroup(keys=tuple(movement.key for movement in line.line.movements[:1]), subject=line.subject)
