"""Fiscal documents, as the list and the detail show them.

Only the fields that the specification names are certain; all others are marked.
"""

from __future__ import annotations

from sandbox_hub.contract.schema_parts import (
    ACCESS_KEY,
    MOMENT,
    TEXT,
    Schema,
    described,
    list_of,
    one_of_words,
    own,
    record,
    refer,
)
from sandbox_hub.contract.words import Words

_METADATA: Schema = record(
    {
        "documentTypeValue": described(
            TEXT,
            Words("Subtipo do documento.", "The document's subtype.", "Subtipo del documento."),
        ),
        "marketplace": TEXT,
        "type": one_of_words(("NFE", "CTE")),
    }
)
_PATH: Schema = described(
    {"type": ["object", "array", "string"]},
    Words(
        "Contém o document_item_id que o download pede; a forma varia com a instalação do hub.",
        "Holds the document_item_id that the download asks for; its form varies with the hub's deployment.",
        "Contiene el document_item_id que pide la descarga; su forma varía con la instalación del hub.",
    ),
)
_COMMON: dict[str, Schema] = {
    "id": own(TEXT),
    "documentKey": described(ACCESS_KEY, Words("Chave de acesso.", "The access key.", "Clave de acceso.")),
    "type": one_of_words(("NFE", "CTE")),
    "subtype": TEXT,
    "cfop": described(
        TEXT,
        Words(
            "CFOP do primeiro item.",
            "The CFOP of the first item.",
            "CFOP del primer ítem.",
        ),
    ),
    "createdAt": MOMENT,
    "lastUpdate": own(MOMENT),
    "marketplace": own(TEXT),
    "orderId": own({"type": "integer"}),
    "metadata": refer("FiscalDocumentMetadata"),
    "history": list_of(refer("FiscalDocumentEvent")),
}

SCHEMAS: dict[str, Schema] = {
    "FiscalDocumentMetadata": _METADATA,
    "FiscalDocumentEvent": record(
        {
            "status": TEXT,
            "date": own(MOMENT),
            "protocol": own(TEXT),
            "links": list_of(refer("Link")),
        },
        required=("status",),
    ),
    "FiscalDocumentFile": record({"type": own(TEXT), "path": _PATH}, required=("path",)),
    "RelatedDocument": record(
        {"documentKey": ACCESS_KEY, "type": own(one_of_words(("NFE", "CTE"))), "relation": own(TEXT)},
        required=("documentKey",),
    ),
    "FiscalDocumentInList": record(
        _COMMON,
        required=("type", "metadata", "history"),
        description=Words(
            "Dados básicos e histórico de eventos.",
            "Basic data and the history of events.",
            "Datos básicos e historial de eventos.",
        ),
    ),
    "FiscalDocument": record(
        {
            **_COMMON,
            "relatedDocuments": list_of(refer("RelatedDocument")),
            "documents": list_of(refer("FiscalDocumentFile")),
        },
    ),
}
