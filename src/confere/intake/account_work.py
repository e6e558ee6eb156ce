"""What the syncs of one account share: whose hub it is, and going on without a list that the hub does not have."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Generic, Protocol, TypeVar

from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account
from confere.archive.clock import utc_now
from confere.archive.store import Archive
from confere.errors import (
    HubAnswerUnreadable,
    HubBroken,
    HubError,
    HubNotFound,
    HubRefusedRequest,
    HubRefusedToken,
    Message,
)
from confere.hub.session import HubSession
from confere.system.processes.cancellation import Stop

AGAIN = timedelta(days=7)
"""What a hub did not have is asked for again after this time."""
OF_ONE_PATH = (HubNotFound, HubRefusedRequest, HubRefusedToken, HubBroken, HubAnswerUnreadable)
"""Errors that may be about one address of the hub while the others work."""


class CountsFailures(Protocol):
    """Figures of a sync that can tell what did not come."""

    def fail(self, name: str, reason: Message, /) -> None:
        """Count what did not come."""


R = TypeVar("R", bound=CountsFailures)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountWork(Generic[R]):
    """One sync of a part of one account. `full`: ask everything again, also what the hub did not have."""

    archive: Archive
    session: HubSession
    account: Account
    run_id: int
    result: R
    stop: Stop | None
    full: bool = False

    def learn(self, fact: str, asked: str, value: bool) -> None:
        """Remember whether the hub offers something; where it does not, when it was asked."""
        if self.account.facts.get(fact) is not value or not value:
            with self.archive.writing() as transaction:
                accounts.learn(transaction, self.account.id, {fact: value, asked: None if value else utc_now()})

    def is_without(self, fact: str, asked: str) -> bool:
        """Whether the hub did not offer this when it was asked lately."""
        facts = self.account.facts
        return facts.get(fact) is False and not self.full and str(facts.get(asked) or "") > ago(AGAIN)

    def go_on_without(self, fact: str, asked: str, error: HubError) -> None:
        """Make do without a list that did not come (`OF_ONE_PATH`): the hub has none, or it is broken, which is told.

        Raises the error again where it is about the token.
        """
        if isinstance(error, HubRefusedToken) and error.status != 403:
            raise error
        works = self.account.facts.get(fact) is True
        if isinstance(error, HubBroken) or (isinstance(error, HubAnswerUnreadable) and works):
            self.result.fail("?", error.what)
        else:
            self.learn(fact, asked, False)


def ago(span: timedelta) -> str:
    """The moment so long before now, as the archive writes its own times."""
    return (datetime.now(UTC) - span).isoformat(timespec="seconds")
