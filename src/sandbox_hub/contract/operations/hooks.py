"""The hooks that the hub calls at the marketplace's middleware: a document of what the middleware has to serve."""

from __future__ import annotations

from sandbox_hub.contract.operation import Operation
from sandbox_hub.contract.schema_parts import TRUTH, own, refer
from sandbox_hub.contract.words import Words
from sandbox_hub.publications.hooks import CAN_SAVE, DELETE_PUBLICATION, SEND_PRODUCT

_TAG = "hooks"

OPERATIONS = (
    Operation(
        id="canSave",
        method="POST",
        path=CAN_SAVE,
        tag=_TAG,
        summary=Words("Pré-validar uma publicação", "Pre-validate a publication", "Prevalidar una publicación"),
        description=Words(
            "200 com o corpo true aceita; qualquer outra resposta recusa. A especificação não mostra o método.",
            "200 with body true accepts; any other answer refuses. The specification does not show the method.",
            "200 con el cuerpo true acepta; cualquier otra respuesta rechaza. La especificación no muestra el método.",
        ),
        body=refer("PublicationCandidate"),
        answer=TRUTH,
        refusals=(400, 422),
        own_choice=True,
    ),
    Operation(
        id="sendProduct",
        method="POST",
        path=SEND_PRODUCT,
        tag=_TAG,
        summary=Words(
            "Publicação criada ou alterada", "Publication created or updated", "Publicación creada o cambiada"
        ),
        description=Words(
            "Em toda criação ou alteração de uma transmissão. Com onlySync* falsos o marketplace atualiza tudo; "
            "verdadeiros, só o que update* marca.",
            "On every creation or update of a transmission. With onlySync* false the marketplace updates everything; "
            "true, only what update* marks.",
            "En toda creación o cambio de una transmisión. Con onlySync* falsos el marketplace actualiza todo; "
            "verdaderos, solo lo que marca update*.",
        ),
        body=refer("PublicationEvent"),
        answer=own({}),
        refusals=(400, 422),
        own_choice=True,
    ),
    Operation(
        id="deletePublication",
        method="DELETE",
        path=DELETE_PUBLICATION,
        tag=_TAG,
        summary=Words("Publicação removida", "Publication deleted", "Publicación eliminada"),
        description=Words(
            "O marketplace inativa o produto para venda.",
            "The marketplace inactivates the product for sale.",
            "El marketplace inactiva el producto para la venta.",
        ),
        body=refer("PublicationDeletion"),
        answer=own({}),
        refusals=(400, 422),
    ),
)
