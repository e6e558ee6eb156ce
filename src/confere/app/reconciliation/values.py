"""What the Reconcile screen and its commands show, as frozen values: runs, findings, both sides of one, goods.

Money is centavos; a `period` is a month `YYYY-MM`; `*_on` are local days `YYYY-MM-DD`; moments are in the zone of
Brasília. Orders are named by the hub's id of them, documents by their access key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from confere.app.accounts.freshness import moment
from confere.app.overview.activity import RunEntry
from confere.app.reconciliation.review.cancel_terms import CancelTerm
from confere.archive.documents.documents import DocumentRow
from confere.archive.documents.total_parts import PaperParts
from confere.archive.orders.orders import OrderRow
from confere.archive.reconciliation.finding_search import FindingFilter
from confere.archive.reconciliation.findings import StoredFinding
from confere.errors import Message
from confere.fiscal.document_parts import Item
from confere.reconcile.goods.stock import Move, Movement, StockLine
from confere.sales.findings import Finding, awaits_closing, is_undecided
from confere.sales.findings import FindingState as FindingState
from confere.sales.findings import Severity as Severity
from confere.sales.links import Link
from confere.sales.links import LinkKind as LinkKind
from confere.sales.order import Order
from confere.sales.published_price import PublishedPrice

_COLUMNS: Final = {
    Move.SENT: "sent",
    Move.SENT_SYMBOLICALLY: "symbolic",
    Move.SOLD: "sold",
    Move.REMOVED: "removed",
    Move.RETURNED: "returned",
    Move.LOST: "lost",
}


@dataclass(frozen=True, slots=True)
class ReconciliationScope:
    """An account that can be reconciled. `periods` have orders, papers or findings, newest first."""

    account: str
    environment: str
    periods: tuple[str, ...]
    has_run: bool


@dataclass(frozen=True, slots=True)
class RuleChange:
    """How many findings of a rule stand open or not checked now, and how many did after the run before."""

    rule: str
    before: int
    now: int


@dataclass(frozen=True, slots=True)
class Compared:
    """A run beside the one before it of the same account and period; `previous` is that run's number."""

    previous: int
    new: int = 0
    resolved: int = 0
    reopened: int = 0
    changed: int = 0
    rules: tuple[RuleChange, ...] = ()


@dataclass(frozen=True, slots=True)
class RunLine:
    """A run that reconciled. `period` is None where all were asked for; `as_of` its "now".

    `open_findings` and `not_checked` stood in its periods when it ended.
    """

    entry: RunEntry
    period: str | None
    as_of: datetime | None
    open_findings: int = 0
    not_checked: int = 0
    compared: Compared | None = None


@dataclass(frozen=True, slots=True)
class FindingQuery:
    """Which findings of an account, empty for all in use. `only_new`: found first by its newest run, or by the newest
    of each, whatever `wanted` says of first runs."""

    account: str
    wanted: FindingFilter = field(default_factory=FindingFilter)
    only_new: bool = False


@dataclass(frozen=True, slots=True)
class FindingGroup:
    """The findings of one rule, counted by state. `amount` is at stake in those that are open."""

    rule: str
    title: Message
    severity: Severity
    open: int = 0
    not_checked: int = 0
    explained: int = 0
    ignored: int = 0
    resolved: int = 0
    amount: int = 0
    explanation: Message | None = None  # what the rule asks, and what to do about it

    @property
    def decided(self) -> int:
        """How many of them a person settled."""
        return self.explained + self.ignored

    @property
    def undecided(self) -> int:
        """How many of them wait for a person or a run; not those that wait for the month's closing alone."""
        counts = {FindingState.OPEN: self.open, FindingState.NOT_CHECKED: self.not_checked}
        return sum(count for state, count in counts.items() if is_undecided(self.rule, state))

    @property
    def awaiting_closing(self) -> int:
        """How many of them only the month's closing lets be checked."""
        return self.not_checked if awaits_closing(self.rule, FindingState.NOT_CHECKED) else 0


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One finding as it stands, and what its rule is called.

    `since`: when the run that first found it began, or when a decision on links or a closing brought it. `is_new`: that
    was the newest run, or came after it. `term`: until when the note may be cancelled, where that is a way out.
    `order_total` and `note_total` are what the orders and the notes of a difference of values come to, in centavos;
    None of other findings. `is_overdue`: the day that was agreed is over. `companies` are those of the account that it
    is of, by CNPJ; none where nothing tells. `resolved_by` says by whose links it was resolved, where it was by links.
    """

    stored: StoredFinding
    account: str
    title: Message
    since: datetime | None
    is_new: bool = False
    term: CancelTerm | None = None
    order_total: int | None = None
    note_total: int | None = None
    is_overdue: bool = False
    companies: tuple[str, ...] = ()
    resolved_by: Message | None = None

    @property
    def id(self) -> int:
        """The number of the finding."""
        return self.stored.id

    @property
    def finding(self) -> Finding:
        """What the rule found."""
        return self.stored.found

    @property
    def changed_at(self) -> datetime:
        """When it became what it is, in the zone of Brasília."""
        return moment(self.stored.changed_at)


@dataclass(frozen=True, slots=True)
class OrderSide:
    """An order, whole as it stands now; None for `order` where its id is known and the archive has no order of it."""

    order_id: str
    order: Order | None
    created_on: str = ""
    source: str | None = None  # hub, file
    versions: int = 0
    seen_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class PaperSide:
    """A document, the parts of its total, and its items.

    `row` and `parts` are None where its key is known and the archive has no document of it.
    """

    key: str
    row: DocumentRow | None = None
    parts: PaperParts | None = None
    items: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Difference:
    """One line of the comparison, both values as people read them; empty where a side does not tell.

    `note` says what the values are of, where that is more or less than the orders and documents shown.
    """

    field: Message
    order_value: str
    paper_value: str
    agrees: bool
    note: Message | None = None


@dataclass(frozen=True, slots=True)
class ItemPrices:
    """What one piece of an order's item costs, three times. `order_price` is before discount, `order_price_paid` after.

    `invoice_prices` are those of the documents that are compared, before discount; `published` what the ads of that
    SKU on the order's marketplace asked when the order was placed, none where that is not known.
    """

    order_id: str
    code: str
    name: str
    order_price: int | None
    order_price_paid: int | None
    invoice_prices: tuple[int, ...] = ()
    published: tuple[PublishedPrice, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A link as it is stored. `confirmed`: the program's link, which a person confirmed."""

    link: Link
    confirmed: bool = False

    @property
    def manual(self) -> bool:
        """Whether it is there by a person's word alone."""
        return self.link.manual and not self.confirmed


@dataclass(frozen=True, slots=True)
class TieLine:
    """Orders and documents that fit in more than one way: for a person to decide.

    `decided`: a person spoke about one of its pairs since; the next run looks at it anew.
    """

    number: int
    orders: tuple[str, ...]
    keys: tuple[str, ...]
    kind: LinkKind
    reason: Message
    decided: bool = False


@dataclass(frozen=True, slots=True)
class SuggestionLine:
    """An order without invoice and a sale without order that nearly fit; what agrees and what does not, in words."""

    order_id: str
    key: str
    agrees: tuple[Message, ...]
    differs: tuple[Message, ...]
    created_on: str = ""
    issued_on: str = ""
    order_total: int | None = None
    paper_total: int | None = None


@dataclass(frozen=True, slots=True)
class FindingHistoryLine:
    """Who did what and when; `actor` is None for a run. `undone`: it was taken back since."""

    at: datetime
    actor: str | None
    what: Message
    note: str | None = None
    undone: bool = False
    act: int | None = None


@dataclass(frozen=True, slots=True)
class SideBySide:
    """Orders left, papers right, what of them differs, why they are linked and what was decided about them.

    `finding` is None where an order or a document was opened by itself; `prices` are empty where the hub tells none
    that is published. `contents` are two contents of one key line by line, the current one left, where that is found.
    """

    finding: FindingRow | None
    orders: tuple[OrderSide, ...]
    papers: tuple[PaperSide, ...]
    differences: tuple[Difference, ...]
    links: tuple[LinkLine, ...]
    ties: tuple[TieLine, ...] = ()
    history: tuple[FindingHistoryLine, ...] = ()
    prices: tuple[ItemPrices, ...] = ()
    contents: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderLine:
    """An order in a list to choose from, with the access keys of the documents linked to it."""

    order: OrderRow
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StockRow:
    """An item at a marketplace's warehouse (R16), its company's name, and how many days its oldest pieces stand there.

    `standing_days` is None where nothing stands.
    """

    line: StockLine
    emitter_name: str | None
    standing_days: int | None = None

    @property
    def subject(self) -> str:
        """What findings and commands call it: emitter/marketplace/code."""
        return self.line.subject

    @property
    def negative_on(self) -> str:
        """The first day on which less than nothing stood there; empty where none was."""
        return "" if self.line.negative is None else self.line.negative.on


@dataclass(frozen=True, slots=True)
class StockMove:
    """One document behind the numbers, with its number and its operation; empty where the archive has it no longer."""

    movement: Movement
    number: str
    operation: str

    @property
    def column(self) -> str:
        """Where it counts: sent, symbolic, sold, removed, returned, lost."""
        return _COLUMNS[self.movement.move]


@dataclass(frozen=True, slots=True)
class StockChain:
    """An item with every document behind it, oldest first."""

    row: StockRow
    moves: tuple[StockMove, ...]
