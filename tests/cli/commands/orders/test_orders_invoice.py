"""`confere orders invoice`: the exact requests first, a yes before anything leaves, and what became of each."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from confere.archive.clock import utc_now
from confere.archive.orders import orders
from confere.archive.orders.order_rows import HUB, ReceivedOrder
from confere.cli.context import Face
from confere.errors import Message
from confere.hub.orders.orders import order_of_text
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
def invoice(shop: Shop, call: Call) -> Callable[..., Done]:
    """The command on the shop's data folder."""
    return lambda *arguments: call("orders", "invoice", "--home", shop.workspace.home.root, *arguments)


def test_a_preview_shows_the_bytes_and_sends_nothing(shop: Shop, invoice: Callable[..., Done]) -> None:
    before = shop.at_hub()
    done = invoice("--preview", "--json")
    assert done.code == 0
    (request,) = done.json["requests"]
    (expected,) = shop.previews()
    assert (request["order"], request["method"], request["path"]) == (shop.order_id, "PUT", expected.path)
    assert request["body"] == expected.body
    assert request["key"] == shop.key
    assert (done.json["results"], done.json["counts"]) == (None, None)
    shown = invoice("--preview")
    assert shown.code == 0
    assert shown.out.startswith(f"PUT {expected.path}\n{expected.body}\n")
    assert "A person said so." in shown.out
    assert "R$ " in shown.out
    assert shop.at_hub() == before
    assert shop.trail() == []


def test_with_a_yes_it_is_sent_and_told(shop: Shop, invoice: Callable[..., Done], call: Call) -> None:
    digest = invoice("--preview", "--json").json["digest"]
    stale = invoice("--yes", "--only-if", "0" * 64)
    assert stale.code == 2
    assert "no longer those of the preview" in stale.err
    assert shop.at_hub()["status"] == "PAID_WAITING_SHIP"
    done = invoice(shop.order_id, "--account", "shop", "--yes", "--only-if", digest, "--json")
    assert done.code == 0
    (result,) = done.json["results"]
    assert result == {"order": shop.order_id, "key": shop.key, "outcome": "written", "why": None, "hub_words": ""}
    assert done.json["counts"]["written"] == 1
    assert shop.at_hub()["invoice"]["accessKey"] == shop.key
    history = call("links", "history", "--home", shop.workspace.home.root, "--key", shop.key, "--json").json["history"]
    assert [entry["what"] for entry in history] == [
        f"Order {shop.order_id}: invoice confirmed at an order",
        f"Order {shop.order_id}: invoice sent to an order",
    ]
    assert shop.key in history[1]["note"]
    other = call("links", "history", "--home", shop.workspace.home.root, "--order", "1", "--json").json
    assert other["total"] == 0
    again = invoice(shop.order_id, "--yes")
    assert again.code == 1
    assert "names its invoice already" in again.err
    nothing = invoice("--yes")
    assert nothing.code == 0
    assert "No order waits" in nothing.err


def test_a_refusal_is_in_the_hubs_words(shop: Shop, invoice: Callable[..., Done]) -> None:
    shop.put(status="CANCELED")
    with shop.workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("UPDATE sales_order SET status = 'CANCELED' WHERE hub_id = ?", (shop.order_id,))
    preview = invoice(shop.order_id, "--preview")
    assert "look: The order is “cancelled”" in preview.out
    done = invoice(shop.order_id, "--yes")
    assert done.code == 1
    assert f"{shop.order_id}: The hub refused it; nothing was changed." in done.err
    assert "O pedido está em CANCELED e não pode passar para INVOICED." in done.err
    told = invoice(shop.order_id, "--yes", "--json")
    assert told.code == 1
    assert told.json["results"][0]["outcome"] == "refused"
    assert told.json["results"][0]["hub_words"].startswith("O pedido está em CANCELED")


def test_where_nobody_can_answer_a_yes_is_needed(shop: Shop, invoice: Callable[..., Done]) -> None:
    for arguments in ((), ("--json",)):
        done = invoice(*arguments)
        assert done.code == 2
        assert "Nobody is there to confirm" in (done.err or done.json["error"]["what"])
    assert shop.at_hub()["status"] == "PAID_WAITING_SHIP"


@pytest.mark.parametrize("answer", [True, False])
def test_a_person_is_asked_after_seeing_it(
    shop: Shop, invoice: Callable[..., Done], monkeypatch: pytest.MonkeyPatch, answer: bool
) -> None:
    asked: list[str] = []

    def confirm(_: Face, question: Message) -> bool:
        asked.append(str(question))
        return answer

    monkeypatch.setattr(Face, "interactive", property(lambda _: True))
    monkeypatch.setattr(Face, "confirm", confirm)
    done = invoice()
    assert asked == ["Send this request to shop?"]
    assert done.code == (0 if answer else 1)
    assert (shop.at_hub()["status"] == "INVOICED") is answer
    assert (f"{shop.order_id}: The order has its invoice" in done.out) is answer
    assert ("Nothing was sent." in done.err) is not answer
    assert done.out.startswith("PUT /v2/orders/")


def test_wrong_use_and_what_is_not_here(shop: Shop, invoice: Callable[..., Done], call: Call, tmp_path: Path) -> None:
    for arguments in ((shop.order_id, "--month", "2026-10"), ("--preview", "--yes"), ("--month", "soon")):
        assert invoice(*arguments).code == 2
    assert invoice("nobody").code == 2
    assert invoice("--account", "nobody").code == 2
    month = shop.row().created_on[:7]
    assert len(json.loads(invoice("--month", month, "--preview", "--json").out)["requests"]) == 1
    assert json.loads(invoice("--month", "2024-01", "--preview", "--json").out)["requests"] == []
    assert call("orders", "invoice", "--home", tmp_path / "none").code == 3


def test_orders_are_named_by_a_file_of_any_length(
    shop: Shop, invoice: Callable[..., Done], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as a bulk act of the window has; a command line of Windows ends at some 32,000 characters."""
    names = more_orders(shop, 5_000)
    listed = tmp_path / "ids.txt"
    listed.write_text("\ufeff" + "\r\n".join([shop.order_id, *names, "", names[0], ""]), encoding="utf-8")
    assert listed.stat().st_size > 32_767
    done = invoice("--ids-from", listed, "--preview", "--json")
    assert done.code == 1  # most have no sale
    assert [entry["order"] for entry in done.json["requests"]] == [shop.order_id]
    assert {entry["order"] for entry in done.json["left_out"]} == set(names)
    listed.write_text(f"{shop.order_id}\r\n", encoding="utf-16")
    assert [entry["order"] for entry in invoice("--ids-from", listed, "--preview", "--json").json["requests"]] == [
        shop.order_id
    ]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{shop.order_id}\n".encode())))
    sent = invoice("--ids-from", "-", "--yes", "--summary", "--json")
    assert (sent.code, sent.json["counts"]["written"], sent.json["results"]) == (0, 1, [])
    assert "requests" not in sent.json
    assert listed.is_file()


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (None, ("--preview",)),
        (b"\n \n", ("--preview",)),
        (b"\xff\xfe7", ("--preview",)),  # half a character
        (b"7\xff", ("--preview",)),
        (b"7", ("--month", "2026-10")),
    ],
)
def test_a_file_that_names_no_orders_is_refused(
    call: Call, tmp_path: Path, data: bytes | None, options: tuple[str, ...]
) -> None:
    listed = tmp_path / "ids.txt"
    if data is not None:
        listed.write_bytes(data)
    done = call("orders", "invoice", "--home", tmp_path, "--ids-from", listed, *options, "--json")
    assert done.code == 2
    assert done.json["error"]["remedy"]


def test_nobody_can_say_yes_by_the_stdin_that_names_the_orders(call: Call, tmp_path: Path) -> None:
    done = call("orders", "invoice", "--home", tmp_path, "--ids-from", "-")
    assert done.code == 2
    assert "--preview" in done.err


def more_orders(shop: Shop, count: int) -> list[str]:
    """Orders of the hub to which nothing is linked."""
    names = [f"{number:020d}" for number in range(count)]
    found = [order_of_text(json.dumps({"id": name}).encode()) for name in names]
    with shop.workspace.writing("test") as archive, archive.writing() as transaction:
        received = [ReceivedOrder(entry.order, entry.raw, HUB, utc_now()) for entry in found]
        orders.record(transaction, archive.vault_writer, 1, 1, received)
    return names
