"""What the terminal says of an account's token: where it is, and which address it goes to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from confere.cli.output import Output
from confere.system.messages import render, t
from confere.system.plain_text import plain
from confere.system.processes.command_text import command_text
from confere.system.secrets.origin import origin_of

if TYPE_CHECKING:
    from confere.app.accounts.accounts import Account
    from confere.app.overview.token_standing import TokenStanding


def token_kept(where: str) -> str:
    """Where an account's token is."""
    known = {
        "keyring": t("Its token is in the system's keyring."),
        "file": t("Its token is read from the file."),
        "configuration": t("Its token opens nothing but invented documents and is kept in Confere's configuration."),
    }
    return known.get(where, t("Its token comes from {source}.", source=where))


def token_moved(name: str, address: str, where: str | None) -> str:
    """That an account's token goes to another address from now on, and where it is."""
    moved = t("The token of the account {name} goes to {address} from now on.", name=name, address=plain(address))
    return moved if where is None else f"{moved} {token_kept(where)}"


def token_stays(account: Account, origin: str) -> str:
    """That an account's token was given for another address than its present one, and what lets it go there."""
    address = origin_of(account.address)
    return t(
        "Its token was given for {before} and is not sent to {address}: let it go there with `{command}`, or give"
        " another with `{give}`.",
        before=origin,
        address=address,
        command=command_text(["confere", "account", "token", account.name, "--origin", address]),
        give=command_text(["confere", "account", "token", account.name]),
    )


def disarmed(out: Output, standings: Iterable[TokenStanding]) -> None:
    """Of each account at an address that this machine has no token for, that it has none and what gives it one."""
    for standing in standings:
        if standing.words is not None:
            command = command_text(["confere", "account", "token", standing.account])
            words = plain(render(standing.words))
            out.aside(f"- {plain(standing.account)}: {words} ({t('give one with `{command}`', command=command)})")
