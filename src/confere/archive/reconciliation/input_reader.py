"""The ledger of an account, read from the archive: one query a table, whatever the number of rows."""

from __future__ import annotations

from collections.abc import Mapping
from sys import intern
from typing import Final

from confere.archive.accounts.accounts import Account
from confere.archive.catalog import catalog_search
from confere.archive.closing import closings
from confere.archive.hub import coverage
from confere.archive.named_rows import NamedRow
from confere.archive.reconciliation import declarations
from confere.archive.reconciliation.input_documents import papers as papers_of
from confere.archive.reconciliation.input_lines import Lines, day
from confere.archive.transaction import Transaction
from confere.fiscal.taxpayers import normalise
from confere.sales.catalog_product import SoldSku
from confere.sales.closings import ClosedMonth
from confere.sales.links import LinkKind
from confere.sales.reconciliation_input import (
    DocumentEvent,
    DocumentReference,
    Ledger,
    ListedPeriod,
    OrderEntry,
    ReturnEntry,
)

HAS_RETURNS: Final = "has_returns"
"""Among the account's facts: whether its hub lists returns."""
_ORDER: Final = (
    "id, hub_id, created_at, created_on, status, marketplace, marketplace_id, total, gross, discount, freight,"
    " buyer_tax_id, buyer_name, uf, invoice_key, invoice_series, invoice_number, invoice_on, shipped_at, delivered_at,"
    " partner_id, marketplace_number, interest"
)
_ITEMS: Final = (
    "SELECT {1} AS owner, code, ean, quantity, total, description, NULL AS ncm, NULL AS unit, NULL AS origin FROM {0}"
    " ORDER BY {1}, position"
)
_RETURN: Final = "id, hub_id, order_hub_id, kind, status, created_on, access_key, total"

Names = Mapping[str | None, str]
"""Each paper's key by itself: a key is one value wherever it stands, and so is quickly compared."""


def load(transaction: Transaction, account: Account, *, lines: bool = True) -> Ledger:
    """Everything that the account's reconciliation compares; without `lines` entries hold no items.

    The documents are those that an establishment of the account emitted, received or takes, and those that the
    account's hub has a record of.
    """
    own = frozenset(entry.tax_id for entry in account.establishments)
    is_production = account.environment == "production"
    papers = papers_of(transaction, account.id, own, lines=lines, is_production=is_production)
    names: Names = {paper.key: paper.key for paper in papers if paper.key is not None}
    return Ledger(
        account=account.name,
        own=own,
        orders=_orders(transaction, account.id, names, lines),
        papers=papers,
        relations=_relations(transaction, names),
        happenings=_happenings(transaction, names),
        returns=_returns(transaction, account) if account.facts.get(HAS_RETURNS) else None,
        documents_listed=listed(transaction, account.id, coverage.CREATED),
        orders_listed=listed(transaction, account.id, coverage.ORDERS),
        undownloaded=undownloaded(transaction, account.id),
        elsewhere=_elsewhere(transaction, account.id),
        absent_orders=frozenset(
            value
            for value in transaction.column(
                "SELECT hub_id FROM order_asked WHERE account_id = ? AND outcome = 'absent'", (account.id,)
            )
        ),
        declared=declarations.standing(transaction, account.id),
        catalog=_catalog(transaction, account.id) if lines else None,
    )


def closed_months(transaction: Transaction, ledger: Ledger, month: str | None = None) -> tuple[ClosedMonth, ...]:
    """The closed months of the ledger's establishments, for `Ledger.closed`: what only R20 and R23 ask for.

    With `month` (`YYYY-MM`) that one alone.
    """
    companies = sorted(ledger.own)
    return tuple(found for company in companies for found in closings.closed_with_now(transaction, company, month))


def _catalog(transaction: Transaction, account_id: int) -> tuple[SoldSku, ...] | None:
    skus = tuple(catalog_search.iter_catalog_skus(transaction, account_id))
    return skus if skus or catalog_search.has_catalog(transaction, account_id) else None


def _orders(transaction: Transaction, account_id: int, names: Names, lines: bool) -> tuple[OrderEntry, ...]:
    items = Lines(transaction.each_named(_ITEMS.format("order_item", "order_id")) if lines else ())
    sql = f"SELECT {_ORDER} FROM sales_order WHERE account_id = ? ORDER BY id"
    return tuple([_order(row, items, names) for row in transaction.each_named(sql, (account_id,))])


def _order(row: NamedRow, items: Lines, names: Names) -> OrderEntry:
    buyer = row.buyer_tax_id
    if buyer and not buyer.isdecimal():
        buyer = normalise(buyer)
    return OrderEntry(
        id=row.id,
        hub_id=row.hub_id,
        created_at=row.created_at,
        created_on=row.created_on,
        status=row.status or "",
        marketplace=row.marketplace,
        marketplace_id=row.marketplace_id,
        total=row.total,
        gross=row.gross,
        discount=row.discount,
        freight=row.freight,
        buyer=buyer,
        buyer_name=row.buyer_name,
        uf=row.uf,
        invoice_key=names.get(row.invoice_key, row.invoice_key),
        invoice_series=row.invoice_series,
        invoice_number=row.invoice_number,
        invoice_on=row.invoice_on,
        shipped_at=row.shipped_at,
        delivered_at=row.delivered_at,
        lines=items.of(row.id),
        partner_id=row.partner_id,
        marketplace_number=row.marketplace_number,
        interest=row.interest,
    )


def _returns(transaction: Transaction, account: Account) -> tuple[ReturnEntry, ...]:
    items = Lines(transaction.each_named(_ITEMS.format("return_item", "return_id")))
    rows = transaction.each_named(f"SELECT {_RETURN} FROM hub_return WHERE account_id = ? ORDER BY id", (account.id,))
    return tuple(
        [
            ReturnEntry(
                row.hub_id,
                row.order_hub_id,
                row.kind,
                row.status,
                row.created_on,
                row.access_key,
                row.total,
                items.of(row.id),
            )
            for row in rows
        ]
    )


def _relations(transaction: Transaction, names: Names) -> tuple[DocumentReference, ...]:
    rows = transaction.rows("SELECT source_key, target_key, kind FROM relation")
    return tuple(
        [
            DocumentReference(names.get(source, source), names.get(target, target), intern(kind))
            for source, target, kind in rows
            if source in names or target in names
        ]
    )


def _happenings(transaction: Transaction, names: Names) -> tuple[DocumentEvent, ...]:
    rows = transaction.rows(
        "SELECT access_key, code, occurred_at, sequence FROM event"
        " WHERE registered = 1 AND is_current = 1 AND access_key IS NOT NULL AND code IS NOT NULL"
        " ORDER BY access_key, occurred_at, sequence"
    )
    return tuple(DocumentEvent(names[key], code, day(at), sequence) for key, code, at, sequence in rows if key in names)


def listed(transaction: Transaction, account_id: int, axis: str) -> tuple[ListedPeriod, ...]:
    """What of the time the account's hub listed on this axis of `coverage`."""
    return tuple(ListedPeriod(span.from_at, span.to_at) for span in coverage.covered(transaction, account_id, axis))


def _elsewhere(transaction: Transaction, account_id: int) -> frozenset[str]:
    """The documents that orders of other accounts name, or are linked to otherwise than by likeness."""
    rows = transaction.column(
        "SELECT l.access_key FROM link l JOIN account a ON a.id = l.account_id AND a.removed_at IS NULL"
        " WHERE l.account_id != ? AND l.kind != ?"
        " UNION SELECT o.invoice_key FROM sales_order o JOIN account a ON a.id = o.account_id AND a.removed_at IS NULL"
        " WHERE o.account_id != ? AND o.invoice_key IS NOT NULL",
        (account_id, LinkKind.SCORED.value, account_id),
    )
    return frozenset(rows)


def undownloaded(transaction: Transaction, account_id: int) -> frozenset[str]:
    """The keys that the account's hub lists and of which no document is here."""
    rows = transaction.column(
        "SELECT h.access_key FROM hub_document h WHERE h.account_id = ? AND h.access_key IS NOT NULL"
        " AND NOT EXISTS (SELECT 1 FROM document d WHERE d.access_key = h.access_key)",
        (account_id,),
    )
    return frozenset(rows)
