"""One page of the bridge, of a month, a company and a marketplace, with the check that it ties to the centavo."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from confere.errors import BridgeApart, message
from confere.reconcile import evidence_text
from confere.reconcile.bridge.placement import BridgeOwner, BridgePiece, Placement
from confere.sales.bridge import BridgeCode, BridgeLine, BridgePart, BridgeScope, BridgeShare

_NO_SUM = (BridgePart.START, BridgePart.SUBTOTAL, BridgePart.END, BridgePart.MEMO)


class BridgePage:
    """The lines of a page, in their order, each with the shares of its orders and documents.

    Lines with nothing are there too. `NO_COMPANY` are the orders of the month and marketplace that are on no company's
    page, since nothing tells whose they are; the page of all companies has them.
    """

    scope: BridgeScope
    lines: tuple[BridgeLine, ...]

    def __init__(self, scope: BridgeScope, shares: dict[BridgeCode, list[BridgeShare]]) -> None:
        self.scope = scope
        self._shares = shares
        self.lines = tuple(_line(code, shares.get(code, ())) for code in BridgeCode)
        self._by_code = {line.code: line for line in self.lines}

    def line(self, code: BridgeCode) -> BridgeLine:
        return self._by_code[code]

    def shares(self, code: BridgeCode) -> Iterator[BridgeShare]:
        """The orders and documents of a line, each with its amount; they add up to the line."""
        return iter(self._shares.get(code, ()))


def page(placement: Placement, scope: BridgeScope) -> BridgePage:
    """The page of a month. Raises `BridgeApart` where it does not tie: that is a fault of the program."""
    shares: dict[BridgeCode, list[BridgeShare]] = defaultdict(list)
    taken: dict[str, int] = {}
    billed: dict[str, int] = {}
    alone: dict[str, int] = {}
    for piece in placement.pieces.get(scope.period, ()):
        code = _code(placement, piece, scope)
        if code is None:
            if piece.order is not None and _is_nobodys(placement.orders[piece.order.hub_id], scope):
                alone[piece.order.hub_id] = piece.order.total or 0
            continue
        is_out = code in (BridgeCode.INVOICED_ELSEWHEN, BridgeCode.ORDERS_ELSEWHERE)
        shares[code].append(
            BridgeShare(
                None if piece.order is None else piece.order.hub_id,
                None if piece.note is None else piece.note.key,
                -piece.amount if is_out else piece.amount,
                piece.reason,
            )
        )
        if piece.order is not None and code.part in (BridgePart.ORDERS, BridgePart.SUBTOTAL):
            taken[piece.order.hub_id] = piece.order.total or 0
        if piece.note is not None and code.part in (BridgePart.INVOICES, BridgePart.SUBTOTAL):
            billed[piece.note.key or ""] = piece.note.total or 0
    shares[BridgeCode.ORDERS_TAKEN] = [BridgeShare(name, None, amount) for name, amount in taken.items()]
    shares[BridgeCode.INVOICES_AUTHORIZED] = [BridgeShare(None, key, amount) for key, amount in billed.items()]
    shares[BridgeCode.NO_COMPANY] = [BridgeShare(name, None, amount) for name, amount in alone.items()]
    made = BridgePage(scope, shares)
    _check(made, *_totals(placement, scope))
    return made


def marketplaces(placement: Placement, period: str, company: str | None = None) -> tuple[str, ...]:
    """The marketplaces that have a page in a month, by name."""
    scope = BridgeScope(period, company)
    names = set()
    for piece in placement.pieces.get(period, ()):
        for owner in _owners(placement, piece):
            if _is_in(owner, scope):
                names.add(owner.marketplace)
    return tuple(sorted(names))


def _owners(placement: Placement, piece: BridgePiece) -> Iterator[BridgeOwner]:
    if piece.code is not None:
        yield placement.owner(piece)
    elif piece.order is not None and piece.note is not None:
        yield placement.orders[piece.order.hub_id]
        yield placement.notes[piece.note.key or ""]


def _code(placement: Placement, piece: BridgePiece, scope: BridgeScope) -> BridgeCode | None:
    """The line of a piece on a page; None where it is on another one."""
    if piece.code is not None or piece.order is None or piece.note is None:
        return piece.code if _is_in(placement.owner(piece), scope) else None
    ordered, noted = placement.orders[piece.order.hub_id], placement.notes[piece.note.key or ""]
    if _is_in(ordered, scope):
        if _is_in(noted, scope):
            return BridgeCode.MATCHED
        elsewhen = noted.period != scope.period
        return BridgeCode.INVOICED_ELSEWHEN if elsewhen else BridgeCode.ORDERS_ELSEWHERE
    if _is_in(noted, scope):
        elsewhen = ordered.period != scope.period
        return BridgeCode.ORDERED_ELSEWHEN if elsewhen else BridgeCode.INVOICES_ELSEWHERE
    return None


def _is_in(owner: BridgeOwner, scope: BridgeScope) -> bool:
    return (
        owner.period == scope.period
        and scope.company in (None, owner.company)
        and scope.marketplace in (None, owner.marketplace)
    )


def _is_nobodys(owner: BridgeOwner, scope: BridgeScope) -> bool:
    """Whether it would be on the page if anybody knew its company."""
    if scope.company is None or owner.company is not None:
        return False
    return _is_in(owner, BridgeScope(scope.period, None, scope.marketplace))


def _totals(placement: Placement, scope: BridgeScope) -> tuple[int, int]:
    """What the page's orders and authorized invoices come to, counted by themselves and not by their pieces."""
    orders, invoices = placement.view.orders, placement.invoices
    return (
        sum(orders[name].total or 0 for name, owner in placement.orders.items() if _is_in(owner, scope)),
        sum(paper.total or 0 for key, paper in invoices.items() if _is_in(placement.notes[key], scope)),
    )


def _line(code: BridgeCode, shares: Iterable[BridgeShare]) -> BridgeLine:
    orders, documents, amount = set(), set(), 0
    for share in shares:
        amount += share.amount
        orders.add(share.order_id)
        documents.add(share.key)
    return BridgeLine(code, amount, len(orders - {None}), len(documents - {None}))


def _check(made: BridgePage, taken: int, authorized: int) -> None:
    """Orders taken, line by line, come to those invoiced in the month, and from there to the invoices authorized."""
    running = made.line(BridgeCode.ORDERS_TAKEN).amount
    apart = [running - taken]
    for line in made.lines:
        if line.code.part is BridgePart.SUBTOTAL:
            apart.append(running - line.amount)
        elif line.code.part not in _NO_SUM:
            running += line.amount
    apart += [running - authorized, made.line(BridgeCode.INVOICES_AUTHORIZED).amount - authorized]
    wrong = next(filter(None, apart), 0)
    if wrong:
        raise _apart(made.scope, wrong)


def _apart(scope: BridgeScope, difference: int) -> BridgeApart:
    return BridgeApart(
        message(
            "The bridge of {month} does not tie: its lines and the authorized invoices are {amount} apart.",
            month=evidence_text.day(scope.period),
            amount=evidence_text.money(abs(difference)),
        ),
        message("Send this to whoever looks after Confere: every order and invoice should have been in one place."),
    )
