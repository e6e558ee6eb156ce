"""Lists: what they are filtered and ordered by stands on the document, in one narrow index."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

COLUMNS = (
    ("warning_count", sa.Integer()),
    ("emitter_id", sa.Integer()),
    ("recipient_id", sa.Integer()),
    ("taker_id", sa.Integer()),
    ("hub_account_id", sa.Integer()),
    ("hub_subtype", sa.Text()),
    ("hub_marketplace", sa.Text()),
    ("hub_order_id", sa.Text()),
    ("hub_disagrees", sa.Integer()),
)
LISTED = (
    "issued_on",
    "id",
    "is_current",
    "type",
    "state",
    "operation",
    "direction",
    "total",
    "number",
    "emitter_id",
    "recipient_id",
    "taker_id",
    "warning_count",
    "hub_marketplace",
    "hub_order_id",
    "hub_disagrees",
)
SUBTYPES = (
    "'sale','sale_return','devolution','inbound','inbound_return','symbolic_inbound','symbolic_inbound_return',"
    "'freight','transfer'"
)
MARKED = (
    "(SELECT count(*) FROM json_each(document.warnings) w WHERE json_extract(w.value, '$[0]') NOT IN"
    " ('bom','encoding','wrapped','embedded_event','legacy_cancellation','test_environment'))"
)
OWNER = (
    "(SELECT p.taxpayer_id FROM party p WHERE p.document_id = document.id AND p.role = '{role}'"
    " ORDER BY p.position LIMIT 1)"
)
WORD = "(hub_account_id, hub_subtype, hub_marketplace, hub_order_id)"
BY_DOWNLOAD = "FROM download w JOIN hub_document h ON h.id = w.hub_document_id WHERE w.content_id = document.content_id"


def upgrade() -> None:
    op.drop_index("ix_document_issued_on", "document")
    for name, kind in COLUMNS:
        op.add_column("document", sa.Column(name, kind, nullable=True))
    _parties()
    _hub()
    op.execute(f"UPDATE document SET warning_count = nullif({MARKED}, 0) WHERE warnings IS NOT NULL")
    op.create_index("ix_document_list", "document", list(LISTED), sqlite_where=sa.text("is_current = 1"))


def _parties() -> None:
    owners = ", ".join(f"{role}_id = {OWNER.format(role=role)}" for role in ("emitter", "recipient", "taker"))
    op.execute(f"UPDATE document SET {owners}")
    # A voiding names its emitter's number and nothing else.
    nobody = "name IS NULL AND state_registration IS NULL AND uf IS NULL AND city IS NULL"
    op.execute(
        "INSERT INTO taxpayer (tax_id) SELECT DISTINCT emitter FROM voiding WHERE emitter != ''"
        f" AND emitter NOT IN (SELECT tax_id FROM taxpayer WHERE tax_id IS NOT NULL AND {nobody})"
    )
    op.execute(
        "UPDATE document SET emitter_id = (SELECT t.id FROM taxpayer t WHERE t.tax_id = document.emitter_tax_id"
        f" AND {nobody} ORDER BY t.id LIMIT 1) WHERE type = 'voiding'"
    )


def _hub() -> None:
    op.execute(
        f"UPDATE document SET {WORD} = (SELECT h.account_id, h.subtype, h.marketplace, h.order_id FROM hub_document h"
        " WHERE h.access_key = document.access_key ORDER BY h.id LIMIT 1)"
        " WHERE access_key IN (SELECT access_key FROM hub_document)"
    )
    op.execute(
        f"UPDATE document SET {WORD} = (SELECT h.account_id, h.subtype, h.marketplace, h.order_id {BY_DOWNLOAD}"
        " ORDER BY h.id LIMIT 1) WHERE access_key IS NULL"
    )
    further = "(h.subtype IS NOT document.hub_subtype OR h.marketplace IS NOT document.hub_marketplace)"
    op.execute(
        "UPDATE document SET hub_disagrees = 1 WHERE hub_account_id IS NOT NULL AND (EXISTS (SELECT 1"
        f" FROM hub_document h WHERE h.access_key = document.access_key AND {further})"
        f" OR access_key IS NULL AND EXISTS (SELECT 1 {BY_DOWNLOAD} AND {further}))"
    )
    first = (
        "(SELECT h.subtype FROM hub_document h WHERE h.access_key = document.access_key"
        f" AND h.subtype IN ({SUBTYPES}) ORDER BY h.id LIMIT 1)"
    )
    op.execute(f"UPDATE document SET operation = {first} WHERE {first} IS NOT NULL")
