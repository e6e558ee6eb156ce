"""The composition root: one data folder with its archive, settings and tokens, handed to every use case."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from confere.archive.store import Archive
from confere.errors import ConfereError, Message
from confere.system.files import presence
from confere.system.paths import Home, find_home
from confere.system.settings import HUB_RATE, Settings

if TYPE_CHECKING:
    from confere.archive.accounts.accounts import Account
    from confere.hub.session import HubSession
    from confere.system.processes.cancellation import Stop
    from confere.system.secrets import token_store

EMBEDDED = "embedded"
SANDBOX = "sandbox"
PRODUCTION = "production"
ENVIRONMENTS = (PRODUCTION, SANDBOX, EMBEDDED)


@dataclass(frozen=True)
class Workspace:
    """A data folder in use. Use cases open the archive through it, to read or to write, and close it again."""

    home: Home
    settings: Settings = field(compare=False)

    @classmethod
    def at(cls, folder: str | Path | None = None) -> Workspace:
        """The workspace in `folder`, else where `find_home` finds it. `HomeGone` where the chosen folder is gone."""
        home = find_home(folder).require()
        return cls(home, Settings(home.settings))

    def _refuse_gone(self) -> None:
        """Raise `ArchiveGone` where there is no archive any more."""
        if not os.path.lexists(self.home.archive):
            from confere.archive.maintenance import absence  # no start with an archive needs it

            absence.refuse(self.home.archive)

    @property
    def has_archive(self) -> bool:
        """Whether there is an archive. Raises `ArchiveGone` where there is none any more."""
        self._refuse_gone()
        return presence.is_file(self.home.archive)

    def reading(self) -> Archive:
        """The archive, to read; `ArchiveMissing` where nothing was ever stored.

        `ArchiveGone` where something was: see `has_archive`.
        """
        self._refuse_gone()
        return Archive.to_read(self.home.archive)

    def writing(self, purpose: str, *, wait_seconds: float = 0) -> Archive:
        """The archive, to write, made where it is not there; `purpose` is what others see while they wait.

        `wait_seconds` is how long to wait for another writer; `ArchiveLocked` after that. `ArchiveGone` where there
        was one: an empty one is not begun in its place.
        """
        self.home.ensure()
        self._refuse_gone()
        return Archive.to_write(self.home.archive, purpose, wait_seconds=wait_seconds)

    def damage_behind(self, error: BaseException) -> ConfereError | None:
        """The damage of the archive that explains an unexpected `error`; None where the archive is whole or absent."""
        from confere.archive.engine import damage_behind

        return damage_behind(error, self.home.archive)

    def token_of(self, archive: Archive, account: Account, prompt: token_store.Prompt | None = None) -> str:
        """The token of an account for its address. `SecretUnavailable` where there is none for that address here."""
        from confere.system.secrets import token_store

        if account.started_token:
            return account.started_token
        return token_store.load(self.ask(archive, account.name, account.address), prompt=prompt).reveal()

    def require_origin(self, archive: Archive, account: Account) -> None:
        """Raise `SecretUnavailable` where nobody on this machine gave a token for the account's address: an archive may
        be a stranger's, and then nothing is asked there. For what is asked without a token; sessions do it too."""
        from confere.system.secrets import token_store

        if not account.started_token:
            token_store.require_origin(self.ask(archive, account.name, account.address))

    def ask(self, archive: Archive, name: str, address: str) -> token_store.Ask:
        """How the token of account `name`, which is at `address`, is looked for."""
        from confere.archive.accounts import accounts
        from confere.system.secrets import token_store

        with archive.reading() as transaction:
            every = accounts.every(transaction)
        return token_store.Ask(name, archive.id, address, alone=all(entry.name == name for entry in every))

    def session(
        self,
        archive: Archive,
        account: Account,
        *,
        stop: Stop | None = None,
        prompt: token_store.Prompt | None = None,
        note: Callable[[Message], None] | None = None,
    ) -> HubSession:
        """A session at the account's hub; strangers are asked politely, a hub on this machine as fast as it can.

        `note` is told while the hub does not answer. Raises what `token_of` raises, and then nothing was sent.
        """
        # With the whole of HTTP, which a window that only reads never needs.
        from urllib.parse import urlsplit

        from confere.app.accounts import hub_contract
        from confere.hub import address
        from confere.hub.session import HubSession

        token = self.token_of(archive, account, prompt)
        rate = None if address.is_loopback(urlsplit(account.address).hostname or "") else self.settings.get(HUB_RATE)
        session = HubSession(account.address, token, account.platform, rate=rate, stop=stop, note=note)
        hub_contract.declare(self.home, account, session)
        return session
