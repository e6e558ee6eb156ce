"""How accounts' hubs want to be asked and answer, as it was learnt: looked at, kept after a look, and forgotten."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from confere.app.accounts import hub_contract
from confere.app.accounts.hub_contract import ContractDrift
from confere.app.context import Workspace
from confere.app.sandbox.sandbox_accounts import awake
from confere.archive.accounts import accounts
from confere.archive.clock import utc_text
from confere.archive.hub import hub_traits
from confere.errors import ArchiveError

if TYPE_CHECKING:
    from confere.hub.documents.documents import Probe
    from confere.hub.session import HubSession


@dataclass(frozen=True, slots=True)
class HubTrait:
    """One trait of a list (documents, orders, returns) of a hub; `learned_at` is UTC text."""

    list: str
    trait: str
    value: str
    learned_at: str


@dataclass(frozen=True, slots=True)
class SampleRecord:
    """One record of the hub's list, as it was understood and as it came; both are values of JSON."""

    understood: Mapping[str, Any]
    raw: Any


@dataclass(frozen=True, slots=True)
class ContractView:
    """What a hub publishes of itself: when it was asked for (aware; None for never), how many operations it has
    (0: it publishes none), what it says of lists beside what was seen, and the lists it has no operation for."""

    asked_at: datetime | None
    operations: int
    drift: tuple[ContractDrift, ...]
    missing_lists: tuple[str, ...]


def shape(workspace: Workspace, name: str) -> tuple[HubTrait, ...]:
    """What was learnt of the hub of account `name`; nothing before the first test or sync. Raises `NotInArchive`."""
    with workspace.reading() as archive, archive.reading() as transaction:
        account = accounts.named(transaction, name)
        return tuple(
            _trait(entry.trait, entry.value, entry.learned_at) for entry in hub_traits.read(transaction, account.id)
        )


def contract_beside(workspace: Workspace, name: str, *, refresh: bool = False) -> ContractView:
    """The contract of the account's hub beside what was learnt there; `refresh` asks the hub for it now."""
    with workspace.reading() as archive:
        with archive.reading() as transaction:
            account = accounts.named(transaction, name)
            seen = hub_contract.seen_traits(hub_traits.read(transaction, account.id))
        if refresh:
            with awake(workspace, account) as woken:
                workspace.require_origin(archive, woken)
                known = hub_contract.of_account(workspace.home, account, address=woken.address, refresh=True)
        else:
            known = hub_contract.kept(workspace.home, account)
    at = datetime.fromtimestamp(known.fetched_at, UTC) if known.fetched_at else None
    count = 0 if known.contract is None else len(known.contract.operations)
    return ContractView(at, count, hub_contract.drift(known.contract, seen), hub_contract.missing_lists(known.contract))


def forget(workspace: Workspace, name: str) -> int:
    """Forget what was learnt, so that the next test or sync learns it anew; how many traits that were."""
    with workspace.writing("account shape") as archive, archive.writing() as transaction:
        return hub_traits.forget(transaction, accounts.named(transaction, name).id)


def keep(workspace: Workspace, account_id: int, session: HubSession) -> None:
    """Keep what a session has learnt, unless another process writes just now: then that one learns it itself."""
    from confere.intake.listing.hub_traits_store import remember

    with suppress(ArchiveError), workspace.writing("account test") as archive:
        remember(archive, account_id, session)


def of_session(session: HubSession) -> tuple[HubTrait, ...]:
    """What a session knows of its hub by now."""
    return tuple(_trait(name, found.value, utc_text(found.at)) for name, found in session.shapes.every().items())


def sample(found: Probe) -> SampleRecord | None:
    """The first record that a look at the hub showed."""
    from confere.hub.traits.survey import received, understood

    if not found.documents:
        return None
    return SampleRecord(understood(found.documents[0]), received(found.documents[0]))


def _trait(name: str, value: str, learned_at: str) -> HubTrait:
    listed, _, trait = name.partition(".")
    return HubTrait(listed, trait, value, learned_at)
