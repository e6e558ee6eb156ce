"""Accounts at hubs: add, list, test, remove; the token goes to the keyring, never to the archive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from confere.app.workspace import EMBEDDED, ENVIRONMENTS, Workspace
from confere.archive import accounts
from confere.archive.accounts import Account as Account
from confere.archive.accounts import Establishment
from confere.errors import SecretUnavailable, UsageFault, message
from confere.fiscal import taxpayers
from confere.hub import address as addresses
from confere.hub import documents
from confere.system import secrets


@dataclass(frozen=True, slots=True)
class NewAccount:
    """What a person gives for an account. `tax_ids` are its establishments' CNPJ, masked or not."""

    name: str
    address: str
    platform: str
    environment: str
    tax_ids: tuple[str, ...] = ()
    token_file: Path | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """The account, and where its token is kept (`SecretUnavailable`'s sentence went to the user otherwise)."""

    account: Account
    token_kept: str | None


@dataclass(frozen=True, slots=True)
class Tested:
    """What one polite request to the hub showed."""

    account: str
    address: str
    documents: int | None


def add(workspace: Workspace, new: NewAccount, token: str | None) -> Added:
    """Add an account; `token` is kept in the keyring (or named file), None leaves it to the other ways.

    Raises `UsageFault` for a bad name, environment or CNPJ, `HubAddressRefused` for a bad address and
    `SecretUnavailable` where the token cannot be kept; then nothing was added.
    """
    if new.environment not in ENVIRONMENTS:
        raise UsageFault(
            message("{value} is not an environment.", value=new.environment),
            message("Choose one of: {known}.", known=", ".join(ENVIRONMENTS)),
        )
    if not new.name.strip():
        raise UsageFault(message("An account needs a name."), message("Give one, such as the company's."))
    base = addresses.normalise(new.address)
    establishments = [Establishment(_tax_id(entry)) for entry in new.tax_ids]
    with workspace.writing("account add") as archive:
        ask = workspace.ask(archive, new.name, new.token_file)
        with archive.writing() as transaction:
            # First of all: a name that is taken must not cost the other account its token.
            account = accounts.add(
                transaction,
                name=new.name,
                environment=new.environment,
                address=base,
                platform=new.platform,
                establishments=establishments,
            )
            if token is None:
                kept = _already_kept(ask)
            elif new.environment == EMBEDDED:
                accounts.learn(transaction, account.id, {"token": token})
                kept = "archive"
            else:
                kept = secrets.store(ask, token).value
            if new.token_file is not None:
                accounts.learn(transaction, account.id, {"token_file": str(new.token_file.absolute())})
            return Added(accounts.named(transaction, new.name), kept)


def _already_kept(ask: secrets.Ask) -> str | None:
    """Where there is a token although none was given now; a file that was named must hold one."""
    try:
        return secrets.load(ask).source.value
    except SecretUnavailable:
        if ask.token_file is not None:
            raise
        return None


def every(workspace: Workspace) -> Sequence[Account]:
    """All accounts in use; none where there is no archive yet."""
    if not workspace.home.archive.is_file():
        return ()
    with workspace.reading() as archive, archive.reading() as transaction:
        return accounts.every(transaction)


def test(workspace: Workspace, name: str, prompt: secrets.Prompt | None = None) -> Tested:
    """Ask the hub for one small page with this account's token; raises what stood in the way, in plain words."""
    with workspace.reading() as archive:
        with archive.reading() as transaction:
            account = accounts.named(transaction, name)
        with workspace.session(archive, account, prompt=prompt) as session:
            found = documents.probe(session)
    return Tested(account.name, account.address, found.total)


def remove(workspace: Workspace, name: str) -> bool:
    """Take an account out of use; its documents stay. True if its token was in the keyring and is gone."""
    with workspace.writing("account remove") as archive:
        ask = workspace.ask(archive, name)
        with archive.writing() as transaction:
            accounts.remove(transaction, name)
    try:
        return secrets.delete(ask)
    except SecretUnavailable:
        return False


def _tax_id(text: str) -> str:
    found = taxpayers.normalise(text)
    if not (taxpayers.is_cnpj(found) or taxpayers.is_cpf(found)):
        raise UsageFault(
            message("{value} is not a CNPJ or CPF: its check digits do not agree.", value=text),
            message("Copy it from an invoice of the company; letters are allowed in a CNPJ since July 2026."),
        )
    return found
