"""Writing a product's body into its record: what a product refers to must be registered, its SKUs must agree."""

from __future__ import annotations

from typing import Any

from sandbox_hub.catalog.catalog import Catalog
from sandbox_hub.catalog.world_catalog import ProductRecord
from sandbox_hub.web.catalog.views import numeric_text
from sandbox_hub.web.responses import bad_value
from sandbox_hub.world.parties.tax_ids import gtin_digit_holds

_PLAIN = ("title", "description", "model", "weight", "height", "width", "length", "priceFactor", "calculatedPrice")
_SKU_PLAIN = ("title", "partnerId", "ean", "additionalTime", "variations", "internalIdProduct", "unit")
Body = dict[str, Any]


def new_product(catalog: Catalog, body: Body) -> ProductRecord:
    """The record of a product that is registered."""
    record: ProductRecord = {"id": catalog.new_id("product"), "images": [], "characteristics": [], "skus": []}
    write_product(catalog, record, {"priceFactor": 1.0, "calculatedPrice": False, **body})
    return record


def write_product(catalog: Catalog, record: ProductRecord, body: Body) -> None:
    """Write the fields of a body that is right by its schema into the record; null takes a value away."""
    _write_plain(record, body, _PLAIN)
    _write_plain(record, body, ("warrantyText", "nbm"))
    for name in ("warrantyTime", "origin"):
        if body.get(name) is not None:
            value = body[name]
            record[name] = {"id": str(value["id"])} if name == "origin" else str(value)
        elif name in body:
            record.pop(name, None)
    if "brand" in body:
        record["brand"] = _brand(catalog, body["brand"])
    if "category" in body:
        category = int(body["category"]["id"])
        if catalog.categories.get(category) is None:
            raise bad_value(f"A categoria {category} não está cadastrada.", "Cadastre-a antes com POST /categories.")
        record["category"] = category
    if "characteristics" in body:
        record["characteristics"] = body["characteristics"] or []
    skus = body.get("skus") or []
    codes = [given["partnerId"] for given in skus]
    for n, given in enumerate(skus):
        if given["partnerId"] in codes[:n]:
            raise bad_value(f"Já existe um SKU com partnerId {given['partnerId'][:60]}.")
        write_sku(catalog, record, given, _sku_meant(record, given), f"skus[{n}]")
    if body.get("images") is not None:
        former = {(image["url"], image.get("variation")) for image in record["images"]}
        images = {given["url"]: _image(catalog, record, given) for given in body["images"]}
        record["images"] = list(images.values())
        new = [image for image in images.values() if (image["url"], image.get("variation")) not in former]
        _check_images(record, new)
    check_product(catalog, record)


def write_sku(catalog: Catalog, record: ProductRecord, body: Body, sku: Body | None, where: str = "O SKU") -> Body:
    """Write a body into a SKU of the product, a new one for None; the SKU."""
    if body.get("idProduct") not in (None, record["id"]):
        raise bad_value("O campo idProduct deve ser nulo ou o id do produto.")
    if sku is None:
        lacking = [name for name in ("title", "price") if name not in body]
        if lacking or body.get("id") is not None:
            raise bad_value(f"{where}: um SKU novo precisa de title e price, e não tem id.")
        sku = {"id": catalog.new_id("sku"), "ean": None, "amount": "0"}
        record["skus"].append(sku)
    code: str = body["partnerId"] if "partnerId" in body else sku["partnerId"]
    if catalog.product_of_code(code) not in (None, record["id"]) or any(
        other is not sku and other["partnerId"] == code for other in record["skus"]
    ):
        raise bad_value(f"Já existe um SKU com partnerId {code[:60]}.")
    if body.get("ean") is not None and not gtin_digit_holds(body["ean"]):
        raise bad_value(f"O campo ean não é um GTIN válido: {body['ean']}.", "O dígito verificador não confere.")
    _write_plain(sku, body, _SKU_PLAIN)
    sku.setdefault("ean", None)
    if "price" in body:
        sku["price"] = float(body["price"])
    if "amount" in body:
        sku["amount"] = "0" if body["amount"] is None else numeric_text(body["amount"])
    return sku


def add_image(catalog: Catalog, record: ProductRecord, body: Body) -> Body:
    """Add an image to the product; the same address again changes nothing. The image."""
    image = next((image for image in record["images"] if image["url"] == body["url"]), None)
    if image is None:
        image = _image(catalog, record, body)
        record["images"].append(image)
        _check_images(record, [image])
    if body.get("main"):
        for other in record["images"]:
            other["main"] = other is image
    check_product(catalog, record)
    return image


def check_product(catalog: Catalog, record: ProductRecord) -> None:
    """Refuse variations that are not registered, or do not tell the SKUs apart; let one image be the main one."""
    types = {entry["name"]: entry["values"] for entry in catalog.variations.values()}
    seen: list[Body] = []
    for sku in record["skus"]:
        chosen = sku.get("variations", {})
        for name, value in chosen.items():
            if name not in types:
                raise bad_value(f"A variação {name[:60]} não está cadastrada.", "Cadastre-a com POST /variations.")
            if value not in types[name]:
                raise bad_value(f"A variação {name[:60]} não tem o valor {value[:60]}.", "Cadastre-o antes.")
        if seen and set(chosen) != set(seen[0]):
            raise bad_value("Todos os SKUs de um produto devem ter os mesmos tipos de variação.")
        if chosen and chosen in seen:
            raise bad_value("Dois SKUs do produto têm as mesmas variações.")
        seen.append(chosen)
    main = next((image for image in record["images"] if image["main"]), (record["images"] or [None])[0])
    for image in record["images"]:
        image["main"] = image is main


def _check_images(record: ProductRecord, images: list[Body]) -> None:
    """Refuse images that belong to a variation that no SKU has; one whose SKU has changed since may stay."""
    values = {value for sku in record["skus"] for value in sku.get("variations", {}).values()}
    for image in images:
        if "variation" in image and image["variation"] not in values:
            raise bad_value(f"Nenhum SKU do produto tem a variação {image['variation'][:60]} da imagem.")


def _write_plain(record: Body, body: Body, names: tuple[str, ...]) -> None:
    for name in names:
        if body.get(name) is not None:
            record[name] = body[name]
        elif name in body:
            record.pop(name, None)


def _brand(catalog: Catalog, given: Body) -> int:
    """The brand that is meant: by its id, else by its name."""
    if given.get("id") is not None:
        record = catalog.brands.get(int(given["id"]))
    else:
        record = catalog.brands.first("name", given.get("name"))
    if record is None:
        named = given.get("id") or given.get("name") or ""
        raise bad_value(f"A marca {str(named)[:60]} não está cadastrada.", "Cadastre-a antes com POST /brands.")
    return int(record["id"])


def _sku_meant(record: ProductRecord, given: Body) -> Body | None:
    """The SKU of the product that a body in its list means: by id, else by partnerId; None for a new one."""
    skus: list[Body] = record["skus"]
    if given.get("id") is not None:
        sku = next((sku for sku in skus if sku["id"] == given["id"]), None)
        if sku is None:
            raise bad_value(f"O produto não tem o SKU {given['id']}.")
        return sku
    return next((sku for sku in skus if sku["partnerId"] == given["partnerId"]), None)


def _image(catalog: Catalog, record: ProductRecord, given: Body) -> Body:
    known = next((image for image in record["images"] if image["url"] == given["url"]), None)
    image: Body = {
        "id": catalog.new_id("image") if known is None else known["id"],
        "main": bool(given.get("main")),
        "url": given["url"],
    }
    if given.get("variation") is not None:
        image["variation"] = given["variation"]
    return image
