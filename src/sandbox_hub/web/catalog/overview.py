"""Monitoring, users and roles: small lists to read, without personal data.

The specification names the domains and shows nothing of them: all of this is the sandbox's own choice.
"""

from __future__ import annotations

from starlette.responses import Response

from sandbox_hub.web.catalog.lists import records_answer
from sandbox_hub.web.request_handling import Call
from sandbox_hub.web.responses import answer

_ROLES = (
    {"id": 1, "name": "Administração", "domains": ["catalog", "orders", "fiscal-documents", "users"]},
    {"id": 2, "name": "Faturamento", "domains": ["orders", "fiscal-documents"]},
    {"id": 3, "name": "Consulta", "domains": ["orders"]},
)
_USERS = (
    {"id": 1, "name": "Integração do ERP", "roleId": 1},
    {"id": 2, "name": "Setor fiscal", "roleId": 2},
    {"id": 3, "name": "Atendimento", "roleId": 3},
)


async def monitoring(call: Call) -> Response:
    """GET /monitoring: how many there are of what, and how many requests this environment has answered."""
    call.query()
    catalog = call.environment.catalog
    return answer(
        {
            "products": len(catalog.product_ids),
            "skus": len(catalog.sku_ids),
            "brands": len(catalog.brands),
            "categories": len(catalog.categories),
            "variations": len(catalog.variations),
            "campaigns": len(catalog.campaigns),
            "requests": call.environment.counts["requests"],
        }
    )


async def list_users(call: Call) -> Response:
    """GET /users."""
    return records_answer(call, "/users", call.query(paged=True), _USERS)


async def list_roles(call: Call) -> Response:
    """GET /roles."""
    return records_answer(call, "/roles", call.query(paged=True), _ROLES)
