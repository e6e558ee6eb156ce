"""The tables of the archive, as SQLAlchemy metadata; migrations create them, everything else reads them here.

Conventions: money is integer centavos; times are ISO 8601 text as written, except `*_at` of our own acts, which
are UTC ISO text; `*_on` is a local date. Digests are 32 raw bytes, looked up through their first eight bytes as
an integer, since an index over full random digests would be four times as large.
The full-text table is not here: it belongs to SQLite alone and lives in `search`.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from confere.archive.schema_verdicts import account_root as account_root
from confere.archive.schema_verdicts import basis as basis
from confere.archive.schema_verdicts import verdict as verdict
from confere.archive.schema_verdicts import why as why
from confere.archive.tables import clustered
from confere.archive.tables import metadata as metadata

info = Table(
    "info",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

# -- who ---------------------------------------------------------------------------------------------------

account = Table(
    "account",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("environment", Text, nullable=False),  # production, sandbox, embedded
    Column("address", Text, nullable=False),
    Column("platform", Text, nullable=False),
    Column("facts", Text, nullable=False, server_default="{}"),  # JSON: what was learned of this hub
    Column("created_at", Text, nullable=False),
    Column("removed_at", Text),
)

establishment = Table(
    "establishment",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("tax_id", Text, nullable=False),
    Column("name", Text),
    UniqueConstraint("account_id", "tax_id"),
)

run = Table(
    "run",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),  # sync, import, export, …
    Column("account_id", ForeignKey("account.id")),
    Column("started_at", Text, nullable=False),
    Column("finished_at", Text),
    Column("outcome", Text),  # done, partial, failed, stopped; null while it runs or after a kill
    Column("parameters", Text, nullable=False, server_default="{}"),
    Column("counts", Text, nullable=False, server_default="{}"),
    Column("problem", Text),
)

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("detail", Text),
)

# -- the vault ---------------------------------------------------------------------------------------------

dictionary = Table(
    "dictionary",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("family", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),
    Column("trained_at", Text, nullable=False),
    Column("ratio", Integer, nullable=False),  # stored per mille of raw on its own samples
)

certificate = Table(
    "certificate",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("digest_head", BigInteger, nullable=False, index=True),
    Column("data", LargeBinary, nullable=False),  # the text between the tags, as written
)

content = Table(
    "content",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("digest_head", BigInteger, nullable=False, index=True),
    Column("digest", LargeBinary, nullable=False),
    Column("family", Integer, nullable=False),  # 0 xml, 1 json: each has dictionaries of its own
    Column("size", Integer, nullable=False),  # bytes as received
    Column("dictionary_id", Integer),  # null: compressed without one
    Column("cuts", LargeBinary),  # certificates taken out: (offset, certificate id) pairs
    Column("payload", LargeBinary, nullable=False),
    Column("problem", Text),  # why it cannot be read, where it cannot
    Column("reader", Integer),  # which one made its rows; -1: refused, given to none; null: one before versions
    Index("ix_content_problem", "id", sqlite_where=text("problem IS NOT NULL")),
    Index("ix_content_reader", "reader", "family", sqlite_where=text("family = 0")),  # what waits for a newer one
)

arrival = clustered(
    "arrival",
    Column("content_id", Integer, nullable=False),
    Column("source", Text, nullable=False),  # a file's name, or hub:account/item
    Column("run_id", Integer, nullable=False),
    PrimaryKeyConstraint("content_id", "source"),
)

# -- the paper ---------------------------------------------------------------------------------------------

# What lists are filtered and ordered by, in one tree a tenth as large as the table: read whole where nothing narrower
# fits. By day and number, so that the usual order and a month are stretches of it.
LISTED = (
    *("issued_on", "id", "is_current", "type", "state", "operation", "direction", "total", "number"),
    *(
        "emitter_id",
        "recipient_id",
        "taker_id",
        "warning_count",
        "hub_marketplace",
        "hub_order_id",
        "hub_disagrees",
        "verdict",
    ),
)

document = Table(
    "document",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("content_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),  # in its file: a lot holds many
    Column("is_current", Integer, nullable=False),  # 1: the version shown for its key
    Column("type", Text, nullable=False),
    Column("access_key", Text),
    Column("model", Text),
    Column("series", Integer),
    Column("number", Integer),
    Column("layout", Text),
    Column("issued_at", Text),
    Column("issued_on", Text),
    Column("nature", Text),  # natOp as written; for type other, the root element
    Column("operation", Text),  # our class of it
    Column("direction", Text),
    Column("purpose", Text),
    Column("destination", Text),
    Column("environment", Text),
    Column("cfops", Text),
    Column("total", BigInteger),
    Column("total_products", BigInteger),
    Column("total_discount", BigInteger),
    Column("total_freight", BigInteger),
    Column("total_insurance", BigInteger),
    Column("total_other", BigInteger),
    Column("total_icms", BigInteger),
    Column("total_icms_st", BigInteger),
    Column("total_ipi", BigInteger),
    Column("total_pis", BigInteger),
    Column("total_cofins", BigInteger),
    Column("total_with_reform", BigInteger),
    Column("cstat", Text),
    Column("protocol", Text),
    Column("authorized_at", Text),
    Column("state", Text, nullable=False),
    Column("external_id", Text),
    Column("order_hint", Text),
    Column("warnings", Text),  # JSON
    Column("warning_count", Integer),  # of those that ask attention; null: none
    Column("emitter_id", Integer),  # taxpayers, as written on this paper
    Column("recipient_id", Integer),
    Column("taker_id", Integer),
    Column("hub_account_id", Integer),  # the word of the first record of its key, or of its download
    Column("hub_subtype", Text),
    Column("hub_marketplace", Text),
    Column("hub_order_id", Text),
    Column("hub_disagrees", Integer),  # 1: a further record of its key has another subtype or marketplace
    Column("verdict", Integer),  # 0 ok, 1 could not be checked whole, 2 failed; null: not checked yet
    Index("ix_document_access_key", "access_key"),
    Index("ix_document_list", *LISTED, sqlite_where=text("is_current = 1")),
    Index("ix_document_failed", "verdict", "is_current", sqlite_where=text("is_current = 1 AND verdict = 2")),
    Index("ix_document_number", "number"),
    Index("ix_document_content_id", "content_id"),
)

taxpayer = Table(
    "taxpayer",  # as written on some paper: another spelling is another row
    metadata,
    Column("id", Integer, primary_key=True),
    Column("tax_id", Text, index=True),
    Column("name", Text),
    Column("state_registration", Text),
    Column("uf", Text),
    Column("city", Text),
)

party = clustered(
    "party",
    Column("document_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("role", Text, nullable=False),
    Column("taxpayer_id", Integer, nullable=False),
    PrimaryKeyConstraint("document_id", "position"),
)

item = clustered(
    "item",
    Column("document_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("number", Integer),
    Column("code", Text),
    Column("ean", Text),
    Column("description", Text),
    Column("ncm", Text),
    Column("cfop", Text),
    Column("unit", Text),
    Column("quantity", Text),  # decimal as written
    Column("unit_price", Text),
    Column("total", BigInteger),
    PrimaryKeyConstraint("document_id", "position"),
)

belonging = clustered(
    "belonging",  # whose document it is: emitter, recipient or taker; current versions only
    Column("tax_id", Text, nullable=False),
    Column("issued_on", Text, nullable=False),
    Column("document_id", Integer, nullable=False),
    Column("direction", Text, nullable=False),
    PrimaryKeyConstraint("tax_id", "issued_on", "document_id"),
)

event = Table(
    "event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("content_id", Integer, nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("is_current", Integer, nullable=False),
    Column("access_key", Text, index=True),
    Column("code", Text),
    Column("sequence", Integer),
    Column("description", Text),
    Column("occurred_at", Text),
    Column("author", Text),
    Column("registered", Integer, nullable=False),
    Column("cstat", Text),
    Column("reason", Text),
    Column("protocol", Text),
    Column("registered_at", Text),
    Column("words", Text),
    Column("environment", Text),
    Column("embedded", Integer, nullable=False),
    Column("warnings", Text),
)

voiding = Table(
    "voiding",
    metadata,
    Column("document_id", Integer, primary_key=True),
    Column("uf_code", Text),
    Column("year", Text),
    Column("emitter", Text),
    Column("model", Text),
    Column("series", Integer),
    Column("first", Integer),
    Column("last", Integer),
    Column("reason", Text),
    Column("cstat", Text),
    Column("protocol", Text),
    Column("registered_at", Text),
)

relation = clustered(
    "relation",
    Column("source_key", Text, nullable=False),
    Column("target_key", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("claims", Integer, nullable=False),  # 1 the XML, 2 the hub, 3 both
    PrimaryKeyConstraint("source_key", "target_key", "kind"),
    Index("ix_relation_target_key", "target_key"),
)

# -- the hub's own word ------------------------------------------------------------------------------------

hub_document = Table(
    "hub_document",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("identity", Text, nullable=False),
    Column("hub_id", Text),
    Column("access_key", Text, index=True),
    Column("type", Text),
    Column("subtype", Text),
    Column("cfop", Text),
    Column("document_type_value", Text),
    Column("marketplace", Text),
    Column("order_id", Text),
    Column("created_at", Text),  # UTC
    Column("updated_at", Text),  # UTC
    Column("list_digest", LargeBinary),
    Column("detail_digest", LargeBinary),
    Column("first_run_id", Integer, nullable=False),
    Column("last_run_id", Integer, nullable=False),
    UniqueConstraint("account_id", "identity"),
    Index("ix_hub_document_order", "account_id", "order_id"),
)

hub_record = Table(
    "hub_record",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("hub_document_id", ForeignKey("hub_document.id"), nullable=False, index=True),
    Column("source", Text, nullable=False),  # list, detail
    Column("content_id", Integer, nullable=False),
    Column("seen_at", Text, nullable=False),
    Column("run_id", Integer, nullable=False),
)

hub_history = clustered(
    "hub_history",
    Column("hub_document_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("status", Text),
    Column("at", Text),
    Column("protocol", Text),
    Column("item_id", Text),
    Column("description", Text),
    PrimaryKeyConstraint("hub_document_id", "position"),
)

hub_metadata = clustered(
    "hub_metadata",
    Column("hub_document_id", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("value", Text),
    PrimaryKeyConstraint("hub_document_id", "name"),
)

download = Table(
    "download",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("hub_document_id", ForeignKey("hub_document.id"), nullable=False, index=True),
    Column("item_id", Text, nullable=False),
    Column("kind", Text),
    Column("state", Text, nullable=False),  # waiting, failed, done
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("reason", Text),
    Column("tried_at", Text),
    Column("content_id", Integer),
    UniqueConstraint("account_id", "item_id"),
    Index("ix_download_content_id", "content_id", sqlite_where=text("content_id IS NOT NULL")),
    Index("ix_download_open", "account_id", "id", sqlite_where=text("state != 'done'")),
)

coverage = Table(
    "coverage",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("axis", Text, nullable=False),  # created, updated
    Column("from_at", Text, nullable=False),  # UTC, inclusive
    Column("to_at", Text, nullable=False),  # UTC, inclusive
    Column("narrowed", Text, nullable=False, server_default=""),  # JSON of what narrowed it; empty: everything
    Column("method", Text, nullable=False),  # window, scan
    Column("offset", Integer, nullable=False, server_default="0"),  # the cursor, in items
    Column("pages", Integer, nullable=False, server_default="0"),
    Column("run_id", Integer, nullable=False),
    Column("finished_at", Text),
    Index("ix_coverage_account", "account_id", "axis", "from_at"),
)
