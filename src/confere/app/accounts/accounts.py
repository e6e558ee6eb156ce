"""Accounts at hubs: add, list, change, test, remove; the token goes to the keyring, never to the archive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from confere.app.accounts import hub_traits
from confere.app.accounts.hub_traits import HubTrait, SampleRecord
from confere.app.context import EMBEDDED, ENVIRONMENTS, Workspace
from confere.app.sandbox.sandbox_accounts import awake
from confere.archive.accounts import accounts, audit, preferences
from confere.archive.accounts.accounts import Account as Account
from confere.archive.accounts.accounts import Establishment
from confere.archive.accounts.hub_facts import FACTS
from confere.archive.accounts.preferences import Preferences as Preferences
from confere.archive.hub import coverage, shortfalls
from confere.archive.hub import hub_traits as archived_hub_traits
from confere.archive.reconciliation import reviews
from confere.archive.reconciliation.reviews import Withdrawal
from confere.errors import Message, SecretUnavailable, UsageFault, message
from confere.fiscal import taxpayers
from confere.hub import address as addresses
from confere.sales.hub_feeds import HubFeed
from confere.system.processes.cancellation import Stop
from confere.system.redaction import register_secret
from confere.system.secrets import token_store
from confere.system.secrets.origin import is_here, origin_of
from confere.system.secrets.token_bindings import TokenBindings
from confere.system.settings import HUB_RATE

if TYPE_CHECKING:
    from confere.hub.documents.documents import Probe


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
    """What a polite look at the hub showed; `warning` is something worth a second look.

    `record` is one document of its list as it was understood and as it came, `shape` what is known of how the hub
    wants to be asked.
    """

    account: str
    address: str
    documents: int | None
    warning: Message | None = None
    record: SampleRecord | None = None
    shape: tuple[HubTrait, ...] = ()


@dataclass(frozen=True, slots=True)
class AccountChange:
    """What becomes different; None stays as it is. `tax_ids` are all establishments from now on, masked or not;
    `terms` are fields of `Terms` by name; `mark_feed`, `relist_days` and `relist_documents_days` are of `Preferences`;
    `mark_feeds` are all feeds that are marked from now on.

    Name and environment cannot change: what was listed and where the token is kept hang on them.
    """

    address: str | None = None
    platform: str | None = None
    tax_ids: tuple[str, ...] | None = None
    mark_feed: bool | None = None
    relist_days: int | None = None
    terms: Mapping[str, Any] = field(default_factory=dict)
    relist_documents_days: int | None = None
    mark_feeds: tuple[HubFeed, ...] | None = None


@dataclass(frozen=True, slots=True)
class Changed:
    """The account as it is now; `lists_again` says that its next sync lists everything, as the hub is another one.

    `preferences` are what it wants from now on. `token_origin` is where its token was given for, where that is another
    place than its address now: the token goes there no more, and not yet to the new one.
    """

    account: Account
    lists_again: bool
    preferences: Preferences
    token_origin: str | None = None


def add(workspace: Workspace, new: NewAccount, token: str | None) -> Added:
    """Add an account; `token` is kept in the keyring (or named file), None leaves it to the other ways.

    Raises `UsageFault` for a bad name, environment or CNPJ, `HubAddressRefused` for a bad address and
    `SecretUnavailable` where the token cannot be kept; then nothing was added.
    """
    base, establishments = _checked(new)
    with workspace.writing("account add") as archive:
        ask = workspace.ask(archive, new.name, base)
        with archive.writing() as transaction:
            # First of all: a name that is taken must not cost the other account its token.
            account = accounts.add(
                transaction,
                name=new.name,
                environment=new.environment,
                address=base,
                platform=_platform(new.platform),
                establishments=establishments,
            )
            # It may be back, with the findings that it had before.
            reviews.withdraw_outgrown(transaction, Withdrawal.ACCOUNT_ADDED)
            kept = _kept(ask, new.environment, token, new.token_file)
            if kept is None:
                token_store.bind(ask)  # what the environment gives counts from now on, for this address alone
                kept = _already_given(ask)
            return Added(account, kept)


def _kept(ask: token_store.Ask, environment: str, token: str | None, file: Path | None) -> str | None:
    """Keep what a person gave, and say where it is; None where nothing was given."""
    if token is None:
        return None if file is None else token_store.use_file(ask, file).value
    # The environment is the archive's word, and that may be a stranger's.
    if environment == EMBEDDED and is_here(ask.origin):
        return token_store.store_sandbox(ask, token).value
    return token_store.store(ask, token, file).value


def _already_given(ask: token_store.Ask) -> str | None:
    """Where there is a token although none was given now."""
    try:
        return token_store.load(ask).source.value
    except SecretUnavailable:
        return None


def every(workspace: Workspace) -> Sequence[Account]:
    """All accounts in use; none where there is no archive yet."""
    if not workspace.has_archive:
        return ()
    with workspace.reading() as archive, archive.reading() as transaction:
        return accounts.every(transaction)


def named(workspace: Workspace, name: str) -> Account:
    """The account in use of that name. Raises `NotInArchive`."""
    with workspace.reading() as archive, archive.reading() as transaction:
        return accounts.named(transaction, name)


def change(workspace: Workspace, name: str, wanted: AccountChange) -> Changed:
    """Change an account; its documents stay. Raises as `add` does, and then nothing was changed.

    At another address nothing counts as listed any more: the next sync lists that hub from the beginning. The token
    stays where it was given for: `Changed.token_origin` says where that is, and `use_token_at` lets it go to the other.
    """
    address = None if wanted.address is None else addresses.normalise(wanted.address)
    platform = None if wanted.platform is None else _platform(wanted.platform)
    tax_ids = None if wanted.tax_ids is None else list(dict.fromkeys(_tax_id(entry) for entry in wanted.tax_ids))
    with workspace.writing("account change") as archive, archive.writing() as transaction:
        account = accounts.named(transaction, name)
        moves = address is not None and address != account.address
        if address is not None:
            _address(address, account.environment)
        if address is not None and moves:
            accounts.move(transaction, account.id, address)
            coverage.forget(transaction, account.id)
            shortfalls.forget(transaction, account.id)
            archived_hub_traits.forget(transaction, account.id)
            # What the other hub offered says nothing of this one.
            accounts.learn(transaction, account.id, dict.fromkeys(FACTS))
        if platform is not None:
            accounts.rename_platform(transaction, account.id, platform)
        if tax_ids is not None:
            accounts.keep_establishments(transaction, account.id, tax_ids)
            reviews.withdraw_outgrown(transaction, Withdrawal.ESTABLISHMENTS)
        kept = preferences.get(transaction, account.id)
        if wanted.mark_feeds is not None:
            kept = kept.marking(wanted.mark_feeds)
        preferences.set(
            transaction,
            account.id,
            replace(
                kept,
                terms=replace(kept.terms, **wanted.terms),
                mark_feed=kept.mark_feed if wanted.mark_feed is None else wanted.mark_feed,
                relist_days=kept.relist_days if wanted.relist_days is None else wanted.relist_days,
                relist_documents_days=kept.relist_documents_days
                if wanted.relist_documents_days is None
                else wanted.relist_documents_days,
            ),
        )
        audit.write(transaction, "account change", name, address if moves else None)
        changed = accounts.named(transaction, name)
        origin = TokenBindings().origin_of(archive.id, name) if moves else None
        elsewhere = origin if origin != origin_of(changed.address) else None
        return Changed(changed, moves, preferences.get(transaction, account.id), elsewhere)


def set_token(workspace: Workspace, name: str, token: str | None, token_file: Path | None = None) -> str:
    """Give the account another token for the address where it is, or name a file that holds it; says where it is kept.

    Nothing is written to the archive, so a sync may run meanwhile. Raises `NotInArchive`, `HubAddressRefused`,
    `UsageFault` and `SecretUnavailable`.
    """
    account, ask = _asked(workspace, name)
    kept = _kept(ask, account.environment, token, token_file)
    if kept is None:
        raise UsageFault(message("There is no token."), message("Give one, or name a file that holds it."))
    return kept


def use_token_at(workspace: Workspace, name: str, origin: str) -> str | None:
    """Use the token that the account has for another address at its present one from now on; where the token is.

    `origin` is what a person saw and confirmed: `UsageFault` where the account is elsewhere. `SecretUnavailable` where
    this machine has no token of the account.
    """
    _, ask = _asked(workspace, name)
    if origin_of(addresses.normalise(origin)) != ask.origin:
        raise UsageFault(
            message(
                "The account {account} is at {address}, not at {origin}.",
                account=name,
                address=ask.address,
                origin=origin,
            ),
            message("`confere account list` shows the addresses of the accounts."),
        )
    kept = token_store.use_at(ask)
    return None if kept is None else kept.value


def forget_token(workspace: Workspace, name: str) -> bool:
    """Forget the account's token and where it was given for; True where the keyring had it."""
    return token_store.forget(_asked(workspace, name)[1])


def _asked(workspace: Workspace, name: str) -> tuple[Account, token_store.Ask]:
    """The account, and how its token is looked for; `HubAddressRefused` where its address is none."""
    with workspace.reading() as archive:
        with archive.reading() as transaction:
            account = accounts.named(transaction, name)
        return account, workspace.ask(archive, name, addresses.normalise(account.address))


def probe(workspace: Workspace, new: NewAccount, token: str | None, *, stop: Stop | None = None) -> Tested:
    """Ask the hub as the account would that is not saved yet; without a token, with the one of its file.

    Raises what `add` raises for wrong values and, in plain words, what stood in the way at the hub.
    """
    base, establishments = _checked(new)
    if token is None:
        if new.token_file is None:
            raise UsageFault(message("There is no token."), message("Give one, or name a file that holds it."))
        token = token_store.of_file(new.token_file).reveal()
    register_secret(token.strip())  # typed, and kept nowhere yet
    rate = workspace.settings.get(HUB_RATE)
    from confere.hub.session import HubSession
    from confere.hub.traits.survey import survey

    with HubSession(base, token, new.platform, rate=rate, stop=stop) as session:
        found = survey(session, stop=stop)
    doubt = _doubt(found, [entry.tax_id for entry in establishments])
    return Tested(new.name, base, found.total, doubt, hub_traits.sample(found), hub_traits.of_session(session))


def test(
    workspace: Workspace, name: str, prompt: token_store.Prompt | None = None, *, stop: Stop | None = None
) -> Tested:
    """Ask the hub for a few small pages with this account's token, and keep what they teach.

    Raises what stood in the way of the first one, in plain words.
    """
    from confere.hub.traits.survey import survey
    from confere.intake.listing.hub_traits_store import recall

    with workspace.reading() as archive:
        with archive.reading() as transaction:
            account = accounts.named(transaction, name)
        with (
            awake(workspace, account) as woken,
            workspace.session(archive, woken, stop=stop, prompt=prompt) as session,
        ):
            with archive.reading() as transaction:
                recall(transaction, account.id, session)
            found = survey(session, stop=stop)
    hub_traits.keep(workspace, account.id, session)
    owners = [entry.tax_id for entry in account.establishments]
    learnt = hub_traits.of_session(session)
    return Tested(woken.name, woken.address, found.total, _doubt(found, owners), hub_traits.sample(found), learnt)


def remove(workspace: Workspace, name: str) -> bool:
    """Take an account out of use; its documents stay. True if its token was in the keyring and is gone.

    Reviewers' signatures under months of its companies are withdrawn: the findings that were signed are gone with it.
    """
    with workspace.writing("account remove") as archive:
        with archive.reading() as transaction:
            account = accounts.named(transaction, name)
        ask = workspace.ask(archive, name, account.address)
        with archive.writing() as transaction:
            accounts.remove(transaction, name)
            reviews.withdraw_outgrown(transaction, Withdrawal.ACCOUNT_REMOVED)
    try:
        return token_store.forget(ask)
    except SecretUnavailable:
        return False


def _checked(new: NewAccount) -> tuple[str, list[Establishment]]:
    """The address and the establishments as the archive writes them; `UsageFault` for what makes no sense."""
    if new.environment not in ENVIRONMENTS:
        raise UsageFault(
            message("{value} is not an environment.", value=new.environment),
            message("Choose one of: {known}.", known=", ".join(ENVIRONMENTS)),
        )
    if not new.name.strip():
        raise UsageFault(message("An account needs a name."), message("Give one, such as the company's."))
    _platform(new.platform)
    return _address(new.address, new.environment), [Establishment(_tax_id(entry)) for entry in new.tax_ids]


def _address(given: str, environment: str) -> str:
    """The address as the archive writes it. An embedded hub is on this machine: its token is kept as no secret is."""
    address = addresses.normalise(given)
    if environment == EMBEDDED and not addresses.is_loopback(urlsplit(address).hostname or ""):
        raise UsageFault(
            message("An embedded hub is on this machine, not at {address}.", address=address),
            message("Choose another environment: production or sandbox."),
        )
    return address


def _doubt(found: Probe, owners: Sequence[str]) -> Message | None:
    """A word where the hub's first notes name none of the establishments: the CNPJ may be another company's.

    Freight says who took it only in its XML, so that it proves nothing.
    """
    notes = [entry for entry in found.documents if entry.access_key and entry.access_key[20:22] in ("55", "65")]
    if not owners or not notes or any(owner.encode() in entry.raw.upper() for owner in owners for entry in notes):
        return None
    return message(
        "None of the {count} notes that the hub showed names {owners}: look whether the CNPJ is the right one.",
        count=len(notes),
        owners=", ".join(taxpayers.format_tax_id(owner) for owner in owners),
    )


def _platform(text: str) -> str:
    plain = text.strip()
    if not (plain and plain.isascii() and plain.isprintable()):
        raise UsageFault(
            message("The platform name is empty or has letters that a request cannot carry."),
            message("Use plain letters, digits and spaces."),
        )
    return plain


def _tax_id(text: str) -> str:
    found = taxpayers.normalise(text)
    if not (taxpayers.is_cnpj(found) or taxpayers.is_cpf(found)):
        raise UsageFault(
            message("{value} is not a CNPJ or CPF: its check digits do not agree.", value=text),
            message("Copy it from an invoice of the company; letters are allowed in a CNPJ since July 2026."),
        )
    return found
