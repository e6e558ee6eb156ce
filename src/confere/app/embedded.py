"""Accounts on the embedded sandbox: which world theirs is, and its hub, running for as long as it is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from confere.app import sandbox
from confere.app.sandbox import SandboxChoice
from confere.app.workspace import EMBEDDED, Workspace
from confere.archive.accounts import Account
from confere.errors import message
from confere.system.jobs import Reporter

_NAME = re.compile(r"demo-(?P<seed>[0-9]{1,18})-(?P<documents>[0-9]{1,9})", re.ASCII)


def name_of(seed: int, documents: int) -> str:
    """The account of a world: another seed is another seller."""
    return f"demo-{seed}-{documents}"


def facts_of(seed: int, documents: int) -> dict[str, int]:
    """What an account remembers of its world."""
    return {"seed": seed, "documents": documents}


def world_of(account: Account) -> tuple[int, int] | None:
    """Seed and documents of the account's world; None where it is no demo's, so that nobody but its user starts it."""
    if account.environment != EMBEDDED:
        return None
    seed, documents = account.facts.get("seed"), account.facts.get("documents")
    if isinstance(seed, int) and isinstance(documents, int) and documents > 0:
        return seed, documents
    match = _NAME.fullmatch(account.name)  # of a demo that wrote down nothing else
    return (int(match["seed"]), int(match["documents"])) if match and int(match["documents"]) else None


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
    with sandbox.running(choice) as hub:
        yield replace(account, address=hub.address, facts={**account.facts, "token": hub.token})
