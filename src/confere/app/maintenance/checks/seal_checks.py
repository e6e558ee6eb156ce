"""What a check-up says of seals: rows that another program edited, put in or deleted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, Final

from confere.app.maintenance.checks.check_result import Examination
from confere.archive.accounts import audit
from confere.archive.seals import seal_check
from confere.archive.seals.row_seals import DELETED, EDITED, INSERTED, ForeignChange
from confere.archive.store import Archive
from confere.errors import N_, Message, message, nmessage
from confere.system import formatting

TOPIC: Final = "rows"
_NAMED: Final = 5  # rows that a sentence names; the facts have all
_WHAT: Final = {
    EDITED: N_("Another program edited rows of the table {table}: {count} ({rows})."),
    INSERTED: N_("Another program put rows into the table {table}: {count} ({rows})."),
    DELETED: N_("Another program deleted rows of the table {table}: {count} ({rows})."),
}
_KINDS: Final = {EDITED: "edited", INSERTED: "inserted", DELETED: "deleted"}


def of_rows(archive: Archive, examination: Examination) -> None:
    """Hold every sealed row against its seal."""
    with archive.reading() as transaction:
        check = seal_check.verify(transaction)
    examination.facts["sealed_rows"] = check.rows
    examination.facts["foreign_rows"] = [_fact(change) for change in check.changes]
    if not check.changes:
        examination.add(
            TOPIC,
            True,
            message("All {count} sealed rows are as Confere wrote them.", count=formatting.count(check.rows)),
        )
        return
    remedy = message(
        "`confere doctor --repair` takes them from the newest backup that has them;"
        " `confere doctor --accept-edits` lets all of them stand."
    )
    for what in _sentences(check.changes):
        examination.add(TOPIC, False, message("{what} {remedy}", what=what, remedy=remedy))


def of_trail(archive: Archive, examination: Examination) -> None:
    """Say of what the audit trail holds of such rows, so that nobody misses it after the program wrote there."""
    with archive.reading() as transaction:
        count = sum(audit.count(transaction, action) for action in _WHAT)
    examination.facts["foreign_changes_in_trail"] = count
    if count:
        examination.add(
            TOPIC,
            True,
            nmessage(
                "{count} line of the audit trail says that another program changed rows: see `confere doctor --verify`"
                " and the activity.",
                "{count} lines of the audit trail say that another program changed rows: see `confere doctor --verify`"
                " and the activity.",
                count,
            ),
            attention=True,
        )


def of_accepted(examination: Examination, changes: Iterable[ForeignChange]) -> None:
    """Add which rows were accepted as they stand."""
    changes = tuple(changes)
    examination.facts["accepted_rows"] = [_fact(change) for change in changes]
    if not changes:
        examination.add(TOPIC, True, message("There was no row to accept: all are as Confere wrote them."))
    for what in _sentences(changes):
        accepted = message("It was accepted as it stands, and the audit trail says so.")
        examination.add(TOPIC, True, message("{what} {remedy}", what=what, remedy=accepted), attention=True)


def _sentences(changes: Iterable[ForeignChange]) -> Iterable[Message]:
    of: dict[tuple[str, str], list[str]] = defaultdict(list)
    for change in changes:
        of[change.action, change.table].append(change.text)
    for (action, table), rows in of.items():
        named = "; ".join(rows[:_NAMED]) + ("; …" if len(rows) > _NAMED else "")
        yield Message(_WHAT[action], {"table": table, "count": formatting.count(len(rows)), "rows": named})


def _fact(change: ForeignChange) -> dict[str, Any]:
    return {
        "table": change.table,
        "key": [part.hex() if isinstance(part, bytes) else part for part in change.key],
        "what": _KINDS[change.action],
        "columns": list(change.columns),
    }
