"""What the archive holds of a company's month now, as the rows that a closing freezes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from operator import attrgetter
from typing import Final

from confere.archive.accounts import owning_company
from confere.archive.accounts.owning_company import Owned
from confere.archive.clock import utc_text
from confere.archive.transaction import Transaction
from confere.fiscal.document_parts import TaxSums
from confere.fiscal.periods import BRASILIA
from confere.sales.closings import (
    FiledCoverage,
    FiledDocument,
    FiledEvent,
    FiledFinding,
    FiledLink,
    FiledTaxes,
    FiledTerms,
    MonthRows,
)

# Begun with the company's days, which are few; SQLite would begin with the larger table.
_MONTH: Final = (
    "belonging b CROSS JOIN document d ON d.id = b.document_id"
    " WHERE b.tax_id = ? AND b.issued_on BETWEEN ? AND ? AND d.is_current = 1"
)
_KEYS: Final = f"SELECT d.access_key FROM {_MONTH} AND d.access_key IS NOT NULL"
_PAPER: Final = "coalesce(d.access_key, lower(hex(c.digest)) || '/' || d.position)"
_CONTENT: Final = _MONTH.replace(" WHERE", " CROSS JOIN content c ON c.id = d.content_id WHERE", 1)
_SUMS: Final = ", ".join(f"g.{name}" for name in TaxSums._fields)
_amounts_of: Final = attrgetter(*TaxSums._fields[2:])


def read(transaction: Transaction, company: str, month: str) -> MonthRows:
    """Everything that a closing of the month freezes."""
    accounts = _accounts(transaction, company)
    days = _days(company, month)
    return replace(
        fiscal(transaction, company, month),
        links=tuple(_links(transaction, days)),
        findings=tuple(_findings(transaction, days, accounts, month)),
        terms=tuple(_terms(transaction, accounts)),
        coverage=tuple(_coverage(transaction, accounts, month)),
    )


def fiscal(transaction: Transaction, company: str, month: str) -> MonthRows:
    """The documents of the month with their taxes and events alone."""
    days = _days(company, month)
    return MonthRows(
        documents=tuple(_documents(transaction, days)),
        taxes=tuple(_taxes(transaction, days)),
        events=tuple(_events(transaction, days)),
    )


def _days(company: str, month: str) -> tuple[str, str, str]:
    return company, f"{month}-01", f"{month}-31"


def _accounts(transaction: Transaction, company: str) -> tuple[int, ...]:
    return tuple(
        transaction.column("SELECT DISTINCT account_id FROM establishment WHERE tax_id = ? ORDER BY 1", (company,))
    )


def _documents(transaction: Transaction, days: tuple[str, str, str]) -> Iterator[FiledDocument]:
    joined = _CONTENT.replace(" WHERE", " LEFT JOIN taxpayer r ON r.id = d.recipient_id WHERE", 1)
    rows = transaction.fetch_as(
        FiledDocument,
        f"SELECT {_PAPER} AS paper, d.access_key AS key, lower(hex(c.digest)) AS sha256, d.type, d.state,"
        f" b.direction, r.uf, d.total, d.verdict, d.issued_on FROM {joined} ORDER BY 1",
        days,
    )
    yield from rows


def _taxes(transaction: Transaction, days: tuple[str, str, str]) -> Iterator[FiledTaxes]:
    joined = _CONTENT.replace(" WHERE", " CROSS JOIN tax_group g ON g.document_id = d.id WHERE", 1)
    for row in transaction.each_named(f"SELECT {_PAPER} AS paper, {_SUMS} FROM {joined} ORDER BY 1, g.position", days):
        yield FiledTaxes(row.paper, row.cfop, row.cst, _amounts_of(row))


def _events(transaction: Transaction, days: tuple[str, str, str]) -> Iterator[FiledEvent]:
    joined = _MONTH.replace(
        " WHERE",
        " CROSS JOIN event e ON e.access_key = d.access_key AND e.is_current = 1"
        " CROSS JOIN content c ON c.id = e.content_id WHERE",
        1,
    )
    yield from transaction.fetch_as(
        FiledEvent,
        "SELECT e.access_key AS key, e.code, e.sequence, lower(hex(c.digest)) AS sha256, e.registered, e.occurred_at"
        f" FROM {joined} ORDER BY 1, 2, 3, 4",
        days,
    )


def _links(transaction: Transaction, days: tuple[str, str, str]) -> Iterator[FiledLink]:
    joined = _MONTH.replace(" WHERE", " CROSS JOIN link l ON l.access_key = d.access_key WHERE", 1)
    yield from transaction.fetch_as(
        FiledLink,
        "SELECT l.account_id AS account, l.order_hub_id AS order_id, l.access_key AS key, l.kind"
        f" FROM {joined} ORDER BY 1, 2, 3",
        days,
    )


def _findings(
    transaction: Transaction, days: tuple[str, str, str], accounts: tuple[int, ...], month: str
) -> Iterator[FiledFinding]:
    """Those of the company in the month, and those about its documents wherever they stand.

    What R20 and R23 say is not among them: it is made of this very comparison.
    """
    condition, values = _owned(days[0], accounts).sql(owning_company.OF_FINDING, "f.account_id")
    keys = _KEYS.replace("?", ":company", 1).replace("?", ":first", 1).replace("?", ":last", 1)
    yield from transaction.fetch_as(
        FiledFinding,
        "SELECT f.account_id AS account, f.fingerprint, f.rule, f.state, f.amount, f.keys FROM finding f"
        f" WHERE f.rule NOT IN ('R20', 'R23') AND ({condition} AND f.period = :month"
        f" OR f.id IN (SELECT k.finding_id FROM finding_key k WHERE k.access_key IN ({keys}))) ORDER BY 1, 2",
        values | {"month": month, "company": days[0], "first": days[1], "last": days[2]},
    )


def own_alone(transaction: Transaction, filed: MonthRows, company: str, month: str) -> MonthRows:
    """What a closing froze without the findings of other companies of its accounts: older releases froze these too."""
    accounts = _accounts(transaction, company)
    condition, values = _owned(company, accounts).sql(owning_company.OF_FINDING, "f.account_id")
    others = set(
        transaction.fetch(
            "SELECT f.account_id, f.fingerprint FROM finding f WHERE f.account_id IN"
            f" (SELECT value FROM json_each(:accounts)) AND f.period = :month AND NOT ({condition})",
            values | {"accounts": json.dumps(accounts), "month": month},
        )
    )
    return replace(
        filed, findings=tuple(entry for entry in filed.findings if (entry.account, entry.fingerprint) not in others)
    )


def _owned(company: str, accounts: tuple[int, ...]) -> Owned:
    """What is of the company in these accounts, those that were removed too."""
    return Owned(company, accounts, is_told=True)


def _terms(transaction: Transaction, accounts: tuple[int, ...]) -> Iterator[FiledTerms]:
    for row in transaction.named_in("SELECT id, name, preferences FROM account WHERE id IN {} ORDER BY id", accounts):
        text = json.dumps(json.loads(row.preferences or "{}"), sort_keys=True, ensure_ascii=False)
        yield FiledTerms(row.id, row.name, text)


def _coverage(transaction: Transaction, accounts: tuple[int, ...], month: str) -> Iterator[FiledCoverage]:
    year, number = int(month[:4]), int(month[5:])
    begins = utc_text(datetime(year, number, 1, tzinfo=BRASILIA))
    ends = utc_text(datetime(year + number // 12, number % 12 + 1, 1, tzinfo=BRASILIA))
    yield from (
        stretch
        for stretch in transaction.fetch_in_as(
            FiledCoverage,
            "SELECT account_id AS account, axis, from_at, to_at, narrowed, method, finished_at FROM coverage"
            " WHERE account_id IN {} ORDER BY account_id, axis, from_at, id",
            accounts,
        )
        if stretch.to_at >= begins and stretch.from_at < ends
    )


def has_documents(transaction: Transaction, company: str, month: str) -> bool:
    """Whether there is anything of the company in the month."""
    return transaction.first(f"SELECT 1 FROM {_MONTH} LIMIT 1", _days(company, month)) is not None
