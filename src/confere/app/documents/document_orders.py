"""The orders of one document: those that are linked to it, with the reason, and those that the hub names on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.documents import relations as related
from confere.archive.orders import orders
from confere.archive.orders.orders import OrderRow
from confere.archive.reconciliation import decisions, links
from confere.archive.transaction import Transaction
from confere.sales.links import Link, PersonsWord


@dataclass(frozen=True, slots=True)
class DocumentOrder:
    """An order of a document, by the hub's id of it. `account` is the one in use that has it, None for none.

    `marketplace` is the order's own word, else the one of the hub's record of the document. `row` is None where the
    archive has no such order, `link` where the hub names the order and nothing is linked. `confirmed`: a person
    confirmed the program's link; `unlinked`: a person said that they do not belong together.
    """

    order_id: str
    marketplace: str | None
    account: str | None = None
    row: OrderRow | None = None
    link: Link | None = None
    confirmed: bool = False
    unlinked: bool = False

    @property
    def archived(self) -> bool:
        """Whether the archive has the order."""
        return self.row is not None

    @property
    def manual(self) -> bool:
        """Whether they are linked by a person's word alone."""
        return self.link is not None and self.link.manual and not self.confirmed

    @property
    def total(self) -> int | None:
        """What it came to, in centavos."""
        return None if self.row is None else self.row.total

    @property
    def number(self) -> str | None:
        """The marketplace's number of it."""
        return None if self.row is None else self.row.marketplace_id


def orders_of(transaction: Transaction, access_key: str) -> tuple[DocumentOrder, ...]:
    """Linked ones first, the strongest evidence before the others; each id once."""
    named: dict[int, dict[str, str | None]] = {}
    for account_id, order_id, marketplace in related.orders_of(transaction, access_key):
        named.setdefault(account_id, {}).setdefault(order_id, marketplace)
    found: list[DocumentOrder] = []
    for account in accounts.every(transaction):
        found += _of_account(transaction, account, access_key, named.pop(account.id, {}))
    found += [DocumentOrder(order_id, marketplace) for gone in named.values() for order_id, marketplace in gone.items()]
    once: dict[str, DocumentOrder] = {}
    for entry in sorted(found, key=_rank):
        once.setdefault(entry.order_id, entry)
    return tuple(once.values())


def _of_account(
    transaction: Transaction, account: Account, access_key: str, named: Mapping[str, str | None]
) -> Iterable[DocumentOrder]:
    linked = {entry.order_id: entry for entry in links.of(transaction, account.id, keys=(access_key,))}
    names = dict.fromkeys((*linked, *named))
    if not names:
        return
    rows = orders.named(transaction, account.id, names)
    said = {entry.order_id: entry.word for entry in decisions.standing(transaction, account.id, access_key)}
    for name in names:
        yield _order(name, named.get(name), account.name, rows.get(name), linked.get(name), said.get(name))


def _order(
    name: str, marketplace: str | None, account: str, row: OrderRow | None, link: Link | None, word: PersonsWord | None
) -> DocumentOrder:
    return DocumentOrder(
        order_id=name,
        marketplace=(row.marketplace if row is not None else None) or marketplace,
        account=account,
        row=row,
        link=link,
        confirmed=link is not None and word is PersonsWord.CONFIRM,
        unlinked=link is None and word is PersonsWord.UNLINK,
    )


def _rank(order: DocumentOrder) -> tuple[bool, int, bool, str]:
    kind = 0 if order.link is None else order.link.kind
    return order.link is None, kind, not order.archived, order.order_id
