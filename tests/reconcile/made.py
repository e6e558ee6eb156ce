"""Small ledgers for the tests of rules: orders, notes and CT-e that agree, each fact to be changed by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from confere.errors import message
from confere.reconcile.context import View
from confere.reconcile.rules.registry import BY_ID
from confere.sales.catalog_product import CatalogProduct, CatalogSku, SoldSku
from confere.sales.findings import Finding
from confere.sales.links import Link, Linked, LinkKind, Tie
from confere.sales.reconciliation_input import (
    DocumentEvent,
    DocumentReference,
    ItemQuantity,
    Ledger,
    ListedPeriod,
    OrderEntry,
    PaperEntry,
)
from confere.sales.terms import Terms
from tests.reconcile.cases import BRANCH as BRANCH
from tests.reconcile.cases import CARRIER as CARRIER
from tests.reconcile.cases import MARKETPLACE as MARKETPLACE
from tests.reconcile.cases import OTHER_COMPANY as OTHER_COMPANY
from tests.reconcile.cases import OWN as OWN
from tests.reconcile.cases import buyer as buyer
from tests.reconcile.cases import checked

NOW = datetime(2026, 4, 30, 15, tzinfo=UTC)
EVERYTHING = (ListedPeriod("1970-01-01T00:00:00.000+00:00", "2026-04-30T15:00:00.000+00:00"),)
NOTHING_SINCE_MARCH = (ListedPeriod("1970-01-01T00:00:00.000+00:00", "2026-03-01T00:00:00.000+00:00"),)
BUYER = buyer(1)
SKU = ItemQuantity("SKU-1", "7891234567895", Decimal(2), 10_000, "Caneca")
_SKU_LISTED = CatalogSku(None, "SKU-1", "7891234567895", "Caneca", None, None, None, None)
CATALOG = (SoldSku(CatalogProduct("1", "Caneca", *(None,) * 7, (_SKU_LISTED,)), _SKU_LISTED, None),)


def key_of(number: int, day: str = "2026-03-10", *, emitter: str = OWN, model: str = "55", series: int = 1) -> str:
    month = day[2:4] + day[5:7]
    return checked(f"35{month}{emitter}{model}{series:03d}{number:09d}1{number * 7919 % 10**8:08d}")


def order(number: int = 1, day: str = "2026-03-10", **facts: Any) -> OrderEntry:
    """A concluded order of two mugs for R$ 100,00, placed at noon of `day`."""
    made = OrderEntry(
        id=number,
        hub_id=str(70_000 + number),
        created_at=f"{day}T15:00:00Z",
        created_on=day,
        status="CONCLUDED",
        marketplace="LOJA_AZUL",
        total=10_000,
        gross=10_000,
        discount=0,
        freight=0,
        buyer=BUYER,
        lines=(SKU,),
    )
    return replace(made, **facts)


def note(number: int = 100, day: str = "2026-03-10", **facts: Any) -> PaperEntry:
    """An authorized note of an own establishment; a sale of two mugs for R$ 100,00, unless told otherwise."""
    emitter, series = facts.get("emitter", OWN), facts.get("series", 1)
    model = facts.get("model", "55")
    made = PaperEntry(
        id=number,
        key=key_of(number, day, emitter=emitter, model=model, series=series),
        type="nfe",
        model=model,
        series=series,
        number=number,
        emitter=emitter,
        recipient=BUYER,
        issued_at=f"{day}T14:00:00-03:00",
        issued_on=day,
        authorized_on=day,
        operation="sale",
        direction="1",
        destination="1",
        purpose="1",
        cfops=("5102",),
        total=10_000,
        products=10_000,
        discount=0,
        freight=0,
        freight_mode="9",
        verdict=0,
        lines=(SKU,),
    )
    return replace(made, **facts)


def returned(number: int = 200, day: str = "2026-03-20", **facts: Any) -> PaperEntry:
    """The seller's own entry note for goods that came back."""
    return note(
        number, day, **{"operation": "devolution", "direction": "0", "purpose": "4", "cfops": ("1202",)} | facts
    )


def freight(number: int = 900, day: str = "2026-03-11", **facts: Any) -> PaperEntry:
    """A CT-e of R$ 20,00 that the seller pays for."""
    made = note(number, day, emitter=CARRIER, model="57")
    told = {"purpose": "0", "taker": OWN, "cfops": ("5353",), "total": 2_000, "lines": (), "freight": None}
    return replace(
        made, **told | {"type": "cte", "operation": "freight", "direction": None, "destination": None} | facts
    )


def anchor() -> PaperEntry:
    """The first document that the archive holds."""
    return note(1, "2026-01-02", operation="other", cfops=("5949",))


def refers(source: PaperEntry, target: PaperEntry | str, kind: str = "references") -> DocumentReference:
    aim = target if isinstance(target, str) else target.key
    assert source.key is not None
    assert aim is not None
    return DocumentReference(source.key, aim, kind)


def carries(source: PaperEntry, target: PaperEntry | str) -> DocumentReference:
    return refers(source, target, "carries")


def happened(paper: PaperEntry, code: str, day: str = "2026-03-12") -> DocumentEvent:
    assert paper.key is not None
    return DocumentEvent(paper.key, code, day)


def ledger(orders: Iterable[OrderEntry] = (), papers: Iterable[PaperEntry] = (), **facts: Any) -> Ledger:
    """Everything was listed, and returns too, unless told otherwise."""
    made = Ledger(
        account="loja",
        own=frozenset({OWN, BRANCH}),
        orders=tuple(orders),
        papers=(anchor(), *papers),
        returns=(),
        documents_listed=EVERYTHING,
        orders_listed=EVERYTHING,
        catalog=CATALOG,
    )
    return replace(made, **facts)


def linked(*pairs: tuple[OrderEntry, PaperEntry], ties: Iterable[Tie] = ()) -> Linked:
    links = tuple(Link(one.hub_id, other.key or "", LinkKind.ORDER_KEY, 100, ()) for one, other in pairs)
    return Linked(links, tuple(ties))


def tie(orders: Iterable[OrderEntry], papers: Iterable[PaperEntry]) -> Tie:
    reason = message("buyer, total, day and items fit in more than one way")
    return Tie(tuple(o.hub_id for o in orders), tuple(p.key or "" for p in papers), LinkKind.SCORED, reason)


def find(rule: str, book: Ledger, links: Linked | None = None, *, now: datetime = NOW, **terms: Any) -> list[Finding]:
    """What one rule finds."""
    return list(BY_ID[rule].find(View(book, links or Linked(), Terms(**terms), now)))


def only(findings: list[Finding]) -> Finding:
    (found,) = findings
    return found


def words(finding: Finding) -> str:
    return " ".join(map(str, finding.evidence))
