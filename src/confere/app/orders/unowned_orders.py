"""Orders of a month that are of no company that can be told: any may own them, and no company's bridge has them.

Only accounts of several companies have any.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from confere.archive.orders import order_search
from confere.archive.orders.order_search import OrderQuery
from confere.archive.transaction import Transaction
from confere.export.months import Month
from confere.sales.bridge import NONE_NAMED
from confere.system.processes.command_text import command_text

_MOST_NAMED: Final = 1000


@dataclass(frozen=True, slots=True)
class UnownedOrders:
    """How many there are, what they come to in centavos, cancelled ones with them, and the hub's ids of the first."""

    count: int = 0
    worth: int = 0
    names: tuple[str, ...] = ()


def of_month(transaction: Transaction, account_id: int, month: Month) -> UnownedOrders:
    """Those of an account and month."""
    query = OrderQuery(account_id=account_id, from_day=month.first_day, to_day=month.last_day, of_no_company=True)
    totals = order_search.totals(transaction, query)
    rows = order_search.page(transaction, query, _MOST_NAMED) if totals.count else ()
    return UnownedOrders(totals.count, totals.worth + totals.cancelled_worth, tuple(row.hub_id for row in rows))


def command(account: str, month: str, marketplace: str | None = None) -> str:
    """The command that lists those of an account, a month (`YYYY-MM`) and a marketplace; None for all,
    `NO_MARKETPLACE` for those that name none."""
    words = ["confere", "orders", "list", "--of-no-company", "--account", account, "--month", month]
    if marketplace is not None:
        words += ["--marketplace", marketplace or NONE_NAMED]
    return command_text((*words, "--all"))
