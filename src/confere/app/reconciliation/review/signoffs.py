"""The use case "I have looked at this month": a reviewer signs the findings of a company's month.

A signature is withdrawn by itself as soon as a finding of the month is another one than was signed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from confere.app.accounts.freshness import moment
from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.labels.labels import tax_id_word
from confere.app.reconciliation.review import review_acts
from confere.app.reconciliation.review.review_acts import check_length
from confere.archive.accounts import accounts
from confere.archive.reconciliation import reviews
from confere.archive.reconciliation.reviews import SignedFindings, SignOff, Withdrawal
from confere.archive.transaction import Transaction
from confere.errors import N_, Message, NotInArchive, UsageFault, message
from confere.export.months import month_of
from confere.fiscal.taxpayers import normalise
from confere.system import formatting

_WITHDRAWN: Final = N_("Signed by {reviewer} on {at}; withdrawn on {withdrawn}.")
_SINCE: Final[dict[str, str]] = {
    Withdrawal.FINDINGS: N_("Signed by {reviewer} on {at}; withdrawn on {withdrawn}, since findings changed."),
    Withdrawal.ACCOUNT_ADDED: N_("Signed by {reviewer} on {at}; withdrawn on {withdrawn}, since an account was added."),
    Withdrawal.ACCOUNT_REMOVED: N_(
        "Signed by {reviewer} on {at}; withdrawn on {withdrawn}, since the account was removed."
    ),
    Withdrawal.ESTABLISHMENTS: N_(
        "Signed by {reviewer} on {at}; withdrawn on {withdrawn}, since the companies of the account changed."
    ),
    Withdrawal.SIGNED_ANEW: N_("Signed by {reviewer} on {at}; replaced on {withdrawn} by a newer signature."),
    Withdrawal.OTHER_BASIS: N_(
        "Signed by {reviewer} on {at}; withdrawn on {withdrawn}, since findings changed, or this version of the program"
        " counts those of each company by themselves."
    ),
}


@dataclass(frozen=True, slots=True)
class MonthSignOff:
    """A signature as people read it. `open_findings` were not decided when it was given; None where not asked.
    `awaiting_closing` are not part of it, since only the month's closing lets them be checked.

    `act` is the number of the act that undo takes back, where it was signed just now, and `account` whose it is.
    """

    signed: SignOff
    open_findings: int | None = None
    act: int | None = None
    account: str | None = None
    awaiting_closing: int = 0

    @property
    def reviewer(self) -> str:
        """Who looked at the month."""
        return self.signed.reviewer

    @property
    def stands(self) -> bool:
        """Whether the findings are still as they were signed."""
        return self.signed.stands

    @property
    def is_taken_back(self) -> bool:
        """Whether it does not stand since a person undid it."""
        return not self.stands and bool(self.signed.undone)

    @property
    def at(self) -> datetime:
        """When it was signed, in the zone of Brasília."""
        return moment(self.signed.at)

    @property
    def withdrawn_at(self) -> datetime | None:
        """When a finding was another one, or it was undone, in the zone of Brasília; None while it stands."""
        return None if self.signed.withdrawn_at is None else moment(self.signed.withdrawn_at)


def sign(
    workspace: Workspace, company: str, month: str, reviewer: str, note: str | None = None, account: str | None = None
) -> MonthSignOff:
    """Sign the findings of a month (`YYYY-MM`) of an establishment (CNPJ, masked or not) as they are now.

    It is an act of `account`, where the establishment is one of it, or else of the first account that has it: undo is
    of an account.
    `NotInArchive` where no account has this establishment, `UsageFault` without a reviewer's name.
    """
    name, wanted = reviewer.strip(), month_of(month).text
    if not name:
        raise UsageFault(
            message("Nobody was named as the reviewer."),
            message("Give the name of the person who looked at the month."),
        )
    check_length(name)
    tax_id = normalise(company)
    with workspace.writing("deciding") as archive, archive.writing() as transaction:
        owners = [
            owner
            for owner in accounts.every(transaction)
            if any(entry.tax_id == tax_id for entry in owner.establishments)
        ]
        if not owners:
            raise NotInArchive(
                message("No account has the establishment {company}.", company=company),
                message("`confere account list` shows the accounts with their establishments."),
            )
        owner = next((entry for entry in owners if entry.name == account), owners[0])
        found = reviews.findings_of(transaction, tax_id, wanted)
        before = reviews.standing(transaction, tax_id, wanted)
        made = reviews.sign(transaction, tax_id, wanted, name, (note or "").strip() or None)
        act = review_acts.record_signature(transaction, owner.id, made, before)
        return MonthSignOff(made, found.undecided, act, owner.name, found.awaiting_closing)


def history(opened: OpenArchive, company: str | None = None, month: str | None = None) -> tuple[MonthSignOff, ...]:
    """Every signature, the newest first."""
    with opened.reading() as transaction:
        found = reviews.history(transaction, None if company is None else normalise(company), month)
    return tuple(map(MonthSignOff, found))


def signable(opened: OpenArchive, company: str, month: str) -> SignedFindings:
    """The findings of a company's month (`YYYY-MM`) as a signature of now would be for."""
    with opened.reading() as transaction:
        return reviews.findings_of(transaction, normalise(company), month)


def of_month(transaction: Transaction, company: str, month: str) -> MonthSignOff | None:
    """The signature that stands under a company's month, else the newest one; None where nobody ever signed it."""
    known = reviews.history(transaction, company, month)
    chosen = next((entry for entry in known if entry.stands), known[0] if known else None)
    return None if chosen is None else MonthSignOff(chosen)


def withdraw_outgrown(transaction: Transaction) -> tuple[Message, ...]:
    """Withdraw the signatures whose findings are others by now, and say of each that it is."""
    return tuple(map(_withdrawn, reviews.withdraw_outgrown(transaction)))


def sentence(found: MonthSignOff) -> Message:
    """`Signed by Ana on 10/11/2026 14:00`, or that it was withdrawn."""
    facts = {"reviewer": found.reviewer, "at": formatting.moment(found.at)}
    if found.stands:
        return message("Signed by {reviewer} on {at}.", **facts)
    if found.is_taken_back:
        return message(
            "Signed by {reviewer} on {at}; taken back on {withdrawn}.",
            **facts,
            withdrawn=formatting.moment(found.withdrawn_at),
        )
    why = _SINCE.get(found.signed.withdrawn_why or "", _WITHDRAWN)
    return Message(why, facts | {"withdrawn": formatting.moment(found.withdrawn_at)})


def _withdrawn(found: SignOff) -> Message:
    facts = {
        "reviewer": found.reviewer,
        "month": formatting.month(found.month),
        "company": tax_id_word(found.company),
    }
    if found.withdrawn_why == Withdrawal.OTHER_BASIS:
        return message(
            "The signature of {reviewer} under {month} of {company} was withdrawn: findings changed, or this version of"
            " the program counts those of each company by themselves.",
            **facts,
        )
    return message("The signature of {reviewer} under {month} of {company} was withdrawn: findings changed.", **facts)
