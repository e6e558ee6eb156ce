"""Every named schema of the contract."""

from __future__ import annotations

from sandbox_hub.contract.schema_parts import Schema
from sandbox_hub.contract.schemas import common, fiscal_documents, orders, publications

ALL_SCHEMAS: dict[str, Schema] = {
    **common.SCHEMAS,
    **fiscal_documents.SCHEMAS,
    **orders.SCHEMAS,
    **publications.SCHEMAS,
}
