"""Reading what is written to publications: a wrong or missing name is 400, a wrong value 422."""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from sandbox_hub.contract.schemas.publications import ONE_LINE
from sandbox_hub.publications.publication import INTERNAL, Confirmation, Part, Publication, Terms
from sandbox_hub.web.responses import bad_request, bad_value

TERMS = (
    "price",
    "discountPrice",
    "campaign",
    "availableAmount",
    "onlySync",
    "onlySyncPrice",
    "onlySyncStock",
    "onlySyncStatus",
)
_ONLY_SYNC = {"onlySyncPrice": Part.PRICE, "onlySyncStock": Part.STOCK, "onlySyncStatus": Part.STATUS}
_STATUS = ("publicationStatus", "marketplaceStatus")
_NAMES = ("skuInMarketplace", "idInMarketplace")
_AMOUNTS = ("price", "discountPrice", "availableAmount")
_LONGEST = 120
_ONE_LINE = re.compile(ONE_LINE)
_MOST_CENTS = 10**11
_MOST_PIECES = 10**9


def fields_of(body: Any, known: Collection[str], *, strict: bool) -> dict[str, Any]:
    """The body's known fields; `strict`: there may be no others."""
    if not isinstance(body, dict):
        raise bad_request("O corpo deve ser um objeto.")
    strange = [name for name in body if name not in known]
    if strict and strange:
        shown = strange[0][:60].encode(errors="replace").decode()
        raise bad_request(f"O corpo tem um campo desconhecido: {shown}.", "Aceitos: " + ", ".join(sorted(known)))
    return {name: value for name, value in body.items() if name in known}


def read_terms(fields: dict[str, Any], present: Terms) -> Terms:
    """`present` with what the fields change of it; a `discountPrice` or `campaign` of null takes it away."""
    price = cents_of(fields["price"], "price") if "price" in fields else present.price_cents
    discount, campaign = present.discount_cents, present.campaign
    if "discountPrice" in fields:
        value = fields["discountPrice"]
        discount = None if value is None else cents_of(value, "discountPrice")
    if "campaign" in fields:
        campaign = None if fields["campaign"] is None else word_of(fields["campaign"], "campaign")
    if discount is not None and discount > price:
        raise bad_value("O campo discountPrice é o preço com desconto: não pode ser maior que price.")
    available = pieces_of(fields["availableAmount"]) if "availableAmount" in fields else present.available
    return Terms(price, discount, campaign, available, _only_sync(fields, present.only_sync))


def read_statuses(fields: dict[str, Any]) -> tuple[str | None, str | None]:
    """publicationStatus and marketplaceStatus, at least one of them; None where it is absent."""
    given = {name: word_of(fields[name], name) for name in _STATUS if fields.get(name) is not None}
    if not given:
        raise bad_request("O corpo deve conter publicationStatus ou marketplaceStatus.")
    status = given.get("publicationStatus")
    if status in INTERNAL:
        raise bad_value(f"O status {status} é interno do hub: não pode ser informado.")
    return status, given.get("marketplaceStatus")


def read_names(fields: dict[str, Any], publication: Publication) -> tuple[str | None, str | None]:
    """skuInMarketplace and idInMarketplace; an `id` must be the publication's own. Empty ones say nothing."""
    given_id = fields.get("id", publication.id)
    if isinstance(given_id, bool) or given_id not in (publication.id, str(publication.id)):
        raise bad_value("O campo id deve ser o que está no endereço.")
    sku, number = (None if _is_empty(fields.get(name)) else word_of(fields[name], name) for name in _NAMES)
    return sku, number


def read_confirmation(fields: dict[str, Any], now: int, *, needed: bool) -> Confirmation | None:
    """The price and stock that the marketplace shows, as it says; None where it says nothing of them."""
    given = {name: fields[name] for name in _AMOUNTS if fields.get(name) is not None}
    if not given:
        if needed:
            raise bad_request("O corpo deve conter price, discountPrice ou availableAmount.")
        return None
    price, discount = (cents_of(given[name], name) if name in given else None for name in _AMOUNTS[:2])
    if price is not None and discount is not None and discount > price:
        raise bad_value("O campo discountPrice é o preço com desconto: não pode ser maior que price.")
    available = pieces_of(given["availableAmount"]) if "availableAmount" in given else None
    return Confirmation(now, price, discount, available)


def cents_of(value: Any, name: str) -> int:
    """Centavos of an amount in reais, one centavo at least; rounded half up."""
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    cents = Decimal(str(value)) * 100 if plain else Decimal("NaN")
    if not cents.is_finite() or not 1 <= cents <= _MOST_CENTS:
        raise bad_value(f"O campo {name} deve ser um número de 0,01 a {_MOST_CENTS // 100}.")
    return int(cents.quantize(Decimal(1), ROUND_HALF_UP))


def pieces_of(value: Any) -> int:
    """Whole pieces, none at least."""
    whole = isinstance(value, int | float) and not isinstance(value, bool) and value % 1 == 0  # 5.0 is whole too
    if not whole or not 0 <= value <= _MOST_PIECES:
        raise bad_value("O campo availableAmount deve ser um número inteiro, zero ou mais.")
    return int(value)


def word_of(value: Any, name: str) -> str:
    """A short text of one line."""
    if not isinstance(value, str) or len(value) > _LONGEST or not _ONE_LINE.fullmatch(value):
        raise bad_value(f"O campo {name} deve ser um texto de uma linha, de até {_LONGEST} caracteres.")
    return value.strip()


def truth_of(value: Any, name: str) -> bool:
    """true or false."""
    if not isinstance(value, bool):
        raise bad_value(f"O campo {name} deve ser true ou false.")
    return value


def _is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip(" "))


def _only_sync(fields: dict[str, Any], present: tuple[str, ...]) -> tuple[str, ...]:
    only = set(present)
    if "onlySync" in fields:  # all three at once
        only = {part.value for part in Part} if truth_of(fields["onlySync"], "onlySync") else set()
    for name, part in _ONLY_SYNC.items():
        if name in fields:
            (only.add if truth_of(fields[name], name) else only.discard)(part.value)
    return tuple(part.value for part in Part if part.value in only)
