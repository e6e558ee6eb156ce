"""Up to when a listing may be claimed: by the hub's clock, held against ours, so that no single one is believed.

A hub's records are dated by its own clock, which may be hours from ours. More than a day apart, one of both is wrong,
and the earlier one claims less: what is claimed too little is listed again, what is claimed too much is lost.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from confere.archive.accounts.accounts import Account
from confere.archive.clock import from_text, utc_text
from confere.errors import HubError
from confere.hub.session import HubSession

_ASKED_AGAIN = 2
_DEMONSTRATION = "embedded"
_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)

APART = timedelta(days=1)
"""As far as the clock of a hub may be from ours and be believed alone."""


def hear_again(session: HubSession, account: Account, ask: Callable[[], object]) -> None:
    """Where the hub's clock is far from ours, `ask` the hub something until answers agree on the time: one alone may
    be wrong."""
    for _ in range(_ASKED_AGAIN if account.environment != _DEMONSTRATION else 0):
        apart = session.clock_apart
        if apart is None or abs(apart) <= APART or session.is_clock_agreed:
            return
        with suppress(HubError):
            ask()


def now() -> datetime:
    """Our own time."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Begun:
    """When a listing began: `at` by our clock, `told` by the hub's answer then, None where that says no time.

    `is_demonstration` is of a hub with a calendar of its own, whose time is whatever it says.
    """

    at: datetime
    told: datetime | None
    is_demonstration: bool = False

    @classmethod
    def now(cls, session: HubSession, account: Account) -> Begun:
        """A listing whose first page has just come."""
        return cls(now(), session.server_time, account.environment == _DEMONSTRATION)

    def until(self, session: HubSession, newest: str | None = None) -> str:
        """Up to when the listing may be claimed, as UTC text; known best when it has ended, by all answers until then.

        Of a hub whose clock is far behind ours, `newest`, when the newest record known was created (UTC text), shows
        that it went on at least so long.
        """
        if self.is_demonstration:
            return utc_text(self.told or self.at)
        apart = session.clock_apart or timedelta(0)
        try:
            usual = self.at + apart
        except OverflowError:
            usual = self.at if apart > timedelta(0) else _BEGINNING
        moment = self.told if self.told is not None and abs(self.told - usual) <= APART else usual
        if abs(moment - self.at) <= APART:
            return utc_text(moment)
        moment = min(moment, self.at)
        if newest is not None:
            moment = max(moment, min(self.at, from_text(newest)))
        return utc_text(moment)
