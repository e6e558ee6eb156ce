"""Accounts on the embedded sandbox: which world theirs is, and its hub, running for as long as it is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace

from confere.app.context import EMBEDDED, Workspace
from confere.app.sandbox import sandbox
from confere.app.sandbox.sandbox import RunningSandbox, SandboxChoice
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.authenticity import account_roots
from confere.archive.store import Archive
from confere.errors import EnvironmentFault, message
from confere.system.progress import Reporter

_NAME = re.compile(r"demo-(?P<seed>[0-9]{1,18})-(?P<documents>[0-9]{1,9})", re.ASCII)


def name_of(seed: int, documents: int) -> str:
    """The account of a world: another seed is another seller."""
    return f"demo-{seed}-{documents}"


def facts_of(hub: RunningSandbox) -> dict[str, int | bool | str | float]:
    """What an account remembers of its world."""
    world = hub.choice
    return {
        "seed": world.seed,
        "documents": world.documents,
        "forget": world.forget,
        "anomalies": world.anomalies,
        "clean_months": world.clean_months,
        "withhold": world.withhold,
        "orders": world.orders,
        "returns": world.returns,
        "shape": world.shape,
        "strict_bodies": world.strict_bodies,
        "catalog_errors": world.catalog_errors,
    }


def own_world(archive: Archive, choice: SandboxChoice) -> SandboxChoice:
    """The choice as the demo of that seed and size was made: its world stays what it was, whatever is asked now."""
    with archive.reading() as transaction:
        for account in accounts.every(transaction):
            if account.environment == EMBEDDED and world_of(account) == (choice.seed, choice.documents):
                return _as_made(choice, account)
    return choice


def _as_made(choice: SandboxChoice, account: Account) -> SandboxChoice:
    """The demos of an older release, which wrote nothing down, forget nothing, tell the truth and have no shape."""
    facts = account.facts
    anomalies, clean, withhold = (facts.get(name) for name in ("anomalies", "clean_months", "withhold"))
    shape, errors = facts.get("shape"), facts.get("catalog_errors")
    return replace(
        choice,
        forget=facts.get("forget") is True,
        anomalies=anomalies if isinstance(anomalies, str) else "none",
        clean_months=clean if isinstance(clean, str) else "",
        withhold=float(withhold) if isinstance(withhold, int | float) else 0.0,
        orders=facts.get("orders") is not False,
        returns=facts.get("returns") is not False,
        shape=shape if isinstance(shape, str) else "",
        strict_bodies=facts.get("strict_bodies") is True,
        catalog_errors=float(errors) if isinstance(errors, int | float) else 0.0,
    )


def world_of(account: Account) -> tuple[int, int] | None:
    """Seed and documents of the account's world; None where it is no demo's, so that nobody but its user starts it."""
    if account.environment != EMBEDDED:
        return None
    seed, documents = account.facts.get("seed"), account.facts.get("documents")
    if isinstance(seed, int) and isinstance(documents, int) and documents > 0:
        return seed, documents
    match = _NAME.fullmatch(account.name)  # of a demo that wrote down nothing else
    return (int(match["seed"]), int(match["documents"])) if match and int(match["documents"]) else None


def learn_roots(archive: Archive, account: Account) -> None:
    """Trust the sandbox's own certificates for its account: another world is another authority. While it answers."""
    if account.environment != EMBEDDED:
        return
    from confere.hub.sandbox_control import trusted_roots  # with the whole of HTTP

    found = trusted_roots(account.address)
    if found is not None:
        with archive.writing() as transaction:
            account_roots.add(transaction, account, found, "sandbox")


def learn_lacking_roots(workspace: Workspace, archive: Archive, reporter: Reporter | None = None) -> None:
    """As `learn_roots`, for the demos of an older release, which kept none; each of their sandboxes is started once.

    Without them every invented paper would be called forged. Where a sandbox cannot be started, nothing is learned.
    """
    with archive.reading() as transaction:
        lacking = [
            account
            for account in accounts.every(transaction)
            if world_of(account) is not None and not account_roots.of(transaction, account.id)
        ]
    for account in lacking:
        with suppress(EnvironmentFault), awake(workspace, account, reporter) as woken:
            learn_roots(archive, woken)


@contextmanager
def awake(workspace: Workspace, account: Account, reporter: Reporter | None = None) -> Iterator[Account]:
    """The account while its hub answers: a demo's sandbox is started and ended here, any other hub is left alone."""
    world = world_of(account)
    if world is None:
        yield account
        return
    if reporter is not None:
        reporter.note(message("Starting the sandbox of the account {account}.", account=account.name))
    seed, documents = world
    choice = SandboxChoice(documents=documents, seed=seed, state_file=workspace.home.sandbox_state)
    with sandbox.running(_as_made(choice, account)) as hub:
        yield replace(account, address=hub.address, started_token=hub.token)
