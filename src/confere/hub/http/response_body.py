"""Taking in the body of an answer within bounds of size, ratio and time, decoded here piece by piece.

The network library would decode whatever the host says it used, twice or ten times over, and ask for the memory.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import httpx

from confere.errors import message
from confere.hub.http.status_errors import BadAnswer
from confere.system.files.bounded_decompression import Coding, Damaged, Inflater, TooLarge

ACCEPTED = "gzip, deflate"
"""The encodings that a request asks for; an answer in another one is refused."""

_CODINGS: dict[str, Coding] = {"gzip": "gzip", "x-gzip": "gzip", "deflate": "deflate"}
_CHUNK = 65_536
_LARGEST_REFUSAL = 1_000_000  # bytes read of an answer that is no success: its words stand at the beginning
_SLOWEST = 200  # bytes a second of an answer that is worth waiting for
_CONNECTING = 15.0  # seconds more before the headers: a silent host is ended by the time-out of the read before that


class BodyProgress:
    """How an answer comes along; told by the thread that reads it, asked by the one that waits for it.

    `patience` is how many seconds a host may think, or send next to nothing.
    """

    def __init__(self, patience: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._patience = patience
        self._clock = clock
        self._lock = threading.Lock()
        self._since = clock()
        self._begun = False
        self._size = 0

    def begun(self) -> None:
        """The headers are here."""
        with self._lock:
            self._begun, self._since = True, self._clock()

    def add(self, size: int) -> None:
        """So many bytes more came over the network."""
        with self._lock:
            self._size += size

    @property
    def too_slow(self) -> bool:
        """Whether the host drips: each piece in time, the whole never."""
        with self._lock:
            seconds = self._clock() - self._since
            if not self._begun:
                return seconds > self._patience + _CONNECTING
            return seconds > 0.75 * self._patience and self._size < _SLOWEST * seconds


def body_of(response: httpx.Response, most: int, progress: BodyProgress, going_on: Callable[[], None]) -> bytes:
    """The decoded body, at most `most` bytes; of an answer that is no success what can be had of its beginning.

    `going_on` is asked at every piece and may raise. Raises `BadAnswer` for what is too large, a bomb, damaged, or
    in an encoding that was not asked for.
    """
    success = response.is_success
    if not success:
        most = _LARGEST_REFUSAL
    body = bytearray()
    try:
        for piece in _decoded(response, most, progress):
            body += piece
            if len(body) > most:
                raise TooLarge(most)
            going_on()
    except TooLarge as error:
        problem = _too_large(most) if error.most >= most else _bomb()
    except Damaged:
        problem = BadAnswer(message("The hub's answer to {request} is damaged in its compression."))
    except BadAnswer as error:
        problem = error
    else:
        return bytes(body)
    if success:
        raise problem from None
    return bytes(body[:most])  # the status says more than that its words are lost


def _decoded(response: httpx.Response, most: int, progress: BodyProgress) -> Iterator[bytes]:
    coding = _coding(response.headers.get("content-encoding", ""))
    inflater = Inflater(coding, most) if coding else None
    for chunk in response.iter_raw(_CHUNK):
        progress.add(len(chunk))
        yield inflater.feed(chunk) if inflater else chunk
    if inflater:
        inflater.end()


def _coding(header: str) -> Coding | None:
    """What the body is packed in, None for nothing."""
    named = [name for part in header.split(",") if (name := part.strip().lower()) not in ("", "identity")]
    if not named:
        return None
    if len(named) == 1 and named[0] in _CODINGS:
        return _CODINGS[named[0]]
    raise BadAnswer(
        message(
            "The hub's answer to {request} is compressed in a way that was not asked for ({encoding}).",
            encoding=", ".join(named)[:100],
        ),
        again=False,
    )


def _too_large(most: int) -> BadAnswer:
    return BadAnswer(
        message("The hub's answer to {request} is larger than {size} MB.", size=most // 1_000_000), again=False
    )


def _bomb() -> BadAnswer:
    return BadAnswer(
        message("The hub's answer to {request} unpacks to far more than any honest answer; it was refused as a bomb."),
        again=False,
    )
