"""The law of conservation: what a hub listed is archived, waiting or refused with a reason, each record once.

A record that is none of these is lost: its sum does not come out, and it is named. One room for sync, doctor,
overview and export.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from confere.archive.hub.completeness import ListedMonth
from confere.archive.hub.download_queue import DETAIL_KIND
from confere.archive.transaction import Transaction
from confere.archive.vault import missing_contents
from confere.errors import Message, message

MOST_NAMES: Final = 1000

_KEYED: Final = "coalesce(length(h.access_key), 0) = 44"

# Whether only events came of a document that the list names by its key.
_EVENTS_ALONE: Final = (
    f"{_KEYED} AND NOT EXISTS (SELECT 1 FROM document d WHERE d.access_key = h.access_key)"
    " AND NOT EXISTS (SELECT 1 FROM download o JOIN document d ON d.content_id = o.content_id"
    " WHERE o.hub_document_id = h.id)"
)

# Whether a file that came for a record without a key came for more records than it holds papers.
_SHARED: Final = (
    f"NOT {_KEYED} AND EXISTS (SELECT 1 FROM download o WHERE o.hub_document_id = h.id AND o.content_id IS NOT NULL"
    " AND (SELECT count(DISTINCT s.hub_document_id) FROM download s JOIN hub_document r ON r.id = s.hub_document_id"
    " WHERE s.content_id = o.content_id AND s.account_id = h.account_id AND r.gone_since IS NULL)"
    " > max(1, (SELECT count(*) FROM document d WHERE d.content_id = o.content_id)"
    " + (SELECT count(*) FROM event e WHERE e.content_id = o.content_id AND e.embedded = 0)))"
)

_CAME: Final = (
    "EXISTS (SELECT 1 FROM download w WHERE w.hub_document_id = h.id AND w.content_id IS NOT NULL)"
    " AND NOT EXISTS (SELECT 1 FROM download w WHERE w.hub_document_id = h.id AND w.state != 'done')"
)
_NO_FILE_OF_ITS_OWN: Final = (
    "NOT EXISTS (SELECT 1 FROM download w WHERE w.hub_document_id = h.id"
    f" AND (w.kind IS NOT '{DETAIL_KIND}' OR w.state != 'done'))"
    " AND NOT EXISTS (SELECT 1 FROM document d WHERE d.access_key = h.access_key)"
)

# What one record is, of all the downloads `w` that it named. Whatever no line speaks of is lost.
_CLASS: Final = f"""
CASE
  WHEN coalesce(sum(w.state = 'done' AND w.kind IS NOT '{DETAIL_KIND}'
    AND (w.content_id IS NULL OR w.content_id IN (SELECT value FROM json_each(:absent)))), 0) THEN 'lost'
  WHEN coalesce(sum(w.state = 'waiting' OR w.state = 'failed' AND (w.content_id IS NULL
    OR w.content_id IN (SELECT value FROM json_each(:absent)))), 0) THEN 'waiting'
  WHEN h.problem IS NOT NULL OR coalesce(sum(w.state = 'failed'
    OR w.content_id IN (SELECT id FROM content WHERE problem IS NOT NULL)), 0) THEN 'refused'
  WHEN coalesce(sum(w.state = 'done' AND w.content_id IS NOT NULL), 0)
    THEN CASE WHEN {_EVENTS_ALONE} OR {_SHARED} THEN 'refused' ELSE 'archived' END
  WHEN coalesce(sum(w.state = 'done'), 0) != count(w.id) THEN 'lost'
  WHEN EXISTS (SELECT 1 FROM document d WHERE d.access_key = h.access_key) THEN 'archived'
  ELSE 'refused'
END"""

_RECORDS: Final = (
    "FROM hub_document h LEFT JOIN download w ON w.hub_document_id = h.id WHERE h.account_id = :account{} GROUP BY h.id"
)


@dataclass(frozen=True, slots=True)
class AccountSum:
    """The records that an account's hub ever listed, each counted once.

    `archived`: every file is in the vault, or the document came from elsewhere. `waiting`: a download or the record's
    detail is still to come. `refused`: with a reason that is kept (not understood, a file that cannot be read or is
    of another document, no file offered) or that the rows show (`unproven`). `lost`: none of these; `lost_names` are
    the first of their keys, or the hub's ids.
    """

    listed: int = 0
    archived: int = 0
    waiting: int = 0
    refused: int = 0
    lost: int = 0
    lost_names: tuple[str, ...] = ()

    @property
    def balances(self) -> bool:
        """Whether listed = archived + waiting + refused."""
        return self.lost == 0 and self.listed == self.archived + self.waiting + self.refused


def account_sum(
    transaction: Transaction,
    account_id: int,
    month: ListedMonth | None = None,
    absent: Collection[int] | None = None,
) -> AccountSum:
    """The sum of everything that this account's hub listed; of the records of `month` alone, where it is given.

    `absent` is what `missing_contents.broken` said, for whoever asks of several accounts.
    """
    broken = missing_contents.broken(transaction) if absent is None else absent
    narrowed = "" if month is None else f" AND {month.condition}"
    records = _RECORDS.format(narrowed)
    values = {"account": account_id, "absent": json.dumps(list(broken))}
    if month is not None:
        values |= month.values
    counts: dict[str, int] = dict(
        transaction.fetch(f"SELECT class, count(*) FROM (SELECT {_CLASS} AS class {records}) GROUP BY class", values)
    )
    listed: int = transaction.column(
        f"SELECT count(*) FROM hub_document h WHERE h.account_id = :account{narrowed}", values
    )[0]
    names: tuple[str, ...] = ()
    if counts.get("lost"):
        lost = transaction.column(
            f"SELECT name FROM (SELECT coalesce(h.access_key, h.hub_id, h.identity) AS name, {_CLASS} AS class"
            f" {records}) WHERE class = 'lost' LIMIT {MOST_NAMES}",
            values,
        )
        names = tuple(lost)
    return AccountSum(
        listed,
        counts.get("archived", 0),
        counts.get("waiting", 0),
        counts.get("refused", 0),
        counts.get("lost", 0),
        names,
    )


def unproven(transaction: Transaction, account_id: int) -> tuple[tuple[str, Message], ...]:
    """Records of which what came does not show the document itself, by key or id, and why."""
    reasons = (
        (f"{_CAME} AND {_EVENTS_ALONE}", message("Only events of this document came, and not the document itself.")),
        (
            f"{_CAME} AND {_SHARED}",
            message("The hub gave one file for several documents of its list, which it names by no key."),
        ),
        (_NO_FILE_OF_ITS_OWN, message("The hub names for it only files that are of another document of its list.")),
    )
    found: list[tuple[str, Message]] = []
    for condition, why in reasons:
        rows = transaction.column(
            "SELECT coalesce(h.access_key, h.hub_id, h.identity) FROM hub_document h WHERE h.account_id = ?"
            f" AND h.problem IS NULL AND {condition} ORDER BY h.id LIMIT {MOST_NAMES}",
            (account_id,),
        )
        found += [(value, why) for value in rows]
    return tuple(found)


def ask_unproven_again(transaction: Transaction, account_id: int, tried_before: str) -> None:
    """Queue once more what came, before a moment (UTC text), and does not show the document that it was asked for."""
    transaction.execute(
        "UPDATE download SET state = 'waiting' WHERE account_id = ? AND state = 'done' AND content_id IS NOT NULL"
        " AND coalesce(tried_at, '') < ? AND hub_document_id IN (SELECT h.id FROM hub_document h"
        f" WHERE h.account_id = ? AND h.gone_since IS NULL AND {_CAME} AND (({_EVENTS_ALONE}) OR ({_SHARED})))",
        (account_id, tried_before, account_id),
    )
