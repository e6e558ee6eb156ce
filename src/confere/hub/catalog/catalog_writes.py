"""Writing to a hub's catalog: each request as a value that can be shown first, and sending it once.

Source: interfaces.md, "Catalog" (endpoints): POST /brands, /categories, /products, /products/{productId}/skus and
/images; PUT /products/{id}, /products/{productId}/skus/{id} and /stocks. POST /variations is not shown there; it is
used where the hub's contract declares it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from confere.hub.contract.contract import Contract, ContractOperation
from confere.hub.contract.validation import SchemaFault, faults
from confere.hub.documents.documents import segment
from confere.hub.http.exchange import HubAnswer
from confere.hub.http.status_errors import BadAnswer
from confere.hub.json.json_reader import read_value
from confere.hub.json.json_values import pick, text
from confere.hub.json.json_writer import written
from confere.hub.retry.rate import StopSignal
from confere.hub.session import HubSession

BRANDS: Final = ("POST", "/brands")
CATEGORIES: Final = ("POST", "/categories")
VARIATIONS: Final = ("POST", "/variations")
NEW_PRODUCT: Final = ("POST", "/products")
PRODUCT: Final = ("PUT", "/products/{id}")
NEW_SKU: Final = ("POST", "/products/{productId}/skus")
SKU: Final = ("PUT", "/products/{productId}/skus/{id}")
NEW_IMAGE: Final = ("POST", "/products/{productId}/images")
STOCKS: Final = ("PUT", "/stocks")
MOST_STOCKS: Final = 100
"""Items of one PUT /stocks: the specification shows no limit."""


@dataclass(frozen=True, slots=True)
class CatalogWrite:
    """A request. `operation` is one of those above, `ids` the values of its path's braces in their order."""

    operation: tuple[str, str]
    body: Any
    ids: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        return self.operation[0]

    @property
    def path(self) -> str:
        """Below the account's address."""
        path = self.operation[1]
        for value in self.ids:
            before, _, rest = path.partition("{")
            path = before + segment(value) + rest.partition("}")[2]
        return path

    @property
    def data(self) -> bytes:
        """The bytes that are sent."""
        return written(self.body).encode("utf-8")


def operation_of(contract: Contract, write: CatalogWrite) -> ContractOperation | None:
    """What the contract declares of such a request, whatever it calls the ids in the path; None where it does not."""
    method, path = write.operation
    wanted = _shape(path)
    return next((each for each in contract.operations if each.method == method and _shape(each.path) == wanted), None)


def schema_faults(contract: Contract, write: CatalogWrite) -> tuple[SchemaFault, ...]:
    """What the contract's schema says against the body."""
    operation = operation_of(contract, write)
    if operation is None or operation.body is None:
        return ()
    return faults(write.body, operation.body, contract.components)


def send(session: HubSession, write: CatalogWrite, *, stop: StopSignal | None = None) -> str | None:
    """Send a request once (after a 429 again): the id of what it made, where the answer shows one.

    Raises the `HubError` that says what went wrong.
    """
    return session.send(write.method, write.path, {}, write.data, read=_id_made, stop=stop)


def _id_made(answer: HubAnswer) -> str | None:
    try:
        value = read_value(answer).value
    except BadAnswer:  # it was done all the same
        return None
    return pick(value, text, "id") if isinstance(value, dict) else None


def _shape(path: str) -> tuple[str, ...]:
    return tuple("{}" if part.startswith("{") else part for part in path.split("/"))
