"""How many documents each order of a list has, and which open findings name it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import ColumnElement, func, select, union

from confere.archive.list_selection import VALUES
from confere.archive.message_encoding import storable
from confere.archive.reconciliation.open_findings import FindingMark
from confere.archive.schema.schema import document, finding, finding_order, hub_document, link, sales_order
from confere.archive.transaction import Transaction
from confere.sales.findings import FindingState, Severity

_RANKS: Final = {severity.value: rank for rank, severity in enumerate((Severity.HIGH, Severity.MEDIUM, Severity.LOW))}


def documents(transaction: Transaction, account_id: int, hub_ids: Collection[str]) -> dict[str, int]:
    """Of these orders how many current documents are linked to each, named by it, or said to be its by the hub."""
    named = union(
        _pairs(link.c.order_hub_id, link.c.access_key, link.c.account_id == account_id),
        _pairs(hub_document.c.order_id, hub_document.c.access_key, hub_document.c.account_id == account_id),
        _pairs(sales_order.c.hub_id, sales_order.c.invoice_key, sales_order.c.account_id == account_id),
    ).subquery("named")
    counted = (
        select(named.c.name, func.count(document.c.id).label("number"))
        .select_from(named.join(document, (document.c.access_key == named.c.key) & (document.c.is_current == 1)))
        .group_by(named.c.name)
    )
    return {row.name: row.number for row in transaction.named_in(counted, set(map(storable, hub_ids)))}


def open_findings(
    transaction: Transaction, account_id: int, hub_ids: Collection[str]
) -> dict[str, tuple[FindingMark, ...]]:
    """The open findings that name each of these orders, the gravest first."""
    rows = (
        select(finding_order.c.order_hub_id.label("name"), finding.c.rule, finding.c.severity)
        .select_from(finding_order.join(finding, finding.c.id == finding_order.c.finding_id))
        .where(
            finding_order.c.account_id == account_id,
            finding_order.c.order_hub_id.in_(VALUES),
            finding.c.state == FindingState.OPEN.value,
        )
    )
    marks: dict[str, list[FindingMark]] = {}
    for row in transaction.named_in(rows, set(map(storable, hub_ids))):
        marks.setdefault(row.name, []).append(FindingMark(row.rule, row.severity))
    return {name: tuple(sorted(found, key=_gravest_first)) for name, found in marks.items()}


def _gravest_first(mark: FindingMark) -> tuple[int, str]:
    return _RANKS.get(mark.severity, len(_RANKS)), mark.rule


def _pairs(name: ColumnElement[str], key: ColumnElement[str], of_account: ColumnElement[bool]) -> Any:
    return select(name.label("name"), key.label("key")).where(of_account, name.in_(VALUES))
