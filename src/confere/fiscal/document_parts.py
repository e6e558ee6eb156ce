"""What documents and events are made of: parties, items, totals, references and protocols, as frozen values.

Units are those of `confere.fiscal.model`: money in integer centavos, quantities and unit prices as exact decimals.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Warning:
    """A trait of the paper worth telling: a stable `code` with the detail in `params` order."""

    code: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Party:
    """A taxpayer or person on the paper. `tax_id` is CNPJ (14) or CPF (11) without mask, or a foreign id."""

    role: str  # emitter, recipient, taker, sender, dispatcher, receiver, delivery, pickup, carrier, intermediary …
    tax_id: str | None
    name: str | None
    state_registration: str | None = None
    uf: str | None = None
    city: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    number: int
    code: str | None
    ean: str | None
    description: str | None
    ncm: str | None
    cfop: str | None
    unit: str | None
    quantity: Decimal | None
    unit_price: Decimal | None
    total_cents: int | None  # vProd
    origin: str | None = None  # orig of its ICMS


@dataclass(frozen=True, slots=True)
class Protocol:
    """`protNFe/infProt` and its kin. `digest` is `digVal`, as written; `environment` is tpAmb."""

    access_key: str | None
    cstat: str | None
    reason: str | None
    number: str | None
    received_at: str | None
    digest: str | None
    environment: str | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """This paper points at another one. `kind` names the tag's meaning (see `confere.fiscal.references`)."""

    kind: str
    access_key: str


class ItemReference(NamedTuple):
    """The item at `position` (from 0) names item `item` (`nItem`) of the document `access_key`."""

    position: int
    access_key: str
    item: int | None


@dataclass(frozen=True, slots=True)
class Totals:
    """Totals in centavos. `document` is vNF, vTPrest, vServ, vCFe …; `with_reform` is vNFTot, vTotDFe, vTotNF."""

    document: int | None = None
    products: int | None = None
    discount: int | None = None
    freight: int | None = None
    insurance: int | None = None
    other: int | None = None
    icms: int | None = None
    icms_st: int | None = None
    ipi: int | None = None
    pis: int | None = None
    cofins: int | None = None
    with_reform: int | None = None


class TaxSums(NamedTuple):
    """The items of a document that share CFOP and CST, summed in centavos; None where no item names the field.

    `cst` is the origin with the CST or CSOSN of ICMS, as `000` or `0102`. Of a CT-e: the document, `products` its
    service.
    """

    cfop: str | None
    cst: str | None
    products: int | None = None
    discount: int | None = None
    freight: int | None = None
    other: int | None = None  # vOutro and vSeg
    icms_base: int | None = None
    icms: int | None = None
    icms_st_base: int | None = None
    icms_st: int | None = None
    fcp: int | None = None  # vFCP and vFCPST
    ipi: int | None = None
    pis: int | None = None
    cofins: int | None = None
    ibs: int | None = None
    cbs: int | None = None
