"""The papers of an account as ledger entries: current documents with their parties, items, verdict and events."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Final

from confere.archive.authenticity.verdicts import failed_checks
from confere.archive.reconciliation.input_lines import Lines, day, exact
from confere.archive.transaction import Row, Transaction
from confere.fiscal.state import CANCELLATION_CODES
from confere.sales.reconciliation_input import NamedItem, PaperEntry

_OWN: Final = (
    "d.id, d.access_key, d.number, r.tax_id, r.name, d.issued_at, d.issued_on, d.authorized_at, d.total,"
    " d.total_products, d.total_discount, d.total_freight, d.total_insurance, d.total_other, d.weight, d.hub_order_id,"
    " d.external_id, d.order_hint, d.quoted, d.verdict, d.mismatches, d.hub_account_id, d.environment, d.total_ipi,"
    " d.total_icms_st"
)
_SHARED: Final = (
    "d.type, d.model, d.series, d.operation, d.state, d.direction, d.destination, d.purpose, d.hub_subtype,"
    " d.hub_marketplace, d.freight_mode, e.tax_id, e.uf, t.tax_id, r.uf, d.credit_type, d.debit_type, d.intermediary,"
    " d.presence, d.cfops"
)
_OWN_COLUMNS: Final = _OWN.count(",") + 1
_TEST: Final = "2"  # tpAmb
_NO_RANGE: Final = (None, None, None)
_ITEMS: Final = "SELECT document_id, code, ean, quantity, total, description FROM item ORDER BY document_id, position"
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
    items = Lines(transaction.rows(_ITEMS)) if lines else Lines(())
    rows = transaction.rows(
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


class _Shared(dict[Row, Row]):
    """What thousands of papers say alike, once: they are compared by it over and over."""

    def __missing__(self, told: Row) -> Row:
        cfops = told[-1]
        shared = self[told] = (*told[:-1], tuple(cfops.split(",")) if cfops else ())
        return shared


def _paper(row: Row, items: Lines, facts: _Facts) -> PaperEntry:
    (number, key, first, recipient, recipient_name, issued_at, issued_on, authorized_at, total, products, discount,
     freight, insurance, other, weight, order_id, external_id, order_hint, quoted, verdict, mismatches, speaker,
     environment, ipi, icms_st) = row[:_OWN_COLUMNS]  # fmt: skip
    (kind, model, series, operation, state, direction, destination, purpose, subtype, marketplace, freight_mode,
     emitter, emitter_uf, taker, uf, credit_type, debit_type, intermediary, presence,
     cfops) = facts.shared[row[_OWN_COLUMNS:]]  # fmt: skip
    if speaker is not None and speaker != facts.account_id:  # its order ids are another hub's
        subtype, marketplace, order_id = facts.words.get(key, (subtype, marketplace, None))
    if environment == _TEST and facts.is_production:
        state = "test"
    voider, lowest, highest = facts.ranges.get(number, _NO_RANGE)
    return PaperEntry(
        number, key, kind, model, series, first, emitter or voider, recipient, recipient_name, taker, issued_at,
        issued_on or "", day(authorized_at), facts.cancelled.get(key, ""), operation, state, direction, destination,
        purpose, subtype, marketplace, cfops, total, products, discount, freight, insurance, other, freight_mode,
        exact(weight), order_id, external_id, order_hint, tuple(quoted.split()) if quoted else (),
        facts.versions.get(key, 1), verdict, facts.failing.get(number, ()) if verdict else (),
        tuple(mismatches.split()) if mismatches else (), uf, emitter_uf, lowest, highest, items.of(number),
        credit_type, debit_type, intermediary, presence, facts.named_items.get(number, ()),
        ipi, icms_st,
    )  # fmt: skip
