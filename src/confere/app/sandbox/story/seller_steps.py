"""The seller's steps: what is sold is registered, published, and at the end taken off sale."""

from __future__ import annotations

from typing import Any, Final

from confere.app.sandbox.story.scene import Scene
from confere.errors import message

MARKETPLACE: Final = "LOJA_VERDE"
SKUS: Final = ("REDE-AZUL-2", "REDE-PRETA-1")
"""Their codes decide at the sandbox that the second one is made on demand."""
_PRICE: Final = 189.9
_STOCK: Final = 12


def register_brand(scene: Scene) -> None:
    brand = scene.seller("POST", "/brands", {"name": "Sossego", "partnerId": "SOSSEGO"})
    scene.kept["brand"] = brand["id"]
    listed = scene.seller("GET", "/brands", partnerId="SOSSEGO")["content"]
    scene.equal([entry["id"] for entry in listed], [brand["id"]], "id")


def register_category(scene: Scene) -> None:
    body = {"name": "Redes", "partnerId": "REDES", "priceFactor": 1.0, "calculatePrice": False}
    category = scene.seller("POST", "/categories", body)
    scene.kept["category"] = category["id"]
    listed = scene.seller("GET", "/categories", partnerId="REDES")["content"]
    scene.equal([entry["id"] for entry in listed], [category["id"]], "id")


def register_product(scene: Scene) -> None:
    """A product of two SKUs that a registered variation tells apart."""
    scene.seller("POST", "/variations", {"name": "Cor da rede", "values": ["azul", "preta"]})
    product = scene.seller("POST", "/products", _product(scene.kept["brand"], scene.kept["category"]))
    scene.kept["product"] = product["id"]
    shown = scene.seller("GET", f"/products/{product['id']}")
    scene.equal([sku["partnerId"] for sku in shown["skus"]], list(SKUS), "skus.partnerId")
    scene.equal([sku["variations"] for sku in shown["skus"]], [_colour("azul"), _colour("preta")], "skus.variations")


def write_stock(scene: Scene) -> None:
    scene.seller("PUT", "/stocks", [{"partnerId": code, "quantity": _STOCK, "cost": 80.0} for code in SKUS])
    for code in SKUS:
        [stock] = scene.seller("GET", "/stocks", partnerId=code)["content"]
        scene.equal((stock["partnerId"], stock["quantity"]), (code, _STOCK), "partnerId, quantity")


def create_publication(scene: Scene) -> None:
    """The marketplace accepts it (/canSave), and the seller says no: it stands by, and nobody is told."""
    publication = scene.panel("POST", "/publications", {"skuPartnerId": SKUS[0], "marketplace": MARKETPLACE})
    scene.kept["publication"] = publication["id"]
    scene.equal(publication["publicationStatus"], "ACCEPTED", "publicationStatus")
    scene.equal(_hooks(scene), ["/canSave"], "hooks")
    scene.panel("POST", f"/publications/{publication['id']}/send", {"send": False})
    scene.equal(_transmission(scene)["publicationStatus"], "STAND_BY", "publicationStatus")
    scene.equal(_hooks(scene), ["/canSave"], "hooks")


def send_publication(scene: Scene) -> None:
    """The SEND button: /sendProduct is called, and the marketplace reports that the ad is active."""
    sent = scene.panel("POST", f"/publications/{scene.kept['publication']}/send", {"send": True})
    scene.equal(sent["publicationStatus"], "UNPUBLISHED", "publicationStatus")
    _wait_for_hooks(scene)
    shown = _transmission(scene)
    scene.equal(
        (shown["publicationStatus"], shown["marketplaceStatus"]),
        ("ACTIVE", "Active"),
        "publicationStatus, marketplaceStatus",
    )
    scene.equal(_hooks(scene), ["/canSave", "/sendProduct"], "hooks")


def delete_publication(scene: Scene) -> None:
    scene.panel("DELETE", f"/publications/{scene.kept['publication']}")
    _wait_for_hooks(scene)
    scene.equal(_transmission(scene)["publicationStatus"], "REMOVED", "publicationStatus")
    scene.equal(_hooks(scene)[-1], "/deletePublication", "hooks")
    ads = [ad for ad in scene.middleware()["ads"] if ad["id"] == scene.kept["publication"]]
    scene.equal([ad["active"] for ad in ads], [False], "ads.active")


def _transmission(scene: Scene) -> Any:
    return scene.seller("GET", f"/transmissions/{scene.kept['publication']}")


def _wait_for_hooks(scene: Scene) -> None:
    def settled() -> bool:
        calls = list(scene.calls)
        content = scene.panel("GET", "/publications")["content"]
        scene.calls[:] = calls  # looking again and again is no call of the story
        return not any(entry["waiting"] for entry in content)

    scene.wait(settled, message("The marketplace did not answer the hub's hook."))


def _hooks(scene: Scene) -> list[str]:
    """The hooks that the marketplace got about the publication, in order."""
    number = scene.kept["publication"]
    bodies = [(call["hook"], call["body"]) for call in scene.middleware()["calls"]]
    return [hook for hook, body in bodies if number in (body.get("id"), body.get("idSkuMarketplace"))]


def _product(brand: int, category: int) -> dict[str, Any]:
    return {
        "id": None,
        "title": "Rede de descanso",
        "description": "Rede de algodão.",
        "nbm": {"id": "63079090"},
        "brand": {"id": str(brand), "name": "Sossego"},
        "origin": {"id": "0"},
        "category": {"id": str(category)},
        "priceFactor": 1,
        "calculatedPrice": False,
        "characteristics": [{"index": 0, "name": "Material", "value": "Algodão"}],
        "images": [
            {"main": colour == "azul", "url": f"https://imagens.example/rede-{colour}.jpg", "variation": colour}
            for colour in ("azul", "preta")
        ],
        "skus": [
            {
                "title": f"Rede {colour}",
                "partnerId": code,
                "ean": None,
                "price": _PRICE,
                "amount": "0",
                "variations": _colour(colour),
            }
            for code, colour in zip(SKUS, ("azul", "preta"), strict=True)
        ],
    }


def _colour(name: str) -> dict[str, str]:
    return {"Cor da rede": name}
