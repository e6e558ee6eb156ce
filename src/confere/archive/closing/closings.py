"""The chain of closings: acts on months, each hashed together with the head before it; only ever added to.

A head is the SHA-256 of the compact JSON array, in UTF-8,

    ["confere closing 2", number, company, month, kind, at, actor, preparer digest, reviewer digest, reason digest,
     is_incomplete, totals, previous head, [[section, position, rows, SHA-256 of the stretch], …]]

with digests in hex, that of a text as `confere.archive.closing.act_texts` makes it, null where there is none; totals
an object with its names in order, stretches by section and position; the first act follows 32 zero bytes. An act
without any text has `1` for `2`, and so have acts before format 0018, with the texts themselves for their digests.

The chain runs over the whole archive in the order of the acts, whatever month they are about. Each act stands in the
audit trail with its head, so that the two chains vouch for each other. What neither can stop is told in
`confere.archive.accounts.audit_chain`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from confere.archive.accounts import audit
from confere.archive.clock import utc_now
from confere.archive.closing import act_texts, frozen_rows, month_rows
from confere.archive.closing.frozen_rows import FrozenPart
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.schema.schema import closing, closing_part
from confere.archive.schema.table_rows import row_of
from confere.archive.transaction import Transaction
from confere.errors import ArchiveCorrupt, message
from confere.sales.closings import ClosedMonth, ClosingAct, ClosingKind, ClosingName, MonthRows, SigningNames

START: Final = bytes(32)
SHORT: Final = 16
"""Digits of a head as papers print it."""
AUDITED: Final[Mapping[ClosingKind, str]] = {ClosingKind.CLOSE: "month closed", ClosingKind.REOPEN: "month reopened"}
"""In the audit trail: the subject is company and month, the detail begins with the head."""
_COLUMNS: Final = (
    "id, company, month, kind, at, actor, preparer, reviewer, reason, is_incomplete, totals, previous_head, head, "
    + ", ".join(act_texts.COLUMNS)
)
_TAG: Final = "confere closing 1"
_SALTED_TAG: Final = "confere closing 2"


def name_of(transaction: Transaction, company: str, month: str) -> ClosingName | None:
    """The closing in which this month of the company stands closed, as package and ledger name it.

    None where it is not closed.
    """
    act = newest(transaction, company, month)
    return ClosingName(act.number, act.head[:SHORT]) if act is not None and act.is_closed else None


def newest(transaction: Transaction, company: str | None, month: str) -> ClosingAct | None:
    """The last act on this month; None where there is none."""
    row = transaction.first_named(
        f"SELECT {_COLUMNS} FROM closing WHERE month = ? AND (? IS NULL OR company = ?) ORDER BY id DESC LIMIT 1",
        (month, company, company),
    )
    return None if row is None else _act(row)


def acts(transaction: Transaction, company: str | None = None, month: str | None = None) -> tuple[ClosingAct, ...]:
    """All acts, or those on a company or month, in their order."""
    rows = transaction.named(
        f"SELECT {_COLUMNS} FROM closing WHERE (? IS NULL OR company = ?) AND (? IS NULL OR month = ?) ORDER BY id",
        (company, company, month, month),
    )
    return tuple(map(_act, rows))


def closed_months(transaction: Transaction, company: str | None = None) -> tuple[ClosingAct, ...]:
    """The act of every month that stands closed, by company and month."""
    standing = {(act.company, act.month): act for act in acts(transaction, company)}
    return tuple(act for _, act in sorted(standing.items()) if act.is_closed)


def append(
    transaction: Transaction,
    company: str,
    month: str,
    kind: ClosingKind,
    *,
    rows: MonthRows | None = None,
    names: SigningNames | None = None,
    reason: str | None = None,
    is_incomplete: bool = False,
    totals: Mapping[str, int] | None = None,
) -> ClosingAct:
    """Add an act, with what it freezes, and its line in the audit trail."""
    names = names or SigningNames()
    last = transaction.first_named("SELECT id, head FROM closing ORDER BY id DESC LIMIT 1")
    number, previous = (1, START) if last is None else (last.id + 1, last.head)
    parts = () if rows is None else tuple(frozen_rows.frozen(rows))
    values: dict[str, Any] = {
        "id": number,
        "company": company,
        "month": month,
        "kind": kind.value,
        "at": utc_now(),
        "actor": audit.actor(),
        "preparer": _text(names.preparer),
        "reviewer": _text(names.reviewer),
        "reason": _text(reason),
        "is_incomplete": int(is_incomplete),
        "totals": json.dumps(dict(totals or {}), sort_keys=True),
        "previous_head": previous,
    }
    values |= act_texts.salted(values)
    head = _head(values, [part[:4] for part in parts])
    transaction.insert(closing, [row_of(closing)(**values, head=head)])
    transaction.insert(closing_part, [(number, *part) for part in parts])
    audit.write(transaction, AUDITED[kind], f"{company} {month}", head.hex() + (f" {_text(reason)}" if reason else ""))
    made = newest(transaction, company, month)
    assert made is not None
    return made


def frozen_of(transaction: Transaction, act: ClosingAct, sections: Collection[str] | None = None) -> MonthRows:
    """What this act froze, or `sections` of it. `ArchiveCorrupt` where it is not what was frozen any more."""
    try:
        row = transaction.first_named(f"SELECT {_COLUMNS} FROM closing WHERE id = ?", (act.number,))
        if row is None or computed_head(transaction, row).hex() != act.head:
            raise ValueError("head")
        return frozen_rows.thawed(
            part for part in parts_of(transaction, act.number) if sections is None or part.section in sections
        )
    except (ValueError, TypeError, AttributeError) as error:
        raise ArchiveCorrupt(
            message(
                "What was frozen when {month} of {company} was closed has been edited or is damaged.",
                month=act.month,
                company=act.company,
            ),
            message("`confere doctor --verify` names the rows; a backup has them as they were."),
        ) from error


def closed_with_now(transaction: Transaction, company: str, month: str | None = None) -> Iterator[ClosedMonth]:
    """The company's closed months, or this one, beside what there is of them now: documents, taxes, events alone."""
    for act in closed_months(transaction, company):
        if month not in (None, act.month):
            continue
        try:
            filed = frozen_of(transaction, act, frozen_rows.FISCAL)
        except ArchiveCorrupt:
            yield ClosedMonth(act, MonthRows(), MonthRows(), is_damaged=True)
            continue
        yield ClosedMonth(act, filed, month_rows.fiscal(transaction, act.company, act.month))


def parts_of(transaction: Transaction, number: int) -> Iterator[FrozenPart]:
    """The stretches of a closing, as they are stored."""
    yield from transaction.fetch_as(
        FrozenPart,
        "SELECT section, position, rows, digest, payload FROM closing_part WHERE closing_id = ?"
        " ORDER BY section, position",
        (number,),
    )


def computed_head(transaction: Transaction, row: NamedRow) -> bytes:
    """The head that this row of `closing`, with its stretches as they are, would have."""
    listed = transaction.fetch(
        "SELECT section, position, rows, digest FROM closing_part WHERE closing_id = ? ORDER BY section, position",
        (row.id,),
    )
    return _head(values_of(row), listed)


def values_of(row: NamedRow) -> dict[str, Any]:
    """The columns of a row of `closing` by name."""
    return {name: getattr(row, name) for name in _COLUMNS.split(", ")}


def rows_of_chain(transaction: Transaction) -> list[NamedRow]:
    """Every act as it is stored, in order."""
    return transaction.named(f"SELECT {_COLUMNS} FROM closing ORDER BY id")


def _head(values: Mapping[str, Any], parts: Sequence[Sequence[Any]]) -> bytes:
    totals = values["totals"]
    texts = [values[name] for name in act_texts.TEXTS]
    is_salted = act_texts.is_salted(values)
    if is_salted:
        digests = (values[f"{name}_digest"] for name in act_texts.TEXTS)
        texts = [None if digest is None else digest.hex() for digest in digests]
    encoded = [
        _SALTED_TAG if is_salted else _TAG,
        *(values[name] for name in ("id", "company", "month", "kind", "at", "actor")),
        *texts,
        values["is_incomplete"],
        json.loads(totals) if isinstance(totals, str) else totals,
        values["previous_head"].hex(),
        [
            [section, position, rows, digest.hex()]
            for section, position, rows, digest in sorted(parts, key=lambda part: (part[0], part[1]))
        ],
    ]
    text = json.dumps(encoded, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def _text(text: str | None) -> str | None:
    return None if text is None or not text.strip() else storable(text.strip())


def _act(row: NamedRow) -> ClosingAct:
    try:
        totals = json.loads(row.totals)
        kind = ClosingKind(row.kind)
    except ValueError as error:
        raise ArchiveCorrupt(
            message("The closing {number} has been edited or is damaged.", number=row.id),
            message("`confere doctor --verify` names the rows; a backup has them as they were."),
        ) from error
    return ClosingAct(
        number=row.id,
        company=row.company,
        month=row.month,
        kind=kind,
        at=row.at,
        actor=row.actor,
        names=SigningNames(row.preparer, row.reviewer),
        reason=row.reason,
        is_incomplete=bool(row.is_incomplete),
        totals=totals if isinstance(totals, dict) else {},
        previous_head=row.previous_head.hex(),
        head=row.head.hex(),
    )
