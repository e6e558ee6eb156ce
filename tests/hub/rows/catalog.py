"""The catalog at both ends: each field written and read back, each rule broken once, each operation called."""

from __future__ import annotations

from typing import Any

from tests.hub.rows.catalog_bodies import CatalogBodies, field_of, is_kind
from tests.hub.rows.doors import Door
from tests.hub.rows.probes import at_both

Pair = tuple[dict[str, Any], dict[str, Any]]  # as it was sent, and as the hub shows it


def bodies_of(door: Door) -> CatalogBodies:
    """The bodies of this bench's scene; their number is told anew when everything is made anew."""
    return door.once("bodies", lambda: CatalogBodies(door.bench.number()))


def brand(door: Door) -> Pair:
    def make() -> Pair:
        body = bodies_of(door).brand()
        door.write("POST", "/brands", body)
        return body, one(door, "/brands", partnerId=body["partnerId"])

    return door.once("brand", make)


def category(door: Door) -> Pair:
    def make() -> Pair:
        body = bodies_of(door).category()
        door.write("POST", "/categories", body)
        return body, one(door, "/categories", partnerId=body["partnerId"])

    return door.once("category", make)


def product(door: Door) -> Pair:
    """A variable product of two SKUs, of a registered brand, category and variation."""

    def make() -> Pair:
        bodies = bodies_of(door)
        body = bodies.product(brand(door)[1], category(door)[1])
        door.write("POST", "/variations", bodies.variation())
        made = door.write("POST", "/products", body)
        return body, door.read("/products/{id}", id=made["id"])

    return door.once("product", make)


def sku(door: Door) -> Pair:
    def make() -> Pair:
        body = bodies_of(door).further_sku()
        return body, door.write("POST", "/products/{productId}/skus", body, productId=product(door)[1]["id"])

    return door.once("sku", make)


def image(door: Door) -> Pair:
    def make() -> Pair:
        body = bodies_of(door).image()
        return body, door.write("POST", "/products/{productId}/images", body, productId=product(door)[1]["id"])

    return door.once("image", make)


def stock(door: Door) -> Pair:
    def make() -> Pair:
        body = bodies_of(door).stock(product(door)[1]["skus"][0]["id"])
        door.write("PUT", "/stocks", [body])
        return body, one(door, "/stocks", partnerId=body["partnerId"])

    return door.once("stock", make)


def one(door: Door, path: str, **query: str) -> dict[str, Any]:
    """The only record that a list of the hub shows."""
    content = door.read(path, **query)["content"]
    assert len(content) == 1, f"{len(content)} records instead of one"
    found: dict[str, Any] = content[0]
    return found


@at_both
def prerequisite(door: Door, subject: str) -> None:
    bodies = bodies_of(door)
    body = bodies.without(subject, bodies.product(brand(door)[1], category(door)[1]))
    refused = door.refused("POST", "/products", body, 422)
    assert bodies.words[subject] in refused.casefold(), refused


@at_both
def registration_order(door: Door, subject: str) -> None:
    sku(door), image(door), stock(door)
    product_id = product(door)[1]["id"]
    first = product(door)[1]["skus"][0]
    if subject == "prices":
        door.write("PUT", "/prices", [{"partnerId": first["partnerId"], "price": 77.5}])
        shown = one(door, "/prices", partnerId=first["partnerId"])
        assert (shown["id"], shown["price"]) == (first["id"], 77.5)
        return
    whole = door.read("/products/{id}", id=product_id)
    assert (len(whole["skus"]), len(whole["images"])) == (3, 3)
    body = {"skuPartnerId": first["partnerId"], "marketplace": "LOJA_VERDE", "send": True}
    assert door.bench.panel("POST", "/publications", body)["idProduct"] == product_id


@at_both
def category_field(door: Door, subject: str) -> None:
    sent, shown = category(door)
    if subject == "children.id":
        assert all(is_kind(subject, value) for value in field_of(shown, subject))
    elif subject == "children":
        assert len(shown["children"]) == len(sent["children"])
    else:
        same(sent, shown, subject)


@at_both
def brand_field(door: Door, subject: str) -> None:
    same(*brand(door), subject)


@at_both
def stock_field(door: Door, subject: str) -> None:
    if subject != "additionalTime-alone":
        same(*stock(door), subject)
        return
    code = product(door)[1]["skus"][1]["partnerId"]
    before = one(door, "/stocks", partnerId=code)
    door.write("PUT", "/stocks", [{"partnerId": code, "additionalTime": 9}])
    assert one(door, "/stocks", partnerId=code) == {**before, "additionalTime": 9}


@at_both
def product_field(door: Door, subject: str) -> None:
    sent, shown = product(door)
    if subject == "id":
        assert sent["id"] is None
        assert is_kind(subject, shown["id"])
    elif subject == "skus":
        assert [each["partnerId"] for each in shown["skus"]] == [each["partnerId"] for each in sent["skus"]]
    else:
        same(sent, shown, subject)


@at_both
def product_rule(door: Door, subject: str) -> None:
    body = bodies_of(door).plain_product(brand(door)[1], category(door)[1], door.bench.number())
    if subject == "name":
        title = body.pop("title")
        assert "name" in door.refused("POST", "/products", {**body, "name": title}, 400)
    elif subject == "priceFactor-zero":
        assert "priceFactor" in door.refused("POST", "/products", {**body, "priceFactor": 0}, 422)
    else:
        made = door.write("POST", "/products", {**body, "characteristics": []})
        assert door.read("/products/{id}", id=made["id"])["characteristics"] == []


@at_both
def sku_field(door: Door, subject: str) -> None:
    sent, shown = product(door)
    check_sku(subject, sent["skus"], shown["skus"], shown["id"])


@at_both
def catalog_operation(door: Door, subject: str) -> None:
    if subject.startswith("create"):
        pair, field = {
            "createCategory": (category, "name"),
            "createBrand": (brand, "name"),
            "createProduct": (product, "title"),
            "createSku": (sku, "title"),
            "createImage": (image, "url"),
        }[subject]
        sent, shown = pair(door)
        assert is_kind("id", shown["id"])
        same(sent, shown, field)
        if subject == "createProduct":
            same(sent, shown, "images.variation")
            check_sku("variations", sent["skus"], shown["skus"], shown["id"])
    elif subject in ("updateCategory", "updateBrand"):
        path = "/categories" if subject == "updateCategory" else "/brands"
        number = door.bench.number()
        made = door.write("POST", path, {"name": f"Antes {number}", "partnerId": f"MUDA-{number}"})
        door.write("PUT", f"{path}/{{id}}", {"name": f"Depois {number}"}, id=made["id"])
        assert one(door, path, partnerId=made["partnerId"]) == {**made, "name": f"Depois {number}"}
    elif subject == "updateStocks":
        stocks = [{"partnerId": each["partnerId"], "quantity": 31} for each in product(door)[1]["skus"]]
        answered = door.write("PUT", "/stocks", stocks)
        assert [each["quantity"] for each in answered] == [31, 31]
        door.refused("PUT", "/stocks", stocks[0], 400)
    else:
        body = bodies_of(door).plain_product(brand(door)[1], category(door)[1], door.bench.number())
        made = door.write("POST", "/products", body)
        if subject == "updateProduct":
            door.write("PUT", "/products/{id}", {"model": "M2"}, id=made["id"])
            assert {**door.read("/products/{id}", id=made["id"]), "lastUpdate": ""} == {
                **made,
                "model": "M2",
                "lastUpdate": "",
            }
        else:
            [before] = made["skus"]
            door.write(
                "PUT", "/products/{productId}/skus/{id}", {"price": 41.25}, productId=made["id"], id=before["id"]
            )
            assert door.read("/products/{id}", id=made["id"])["skus"] == [{**before, "price": 41.25}]


def check_sku(subject: str, sent: list[Any], shown: list[Any], product_id: int) -> None:
    """The fact about a SKU's field: the first SKU has an EAN and a price as a number, the second the other forms."""
    (first, first_shown), (second, second_shown) = zip(sent, shown, strict=True)
    if subject == "ean-null":
        assert second["ean"] is None
        assert second_shown["ean"] is None
    elif subject == "price-text":
        assert isinstance(second["price"], str)
        assert second_shown["price"] == float(second["price"])
    elif subject == "amount":
        assert isinstance(second_shown["amount"], str)
        assert second_shown["amount"] == second["amount"] == "3.5"
    elif subject == "idProduct":
        assert first["idProduct"] is None
        assert first_shown["idProduct"] == product_id
    elif subject == "additionalTime":
        same(second, second_shown, subject)
    else:
        same(first, first_shown, subject)


def same(sent: dict[str, Any], shown: dict[str, Any], path: str) -> None:
    """The field is shown with the value and the kind that the specification gives it."""
    wanted, seen = field_of(sent, path), field_of(shown, path)
    assert seen == wanted, f"{path} was sent as {wanted!r} and is {seen!r}"
    assert all(is_kind(path, value) for value in seen), f"{path} is {seen!r}"
