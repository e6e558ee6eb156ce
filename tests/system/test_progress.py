"""Progress is told often enough, with an estimate that follows the job, in lines that a program can read."""

from __future__ import annotations

import io
import json
import os
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.errors import Message, message
from confere.system.messages import set_language
from confere.system.progress import JsonLines, Meter, Progress, Reporter, Silent, as_json, from_json

WHAT = message("There is no language {code} here.", code="fr")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Kept:
    def __init__(self) -> None:
        self.heard: list[Progress] = []

    def progress(self, progress: Progress) -> None:
        self.heard.append(progress)

    def note(self, note: Message) -> None:
        raise AssertionError(note)


def test_an_even_job_is_estimated_exactly() -> None:
    clock, kept = Clock(), Kept()
    meter = Meter(kept, WHAT, 100, clock=clock)
    for _ in range(40):
        clock.now += 0.5
        meter.advance()
    last = kept.heard[-1]
    assert (last.done, last.total, last.elapsed) == (40, 100, 20.0)
    assert last.remaining == pytest.approx(30.0)
    assert kept.heard[0].remaining == pytest.approx(99 / 2)


def test_the_estimate_follows_a_job_that_slows_down() -> None:
    clock, kept = Clock(), Kept()
    meter = Meter(kept, WHAT, 1000, clock=clock, half_life=10)
    for _ in range(100):
        clock.now += 0.1
        meter.advance()
    for _ in range(60):
        clock.now += 1
        meter.advance()
    left = 1000 - 160
    # A mean over the whole time would say about 367 s; the truth is 840.
    assert 0.8 * left < (kept.heard[-1].remaining or 0) <= left


def test_one_slow_step_does_not_throw_the_estimate() -> None:
    clock, kept = Clock(), Kept()
    meter = Meter(kept, WHAT, 1000, clock=clock, half_life=10)
    for _ in range(300):
        clock.now += 0.1
        meter.advance()
    before = kept.heard[-1].remaining or 0
    clock.now += 2
    meter.advance()
    assert (kept.heard[-1].remaining or 0) < 1.3 * before


def test_without_a_total_there_is_no_estimate_and_later_there_may_be() -> None:
    clock, kept = Clock(), Kept()
    meter = Meter(kept, WHAT, clock=clock)
    clock.now += 1
    meter.advance(10)
    assert (kept.heard[-1].total, kept.heard[-1].remaining) == (None, None)
    clock.now += 1
    meter.advance(10, total=40)
    assert kept.heard[-1].remaining == pytest.approx(2.0)


def test_it_tells_at_most_ten_times_a_second_and_always_the_end() -> None:
    clock, kept = Clock(), Kept()
    meter = Meter(kept, WHAT, 10_000, clock=clock)
    for _ in range(10_000):
        clock.now += 0.001
        meter.advance()
    assert len(kept.heard) <= 100
    meter.finish()
    assert (kept.heard[-1].done, kept.heard[-1].remaining) == (10_000, 0.0)


def test_a_clock_that_stands_still_does_no_harm() -> None:
    kept = Kept()
    meter = Meter(kept, WHAT, 5, clock=lambda: 7.0, every=0)
    meter.advance()
    assert (kept.heard[-1].done, kept.heard[-1].remaining) == (1, None)


def test_many_threads_lose_no_step() -> None:
    kept = Kept()
    meter = Meter(kept, WHAT, 8000, every=0)
    threads = [threading.Thread(target=lambda: [meter.advance() for _ in range(1000)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    meter.finish()
    assert kept.heard[-1].done == 8000


def test_json_lines() -> None:
    set_language("pt_BR")
    stream = io.StringIO()
    reporter: Reporter = JsonLines(stream)
    reporter.progress(Progress(WHAT, 3, None, 1.25, None))
    reporter.progress(Progress(WHAT, 3, 10, 1.0, 2.349))
    reporter.note(message("ação {n}", n=1))
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    said = {"id": "There is no language {code} here.", "params": {"code": "fr"}}
    text = "Não há o idioma fr aqui."
    shared = {"type": "progress", "message": said, "text": text, "done": 3}
    assert lines[0] == shared | {"total": None, "elapsed": 1.2, "remaining": None}
    assert lines[1] == shared | {"total": 10, "elapsed": 1.0, "remaining": 2.3}
    assert lines[2] == {"type": "note", "message": {"id": "ação {n}", "params": {"n": 1}}, "text": "ação 1"}
    assert stream.getvalue().isascii()


def test_lines_of_many_threads_stay_whole() -> None:
    stream = io.StringIO()
    reporter = JsonLines(stream)
    threads = [
        threading.Thread(target=lambda: [reporter.write({"x": "y" * 500}) for _ in range(200)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [json.loads(line) for line in stream.getvalue().splitlines()] == [{"x": "y" * 500}] * 800


def test_a_reader_that_is_gone_does_not_stop_the_work() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    # Unbuffered below, so that closing the stream has nothing left to write into the broken pipe.
    raw = io.FileIO(writing, "w")
    stream = io.TextIOWrapper(raw, write_through=True)  # type: ignore[arg-type]
    reporter = JsonLines(stream)
    for _ in range(3):
        reporter.note(WHAT)
    raw.close()


@given(
    st.recursive(
        st.builds(
            Message, st.text(), st.dictionaries(st.text(), st.none() | st.integers() | st.text() | st.booleans())
        ),
        lambda inner: st.builds(Message, st.text(), st.dictionaries(st.text(), inner)),
        max_leaves=5,
    )
)
def test_a_message_comes_back_from_json(said: Message) -> None:
    assert from_json(json.loads(json.dumps(as_json(said)))) == said


def test_other_values_become_text_and_other_json_becomes_a_message() -> None:
    assert as_json(message("{p}", p=Message))["params"] == {"p": str(Message)}
    assert from_json("plain") == Message("plain")
    assert from_json({"id": 5}) == Message("{'id': 5}")


def test_nobody_listens() -> None:
    reporter: Reporter = Silent()
    Meter(reporter, WHAT, every=0).advance()
    reporter.note(WHAT)
