"""Assignments and signatures as acts of the undo log: what is kept of one, and how it is taken back and done again.

Such an act says nothing of how a finding stands, so it moves no state, note or link.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Final

from confere.app.labels.labels import month_word, tax_id_word
from confere.archive.reconciliation import decisions, findings, reviews
from confere.archive.reconciliation.decisions import DecisionAct, Said
from confere.archive.reconciliation.findings import StoredFinding
from confere.archive.reconciliation.reviews import ASSIGN, SIGN, SignOff
from confere.archive.transaction import Transaction
from confere.errors import NN_, Message, UsageFault, message
from confere.system import formatting

KINDS: Final = (ASSIGN, SIGN)
"""The kinds of acts of this module."""

_LONGEST: Final = 200  # characters of a name

# By whether somebody was named, and whether a day was.
_ASSIGNED: Final = {
    (False, False): NN_(
        "Assignee and day of {count} finding were taken away.", "Assignee and day of {count} findings were taken away."
    ),
    (False, True): NN_(
        "{count} finding was given the day {day}.",
        "{count} findings were given the day {day}.",
    ),
    (True, False): NN_("{count} finding was assigned to {who}.", "{count} findings were assigned to {who}."),
    (True, True): NN_(
        "{count} finding was assigned to {who}, until {day}.", "{count} findings were assigned to {who}, until {day}."
    ),
}


def check_length(name: str) -> None:
    """`UsageFault` for a name of somebody that is too long to be one."""
    if len(name) > _LONGEST:
        raise UsageFault(
            message("A name of {count} characters is too long.", count=len(name)),
            message("Say it in at most {most} characters.", most=_LONGEST),
        )


def record_assignment(
    transaction: Transaction, account_id: int, found: Sequence[StoredFinding], assignee: str | None, due_on: str | None
) -> int:
    """Write down that these findings were given to somebody; the number of the act."""
    before = {entry.fingerprint: [entry.assignee, entry.due_on] for entry in found}
    detail = {"count": len(found), "assignee": assignee, "due_on": due_on, "assigned_before": before}
    act = decisions.begin(transaction, account_id, ASSIGN, detail)
    said = [Said(entry.fingerprint, entry.state, entry.state, entry.note, entry.note) for entry in found]
    decisions.say(transaction, act, account_id, said)
    return act


def record_signature(transaction: Transaction, account_id: int, made: SignOff, replaced: SignOff | None) -> int:
    """Write down that a month was signed, and which signature stood until then; the number of the act."""
    detail = {
        "signoff": made.id,
        "replaced": None if replaced is None else replaced.id,
        "company": made.company,
        "month": made.month,
        "reviewer": made.reviewer,
        "note": made.note,
    }
    return decisions.begin(transaction, account_id, SIGN, detail)


def sentence(kind: str, detail: Mapping[str, Any]) -> Message:
    """What an act of one of `KINDS` did."""
    if kind == SIGN:
        return message(
            "The findings of {month} of {company} were signed by {reviewer}.",
            month=month_word(detail["month"]),
            company=tax_id_word(detail["company"]),
            reviewer=detail["reviewer"],
        )
    given = {
        "who": detail["assignee"],
        "day": detail["due_on"] and formatting.date(date.fromisoformat(detail["due_on"])),
    }
    parameters = {name: value for name, value in {"n": detail["count"], **given}.items() if value is not None}
    return Message(_ASSIGNED[given["who"] is not None, given["day"] is not None], parameters)


def restore(transaction: Transaction, act: DecisionAct, *, back: bool) -> int:
    """Let it be as before the act, or as the act had it; how many findings are otherwise since."""
    if act.kind == ASSIGN:
        return _assignment(transaction, act, back=back)
    made, replaced = act.detail["signoff"], act.detail["replaced"]
    stands_again = replaced if back else made
    reviews.take_back(transaction, made if back else replaced)
    if stands_again is not None:
        reviews.let_stand(transaction, stands_again)
    return 0


def _assignment(transaction: Transaction, act: DecisionAct, *, back: bool) -> int:
    before = act.detail["assigned_before"]
    known = findings.with_fingerprints(transaction, act.account_id, list(before))
    for name, entry in known.items():
        person, day = before[name] if back else (act.detail["assignee"], act.detail["due_on"])
        reviews.assign(transaction, [entry.id], person, day)
    return len(known)
