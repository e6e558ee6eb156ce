"""`confere feeds` as a command: what is read, what is kept, which feeds are marked, and what is refused."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Call
from tests.sandbox_hub.publications.seller import Seller, shop


def connected(call: Call, home: Path, seller: Seller) -> None:
    token = home.parent / "token.txt"
    token.write_text(seller.hub.token, encoding="utf-8")
    token.chmod(0o600)
    added = call(
        *("account", "add", "loja", "--address", seller.hub.address, "--platform", "test"),
        *("--environment", "embedded", "--token-file", token, "--home", home, "--json"),
    )
    assert added.code == 0, added.err


def test_read_and_list(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with shop() as seller:
        connected(call, home, seller)
        never = call("feeds", "list", "--home", home, "--json").json
        assert [line["is_offered"] for line in never["feeds"]] == [None] * 5
        published = seller.published("SKU-0001", price=59.9)
        done = call("feeds", "read", "--home", home, "--json", "--feed", "transmissions-price")
        assert done.code == 0, done.err
        assert list(done.json["feeds"]) == ["transmissions-price"]
        assert (done.json["prices"], done.json["feeds"]["transmissions-price"]["items"]) == (1, 1)
        (listed,) = [
            line
            for line in call("feeds", "list", "--home", home, "--json").json["feeds"]
            if line["feed"] == "transmissions-price"
        ]
        assert (listed["records"], listed["versions"], listed["is_marked"]) == (1, 1, False)
        assert [item["id"] for item in seller.ok("/transmissions-price/feeds")] == [published["id"]]
        shown = call("feeds", "read", "--home", home)
        assert shown.code == 0, shown.err
        assert "transmissions-price" in shown.out
        assert "published prices known: 1" in " ".join(call("feeds", "list", "--home", home).err.split())


def test_feeds_are_chosen_to_be_marked(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    with shop() as seller:
        connected(call, home, seller)
        change = ("account", "change", "loja", "--home", home, "--json")
        done = call(*change, "--mark-feeds", "products,reservations", "--mark-feeds", "orders")
        assert (done.code, done.json["mark_feed"]) == (0, True)
        assert done.json["mark_feeds"] == ["orders", "products", "reservations"]
        assert done.json["account"]["mark_feeds"] == ["orders", "products", "reservations"]
        done = call(*change, "--no-mark-feed")
        assert done.json["mark_feeds"] == ["products", "reservations"]
        done = call(*change, "--mark-feeds", "none")
        assert (done.code, done.json["mark_feeds"]) == (0, [])
        told = call("account", "change", "loja", "--home", home, "--mark-feeds", "products")
        assert "marks what it has kept as read in these feeds: products" in " ".join(told.err.split())
        for wrong in (("--mark-feeds", "price"), ("--mark-feeds", "orders", "--mark-feed")):
            assert call(*change, *wrong).code == 2
        assert call("feeds", "read", "--home", home, "--feed", "price").code == 2
