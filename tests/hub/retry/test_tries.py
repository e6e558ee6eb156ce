"""How often a request is sent again, before and after the hub has first answered."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import cast

import pytest

from confere.errors import HubUnreachable, message
from confere.hub.http.exchange import HubAnswer, NoAnswer, Watch
from confere.hub.http.library_logs import quieten
from confere.hub.retry import retry
from confere.hub.retry.liveness import Silence
from confere.hub.retry.rate import RateLimiter
from confere.hub.retry.retry import Limits, RequestCounts, Tries

ANSWER = cast(HubAnswer, SimpleNamespace(status=200, headers={}, body=b"", store=False))
LIMITER = cast(RateLimiter, SimpleNamespace(acquire=lambda *_: 0.0))
SILENCE = cast(Silence, SimpleNamespace(gone=lambda _: None, asked=lambda _: None))


USUAL_WAIT = retry._FIRST_WAIT  # the tests of this folder wait less


def tries(counts: RequestCounts, attempts: int) -> Tries:
    limits = Limits(attempts, 1_000.0)
    return Tries("GET /list", LIMITER, counts, limits, secret="", host="hub", stop=None, silence=SILENCE)


@pytest.mark.parametrize(
    ("answered", "attempts", "sent"),
    [(False, 5, 3), (False, 3, 3), (False, 2, 2), (True, 5, 5), (True, 3, 3), (True, 1, 1)],
)
def test_a_hub_that_never_answered_is_given_up_sooner(answered: bool, attempts: int, sent: int) -> None:
    quieten()  # stamina warns of each retry otherwise
    counts = RequestCounts()
    if answered:
        assert tries(counts, 1).run(lambda _: ANSWER, lambda _: "read") == "read"
    asked: list[Watch] = []

    def silent(watch: Watch) -> HubAnswer:
        asked.append(watch)
        raise NoAnswer(HubUnreachable(message("Gone.")), again=True)

    with pytest.raises(HubUnreachable):
        tries(counts, attempts).run(silent, lambda _: None)
    assert (len(asked), counts.retries, counts.answered) == (sent, sent - 1, answered)


def test_waits_double_up_to_twenty_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    quieten()
    starts: list[float] = []

    def acquire(_stop: object, not_before: float) -> float:
        starts.append(not_before)
        return 0.0

    monkeypatch.setattr(retry, "_FIRST_WAIT", USUAL_WAIT)
    monkeypatch.setattr("confere.hub.retry.retry.random.uniform", lambda _least, most: most)
    limiter = cast(RateLimiter, SimpleNamespace(acquire=acquire))
    counts = RequestCounts()
    counts.answered = True
    begun = time.monotonic()

    def silent(watch: Watch) -> HubAnswer:
        watch.turn()
        raise NoAnswer(HubUnreachable(message("Gone.")), again=True)

    several = Tries("GET /list", limiter, counts, Limits(9, 1_000.0), secret="", host="hub", stop=None, silence=SILENCE)
    with pytest.raises(HubUnreachable):
        several.run(silent, lambda _: None)
    assert [round(start - begun, 1) for start in starts] == [0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 20.0, 20.0]
