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
from confere.errors import Message
from confere.sales.links import Link, LinkKind, PersonsWord


@dataclass(frozen=True, slots=True)
class DocumentOrder:
    """An order of a document, by the hub's id of it. `account` is the one in use that has it, None for none.

    What the archive knows of it, money in centavos, `created_on` a day, stands where it is `archived`; `number` is
    the marketplace's. `kind`, `confidence` (percent) and `evidence` are of the link, None and empty where the hub
    names the order and nothing is linked. `manual`: a person linked them; `confirmed`: a person confirmed the
    program's link; `unlinked`: a person said that they do not belong together.
    """

    order_id: str
    marketplace: str | None
    account: str | None = None
    archived: bool = False
    number: str | None = None
    status: str | None = None
    created_on: str = ""
    total: int | None = None
    kind: LinkKind | None = None
    confidence: int = 0
    evidence: tuple[Message, ...] = ()
    manual: bool = False
    confirmed: bool = False
    unlinked: bool = False


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
    confirmed = link is not None and word is PersonsWord.CONFIRM
    return DocumentOrder(
        order_id=name,
        marketplace=(row.marketplace if row is not None else None) or marketplace,
        account=account,
        archived=row is not None,
        number=None if row is None else row.marketplace_id,
        status=None if row is None else row.status,
        created_on="" if row is None else row.created_on,
        total=None if row is None else row.total,
        kind=None if link is None else link.kind,
        confidence=0 if link is None else link.confidence,
        evidence=() if link is None else link.evidence,
        manual=link is not None and link.manual and not confirmed,
        confirmed=confirmed,
        unlinked=link is None and word is PersonsWord.UNLINK,
    )


def _rank(entry: DocumentOrder) -> tuple[bool, int, bool, str]:
    return entry.kind is None, entry.kind or 0, not entry.archived, entry.order_id
