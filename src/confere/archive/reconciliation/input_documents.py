"""The papers of an account as ledger entries: current documents with their parties, items, verdict and events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from operator import attrgetter
from typing import Any, Final

from confere.archive.authenticity.verdicts import failed_checks
from confere.archive.named_rows import NamedRow
from confere.archive.reconciliation.input_lines import Lines, day, exact
from confere.archive.transaction import Transaction
from confere.fiscal.state import CANCELLATION_CODES
from confere.sales.reconciliation_input import NamedItem, PaperEntry

_OWN: Final = (
    "d.id, d.access_key, d.number, r.tax_id AS recipient, r.name AS recipient_name, d.issued_at, d.issued_on,"
    " d.authorized_at, d.total, d.total_products, d.total_discount, d.total_freight, d.total_insurance, d.total_other,"
    " d.weight, d.hub_order_id, d.external_id, d.order_hint, d.quoted, d.verdict, d.mismatches, d.hub_account_id,"
    " d.environment, d.total_ipi, d.total_icms_st"
)
_SHARED: Final = (  # the same for thousands
    "d.type, d.model, d.series, d.operation, d.state, d.direction, d.destination, d.purpose, d.hub_subtype,"
    " d.hub_marketplace, d.freight_mode, e.tax_id AS emitter, e.uf AS emitter_uf, t.tax_id AS taker, r.uf,"
    " d.credit_type, d.debit_type, d.intermediary, d.presence, d.cfops"
)
_shared: Final = attrgetter(
    *("type", "model", "series", "operation", "state", "direction", "destination", "purpose", "hub_subtype"),
    *("hub_marketplace", "freight_mode", "emitter", "emitter_uf", "taker", "uf", "credit_type", "debit_type"),
    *("intermediary", "presence", "cfops"),
)
_TEST: Final = "2"  # tpAmb
_NO_RANGE: Final = (None, None, None)
_ITEMS: Final = (
    "SELECT document_id AS owner, code, ean, quantity, total, description, ncm, unit, origin FROM item"
    " ORDER BY document_id, position"
)
_TYPES: Final = "('nfe', 'nfce', 'cte', 'cteos', 'voiding')"


def in_ledger(account_id: int, own: Collection[str]) -> tuple[str, tuple[int | str, ...]]:
    """The condition on a document `d` that it is in the account's ledger, with its parameters."""
    marks = ",".join("?" * len(own))
    return (
        f"d.is_current = 1 AND (d.hub_account_id = ? OR d.id IN (SELECT document_id FROM belonging WHERE tax_id IN"
        f" ({marks})) OR d.hub_account_id IS NOT NULL AND d.access_key IN"
        " (SELECT access_key FROM hub_document WHERE account_id = ?))",
        (account_id, *own, account_id),
    )


def papers(
    transaction: Transaction, account_id: int, own: Collection[str], *, lines: bool, is_production: bool
) -> tuple[PaperEntry, ...]:
    """Entries by the archive's number; `own` are the tax ids whose documents they are.

    Where the account `is_production`, what was issued as a test has the state "test".
    """
    condition, parameters = in_ledger(account_id, own)
    facts = _Facts(transaction, account_id, is_production)
    items = Lines(transaction.each_named(_ITEMS)) if lines else Lines(())
    rows = transaction.each_named(
        f"SELECT {_OWN}, {_SHARED} FROM document d LEFT JOIN taxpayer e ON e.id = d.emitter_id"
        " LEFT JOIN taxpayer r ON r.id = d.recipient_id LEFT JOIN taxpayer t ON t.id = d.taker_id"
        f" WHERE d.type IN {_TYPES} AND {condition} ORDER BY d.id",
        parameters,
    )
    return tuple([_paper(row, items, facts) for row in rows])


class _Facts:
    """What a paper's own row does not hold, each of it few; and what papers share."""

    def __init__(self, transaction: Transaction, account_id: int, is_production: bool) -> None:
        self.account_id = account_id
        self.is_production = is_production
        # Where another account's hub spoke first: what this account's says of subtype, marketplace and order.
        self.words: Mapping[str, tuple[str | None, str | None, str | None]] = {
            key: (subtype, marketplace, order_id)
            for key, subtype, marketplace, order_id in transaction.fetch(
                "SELECT h.access_key, h.subtype, h.marketplace, h.order_id FROM document d"
                " CROSS JOIN hub_document h ON h.access_key = d.access_key"
                " WHERE d.is_current = 1 AND d.hub_account_id != ? AND h.account_id = ? ORDER BY h.id DESC",
                (account_id, account_id),
            )
        }
        codes = ",".join(f"'{code}'" for code in sorted(CANCELLATION_CODES))
        self.cancelled: Mapping[str, str] = {
            key: day(at)
            for key, at in transaction.fetch(
                "SELECT access_key, min(occurred_at) FROM event WHERE registered = 1 AND is_current = 1"
                f" AND code IN ({codes}) AND access_key IS NOT NULL GROUP BY access_key"
            )
        }
        self.versions: Mapping[str, int] = dict(
            transaction.fetch(
                "SELECT access_key, count(DISTINCT content_id) FROM document WHERE access_key IN"
                " (SELECT access_key FROM document WHERE is_current = 0) GROUP BY access_key"
            )
        )
        self.ranges: Mapping[int, tuple[str | None, int | None, int | None]] = {
            number: (emitter, first, last)
            for number, emitter, first, last in transaction.fetch(
                'SELECT document_id, emitter, "first", "last" FROM voiding'
            )
        }
        named: dict[int, list[NamedItem]] = defaultdict(list)
        for number, position, target, item in transaction.fetch(
            "SELECT document_id, position, target_key, target_item FROM item_reference"
        ):
            named[number].append(NamedItem(position, target, item))
        self.named_items: Mapping[int, tuple[NamedItem, ...]] = {
            number: tuple(found) for number, found in named.items()
        }
        self.failing: Mapping[int, tuple[str, ...]] = failed_checks(transaction)
        self.shared = _Shared()


class _Shared:
    """What thousands of papers say alike, once: they are compared by it over and over."""

    def __init__(self) -> None:
        self._first: dict[Any, tuple[NamedRow, tuple[str, ...]]] = {}

    def of(self, row: NamedRow) -> tuple[NamedRow, tuple[str, ...]]:
        """The first row that said the same as this one in the columns of `_SHARED`, and its CFOPs."""
        same = _shared(row)
        first = self._first.get(same)
        if first is None:
            first = self._first[same] = (row, tuple(row.cfops.split(",")) if row.cfops else ())
        return first


def _paper(row: NamedRow, items: Lines, facts: _Facts) -> PaperEntry:
    key = row.access_key
    shared, cfops = facts.shared.of(row)
    subtype, marketplace, order_id = shared.hub_subtype, shared.hub_marketplace, row.hub_order_id
    if row.hub_account_id is not None and row.hub_account_id != facts.account_id:  # its order ids are another hub's
        subtype, marketplace, order_id = facts.words.get(key, (subtype, marketplace, None))
    voider, lowest, highest = facts.ranges.get(row.id, _NO_RANGE)
    return PaperEntry(
        id=row.id,
        key=key,
        type=shared.type,
        model=shared.model,
        series=shared.series,
        number=row.number,
        emitter=shared.emitter or voider,
        recipient=row.recipient,
        recipient_name=row.recipient_name,
        taker=shared.taker,
        issued_at=row.issued_at,
        issued_on=row.issued_on or "",
        authorized_on=day(row.authorized_at),
        cancelled_on=facts.cancelled.get(key, ""),
        operation=shared.operation,
        state="test" if facts.is_production and row.environment == _TEST else shared.state,
        direction=shared.direction,
        destination=shared.destination,
        purpose=shared.purpose,
        subtype=subtype,
        marketplace=marketplace,
        cfops=cfops,
        total=row.total,
        products=row.total_products,
        discount=row.total_discount,
        freight=row.total_freight,
        insurance=row.total_insurance,
        other=row.total_other,
        freight_mode=shared.freight_mode,
        weight=exact(row.weight),
        order_id=order_id,
        external_id=row.external_id,
        order_hint=row.order_hint,
        quoted=tuple(row.quoted.split()) if row.quoted else (),
        versions=facts.versions.get(key, 1),
        verdict=row.verdict,
        failing=facts.failing.get(row.id, ()) if row.verdict else (),
        mismatches=tuple(row.mismatches.split()) if row.mismatches else (),
        uf=shared.uf,
        emitter_uf=shared.emitter_uf,
        first_number=lowest,
        last_number=highest,
        lines=items.of(row.id),
        credit_type=shared.credit_type,
        debit_type=shared.debit_type,
        intermediary=shared.intermediary,
        presence=shared.presence,
        named_items=facts.named_items.get(row.id, ()),
        ipi=row.total_ipi,
        icms_st=row.total_icms_st,
    )
