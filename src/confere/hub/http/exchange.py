"""One request to the hub and its one answer: credentials only to the hub's origin, redirects followed by hand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import httpx

from confere.errors import HubError, HubUnreachable, message
from confere.hub.address import is_loopback, is_this_machine, origin, same_origin
from confere.hub.http.network_errors import unreachable
from confere.hub.http.response_body import BodyProgress, body_of
from confere.hub.http.status_errors import BadAnswer
from confere.hub.http.transport import client

_MOST_HOPS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_SAME_METHOD = frozenset({307, 308})
_PATIENCE = 60.0  # seconds, where the caller sets no time-out
_LOOK_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class HubAnswer:
    """What a host answered. `store` is the other host that answered, empty when it was the hub itself."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    store: str = ""

    @property
    def content_type(self) -> str:
        return self.headers.get("content-type", "")


class NoAnswer(Exception):
    """The network failed; `error` is what the user is told, `again` whether another try may help."""

    def __init__(self, error: HubError, *, again: bool) -> None:
        super().__init__()
        self.error = error
        self.again = again


@dataclass(frozen=True, slots=True)
class Watch:
    """What an exchange tells and asks while it runs; `turn` waits for the hub's rate and returns when it was sent."""

    turn: Callable[[], float]
    told: Callable[[float, HubAnswer], None]
    sent: Callable[[], None]
    going_on: Callable[[], None]


class Exchange:
    """Two clients that never mix: one for the hub, with credentials, one for wherever it sends us, without."""

    def __init__(self, base: str, credentials: Mapping[str, str], *, connections: int, timeout: httpx.Timeout) -> None:
        self._base = httpx.URL(base)
        self._credentials = MappingProxyType(dict(credentials))
        self._patience = timeout.read or _PATIENCE
        self._hub = client(connections=connections, timeout=timeout)
        self._elsewhere = client(connections=connections, timeout=timeout)

    def close(self) -> None:
        self._hub.close()
        self._elsewhere.close()

    def run(self, method: str, url: httpx.URL, content: bytes | None, most: int, watch: Watch) -> HubAnswer:
        """The final answer, after at most five redirects. Raises `NoAnswer` or `BadAnswer`.

        Once a redirect has left the hub's origin nothing later in the chain gets credentials, the hub included.
        """
        return self._follow(method, url, content, most, watch, at_home=True)

    def run_address(self, url: httpx.URL, most: int, watch: Watch) -> HubAnswer:
        """As `run`, a GET of an address that the hub named; no credentials go there unless it is of its origin."""
        url = self._allowed(url)
        return self._follow("GET", url, None, most, watch, at_home=same_origin(url, self._base))

    def _follow(
        self, method: str, url: httpx.URL, content: bytes | None, most: int, watch: Watch, *, at_home: bool
    ) -> HubAnswer:
        for _ in range(_MOST_HOPS + 1):
            sent_at = watch.turn() if at_home else time.monotonic()
            answer = self._one(method, url, content, most, watch, at_home=at_home)
            if at_home:
                watch.told(sent_at, answer)
            if answer.status not in _REDIRECTS or "location" not in answer.headers:
                return answer
            target = self._target(url, answer.headers["location"])
            stays = same_origin(target, self._base)
            if method != "GET" and not (stays and at_home and answer.status in _SAME_METHOD):
                return answer  # what is written goes nowhere but where it was addressed
            at_home = at_home and stays
            url = target
        raise BadAnswer(message("The hub sends {request} round in circles."), again=False)

    def _target(self, url: httpx.URL, location: str) -> httpx.URL:
        try:
            return self._allowed(url.join(location))
        except (httpx.InvalidURL, ValueError):
            return self._allowed(httpx.URL(""))

    def _allowed(self, url: httpx.URL) -> httpx.URL:
        """`url` without user name and fragment, where it may be asked at all. Raises `BadAnswer`."""
        target = url.copy_with(userinfo=b"", fragment=None)
        # A hub somewhere else has no business with what listens on this machine, encrypted or not.
        is_here, hub_is_here = is_this_machine(target.host), is_loopback(self._base.host)
        allowed = hub_is_here if is_here else target.scheme == "https"
        if not target.host or target.scheme not in ("http", "https") or not allowed:
            raise BadAnswer(
                message("The hub sends {request} on to an address that is not encrypted or makes no sense."),
                again=False,
            )
        return target

    def _one(
        self, method: str, url: httpx.URL, content: bytes | None, most: int, watch: Watch, *, at_home: bool
    ) -> HubAnswer:
        chosen = self._hub if at_home else self._elsewhere
        headers = {"Accept": "application/json, application/xml;q=0.9, */*;q=0.5"}
        if at_home:
            headers |= self._credentials
        if content is not None:
            headers["Content-Type"] = "application/json"
        request = chosen.build_request(method, url, headers=headers, content=content)
        watch.sent()
        progress = BodyProgress(self._patience)

        def going_on() -> None:
            watch.going_on()
            if progress.too_slow:
                what = message("{host} sends its answer too slowly to wait for.", host=url.host)
                raise NoAnswer(HubUnreachable(what, message("Try again later.")), again=False)

        try:
            store = "" if at_home else url.host
            return _patiently(lambda: self._read(chosen, request, most, progress, going_on, store=store), going_on)
        except httpx.TransportError as error:
            scheme, name, port = origin(url)
            told, again = unreachable(error, f"{scheme}://{name}:{port}")
            bad: Exception = NoAnswer(told, again=again)
        except (httpx.InvalidURL, UnicodeError):
            bad = BadAnswer(message("The address of {request} makes no sense."), again=False)
        raise bad  # outside of the handlers: the foreign exception holds the credentials and must not be its context

    @staticmethod
    def _read(
        chosen: httpx.Client,
        request: httpx.Request,
        most: int,
        progress: BodyProgress,
        going_on: Callable[[], None],
        *,
        store: str,
    ) -> HubAnswer:
        response = chosen.send(request, stream=True)
        try:
            progress.begun()
            body = body_of(response, most, progress, going_on)
            headers = {name.lower(): value for name, value in response.headers.items()}
            return HubAnswer(response.status_code, MappingProxyType(headers), body, store)
        finally:
            response.close()


def _patiently(work: Callable[[], HubAnswer], going_on: Callable[[], None]) -> HubAnswer:
    """What `work` gives; while a silent host keeps it waiting, `going_on` may end the wait by raising.

    A thread that waits for the network cannot be called back: it is left to its own time-out, and dies with us.
    """
    answers: list[HubAnswer] = []
    failures: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            answers.append(work())
        except BaseException as error:
            failures.append(error)
        finally:
            done.set()

    threading.Thread(target=run, name="request", daemon=True).start()
    while not done.wait(_LOOK_SECONDS):
        going_on()
    if failures:
        try:
            raise failures[0]
        finally:
            failures.clear()  # else the error and this frame would keep each other, and the credentials in it
    return answers[0]
