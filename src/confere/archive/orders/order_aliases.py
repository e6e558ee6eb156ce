"""Orders that a file called by the marketplace's number, and the hub by an id of its own: the same order."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from operator import attrgetter

from confere.archive.message_encoding import storable
from confere.archive.orders.orders import NUMBERS
from confere.archive.transaction import Transaction


def by_marketplace_id(transaction: Transaction, account_id: int, numbers: Collection[str]) -> dict[str, str]:
    """The hub's ids of the orders that the marketplace calls so; of several with one number the first that came."""
    wanted = {storable(number) for number in numbers}
    found: dict[str, str] = {}
    for column in ("marketplace_number", "marketplace_id"):  # the id goes before the number
        # The plus keeps SQLite from walking all orders of the account where the number's own index leads to one.
        rows = transaction.named_in(
            f"SELECT {column} AS number, hub_id, id FROM sales_order WHERE +account_id = {int(account_id)}"
            f" AND source = 'hub' AND {column} IN {{}}",
            wanted,
        )
        found |= {row.number: row.hub_id for row in sorted(rows, key=attrgetter("id"), reverse=True)}
    return found


def by_any_name(transaction: Transaction, account_id: int, names: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The hub's ids of the orders that each name may mean: the order with that id, else those numbered so."""
    wanted = {storable(name) for name in names}
    rows = transaction.fetch_in(
        f"SELECT hub_id, hub_id FROM sales_order WHERE account_id = {int(account_id)} AND hub_id IN {{}}", wanted
    )
    found = {name: (hub_id,) for name, hub_id in rows}
    numbered: dict[str, set[str]] = {}
    for column in NUMBERS:
        for number, hub_id in transaction.fetch_in(
            f"SELECT {column}, hub_id FROM sales_order WHERE +account_id = {int(account_id)} AND {column} IN {{}}",
            wanted - found.keys(),
        ):
            numbered.setdefault(number, set()).add(hub_id)
    return found | {number: tuple(sorted(hub_ids)) for number, hub_ids in numbered.items()}


def adopt(transaction: Transaction, account_id: int, hub_ids: Mapping[str, str]) -> int:
    """Let orders that a file named by the marketplace's number go by the hub's id from now on; how many did.

    `hub_ids` are the hub's ids by that number. What a person decided about such an order goes with it.
    """
    names = {storable(number): storable(hub_id) for number, hub_id in hub_ids.items() if number != hub_id}
    of_files = list(
        transaction.named_in(
            f"SELECT hub_id, id FROM sales_order WHERE account_id = {int(account_id)} AND source = 'file'"
            " AND hub_id IN {}",
            names,
        )
    )
    taken = set(
        transaction.column_in(
            f"SELECT hub_id FROM sales_order WHERE account_id = {int(account_id)} AND hub_id IN {{}}",
            set(names.values()),
        )
    )
    # Of several that are one order of the hub the first becomes it: two cannot have one name.
    first = {names[row.hub_id]: row.id for row in sorted(of_files, key=attrgetter("id"), reverse=True)}
    adopted = [
        (names[row.hub_id], row.id, row.hub_id)
        for row in of_files
        if names[row.hub_id] not in taken and first[names[row.hub_id]] == row.id
    ]
    transaction.execute_many(
        "UPDATE sales_order SET hub_id = ? WHERE id = ?", [(hub_id, row_id) for hub_id, row_id, _ in adopted]
    )
    transaction.execute_many(
        "UPDATE decision SET order_hub_id = ? WHERE account_id = ? AND order_hub_id = ?",
        [(hub_id, account_id, number) for hub_id, _, number in adopted],
    )
    return len(adopted)
