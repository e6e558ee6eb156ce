"""What the jobs of the catalog printed: its sync, and a file of products that is previewed or written."""

from __future__ import annotations

from typing import NamedTuple


class FailedListing(NamedTuple):
    name: str = ""
    reason: str = ""


class CatalogJobResult(NamedTuple):
    """`lost` products were listed and are neither archived nor refused; `short` lists gave less than they have."""

    listed: int = 0
    new: int = 0
    changed: int = 0
    gone: int = 0
    refused: int = 0
    lost: int = 0
    short: int = 0
    failures: tuple[FailedListing, ...] = ()
    stopped: bool = False


class PlannedCount(NamedTuple):
    created: int = 0
    changed: int = 0


class PlannedPush(NamedTuple):
    """What is written to the hub, in the order of registration."""

    brand: PlannedCount = PlannedCount()
    category: PlannedCount = PlannedCount()
    variation: PlannedCount = PlannedCount()
    product: PlannedCount = PlannedCount()
    sku: PlannedCount = PlannedCount()
    image: PlannedCount = PlannedCount()
    stock: PlannedCount = PlannedCount()

    @property
    def total(self) -> int:
        return sum(planned.created + planned.changed for planned in self)


class WrongRow(NamedTuple):
    """A row of the file that cannot be sent as it is, in which column, and what to do."""

    line: int = 0
    column: str = ""
    reason: str = ""
    remedy: str = ""


class PushedCounts(NamedTuple):
    """Rows of the file by what became of them."""

    created: int = 0
    changed: int = 0
    unchanged: int = 0
    refused: int = 0
    failed: int = 0
    not_sent: int = 0


class UnwrittenRow(NamedTuple):
    """A row that is not at the hub as the file says: `hub_words` are the hub's own."""

    line: int = 0
    code: str = ""
    product: str = ""
    outcome: str = ""
    reason: str = ""
    hub_words: str = ""


class PushJobResult(NamedTuple):
    """Of a preview and of a push; `rows` are those that did not go well, `problem` what ended it before its end."""

    lines: int = 0
    unused_columns: tuple[str, ...] = ()
    planned: PlannedPush = PlannedPush()
    as_at_hub: int = 0
    digest: str = ""
    faults: tuple[WrongRow, ...] = ()
    counts: PushedCounts = PushedCounts()
    rows: tuple[UnwrittenRow, ...] = ()
    problem: str = ""
    stopped: bool = False
