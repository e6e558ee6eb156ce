"""Who is to settle findings and by when, and reviewers' signatures under the findings of a company's month.

A signature stands for the findings as they were: which there are, how they stand and what they come to. As soon as one
of them is another one the signature is withdrawn, and stays in the history with the reason. So it is when the account
whose findings they were is removed: nobody looks at them any more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from confere.archive.accounts import audit, owning_company
from confere.archive.clock import utc_now
from confere.archive.message_encoding import storable
from confere.archive.schema.schema import signoff
from confere.archive.transaction import Transaction
from confere.errors import N_
from confere.sales.findings import awaits_closing, is_undecided

ASSIGN: Final = "assign"
"""The kind of an act that gave findings to somebody."""

SIGN: Final = "sign"
"""The kind of an act that signed a month; its detail names the signature."""

_COLUMNS: Final = (
    "id, company, month, reviewer, actor, at, note, findings, digest, withdrawn_at, withdrawn_why, basis, id IN"
    f" (SELECT json_extract(detail, '$.signoff') FROM act WHERE kind = {SIGN!r} AND undone_at IS NOT NULL) AS undone"
)


_BASIS: Final = 2
"""By what the findings of a company are told: 1, all of its accounts; 2, its own and those of none (`owning_company`),
and of these none that waits for a closing alone."""


class Withdrawal(StrEnum):
    """Why a signature stands no more; these words are in the archive and in its audit trail."""

    FINDINGS = N_("findings changed")
    ACCOUNT_ADDED = N_("account added")
    ACCOUNT_REMOVED = N_("account removed")
    ESTABLISHMENTS = N_("establishments changed")
    SIGNED_ANEW = N_("signed anew")
    UNDONE = N_("undone")
    OTHER_BASIS = N_("findings told otherwise")  # by this program than by the one with which it was signed


@dataclass(frozen=True, slots=True)
class SignOff:
    """A reviewer's signature. `at` and `withdrawn_at` are UTC text; `findings` is how many there were.

    `withdrawn_why` is a `Withdrawal`, or None where nobody knows; `undone` is 1 where a person took it back.
    """

    id: int
    company: str
    month: str
    reviewer: str
    actor: str
    at: str
    note: str | None
    findings: int
    digest: str
    withdrawn_at: str | None
    withdrawn_why: str | None = None
    basis: int = _BASIS
    undone: int = 0

    @property
    def stands(self) -> bool:
        """Whether the findings are still as they were signed."""
        return self.withdrawn_at is None


@dataclass(frozen=True, slots=True)
class SignedFindings:
    """What a signature is for: how many findings are decided and are not, with a digest of them.

    Those that wait for the month's closing alone are neither; `awaiting_closing` is how many.
    """

    digest: str
    undecided: int
    decided: int
    awaiting_closing: int

    @property
    def count(self) -> int:
        """How many are signed."""
        return self.undecided + self.decided


@dataclass(frozen=True, slots=True)
class Authorization:
    """A current document as it was authorized; `authorized_at` as the protocol writes it."""

    key: str
    model: str | None
    state: str
    authorized_at: str | None


def authorizations(transaction: Transaction, keys: Collection[str]) -> list[Authorization]:
    """How the current documents of these keys were authorized."""
    return list(
        transaction.fetch_in_as(
            Authorization,
            "SELECT access_key AS key, model, state, authorized_at FROM document"
            " WHERE is_current = 1 AND access_key IN {}",
            {storable(key) for key in keys},
        )
    )


def assign(transaction: Transaction, numbers: Collection[int], assignee: str | None, due_on: str | None) -> None:
    """Write who is to settle these findings, and by when (`YYYY-MM-DD`); None takes it away."""
    person = None if assignee is None else storable(assignee)
    transaction.execute_many(
        "UPDATE finding SET assignee = ?, due_on = ? WHERE id = ?", [(person, due_on, number) for number in numbers]
    )


def assignees(transaction: Transaction) -> tuple[str, ...]:
    """Everybody who was ever to settle a finding that is there, by name."""
    return tuple(transaction.column("SELECT DISTINCT assignee FROM finding WHERE assignee IS NOT NULL ORDER BY 1"))


def findings_of(transaction: Transaction, company: str, month: str) -> SignedFindings:
    """The findings of a company's month, without those that vanished.

    What waits for the month's closing alone is told apart and not part of the digest: a month is signed before.
    """
    condition, values = owning_company.owned_by(transaction, company).sql(owning_company.OF_FINDING, "f.account_id")
    rows = transaction.fetch(
        f"SELECT f.fingerprint, f.state, f.amount, f.rule FROM finding f WHERE {condition}"
        " AND f.period = :month AND f.state != 'resolved' ORDER BY f.account_id, f.fingerprint",
        values | {"month": month},
    )
    signed = [row for row in rows if not awaits_closing(row[3], row[1])]
    told = json.dumps([[fingerprint, state, amount] for fingerprint, state, amount, _ in signed], separators=(",", ":"))
    undecided = sum(is_undecided(rule, state) for _, state, _, rule in signed)
    digest = hashlib.sha256(told.encode()).hexdigest()
    return SignedFindings(digest, undecided, len(signed) - undecided, len(rows) - len(signed))


def sign(transaction: Transaction, company: str, month: str, reviewer: str, note: str | None) -> SignOff:
    """Sign the findings of a month as they are now; a signature that stood is withdrawn by the new one."""
    newest = standing(transaction, company, month)
    if newest is not None:
        _withdraw(transaction, [newest], Withdrawal.SIGNED_ANEW)
    signed = findings_of(transaction, company, month)
    number = transaction.new_ids(signoff, 1)[0]
    made = SignOff(
        number, company, month, storable(reviewer), audit.actor(), utc_now(), note and storable(note), signed.count,
        signed.digest, None,
    )  # fmt: skip
    transaction.insert(
        signoff,
        [
            (
                number,
                company,
                month,
                made.reviewer,
                made.actor,
                made.at,
                made.note,
                made.findings,
                made.digest,
                None,
                None,
                made.basis,
            )
        ],
    )
    audit.write(transaction, "month signed", f"{company} {month}", made.reviewer)
    return made


def standing(transaction: Transaction, company: str, month: str) -> SignOff | None:
    """The signature that stands under a company's month."""
    return next((entry for entry in history(transaction, company, month) if entry.stands), None)


def history(transaction: Transaction, company: str | None = None, month: str | None = None) -> tuple[SignOff, ...]:
    """Every signature, the newest first; of a company or a month, or of all."""
    return tuple(
        transaction.fetch_as(
            SignOff,
            f"SELECT {_COLUMNS} FROM signoff WHERE (? IS NULL OR company = ?) AND (? IS NULL OR month = ?)"
            " ORDER BY id DESC",
            (company, company, month, month),
        )
    )


def take_back(transaction: Transaction, number: int | None) -> None:
    """Withdraw this signature, if it is there and stands."""
    taken = [entry for entry in history(transaction) if entry.id == number and entry.stands]
    _withdraw(transaction, taken, Withdrawal.UNDONE)


def let_stand(transaction: Transaction, number: int) -> None:
    """Let a withdrawn signature stand again, where the findings are as they were signed and no other one stands.

    Not one that a person took back: undo is of an account, and another one of the same establishment may come later.
    """
    for entry in history(transaction):
        if entry.id != number or entry.stands or entry.undone:
            continue
        if standing(transaction, entry.company, entry.month) is not None:
            continue
        if _has_account(transaction, entry.company) and _is_as_signed(transaction, entry):
            standing_again = "UPDATE signoff SET withdrawn_at = NULL, withdrawn_why = NULL WHERE id = ?"
            transaction.execute(standing_again, (entry.id,))
            audit.write(transaction, "signature stands again", f"{entry.company} {entry.month}", entry.reviewer)


def withdraw_outgrown(transaction: Transaction, why: Withdrawal = Withdrawal.FINDINGS) -> tuple[SignOff, ...]:
    """Withdraw every signature whose findings are others by now; which they were, with the reason.

    Call it whenever findings were written, and whenever accounts or their establishments came or went: `why`.
    """
    withdrawn: list[SignOff] = []
    for entry in history(transaction):
        if not entry.stands:
            continue
        has_account = _has_account(transaction, entry.company)
        if not has_account or not _is_as_signed(transaction, entry):
            reason = Withdrawal.OTHER_BASIS if has_account and entry.basis != _BASIS else why
            _withdraw(transaction, [entry], reason)
            withdrawn.append(replace(entry, withdrawn_why=reason.value))
    return tuple(withdrawn)


def _has_account(transaction: Transaction, company: str) -> bool:
    """Whether the company's findings are still somebody's: where none is, nobody looks at them any more."""
    found = transaction.first(
        "SELECT 1 FROM establishment e JOIN account a ON a.id = e.account_id AND a.removed_at IS NULL"
        " WHERE e.tax_id = ?",
        (company,),
    )
    return found is not None


def _is_as_signed(transaction: Transaction, entry: SignOff) -> bool:
    """Whether the company's findings are those that were signed: none is a finding too."""
    return findings_of(transaction, entry.company, entry.month).digest == entry.digest


def _withdraw(transaction: Transaction, found: Sequence[SignOff], why: Withdrawal) -> None:
    now = utc_now()
    for entry in found:
        transaction.execute(
            "UPDATE signoff SET withdrawn_at = ?, withdrawn_why = ? WHERE id = ?", (now, why.value, entry.id)
        )
        audit.write(transaction, "signature withdrawn", f"{entry.company} {entry.month}", why.value)
