"""Fiscal documents: the list, one document, one file."""

from __future__ import annotations

from sandbox_hub.contract.operation import Operation
from sandbox_hub.contract.operations.parameters import filter_by, first_moment, last_moment, path_id
from sandbox_hub.contract.schema_parts import WHOLE, refer
from sandbox_hub.contract.schemas.common import page_of
from sandbox_hub.contract.words import Words
from sandbox_hub.world.scenarios import Subtype

_TAG = "fiscal-documents"

LIST = Operation(
    id="listFiscalDocuments",
    method="GET",
    path="/fiscalDocuments",
    tag=_TAG,
    summary=Words("Listar documentos fiscais", "List fiscal documents", "Listar documentos fiscales"),
    description=Words(
        "Dados básicos e histórico de eventos, do mais antigo ao mais novo.",
        "Basic data and the history of events, oldest first.",
        "Datos básicos e historial de eventos, del más antiguo al más nuevo.",
    ),
    query=(
        filter_by("orderId", Words("Número do pedido.", "The order's number.", "Número del pedido."), WHOLE),
        filter_by("marketplace", Words("Marketplace.", "Marketplace.", "Marketplace.")),
        first_moment("createdAtFrom", Words("Criado a partir de.", "Created from.", "Creado desde.")),
        last_moment("createdAtTo", Words("Criado até.", "Created until.", "Creado hasta.")),
        first_moment("lastUpdateFrom", Words("Alterado a partir de.", "Changed from.", "Modificado desde.")),
        last_moment("lastUpdateTo", Words("Alterado até.", "Changed until.", "Modificado hasta.")),
        filter_by(
            "documentTypeValue",
            Words("Subtipo do documento.", "The document's subtype.", "Subtipo del documento."),
            {"type": "string", "enum": [subtype.value for subtype in Subtype]},
        ),
    ),
    paged=True,
    answer=page_of("FiscalDocumentInList"),
    refusals=(400, 422),
)
GET = Operation(
    id="getFiscalDocument",
    method="GET",
    path="/fiscalDocuments/{id}",
    tag=_TAG,
    summary=Words("Consultar um documento fiscal", "Read a fiscal document", "Consultar un documento fiscal"),
    path_parameters=(path_id(text=True),),
    answer=refer("FiscalDocument"),
    refusals=(400, 404),
)
DOWNLOAD = Operation(
    id="downloadFiscalDocument",
    method="GET",
    path="/fiscalDocuments/download/{document_item_id}",
    tag=_TAG,
    summary=Words(
        "Baixar o XML de um evento do documento",
        "Download the XML of a document's event",
        "Descargar el XML de un evento del documento",
    ),
    path_parameters=(
        path_id(
            "document_item_id",
            Words(
                "Está em path, no array documents do documento.",
                "Stands in path, in the document's documents array.",
                "Está en path, en el array documents del documento.",
            ),
            text=True,
        ),
    ),
    media_type="application/xml",
    refusals=(400, 404),
)
