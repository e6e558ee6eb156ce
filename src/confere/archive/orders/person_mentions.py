"""Where else a person is named: sentences, notes, the audit trail, findings about their orders and documents."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from confere.archive.transaction import Transaction

_NOTES: Final = (("finding", "note"), ("finding_act", "note"), ("finding_act", "from_note"), ("act", "detail"))
_SENTENCES: Final = (
    ("finding", "evidence"), ("finding", "subject"), ("link", "evidence"), ("tie", "reason"), ("suggestion", "agrees"),
    ("suggestion", "differs"), ("order_asked", "reason"), ("download", "reason"), ("run", "parameters"),
    ("run", "problem"), ("sales_order", "transmission_message"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PersonMentions:
    """How many there are: `findings` about the person's orders and documents; notes and other sentences of the program
    that name the person by tax id or name, and lines of the audit trail that do."""

    findings: int = 0
    notes: int = 0
    sentences: int = 0
    audit_lines: int = 0


def mentions(
    transaction: Transaction, names: Sequence[str], orders: Collection[tuple[int, str]], keys: Collection[str]
) -> PersonMentions:
    """Look for `names` (tax id in its spellings, and names), `orders` (account, hub id) and access `keys`."""
    findings = set(transaction.column_in("SELECT finding_id FROM finding_key WHERE access_key IN {}", tuple(keys)))
    for account_id, hub_id in orders:
        findings.update(
            transaction.column(
                "SELECT finding_id FROM finding_order WHERE account_id = ? AND order_hub_id = ?", (account_id, hub_id)
            )
        )
    return PersonMentions(
        len(findings),
        _count(transaction, _NOTES, names),
        _count(transaction, _SENTENCES, names),
        _count(transaction, (("audit", "detail"), ("audit", "subject")), names),
    )


def _count(transaction: Transaction, columns: Sequence[tuple[str, str]], names: Sequence[str]) -> int:
    """Texts in which one of the names stands."""
    if not names:
        return 0
    any_name = " OR ".join("instr({0}, ?) > 0" for _ in names)
    return sum(
        int(transaction.scalar(f"SELECT count(*) FROM {table} WHERE {any_name.format(column)}", tuple(names)))
        for table, column in columns
    )
