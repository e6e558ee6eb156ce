"""Hostile answers in a small size: each ends in one of our errors, or in what could honestly be read."""

from __future__ import annotations

import threading

import pytest

from confere.errors import Cancelled, HubAnswerUnreadable, HubError, HubUnreachable
from confere.hub.documents.documents import DocumentFilter, download, fetch, pages
from confere.hub.http.response_body import BodyProgress
from confere.hub.json import json_reader
from confere.hub.retry import retry
from confere.hub.session import HubSession
from confere.system.processes.cancellation import Stop
from tests.hostile import answers

SIZE = 600_000


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retry, "_FIRST_WAIT", 0.01)
    monkeypatch.setattr(json_reader, "_MOST_VALUES", 110_000)
    monkeypatch.setattr(json_reader, "_LARGEST_RECORD", 200_000)


def opened(address: str, **options: object) -> HubSession:
    return HubSession(address, "t0ken", "x", attempts=2, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", [name for name in answers.ANSWERS if not name.startswith("endless")])
def test_an_answer_is_read_or_refused(name: str) -> None:
    ended: list[str] = []
    with answers.serving(answers.ANSWERS[name](SIZE)) as address, opened(address) as hub:
        for ask in (
            lambda: sum(len(page.items) for page in pages(hub, DocumentFilter())),
            lambda: fetch(hub, "fd-1"),
            lambda: download(hub, "n1"),
        ):
            try:
                ask()
            except HubError as error:
                ended.append(str(error.what))
    assert all(ended)
    assert ended


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("gzip bomb in the list", "bomb"),
        ("deflate bomb", "bomb"),
        ("gzip in gzip", "not asked for"),
        ("zstd bomb", "not asked for"),
        ("brotli, not asked for", "not asked for"),
        ("gzip cut short", "damaged in its compression"),
        ("empty objects", "more than 110000 values"),
        ("deep record", "nested too deeply"),
        ("fields of 10 MB", "a record larger than"),
        ("a body without end", "larger than 16 MB"),
        ("the same page again and again", "again and again"),
    ],
)
def test_the_sentence_says_what_was_wrong(name: str, sentence: str) -> None:
    with (
        answers.serving(answers.ANSWERS[name](SIZE)) as address,
        opened(address) as hub,
        pytest.raises(HubAnswerUnreadable, match=sentence),
    ):
        list(pages(hub, DocumentFilter()))


def test_more_records_than_a_page_has_are_taken_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    with answers.serving(answers.ANSWERS["records without end"](400_000)) as address, opened(address) as hub:
        first = next(iter(pages(hub, DocumentFilter())))
        assert len(first.items) > 1000
        monkeypatch.setattr(json_reader, "_MOST_RECORDS", 1000)
        with pytest.raises(HubAnswerUnreadable, match="more than 1000 records"):
            list(pages(hub, DocumentFilter()))


def test_an_error_that_is_a_bomb_or_has_no_end_is_still_that_error() -> None:
    for name in ("gzip bomb in an error", "an error without end"):
        with (
            answers.serving(answers.ANSWERS[name](SIZE)) as address,
            opened(address) as hub,
            pytest.raises(HubError, match="fault of its own"),
        ):
            list(pages(hub, DocumentFilter()))


@pytest.mark.parametrize("name", [name for name in answers.SLOW if "drip" in name])
def test_a_drip_is_given_up(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("confere.hub.http.response_body._CONNECTING", 0.2)
    with (
        answers.serving(answers.SLOW[name](SIZE)) as address,
        opened(address, read_seconds=0.3) as hub,
        pytest.raises(HubUnreachable),
    ):
        download(hub, "n1") if "download" in name else list(pages(hub, DocumentFilter()))


@pytest.mark.parametrize("name", answers.SLOW)
def test_a_stop_ends_the_wait(name: str) -> None:
    stop = Stop()
    with answers.serving(answers.SLOW[name](SIZE)) as address, opened(address, stop=stop) as hub:
        asking = threading.Timer(0.3, stop.set)
        asking.start()
        with pytest.raises(Cancelled):
            download(hub, "n1") if "download" in name else list(pages(hub, DocumentFilter()))


def test_a_slow_answer_that_comes_along_is_waited_for() -> None:
    now = iter(range(0, 10_000, 10))
    progress = BodyProgress(60.0, clock=lambda: float(next(now)))
    assert not progress.too_slow  # a host may think
    progress.begun()
    for _ in range(20):
        progress.add(5_000)
        assert not progress.too_slow
    for _ in range(60):
        if progress.too_slow:
            return
    pytest.fail("a host that stopped sending is never too slow")
