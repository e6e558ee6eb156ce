"""The row above the list of orders: a text to look for, chips for status, marketplace, transmission and account."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import starmap
from typing import Final

from confere.app.labels.marketplace_labels import marketplace_word
from confere.app.labels.reconciliation_labels import status_word
from confere.app.orders.browse_orders import OrderChoices, OrderQuery, OrdersScope
from confere.desktop.theme.theme import Look
from confere.desktop.widgets.chip import ChipButton, Offer
from confere.desktop.widgets.long_list.filter_row import ListFilterRow
from confere.sales.order import OrderStatus
from confere.system.messages import t

_FAILED: Final = "failed"
_MISSING: Final = "missing"
_UNKNOWN: Final = "unknown"
_STATUSES: Final = tuple(status.value for status in OrderStatus)


@dataclass(frozen=True, slots=True)
class OrderFilters:
    """Which orders are to be seen; `transmissions` is `failed` or nothing, `invoices` `missing` or nothing, `companies`
    `unknown` (of none that can be told) or nothing."""

    text: str = ""
    statuses: tuple[str, ...] = ()
    marketplaces: tuple[str, ...] = ()
    invoices: tuple[str, ...] = ()
    transmissions: tuple[str, ...] = ()
    companies: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()

    def within(self, base: OrdersScope, first_day: str | None, last_day: str | None) -> OrdersScope:
        """What is asked for, of the company of `base` and a stretch of days, sorted as `base` is."""
        query = OrderQuery(
            from_day=first_day,
            to_day=last_day,
            statuses=self.statuses,
            marketplaces=self.marketplaces,
            text=self.text,
            without_invoice=_MISSING in self.invoices,
            transmission_failed=_FAILED in self.transmissions,
            of_no_company=_UNKNOWN in self.companies,
        )
        return replace(base, account=self.accounts[0] if self.accounts else None, query=query)


def of_no_company(account: str, marketplace: str | None) -> OrderFilters:
    """Those of an account and a marketplace (None: all) that are of no company that can be told."""
    return OrderFilters(
        companies=(_UNKNOWN,), accounts=(account,), marketplaces=() if marketplace is None else (marketplace,)
    )


class OrderFilterRow(ListFilterRow[OrderFilters]):
    """Narrows the list of orders."""

    def __init__(self, look: Look) -> None:
        chips = (
            ChipButton("statuses", t("Status"), status_word, fixed=_STATUSES),
            ChipButton("marketplaces", t("Marketplace"), lambda code: marketplace_word(code) or t("None named")),
            ChipButton("invoices", t("Invoice"), lambda _: t("missing"), several=False, fixed=(_MISSING,)),
            ChipButton("transmissions", t("Transmission"), lambda _: t("failed"), several=False, fixed=(_FAILED,)),
            ChipButton(
                "companies", t("Company"), lambda _: t("none that can be told"), several=False, fixed=(_UNKNOWN,)
            ),
            ChipButton("accounts", t("Account"), str, several=False),
        )
        super().__init__(
            look,
            OrderFilters(),
            {chip.key: chip for chip in chips},
            hint=t("Order, key, tax id or name of the buyer…"),
            name=t("Look for an order"),
        )

    def offer_choices(self, choices: OrderChoices) -> None:
        """Say in the menus what there is, and how many of each."""
        self.offer(
            {
                "statuses": starmap(Offer, choices.statuses),
                "marketplaces": starmap(Offer, choices.marketplaces),
                "transmissions": (Offer(_FAILED, choices.transmission_failed),),
            }
        )
