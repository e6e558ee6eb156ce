"""Reconciliation: orders and returns, links, findings, a person's acts, and what documents come to by tax.

What documents gain is filled in when they are read again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

READ = ("freight_mode", "weight", "quoted", "mismatches")


def upgrade() -> None:
    for name in READ:
        op.add_column("document", sa.Column(name, sa.Text(), nullable=True))
    op.add_column("account", sa.Column("preferences", sa.Text(), nullable=False, server_default="{}"))
    _orders()
    _links()
    _findings()
    _taxes()


def _orders() -> None:
    op.create_table(
        "sales_order",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hub_id", sa.Text(), nullable=False),
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("created_at", sa.Text(), nullable=True),
        sa.Column("created_on", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("marketplace", sa.Text(), nullable=True),
        sa.Column("marketplace_id", sa.Text(), nullable=True),
        sa.Column("total", sa.BigInteger(), nullable=True),
        sa.Column("gross", sa.BigInteger(), nullable=True),
        sa.Column("discount", sa.BigInteger(), nullable=True),
        sa.Column("freight", sa.BigInteger(), nullable=True),
        sa.Column("buyer_tax_id", sa.Text(), nullable=True),
        sa.Column("buyer_name", sa.Text(), nullable=True),
        sa.Column("uf", sa.Text(), nullable=True),
        sa.Column("invoice_key", sa.Text(), nullable=True),
        sa.Column("invoice_series", sa.Integer(), nullable=True),
        sa.Column("invoice_number", sa.Integer(), nullable=True),
        sa.Column("invoice_at", sa.Text(), nullable=True),
        sa.Column("invoice_on", sa.Text(), nullable=False),
        sa.Column("shipped_at", sa.Text(), nullable=True),
        sa.Column("delivered_at", sa.Text(), nullable=True),
        sa.Column("first_run_id", sa.Integer(), nullable=False),
        sa.Column("last_run_id", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sales_order"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_sales_order_account_id"),
        sa.UniqueConstraint("account_id", "hub_id", name="uq_sales_order_account_id_hub_id"),
    )
    op.create_index(
        "ix_sales_order_invoice_key", "sales_order", ["invoice_key"], sqlite_where=sa.text("invoice_key IS NOT NULL")
    )
    op.create_index("ix_sales_order_list", "sales_order", ["account_id", "created_on", "id", "status", "invoice_key"])
    op.create_index(
        "ix_sales_order_marketplace_id",
        "sales_order",
        ["marketplace_id"],
        sqlite_where=sa.text("marketplace_id IS NOT NULL"),
    )
    op.create_table(
        "order_item",
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("ean", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("quantity", sa.Text(), nullable=True),
        sa.Column("unit", sa.BigInteger(), nullable=True),
        sa.Column("discount", sa.BigInteger(), nullable=True),
        sa.Column("gross", sa.BigInteger(), nullable=True),
        sa.Column("total", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("order_id", "position", name="pk_order_item"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "order_version",
        sa.Column("order_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("seen_at", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("order_id", "position", name="pk_order_version"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "order_asked",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hub_id", sa.Text(), nullable=False),
        sa.Column("asked_at", sa.Text(), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("account_id", "hub_id", name="pk_order_asked"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "hub_return",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("hub_id", sa.Text(), nullable=False),
        sa.Column("content_id", sa.Integer(), nullable=False),
        sa.Column("digest", sa.LargeBinary(), nullable=False),
        sa.Column("order_hub_id", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=True),
        sa.Column("status", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Text(), nullable=True),
        sa.Column("created_on", sa.Text(), nullable=False),
        sa.Column("access_key", sa.Text(), nullable=True),
        sa.Column("total", sa.BigInteger(), nullable=True),
        sa.Column("first_run_id", sa.Integer(), nullable=False),
        sa.Column("last_run_id", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_hub_return"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_hub_return_account_id"),
        sa.UniqueConstraint("account_id", "hub_id", name="uq_hub_return_account_id_hub_id"),
    )
    op.create_index("ix_hub_return_order", "hub_return", ["account_id", "order_hub_id"])
    op.create_table(
        "return_item",
        sa.Column("return_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("code", sa.Text(), nullable=True),
        sa.Column("ean", sa.Text(), nullable=True),
        sa.Column("description", sa.Text(), nullable=True),
        sa.Column("quantity", sa.Text(), nullable=True),
        sa.Column("unit", sa.BigInteger(), nullable=True),
        sa.Column("discount", sa.BigInteger(), nullable=True),
        sa.Column("gross", sa.BigInteger(), nullable=True),
        sa.Column("total", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("return_id", "position", name="pk_return_item"),
        sqlite_with_rowid=False,
    )


def _links() -> None:
    op.create_table(
        "link",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("order_hub_id", sa.Text(), nullable=False),
        sa.Column("access_key", sa.Text(), nullable=False),
        sa.Column("kind", sa.Integer(), nullable=False),
        sa.Column("confidence", sa.Integer(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("account_id", "order_hub_id", "access_key", name="pk_link"),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_link_access_key", "link", ["access_key", "account_id"])
    op.create_table(
        "phrase",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_phrase"),
        sa.UniqueConstraint("text", name="uq_phrase_text"),
    )
    op.create_table(
        "tie",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Integer(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("keys", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "number", name="pk_tie"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "act",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Text(), nullable=False),
        sa.Column("actor", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False, server_default="{}"),
        sa.Column("undone_at", sa.Text(), nullable=True),
        sa.Column("is_closed", sa.Integer(), nullable=False, server_default="0"),
        sa.PrimaryKeyConstraint("id", name="pk_act"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_act_account_id"),
    )
    op.create_index("ix_act_account", "act", ["account_id", "id"])
    op.create_table(
        "decision",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("act_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("order_hub_id", sa.Text(), nullable=False),
        sa.Column("access_key", sa.Text(), nullable=False),
        sa.Column("word", sa.Text(), nullable=False),
        sa.Column("is_standing", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_decision"),
        sa.ForeignKeyConstraint(["act_id"], ["act.id"], name="fk_decision_act_id"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_decision_account_id"),
    )
    op.create_index("ix_decision_act_id", "decision", ["act_id"])
    op.create_index("ix_decision_key", "decision", ["account_id", "access_key"])
    op.create_index("ix_decision_pair", "decision", ["account_id", "order_hub_id", "access_key"])
    op.create_table(
        "finding_act",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("act_id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("from_state", sa.Text(), nullable=False),
        sa.Column("to_state", sa.Text(), nullable=False),
        sa.Column("from_note", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_finding_act"),
        sa.ForeignKeyConstraint(["act_id"], ["act.id"], name="fk_finding_act_act_id"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_finding_act_account_id"),
    )
    op.create_index("ix_finding_act_act_id", "finding_act", ["act_id"])
    op.create_index("ix_finding_act_finding", "finding_act", ["account_id", "fingerprint"])


def _findings() -> None:
    op.create_table(
        "finding",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("rule", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=True),
        sa.Column("checked", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("keys", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("changed_at", sa.Text(), nullable=False),
        sa.Column("is_changed", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("is_stale", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("first_run_id", sa.Integer(), nullable=False),
        sa.Column("last_run_id", sa.Integer(), nullable=False),
        sa.Column("resolved_run_id", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_finding"),
        sa.ForeignKeyConstraint(["account_id"], ["account.id"], name="fk_finding_account_id"),
        sa.UniqueConstraint("account_id", "fingerprint", name="uq_finding_account_id_fingerprint"),
    )
    op.create_index("ix_finding_list", "finding", ["account_id", "period", "rule", "state", "amount"])
    op.create_index(
        "ix_finding_open", "finding", ["account_id", "state"], sqlite_where=sa.text("state IN ('open', 'not_checked')")
    )
    op.create_table(
        "finding_order",
        sa.Column("account_id", sa.Integer(), nullable=False),
        sa.Column("order_hub_id", sa.Text(), nullable=False),
        sa.Column("finding_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "order_hub_id", "finding_id", name="pk_finding_order"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "finding_key",
        sa.Column("access_key", sa.Text(), nullable=False),
        sa.Column("finding_id", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("access_key", "finding_id", name="pk_finding_key"),
        sqlite_with_rowid=False,
    )


def _taxes() -> None:
    op.create_table(
        "tax_group",
        sa.Column("document_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("cfop", sa.Text(), nullable=True),
        sa.Column("cst", sa.Text(), nullable=True),
        sa.Column("products", sa.BigInteger(), nullable=True),
        sa.Column("discount", sa.BigInteger(), nullable=True),
        sa.Column("freight", sa.BigInteger(), nullable=True),
        sa.Column("other", sa.BigInteger(), nullable=True),
        sa.Column("icms_base", sa.BigInteger(), nullable=True),
        sa.Column("icms", sa.BigInteger(), nullable=True),
        sa.Column("icms_st_base", sa.BigInteger(), nullable=True),
        sa.Column("icms_st", sa.BigInteger(), nullable=True),
        sa.Column("fcp", sa.BigInteger(), nullable=True),
        sa.Column("ipi", sa.BigInteger(), nullable=True),
        sa.Column("pis", sa.BigInteger(), nullable=True),
        sa.Column("cofins", sa.BigInteger(), nullable=True),
        sa.Column("ibs", sa.BigInteger(), nullable=True),
        sa.Column("cbs", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("document_id", "position", name="pk_tax_group"),
        sqlite_with_rowid=False,
    )
