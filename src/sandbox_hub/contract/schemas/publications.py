"""Publications: as the backoffice reads them, as the marketplace does, and the bodies of the hooks."""

from __future__ import annotations

from collections.abc import Iterable

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
)
from sandbox_hub.contract.words import Words
from sandbox_hub.publications.publication import INTERNAL


def _one_of_these(names: Iterable[str]) -> list[Schema]:
    """At least one of the fields is there and is not null."""
    return [record({name: {"not": {"type": "null"}}}, required=(name,)) for name in names]


ONE_LINE = r"^[^\x00-\x1f\x7f]*[^\x00-\x1f\x7f\s][^\x00-\x1f\x7f]*$"  # with something to see in it
_WORD: Schema = {**TEXT, "minLength": 1, "maxLength": 120, "pattern": ONE_LINE}
_NAME: Schema = nullable({**TEXT, "maxLength": 120, "pattern": f"{ONE_LINE}|^ *$"})
_PIECES: Schema = {**WHOLE, "minimum": 0, "maximum": 10**9}
_AMOUNT: Schema = {**NUMBER, "minimum": 0.01, "maximum": 10**9}
_STATUS = described(
    TEXT,
    Words(
        "UNPUBLISHED e ACTIVE são da especificação; PRE_VALIDATION, ACCEPTED, STAND_BY e REMOVED são etapas próprias "
        "deste sandbox.",
        "UNPUBLISHED and ACTIVE are the specification's; PRE_VALIDATION, ACCEPTED, STAND_BY and REMOVED are this "
        "sandbox's own stages.",
        "UNPUBLISHED y ACTIVE son de la especificación; PRE_VALIDATION, ACCEPTED, STAND_BY y REMOVED son etapas "
        "propias de este sandbox.",
    ),
)
_REPORTED_STATUS = own(
    {**nullable(_WORD), "not": {"enum": sorted(INTERNAL)}},
    Words(
        "UNPUBLISHED, ACTIVE ou outro status do anúncio; não as etapas internas do hub.",
        "UNPUBLISHED, ACTIVE or another status of the ad; not the hub's internal stages.",
        "UNPUBLISHED, ACTIVE u otro estado del anuncio; no las etapas internas del hub.",
    ),
)
_MARKETPLACE_STATUS = described(
    nullable(_WORD),
    Words(
        "Texto livre do marketplace, como Active, In cataloging ou Publication under review.",
        "The marketplace's free text, like Active, In cataloging or Publication under review.",
        "Texto libre del marketplace, como Active, In cataloging o Publication under review.",
    ),
)
_DISCOUNT_PRICE = described(
    NUMBER,
    Words("O preço com desconto.", "The price after discount.", "El precio con descuento."),
)
_IDENTITY: dict[str, Schema] = {"idSku": WHOLE, "idProduct": WHOLE, "idAccount": WHOLE}
_FLAGS: dict[str, Schema] = {
    "onlySync": own(
        TRUTH,
        Words(
            "Verdadeiro quando as três limitações são verdadeiras.",
            "True when the three limitations are true.",
            "Verdadero cuando las tres limitaciones son verdaderas.",
        ),
    ),
    "onlySyncPrice": TRUTH,
    "onlySyncStock": TRUTH,
    "onlySyncStatus": TRUTH,
}
_RECORD: dict[str, Schema] = {
    "id": WHOLE,
    "skuInMarketplace": nullable(TEXT),
    "idInMarketplace": TEXT,
    "price": NUMBER,
    "discountPrice": _DISCOUNT_PRICE,
    "availableAmount": WHOLE,
}
_OWN_RECORD: dict[str, Schema] = {
    **{name: own(schema) for name, schema in _IDENTITY.items()},
    "skuPartnerId": own(TEXT),
    "title": own(TEXT),
    "description": own(TEXT),
    "images": own(list_of(record({"url": TEXT}, required=("url",)))),
    "marketplace": own(TEXT),
    "campaign": own(nullable(TEXT)),
    "publicationStatus": own(_STATUS, _STATUS["description"]),
    "marketplaceStatus": own(nullable(TEXT)),
}
_WRITTEN: dict[str, Schema] = {
    "id": own({"type": ["integer", "string"]}),
    "skuInMarketplace": _NAME,
    "idInMarketplace": _NAME,
    "price": nullable(_AMOUNT),
    "discountPrice": nullable(_AMOUNT),
    "availableAmount": nullable(_PIECES),
}
_STATUSES = {"publicationStatus": _REPORTED_STATUS, "marketplaceStatus": _MARKETPLACE_STATUS}
_ONE_STATUS = _one_of_these(_STATUSES)
_PRICE: dict[str, Schema] = {"price": NUMBER, "discountPrice": _DISCOUNT_PRICE, "campaign": nullable(TEXT)}
_EVENT: dict[str, Schema] = {
    "idSkuMarketplace": WHOLE,
    "idSkuMarketplaceMain": WHOLE,
    "status": described(
        TEXT,
        Words(
            "UNPUBLISHED em toda publicação nova; ACTIVE também é visto.",
            "UNPUBLISHED on every new publication; ACTIVE is seen too.",
            "UNPUBLISHED en toda publicación nueva; también se ve ACTIVE.",
        ),
    ),
    "onlySync": _FLAGS["onlySync"],
    "idSku": WHOLE,
    "availableAmount": WHOLE,
    "idAccount": WHOLE,
    "idProduct": WHOLE,
    "skuInMarketplace": nullable(TEXT),
    "onlySyncPrice": TRUTH,
    "onlySyncStock": TRUTH,
    "onlySyncStatus": TRUTH,
    "updatePrice": TRUTH,
    "updateStock": TRUTH,
    "updateStatus": TRUTH,
}

SCHEMAS: dict[str, Schema] = {
    "TransmissionStatus": record(_STATUSES, anyOf=_ONE_STATUS),
    "Transmission": own(
        record(
            {
                **_RECORD,
                **_IDENTITY,
                "idSkuMarketplaceMain": WHOLE,
                **_FLAGS,
                "skuPartnerId": TEXT,
                "title": TEXT,
                "marketplace": TEXT,
                "campaign": nullable(TEXT),
                "publicationStatus": _STATUS,
                "marketplaceStatus": nullable(TEXT),
                "createdAt": MOMENT,
                "lastUpdate": MOMENT,
            },
            required=("id", "publicationStatus", "marketplaceStatus", "price", "discountPrice"),
        )
    ),
    "TransmissionPrice": own(
        record(
            {
                "id": WHOLE,
                "idSku": WHOLE,
                "skuPartnerId": TEXT,
                "marketplace": TEXT,
                "idInMarketplace": TEXT,
                "publicationStatus": _STATUS,
                **_PRICE,
                "published": described(
                    nullable(
                        record(
                            {
                                "price": nullable(NUMBER),
                                "discountPrice": nullable(NUMBER),
                                "availableAmount": nullable(WHOLE),
                                "date": MOMENT,
                            }
                        )
                    ),
                    Words(
                        "O que o marketplace confirmou que mostra.",
                        "What the marketplace confirmed that it shows.",
                        "Lo que el marketplace confirmó que muestra.",
                    ),
                ),
                "history": list_of(record({"since": MOMENT, **_PRICE}, required=("since", "price", "discountPrice"))),
            },
            required=("id", "skuPartnerId", "marketplace", "price", "discountPrice", "campaign", "published"),
        )
    ),
    "PublicationRecord": record({**_RECORD, **_OWN_RECORD}, required=tuple(_RECORD)),
    "PublicationReport": own(
        record({**_STATUSES, **_WRITTEN}, anyOf=_ONE_STATUS),
        Words(
            "O status é da especificação; o registro pode ser escrito de volta com ele.",
            "The status is the specification's; the record may be written back with it.",
            "El estado es de la especificación; el registro puede escribirse de vuelta con él.",
        ),
    ),
    "PriceAndStock": record(_WRITTEN, anyOf=_one_of_these(("price", "discountPrice", "availableAmount"))),
    "PublicationEvent": record(_EVENT, required=tuple(_EVENT)),
    "PublicationDeletion": own(record({"idSkuMarketplace": WHOLE}, required=("idSkuMarketplace",))),
    "PublicationCandidate": own(record({**_RECORD, **_OWN_RECORD}, required=tuple(_RECORD))),
}
