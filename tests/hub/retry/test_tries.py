"""How often a request is sent again, before and after the hub has first answered."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from confere.errors import HubUnreachable, message
from confere.hub.http.exchange import HubAnswer, NoAnswer, Watch
from confere.hub.http.library_logs import quieten
from confere.hub.retry.liveness import Silence
from confere.hub.retry.rate import RateLimiter
from confere.hub.retry.retry import Limits, RequestCounts, Tries

ANSWER = cast(HubAnswer, SimpleNamespace(status=200, headers={}, body=b"", store=False))
LIMITER = cast(RateLimiter, SimpleNamespace(acquire=lambda *_: 0.0))
SILENCE = cast(Silence, SimpleNamespace(gone=lambda _: None, asked=lambda _: None))


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
