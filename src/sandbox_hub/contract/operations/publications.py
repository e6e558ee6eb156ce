"""Transmissions of the backoffice, and what the marketplace's middleware reads and reports."""

from __future__ import annotations

from sandbox_hub.contract.operation import Operation
from sandbox_hub.contract.operations.parameters import filter_by, path_id
from sandbox_hub.contract.schema_parts import refer
from sandbox_hub.contract.schemas.common import page_of
from sandbox_hub.contract.words import Words

_TAG = "listings"
_HOOKS = "publications"
_WHICH = path_id(words=Words("A publicação.", "The publication.", "La publicación."))

LIST = Operation(
    id="listTransmissions",
    method="GET",
    path="/transmissions",
    tag=_TAG,
    summary=Words("Listar publicações", "List publications", "Listar publicaciones"),
    query=(
        filter_by("marketplace", Words("Marketplace.", "Marketplace.", "Marketplace.")),
        filter_by("publicationStatus", Words("Status da publicação.", "Its status.", "Su estado.")),
        filter_by("skuPartnerId", Words("SKU do vendedor.", "The seller's SKU.", "SKU del vendedor.")),
    ),
    paged=True,
    answer=page_of("Transmission"),
    own_choice=True,
)
GET = Operation(
    id="getTransmission",
    method="GET",
    path="/transmissions/{id}",
    tag=_TAG,
    summary=Words("Consultar uma publicação", "Read a publication", "Consultar una publicación"),
    description=Words(
        "Uma publicação removida é mostrada com o status REMOVED.",
        "A removed publication is shown with status REMOVED.",
        "Una publicación eliminada se muestra con el estado REMOVED.",
    ),
    path_parameters=(_WHICH,),
    answer=refer("Transmission"),
    refusals=(400, 404),
    own_choice=True,
)
PUT = Operation(
    id="updateTransmission",
    method="PUT",
    path="/transmissions/{id}",
    tag=_TAG,
    summary=Words("Informar o status de uma publicação", "Set a publication's status", "Informar el estado"),
    description=Words(
        "O hub avisa o marketplace por /sendProduct. 422 antes de a publicação ser enviada.",
        "The hub tells the marketplace by /sendProduct. 422 before the publication was sent.",
        "El hub avisa al marketplace por /sendProduct. 422 antes de que la publicación sea enviada.",
    ),
    path_parameters=(_WHICH,),
    body=refer("TransmissionStatus"),
    examples={"active": {"publicationStatus": "ACTIVE", "marketplaceStatus": "Active"}},
    answer=refer("Transmission"),
    refusals=(400, 404, 422),
)
PRICE = Operation(
    id="getTransmissionPrice",
    method="GET",
    path="/transmissions-price/{id}",
    tag="prices",
    summary=Words("Consultar o preço publicado", "Read the published price", "Consultar el precio publicado"),
    description=Words(
        "O preço, o preço com desconto e a campanha, com o histórico e o que o marketplace confirmou.",
        "The price, the price after discount and the campaign, with their history and what the marketplace confirmed.",
        "El precio, el precio con descuento y la campaña, con su historial y lo que el marketplace confirmó.",
    ),
    path_parameters=(_WHICH,),
    answer=refer("TransmissionPrice"),
    refusals=(400, 404),
    own_choice=True,
)

FETCH = Operation(
    id="getSkuMarketplace",
    method="GET",
    path="/skumarketplace/{id}",
    tag=_HOOKS,
    summary=Words("Consultar a publicação", "Fetch the publication", "Consultar la publicación"),
    description=Words(
        "Os dados para registrar o anúncio.", "The data to register the ad.", "Los datos para registrar el anuncio."
    ),
    path_parameters=(_WHICH,),
    answer=refer("PublicationRecord"),
    refusals=(400, 404),
)
REPORT = Operation(
    id="reportSkuMarketplace",
    method="PUT",
    path="/skumarketplace/{id}",
    tag=_HOOKS,
    summary=Words("Informar o status no marketplace", "Report the status", "Informar el estado en el marketplace"),
    description=Words(
        "Não dispara /sendProduct. 422 antes de a publicação ser enviada.",
        "Does not fire /sendProduct. 422 before the publication was sent.",
        "No dispara /sendProduct. 422 antes de que la publicación sea enviada.",
    ),
    path_parameters=(_WHICH,),
    body=refer("PublicationReport"),
    examples={
        "active": {
            "publicationStatus": "ACTIVE",
            "marketplaceStatus": "Active",
            "skuInMarketplace": "SKU-0001",
            "idInMarketplace": "AD-500001",
        },
        "review": {"marketplaceStatus": "Publication under review"},
    },
    answer=refer("PublicationRecord"),
    refusals=(400, 404, 422),
)
PRICE_STOCK = Operation(
    id="reportSkuMarketplacePriceStock",
    method="PUT",
    path="/skumarketplace/{id}/priceStock",
    tag=_HOOKS,
    summary=Words("Informar preço e estoque", "Report price and stock", "Informar precio y stock"),
    description=Words(
        "Usado quando onlySyncStatus, onlySyncPrice e onlySyncStock são todos verdadeiros; senão a resposta é 422.",
        "Used when onlySyncStatus, onlySyncPrice and onlySyncStock are all true; otherwise the answer is 422.",
        "Se usa cuando onlySyncStatus, onlySyncPrice y onlySyncStock son todos verdaderos; si no, la respuesta es 422.",
    ),
    path_parameters=(_WHICH,),
    body=refer("PriceAndStock"),
    examples={
        "both": {
            "id": 500001,
            "skuInMarketplace": "SKU-0001",
            "idInMarketplace": "AD-500001",
            "price": 59.9,
            "discountPrice": 49.9,
            "availableAmount": 12,
        }
    },
    answer=refer("PublicationRecord"),
    refusals=(400, 404, 422),
)
