"""Hooks that fail: tried a few times, given up, and what was not told is told later."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from sandbox_hub.publications.hooks import PAUSES
from tests.sandbox_hub.publications.seller import Seller, nobody, shop

TRIES = len(PAUSES) + 1


def test_a_middleware_that_is_down_leaves_the_publication_in_pre_validation() -> None:
    with shop(middleware=False, hooks=nobody()) as seller:
        kept = seller.publish(send=True)
        assert (kept["publicationStatus"], kept["waiting"]) == ("PRE_VALIDATION", False)
        assert kept["reason"] == "O middleware não pôde ser alcançado."
        [call] = kept["hooks"]
        assert (call["tries"], call["delivered"], call["status"]) == (TRIES, False, None)
        assert seller.shown(kept["id"]) == kept
        assert seller.remove(kept["id"]).status_code == 200
        removed = seller.settled(kept["id"])
        assert (removed["publicationStatus"], removed["hooks"][-1]["delivered"]) == ("REMOVED", False)
        assert seller.remove(kept["id"]).status_code == 200  # the marketplace was not told: once more
        assert len(seller.settled(kept["id"])["hooks"]) == 3


def test_without_any_middleware_nothing_is_accepted() -> None:
    with shop(middleware=False) as seller:
        kept = seller.publish(send=True)
        assert (kept["publicationStatus"], kept["reason"]) == (
            "PRE_VALIDATION",
            "Nenhum middleware está configurado.",
        )


@pytest.mark.parametrize(("manner", "status"), [("error", 500), ("slow", None)])
def test_can_save_that_fails_is_a_no(manner: str, status: int | None) -> None:
    with shop(hook_timeout=0.2) as seller:
        seller.behave(canSave=manner, seconds=0.8)
        kept = seller.publish(send=True)
        assert kept["publicationStatus"] == "PRE_VALIDATION"
        assert kept["reason"]
        assert [(call["tries"], call["status"]) for call in kept["hooks"]] == [(TRIES, status)]


def test_slow_in_time_is_a_yes(seller: Seller) -> None:
    seller.behave(canSave="slow", sendProduct="slow", seconds=0.1)
    assert seller.published()["publicationStatus"] == "ACTIVE"


def test_what_was_given_up_is_told_with_the_next_update(seller: Seller) -> None:
    seller.behave(sendProduct="error")
    given_up = seller.published()
    assert (given_up["publicationStatus"], given_up["unsent"]) == ("UNPUBLISHED", ["price", "stock", "status"])
    assert (given_up["hooks"][-1]["tries"], given_up["hooks"][-1]["status"]) == (TRIES, 500)
    seller.behave(sendProduct="yes")
    told = seller.update(given_up["id"], availableAmount=9)
    assert (told["publicationStatus"], told["unsent"]) == ("ACTIVE", [])
    event = seller.events()[-1]
    assert (event["status"], event["updatePrice"], event["availableAmount"]) == ("UNPUBLISHED", True, 9)


def test_what_was_given_up_is_told_by_the_send_button(seller: Seller) -> None:
    seller.behave(sendProduct="no")
    given_up = seller.published()
    assert given_up["hooks"][-1]["tries"] == 1  # a no is final
    assert given_up["unsent"]
    seller.behave(sendProduct="yes")
    seller.send(given_up["id"])
    assert seller.settled(given_up["id"])["publicationStatus"] == "ACTIVE"


def test_what_changes_while_a_hook_is_on_its_way_is_told_after_it(seller: Seller) -> None:
    seller.behave(sendProduct="slow", seconds=1)
    item = seller.publish(send=True)
    assert seller.update(item["id"], price=12)["unsent"] == []
    assert [event["updatePrice"] for event in seller.events()] == [True, True]
    assert seller.remove(item["id"]).status_code == 200
    seller.settled(item["id"])
    assert [call["hook"] for call in seller.middleware()["calls"]][-2:] == ["/sendProduct", "/deletePublication"]


def test_a_deletion_that_fails_can_be_repeated(seller: Seller) -> None:
    published = seller.published()
    seller.behave(deletePublication="error")
    seller.remove(published["id"])
    assert seller.settled(published["id"])["hooks"][-1]["delivered"] is False
    seller.behave(deletePublication="yes")
    assert seller.remove(published["id"]).status_code == 200
    assert seller.settled(published["id"])["hooks"][-1]["delivered"] is True
    assert [ad["active"] for ad in seller.middleware()["ads"]] == [False]


def test_the_middleware_survives_a_hub_with_faults() -> None:
    with shop(faults="error5xx=0.25,html=0.15,rate429=0.1", seed=4) as seller:
        for number in range(1, 9):
            assert seller.published(f"SKU-{number:04d}")["publicationStatus"] == "ACTIVE"


@contextmanager
def answering(status: int, content_type: str, body: bytes) -> Iterator[str]:
    """The address of a middleware that answers everything like this."""

    class Same(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Location", "http://127.0.0.1:9/elsewhere")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Same) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, b"false"),
        (200, b'"true"'),
        (200, b"1"),
        (200, b'{"valid": true}'),
        (200, b"<html>"),
        (200, b""),
        (201, b"true"),
        (204, b""),
        (302, b"true"),
        (200, b"[" * 60_000),
        (200, b'"' + b"x" * 70_000 + b'"'),
        (400, json.dumps({"message": "\ud800 não"}).encode()),
    ],
)
def test_only_200_with_true_is_a_yes(status: int, body: bytes) -> None:
    with answering(status, "application/json", body) as address, shop(middleware=False, hooks=address) as seller:
        refused = seller.publish(send=True)
        assert refused["publicationStatus"] == "PRE_VALIDATION"
        assert refused["reason"]
        assert refused["hooks"][0]["tries"] == 1


@pytest.mark.parametrize(("status", "tries"), [(429, TRIES), (503, TRIES), (401, 1), (404, 1)])
def test_only_what_may_pass_is_tried_again(status: int, tries: int) -> None:
    with answering(status, "application/json", b"{}") as address, shop(middleware=False, hooks=address) as seller:
        refused = seller.publish(send=True)
        assert refused["reason"] == f"O middleware respondeu com o status {status}."
        assert refused["hooks"][0]["tries"] == tries


def test_a_middleware_may_skip_the_validation_with_a_bare_true() -> None:
    with answering(200, "text/plain", b" true\n") as address, shop(middleware=False, hooks=address) as seller:
        assert seller.publish(send=False)["publicationStatus"] == "STAND_BY"
