"""`confere orders move`: the exact request first, a yes before anything leaves, what became of it, and wrong use."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from confere.cli.context import Face
from confere.errors import Message
from tests.app.shop import Shop, Synced, shop_of, synced
from tests.cli.running import Call, Done


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Synced]:
    with synced(tmp_path_factory.mktemp("synced")) as found:
        yield found


@pytest.fixture
def shop(world: Synced, tmp_path: Path) -> Shop:
    return shop_of(world, tmp_path, writes=True)


@pytest.fixture
def move(shop: Shop, call: Call) -> Callable[..., Done]:
    """The command on the shop's data folder."""
    return lambda *arguments: call("orders", "move", "--home", shop.workspace.home.root, *arguments)


SHIPPED = ("--to", "shipped", "--shipped-date", "30/10/2026 10:00", "--number", "BR1")


def test_a_preview_shows_the_bytes_and_sends_nothing(shop: Shop, move: Callable[..., Done]) -> None:
    before = shop.at_hub()
    done = move(shop.order_id, *SHIPPED, "--account", "shop", "--preview", "--json")
    assert done.code == 0
    (request,) = done.json["requests"]
    assert (request["order"], request["move"], request["method"]) == (shop.order_id, "shipped", "PUT")
    assert request["path"] == f"/v2/orders/{shop.order_id}"
    assert json.loads(request["body"]) == {
        "order_id": shop.order_id,
        "status": "PAID_WAITING_DELIVERY",
        "tracking": {"shippedDate": "2026-10-30T13:00:00Z", "number": "BR1"},
    }
    assert "“paid, to be invoiced”" in request["doubts"][0]
    assert (done.json["results"], done.json["counts"], done.json["left_out"]) == (None, None, [])
    shown = move(shop.order_id, *SHIPPED, "--preview")
    assert shown.out.startswith(f"PUT {request['path']}\n{request['body']}\n")
    assert "look: The order is “paid, to be invoiced”" in shown.out
    assert shop.at_hub() == before
    assert shop.trail() == []


def test_with_a_yes_it_is_sent_once_and_told(shop: Shop, move: Callable[..., Done]) -> None:
    digest = move(shop.order_id, *SHIPPED, "--preview", "--json").json["digest"]
    stale = move(shop.order_id, *SHIPPED, "--carrier", "Outra", "--yes", "--only-if", digest)
    assert stale.code == 2
    assert "no longer those of the preview" in stale.err
    done = move(shop.order_id, *SHIPPED, "--yes", "--only-if", digest, "--json")
    assert done.code == 0
    assert done.json["results"] == [{"order": shop.order_id, "outcome": "written", "why": None, "hub_words": ""}]
    assert (done.json["counts"]["written"], done.json["counts"]["requested"]) == (1, 1)
    assert shop.at_hub()["tracking"]["number"] == "BR1"
    again = move(shop.order_id, "--to", "concluded", "--yes", "--summary", "--json")
    assert ("requests" in again.json, again.json["results"], again.code) == (False, [], 0)
    done = move(shop.order_id, "--to", "paid", "--yes")
    assert done.code == 1
    assert "is left out: It is “delivered”; this move is made from: waiting for payment." in done.err
    assert len(shop.trail()) == 4


def test_cancelling_says_what_cannot_be_undone(shop: Shop, move: Callable[..., Done]) -> None:
    done = move(shop.order_id, "--to", "cancelled", "--yes")
    assert done.code == 0
    assert "Cancelling cannot be undone" in done.err
    assert f"{shop.order_id}: The order was moved" in done.out
    again = move(shop.order_id, "--to", "cancelled", "--yes")
    assert again.code == 1
    assert "It is “cancelled” already." in again.err
    assert "cannot be undone" not in again.err


def test_a_refusal_is_in_the_hubs_words(shop: Shop, move: Callable[..., Done]) -> None:
    done = move(shop.order_id, "--to", "early-shipment", "--yes")
    assert done.code == 1
    assert "The hub's own words: O pedido está em PAID_WAITING_SHIP" in done.err


@pytest.mark.parametrize("answer", [True, False])
def test_a_person_is_asked_after_seeing_it(
    shop: Shop, move: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, answer: bool
) -> None:
    asked: list[str] = []

    def confirm(_: Face, question: Message) -> bool:
        asked.append(str(question))
        return answer

    monkeypatch.setattr(Face, "interactive", property(lambda _: True))
    monkeypatch.setattr(Face, "confirm", confirm)
    done = move(shop.order_id, "--to", "cancelado")
    assert asked == ["Send this request to shop?"]
    assert done.code == (0 if answer else 1)
    assert (shop.at_hub()["status"] == "CANCELED") is answer


def test_wrong_use_sends_nothing(shop: Shop, move: Callable[..., Done]) -> None:
    order = shop.order_id
    for arguments in (
        (order, "--to", "cancelled"),  # nobody is there to say yes
        (order, "--to", "cancelled", "--json"),
        (order, "--to", "cancelled", "--preview", "--yes"),
        (order, "--to", "invoiced", "--yes"),
        (order, "--to", "lost", "--yes"),
        (order, "--yes"),
        ("--to", "cancelled", "--yes"),
        ("nobody", "--to", "cancelled", "--yes"),
        (order, "--to", "cancelled", "--carrier", "x", "--yes"),
        (order, "--to", "shipped", "--shipped-date", "yesterday", "--yes"),
        (order, "--to", "shipped", "--yes", "--only-if", "0" * 64),
        (order, "--to", "cancelled", "--account", "nobody", "--yes"),
    ):
        done = move(*arguments)
        assert done.code == 2, arguments
    assert shop.at_hub()["status"] == "PAID_WAITING_SHIP"
    assert shop.trail() == []
