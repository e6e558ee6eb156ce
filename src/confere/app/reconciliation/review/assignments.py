"""The use case "this is yours until then": who is to settle findings, and by which day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.reconciliation.review import review_acts
from confere.app.reconciliation.review.review_acts import check_length
from confere.archive.accounts import audit
from confere.archive.accounts.overview import account_names
from confere.archive.reconciliation import findings, reviews
from confere.errors import NotInArchive, message


@dataclass(frozen=True, slots=True)
class Assigned:
    """How many findings are whose now, and until when; None where nobody's, or without a day.

    `act` is the number of the act that undo takes back, of several accounts the last one's; None: it was so already.
    `account` is whose act it is.
    """

    findings: int
    assignee: str | None
    due_on: date | None
    act: int | None = None
    account: str | None = None


def assign(workspace: Workspace, ids: Sequence[int], assignee: str | None, due_on: date | None) -> Assigned:
    """These findings are this person's to settle until that day; None for either takes it away.

    One act for each account whose findings are other ones since: undo is of an account.
    `NotInArchive` where there is no such finding.
    """
    person = (assignee or "").strip() or None
    check_length(person or "")
    with workspace.writing("deciding") as archive, archive.writing() as transaction:
        wanted = list(dict.fromkeys(ids))
        known = findings.numbered(transaction, wanted)
        for number in wanted:
            if number not in known:
                raise NotInArchive(
                    message("There is no finding {number} in the archive.", number=number),
                    message("Look at the list of findings again; another archive may stand in this place now."),
                )
        day = None if due_on is None else due_on.isoformat()
        reviews.assign(transaction, wanted, person, day)
        names, act, name = account_names(transaction), None, None
        for account_id in sorted({owner for owner, _ in known.values()}):
            own = [entry for owner, entry in known.values() if owner == account_id]
            others = [entry for entry in own if (entry.assignee, entry.due_on) != (person, day)]
            if others:
                act = review_acts.record_assignment(transaction, account_id, others, person, day)
                name = names.get(account_id)
            told, to = ", ".join(entry.fingerprint for entry in own), " ".join(filter(None, (person, day)))
            audit.write(transaction, "finding assign", names.get(account_id, str(account_id)), f"{told}: {to or '-'}")
    return Assigned(len(wanted), person, due_on, act, name)


def assignees(opened: OpenArchive) -> tuple[str, ...]:
    """The people to whom findings were given, by name."""
    with opened.reading() as transaction:
        return reviews.assignees(transaction)
