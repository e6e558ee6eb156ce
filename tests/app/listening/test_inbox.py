"""The set of documents that wait: each once, at a bounded pace, never more than its bound."""

from __future__ import annotations

import threading

from confere.app.listening.inbox import Inbox
from confere.app.listening.notification import RefusedBecause


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_what_waits_already_is_merged_and_costs_no_room() -> None:
    inbox = Inbox(rate=0.0, burst=2)
    assert [inbox.offer(name) for name in ("a", "b", "a", "b", "c")] == [True, True, True, True, False]
    assert (inbox.received, inbox.merged, inbox.refused["too_many"]) == (5, 2, 1)
    assert inbox.take(10) == ["a", "b"]
    assert inbox.take(10) == []


def test_the_pace_is_that_of_a_bucket() -> None:
    clock = Clock()
    inbox = Inbox(rate=2.0, burst=3, clock=clock)
    assert [inbox.offer(str(n)) for n in range(4)] == [True, True, True, False]
    clock.now = 0.5
    assert [inbox.offer(str(n)) for n in range(10, 12)] == [True, False]
    clock.now = 100.0  # it never holds more than a burst
    assert [inbox.offer(str(n)) for n in range(20, 24)] == [True, True, True, False]


def test_it_never_holds_more_than_its_bound() -> None:
    inbox = Inbox(burst=1_000, most=3)
    assert [inbox.offer(str(n)) for n in range(5)] == [True, True, True, False, False]
    inbox.take(1)
    assert inbox.offer("x")
    assert not inbox.offer("y")


def test_what_is_put_back_comes_first_and_once() -> None:
    inbox = Inbox()
    for name in ("a", "b", "c"):
        inbox.offer(name)
    assert inbox.take(2) == ["a", "b"]
    inbox.offer("b")
    inbox.offer("d")
    inbox.put_back(["a", "b"])
    assert inbox.take(10) == ["a", "b", "c", "d"]


def test_what_was_taken_may_be_announced_again() -> None:
    inbox = Inbox()
    inbox.offer("a")
    inbox.take(1)
    inbox.offer("a")
    assert (inbox.take(1), inbox.merged) == (["a"], 0)


def test_waiting_ends_when_something_comes() -> None:
    inbox = Inbox()
    assert not inbox.wait(0.0)
    threading.Timer(0.02, inbox.offer, ("a",)).start()
    assert inbox.wait(60.0)
    assert inbox.wait(0.0)


def test_refused_requests_are_counted_by_reason() -> None:
    inbox = Inbox()
    inbox.refuse(RefusedBecause.MALFORMED)
    inbox.refuse(RefusedBecause.MALFORMED)
    assert inbox.refused["malformed"] == 2
    assert set(inbox.refused) == {why.value for why in RefusedBecause}
    assert inbox.received == 2


def test_what_was_worth_its_question_costs_no_room() -> None:
    inbox = Inbox(rate=0.0, burst=2)
    assert [inbox.offer(name) for name in ("a", "b", "c")] == [True, True, False]
    inbox.take(2)
    inbox.give_back(1)
    assert [inbox.offer(name) for name in ("d", "e")] == [True, False]
    inbox.give_back(50)  # never more than a burst
    assert [inbox.offer(name) for name in ("e", "f", "g")] == [True, True, False]


def test_what_was_too_much_is_said_once() -> None:
    inbox = Inbox(rate=0.0, burst=1)
    inbox.refuse(RefusedBecause.MALFORMED)
    inbox.offer("a")
    assert not inbox.take_overflow()
    inbox.offer("b")
    assert (inbox.take_overflow(), inbox.take_overflow()) == (True, False)
    inbox.refuse(RefusedBecause.TOO_MANY)
    assert inbox.take_overflow()
