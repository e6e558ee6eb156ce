from __future__ import annotations

import itertools
import threading
import time

import pytest

from confere.errors import Cancelled
from confere.hub.documents.documents import download
from confere.hub.retry.rate import RateLimiter
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.scripted import Asked, Reply
from tests.hub.simulated import bucket


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def test_one_thread_in_simulated_time_uses_a_limit_fully() -> None:
    clock = Clock()
    limiter = RateLimiter(clock=clock, sleep=clock.sleep)
    allows = bucket(10, 10)
    accepted = refused = 0
    not_before = 0.0
    while clock.now < 120:
        sent_at = limiter.acquire(not_before=not_before)
        clock.sleep(0.01)
        if allows(clock.now):
            accepted += 1
            limiter.accepted(sent_at)
        else:
            refused += 1
            not_before = limiter.refused(sent_at, None)
    assert accepted >= 0.95 * 10 * 120
    assert refused <= 30


def test_an_account_ceiling_spaces_requests() -> None:
    clock = Clock()
    limiter = RateLimiter(4.0, clock=clock, sleep=clock.sleep)
    sent = [limiter.acquire() for _ in range(9)]
    gaps = [later - earlier for earlier, later in itertools.pairwise(sent)]
    assert gaps[1:] == pytest.approx([0.25] * 7)
    assert limiter.rate == 4.0


def test_a_stop_ends_the_wait_for_a_slot() -> None:
    limiter = RateLimiter(0.01)
    stop = threading.Event()
    limiter.acquire(stop)
    limiter.acquire(stop)
    ended: list[type[BaseException]] = []

    def wait() -> None:
        try:
            limiter.acquire(stop)
        except Cancelled as error:
            ended.append(type(error))

    thread = threading.Thread(target=wait)
    thread.start()
    stop.set()
    thread.join(10)
    assert ended == [Cancelled]


@pytest.mark.parametrize("retry_after", [None, "1"])
def test_a_real_hub_with_a_bucket_serves_all_with_few_refusals(
    serve: MakeServer, connect: MakeSession, retry_after: str | None
) -> None:
    lock = threading.Lock()
    allows = bucket(250, 100)
    started = time.monotonic()

    def answer(_: Asked) -> Reply:
        with lock:
            let_through = allows(time.monotonic() - started)
        if let_through:
            return Reply(body=b"<x/>")
        return Reply(429, headers={} if retry_after is None else {"Retry-After": retry_after})

    hub = serve(answer)
    session = connect(hub)
    numbers = iter(range(400))

    def work() -> None:
        while True:
            with lock:
                number = next(numbers, None)
            if number is None:
                return
            assert download(session, str(number)) == b"<x/>"

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert session.requests == len(hub.asked) == 400 + session.throttled
    assert session.throttled <= 60  # none at all on a machine that is slower than the limit
