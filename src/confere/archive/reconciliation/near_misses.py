"""What a run lists beside its findings: pairs that nearly fit, and differences that R3 explains itself."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from confere.archive import message_encoding
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.schema.schema import explained_difference, suggestion
from confere.archive.transaction import Row, Transaction
from confere.sales.findings import ExplainedDifference
from confere.sales.links import Suggestion


@dataclass(frozen=True, slots=True)
class ExplainedTally:
    """How many differences a run explained itself, and what they come to, in centavos."""

    count: int = 0
    amount: int = 0


def replace_suggestions(transaction: Transaction, account_id: int, run_id: int, found: Sequence[Suggestion]) -> bool:
    """Let the account have exactly these suggestions; whether that changed anything."""
    rows = transaction.fetch(
        "SELECT order_hub_id, access_key, agrees, differs FROM suggestion WHERE account_id = ?", (account_id,)
    )
    before = set(rows)
    now = {
        (
            storable(entry.order_id),
            storable(entry.key),
            message_encoding.kept_all(entry.agrees),
            message_encoding.kept_all(entry.differs),
        )
        for entry in found
    }
    transaction.execute_many(
        "DELETE FROM suggestion WHERE account_id = ? AND order_hub_id = ? AND access_key = ?",
        [(account_id, order_id, key) for order_id, key, *_ in before - now],
    )
    transaction.insert(suggestion, [(account_id, *told, run_id) for told in sorted(now - before)])
    return before != now


def suggestions(transaction: Transaction, account_id: int) -> tuple[Suggestion, ...]:
    """The pairs that nearly fit, by order and key, without those of which a person spoke since."""
    rows = transaction.fetch(
        "SELECT order_hub_id, access_key, agrees, differs FROM suggestion s WHERE account_id = ? AND NOT EXISTS"
        " (SELECT 1 FROM decision d WHERE d.account_id = s.account_id AND d.order_hub_id = s.order_hub_id"
        " AND d.access_key = s.access_key AND d.is_standing = 1) ORDER BY order_hub_id, access_key",
        (account_id,),
    )
    return tuple(
        Suggestion(order_id, key, message_encoding.read_all(agrees), message_encoding.read_all(differs))
        for order_id, key, agrees, differs in rows
    )


def replace_explained(
    transaction: Transaction,
    account_id: int,
    run_id: int,
    found: Sequence[ExplainedDifference],
    period: str | None,
    *,
    only: Callable[[ExplainedDifference], bool] | None = None,
) -> bool:
    """Let the list of this run be these, of `period` or of all months with None; whether that changed anything.

    What the run before had so stays one row, which both lists share. With `only`, those of which it says no stay as
    they are.
    """
    rows = transaction.named(
        "SELECT id, period, orders, keys, amount, evidence FROM explained_difference"
        " WHERE account_id = ? AND gone_run_id IS NULL",
        (account_id,),
    )
    before = {
        (row.period, row.orders, row.keys, row.amount, row.evidence): row.id
        for row in rows
        if (period is None or row.period == period) and (only is None or only(_explained(row)))
    }
    now = [
        _told(entry) for entry in found if (period is None or entry.period == period) and (only is None or only(entry))
    ]
    new = [told for told in now if before.pop(told, None) is None]
    transaction.execute_many(
        "UPDATE explained_difference SET gone_run_id = ? WHERE id = ?", [(run_id, number) for number in before.values()]
    )
    ids = transaction.new_ids(explained_difference, len(new))
    told = [(number, account_id, *entry, run_id, None) for number, entry in zip(ids, new, strict=True)]
    transaction.insert(explained_difference, told)
    return bool(new or before)


def explained(
    transaction: Transaction, account_id: int, period: str | None = None, run_id: int | None = None
) -> tuple[ExplainedDifference, ...]:
    """The differences that the newest run, or run `run_id`, explained itself: the greatest first."""
    condition, values = "gone_run_id IS NULL", [account_id]
    if run_id is not None:
        condition = "first_run_id <= ? AND (gone_run_id IS NULL OR gone_run_id > ?)"
        values += [run_id, run_id]
    month = "" if period is None else " AND period = ?"
    rows = transaction.named(
        "SELECT period, orders, keys, amount, evidence FROM explained_difference"
        f" WHERE account_id = ? AND {condition}{month} ORDER BY amount DESC, period, id",
        (*values, *(() if period is None else (storable(period),))),
    )
    return tuple(map(_explained, rows))


def tally(transaction: Transaction, account_id: int, period: str | None = None) -> ExplainedTally:
    """How many there are, and what they come to."""
    found = explained(transaction, account_id, period)
    return ExplainedTally(len(found), sum(entry.amount for entry in found))


def _explained(row: NamedRow) -> ExplainedDifference:
    return ExplainedDifference(
        row.period,
        tuple(json.loads(row.orders)),
        tuple(json.loads(row.keys)),
        row.amount,
        message_encoding.read_all(row.evidence),
    )


def _told(entry: ExplainedDifference) -> Row:
    return (
        storable(entry.period),
        storable(json.dumps(entry.orders)),
        storable(json.dumps(entry.keys)),
        max(-(2**63), min(entry.amount, 2**63 - 1)),
        message_encoding.kept_all(entry.evidence),
    )
