"""The publications of one environment, as they are kept over restarts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from sandbox_hub.publications.publication import REMOVED, OfferedSku, Publication, Terms, with_price

_FIRST = 500_001


class Publications:
    """`kept` belongs to the owner, who keeps it. `changed` and `repriced` are called with the id of what did."""

    def __init__(
        self,
        seed: int,
        kept: dict[str, dict[str, Any]],
        now: Callable[[], int],
        changed: Callable[[int], None],
        repriced: Callable[[int], None],
    ) -> None:
        self._seed = seed
        self._kept = kept
        self._now = now
        self._changed = changed
        self._repriced = repriced
        self._items = {int(item_id): Publication.from_json(item) for item_id, item in kept.items()}

    def all(self) -> list[Publication]:
        """Every publication, removed ones too, in the order of their creation."""
        return list(self._items.values())

    def get(self, publication_id: int | None) -> Publication | None:
        """The publication of that id, removed ones too."""
        return None if publication_id is None else self._items.get(publication_id)

    def standing(self) -> list[Publication]:
        """Every publication that is not removed."""
        return [item for item in self._items.values() if item.status != REMOVED]

    def create(self, sku: OfferedSku, marketplace: str, terms: Terms) -> Publication:
        """A new one, in pre-validation."""
        now = self._now()
        publication = Publication(
            id=_FIRST + len(self._items),  # none is ever taken out
            sku=sku,
            account_id=self._account(marketplace),
            marketplace=marketplace,
            created=now,
            changed=now,
            terms=terms,
            prices=with_price((), now, terms),
        )
        self._note(publication)
        self._repriced(publication.id)
        return publication

    def change(self, publication: Publication) -> Publication:
        """Put this in place of the publication of its id: a change that readers of the feeds are to learn of."""
        now = self._now()
        former = self._items[publication.id]
        prices = with_price(publication.prices, now, publication.terms)
        publication = replace(publication, changed=now, prices=prices)
        self._note(publication)
        if prices != former.prices or publication.confirmed != former.confirmed:
            self._repriced(publication.id)
        return publication

    def keep(self, publication: Publication) -> None:
        """Put this in place of the publication of its id: what only concerns its hooks."""
        self._items[publication.id] = publication
        self._kept[str(publication.id)] = publication.as_json()

    def main_of(self, publication: Publication) -> int:
        """The publication that stands for all variations of the product there: the oldest that is not removed."""
        siblings = (
            other.id
            for other in self.standing()
            if (other.sku.product_id, other.marketplace) == (publication.sku.product_id, publication.marketplace)
        )
        return min(siblings, default=publication.id)

    def _note(self, publication: Publication) -> None:
        self.keep(publication)
        self._changed(publication.id)

    def _account(self, marketplace: str) -> int:
        """The seller's account at a marketplace."""
        digest = blake2b(f"{self._seed}:account:{marketplace}".encode(), digest_size=3).digest()
        return 1_000_000 + int.from_bytes(digest)
