"""What a contract says of the hub's feeds: which there are, how items are marked, where their records are read.

Source: interfaces.md, "Orders and feeds", where a hub publishes no contract.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final, NamedTuple

from confere.hub.contract.contract import Contract, ContractOperation
from confere.sales.hub_feeds import HubFeed


class Marking(Enum):
    """How items of a feed are marked as read."""

    TOGETHER = auto()
    """By one request that names them: nothing else is marked."""
    ALL_READ = auto()
    """By one request with an empty body: whatever the hub has shown is marked."""
    SINGLY = auto()
    """Item by item."""


class FeedTerms(NamedTuple):
    """`record` is the path of the record that an item names, with one parameter in braces; None where the hub gives
    none. `marking` is None where items cannot be marked."""

    is_offered: bool
    takes_limit: bool
    marking: Marking | None
    record: str | None


_SAMPLES: Final = (1, "1")  # of an item's id
_MARKED_SINGLY: Final = frozenset({HubFeed.ORDERS, HubFeed.PRODUCTS, HubFeed.TRANSMISSIONS})
SPECIFIED: Final = {
    feed: FeedTerms(
        is_offered=True,
        takes_limit=True,
        marking=Marking.SINGLY if feed in _MARKED_SINGLY else Marking.ALL_READ,
        record="/orders/{id}" if feed is HubFeed.ORDERS else None,
    )
    for feed in HubFeed
}
"""The terms where the hub publishes no contract."""


def feed_terms(contract: Contract | None, feed: HubFeed) -> FeedTerms:
    """The terms of a feed; without a contract those of the specification."""
    if contract is None:
        return SPECIFIED[feed]
    path = f"/{feed.value}/feeds"
    read = contract.at("GET", path)
    return FeedTerms(
        is_offered=read is not None,
        takes_limit=read is not None and read.query("limit") is not None,
        marking=_marking(contract, path),
        record=_record(contract, feed),
    )


def _marking(contract: Contract, path: str) -> Marking | None:
    batch = contract.at("PUT", f"{path}/batch")
    if batch is not None and batch.body is not None and any(_takes(contract, batch, [item]) for item in _items()):
        return Marking.TOGETHER
    if any(each.method == "PUT" and _parameter_after(each, path) for each in contract.operations):
        return Marking.SINGLY
    if batch is not None and (batch.body is None or not batch.body_required or _takes(contract, batch, {})):
        return Marking.ALL_READ
    return None


def _items() -> list[dict[str, int | str]]:
    return [{"id": sample, "token": "1"} for sample in _SAMPLES]


def _takes(contract: Contract, operation: ContractOperation, body: object) -> bool:
    from confere.hub.contract.validation import faults  # with the whole of JSON Schema, for a contract alone

    return operation.body is not None and not faults(body, operation.body, contract.components)


def _record(contract: Contract, feed: HubFeed) -> str | None:
    """Where a changed record is read; a price that has no address of its own stands on its publication."""
    domains = (HubFeed.PRICES, HubFeed.TRANSMISSIONS) if feed is HubFeed.PRICES else (feed,)
    for domain in domains:
        for each in contract.operations:
            if each.method == "GET" and _parameter_after(each, f"/{domain.value}"):
                return each.path
    return None


def _parameter_after(operation: ContractOperation, path: str) -> bool:
    """Whether the operation's path is `path` and one parameter."""
    rest = operation.path.removeprefix(f"{path}/")
    return rest != operation.path and rest.startswith("{") and rest.endswith("}") and rest.count("{") == 1
