"""Categories, brands, variations, products, SKUs and images: as they are answered, and the bodies that write them."""

from __future__ import annotations

from sandbox_hub.contract.schema_parts import (
    MOMENT,
    NUMBER,
    TEXT,
    TRUTH,
    WHOLE,
    Schema,
    described,
    list_of,
    nullable,
    own,
    record,
    refer,
)
from sandbox_hub.contract.words import Words

_MOST = 10**9
_NAME: Schema = {**TEXT, "minLength": 1, "maxLength": 200}
_LINE: Schema = {**TEXT, "maxLength": 200}
_PROSE: Schema = {**TEXT, "maxLength": 10_000}
CODE: Schema = {**TEXT, "minLength": 1, "maxLength": 120}
RECORD_ID: Schema = {**WHOLE, "minimum": 1, "maximum": 2**53}
MONEY: Schema = {**NUMBER, "minimum": 0, "maximum": _MOST}
DAYS: Schema = {**WHOLE, "minimum": 0, "maximum": 365}
_MEASURE: Schema = {**NUMBER, "minimum": 0, "maximum": 100_000}
_FACTOR: Schema = {**NUMBER, "exclusiveMinimum": 0, "maximum": 1_000}
_NUMERIC = r"^[0-9]{1,9}(\.[0-9]{1,4})?$"
LOOSE_MONEY: Schema = {"type": ["number", "string"], "minimum": 0, "maximum": _MOST, "pattern": _NUMERIC}
_REFERENCE: Schema = {"type": ["string", "integer"], "pattern": "^[0-9]{1,15}$", "minimum": 1, "maximum": 10**15 - 1}
_NULL: Schema = {"type": "null"}
_ALSO_NUMBER = Words("Um número também é aceito.", "A number is accepted as well.", "También se acepta un número.")
_PASSED_OVER = Words(
    "Aceito como foi lido, e ignorado.", "Taken as it was read, and ignored.", "Se acepta como se leyó, y se ignora."
)
_UNIT = Words(
    "Unidade comercial, como na nota (uCom).",
    "The unit of sale, as on the invoice (uCom).",
    "Unidad comercial, como en la factura (uCom).",
)


def _bodies(name: str, fields: dict[str, Schema], required: tuple[str, ...]) -> dict[str, Schema]:
    """The body that registers something (New…) and the one that changes it (…Change), which may hold any of the fields.

    A field that is not required may be null, which is as if it had no value.
    """
    known = {field: schema if field in required else nullable(schema) for field, schema in fields.items()}
    new = record({**known, "id": own(_NULL)}, required=required, closed=True)
    change = record({**known, "id": own(nullable(RECORD_ID))}, closed=True, minProperties=1)
    which = Words(
        "A especificação não mostra quais campos são obrigatórios.",
        "The specification does not show which fields are required.",
        "La especificación no muestra qué campos son obligatorios.",
    )
    return {f"New{name}": described(new, which), f"{name}Change": described(change, which)}


_CATEGORY: dict[str, Schema] = {
    "name": _NAME,
    "partnerId": CODE,
    "priceFactor": _FACTOR,
    "calculatePrice": TRUTH,
    "parentId": own(RECORD_ID, Words("A categoria acima.", "The category above.", "La categoría superior.")),
}
_CHILD = record({"id": nullable(RECORD_ID), "name": _NAME, "partnerId": nullable(CODE)}, closed=True)
_NEW_CHILD: Schema = {**_CHILD, "anyOf": [{"required": ["id"]}, {"required": ["name"]}]}
_IMAGE_URL: Schema = {**TEXT, "pattern": r"^https?://[^\s]{1,2000}$"}
_IMAGE: dict[str, Schema] = {"url": _IMAGE_URL, "main": TRUTH, "variation": _NAME}
_VARIATION_VALUES = Words(
    "Por tipo de variação registrado, um de seus valores; presente em produtos variáveis.",
    "For each registered type of variation one of its values; present for variable products.",
    "Por tipo de variación registrado, uno de sus valores; presente en productos variables.",
)
_SKU: dict[str, Schema] = {
    "title": _NAME,
    "partnerId": CODE,
    "ean": {**TEXT, "minLength": 1, "maxLength": 60},
    "price": LOOSE_MONEY,
    "amount": described({**LOOSE_MONEY, "type": ["string", "number"]}, _ALSO_NUMBER),
    "additionalTime": DAYS,
    "variations": described({"type": "object", "additionalProperties": _NAME, "maxProperties": 5}, _VARIATION_VALUES),
    "idProduct": RECORD_ID,
    "internalIdProduct": _LINE,
    "unit": own({**TEXT, "minLength": 1, "maxLength": 6}, _UNIT),
}
_SKU_REQUIRED = ("title", "partnerId", "price")
_BRAND_OF_PRODUCT: Schema = {
    **record({"id": nullable(_REFERENCE), "name": nullable(_NAME)}, closed=True),
    "anyOf": [{"required": ["id"]}, {"required": ["name"]}],
}
_NBM = record({"id": {**TEXT, "pattern": r"^[0-9]{4}\.?[0-9]{2}\.?[0-9]{2}$"}}, required=("id",), closed=True)
_ORIGIN = record(
    {"id": {"type": ["string", "integer"], "pattern": "^[0-8]$", "minimum": 0, "maximum": 8}},
    required=("id",),
    closed=True,
)
_CHARACTERISTIC = record(
    {"index": {**WHOLE, "minimum": 0, "maximum": 10_000}, "name": _NAME, "value": _PROSE}, closed=True
)
_PRODUCT: dict[str, Schema] = {
    "title": described(
        _NAME,
        Words(
            "O nome do produto está em title, não em name.",
            "The product's name stands in title, not in name.",
            "El nombre del producto está en title, no en name.",
        ),
    ),
    "description": _PROSE,
    "nbm": _NBM,
    "brand": _BRAND_OF_PRODUCT,
    "origin": _ORIGIN,
    "category": record({"id": _REFERENCE}, required=("id",), closed=True),
    "model": _LINE,
    "warrantyText": _PROSE,
    "warrantyTime": {"type": ["string", "integer"], "pattern": "^[0-9]{1,6}$", "minimum": 0, "maximum": 999_999},
    **dict.fromkeys(("weight", "height", "width", "length"), _MEASURE),
    "images": list_of(refer("ImageInProduct"), maxItems=100),
    "priceFactor": _FACTOR,
    "calculatedPrice": TRUTH,
    "characteristics": list_of(_CHARACTERISTIC, maxItems=200),
    "skus": list_of(refer("SkuInProduct"), maxItems=200),
    "lastUpdate": own(TEXT, _PASSED_OVER),
}
_WRITTEN_SKU = {field: schema if field in _SKU_REQUIRED else nullable(schema) for field, schema in _SKU.items()}
_new_product = _bodies("Product", _PRODUCT, ("title", "brand", "category", "priceFactor", "skus"))
_new_product["NewProduct"]["properties"]["skus"] = list_of(refer("NewSku"), minItems=1, maxItems=200)
_REFERRED = record({"id": TEXT}, required=("id",))

SCHEMAS: dict[str, Schema] = {
    "CategoryChild": record({"id": WHOLE, "name": TEXT, "partnerId": nullable(TEXT)}, required=("id", "name")),
    "Category": record(
        {
            "id": own(WHOLE),
            "name": TEXT,
            "partnerId": nullable(TEXT),
            "priceFactor": NUMBER,
            "calculatePrice": TRUTH,
            "parentId": own(nullable(WHOLE)),
            "children": list_of(refer("CategoryChild")),
        },
        required=("id", "name", "partnerId", "priceFactor", "calculatePrice", "parentId", "children"),
    ),
    **_bodies("Category", {**_CATEGORY, "children": list_of(_NEW_CHILD, maxItems=200)}, ("name",)),
    "Brand": record(
        {"id": own(WHOLE), "name": TEXT, "partnerId": nullable(TEXT)}, required=("id", "name", "partnerId")
    ),
    **_bodies("Brand", {"name": _NAME, "partnerId": CODE}, ("name",)),
    "Variation": own(
        record({"id": WHOLE, "name": TEXT, "values": list_of(TEXT)}, required=("id", "name", "values")),
        Words(
            "Um tipo de variação e os valores que um SKU pode ter.",
            "A type of variation and the values that a SKU can have.",
            "Un tipo de variación y los valores que puede tener un SKU.",
        ),
    ),
    "NewVariation": own(
        record(
            {"id": _NULL, "name": _NAME, "values": list_of(_NAME, minItems=1, maxItems=500)},
            required=("name", "values"),
            closed=True,
        )
    ),
    "Image": record({"id": own(WHOLE), "main": TRUTH, "url": TEXT, "variation": TEXT}, required=("id", "main", "url")),
    "ImageInProduct": record(
        {
            "id": own(nullable(RECORD_ID)),
            **{field: schema if field == "url" else nullable(schema) for field, schema in _IMAGE.items()},
        },
        required=("url",),
        closed=True,
    ),
    "NewImage": record(
        {
            "url": _IMAGE_URL,
            "main": own(nullable(TRUTH)),
            "variation": own(nullable(_NAME)),
        },
        required=("url",),
        closed=True,
    ),
    "Sku": record(
        {
            "id": own(WHOLE),
            "title": TEXT,
            "partnerId": TEXT,
            "ean": nullable(TEXT),
            "price": NUMBER,
            "amount": {**TEXT, "pattern": _NUMERIC},
            "additionalTime": WHOLE,
            "variations": {"type": "object", "additionalProperties": TEXT},
            "idProduct": nullable(WHOLE),
            "internalIdProduct": TEXT,
            "unit": own(TEXT, _UNIT),
        },
        required=("id", "title", "partnerId", "ean", "price", "amount", "idProduct"),
    ),
    **_bodies("Sku", _SKU, _SKU_REQUIRED),
    "SkuInProduct": record({**_WRITTEN_SKU, "id": own(nullable(RECORD_ID))}, required=("partnerId",), closed=True),
    "Product": record(
        {
            "id": WHOLE,
            "title": TEXT,
            "description": TEXT,
            "nbm": _REFERRED,
            "brand": record({"id": TEXT, "name": TEXT}, required=("id", "name")),
            "origin": _REFERRED,
            "category": _REFERRED,
            "model": TEXT,
            "warrantyText": TEXT,
            "warrantyTime": TEXT,
            **dict.fromkeys(("weight", "height", "width", "length"), NUMBER),
            "images": list_of(refer("Image")),
            "priceFactor": NUMBER,
            "calculatedPrice": TRUTH,
            "characteristics": list_of(record({"index": WHOLE, "name": TEXT, "value": TEXT})),
            "skus": list_of(refer("Sku")),
            "lastUpdate": own(MOMENT),
        },
        required=("id", "title", "brand", "category", "images", "priceFactor", "characteristics", "skus", "lastUpdate"),
    ),
    **_new_product,
}
