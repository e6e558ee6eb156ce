"""A session with one account of the hub: both headers, the shared pace, retries, and errors in our words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from types import TracebackType
from typing import Self, TypeVar

import httpx

from confere.errors import HubRefusedToken, UsageFault, message
from confere.hub.address import normalise
from confere.hub.http.error_text import hide
from confere.hub.http.exchange import Exchange, HubAnswer, Watch
from confere.hub.http.library_logs import quieten
from confere.hub.retry.liveness import Silence, Tell
from confere.hub.retry.rate import RateLimiter, StopSignal
from confere.hub.retry.retry import Limits, RequestCounts, Tries
from confere.hub.traits.hub_traits import LearntShapes

T = TypeVar("T")
Observer = Callable[[str, Mapping[str, str | int], HubAnswer], None]
"""Is told path, query and answer of every `GET`, whatever it says, on the thread that asks."""

MOST_BYTES = 16_000_000
"""Of one answer, unpacked: a page of a hundred full records has one, the largest document a few. Eight come at once."""

_TRIES_OF_ADDRESS = 3  # one that has expired never works again: the hub has to name it anew


class HubSession:
    """Talks to the hub for one account; all methods may be called from many threads.

    `rate` is the most requests a second the account allows itself (None: as many as the hub bears), `connections`
    how many are open at once, `attempts` how often a request is tried where something fails, `total_seconds` how
    long all tries of one request may take (429 counts against the time only), `stop` ends every wait when it
    is set, `note` is told while the hub does not answer. GET and PUT can be repeated
    without harm, unless somebody else writes the same in between (see `put`); `send` takes any method and never
    repeats what may have arrived.

    `requests`, `retries` and `throttled` count what was really sent, what was sent again and what got 429; `shapes`
    holds what its answers taught about how the hub wants to be asked.
    """

    def __init__(
        self,
        address: str,
        token: str,
        platform: str,
        *,
        rate: float | None = None,
        connections: int = 8,
        attempts: int = 8,
        total_seconds: float = 300.0,
        connect_seconds: float = 10.0,
        read_seconds: float = 60.0,
        stop: StopSignal | None = None,
        note: Tell | None = None,
    ) -> None:
        if rate is not None and not rate > 0:
            raise UsageFault(message("The rate limit of an account must be more than 0 requests a second."))
        self.base = normalise(address)
        self._token = _header_value(token, is_token=True)
        credentials = {"serviceToken": self._token, "platform": _header_value(platform, is_token=False)}
        timeout = httpx.Timeout(connect=connect_seconds, read=read_seconds, write=read_seconds, pool=total_seconds)
        self._exchange = Exchange(self.base, credentials, connections=connections, timeout=timeout)
        self._limiter = RateLimiter(rate)
        self._limits = Limits(attempts, total_seconds)
        self._stop = stop
        self._counts = RequestCounts()
        self.shapes = LearntShapes()
        self._silence = Silence(note)
        self._observer: Observer | None = None
        quieten()

    def __repr__(self) -> str:
        return f"<HubSession {self.base}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._silence.close()
        self._exchange.close()

    @property
    def requests(self) -> int:
        return self._counts.requests

    @property
    def retries(self) -> int:
        return self._counts.retries

    @property
    def throttled(self) -> int:
        return self._counts.throttled

    @property
    def server_time(self) -> datetime | None:
        """What time it is by the `Date` of the hub's last answer; None where it never told. It may be wrong."""
        return self._counts.server_time

    @property
    def clock_apart(self) -> timedelta | None:
        """How far the hub's clock is ahead of ours, by the `Date` of most of its answers; None where it never told."""
        return self._counts.clock_apart

    @property
    def is_clock_agreed(self) -> bool:
        """Whether several answers agree on the time, so that it is not by one alone."""
        return self._counts.is_clock_agreed

    @property
    def pace(self) -> float | None:
        """Requests a second that the session holds itself to now; None while nothing limits it."""
        return self._limiter.rate

    def get(
        self,
        path: str,
        params: Mapping[str, str | int] | None = None,
        *,
        read: Callable[[HubAnswer], T],
        most: int = MOST_BYTES,
        stop: StopSignal | None = None,
    ) -> T:
        """What `read` makes of the answer to `GET base/path`; a `BadAnswer` it raises leads to another try.

        Raises the `HubError` that says what went wrong, or `Cancelled`.
        """
        url = httpx.URL(self.base + path, params=params or None)

        def ask(watch: Watch) -> HubAnswer:
            answer = self._exchange.run("GET", url, None, most, watch)
            if self._observer is not None:
                self._observer(path, params or {}, answer)
            return answer

        return self._tries("GET", url, stop, self._limits).run(ask, read)

    def observe(self, observer: Observer) -> None:
        """From now on tell `observer` every answer as it came."""
        self._observer = observer

    def get_address(self, address: str, *, read: Callable[[HubAnswer], T], stop: StopSignal | None = None) -> T:
        """As `get`, of a full address that the hub named: with credentials where it is of the hub's origin only."""
        try:
            url = httpx.URL(address)
        except (httpx.InvalidURL, ValueError):
            url = httpx.URL("")
        shown = url.copy_with(userinfo=b"", query=None, fragment=None)  # its query may be a signature
        limits = Limits(min(_TRIES_OF_ADDRESS, self._limits.attempts), self._limits.seconds)
        return self._tries("GET", url, stop, limits, f"GET {shown}").run(
            lambda watch: self._exchange.run_address(url, MOST_BYTES, watch), read
        )

    def put(self, path: str, body: bytes, *, once: bool = False, stop: StopSignal | None = None) -> None:
        """Send JSON `body` to `base/path`; returns when the hub accepted it.

        `once`: it is not sent again where it may have arrived. After a 429 it is, since nothing was done then.
        """
        url = httpx.URL(self.base + path)
        tries = self._tries("PUT", url, stop, Limits(1, self._limits.seconds) if once else self._limits)
        tries.run(lambda watch: self._exchange.run("PUT", url, body, MOST_BYTES, watch), lambda _: None)

    def send(
        self,
        method: str,
        path: str,
        params: Mapping[str, str | int],
        body: bytes | None,
        *,
        read: Callable[[HubAnswer], T],
        stop: StopSignal | None = None,
    ) -> T:
        """Send any request to `base/path` once: what `read` makes of the answer; only after a 429 it is sent again."""
        url = httpx.URL(self.base + path, params=params or None)
        tries = self._tries(method, url, stop, Limits(1, self._limits.seconds))
        return tries.run(lambda watch: self._exchange.run(method, url, body, MOST_BYTES, watch), read)

    def without_token(self, text: str) -> str:
        """An answer's text as it may be shown, also where the hub says the token in it."""
        return hide(text, self._token)

    def _tries(
        self, method: str, url: httpx.URL, stop: StopSignal | None, limits: Limits, request: str | None = None
    ) -> Tries:
        return Tries(
            request or f"{method} {url.raw_path.decode('ascii')}",
            self._limiter,
            self._counts,
            limits,
            secret=self._token,
            host=self.base,
            stop=stop or self._stop,
            silence=self._silence,
        )


def _header_value(text: str, *, is_token: bool) -> str:
    """`text` as a header can carry it; what a paste adds around it is taken off. Never shows the text."""
    value = text.strip()
    if value and value.isascii() and value.isprintable() and not (is_token and " " in value):
        return value
    if is_token:
        raise HubRefusedToken(
            message("The token is empty or has characters that no token has."),
            message("Copy it again from the hub's panel, without the words around it."),
        )
    raise UsageFault(
        message("The platform name is empty or has letters that a request cannot carry."),
        message("Use plain letters, digits and spaces."),
    )
