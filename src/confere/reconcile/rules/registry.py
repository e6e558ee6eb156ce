"""All rules in the order of the rule book, for who runs them and for who explains them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from confere.errors import Message
from confere.reconcile.context import View
from confere.reconcile.rules.closing import r20_taxes, r23_late
from confere.reconcile.rules.documents import (
    r07a_other_bytes,
    r07c_number_reuse,
    r12_number_gap,
    r14_reference,
    r17_direction,
    r18_totals,
    r19_authenticity,
    r24_consumer_note,
)
from confere.reconcile.rules.freight import (
    r08_freight_without_note,
    r09_note_without_freight,
    r10_freight,
    r11_adjusted_freight,
)
from confere.reconcile.rules.goods import r13_return, r15_fulfilment, r16_stock, r26_refused_delivery, r27_catalog
from confere.reconcile.rules.orders import (
    r01_no_invoice,
    r02_no_order,
    r03_value,
    r04_cancelled_invoice,
    r05_cancelled_order,
    r06_cut_off,
    r07b_billed_twice,
    r25_marketplace_not_named,
)
from confere.reconcile.rules.rule import Rule
from confere.sales.findings import Finding


@dataclass(frozen=True, slots=True)
class RegisteredRule:
    """A rule with the function that finds."""

    rule: Rule
    find: Callable[[View], Iterator[Finding]]

    @property
    def title(self) -> Message:
        """The short name of the rule, as lists show it."""
        return Message(self.rule.title)

    @property
    def explanation(self) -> Message:
        """What it finds, and what to do about it: two sentences."""
        return Message(self.rule.explanation)


_MODULES: Final = (
    r01_no_invoice,
    r02_no_order,
    r03_value,
    r04_cancelled_invoice,
    r05_cancelled_order,
    r06_cut_off,
    r07a_other_bytes,
    r07b_billed_twice,
    r07c_number_reuse,
    r08_freight_without_note,
    r09_note_without_freight,
    r10_freight,
    r11_adjusted_freight,
    r12_number_gap,
    r13_return,
    r14_reference,
    r15_fulfilment,
    r16_stock,
    r17_direction,
    r18_totals,
    r19_authenticity,
    r20_taxes,
    r23_late,
    r24_consumer_note,
    r25_marketplace_not_named,
    r26_refused_delivery,
    r27_catalog,
)
RULES: Final[tuple[RegisteredRule, ...]] = tuple(RegisteredRule(module.RULE, module.find) for module in _MODULES)
BY_ID: Final = {registered.rule.id: registered for registered in RULES}
"""By `R1`, `R7a` and so on."""
