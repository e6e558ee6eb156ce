"""The ledger of one account: its orders, papers, relations and what was listed, as compact entries to compare.

Money is an integer number of centavos, quantities are exact. `*_on` are local days `YYYY-MM-DD` (see
`confere.fiscal.periods`), empty where unknown; a period is their month, `YYYY-MM`. `*_at` are times as written.
Tax ids have no punctuation; a masked one holds `*`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from confere.sales.catalog_product import SoldSku
from confere.sales.closings import ClosedMonth
from confere.sales.declarations import Declaration
from confere.sales.slotted_records import record


@dataclass(frozen=True, slots=True)
class FiscalDescription:
    """How a paper describes an item to the authority: NCM, commercial unit (uCom) and origin of the goods (orig)."""

    ncm: str | None
    unit: str | None
    origin: str | None


@dataclass(frozen=True, slots=True)
class ItemQuantity:
    """Some pieces of one item, on an order or a paper. How a paper describes it makes them no other pieces."""

    code: str | None
    ean: str | None
    quantity: Decimal | None
    total: int | None  # order: after discount; paper: vProd
    description: str | None = None
    described: FiscalDescription | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class NamedItem:
    """The line at `position` (from 0) of a paper names line `item` (`nItem`, from 1) of the paper `key`."""

    position: int
    key: str
    item: int | None


@record
class OrderEntry:
    """An order as it stands now. `id` is the archive's number of it, `hub_id` the hub's."""

    id: int
    hub_id: str
    created_at: str | None = None  # UTC
    created_on: str = ""
    status: str = ""
    marketplace: str | None = None
    marketplace_id: str | None = None
    total: int | None = None
    gross: int | None = None
    discount: int | None = None
    freight: int | None = None
    buyer: str | None = None  # tax id, perhaps masked
    buyer_name: str | None = None
    uf: str | None = None
    invoice_key: str | None = None
    invoice_series: int | None = None
    invoice_number: int | None = None
    invoice_on: str = ""
    shipped_at: str | None = None  # UTC
    delivered_at: str | None = None
    lines: tuple[ItemQuantity, ...] = ()
    partner_id: str | None = None  # the seller's own system's number
    marketplace_number: str | None = None  # as the marketplace shows it to people
    interest: int | None = None  # as the order states it

    @property
    def numbers(self) -> tuple[str, ...]:
        """What the order is called beside the hub's id, each name once."""
        names = (self.marketplace_id, self.marketplace_number, self.partner_id)
        return tuple(dict.fromkeys(name for name in names if name and name != self.hub_id))

    @property
    def period(self) -> str:
        return self.created_on[:7]


@record
class PaperEntry:
    """A current document of the archive. `operation` and `state` are words of `Operation` and `State`.

    In a ledger of real business, what was issued in the authority's test environment has the state `test`.
    """

    id: int
    key: str | None
    type: str  # nfe, nfce, cte, cteos, voiding
    model: str | None = None
    series: int | None = None
    number: int | None = None
    emitter: str | None = None
    recipient: str | None = None
    recipient_name: str | None = None
    taker: str | None = None
    issued_at: str | None = None
    issued_on: str = ""
    authorized_on: str = ""
    cancelled_on: str = ""  # day of the registered cancellation
    operation: str = "unknown"
    state: str = "authorized"
    direction: str | None = None  # tpNF: "0" in, "1" out
    destination: str | None = None  # idDest
    purpose: str | None = None  # finNFe, tpCTe
    subtype: str | None = None  # the hub's
    marketplace: str | None = None
    cfops: tuple[str, ...] = ()
    total: int | None = None  # vNF, vTPrest
    products: int | None = None
    discount: int | None = None
    freight: int | None = None
    insurance: int | None = None
    other: int | None = None
    freight_mode: str | None = None  # modFrete
    weight: Decimal | None = None  # gross, kilograms
    order_id: str | None = None  # as the hub's record names it
    external_id: str | None = None
    order_hint: str | None = None  # xPed
    quoted: tuple[str, ...] = ()  # what looks like an order's number in infCpl, xObs
    versions: int = 1  # contents with different bytes under this key
    verdict: int | None = None  # 0 ok, 1 could not be checked whole, 2 failed, 3 a test; None: not judged
    failing: tuple[str, ...] = ()  # lines of the verdict that failed
    mismatches: tuple[str, ...] = ()  # totals that the items do not add up to, as `vProd:100.00:90.00`
    uf: str | None = None  # the recipient's
    emitter_uf: str | None = None
    first_number: int | None = None  # voiding: the range
    last_number: int | None = None
    lines: tuple[ItemQuantity, ...] = ()
    credit_type: str | None = None  # tpNFCredito
    debit_type: str | None = None  # tpNFDebito
    intermediary: str | None = None  # infIntermed/CNPJ
    presence: str | None = None  # indPres
    named_items: tuple[NamedItem, ...] = ()  # items of other documents that its own name
    ipi: int | None = None  # vIPI
    icms_st: int | None = None  # vST

    @property
    def period(self) -> str:
        return self.issued_on[:7]


@record
class DocumentReference:
    """`source` refers to `target` (keys); `kind` is a word of `confere.fiscal.references.RelationKind`."""

    source: str
    target: str
    kind: str


@dataclass(frozen=True, slots=True)
class DocumentEvent:
    """An event of a document that is registered."""

    key: str
    code: str
    occurred_on: str = ""
    sequence: int | None = None


@dataclass(frozen=True, slots=True)
class ReturnEntry:
    """A return that the hub has booked."""

    hub_id: str
    order_id: str | None
    kind: str | None = None
    status: str | None = None
    created_on: str = ""
    key: str | None = None
    total: int | None = None
    lines: tuple[ItemQuantity, ...] = ()


@dataclass(frozen=True, slots=True)
class ListedPeriod:
    """A stretch of time, UTC text, both ends included, of which everything was listed at the hub."""

    from_at: str
    to_at: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything that one account's reconciliation looks at.

    `documents_listed` and `orders_listed` are what is known whole; `None` for `returns` means that the hub has no
    list of them. `undownloaded` are keys that the hub names and whose XML is not here. `absent_orders` are hub ids
    that were asked for one by one and that the hub does not have. `declared` are months that a person says are whole.
    `elsewhere` are keys of documents that belong to orders of another account of the same company. `catalog` are the
    SKUs of the account's catalog, None where there is no catalog here. `closed` are the months of its establishments
    that stand closed; None: nobody looked.
    """

    account: str
    own: frozenset[str]  # tax ids of its establishments
    orders: tuple[OrderEntry, ...] = ()
    papers: tuple[PaperEntry, ...] = ()
    relations: tuple[DocumentReference, ...] = ()
    happenings: tuple[DocumentEvent, ...] = ()
    returns: tuple[ReturnEntry, ...] | None = None
    documents_listed: tuple[ListedPeriod, ...] = ()
    orders_listed: tuple[ListedPeriod, ...] = ()
    undownloaded: frozenset[str] = frozenset()
    absent_orders: frozenset[str] = frozenset()
    declared: tuple[Declaration, ...] = ()
    elsewhere: frozenset[str] = frozenset()
    catalog: tuple[SoldSku, ...] | None = None
    closed: tuple[ClosedMonth, ...] | None = None
