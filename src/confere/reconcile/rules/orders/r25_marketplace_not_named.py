"""R25: a sale on a marketplace whose note does not name the marketplace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from confere.errors import N_, message
from confere.reconcile import evidence_text
from confere.reconcile.context import View
from confere.reconcile.graph.order_groups import many_alike
from confere.reconcile.rules.rule import Rule
from confere.sales.findings import Finding, Severity
from confere.sales.reconciliation_input import PaperEntry
from confere.system.plain_text import ascii_letters

RULE: Final = Rule(
    "R25",
    1,
    Severity.LOW,
    N_("Marketplace not named"),
    N_(
        "The note of a sale on a marketplace names no intermediary (infIntermed)."
        " Have the system that issues the notes fill in the marketplace's CNPJ and the seller's name there."
    ),
)
SINCE: Final = "2021-09-01"
"""From here on every note is held to it. Source: NT 2020.006, groups B25c (`indIntermed`) and YB (`infIntermed`)."""
_NOT_IN_PERSON: Final = frozenset({"2", "3", "4", "9"})  # indPres of sales at a distance
# Shops of one's own that hubs call by the software behind them: nobody is between seller and buyer.
_OWN_SHOPS: Final = (
    *("VTEX", "SHOPIFY", "NUVEMSHOP", "TIENDANUBE", "WOOCOMMERCE", "MAGENTO", "TRAY", "LOJAINTEGRADA", "LOJAPROPRIA"),
    *("SITEPROPRIO", "ECOMMERCE", "PRESTASHOP", "OPENCART", "BAGY", "WBUY", "YAMPI", "CARTPANDA", "BIGCOMMERCE"),
    *("SITE", "OCC", "WAKE", "MANUAL", "BALCAO", "B2B"),
)


def find(view: View) -> Iterator[Finding]:
    """Authorized sales at a distance whose order, or the hub's record of them, is a marketplace's.

    What a whole marketplace's notes lack in a month is one finding. A note from before the presence of the buyer was
    read (`confere reindex`) tells nothing.
    """
    silent = {sale.key or "": name for sale in view.sales if (name := _marketplace(view, sale)) is not None}
    notes = (sale for sale in view.sales if sale.key in silent)
    alike, apart = many_alike(notes, lambda sale: silent.get(sale.key or ""))
    for sale in apart:
        yield RULE.found(
            sale.period,
            message(
                "{name} of {day} ({total}) is a sale on {marketplace} and names no intermediary (infIntermed).",
                name=evidence_text.named(sale),
                day=evidence_text.day(sale.issued_on),
                total=evidence_text.money(sale.total) or "?",
                marketplace=silent[sale.key or ""],
            ),
            orders=view.orders_of(sale.key),
            papers=[sale],
            amount=sale.total,
        )
    for (name, period), sales in alike.items():
        yield RULE.found(
            period,
            message(
                "{count} notes of sales on {marketplace} in {month} name no intermediary (infIntermed): {names}.",
                count=len(sales),
                marketplace=name,
                month=evidence_text.day(period),
                names=evidence_text.papers_named(sales),
            ),
            papers=sales,
            amount=sum(sale.total or 0 for sale in sales),
            subject=f"{period}/{name}",
        )


def _marketplace(view: View, sale: PaperEntry) -> str | None:
    """The marketplace that a note leaves out; None where it leaves out nothing, or nobody can tell."""
    if sale.intermediary or sale.presence not in _NOT_IN_PERSON or sale.issued_on < SINCE:
        return None
    names = (order.marketplace for order in view.orders_of(sale.key))
    name = next(filter(None, names), None) or sale.marketplace
    return None if name is None or _is_own_shop(name) else name


def _is_own_shop(name: str) -> bool:
    plain = ascii_letters(name[:60]).upper()
    letters = "".join(filter(str.isalnum, plain))
    return any(letters.startswith(shop) if len(shop) > 4 else letters == shop for shop in _OWN_SHOPS)
