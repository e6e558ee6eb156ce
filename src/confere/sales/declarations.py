"""A person's declaration that what was imported is all there is of a month, so that what is missing is missing."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Declared(StrEnum):
    """What a declaration speaks of."""

    ORDERS = "orders"
    DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True)
class Declaration:
    """All orders or documents of `month` (`YYYY-MM`, in Brasília) are in `file`, as `actor` declared at `at`.

    `marketplaces` narrows it to theirs; empty: all of the account. `sha256` is that of the file, in hexadecimal; of
    several files, of the sorted lines of their SHA-256. Times are UTC text. Who revoked it is in `revoked_by`.
    """

    id: int
    account: str
    what: Declared
    month: str
    marketplaces: tuple[str, ...]
    file: str
    sha256: str
    at: str
    actor: str
    revoked_at: str | None = None
    revoked_by: str | None = None

    def speaks_of(self, marketplace: str | None) -> bool:
        """Whether what belongs to this marketplace, or to one that nobody knows (None), is among what it holds."""
        if not self.marketplaces:
            return True
        return marketplace is not None and marketplace.casefold() in {name.casefold() for name in self.marketplaces}


@dataclass(frozen=True, slots=True)
class CompleteFor:
    """What a person declares an import to hold whole: these months (`YYYY-MM`), of these marketplaces or of all."""

    months: tuple[str, ...]
    marketplaces: tuple[str, ...] = ()
