"""Whose a finding, an order or a group of both with documents is, of the companies of its account: said here alone.

A finding is of the company that its subject names; else of those that emitted or received its documents or took their
freight; else of those that emitted what is linked to its orders, or what their invoice's key says. An order is of the
one that its invoice's key says, else of those that emitted what is linked to it. Of an account with one establishment
everything is that one's; of one whose establishments nobody named, whoever is a party.

Where nothing tells, it is of the account and of no company: it may be any one's, so each of them has it in its lists
and figures, and all together have it once.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from confere.archive.message_encoding import storable
from confere.archive.transaction import Transaction

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

_KEY: Final = 44


def _establishments(of: str) -> str:
    return f"SELECT e.tax_id FROM establishment e WHERE e.account_id = {of}.account_id"


def _told(of: str, *sources: str) -> str:
    """SQL of the companies of the account of `of` among the `tax_id` of these; null where there is none."""
    own = _establishments(of)
    return (
        f"(SELECT group_concat(DISTINCT x.tax_id) FROM ({' UNION ALL '.join(sources)}) x"
        f" WHERE EXISTS ({own} AND e.tax_id = x.tax_id) OR NOT EXISTS ({own}))"
    )


def _emitter(key: str) -> str:
    """SQL of the emitter in an access key, null of anything else."""
    return f"CASE length({key}) WHEN {_KEY} THEN substr({key}, 7, 14) END AS tax_id"


def _alone_or(of: str, *told: str) -> str:
    """SQL of the only company of the account, else of the first of these that tells any."""
    own = _establishments(of)
    return f"CASE (SELECT count(*) FROM ({own})) WHEN 1 THEN ({own}) ELSE coalesce({', '.join(told)}, NULL) END"


_BY_SUBJECT: Final = (
    f"CASE f.subject WHEN '' THEN NULL ELSE (SELECT group_concat(x.tax_id) FROM ({_establishments('f')}) x"
    " WHERE instr('/' || f.subject || '/', '/' || x.tax_id || '/')) END"
)
_BY_DOCUMENTS: Final = _told(
    "f",
    f"SELECT {_emitter('k.value')} FROM json_each(f.keys) k",
    "SELECT t.tax_id FROM json_each(f.keys) k CROSS JOIN document d ON d.access_key = k.value AND d.is_current = 1"
    " CROSS JOIN taxpayer t ON t.id = d.emitter_id OR t.id = d.recipient_id OR t.id = d.taker_id",
)
_BY_ORDERS: Final = _told(
    "f",
    f"SELECT {_emitter('l.access_key')} FROM json_each(f.orders) k CROSS JOIN link l"
    " ON l.account_id = f.account_id AND l.order_hub_id = k.value",
    f"SELECT {_emitter('s.invoice_key')} FROM json_each(f.orders) k CROSS JOIN sales_order s"
    " ON s.account_id = f.account_id AND s.hub_id = k.value",
)
OF_FINDING: Final = _alone_or("f", _BY_SUBJECT, _BY_DOCUMENTS, _BY_ORDERS)
"""SQL of the companies of a finding `f`, with commas between them; null where nothing tells."""
# Most orders name an invoice of the account: no other table is asked of them.
_BY_INVOICE: Final = f"({_establishments('o')} AND e.tax_id = substr(o.invoice_key, 7, 14))"
_BY_LINKS: Final = _told(
    "o",
    f"SELECT {_emitter('o.invoice_key')}",
    f"SELECT {_emitter('l.access_key')} FROM link l WHERE l.account_id = o.account_id AND l.order_hub_id = o.hub_id",
)
OF_ORDER: Final = f"coalesce({_BY_INVOICE}, {_alone_or('o', _BY_LINKS)})"
"""SQL of the companies of an order `o`, as `OF_FINDING`."""
MAY_HOLD: Final = (
    "(SELECT a.id FROM account a WHERE NOT EXISTS (SELECT 1 FROM establishment e WHERE e.account_id = a.id)"
    " OR EXISTS (SELECT 1 FROM establishment e WHERE e.account_id = a.id AND e.tax_id = :company))"
)
"""SQL of the accounts, removed ones too, that may hold what is of `:company`."""
_PARTIES: Final = (
    "SELECT d.access_key, t.tax_id FROM document d CROSS JOIN taxpayer t"
    " ON t.id = d.emitter_id OR t.id = d.recipient_id OR t.id = d.taker_id"
    " WHERE d.is_current = 1 AND d.access_key IN {}"
)
_AT_ONCE: Final = 500
_OF_GROUPS: Final = (
    f"SELECT f.place, {OF_FINDING} FROM (SELECT g.key AS place, ? AS account_id,"
    " json_extract(g.value, '$[0]') AS subject, json_extract(g.value, '$[1]') AS orders,"
    " json_extract(g.value, '$[2]') AS keys FROM json_each(?) g) f ORDER BY f.place"
)
_HOLDING: Final = (
    "SELECT a.id, (SELECT count(*) FROM establishment e WHERE e.account_id = a.id) AS companies FROM account a"
    " WHERE a.removed_at IS NULL AND (NOT EXISTS (SELECT 1 FROM establishment e WHERE e.account_id = a.id)"
    " OR EXISTS (SELECT 1 FROM establishment e WHERE e.account_id = a.id AND e.tax_id = ?)) ORDER BY a.id"
)


class OwnedGroup(NamedTuple):
    """Orders and documents that stand in one line of a list: what tells whose it is, as a finding's parts do.

    `orders` are the hub's ids, `keys` access keys; `subject` names a company among others, with slashes between them.
    """

    orders: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Owned:
    """What is of a company: of which accounts in use, and whether that has to be told row by row."""

    company: str
    account_ids: tuple[int, ...]
    is_told: bool

    def condition(self, told: str, account: ColumnElement[int]) -> ColumnElement[bool]:
        """The condition of `select()`; `told` is `OF_FINDING` or `OF_ORDER`, `account` the account of the row."""
        from sqlalchemy import text  # not for those who only count: the window's start is one of them

        from confere.archive.list_selection import NEVER

        if not self.account_ids:
            return NEVER
        theirs = account.in_(self.account_ids)
        return theirs & text(_concerning(told)).bindparams(company=self.company) if self.is_told else theirs

    def sql(self, told: str, account: str) -> tuple[str, dict[str, str]]:
        """The same as text, with the values that it names."""
        theirs = f"{account} IN ({', '.join(map(str, self.account_ids))})"
        return (f"{theirs} AND {_concerning(told)}", {"company": self.company}) if self.is_told else (theirs, {})


def owned_by(transaction: Transaction, company: str, account_id: int | None = None) -> Owned:
    """What is of `company` (CNPJ) in the accounts in use that may hold it, or in this one of them."""
    holding = [
        (number, companies)
        for number, companies in transaction.fetch(_HOLDING, (storable(company),))
        if account_id in (None, number)
    ]
    return Owned(
        storable(company), tuple(number for number, _ in holding), any(companies != 1 for _, companies in holding)
    )


def of_findings(transaction: Transaction, numbers: Collection[int]) -> dict[int, tuple[str, ...]]:
    """The companies of these findings, by tax id; none where nothing tells."""
    return _of(transaction, f"SELECT f.id, {OF_FINDING} FROM finding f WHERE f.id IN {{}}", numbers)


def of_orders(transaction: Transaction, numbers: Collection[int]) -> dict[int, tuple[str, ...]]:
    """The companies of these orders, by the archive's number of each; none where nothing tells."""
    return _of(transaction, f"SELECT o.id, {OF_ORDER} FROM sales_order o WHERE o.id IN {{}}", numbers)


def of_groups(transaction: Transaction, account_id: int, groups: Sequence[OwnedGroup]) -> list[tuple[str, ...]]:
    """The companies of each of these groups of an account, as if it were a finding; none where nothing tells."""
    told: list[tuple[str, ...]] = []
    for begin in range(0, len(groups), _AT_ONCE):
        parts = json.dumps([[group.subject, group.orders, group.keys] for group in groups[begin : begin + _AT_ONCE]])
        rows = transaction.fetch(_OF_GROUPS, (account_id, storable(parts)))
        told += [companies_in(companies) for _, companies in rows]
    return told


def of_keys(transaction: Transaction, keys: Collection[str]) -> dict[str, tuple[str, ...]]:
    """By access key the establishments of any account that emitted the document, received it or took its freight."""
    known = {tax_id for (tax_id,) in transaction.fetch("SELECT tax_id FROM establishment")}
    parties: dict[str, set[str]] = {key: {key[6:20]} if len(key) == _KEY else set() for key in keys}
    for key, tax_id in transaction.fetch_in(_PARTIES, list(parties)):
        parties[key].add(tax_id)
    return {key: tuple(sorted(told & known)) for key, told in parties.items()}


def _of(transaction: Transaction, sql: str, numbers: Collection[int]) -> dict[int, tuple[str, ...]]:
    return {number: companies_in(told) for number, told in transaction.fetch_in(sql, numbers)}


def companies_in(told: str | None) -> tuple[str, ...]:
    """The companies that `OF_FINDING` or `OF_ORDER` told."""
    return tuple(sorted(told.split(","))) if told else ()


def is_concerned(company: str, told: Collection[str]) -> bool:
    """Whether what is of these companies is of this one: where none is told, it may be."""
    return not told or company in told


def _concerning(told: str) -> str:
    return f"instr(',' || coalesce({told}, :company) || ',', ',' || :company || ',') > 0"
