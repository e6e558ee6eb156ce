"""Every named schema of the contract."""

from __future__ import annotations

from sandbox_hub.contract.schema_parts import Schema
from sandbox_hub.contract.schemas import catalog, common, fiscal_documents, orders, publications, stock

ALL_SCHEMAS: dict[str, Schema] = {
    **common.SCHEMAS,
    **fiscal_documents.SCHEMAS,
    **orders.SCHEMAS,
    **catalog.SCHEMAS,
    **stock.SCHEMAS,
    **publications.SCHEMAS,
}
