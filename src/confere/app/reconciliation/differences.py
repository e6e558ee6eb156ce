"""What agrees between orders and papers and what does not, field by field, as people read it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Final

from confere.app.labels import labels, reconciliation_labels
from confere.app.labels.checklist_labels import named_text
from confere.app.reconciliation.matching.freight_groups import FreightGroup
from confere.app.reconciliation.values import Difference, OrderSide, PaperSide
from confere.archive.documents.documents import DocumentRow
from confere.errors import Message, message
from confere.fiscal import taxpayers
from confere.fiscal.document_parts import Item
from confere.fiscal.model import IN_EFFECT, VOID
from confere.fiscal.operations import Operation
from confere.reconcile.undecided_reasons import Reason
from confere.sales.order import Order, OrderItem, OrderStatus
from confere.system import formatting
from confere.system.plain_text import folded_words

_NOTES: Final = ("nfe", "nfce")
_MOST_NAMED: Final = 10  # orders and CT-e in a sentence
_NOTHING: Final = Decimal(0)


@dataclass(slots=True)
class _Pieces:
    """One item on one side."""

    name: str = ""
    quantity: Decimal = _NOTHING
    total: int = 0
    is_there: bool = False


@dataclass(slots=True)
class _Item:
    order: _Pieces = field(default_factory=_Pieces)
    paper: _Pieces = field(default_factory=_Pieces)


def compare(
    sides: Sequence[OrderSide], papers: Sequence[PaperSide], tolerance: int, freight: FreightGroup | None = None
) -> tuple[Difference, ...]:
    """Everything that can be compared, the orders' sums beside those of their sales in effect.

    `freight` is what the CT-e among `papers` bill, with all orders whose goods they carry.

    Where no sale has effect, those without it are compared, so that what was cancelled can be seen; items and sums
    are then those of the newest one alone, as each stood in the place of the one before. Empty without an order, or
    without a sale.
    """
    orders = [side.order for side in sides if side.order is not None]
    notes = _sales(papers)
    if not orders or not notes:
        return ()
    rows = [side.row for side in notes if side.row is not None]
    counted = compared_notes(papers)
    found = [
        *_invoice(orders, rows),
        _line(
            message("Date"),
            [side.created_on for side in sides if side.order is not None],
            [row.issued_on for row in rows],
            formatting.date,
            _not_before,
        ),
        _line(
            message("Status"),
            [order.status for order in orders],
            [row.state for row in rows],
            reconciliation_labels.status_word,
            _both_stand,
            labels.state_word,
        ),
        _line(
            message("Buyer's CNPJ or CPF"),
            [order.buyer.tax_id for order in orders],
            [row.recipient_tax_id for row in rows],
            labels.tax_id_word,
            _same_tax_id,
        ),
        _line(
            message("Buyer"),
            [order.buyer.name for order in orders],
            [row.recipient_name for row in rows],
            None,
            lambda left, right: folded_words(left) == folded_words(right),
        ),
        *_items(orders, counted, tolerance),
        *_sums(orders, counted, freight, tolerance),
    ]
    return tuple(entry for entry in found if entry.order_value or entry.paper_value)


def compared_notes(papers: Sequence[PaperSide]) -> list[PaperSide]:
    """The sales that the orders are compared with: those in effect; where none is, the one issued last."""
    notes = _sales(papers)
    return _in_effect(notes) or ([max(notes, key=_issued)] if notes else [])


def _sales(papers: Sequence[PaperSide]) -> list[PaperSide]:
    notes = [
        side
        for side in papers
        if side.row is not None and side.row.type in _NOTES and side.row.operation == Operation.SALE.value
    ]
    return _in_effect(notes) or notes


def _in_effect(notes: Iterable[PaperSide]) -> list[PaperSide]:
    return [side for side in notes if side.row is not None and side.row.state in IN_EFFECT]


def _issued(side: PaperSide) -> tuple[str, int]:
    return ("", 0) if side.row is None else (side.row.issued_on or "", side.row.number or 0)


def _invoice(orders: Sequence[Order], rows: Sequence[DocumentRow]) -> Iterable[Difference]:
    """What the orders say of their invoices: without a word they do not contradict."""
    said = [order.invoice for order in orders if order.invoice is not None]
    numbers = [labels.number_word(entry.series, entry.number) for entry in said]
    yield _line(
        message("Series and number"),
        numbers,
        [labels.number_word(row.series, row.number) for row in rows],
        None,
        lambda left, right: left == right,
    )
    yield _line(
        message("Access key"),
        [entry.access_key for entry in said],
        [row.access_key for row in rows],
        labels.key_groups,
        lambda left, right: left == right,
    )


def _items(orders: Sequence[Order], notes: Sequence[PaperSide], tolerance: int) -> Iterable[Difference]:
    """Item by item, by code; by EAN where the codes of both sides differ."""
    found: dict[str, _Item] = defaultdict(_Item)
    by_ean: dict[str, str] = {}
    for order in orders:
        for line in order.items:
            name = line.code or line.ean or line.description or ""
            if line.ean:
                by_ean.setdefault(line.ean, name)
            _add(found[name].order, line.description, line.quantity, goods_cents(line))
    for side in notes:
        for item in side.items:
            name = item.code or item.ean or item.description or ""
            if name not in found and item.ean in by_ean:
                name = by_ean[item.ean]
            _add(found[name].paper, item.description, item.quantity, item.total_cents)
    for name, both in found.items():
        same = both.order.quantity == both.paper.quantity and both.order.is_there and both.paper.is_there
        yield Difference(
            message("Item {code}: {name}", code=name, name=both.order.name or both.paper.name),
            _pieces(both.order),
            _pieces(both.paper),
            same and abs(both.order.total - both.paper.total) <= tolerance,
        )


def goods_cents(item: OrderItem | Item) -> int | None:
    """What a line of an order or of a note costs before its discount, so that both are of one basis."""
    return item.before_discount_cents if isinstance(item, OrderItem) else item.total_cents


def _sums(
    orders: Sequence[Order], notes: Sequence[PaperSide], freight: FreightGroup | None, tolerance: int
) -> Iterable[Difference]:
    parts = [note.parts for note in notes if note.parts is not None]
    yield _money(
        message("Goods"), [order.gross_cents for order in orders], [part.products for part in parts], tolerance
    )
    yield _money(
        message("Discount"), [order.discount_cents for order in orders], [part.discount for part in parts], tolerance
    )
    yield _money(
        message("Freight"), [order.freight_cents for order in orders], [part.freight for part in parts], tolerance
    )
    charged = [order.interest_cents for order in orders]
    yield from _told(
        message("Interest and other charges"), charged, [part.other_and_insurance for part in parts], tolerance
    )
    yield from _told(message("IPI"), [], [part.ipi for part in parts], tolerance)
    yield from _told(message("ICMS-ST"), [], [part.icms_st for part in parts], tolerance)
    if freight is not None:
        yield _freight_by_cte(freight, [order.hub_id for order in orders], tolerance)
    totals = [side.row.total for side in notes if side.row is not None]
    yield _money(message("Total"), [order.total_cents for order in orders], totals, tolerance)


def _freight_by_cte(freight: FreightGroup, shown: Collection[str], tolerance: int) -> Difference:
    """What all orders of the CT-e were charged beside what the CT-e bill: where not all are known, or others may belong
    to them, nothing is said to differ."""
    name = message("Freight by CT-e")
    undecided = freight.undecided
    if undecided is None and abs(freight.charged - freight.billed) > tolerance:
        undecided = freight.unsure
    if undecided is not None:
        billed = None if undecided is Reason.NO_TOTAL else freight.billed
        why = message("Not compared: {reason}", reason=Message(undecided.value))
        return Difference(name, "", formatting.money(billed) or "–", True, why)
    note: Message | None = None
    if set(freight.order_ids) - set(shown):
        note = message(
            "{freights}: the freight of several orders together, so what all of them were charged is summed: {orders}.",
            freights=_few(f"CT-e {labels.number_word(row.series, row.number)}" for row in freight.freights),
            orders=_few(freight.order_ids),
        )
    return replace(_money(name, [freight.charged], [freight.billed], tolerance), note=note)


def _few(names: Iterable[str]) -> str:
    every = tuple(names)
    return named_text(every[:_MOST_NAMED], len(every))


def _money(name: Message, left: Sequence[int | None], right: Sequence[int | None], tolerance: int) -> Difference:
    """Sums of both sides. Nothing said and nothing to pay are the same."""
    ours, theirs = _sum(left), _sum(right)
    return Difference(
        name, formatting.money(ours), formatting.money(theirs), abs((ours or 0) - (theirs or 0)) <= tolerance
    )


def _told(
    name: Message, left: Sequence[int | None], right: Sequence[int | None], tolerance: int
) -> Iterable[Difference]:
    """As `_money`, of what few orders and notes have: nothing where neither side has any."""
    if _sum(left) or _sum(right):
        yield _money(name, left or [0], right, tolerance)


def _line(
    name: Message,
    left: Iterable[str | None],
    right: Iterable[str | None],
    word: Callable[[str], str] | None,
    agrees: Callable[[str, str], bool],
    paper_word: Callable[[str], str] | None = None,
) -> Difference:
    """A field of text. A side that does not tell contradicts nothing; of several, each must find its like."""
    ours = [entry for entry in dict.fromkeys(left) if entry]
    theirs = [entry for entry in dict.fromkeys(right) if entry]
    same = not ours or not theirs or all(any(agrees(one, other) for other in theirs) for one in ours)
    shown = paper_word or word
    return Difference(
        name,
        ", ".join(word(entry) if word else entry for entry in ours),
        ", ".join(shown(entry) if shown else entry for entry in theirs),
        same,
    )


def _not_before(order_day: str, paper_day: str) -> bool:
    """An invoice follows its order."""
    return order_day <= paper_day


def _both_stand(status: str, state: str) -> bool:
    return (status == OrderStatus.CANCELED) == (state in VOID)


def _same_tax_id(left: str, right: str) -> bool:
    """Digit by digit where neither is masked."""
    ours, theirs = taxpayers.normalise(left), taxpayers.normalise(right)
    return len(ours) == len(theirs) and all("*" in (a, b) or a == b for a, b in zip(ours, theirs, strict=True))


def _sum(found: Sequence[int | None]) -> int | None:
    told = [entry for entry in found if entry is not None]
    return sum(told) if told else None


def _add(pieces: _Pieces, name: str | None, quantity: Decimal | None, total: int | None) -> None:
    pieces.is_there = True
    pieces.name = pieces.name or name or ""
    pieces.quantity += quantity or _NOTHING
    pieces.total += total or 0


def _pieces(found: _Pieces) -> str:
    """Of several lines or a rounded price there is no one price."""
    return formatting.priced(found.quantity, found.total) if found.is_there else ""


def one_sided(orders: Iterable[OrderSide], papers: Iterable[PaperSide]) -> tuple[Difference, ...]:
    """Day, items, freight, discount and total of each order and document, where `compare` has nothing to compare."""
    return (
        *(line for entry in orders for line in _of_order_alone(entry)),
        *(line for entry in papers for line in _of_paper_alone(entry)),
    )


def _of_order_alone(side: OrderSide) -> Iterator[Difference]:
    order = side.order
    if order is None:
        return
    sums = (
        (message("Freight"), order.freight_cents),
        (message("Discount"), order.discount_cents),
        (message("Total"), order.total_cents),
    )
    for name, value in _alone(side.created_on, order.items, sums):
        yield Difference(name, value, "", True)


def _of_paper_alone(side: PaperSide) -> Iterator[Difference]:
    row, parts = side.row, side.parts
    if row is None or parts is None:
        return
    sums = ((message("Freight"), parts.freight), (message("Discount"), parts.discount), (message("Total"), row.total))
    for name, value in _alone(row.issued_on, side.items, sums):
        yield Difference(name, "", value, True)


def _alone(
    day: str | None, items: Iterable[OrderItem | Item], sums: Iterable[tuple[Message, int | None]]
) -> Iterator[tuple[Message, str]]:
    if told := formatting.date(day or None):
        yield message("Date"), told
    for item in items:
        name = " ".join(filter(None, (item.code, item.description)))
        yield message("Item {name}", name=name), formatting.priced(item.quantity, goods_cents(item))
    for label, amount in sums:
        if told := formatting.money(amount):
            yield label, told
