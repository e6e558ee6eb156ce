"""Stock, prices, campaigns; and the domains of which the specification shows no field: monitoring, users, roles."""

from __future__ import annotations

from sandbox_hub.contract.schema_parts import (
    MOMENT,
    NUMBER,
    TEXT,
    WHOLE,
    Schema,
    list_of,
    nullable,
    own,
    record,
    refer,
)
from sandbox_hub.contract.schemas.catalog import CODE, DAYS, LOOSE_MONEY, MONEY, RECORD_ID
from sandbox_hub.contract.words import Words

MOST_ITEMS = 1_000
_BY_ID_OR_CODE = {"anyOf": [{"required": ["id"]}, {"required": ["partnerId"]}]}
_SOMETHING = {"anyOf": [{"required": [name]} for name in ("quantity", "cost", "additionalTime")]}
_DISCOUNTED = Words(
    "O preço com o desconto de uma campanha, se houver uma agora.",
    "The price after a campaign's discount, where there is one now.",
    "El precio con el descuento de una campaña, si hay una ahora.",
)
_RESERVED = Words(
    "Quanto da quantidade os pedidos criados com POST /orders retêm.",
    "How much of the quantity the orders hold back that were created with POST /orders.",
    "Cuánto de la cantidad retienen los pedidos creados con POST /orders.",
)
_LIMIT = Words(
    "No máximo 1000 itens; todos ou nenhum.",
    "At most 1000 items; all of them or none.",
    "Máximo 1000 ítems; todos o nada.",
)
_CAMPAIGN: dict[str, Schema] = {
    "name": {**TEXT, "minLength": 1, "maxLength": 200},
    "from": MOMENT,
    "to": MOMENT,
    "discountPercent": {**NUMBER, "exclusiveMinimum": 0, "exclusiveMaximum": 100},
    "skus": list_of(CODE, minItems=1, maxItems=MOST_ITEMS),
}
_COUNTS = ("products", "skus", "brands", "categories", "variations", "campaigns", "requests")

SCHEMAS: dict[str, Schema] = {
    "StockItem": record(
        {
            "id": WHOLE,
            "partnerId": TEXT,
            "quantity": NUMBER,
            "reserved": own(NUMBER, _RESERVED),
            "cost": NUMBER,
            "additionalTime": WHOLE,
        },
        required=("id", "partnerId", "quantity"),
    ),
    "StockChange": {
        **record(
            {
                "id": own(nullable(RECORD_ID), Words("Id do SKU.", "The SKU's id.", "Id del SKU.")),
                "partnerId": nullable(CODE),
                "quantity": nullable(MONEY),
                "cost": nullable(MONEY),
                "additionalTime": nullable(DAYS),
            },
            closed=True,
        ),
        "allOf": [_BY_ID_OR_CODE, _SOMETHING],
    },
    "StockChanges": own(list_of(refer("StockChange"), minItems=1, maxItems=MOST_ITEMS), _LIMIT),
    "Price": own(
        record(
            {
                "id": WHOLE,
                "partnerId": TEXT,
                "price": NUMBER,
                "discountPrice": own(NUMBER, _DISCOUNTED),
                "campaignId": WHOLE,
            },
            required=("id", "partnerId", "price"),
        )
    ),
    "PriceChange": own(
        {
            **record(
                {
                    "id": own(nullable(RECORD_ID), Words("Id do SKU.", "The SKU's id.", "Id del SKU.")),
                    "partnerId": nullable(CODE),
                    "price": LOOSE_MONEY,
                },
                required=("price",),
                closed=True,
            ),
            **_BY_ID_OR_CODE,
        }
    ),
    "PriceChanges": own(list_of(refer("PriceChange"), minItems=1, maxItems=MOST_ITEMS), _LIMIT),
    "Campaign": own(record({"id": WHOLE, **_CAMPAIGN}, required=("id", *_CAMPAIGN))),
    "NewCampaign": own(record(_CAMPAIGN, required=tuple(_CAMPAIGN), closed=True)),
    "Monitoring": own(record(dict.fromkeys(_COUNTS, WHOLE), required=_COUNTS)),
    "User": own(
        record({"id": WHOLE, "name": TEXT, "roleId": WHOLE}, required=("id", "name", "roleId")),
        Words("Sem dados pessoais.", "Without personal data.", "Sin datos personales."),
    ),
    "Role": own(
        record({"id": WHOLE, "name": TEXT, "domains": list_of(TEXT)}, required=("id", "name", "domains")),
        Words("O que um papel pode ver.", "What a role may see.", "Lo que puede ver un rol."),
    ),
}
