"""Stock, prices and campaigns; monitoring, users and roles."""

from __future__ import annotations

from sandbox_hub.contract.operation import Operation
from sandbox_hub.contract.operations.catalog_parts import PARTNER_ID, listed, registered, written_together
from sandbox_hub.contract.schema_parts import refer
from sandbox_hub.contract.words import Words

LIST_STOCKS = listed(
    "listStocks",
    "/stocks",
    "stock",
    "StockItem",
    Words("Listar estoques", "List stock", "Listar existencias"),
    (PARTNER_ID,),
)
CHANGE_STOCKS = written_together(
    "updateStocks",
    "/stocks",
    "stock",
    "StockItem",
    Words("Gravar estoques", "Write stock", "Grabar existencias"),
    {
        "stock": [{"partnerId": "SKU-0001", "quantity": 12, "cost": 31.5, "additionalTime": 1}],
        "additional-time-alone": [{"partnerId": "SKU-0002", "additionalTime": 3}],
    },
)
LIST_PRICES = listed(
    "listPrices",
    "/prices",
    "prices",
    "Price",
    Words("Listar preços", "List prices", "Listar precios"),
    (PARTNER_ID,),
)
CHANGE_PRICES = written_together(
    "updatePrices",
    "/prices",
    "prices",
    "Price",
    Words("Gravar preços", "Write prices", "Grabar precios"),
    {"price": [{"partnerId": "SKU-0001", "price": 59.9}]},
    own_choice=True,
)
LIST_CAMPAIGNS = listed(
    "listCampaigns",
    "/campaigns",
    "campaigns",
    "Campaign",
    Words("Listar campanhas", "List campaigns", "Listar campañas"),
)
CREATE_CAMPAIGN = registered(
    "createCampaign",
    "/campaigns",
    "campaigns",
    "Campaign",
    Words("Cadastrar uma campanha", "Register a campaign", "Registrar una campaña"),
    {
        "week": {
            "name": "Semana do consumidor",
            "from": "2026-03-09T00:00:00-03:00",
            "to": "2026-03-16T00:00:00-03:00",
            "discountPercent": 15,
            "skus": ["SKU-0001", "SKU-0002"],
        }
    },
    own_choice=True,
)
MONITORING = Operation(
    id="getMonitoring",
    method="GET",
    path="/monitoring",
    tag="monitoring",
    summary=Words("Contagens do ambiente", "Counts of the environment", "Conteos del ambiente"),
    answer=refer("Monitoring"),
    refusals=(400,),
    own_choice=True,
)
LIST_USERS = listed("listUsers", "/users", "users", "User", Words("Listar usuários", "List users", "Listar usuarios"))
LIST_ROLES = listed("listRoles", "/roles", "roles", "Role", Words("Listar papéis", "List roles", "Listar roles"))
