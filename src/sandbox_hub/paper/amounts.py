"""What a note's lines and totals come to, in whole centavos: apportioned values, taxes, and their sums.

Formulas: the layouts' validation rules (manual of the taxpayer 7.0, technical note 2025.002 for the reform's
groups). Every total is the sum of its lines, so that no rounding is left over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from enum import StrEnum

from sandbox_hub.paper import tax_rates
from sandbox_hub.paper.facts import NoteFacts, SaleItem

_REDUCTION = 3333  # pRedBC of CST 20, hundredths of a percent
_TAXED = frozenset({"00", "20"})
_SUBSTITUTED = frozenset({"404", "405", "409", "411", "656", "667"})
_SOLD = frozenset({"101", "102", "103", "104", "105", "106", "107", "108", "116", "117", "118", "119", "120"})
_SOLD_BY_SUBSTITUTE = frozenset({"401", "402", "403", "404", "405"})
_RETURNED = frozenset({"201", "202", "203", "204", "208", "209", "410", "411", "503", "504"})
_TRANSFERRED = frozenset({"151", "152", "155", "156", "408", "409"})


class Kind(StrEnum):
    """What a CFOP does with the goods, as far as taxes care."""

    SALE = "sale"
    RETURN = "return"
    TRANSFER = "transfer"
    MOVEMENT = "movement"  # goods travel or are stored, nothing is sold: remessas, symbolic returns


def kind_of(cfop: str) -> Kind:
    """The kind of a CFOP, by its last three digits."""
    operation = cfop[1:]
    if operation in _SOLD or operation in _SOLD_BY_SUBSTITUTE or operation in {"656", "667"}:
        return Kind.SALE
    if operation in _RETURNED:
        return Kind.RETURN
    if operation in _TRANSFERRED:
        return Kind.TRANSFER
    return Kind.MOVEMENT


@dataclass(frozen=True, slots=True)
class LineAmounts:
    """One line's money. Rates are hundredths of a percent, everything else centavos."""

    product: int
    discount: int
    freight: int
    insurance: int
    other: int
    ipi_base: int
    ipi_rate: int
    ipi: int
    icms_code: str  # CST (2 digits) or CSOSN (3)
    icms_reduction: int
    icms_base: int
    icms_rate: int
    icms: int
    has_difal: bool
    difal_rate: int
    difal: int
    fund_rate: int
    fund: int
    contribution_code: str  # CST of PIS and COFINS
    contribution_base: int
    pis: int
    cofins: int
    reform_code: str  # cClassTrib; its first three digits are the CST
    reform_base: int
    ibs_state: int
    ibs_city: int
    cbs: int

    @property
    def total(self) -> int:
        """The line's share of vNF; in 2026 the reform's taxes are shown, not added (rule VB01-10)."""
        return self.product - self.discount + self.freight + self.insurance + self.other + self.ipi

    @property
    def reform_taxed(self) -> bool:
        return self.reform_code.startswith("000")


@dataclass(frozen=True, slots=True)
class NoteAmounts:
    """A note's lines, and whether it carries the reform's groups."""

    lines: tuple[LineAmounts, ...]
    reform: bool

    @property
    def total(self) -> int:
        """vNF."""
        return sum(line.total for line in self.lines)


def amounts(facts: NoteFacts) -> NoteAmounts:
    """Work out a note. A discount larger than the goods is refused with ValueError."""
    products = [_product(item) for item in facts.items]
    discounts = apportion(facts.discount_cents, products, (item.discount_cents for item in facts.items))
    freights = apportion(facts.freight_cents, products, (item.freight_cents for item in facts.items))
    insurances = apportion(facts.insurance_cents, products, (item.insurance_cents for item in facts.items))
    others = apportion(facts.other_cents, products, (item.other_cents for item in facts.items))
    route = _Route.of(facts)
    lines = []
    for item, *values in zip(facts.items, products, discounts, freights, insurances, others, strict=True):
        if values[1] > values[0]:
            raise ValueError(f"line {item.code}: the discount is larger than the goods")
        lines.append(_line(item, values, route))
    return NoteAmounts(tuple(lines), facts.issued_at.year >= tax_rates.REFORM_STARTS)


@dataclass(frozen=True, slots=True)
class _Route:
    """What the whole note says about taxes: regime, states, who receives."""

    simples: bool
    inward: bool
    origin: str
    destination: str
    final_consumer: bool
    difal: bool

    @staticmethod
    def of(facts: NoteFacts) -> _Route:
        origin = facts.emitter.address.uf
        recipient = facts.recipient
        destination = recipient.address.uf if recipient and facts.destination != 1 else origin
        simples = facts.emitter.crt in (1, 4)
        return _Route(
            simples=simples,
            inward=facts.direction == 0,
            origin=origin,
            destination=destination,
            final_consumer=facts.final_consumer,
            # Constitution, art. 155 § 2 VII; companies in the Simples are exempt (ADI 5464).
            difal=(
                not simples
                and facts.final_consumer
                and origin != destination
                and recipient is not None
                and recipient.state_registration is None
            ),
        )


def _product(item: SaleItem) -> int:
    exact = item.quantity * item.unit_price_cents
    return int(exact.quantize(Decimal(1), ROUND_HALF_UP))


def apportion(whole: int, weights: Sequence[int], own: Iterable[int]) -> list[int]:
    """Each line's own value plus its share of `whole` by weight; the shares add up to `whole` exactly.

    Cumulative shares are cut, not the shares themselves: no line gets more than its share rounded up.
    """
    if not whole:
        return list(own)
    total = sum(weights)
    shares = []
    weighed = given = 0
    for weight in weights:
        weighed += weight
        upto = whole * weighed // total if total else whole
        shares.append(upto - given)
        given = upto
    return [share + mine for share, mine in zip(shares, own, strict=True)]


def _line(item: SaleItem, values: Sequence[int], route: _Route) -> LineAmounts:
    product, discount, freight, insurance, other = values
    net = product - discount + freight + insurance + other
    kind = kind_of(item.cfop)

    ipi_rate = int(item.ipi_percent * 100) if item.ipi_percent is not None else 0
    ipi = tax_rates.part(net, ipi_rate)

    code = item.icms or _icms_code(item.cfop, kind, route)
    icms_base = icms_rate = icms = reduction = 0
    if code in _TAXED:
        icms_rate = tax_rates.between(route.origin, route.destination, item.origin)
        # IPI is part of the base when the goods go to who uses them (constitution, art. 155 § 2 XI).
        whole = net + ipi if route.final_consumer else net
        reduction = _REDUCTION if code == "20" else 0
        icms_base = tax_rates.part(whole, 10000 - reduction)
        icms = tax_rates.part(icms_base, icms_rate)

    has_difal = route.difal and code in _TAXED and kind in (Kind.SALE, Kind.RETURN)
    difal_rate = difal = fund_rate = fund = 0
    if has_difal:
        difal_rate = tax_rates.INSIDE[route.destination]
        fund_rate = tax_rates.POVERTY_FUND.get(route.destination, 0)
        difal = tax_rates.part(icms_base, difal_rate - icms_rate)
        fund = tax_rates.part(icms_base, fund_rate)

    contribution = _contribution_code(kind, route)
    credited = contribution in ("01", "50")
    # The Supreme Court took ICMS out of the base of PIS and COFINS (theme 69).
    contribution_base = net - icms if credited else 0
    pis = tax_rates.part(contribution_base, tax_rates.PIS)
    cofins = tax_rates.part(contribution_base, tax_rates.COFINS)

    reform_code = _REFORM_CODES[kind]
    # Rule UB16-10 of technical note 2025.002: today's taxes are not part of the reform's base.
    reform_base = net - pis - cofins - icms - difal - fund if reform_code.startswith("000") else 0
    return LineAmounts(
        product=product,
        discount=discount,
        freight=freight,
        insurance=insurance,
        other=other,
        ipi_base=net if item.ipi_percent is not None else 0,
        ipi_rate=ipi_rate,
        ipi=ipi,
        icms_code=code,
        icms_reduction=reduction,
        icms_base=icms_base,
        icms_rate=icms_rate,
        icms=icms,
        has_difal=has_difal,
        difal_rate=difal_rate,
        difal=difal,
        fund_rate=fund_rate,
        fund=fund,
        contribution_code=contribution,
        contribution_base=contribution_base,
        pis=pis,
        cofins=cofins,
        reform_code=reform_code,
        reform_base=reform_base,
        ibs_state=tax_rates.part(reform_base, tax_rates.IBS_STATE),
        ibs_city=tax_rates.part(reform_base, tax_rates.IBS_CITY),
        cbs=tax_rates.part(reform_base, tax_rates.CBS),
    )


# Taxed in full; transfer between establishments of one company; operation without consideration.
_REFORM_CODES = {
    Kind.SALE: "000001",
    Kind.RETURN: "000001",
    Kind.TRANSFER: "410002",
    Kind.MOVEMENT: "410999",
}


def _icms_code(cfop: str, kind: Kind, route: _Route) -> str:
    """CST or CSOSN by what is done; a line may name its own instead."""
    substituted = cfop[1:] in _SUBSTITUTED
    if route.simples:
        if substituted:
            return "500"
        return {Kind.SALE: "102", Kind.RETURN: "900"}.get(kind, "400")
    if substituted:
        return "60"
    # Stored or sent inside the state: not levied. Across the border ICMS is due on the way.
    unsold = kind in (Kind.MOVEMENT, Kind.TRANSFER)
    return "41" if unsold and route.origin == route.destination else "00"


def _contribution_code(kind: Kind, route: _Route) -> str:
    if route.simples:
        return "98" if route.inward else "49"
    if kind is Kind.SALE:
        return "98" if route.inward else "01"
    if kind is Kind.RETURN:
        return "50" if route.inward else "49"
    return "98" if route.inward else "08"
