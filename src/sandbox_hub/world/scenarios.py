"""The stories of which one deck of a hundred documents is made: who orders, what is issued, what happens to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

HOUR = 3_600
DAY = 86_400
_REGISTERED = ("135", "136", "155")


class Subtype(StrEnum):
    """The hub's subtypes; also the values of `documentTypeValue`."""

    SALE = "sale"
    SALE_RETURN = "sale_return"
    DEVOLUTION = "devolution"
    INBOUND = "inbound"
    INBOUND_RETURN = "inbound_return"
    SYMBOLIC_INBOUND = "symbolic_inbound"
    SYMBOLIC_INBOUND_RETURN = "symbolic_inbound_return"
    FREIGHT = "freight"
    VOIDING = "voiding"
    ADJUSTMENT = "adjustment"  # a credit or debit note that moves no goods: value taken off, money in advance


CREDIT, DEBIT = 5, 6
"""finNFe of credit and debit notes."""
Adjusts = tuple[int, str]
"""finNFe and the type (`tpNFCredito`, `tpNFDebito`) of such a note."""


class Fate(StrEnum):
    """How an order's life goes on after it was placed."""

    DELIVERED = "delivered"
    UNPAID = "unpaid"  # never paid, cancelled after three days
    DROPPED = "dropped"  # paid, cancelled before any invoice
    WAITING = "waiting"  # paid, never invoiced
    CANCELLED = "cancelled"  # with its invoice
    RETURNED = "returned"  # cancelled when the goods come back


@dataclass(frozen=True, slots=True)
class Happening:
    """An event of a document, `after` seconds from its record's appearance, growing to `until` over the year."""

    code: str  # tpEvento
    after: int
    until: int
    status: str = "135"
    sequence: int = 1
    text: str = ""

    @property
    def registered(self) -> bool:
        """Whether the authority registered it, so that it took effect."""
        return self.status in _REGISTERED


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperCourse:
    """Which part of its orders a paper is, and what happens to it."""

    part: int = 0  # which package of its order, of `parts`
    parts: int = 1
    happenings: tuple[Happening, ...] = ()
    adjusts: Adjusts | None = None


@dataclass(frozen=True, slots=True)
class PlannedPaper(PaperCourse):
    """A document to come. `refers` names papers of the same story; `orders` counts the story's orders."""

    name: str
    subtype: Subtype
    day: float
    orders: tuple[int, ...] = ()
    refers: tuple[str, ...] = ()
    stands: bool = True  # False: another paper takes its place later


@dataclass(frozen=True, slots=True)
class Purchase:
    """An order to come; its papers are found by number."""

    day: float
    fate: Fate = Fate.DELIVERED


@dataclass(frozen=True, slots=True)
class Story:
    """Papers and orders that belong together; numbers are places in the account's cast."""

    company: int
    marketplace: int
    papers: tuple[PlannedPaper, ...]
    purchases: tuple[Purchase, ...] = ()
    carrier: int = 0
    fulfilment: bool = False
    one_buyer: bool = True  # every order of the story is the same buyer's
    to_company: bool = False  # the buyer is a company
    consumer: bool = False  # its sales are NFC-e
    twins: bool = False  # its orders are equal: same lines, same total
    kind: str = "other"  # what it tells: anomalies are variants of stories of a kind


_INVOICED = 0.3  # days from order to invoice
_SHIPPED = 0.8
_REASON = "Desistência do comprador antes do envio da mercadoria"

_CANCEL_SOON = Happening("110111", 2 * HOUR, 2 * HOUR, text=_REASON)
_CANCEL_OUT_OF_TERM = Happening("110111", 3 * DAY, 3 * DAY, "155", text=_REASON)
_CANCEL_LATE = Happening("110111", 90 * DAY, 100 * DAY, "155", text="Mercadoria extraviada e não entregue ao comprador")
_LETTER = Happening("110110", 1 * DAY, 1 * DAY, text="O volume correto da mercadoria enviada é de uma caixa.")
_SECOND_LETTER = Happening(
    "110110", 3 * DAY, 3 * DAY, sequence=2, text="O volume correto é de uma caixa; o peso bruto é de dois quilos."
)
_CONFIRMED = Happening("210200", 5 * DAY, 6 * DAY)
_DISAGREED = Happening("610110", 2 * DAY, 2 * DAY, text="O valor do frete cobrado difere do valor contratado.")
_AGREED = Happening("610111", 6 * DAY, 6 * DAY)
_FREIGHT_CANCELLED = Happening("110111", 5 * HOUR, 5 * HOUR, text="Emitido com o valor da prestação incorreto")


def _sale(*happenings: Happening, name: str = "sale", order: int = 0, day: float = _INVOICED) -> PlannedPaper:
    return PlannedPaper(name, Subtype.SALE, day, (order,), happenings=happenings)


def _freight(*sales: str, orders: tuple[int, ...] = (0,), day: float = _SHIPPED, name: str = "freight") -> PlannedPaper:
    return PlannedPaper(name, Subtype.FREIGHT, day, orders, sales or ("sale",))


def _plain(company: int, marketplace: int, *happenings: Happening, fate: Fate = Fate.DELIVERED) -> Story:
    kind = "plain" if fate is Fate.DELIVERED else "cancelled"
    return Story(company, marketplace, (_sale(*happenings),), (Purchase(0, fate),), kind=kind)


def _shipped(company: int, marketplace: int, carrier: int) -> Story:
    return Story(company, marketplace, (_sale(), _freight()), (Purchase(0),), carrier, kind="shipped")


def _shared_freight(company: int, marketplace: int, carrier: int) -> Story:
    sales = tuple(_sale(name=f"sale{k}", order=k, day=_INVOICED + k / 50) for k in range(3))
    freight = _freight("sale0", "sale1", "sale2", orders=(0, 1, 2))
    purchases = (Purchase(0), Purchase(0.01), Purchase(0.02))
    return Story(company, marketplace, (*sales, freight), purchases, carrier, kind="shared_freight")


def _packages(company: int, marketplace: int, count: int, carrier: int | None = None) -> Story:
    papers = [
        PlannedPaper(f"sale{k}", Subtype.SALE, _INVOICED + k / 50, (0,), part=k, parts=count) for k in range(count)
    ]
    if carrier is not None:
        papers.append(_freight(*(paper.name for paper in papers)))
    kind = "packages" if carrier is None else "shipped_packages"
    return Story(company, marketplace, tuple(papers), (Purchase(0),), carrier or 0, kind=kind)


def _cart(company: int, marketplace: int, count: int) -> Story:
    sale = PlannedPaper("sale", Subtype.SALE, _INVOICED, tuple(range(count)))
    return Story(company, marketplace, (sale,), tuple(Purchase(k / 500) for k in range(count)), kind="cart")


def _given_back(company: int, marketplace: int, carrier: int | None, after: float) -> Story:
    papers = [_sale()]
    if carrier is not None:
        papers.append(_freight())
    papers.append(PlannedPaper("devolution", Subtype.DEVOLUTION, after, (0,), ("sale",)))
    return Story(company, marketplace, tuple(papers), (Purchase(0),), carrier or 0, kind="given_back")


def _fulfilment(company: int, marketplace: int) -> Story:
    """Goods sent to the marketplace's warehouse, four sales out of it, one coming back, the rest taken home."""
    papers = [PlannedPaper("inbound", Subtype.INBOUND, 0)]
    purchases = []
    for k, day in enumerate((3.0, 9.5, 17.0, 26.0)):
        returned = k == 1
        purchases.append(Purchase(day, Fate.RETURNED if returned else Fate.DELIVERED))
        papers += [
            PlannedPaper(f"out{k}", Subtype.SYMBOLIC_INBOUND_RETURN, day + 0.2, (k,), ("inbound",)),
            PlannedPaper(f"sale{k}", Subtype.SALE, day + 0.21, (k,), (f"out{k}",)),
        ]
        if returned:
            papers += [
                PlannedPaper("back", Subtype.SALE_RETURN, day + 17, (k,), (f"sale{k}",)),
                PlannedPaper("restocked", Subtype.SYMBOLIC_INBOUND, day + 17.5, (k,), ("back",)),
            ]
    papers.append(PlannedPaper("home", Subtype.INBOUND_RETURN, 41, (), ("inbound",)))
    return Story(
        company, marketplace, tuple(papers), tuple(purchases), fulfilment=True, one_buyer=False, kind="fulfilment"
    )


def _reissued(company: int, marketplace: int) -> Story:
    wrong = PlannedPaper("wrong", Subtype.SALE, _INVOICED, (0,), happenings=(_CANCEL_SOON,), stands=False)
    papers = (wrong, _sale(day=_INVOICED + 0.6))
    return Story(company, marketplace, papers, (Purchase(0),), kind="reissued")


def _freight_story(company: int, marketplace: int, carrier: int, *, reissued: bool) -> Story:
    happening = _FREIGHT_CANCELLED if reissued else _DISAGREED
    papers = [_sale(), PlannedPaper("freight", Subtype.FREIGHT, _SHIPPED, (0,), ("sale",), happenings=(happening,))]
    if reissued:
        papers.append(_freight(name="again", day=_SHIPPED + 0.6))
    kind = "freight_again" if reissued else "disputed"
    return Story(company, marketplace, tuple(papers), (Purchase(0),), carrier, kind=kind)


def _settled(company: int, marketplace: int, carrier: int) -> Story:
    """The taker disputes the freight and comes to terms with the carrier."""
    freight = PlannedPaper("freight", Subtype.FREIGHT, _SHIPPED, (0,), ("sale",), happenings=(_DISAGREED, _AGREED))
    return Story(company, marketplace, (_sale(), freight), (Purchase(0),), carrier, kind="settled")


def _twins(company: int, marketplace: int) -> Story:
    """The same goods ordered twice within minutes, and invoiced one by one."""
    papers = tuple(_sale(name=f"sale{k}", order=k, day=_INVOICED + k / 50) for k in range(2))
    return Story(company, marketplace, papers, (Purchase(0), Purchase(0.002)), twins=True)


_NOT_CARRIED_OUT = Happening("210240", 4 * DAY, 4 * DAY, text="Mercadoria recusada no ato da entrega")
_CONFIRMED_AFTER_ALL = Happening("210200", 8 * DAY, 8 * DAY)
_NOT_DELIVERED = Happening("110192", 2 * DAY, 2 * DAY, text="Destinatario ausente no endereco de entrega")
_FREIGHT_NOT_DELIVERED = Happening("110190", 3 * DAY, 3 * DAY, text="Mercadoria recusada no ato da entrega")


def _refused(company: int, marketplace: int, carrier: int) -> Story:
    """Refused at the door: carrier and recipient register it, and a credit note takes the goods back."""
    papers = (
        _sale(_NOT_CARRIED_OUT),
        PlannedPaper("freight", Subtype.FREIGHT, _SHIPPED, (0,), ("sale",), happenings=(_FREIGHT_NOT_DELIVERED,)),
        PlannedPaper("back", Subtype.SALE_RETURN, 9, (0,), ("sale",), adjusts=(CREDIT, "03")),
    )
    return Story(company, marketplace, papers, (Purchase(0, Fate.RETURNED),), carrier, to_company=True, kind="refused")


def _refused_in_part(company: int, marketplace: int) -> Story:
    part = PlannedPaper("part", Subtype.DEVOLUTION, 11, (0,), ("sale",), adjusts=(CREDIT, "06"))
    return Story(company, marketplace, (_sale(), part), (Purchase(0),), kind="refused_in_part")


def _prepaid(company: int, marketplace: int) -> Story:
    """Money in advance: a debit note that is no sale, and the sale that settles it."""
    advance = PlannedPaper("advance", Subtype.ADJUSTMENT, 0.1, (0,), adjusts=(DEBIT, "06"))
    sale = PlannedPaper("sale", Subtype.SALE, 1.2, (0,), ("advance",))
    return Story(company, marketplace, (advance, sale), (Purchase(0),), kind="prepaid")


def _reduced(company: int, marketplace: int) -> Story:
    """A part of the price is given back, and no goods."""
    less = PlannedPaper("less", Subtype.ADJUSTMENT, 6, (0,), ("sale",), adjusts=(CREDIT, "04"))
    return Story(company, marketplace, (_sale(), less), (Purchase(0),), kind="reduced")


def _doubted(company: int, marketplace: int) -> Story:
    """Not delivered at first and called off by the recipient, who has the goods in the end."""
    sale = _sale(_NOT_DELIVERED, _NOT_CARRIED_OUT, _CONFIRMED_AFTER_ALL)
    return Story(company, marketplace, (sale,), (Purchase(0),), to_company=True, kind="doubted")


def _counter(company: int, marketplace: int) -> Story:
    return Story(company, marketplace, (_sale(),), (Purchase(0),), consumer=True, kind="consumer")


def _lying_ground() -> tuple[Story, ...]:
    """What only worlds with anomalies have: histories of freights, returns, credit and debit notes, an NFC-e."""
    return (
        _settled(1, 1, 0),
        _freight_story(0, 1, 1, reissued=True),
        _given_back(0, 0, None, 9),
        _refused(0, 1, 1),
        _refused_in_part(0, 0),
        _prepaid(1, 2),
        _reduced(0, 2),
        _doubted(1, 1),
        _counter(0, 0),
    )


def _no_invoice(company: int, marketplace: int, fate: Fate) -> Story:
    return Story(company, marketplace, (), (Purchase(0, fate),))


def deck_of_stories(*, twins: bool = False, lying: bool = False) -> tuple[Story, ...]:
    """The stories of one cycle: exactly a hundred papers, so one of them is one in a hundred documents.

    With `twins` some pairs of plain orders are equal ones of one buyer. With `lying` there are more freights that
    have a history, returns, credit and debit notes and an NFC-e (18 papers more): honest as they stand here, the
    ground for what is told of them.
    """
    plain = [(0, 0)] * 4 + [(0, 1)] * 3 + [(0, 2)] * 2 + [(1, 0), (1, 1), (1, 1), (1, 2)]
    pairs = [(0, 0), (0, 1), (1, 1)] if twins else []
    for where in 2 * pairs:
        plain.remove(where)
    shipped = [(0, 0, 0), (0, 0, 0), (0, 0, 2), (0, 1, 1), (0, 1, 1), (0, 2, 2), (0, 2, 0)]
    shipped += [(1, 0, 1), (1, 1, 1), (1, 2, 2), (1, 2, 0)]
    manifested = Story(0, 1, (_sale(_CONFIRMED),), (Purchase(0),), to_company=True)
    corrected_twice = Story(0, 2, (_sale(_LETTER, _SECOND_LETTER),), (Purchase(0),))
    voided = Story(0, 0, (PlannedPaper("voiding", Subtype.VOIDING, 0),), kind="voided")
    return (
        *(_plain(*where) for where in plain),
        manifested,
        *(_shipped(*where) for where in shipped),
        _shared_freight(0, 0, 0),
        _shared_freight(1, 1, 1),
        _packages(0, 1, 2),
        _packages(1, 2, 2),
        _packages(0, 0, 3, carrier=0),
        _cart(0, 0, 3),
        _cart(0, 2, 2),
        _cart(1, 1, 2),
        _given_back(0, 0, 0, 14),
        _given_back(1, 2, 2, 19),
        _given_back(0, 1, None, 11),
        _fulfilment(0, 0),
        _fulfilment(1, 1),
        voided,
        _plain(0, 1, _CANCEL_SOON, fate=Fate.CANCELLED),
        _reissued(0, 0),
        _plain(1, 0, _CANCEL_OUT_OF_TERM, fate=Fate.CANCELLED),
        _plain(0, 0, _CANCEL_LATE, fate=Fate.CANCELLED),
        _plain(1, 1, _LETTER),
        corrected_twice,
        _freight_story(0, 2, 2, reissued=False),
        _freight_story(1, 0, 1, reissued=True),
        _no_invoice(0, 0, Fate.UNPAID),
        _no_invoice(1, 1, Fate.UNPAID),
        _no_invoice(0, 1, Fate.DROPPED),
        _no_invoice(0, 2, Fate.WAITING),
        *(_twins(*where) for where in pairs),
        *(_lying_ground() if lying else ()),
    )
