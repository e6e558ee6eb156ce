"""Who is to settle findings and by when, and reviewers' signatures under the findings of a company's month.

A signature stands for the findings as they were: which there are, how they stand and what they come to. As soon as one
of them is another one the signature is withdrawn, and stays in the history. So it is when the account whose findings
they were is removed: nobody looks at them any more.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from confere.archive.accounts import audit
from confere.archive.clock import utc_now
from confere.archive.message_encoding import storable
from confere.archive.schema.schema import signoff
from confere.archive.transaction import Transaction

ASSIGN: Final = "assign"
"""The kind of an act that gave findings to somebody."""

SIGN: Final = "sign"
"""The kind of an act that signed a month; its detail names the signature."""

_COLUMNS: Final = (
    "id, company, month, reviewer, actor, at, note, findings, digest, withdrawn_at, id IN"
    f" (SELECT json_extract(detail, '$.signoff') FROM act WHERE kind = {SIGN!r} AND undone_at IS NOT NULL) AS undone"
)


@dataclass(frozen=True, slots=True)
class SignOff:
    """A reviewer's signature. `at` and `withdrawn_at` are UTC text; `findings` is how many there were.

    `undone` is 1 where a person took it back.
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
    undone: int = 0

    @property
    def stands(self) -> bool:
        """Whether the findings are still as they were signed."""
        return self.withdrawn_at is None


@dataclass(frozen=True, slots=True)
class SignedFindings:
    """What a signature is for: how many findings, a digest of them, and how many of them nobody settled."""

    count: int
    digest: str
    open: int


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
    """The findings of the month of every account to which the company belongs, without those that vanished."""
    rows = transaction.fetch(
        "SELECT f.fingerprint, f.state, f.amount FROM finding f JOIN establishment e ON e.account_id = f.account_id"
        " JOIN account a ON a.id = f.account_id AND a.removed_at IS NULL"
        " WHERE e.tax_id = ? AND f.period = ? AND f.state != 'resolved' ORDER BY f.account_id, f.fingerprint",
        (company, month),
    )
    told = json.dumps([list(row) for row in rows], separators=(",", ":"))
    waiting = sum(state in ("open", "not_checked") for _, state, _ in rows)
    return SignedFindings(len(rows), hashlib.sha256(told.encode()).hexdigest(), waiting)


def sign(transaction: Transaction, company: str, month: str, reviewer: str, note: str | None) -> SignOff:
    """Sign the findings of a month as they are now; a signature that stood is withdrawn by the new one."""
    newest = standing(transaction, company, month)
    if newest is not None:
        _withdraw(transaction, [newest], "signed anew")
    signed = findings_of(transaction, company, month)
    number = transaction.new_ids(signoff, 1)[0]
    made = SignOff(
        number, company, month, storable(reviewer), audit.actor(), utc_now(), note and storable(note), signed.count,
        signed.digest, None,
    )  # fmt: skip
    transaction.insert(
        signoff,
        [(number, company, month, made.reviewer, made.actor, made.at, made.note, made.findings, made.digest, None)],
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
    _withdraw(transaction, [entry for entry in history(transaction) if entry.id == number and entry.stands], "undone")


def let_stand(transaction: Transaction, number: int) -> None:
    """Let a withdrawn signature stand again, where the findings are as they were signed and no other one stands.

    Not one that a person took back: undo is of an account, and another one of the same establishment may come later.
    """
    for entry in history(transaction):
        if entry.id != number or entry.stands or entry.undone:
            continue
        if standing(transaction, entry.company, entry.month) is not None:
            continue
        if _is_as_signed(transaction, entry):
            transaction.execute("UPDATE signoff SET withdrawn_at = NULL WHERE id = ?", (entry.id,))
            audit.write(transaction, "signature stands again", f"{entry.company} {entry.month}", entry.reviewer)


def withdraw_outgrown(transaction: Transaction, why: str = "findings changed") -> tuple[SignOff, ...]:
    """Withdraw every signature whose findings are others by now; which they were. `why` stands in the audit trail.

    Call it whenever findings were written, and whenever accounts or their establishments came or went.
    """
    outgrown = [entry for entry in history(transaction) if entry.stands and not _is_as_signed(transaction, entry)]
    _withdraw(transaction, outgrown, why)
    return tuple(outgrown)


def _is_as_signed(transaction: Transaction, entry: SignOff) -> bool:
    """Whether the company's findings are those that were signed, and still somebody's: none is a finding too."""
    has_account = transaction.first(
        "SELECT 1 FROM establishment e JOIN account a ON a.id = e.account_id AND a.removed_at IS NULL"
        " WHERE e.tax_id = ?",
        (entry.company,),
    )
    return has_account is not None and findings_of(transaction, entry.company, entry.month).digest == entry.digest


def _withdraw(transaction: Transaction, found: Sequence[SignOff], why: str) -> None:
    now = utc_now()
    for entry in found:
        transaction.execute("UPDATE signoff SET withdrawn_at = ? WHERE id = ?", (now, entry.id))
        audit.write(transaction, "signature withdrawn", f"{entry.company} {entry.month}", why)
