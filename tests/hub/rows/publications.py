"""Publications: their life as the seller sees it, the hooks, and what the marketplace's middleware calls."""

from __future__ import annotations

from typing import Any

from sandbox_hub.middleware.behaviour import Manner
from tests.hub.rows.bench import Bench
from tests.hub.rows.catalog_bodies import field_of
from tests.hub.rows.doors import Door
from tests.hub.rows.feeds import published, settled
from tests.hub.rows.probes import at_both, at_hub

_TRUTHS = ("onlySync", "onlySyncPrice", "onlySyncStock", "onlySyncStatus", "updatePrice", "updateStock", "updateStatus")
_WHOLE = ("idSkuMarketplace", "idSkuMarketplaceMain", "idSku", "availableAmount", "idAccount", "idProduct", "id")
_UPDATES = ("updatePrice", "updateStock", "updateStatus")


def calls_of(bench: Bench, publication_id: int) -> list[dict[str, Any]]:
    """The hooks that the middleware got about a publication, oldest first."""
    calls: list[dict[str, Any]] = bench.middleware("GET", "/panel")["calls"]
    return [call for call in calls if publication_id in (call["body"].get("id"), call["body"].get("idSkuMarketplace"))]


def events(bench: Bench, publication_id: int, hook: str = "/sendProduct") -> list[dict[str, Any]]:
    """The bodies of one hook's calls about a publication."""
    return [call["body"] for call in calls_of(bench, publication_id) if call["hook"] == hook]


def changed(bench: Bench, publication_id: int, **terms: Any) -> dict[str, Any]:
    """The publication after the seller changed it at the screen."""
    bench.panel("POST", f"/publications/{publication_id}", terms)
    shown: dict[str, Any] = settled(bench, publication_id)
    return shown


@at_both
def transmission_field(door: Door, subject: str) -> None:
    def make() -> tuple[dict[str, Any], dict[str, Any]]:
        publication = published(door.bench)
        assert publication["publicationStatus"] == "ACTIVE"
        body = {"publicationStatus": "PAUSED", "marketplaceStatus": "Paused by the seller"}
        door.write("PUT", "/transmissions/{id}", body, id=publication["id"])
        shown = door.read("/transmissions/{id}", id=publication["id"])
        door.write("PUT", "/transmissions/{id}", {"publicationStatus": "ACTIVE"}, id=publication["id"])
        return {**body, "id": publication["id"]}, shown

    body, shown = door.once("transmission", make)
    for field in ("publicationStatus", "marketplaceStatus") if subject == "update" else (subject,):
        assert field_of(shown, field) == field_of(body, field)
    assert shown["id"] == body["id"]


@at_hub
def hub_record_field(bench: Bench, subject: str) -> None:
    def make() -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        waiting = published(bench, send=False, price=80, discountPrice=70.5, availableAmount=9)
        before = bench.marketplace("GET", f"/skumarketplace/{waiting['id']}").json()
        bench.panel("POST", f"/publications/{waiting['id']}/send", {"send": True})
        settled(bench, waiting["id"])
        record = bench.marketplace("GET", f"/skumarketplace/{waiting['id']}").json()
        return waiting, before, record

    waiting, before, record = bench.once("record", make)
    wanted = {
        "id": waiting["id"],
        "skuInMarketplace": waiting["skuPartnerId"],
        "idInMarketplace": f"AD-S{waiting['id']}",
        "price": 80,
        "discountPrice": 70.5,
        "availableAmount": 9,
    }
    assert field_of(record, subject) == [wanted[subject]]
    if subject == "skuInMarketplace":
        assert field_of(before, subject) == [None]


@at_hub
def hub_event_field(bench: Bench, subject: str) -> None:
    def make() -> dict[str, Any]:
        new = published(bench, onlySyncPrice=True)
        facts: dict[str, Any] = {"publication": new, "new": events(bench, new["id"])[0]}
        for name, terms in (
            ("updatePrice", {"price": 50.5}),
            ("updateStock", {"availableAmount": 3}),
            ("onlySyncStock", {"onlySyncStock": True}),
            ("onlySync", {"onlySyncStatus": True}),
        ):
            changed(bench, new["id"], **terms)
            facts[name] = events(bench, new["id"])[-1]
        bench.done("PUT", f"/transmissions/{new['id']}", {"publicationStatus": "PAUSED"})
        settled(bench, new["id"])
        facts["updateStatus"] = events(bench, new["id"])[-1]
        return facts

    facts = bench.once("event", make)
    new, publication = facts["new"], facts["publication"]
    [value] = field_of(new, subject)
    if subject in _TRUTHS:
        assert isinstance(value, bool)
    elif subject in _WHOLE:
        assert isinstance(value, int)
    if subject in ("idSkuMarketplace", "idSkuMarketplaceMain"):
        assert value == publication["id"]
    elif subject in ("idSku", "idAccount", "idProduct", "availableAmount"):
        assert value == publication[subject]
    elif subject == "status":
        assert (value, facts["updateStock"]["status"]) == ("UNPUBLISHED", "ACTIVE")
    elif subject == "skuInMarketplace":
        assert (value, facts["updateStock"][subject]) == (None, publication["skuPartnerId"])
    elif subject.startswith("onlySync"):
        seen = {name: facts[name][subject] for name in ("new", "onlySyncStock", "onlySync")}
        since = {"onlySyncPrice": "new", "onlySyncStock": "onlySyncStock"}.get(subject, "onlySync")
        names = list(seen)
        assert seen == {name: names.index(name) >= names.index(since) for name in names}
    else:
        assert [facts[name][subject] for name in _UPDATES] == [name == subject for name in _UPDATES]


@at_both
def lifecycle(door: Door, subject: str) -> None:
    bench = door.bench

    def status(publication_id: int) -> tuple[str, str | None]:
        shown = door.read("/transmissions/{id}", id=publication_id)
        return shown["publicationStatus"], shown["marketplaceStatus"]

    if subject == "UNPUBLISHED":
        bench.middleware("POST", "/panel", {"status": "In cataloging"})
        sent = published(bench)
        bench.middleware("POST", "/panel", {"status": "Active"})
        assert status(sent["id"]) == ("UNPUBLISHED", "In cataloging")
        assert len(events(bench, sent["id"])) == 1
    elif subject == "stand-by":
        waiting = published(bench, send=False)
        assert status(waiting["id"])[0] == "STAND_BY"
        assert events(bench, waiting["id"]) == []
        bench.panel("POST", f"/publications/{waiting['id']}/send")
        settled(bench, waiting["id"])
        assert status(waiting["id"]) == ("ACTIVE", "Active")
        assert len(events(bench, waiting["id"])) == 1
    elif subject == "reported":
        sent = published(bench)
        for text in ("In cataloging", "Publication under review", "Active"):
            report = {"environment": "sandbox", "id": sent["id"], "status": text}
            bench.middleware("POST", "/panel/report", report)
            assert status(sent["id"])[1] == text
    else:
        for publication in (published(bench), published(bench, send=False)):
            bench.panel("DELETE", f"/publications/{publication['id']}")
            settled(bench, publication["id"])
            assert status(publication["id"])[0] == "REMOVED"


@at_hub
def hub_hook(bench: Bench, subject: str) -> None:
    if subject == "canSave-no":
        bench.middleware("POST", "/panel", {"canSave": Manner.NO, "reason": "Falta a marca."})
        try:
            refused = published(bench)
        finally:
            bench.middleware("POST", "/panel", {"canSave": Manner.YES})
        assert (refused["publicationStatus"], refused["reason"]) == ("PRE_VALIDATION", "Falta a marca.")
        assert events(bench, refused["id"]) == []
        return
    sent = published(bench)
    hooks = [(call["hook"], call["status"]) for call in calls_of(bench, sent["id"])]
    if subject in ("canSave", "canSave-true"):
        assert hooks[0] == ("/canSave", 200)
        assert sent["publicationStatus"] == "ACTIVE"
    elif subject == "sendProduct":
        assert hooks == [("/canSave", 200), ("/sendProduct", 200)]
    elif subject == "sendProduct-new":
        assert [event["status"] for event in events(bench, sent["id"])] == ["UNPUBLISHED"]
    elif subject == "sendProduct-every":
        for number in (1, 2):
            changed(bench, sent["id"], price=60 + number)
            assert len(events(bench, sent["id"])) == 1 + number
    else:
        bench.panel("DELETE", f"/publications/{sent['id']}")
        settled(bench, sent["id"])
        assert events(bench, sent["id"], "/deletePublication") == [{"idSkuMarketplace": sent["id"]}]
        [ad] = [ad for ad in bench.middleware("GET", "/panel")["ads"] if ad["id"] == sent["id"]]
        assert ad["active"] is False


def can_save_true(bench: Bench, subject: str) -> None:
    """The same fact as the hook's, told among the errors."""
    hub_hook(bench, "canSave-true")


at_hub(can_save_true)


@at_hub
def hub_middleware_operation(bench: Bench, subject: str) -> None:
    sent = published(bench, onlySync=subject in ("priceStock", "priceStock-only", "partly", "one-route"))
    path = f"/skumarketplace/{sent['id']}"
    body = {"id": sent["id"], "price": 61.5, "discountPrice": 51.5, "availableAmount": 4}
    if subject == "get":
        record = bench.marketplace("GET", path).json()
        assert record["id"] == sent["id"]
        assert record["title"]
    elif subject in ("put", "synchronous"):
        report = {"publicationStatus": "ACTIVE", "marketplaceStatus": "Publication under review"}
        answer = bench.marketplace("PUT", path, report)
        assert answer.status_code == 200, answer.text
        assert bench.marketplace("GET", path).json()["marketplaceStatus"] == "Publication under review"
        assert bench.done("GET", f"/transmissions/{sent['id']}")["marketplaceStatus"] == "Publication under review"
    elif subject == "priceStock":
        names = {"skuInMarketplace": "SKU-X", "idInMarketplace": "AD-X"}
        answer = bench.marketplace("PUT", f"{path}/priceStock", {**body, **names})
        assert answer.status_code == 200, answer.text
        shown = bench.done("GET", f"/transmissions-price/{sent['id']}")["published"]
        assert (shown["price"], shown["discountPrice"], shown["availableAmount"]) == (61.5, 51.5, 4)
    elif subject == "priceStock-only":
        assert bench.marketplace("PUT", f"{path}/priceStock", body).status_code == 200
        changed(bench, sent["id"], onlySyncStatus=False)
        assert bench.marketplace("PUT", f"{path}/priceStock", body).status_code == 422
    elif subject == "whole":
        changed(bench, sent["id"], price=62)
        assert calls_of(bench, sent["id"])[-1]["called"] == ["GET", "PUT"]
        assert not any(events(bench, sent["id"])[-1][name] for name in _TRUTHS[:4])
    else:
        changed(bench, sent["id"], price=63)
        event = events(bench, sent["id"])[-1]
        assert [event[name] for name in _UPDATES] == [True, False, False]
        assert calls_of(bench, sent["id"])[-1]["called"] == ["GET", "PUT priceStock"]
