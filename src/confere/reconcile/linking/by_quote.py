"""Kind 4: the document quotes the order's number, in `external_id`, `xPed` or the words of `infCpl`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from confere.errors import N_, Message
from confere.fiscal.taxpayers import is_cnpj, is_cpf
from confere.reconcile.linking.likeness import same_buyer
from confere.reconcile.linking.matching_state import Board, Proposal, is_sale, stands
from confere.reconcile.totals import may_agree, together
from confere.sales.links import LinkKind
from confere.sales.reconciliation_input import OrderEntry, PaperEntry

_RECORD: Final = N_("the hub's record of the document names the number {text}")
_EXTERNAL: Final = N_("external_id names the order: {text}")
_LINE: Final = N_("xPed names the order: {text}")
_WORDS: Final = N_("the document's words quote the order: {text}")
_AMBIGUOUS: Final = N_("the number {text} is that of several orders")
_CONFIDENCE: Final = {_RECORD: 96, _EXTERNAL: 96, _LINE: 95, _WORDS: 93}
_PROCESS: Final = re.compile(r"[A-Za-z_]+-[a-z_]+-(.+)")  # `SALE-sale-<order>-…`
_LONGEST_LINE: Final = 15  # the layout cuts xPed there
_SHORTEST: Final = 4  # a shorter number stands for too much else
_TELLING: Final = 9  # characters: where a field asks for the order, a buyer's own number may be shorter
_TELEPHONE: Final = re.compile(r"(?:55)?[1-9][1-9](?:9[0-9]{8}|[2-5][0-9]{7})", re.ASCII)
_MOST_PARTS: Final = 8
_MOST_ORDERS: Final = 30  # a number that more orders have is no order's

Names = dict[str, list[OrderEntry]]


class QuotedOrders(NamedTuple):
    """Orders that a document's text may mean; `telling`: by its form the text can be nothing else."""

    sentence: str
    text: str
    orders: Sequence[OrderEntry]
    telling: bool


def link_by_quote(board: Board) -> None:
    """What a field for the order says goes before what free words say.

    A number that several orders have is told apart by marketplace, buyer and total; else it stays a tie.

    Source: reconciliation rules, Links, 4 (`external_id`, `xPed`, numbers quoted in `infCpl`).
    """
    names, cut = _names(board)
    proposals: dict[str, list[Proposal]] = {sentence: [] for sentence in _CONFIDENCE}
    ties: list[tuple[PaperEntry, QuotedOrders]] = []
    for paper in board.papers.values():
        quotes = [
            named
            for sentence, text in _quotes(board, paper)
            if (named := _named(board, names, cut, paper, sentence, text)) is not None
        ]
        if not quotes or _is_purchase(board, paper):
            continue
        for named in _meant(board, paper, quotes):
            orders, sure = _certain(board, named.orders, paper)
            if sure:
                evidence = Message(named.sentence, {"text": named.text})
                confidence = _CONFIDENCE[named.sentence]
                proposals[named.sentence] += (Proposal(order, paper, confidence, evidence) for order in orders)
            elif orders:
                ties.append((paper, named._replace(orders=orders)))
    for entries in proposals.values():
        board.commit(LinkKind.QUOTED, entries)
    for paper, named in ties:
        if not board.orders_of(paper.key or ""):
            reason = Message(_AMBIGUOUS, {"text": named.text})
            board.tie(LinkKind.QUOTED, [order.hub_id for order in named.orders], [paper.key or ""], reason)


def _names(board: Board) -> tuple[Names, Names]:
    """Orders by each of their numbers, and those with a long one by its beginning, as `xPed` would hold it."""
    names: Names = defaultdict(list)
    cut: Names = defaultdict(list)
    for order in board.ledger.orders:
        for name in (order.hub_id, *order.numbers):
            if len(name) >= _SHORTEST:
                names[name.upper()].append(order)
                if len(name) > _LONGEST_LINE:
                    cut[name[:_LONGEST_LINE].upper()].append(order)
    return names, cut


def _quotes(board: Board, paper: PaperEntry) -> list[tuple[str, str]]:
    texts = [(_WORDS, text) for text in paper.quoted]
    if paper.order_hint:
        texts.insert(0, (_LINE, paper.order_hint))
    if paper.external_id:
        texts.insert(0, (_EXTERNAL, paper.external_id))
    if paper.order_id and paper.order_id not in board.orders:
        texts.insert(0, (_RECORD, paper.order_id))
    return texts


def _is_purchase(board: Board, paper: PaperEntry) -> bool:
    """What others sell to the account quotes the account's own purchases."""
    own = board.ledger.own
    return is_sale(paper) and paper.emitter not in own and paper.recipient in own


def _named(board: Board, names: Names, cut: Names, paper: PaperEntry, sentence: str, text: str) -> QuotedOrders | None:
    bare = text.strip()
    whole = bare.upper()
    orders, is_cut = _orders(names, sentence, bare, whole), False
    if not orders and sentence == _LINE and len(whole) == _LONGEST_LINE:
        orders, is_cut = cut.get(whole, ()), True
    if not orders or len(orders) > _MOST_ORDERS:
        return None
    if board.parted:
        orders = [order for order in orders if not board.kept_apart(order.hub_id, paper.key or "")]
    return QuotedOrders(sentence, text, orders, not is_cut and _tells(sentence, whole)) if orders else None


def _tells(sentence: str, text: str) -> bool:
    """Whether a text is an order's number by its form alone; else it may be something else that is equal.

    Free words also hold telephones, tax ids and EAN without punctuation.
    """
    if sentence != _RECORD and len(text) < _TELLING:
        return False
    if sentence != _WORDS or not text.isalnum():
        return True
    return not (_TELEPHONE.fullmatch(text) or is_cpf(text) or is_cnpj(text) or _is_gtin(text))


def _is_gtin(text: str) -> bool:
    if not (text.isdigit() and text.isascii() and 12 <= len(text) <= 14):
        return False
    weighed = 3 * sum(map(int, text[-2::-2])) + sum(map(int, text[-3::-2]))
    return (weighed + int(text[-1])) % 10 == 0


def _fitting(board: Board, orders: Sequence[OrderEntry], paper: PaperEntry) -> Sequence[OrderEntry]:
    """Those of the document's buyer or, of a sale, of its total: for numbers that may mean something else."""
    return [
        order
        for order in orders
        if same_buyer(order, paper) or (is_sale(paper) and may_agree(order, paper, board.terms.tolerance))
    ]


def _meant(board: Board, paper: PaperEntry, quotes: Sequence[QuotedOrders]) -> Iterable[QuotedOrders]:
    """Without texts that mean something else, and without the order that a sale's words only mention (an exchange)."""
    in_words = [named for named in quotes if named.sentence == _WORDS]
    if len(in_words) < 2 and all(named.telling for named in quotes):
        return quotes
    cart = _cart(quotes)
    sale, tolerance = is_sale(paper), board.terms.tolerance
    if sale and len(cart) > 1 and may_agree(together(cart), paper, tolerance):
        return quotes
    meant = [
        named if named.telling else named._replace(orders=_fitting(board, named.orders, paper)) for named in quotes
    ]
    cart = _cart(meant)
    if sale and len(cart) > 1:
        whole = [order for order in cart if same_buyer(order, paper) and may_agree(order, paper, tolerance)]
        if len(whole) == 1:
            return [named for named in meant if named.sentence != _WORDS or named.orders == whole]
    return meant


def _cart(quotes: Sequence[QuotedOrders]) -> list[OrderEntry]:
    """The orders of which a document's words quote a number that no other one has."""
    orders_by_id = {named.orders[0].hub_id: named.orders[0] for named in quotes
             if named.sentence == _WORDS and len(named.orders) == 1}  # fmt: skip
    return list(orders_by_id.values())


def _orders(names: Names, sentence: str, bare: str, whole: str) -> Sequence[OrderEntry]:
    matches = names.get(whole, ())
    process = None if matches or sentence != _EXTERNAL else _PROCESS.fullmatch(bare)
    if process is None:
        return matches
    # The order's number may hold dashes itself: the longest beginning that is one counts.
    parts = process[1].upper().split("-")[:_MOST_PARTS]
    for end in range(len(parts), 0, -1):
        matches = names.get("-".join(parts[:end]), ())
        if matches:
            return matches
    return ()


def _certain(board: Board, orders: Sequence[OrderEntry], paper: PaperEntry) -> tuple[Sequence[OrderEntry], bool]:
    """What is left of several, and whether it is meant for sure: the cart that they make, or the only one that fits."""
    if len(orders) < 2:
        return orders, bool(orders)
    tolerance = board.terms.tolerance
    left: Sequence[OrderEntry] = orders
    if paper.marketplace:
        left = [order for order in left if order.marketplace in (None, paper.marketplace)] or left
    left = [order for order in left if same_buyer(order, paper) is not False] or left
    if is_sale(paper):
        alone = [order for order in left if may_agree(order, paper, tolerance)]
        if (
            not alone
            and all(same_buyer(order, paper) for order in left)
            and may_agree(together(left), paper, tolerance)
        ):
            return left, True
        fitting = alone or _fitting(board, left, paper)
        if not fitting:
            return left, False
        left = [order for order in fitting if not _is_billed(board, order)] or fitting
    return left, len(left) == 1


def _is_billed(board: Board, order: OrderEntry) -> bool:
    """A sale that stands is linked to it by stronger evidence."""
    return any(stands(board.papers[key]) for key in board.sales_of(order.hub_id))
