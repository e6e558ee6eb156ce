"""The use case "I have looked at this month": a reviewer signs the findings of a company's month.

A signature is withdrawn by itself as soon as a finding of the month is another one than was signed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from confere.app.accounts.freshness import moment
from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.labels.labels import tax_id_word
from confere.archive.accounts import accounts
from confere.archive.reconciliation import reviews
from confere.archive.reconciliation.reviews import SignOff
from confere.archive.transaction import Transaction
from confere.errors import Message, NotInArchive, UsageFault, message
from confere.export.months import month_of
from confere.fiscal.taxpayers import normalise
from confere.system import formatting


@dataclass(frozen=True, slots=True)
class MonthSignOff:
    """A signature as people read it; times in the zone of Brasília. `open_findings` were settled by nobody then."""

    company: str
    month: str
    reviewer: str
    at: datetime
    note: str | None
    findings: int
    withdrawn_at: datetime | None
    open_findings: int | None = None

    @property
    def stands(self) -> bool:
        """Whether the findings are still as they were signed."""
        return self.withdrawn_at is None


def sign(workspace: Workspace, company: str, month: str, reviewer: str, note: str | None = None) -> MonthSignOff:
    """Sign the findings of a month (`YYYY-MM`) of an establishment (CNPJ, masked or not) as they are now.

    `NotInArchive` where no account has this establishment, `UsageFault` without a reviewer's name.
    """
    name, wanted = reviewer.strip(), month_of(month).text
    if not name:
        raise UsageFault(
            message("Nobody was named as the reviewer."),
            message("Give the name of the person who looked at the month."),
        )
    tax_id = normalise(company)
    with workspace.writing("deciding") as archive, archive.writing() as transaction:
        owners = {entry.tax_id for account in accounts.every(transaction) for entry in account.establishments}
        if tax_id not in owners:
            raise NotInArchive(
                message("No account has the establishment {company}.", company=company),
                message("`confere account list` shows the accounts with their establishments."),
            )
        waiting = reviews.findings_of(transaction, tax_id, wanted).open
        made = reviews.sign(transaction, tax_id, wanted, name, (note or "").strip() or None)
        return _shown(made, waiting)


def history(opened: OpenArchive, company: str | None = None, month: str | None = None) -> tuple[MonthSignOff, ...]:
    """Every signature, the newest first."""
    with opened.reading() as transaction:
        found = reviews.history(transaction, None if company is None else normalise(company), month)
    return tuple(map(_shown, found))


def withdraw_outgrown(transaction: Transaction) -> tuple[Message, ...]:
    """Withdraw the signatures whose findings are others by now, and say of each that it is."""
    return tuple(map(_withdrawn, reviews.withdraw_outgrown(transaction)))


def sentence(found: MonthSignOff) -> Message:
    """`Signed by Ana on 10/11/2026 14:00`, or that it was withdrawn."""
    facts = {"reviewer": found.reviewer, "at": formatting.moment(found.at)}
    if found.stands:
        return message("Signed by {reviewer} on {at}.", **facts)
    return message(
        "Signed by {reviewer} on {at}; withdrawn on {withdrawn}, since findings changed.",
        **facts,
        withdrawn=formatting.moment(found.withdrawn_at),
    )


def _withdrawn(found: SignOff) -> Message:
    return message(
        "The signature of {reviewer} under {month} of {company} was withdrawn: findings changed.",
        reviewer=found.reviewer,
        month=f"{found.month[5:]}/{found.month[:4]}",
        company=tax_id_word(found.company),
    )


def _shown(found: SignOff, waiting: int | None = None) -> MonthSignOff:
    return MonthSignOff(
        found.company, found.month, found.reviewer, moment(found.at), found.note, found.findings,
        None if found.withdrawn_at is None else moment(found.withdrawn_at), waiting,
    )  # fmt: skip
