"""First light: accounts, vault, paper, the hub's records, downloads and coverage."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

SEARCH = (
    "CREATE VIRTUAL TABLE search USING fts5(words, content='', columnsize=0, detail='none',"
    " tokenize=\"unicode61 remove_diacritics 2\", prefix='3')"
)


def upgrade() -> None:
    op.create_table(
        "account",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("environment", sa.Text(), nullable=False),
        sa.Column("address", sa.Text(), nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("facts", sa.Text(), server_default="{}", nullable=False),
        sa.Column("created_at", sa.Text(), nullable=False),
        sa.Column("removed_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account")),
        sa.UniqueConstraint("name", name=op.f("uq_account_name")),
    )
    op.create_table(
        "arrival",
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("content_id", "source", name=op.f("pk_arrival")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_table(
        "belonging",
        sa.Column("tax_id", sa.Text(), nullable=False),
        sa.Column("issued_on", sa.Text(), nullable=False),
        sa.Column("document_id", sa.Integer(), nullable=False),
        sa.Column("direction", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("tax_id", "issued_on", "document_id", name=op.f("pk_belonging")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "certificate",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest_head", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_certificate")),
    )
    op.create_index(op.f("ix_certificate_digest_head"), "certificate", ["digest_head"], unique=False)
    op.create_table(
        "content",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("digest_head", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("family", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("dictionary_id", sa.Integer(), nullable=True),
        sa.Column("cuts", sa.LargeBinary(), nullable=True),
        sa.Column("payload", sa.LargeBinary(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_content")),
    )
    op.create_index(op.f("ix_content_digest_head"), "content", ["digest_head"], unique=False)
    op.create_index("ix_content_problem", "content", ["id"], unique=False, sqlite_where=sa.text("problem IS NOT NULL"))
    op.create_table(
        "dictionary",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("family", sa.Integer(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("trained_at", sa.Text(), nullable=False),
        sa.Column("ratio", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_dictionary")),
    )
    op.create_table(
        "document",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("is_current", sa.Integer(), nullable=False),
        sa.Column("type", sa.Text(), nullable=False),
        sa.Column("access_key", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("series", sa.Integer(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("layout", sa.Text(), nullable=True),
        sa.Column("issued_at", sa.Text(), nullable=True),
        sa.Column("issued_on", sa.Text(), nullable=True),
        sa.Column("emitter_tax_id", sa.Text(), nullable=True),
        sa.Column("emitter_name", sa.Text(), nullable=True),
        sa.Column("recipient_tax_id", sa.Text(), nullable=True),
        sa.Column("recipient_name", sa.Text(), nullable=True),
        sa.Column("nature", sa.Text(), nullable=True),
        sa.Column("operation", sa.Text(), nullable=True),
        sa.Column("direction", sa.Text(), nullable=True),
        sa.Column("purpose", sa.Text(), nullable=True),
        sa.Column("destination", sa.Text(), nullable=True),
        sa.Column("environment", sa.Text(), nullable=True),
        sa.Column("cfops", sa.Text(), nullable=True),
        sa.Column("total", sa.BigInteger(), nullable=True),
        sa.Column("total_products", sa.BigInteger(), nullable=True),
        sa.Column("total_discount", sa.BigInteger(), nullable=True),
        sa.Column("total_freight", sa.BigInteger(), nullable=True),
        sa.Column("total_insurance", sa.BigInteger(), nullable=True),
        sa.Column("total_other", sa.BigInteger(), nullable=True),
        sa.Column("total_icms", sa.BigInteger(), nullable=True),
        sa.Column("total_icms_st", sa.BigInteger(), nullable=True),
        sa.Column("total_ipi", sa.BigInteger(), nullable=True),
        sa.Column("total_pis", sa.BigInteger(), nullable=True),
        sa.Column("total_cofins", sa.BigInteger(), nullable=True),
        sa.Column("total_with_reform", sa.BigInteger(), nullable=True),
        sa.Column("cstat", sa.Text(), nullable=True),
        sa.Column("protocol", sa.Text(), nullable=True),
        sa.Column("authorized_at", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=True),
        sa.Column("order_hint", sa.Text(), nullable=True),
        sa.Column("warnings", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_document")),
    )
    op.create_index("ix_document_access_key", "document", ["access_key"], unique=False)
    op.create_index("ix_document_content_id", "document", ["content_id"], unique=False)
    op.create_index(
        "ix_document_issued_on", "document", ["issued_on"], unique=False, sqlite_where=sa.text("is_current = 1")
    )
    op.create_index("ix_document_number", "document", ["number"], unique=False)
    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("is_current", sa.Integer(), nullable=False),
        sa.Column("access_key", sa.Text(), nullable=True),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("sequence", sa.Integer(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("occurred_at", sa.Text(), nullable=True),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("registered", sa.Integer(), nullable=False),
        sa.Column("cstat", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("protocol", sa.Text(), nullable=True),
        sa.Column("registered_at", sa.Text(), nullable=True),
        sa.Column("words", sa.Text(), nullable=True),
        sa.Column("environment", sa.Text(), nullable=True),
        sa.Column("embedded", sa.Integer(), nullable=False),
        sa.Column("warnings", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
    )
    op.create_index(op.f("ix_event_access_key"), "event", ["access_key"], unique=False)
    op.create_index(op.f("ix_event_content_id"), "event", ["content_id"], unique=False)
    op.create_table(
        "hub_history",
        sa.Column("hub_document_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("at", sa.Text(), nullable=True),
        sa.Column("protocol", sa.Text(), nullable=True),
        sa.Column("item_id", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("hub_document_id", "position", name=op.f("pk_hub_history")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "hub_metadata",
        sa.Column("hub_document_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("hub_document_id", "name", name=op.f("pk_hub_metadata")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "info",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_info")),
    )
    op.create_table(
        "item",
        sa.Column("document_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("ean", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("ncm", sa.Text(), nullable=True),
        sa.Column("cfop", sa.Text(), nullable=True),
        sa.Column("unit", sa.Text(), nullable=True),
        sa.Column("quantity", sa.Text(), nullable=True),
        sa.Column("unit_price", sa.Text(), nullable=True),
        sa.Column("total", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("document_id", "position", name=op.f("pk_item")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "party",
        sa.Column("document_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("taxpayer_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "position", name=op.f("pk_party")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "relation",
        sa.Column("source_key", sa.Text(), nullable=False),
        sa.Column("target_key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("claims", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("source_key", "target_key", "kind", name=op.f("pk_relation")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_relation_target_key", "relation", ["target_key"], unique=False)
    op.create_table(
        "taxpayer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tax_id", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("state_registration", sa.Text(), nullable=True),
        sa.Column("uf", sa.Text(), nullable=True),
        sa.Column("city", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_taxpayer")),
    )
    op.create_index(op.f("ix_taxpayer_tax_id"), "taxpayer", ["tax_id"], unique=False)
    op.create_table(
        "voiding",
        sa.Column("document_id", sa.Integer(), nullable=False),
        sa.Column("uf_code", sa.Text(), nullable=True),
        sa.Column("year", sa.Text(), nullable=True),
        sa.Column("emitter", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("series", sa.Integer(), nullable=True),
        sa.Column("first", sa.Integer(), nullable=True),
        sa.Column("last", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("cstat", sa.Text(), nullable=True),
        sa.Column("protocol", sa.Text(), nullable=True),
        sa.Column("registered_at", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("document_id", name=op.f("pk_voiding")),
    )
    op.create_table(
        "coverage",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("axis", sa.Text(), nullable=False),
        sa.Column("from_at", sa.Text(), nullable=False),
        sa.Column("to_at", sa.Text(), nullable=False),
        sa.Column("narrowed", sa.Text(), server_default="", nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("offset", sa.Integer(), server_default="0", nullable=False),
        sa.Column("pages", sa.Integer(), server_default="0", nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.Column("finished_at", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_coverage_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_coverage")),
    )
    op.create_index("ix_coverage_account", "coverage", ["account_id", "axis", "from_at"], unique=False)
    op.create_table(
        "establishment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("tax_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_establishment_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_establishment")),
        sa.UniqueConstraint("account_id", "tax_id", name=op.f("uq_establishment_account_id_tax_id")),
    )
    op.create_table(
        "hub_document",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("identity", sa.Text(), nullable=False),
        sa.Column("hub_id", sa.Text(), nullable=True),
        sa.Column("access_key", sa.Text(), nullable=True),
        sa.Column("type", sa.Text(), nullable=True),
        sa.Column("subtype", sa.Text(), nullable=True),
        sa.Column("cfop", sa.Text(), nullable=True),
        sa.Column("document_type_value", sa.Text(), nullable=True),
        sa.Column("marketplace", sa.Text(), nullable=True),
        sa.Column("order_id", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=True),
        sa.Column("updated_at", sa.Text(), nullable=True),
        sa.Column("list_digest", sa.LargeBinary(), nullable=True),
        sa.Column("detail_digest", sa.LargeBinary(), nullable=True),
        sa.Column("first_run_id", sa.Integer(), nullable=False),
        sa.Column("last_run_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_hub_document_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hub_document")),
        sa.UniqueConstraint("account_id", "identity", name=op.f("uq_hub_document_account_id_identity")),
    )
    op.create_index(op.f("ix_hub_document_access_key"), "hub_document", ["access_key"], unique=False)
    op.create_index("ix_hub_document_order", "hub_document", ["account_id", "order_id"], unique=False)
    op.create_table(
        "run",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=True),
        sa.Column("started_at", sa.Text(), nullable=False),
        sa.Column("finished_at", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Text(), nullable=True),
        sa.Column("parameters", sa.Text(), server_default="{}", nullable=False),
        sa.Column("counts", sa.Text(), server_default="{}", nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_run_account_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run")),
    )
    op.create_table(
        "download",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hub_document_id", sa.Integer(), nullable=False),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=True),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("tried_at", sa.Text(), nullable=True),
        sa.Column("content_id", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name=op.f("fk_download_account_id")),
        sa.ForeignKeyConstraint(["hub_document_id"], ["hub_document.id"], name=op.f("fk_download_hub_document_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_download")),
        sa.UniqueConstraint("account_id", "item_id", name=op.f("uq_download_account_id_item_id")),
    )
    op.create_index(
        "ix_download_content_id",
        "download",
        ["content_id"],
        unique=False,
        sqlite_where=sa.text("content_id IS NOT NULL"),
    )
    op.create_index(op.f("ix_download_hub_document_id"), "download", ["hub_document_id"], unique=False)
    op.create_index(
        "ix_download_open", "download", ["account_id", "id"], unique=False, sqlite_where=sa.text("state != 'done'")
    )
    op.create_table(
        "hub_record",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hub_document_id", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["hub_document_id"], ["hub_document.id"], name=op.f("fk_hub_record_hub_document_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hub_record")),
    )
    op.create_index(op.f("ix_hub_record_hub_document_id"), "hub_record", ["hub_document_id"], unique=False)
    op.execute(SEARCH)
