"""How a marketplace's middleware behaves, and the ads that it holds."""

from __future__ import annotations

from collections import deque
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

_CALLS_KEPT = 200


class Manner(StrEnum):
    """How one hook is answered."""

    YES = "yes"
    NO = "no"  # 422 with the reason
    SLOW = "slow"  # yes, after `seconds`
    ERROR = "error"  # 500


class AdKey(NamedTuple):
    """Publications of the two environments have the same ids."""

    environment: str
    publication_id: int


@dataclass(slots=True)
class Ad:
    """What the marketplace shows of a publication; amounts in reais."""

    id_in_marketplace: str
    sku_in_marketplace: str
    price: float
    discount_price: float
    available: int
    status: str
    active: bool = True


@dataclass(slots=True)
class Behaviour:
    """What the panel sets; `status` is what is reported of a new ad, `seconds` how long slow is."""

    can_save: Manner = Manner.YES
    send_product: Manner = Manner.YES
    delete_publication: Manner = Manner.YES
    status: str = "Active"
    reason: str = "O marketplace não aceita este produto."
    seconds: float = 30.0


@dataclass(slots=True)
class MarketplaceMemory:
    """The middleware's memory: its ads, and the hooks that came, the latest last."""

    behaviour: Behaviour = field(default_factory=Behaviour)
    ads: dict[AdKey, Ad] = field(default_factory=dict)
    calls: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=_CALLS_KEPT))

    def describe(self) -> dict[str, Any]:
        """For the panel."""
        ads = [{"environment": key.environment, "id": key.publication_id, **asdict(ad)} for key, ad in self.ads.items()]
        return {"behaviour": asdict(self.behaviour), "ads": ads, "calls": list(self.calls)}
