"""Publications survive a restart, and so does a hook that was still to be called."""

from __future__ import annotations

from pathlib import Path

from tests.sandbox_hub.publications.seller import shop


def test_publications_survive_a_restart(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with shop(state_file=state) as seller:
        published = seller.published(discountPrice=12.34, price=20, campaign="Semana", onlySync=True)
        standing_by = seller.publish("SKU-0002", send=False)
        removed = seller.published("SKU-0003")
        seller.remove(removed["id"])
        seller.settled(removed["id"])
        before = seller.screen("GET", "").json()
        feed = seller.ok("/transmissions/feeds")
        price = seller.ok(f"/transmissions-price/{published['id']}")
    with shop(state_file=state) as seller:
        assert seller.screen("GET", "").json() == before
        assert seller.ok("/transmissions/feeds") == feed
        assert seller.ok(f"/transmissions-price/{published['id']}") == price
        assert seller.events() == []
        assert seller.publish("SKU-0004")["id"] == removed["id"] + 1
        assert seller.send(standing_by["id"])["publicationStatus"] == "UNPUBLISHED"
        assert seller.settled(standing_by["id"])["publicationStatus"] == "ACTIVE"
        # The middleware has forgotten the ad: it is registered anew, under the same name.
        assert seller.update(published["id"], price=30)["idInMarketplace"] == published["idInMarketplace"]


def test_a_hook_that_waits_is_called_after_the_restart(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with shop(state_file=state, hook_timeout=30.0) as seller:
        seller.behave(sendProduct="slow", seconds=60)
        waiting = seller.publish(send=True)
        assert seller.shown(waiting["id"])["waiting"]
    with shop(state_file=state) as seller:
        assert seller.settled(waiting["id"])["publicationStatus"] == "ACTIVE"
        assert len(seller.events()) == 1
