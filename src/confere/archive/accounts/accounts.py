"""Accounts at hubs and their establishments (CNPJ); tokens are not here, they belong to the installation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from confere.archive.clock import utc_now
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Row, Transaction
from confere.errors import NotInArchive, UsageFault, message

_OF_TOKENS = ("token", "token_file")
_COLUMNS = "id, name, environment, address, platform, facts"


class Establishment(NamedTuple):
    tax_id: str
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Account:
    """A seller's account at one environment of a hub. `facts` is what Confere learned of that hub.

    `started_token` is the token of a sandbox that this process started for the account, at `address`. It comes from no
    archive and goes into none: with it alone an account of the environment `embedded` needs no token of a person.
    """

    id: int
    name: str
    environment: str  # production, sandbox, embedded
    address: str
    platform: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    establishments: tuple[Establishment, ...] = ()
    started_token: str = ""


def add(
    transaction: Transaction,
    *,
    name: str,
    environment: str,
    address: str,
    platform: str,
    establishments: Sequence[Establishment] = (),
) -> Account:
    """Create an account; `UsageFault` if the name is taken."""
    from confere.archive.accounts import audit
    from confere.archive.schema.schema import account

    if transaction.first("SELECT 1 FROM account WHERE name = ? AND removed_at IS NULL", (name,)):
        raise UsageFault(
            message("There is an account {name} already.", name=name),
            message("Choose another name, or remove that one first."),
        )
    former = transaction.first_named("SELECT id, environment, address FROM account WHERE name = ?", (name,))
    if former is not None and (former.environment, former.address) != (environment, address):
        # Another hub under a name that was used before: what was listed there proves nothing here.
        transaction.execute("UPDATE account SET name = ? WHERE id = ?", (f"{name} #{former.id}", former.id))
        former = None
    if former is not None:  # documents stay when an account is removed; adding it again continues it
        number = int(former.id)
        transaction.execute("UPDATE account SET platform = ?, removed_at = NULL WHERE id = ?", (platform, number))
    else:
        number = transaction.new_ids(account, 1)[0]
        transaction.insert(account, [(number, name, environment, address, platform, "{}", utc_now(), None, "{}")])
    set_establishments(transaction, number, establishments)
    audit.write(transaction, "account add", name, address)
    return _one(transaction, "id = ?", (number,))


def set_establishments(transaction: Transaction, account_id: int, found: Sequence[Establishment]) -> None:
    """Add these establishments to the account; known ones are left as they are."""
    from confere.archive.schema.schema import establishment

    known = set(transaction.column("SELECT tax_id FROM establishment WHERE account_id = ?", (account_id,)))
    new = [entry for entry in {entry.tax_id: entry for entry in found}.values() if entry.tax_id not in known]
    ids = transaction.new_ids(establishment, len(new))
    transaction.insert(
        establishment,
        [(number, account_id, entry.tax_id, entry.name) for number, entry in zip(ids, new, strict=True)],
    )


def keep_establishments(transaction: Transaction, account_id: int, tax_ids: Sequence[str]) -> None:
    """Let the account have these establishments and no others; the documents of all stay."""
    marks = ",".join("?" * len(tax_ids))
    transaction.execute(
        f"DELETE FROM establishment WHERE account_id = ? AND tax_id NOT IN ({marks})", (account_id, *tax_ids)
    )
    set_establishments(transaction, account_id, [Establishment(tax_id) for tax_id in tax_ids])


def rename_platform(transaction: Transaction, account_id: int, platform: str) -> None:
    """What the hub wants in its header `platform` from now on."""
    transaction.execute("UPDATE account SET platform = ? WHERE id = ?", (platform, account_id))


def move(transaction: Transaction, account_id: int, address: str) -> None:
    """The same account answers at another address now."""
    transaction.execute("UPDATE account SET address = ? WHERE id = ?", (address, account_id))


def learn(transaction: Transaction, account_id: int, facts: Mapping[str, Any]) -> None:
    """Remember facts about this hub, beside those known; what older releases wrote there of tokens is dropped."""
    known = json.loads(transaction.scalar("SELECT facts FROM account WHERE id = ?", (account_id,)) or "{}")
    known = {name: fact for name, fact in known.items() if name not in _OF_TOKENS}
    transaction.execute("UPDATE account SET facts = ? WHERE id = ?", (json.dumps({**known, **facts}), account_id))


def own_tax_ids(transaction: Transaction) -> frozenset[str]:
    """The establishments of the accounts in use."""
    rows = transaction.column(
        "SELECT DISTINCT e.tax_id FROM establishment e JOIN account a ON a.id = e.account_id WHERE a.removed_at IS NULL"
    )
    return frozenset(rows)


def remove(transaction: Transaction, name: str) -> None:
    """Take the account out of use; its documents stay, as the law makes them stay."""
    from confere.archive.accounts import audit

    found = named(transaction, name)
    transaction.execute("UPDATE account SET removed_at = ? WHERE id = ?", (utc_now(), found.id))
    audit.write(transaction, "account remove", name)


def every(transaction: Transaction) -> tuple[Account, ...]:
    """All accounts in use, by name."""
    rows = transaction.named(f"SELECT {_COLUMNS} FROM account WHERE removed_at IS NULL ORDER BY name")
    return tuple(_account(transaction, row) for row in rows)


def names_of(transaction: Transaction) -> dict[int, str]:
    """What each account is called, by its number; those that were removed too."""
    return dict(transaction.fetch("SELECT id, name FROM account"))


def was_ever(transaction: Transaction, name: str) -> bool:
    """Whether there is, or was, an account of that name: its documents stay when it is removed."""
    return transaction.first("SELECT 1 FROM account WHERE name = ?", (name,)) is not None


def named(transaction: Transaction, name: str) -> Account:
    """The account of that name; `NotInArchive` with the known names otherwise."""
    return _one(transaction, "name = ? AND removed_at IS NULL", (name,), name)


def only(transaction: Transaction, name: str | None) -> Account:
    """The account of that name; where none is named, the only one there is. `UsageFault` where that is not clear."""
    if name is not None:
        return named(transaction, name)
    chosen = every(transaction)
    if not chosen:
        raise UsageFault(
            message("There is no account to bring it to."),
            message("Add one with `confere account add`."),
        )
    if len(chosen) > 1:
        from confere.system.processes.command_text import arguments

        raise UsageFault(
            message("It is not clear whose it is: there are several accounts."),
            message("Name the account with --account: {known}.", known=arguments(entry.name for entry in chosen)),
        )
    return chosen[0]


def _one(transaction: Transaction, condition: str, parameters: Row, name: str = "") -> Account:
    row = transaction.first_named(f"SELECT {_COLUMNS} FROM account WHERE {condition}", parameters)
    if row is None:
        known = ", ".join(entry.name for entry in every(transaction)) or "-"
        raise NotInArchive(
            message("There is no account {name}.", name=name),
            message("Known accounts: {known}. Add one with `confere account add`.", known=known),
        )
    return _account(transaction, row)


def _account(transaction: Transaction, row: NamedRow) -> Account:
    establishments = transaction.fetch_as(
        Establishment, "SELECT tax_id, name FROM establishment WHERE account_id = ? ORDER BY id", (row.id,)
    )
    return Account(
        row.id, row.name, row.environment, row.address, row.platform, json.loads(row.facts), tuple(establishments)
    )
