"""Holding stored links and findings of an account against those that linking and the rules give of the same inputs.

How sentences are worded is not compared, only what they name: a newer program says the same otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from confere.archive import message_encoding
from confere.archive.derived.difference import WHOLE_ROW, ValueDifference, compared
from confere.archive.message_encoding import storable
from confere.archive.reconciliation import decisions, findings
from confere.archive.shared_phrases import Phrases
from confere.archive.transaction import Row, Transaction
from confere.errors import Message
from confere.sales.findings import ExplainedDifference, Finding, FindingState
from confere.sales.links import Linked

TABLES: Final = frozenset(
    ("link", "tie", "suggestion", "finding", "explained_difference", "finding_order", "finding_key")
)
"""Tables that runs write."""
_LINK: Final = ("kind", "confidence", "evidence")
_TIE: Final = ("kind", "reason")
_SUGGESTION: Final = ("agrees", "differs")
_EXPLAINED: Final = ("amount", "evidence")
_FINDING: Final = (
    "rule", "subject", "version", "period", "severity", "amount", "checked", "state", "orders", "keys", "evidence",
)  # fmt: skip
_DUE: Final = tuple(name for name in _FINDING if name not in ("state", "evidence"))
_UNREADABLE: Final = "unreadable"


class JudgedAccount(NamedTuple):
    """An account with a run: what differs from it. Not `is_compared` where something came since, or rules changed, or
    its rows are not `is_readable`."""

    account_id: int
    name: str
    is_compared: bool
    differences: tuple[ValueDifference, ...] = ()
    is_readable: bool = True


def link_differences(transaction: Transaction, account_id: int, linked: Linked) -> Iterator[ValueDifference]:
    """Links, ties and suggestions that are not those of `linked`."""
    phrases = Phrases(transaction)
    due: dict[Row, Row] = {
        (storable(link.order_id), storable(link.key)): (int(link.kind), link.confidence, _named(link.evidence))
        for link in linked.links
    }
    stored: dict[Row, Row] = {
        (row.order_hub_id, row.access_key): (row.kind, row.confidence, _read(phrases.read_all, row.evidence))
        for row in transaction.named(
            "SELECT order_hub_id, access_key, kind, confidence, evidence FROM link WHERE account_id = ?", (account_id,)
        )
    }
    yield from _compared("link", _LINK, due, stored)
    due = {(_json(tie.orders), _json(tie.keys)): (int(tie.kind), _named((tie.reason,))) for tie in linked.ties}
    rows = transaction.named("SELECT orders, keys, kind, reason FROM tie WHERE account_id = ?", (account_id,))
    stored = {(row.orders, row.keys): (row.kind, _read(message_encoding.read_all, row.reason)) for row in rows}
    yield from _compared("tie", _TIE, due, stored)
    due = {
        (storable(pair.order_id), storable(pair.key)): (_named(pair.agrees), _named(pair.differs))
        for pair in linked.suggestions
    }
    rows = transaction.named(
        "SELECT order_hub_id, access_key, agrees, differs FROM suggestion WHERE account_id = ?", (account_id,)
    )
    stored = {
        (row.order_hub_id, row.access_key): tuple(
            _read(message_encoding.read_all, text) for text in (row.agrees, row.differs)
        )
        for row in rows
    }
    yield from _compared("suggestion", _SUGGESTION, due, stored)


def explained_differences(
    transaction: Transaction, account_id: int, due: Iterable[ExplainedDifference], period: str | None
) -> Iterator[ValueDifference]:
    """Differences that R3 explains itself, of `period` or of all months, that are not the ones that are `due`."""
    wanted: dict[Row, Row] = {
        (_json(entry.orders), _json(entry.keys), storable(entry.period)): (_money(entry.amount), _named(entry.evidence))
        for entry in due
        if period in (None, entry.period)
    }
    stored: dict[Row, Row] = {
        (row.orders, row.keys, row.period): (row.amount, _read(message_encoding.read_all, row.evidence))
        for row in transaction.named(
            "SELECT period, orders, keys, amount, evidence FROM explained_difference"
            " WHERE account_id = ? AND gone_run_id IS NULL",
            (account_id,),
        )
        if period in (None, row.period)
    }
    yield from _compared("explained_difference", _EXPLAINED, wanted, stored)


def finding_differences(
    transaction: Transaction, account_id: int, due: Iterable[Finding], period: str | None
) -> Iterator[ValueDifference]:
    """Findings of `period`, or of all months, that are not the ones that are `due`, or do not stand as people said.

    A finding that is missing is named by its rule and what it is about, every other one by its number.
    """
    wanted = {entry.fingerprint: entry for entry in due}
    words = decisions.states(transaction, account_id)
    for row in _stored(transaction, account_id):
        entry = wanted.pop(row.fingerprint, None)
        if period is not None and row.period != period and (entry is None or entry.period != period):
            continue
        if entry is not None:
            due_row = _row(entry, words.get(row.fingerprint))
            stored = (*(getattr(row, name) for name in _FINDING[:-1]), _read(message_encoding.read_all, row.evidence))
            yield from compared("finding", str(row.id), _FINDING, {0: due_row}, {0: stored})
        elif row.state != FindingState.RESOLVED:
            yield ValueDifference("finding", str(row.id), "state")
    for entry in wanted.values():
        if period in (None, entry.period):
            yield ValueDifference("finding", _about(entry), WHOLE_ROW)


def write_due(transaction: Transaction, account_id: int, due: Iterable[Finding]) -> None:
    """Let stored findings say what is due of them, and stand as people said; none comes or goes by it."""
    wanted = {entry.fingerprint: entry for entry in due}
    words = decisions.states(transaction, account_id)
    changed = []
    for row in _stored(transaction, account_id):
        entry = wanted.get(row.fingerprint)
        if entry is None:
            continue
        *values, state, orders, keys, named = _row(entry, words.get(row.fingerprint))
        evidence = row.evidence
        if _read(message_encoding.read_all, evidence) != named:
            evidence = message_encoding.kept_all(entry.evidence)
        now = (*values, state, orders, keys, evidence)
        if now != tuple(getattr(row, name) for name in _FINDING):
            changed.append((*now, row.id))
    assignments = ", ".join(f"{name} = ?" for name in _FINDING)
    transaction.execute_many(f"UPDATE finding SET {assignments} WHERE id = ?", changed)


def write_notes(transaction: Transaction, account_id: int, after: int) -> None:
    """Give the findings with a number beyond `after` the notes that people wrote of them."""
    rows = transaction.fetch("SELECT id, fingerprint FROM finding WHERE account_id = ? AND id > ?", (account_id, after))
    notes = decisions.notes(transaction, account_id, [fingerprint for _, fingerprint in rows])
    transaction.execute_many(
        "UPDATE finding SET note = ?, author = ? WHERE id = ?",
        [(*notes[fingerprint], number) for number, fingerprint in rows if fingerprint in notes],
    )


def highest_finding(transaction: Transaction) -> int:
    """The highest number of a finding."""
    return int(transaction.scalar("SELECT coalesce(max(id), 0) FROM finding"))


def _stored(transaction: Transaction, account_id: int) -> list[Any]:
    return list(
        transaction.named(
            f"SELECT id, fingerprint, {', '.join(_FINDING)} FROM finding WHERE account_id = ?", (account_id,)
        )
    )


def _row(entry: Finding, word: FindingState | None) -> Row:
    """The values of `_FINDING`."""
    return (
        *(entry.rule, storable(entry.subject), entry.version, entry.period, entry.severity.value),
        *(_money(entry.amount), int(entry.checked), findings.effective(word, entry.checked).value),
        *(_json(entry.orders), _json(entry.keys), _named(entry.evidence)),
    )


def _about(entry: Finding) -> str:
    return " ".join(filter(None, (entry.rule, *entry.orders[:1], *entry.keys[:1], storable(entry.subject))))


def _compared(
    table: str, columns: Sequence[str], due: Mapping[Row, Row], stored: Mapping[Row, Row]
) -> Iterator[ValueDifference]:
    for place in dict.fromkeys((*due, *stored)):
        wanted, row = ({0: rows[place]} if place in rows else {} for rows in (due, stored))
        yield from compared(table, " ".join(map(str, place)), columns, wanted, row)


def _money(amount: int | None) -> int | None:
    """What SQLite can hold of it."""
    return None if amount is None else max(-(2**63) + 1, min(amount, 2**63 - 1))


def _json(names: Sequence[str]) -> str:
    return storable(json.dumps(list(names)))


def _read(read: Callable[[str], Iterable[Message]], text: Any) -> object:
    """What the sentences of a column name; what cannot be read is never as it is due."""
    try:
        return _values(read(text))
    except (ValueError, TypeError, KeyError, AttributeError):
        return _UNREADABLE


def _named(sentences: Sequence[Message]) -> object:
    """As `_read`, of sentences as a column holds them."""
    return _values(message_encoding.read_all(message_encoding.kept_all(sentences)))


def _values(sentences: Iterable[Message]) -> tuple[object, ...]:
    return tuple(
        tuple((name, _value(sentence.params[name])) for name in sorted(sentence.params)) for sentence in sentences
    )


def _value(value: object) -> object:
    return _values((value,)) if isinstance(value, Message) else value
