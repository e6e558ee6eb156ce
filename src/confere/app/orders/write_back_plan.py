"""Which orders could be given the invoice that the archive has for them, and the exact requests that would do it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, Generic, Protocol, TypeVar
from urllib.parse import urlsplit

from confere.app.archive_session import OpenArchive
from confere.app.context import EMBEDDED
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.orders import missing_invoices
from confere.archive.orders.missing_invoices import LinkedSale, OrderGap
from confere.archive.orders.order_rows import HUB
from confere.archive.orders.orders import OrderRow
from confere.archive.transaction import Transaction
from confere.errors import Message, NotInArchive, UsageFault, message
from confere.fiscal.authenticity.verdict import Result
from confere.hub.json.json_values import moment
from confere.reconcile.evidence_text import order_status
from confere.sales.links import LinkKind as LinkKind
from confere.sales.order import OrderInvoice, OrderStatus
from confere.sales.order_moves import OrderMove, OrderMoveKind
from confere.system.formatting import money
from confere.system.processes.command_text import arguments

if TYPE_CHECKING:
    from confere.hub.orders.order_writes import OrderWrite

WAITING: Final = (OrderStatus.PAID_WAITING_SHIP.value, OrderStatus.INVOICED.value)
"""An order in one of these can take its invoice without being moved back."""
_UNASKABLE: Final = (".", "..")  # ids that would change the path of the request


class WriteCandidate(Protocol):
    """An order with the move that it could make.

    `address` is of the account's hub, `doubts` are what a person should look at before saying yes. `run_kind` is
    what a run of such moves is called in the archive, `action` how lines of the audit trail about them begin.
    """

    run_kind: ClassVar[str]
    action: ClassVar[str]
    work: ClassVar[Message]

    @property
    def account(self) -> str: ...

    @property
    def address(self) -> str: ...

    @property
    def order(self) -> OrderRow: ...

    @property
    def move(self) -> OrderMove: ...

    @property
    def doubts(self) -> tuple[Message, ...]: ...


C = TypeVar("C", bound=WriteCandidate, covariant=True)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An order without invoice data, and the one sale in effect that is linked to it: whole, so that it can be told.

    `address` is of the account's hub. `doubts` are what a person should look at before saying yes.
    """

    run_kind: ClassVar[str] = "write_back"
    action: ClassVar[str] = "order invoice"
    work: ClassVar[Message] = message("Giving orders their invoices")

    account: str
    address: str
    order: OrderRow
    sale: LinkedSale
    doubts: tuple[Message, ...] = ()

    @property
    def move(self) -> OrderMove:
        """What the order would be told."""
        sale = self.sale
        return OrderMove(OrderMoveKind.INVOICED, OrderInvoice(sale.series, sale.number, sale.key, sale.issued_at))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """An order that cannot be written to now, and why."""

    order_id: str
    why: Message


@dataclass(frozen=True, slots=True)
class WriteBackPlan(Generic[C]):
    """What could be sent for `account`, and what not."""

    account: str
    host: str  # of its hub; empty for an embedded one, which has another at every start
    candidates: tuple[C, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, slots=True)
class RequestPreview(Generic[C]):
    """A request to the last byte: `path` as the hub's host is asked, `body` as it is sent (UTF-8)."""

    candidate: C
    method: str
    path: str
    body: str
    write: OrderWrite


def plan(
    opened: OpenArchive, account: str | None = None, *, period: str | None = None, orders: Sequence[str] = ()
) -> WriteBackPlan[Candidate]:
    """What the archive could give to orders: of one month of orders (YYYY-MM), of these orders, or of all.

    In bulk only orders that wait for their invoice; an order that is named, whatever its status, with a doubt where
    the hub may refuse it or move it back. Raises `UsageFault` where the account is not clear, `NotInArchive`.
    """
    with opened.reading() as transaction:
        chosen = account_of(transaction, account)
        if orders:
            found = missing_invoices.named(transaction, chosen.id, orders)
        else:
            found = missing_invoices.gaps(transaction, chosen.id, WAITING, period)
    fitting: list[Candidate] = []
    left_out: list[LeftOut] = []
    for gap in found:
        judged = _judged(chosen, gap)
        if isinstance(judged, Candidate):
            fitting.append(judged)
        else:
            left_out.append(LeftOut(gap.order.hub_id, judged))
    return WriteBackPlan(chosen.name, host_of(chosen), tuple(fitting), tuple(left_out))


def host_of(account: Account) -> str:
    """The host of an account's hub; empty for an embedded one."""
    return "" if account.environment == EMBEDDED else urlsplit(account.address).netloc


def preview(candidate: C) -> RequestPreview[C]:  # type: ignore[misc]  # it only passes through
    """The request that would be sent; nothing is sent."""
    from confere.hub.orders.order_writes import METHOD, order_write  # with the whole of HTTP

    write = order_write(candidate.order.hub_id, candidate.move)
    base = urlsplit(candidate.address).path.rstrip("/")
    return RequestPreview(candidate, METHOD, base + write.path, write.body.decode(), write)


def digest(previews: Sequence[RequestPreview[WriteCandidate]]) -> str:
    """A name for exactly these requests, whatever their order: whoever looked at them can say that it means them."""
    told = sorted(f"{entry.method} {entry.path}\n{entry.body}\n" for entry in previews)
    return hashlib.sha256("".join(told).encode()).hexdigest()


def no_longer(transaction: Transaction, account_id: int, candidate: Candidate) -> Message | None:
    """Why an order cannot be given its invoice any more, by what the archive has learnt since the plan; or None."""
    try:
        (gap,) = missing_invoices.named(transaction, account_id, [candidate.order.hub_id])
    except NotInArchive as error:
        return error.what
    sales = [sale for sale in gap.sales if sale.key == candidate.sale.key]
    return message("No authorized sale is linked to it.") if not sales else _unfit(sales[0])


def account_of(transaction: Transaction, name: str | None) -> Account:
    """The account that was named, or the only one. Raises `UsageFault`, `NotInArchive`."""
    if name is not None:
        return accounts.named(transaction, name)
    every = accounts.every(transaction)
    if len(every) == 1:
        return every[0]
    raise UsageFault(
        message("There is no account whose orders could be given invoices.")
        if not every
        else message("There are {count} accounts: say whose orders are meant.", count=len(every)),
        message("Add one with `confere account add`.")
        if not every
        else message("Give --account with one of: {known}.", known=arguments(entry.name for entry in every)),
    )


def _judged(account: Account, gap: OrderGap) -> Candidate | Message:
    """The candidate, or why there is none."""
    order = gap.order
    why = unwritable(order)
    if why is not None:
        return why
    if order.invoice_key is not None:
        return message("It names its invoice already, {key}.", key=order.invoice_key)
    if not gap.sales:
        return message("No authorized sale is linked to it.")
    if len(gap.sales) > 1:
        return message("{count} authorized sales are linked to it: it can name only one.", count=len(gap.sales))
    (sale,) = gap.sales
    why = _unfit(sale)
    if why is not None:
        return why
    said = (order.invoice_series, order.invoice_number)
    if any(told is not None and told != read for told, read in zip(said, (sale.series, sale.number), strict=True)):
        return message(
            "It names invoice {said}; the one linked to it is {number}.",
            said=_number(*said),
            number=_number(sale.series, sale.number),
        )
    return Candidate(account.name, account.address, order, sale, tuple(_doubts(gap, sale)))


def unwritable(order: OrderRow) -> Message | None:
    """Why nothing can be written to an order, whatever it is; None where it can."""
    if order.source != HUB:
        return message("It came from a file: the hub may not know it.")
    if order.hub_id in _UNASKABLE:
        return message("The hub gave {identifier} as an id, which cannot be asked for.", identifier=order.hub_id)
    return None


def _unfit(sale: LinkedSale) -> Message | None:
    """Why no order can be given this invoice; None for one that is whole."""
    if sale.verdict == Result.FAILED:
        return message("The invoice linked to it is not authentic.")
    if sale.verdict == Result.TEST:
        return message("The invoice linked to it is a test document, without fiscal value.")
    if sale.series is None or sale.number is None or moment(sale.issued_at) is None:
        return message("The invoice linked to it lacks its series, number or date.")
    return None


def _doubts(gap: OrderGap, sale: LinkedSale) -> list[Message]:
    order, found = gap.order, []
    if order.status not in WAITING:
        found.append(
            message(
                "The order is “{status}”: the hub may refuse the change, or move it back to “invoiced”.",
                status=order_status(order.status) if order.status else "-",
            )
        )
    if order.total is not None and sale.total is not None and order.total != sale.total:
        found.append(
            message(
                "The order's total is {order}, the invoice's {invoice}.",
                order=money(order.total),
                invoice=money(sale.total),
            )
        )
    if sale.verdict is None:
        found.append(message("The invoice's authenticity was not checked yet."))
    return found


def _number(series: int | None, number: int | None) -> str:
    return "/".join("-" if part is None else str(part) for part in (series, number))
