"""Which orders can be moved as a seller wants (paid, shipped, delivered, over, cancelled, shipped early), and why not.

What is certain to fail is left out before anything is sent; what the specification leaves to the hub ("source states
allowed: not shown") is proposed with a doubt. `write_back.send` sends it, reads back and writes the audit trail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final

from confere.app.archive_session import OpenArchive
from confere.app.labels.reconciliation_labels import status_word
from confere.app.orders.write_back_plan import LeftOut, WriteBackPlan, account_of, host_of, unwritable
from confere.archive.accounts import audit
from confere.archive.clock import from_text, utc_now
from confere.archive.orders import orders
from confere.archive.orders.orders import OrderRow
from confere.archive.transaction import Transaction
from confere.errors import N_, Message, NotInArchive, UsageFault, message
from confere.fiscal.periods import BRASILIA, in_brasilia
from confere.reconcile.evidence_text import order_status
from confere.sales.order import TRANSMISSION_ERROR, OrderStatus, Tracking
from confere.sales.order_moves import TARGETS, OrderMove
from confere.sales.order_moves import OrderMoveKind as OrderMoveKind
from confere.system import formatting

_PENDING, _PAID, _INVOICED = OrderStatus.PENDING, OrderStatus.PAID_WAITING_SHIP, OrderStatus.INVOICED
_SHIPPED, _CONCLUDED, _CANCELED = OrderStatus.PAID_WAITING_DELIVERY, OrderStatus.CONCLUDED, OrderStatus.CANCELED
# From which statuses a move is the usual one, and from which a hub may take it (public clients skip states).
_USUAL: Final = {
    OrderMoveKind.PAID: (_PENDING,),
    OrderMoveKind.SHIPPED: (_INVOICED, _SHIPPED),
    OrderMoveKind.DELIVERED: (_SHIPPED,),
    OrderMoveKind.CONCLUDED: (_SHIPPED,),
    OrderMoveKind.CANCELLED: (_PENDING, _PAID),
    OrderMoveKind.EARLY_SHIPMENT: (_INVOICED,),
}
_DOUBTFUL: Final = {
    OrderMoveKind.PAID: (),
    OrderMoveKind.SHIPPED: (_PAID,),
    OrderMoveKind.DELIVERED: (_PAID, _INVOICED),
    OrderMoveKind.CONCLUDED: (_PAID, _INVOICED),
    OrderMoveKind.CANCELLED: (_INVOICED, _SHIPPED, _CONCLUDED),
    OrderMoveKind.EARLY_SHIPMENT: (_PAID,),
}
KINDS: Final = tuple(_USUAL)
"""What a seller can ask for; INVOICED is of `write_back`, which knows the invoices."""
WARNINGS: Final = {
    OrderMoveKind.CANCELLED: N_(
        "Cancelling cannot be undone: no move leads out of a cancelled order. The marketplace may refund the buyer, "
        "and an invoice that was issued stays valid until it is cancelled at the tax authority."
    ),
    OrderMoveKind.CONCLUDED: N_("A concluded order cannot be shipped or delivered again."),
    OrderMoveKind.EARLY_SHIPMENT: N_(
        "The hub takes it at once and the marketplace decides later: the order shows what came of it."
    ),
}
"""What a person should know before saying yes, by the move."""
_UNSETTLED: Final = ("order move failed", "order move under_way")
_LONGEST: Final = 300


@dataclass(frozen=True, slots=True)
class MoveCandidate:
    """An order that could be moved; `address` is of the account's hub, `doubts` are what a person should look at."""

    run_kind: ClassVar[str] = "order_moves"
    action: ClassVar[str] = "order move"
    work: ClassVar[Message] = message("Moving orders")

    account: str
    address: str
    order: OrderRow
    move: OrderMove
    doubts: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveDetails:
    """What is told with a move: times with zone, texts as a person typed them."""

    shipped: datetime | None = None
    estimated: datetime | None = None
    delivered: datetime | None = None
    carrier: str = ""
    number: str = ""
    url: str = ""


def move_of(kind: OrderMoveKind, details: MoveDetails | None = None) -> OrderMove:
    """The move with what belongs to it; a shipment or delivery without its time is of now.

    Raises `UsageFault` where something is told that this move does not take, or that no hub could.
    """
    told = details or MoveDetails()
    strange = [name for name, value in _given(told).items() if value and name not in _TAKES.get(kind, ())]
    if strange:
        raise UsageFault(
            message("{name} does not belong to the move {move}.", name=", ".join(strange), move=kind.value),
            message("Leave it out."),
        )
    if kind not in _TAKES:
        return OrderMove(kind)
    _check(told)
    shipped = told.shipped or (datetime.now(BRASILIA) if kind is OrderMoveKind.SHIPPED else None)
    delivered = told.delivered or (datetime.now(BRASILIA) if kind is OrderMoveKind.DELIVERED else None)
    return OrderMove(
        kind,
        tracking=Tracking(
            shipped_at=_text(shipped),
            estimated_at=_text(told.estimated),
            delivered_at=_text(delivered),
            carrier=told.carrier.strip() or None,
            number=told.number.strip() or None,
            url=told.url.strip() or None,
        ),
    )


def plan(
    opened: OpenArchive, account: str | None, names: Sequence[str], move: OrderMove
) -> WriteBackPlan[MoveCandidate]:
    """Which of these orders can make the move as the archive knows them, and why the others cannot.

    Raises `UsageFault` where the account is not clear, `NotInArchive` where an order is not here.
    """
    with opened.reading() as transaction:
        chosen = account_of(transaction, account)
        fitting: dict[int, MoveCandidate] = {}
        left_out: dict[int, LeftOut] = {}
        for name in names:
            order = orders.one(transaction, chosen.id, name)
            if order is None:
                raise NotInArchive(
                    message("There is no order {order} in the archive.", order=name),
                    message("Look at `confere orders list`, or sync the account first."),
                )
            why = unwritable(order) or _unfit(order, move)
            if why is not None:
                left_out[order.id] = LeftOut(order.hub_id, why)
            else:
                doubts = tuple(_doubts(transaction, chosen.name, order, move))
                fitting[order.id] = MoveCandidate(chosen.name, chosen.address, order, move, doubts)
    return WriteBackPlan(chosen.name, host_of(chosen), tuple(fitting.values()), tuple(left_out.values()))


def fitting_kinds(order: OrderRow) -> tuple[OrderMoveKind, ...]:
    """The moves that may be possible for an order as it stands, in the order of its life."""
    if unwritable(order) is not None:
        return ()
    return tuple(kind for kind in KINDS if _fits(order.status, kind))


def usual_kinds(order: OrderRow) -> tuple[OrderMoveKind, ...]:
    """Those of `fitting_kinds` that are expected from where the order is: the others a hub may refuse.

    An early shipment is of a product made on demand, which has a day by which it must be ready, or of one whose early
    shipment failed. Source: the hub's specification, States and transitions.
    """
    done = {
        OrderMoveKind.CANCELLED: True,  # never the next thing to do
        OrderMoveKind.SHIPPED: order.shipped_at is not None,
        OrderMoveKind.DELIVERED: order.delivered_at is not None,
        OrderMoveKind.EARLY_SHIPMENT: order.ready_by is None and order.transmission_status != TRANSMISSION_ERROR,
    }
    return tuple(kind for kind in fitting_kinds(order) if order.status in _USUAL[kind] and not done.get(kind, False))


def no_longer(transaction: Transaction, account_id: int, candidate: MoveCandidate) -> Message | None:
    """Why an order cannot make its move any more, by what the archive has learnt since the plan; or None."""
    order = orders.one(transaction, account_id, candidate.order.hub_id)
    if order is None:
        return message("There is no order {order} in the archive.", order=candidate.order.hub_id)
    return _unfit(order, candidate.move)


_TAKES: Final = {
    OrderMoveKind.SHIPPED: ("--shipped-date", "--estimate-date", "--carrier", "--number", "--url"),
    OrderMoveKind.DELIVERED: ("--delivered-date",),
}


def _given(told: MoveDetails) -> dict[str, object]:
    return {
        "--shipped-date": told.shipped,
        "--estimate-date": told.estimated,
        "--delivered-date": told.delivered,
        "--carrier": told.carrier.strip(),
        "--number": told.number.strip(),
        "--url": told.url.strip(),
    }


def _check(told: MoveDetails) -> None:
    for name, value in _given(told).items():
        if isinstance(value, str) and (len(value) > _LONGEST or not value.isprintable()):
            raise UsageFault(
                message(
                    "{name} is longer than {count} letters, or not all of it can be printed.", name=name, count=_LONGEST
                )
            )
    url = told.url.strip()
    if url and (not url.lower().startswith(("http://", "https://")) or " " in url):
        raise UsageFault(
            message("{url} is no address of a page.", url=url), message("It begins with https:// or http://.")
        )
    if told.shipped is not None and told.estimated is not None and told.estimated < told.shipped:
        raise UsageFault(message("The expected delivery is before the shipment."))


def _fits(status: str | None, kind: OrderMoveKind) -> bool:
    return status is None or status not in tuple(OrderStatus) or status in (*_USUAL[kind], *_DOUBTFUL[kind])


def _unfit(order: OrderRow, move: OrderMove) -> Message | None:
    """Why the order cannot make this move from where it is; None where it can, or nobody knows."""
    if not _fits(order.status, move.kind):
        target = TARGETS.get(move.kind)
        if target is not None and order.status == target:
            return message("It is “{status}” already.", status=_word(order.status))
        return message(
            "It is “{status}”; this move is made from: {known}.",
            status=_word(order.status),
            known="; ".join(map(status_word, (*_USUAL[move.kind], *_DOUBTFUL[move.kind]))),
        )
    delivered = _moment(move.tracking.delivered_at if move.tracking else None)
    shipped = _moment(order.shipped_at)
    if delivered is not None and shipped is not None and delivered < shipped:
        return message("It was shipped on {moment}, after that delivery.", moment=_shown(shipped))
    return None


def _word(status: str | None) -> Message | str:
    return order_status(status) if status else "-"


def _doubts(transaction: Transaction, account: str, order: OrderRow, move: OrderMove) -> list[Message]:
    doubts = []
    if order.status not in _USUAL[move.kind]:
        doubts.append(
            message("The order is “{status}”: the hub may refuse this move from there.", status=_word(order.status))
        )
    tracking = move.tracking or Tracking()
    told = _moment(tracking.shipped_at or tracking.delivered_at)
    created, shipped = _moment(order.created_at), _moment(order.shipped_at)
    if told is not None and told > from_text(utc_now()):
        doubts.append(message("{moment} is in the future.", moment=_shown(told)))
    if told is not None and created is not None and told < created:
        doubts.append(message("The order was made only on {moment}.", moment=_shown(created)))
    if move.kind is OrderMoveKind.SHIPPED and shipped is not None:
        doubts.append(message("It was shipped on {moment}: what is told now takes its place.", moment=_shown(shipped)))
    if move.kind is OrderMoveKind.CANCELLED and order.invoice_key is not None:
        doubts.append(message("It has the invoice {key}, which stays as it is.", key=order.invoice_key))
    if move.is_asynchronous and _is_unsettled(transaction, account, order.hub_id):
        doubts.append(message("An early shipment was asked for already, and what came of it is not known yet."))
    return doubts


def _is_unsettled(transaction: Transaction, account: str, order_id: str) -> bool:
    """Whether the newest thing that was told to the order is an early shipment without a result."""
    line = audit.newest_move(transaction, account, order_id)
    if line is None or line.action not in (MoveCandidate.action, *_UNSETTLED):
        return False
    # Of the request, for the result may have the hub's words; where it is the newest line, the program died.
    request = audit.newest_move(transaction, account, order_id, only=MoveCandidate.action)
    return request is not None and "SHIP_CONFIRMED" in (request.detail or "")


def _moment(written: str | None) -> datetime | None:
    return in_brasilia(written) if written else None


def _shown(at: datetime) -> str:
    return formatting.moment(at.isoformat())


def _text(at: datetime | None) -> str | None:
    return None if at is None else at.replace(microsecond=0).isoformat()
