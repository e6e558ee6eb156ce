"""The tables of what was read from the bytes: documents, their parties, items, events and relations.

Conventions are those of `schema`.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Index, Integer, PrimaryKeyConstraint, Table, Text, text

from confere.archive.schema.metadata import clustered, metadata

# What lists are filtered and ordered by, in one tree a tenth as large as the table: read whole where nothing narrower
# fits. By day and number, so that the usual order and a month are stretches of it.
LISTED = (
    "issued_on", "id", "is_current", "type", "state", "operation", "direction", "total", "number", "emitter_id",
    "recipient_id", "taker_id", "warning_count", "hub_marketplace", "hub_order_id", "hub_disagrees", "verdict",
    "state_ground",
)  # fmt: skip

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
    Column("verdict", Integer),  # 0 ok, 1 could not be checked whole, 2 failed, 3 a test; null: not checked yet
    Column("freight_mode", Text),  # modFrete
    Column("weight", Text),  # gross, kilograms, decimal as written
    Column("quoted", Text),  # what looks like the number of an order in its notes, blanks between
    Column("mismatches", Text),  # totals to which the items do not add up, as `vProd:100.00:90.00`, blanks between
    Column("signed_digest", Text),  # DigestValue of its signature, where no answer of the authority stands beside it
    Column("state_ground", Integer),  # what the state stands on, as `grounds` numbers it; null: not settled, or none
    Column("credit_type", Text),  # tpNFCredito
    Column("debit_type", Text),  # tpNFDebito
    Column("intermediary", Text),  # infIntermed/CNPJ
    Column("presence", Text),  # indPres
    Index("ix_document_access_key", "access_key"),
    Index("ix_document_list", *LISTED, sqlite_where=text("is_current = 1")),
    Index("ix_document_failed", "verdict", "is_current", sqlite_where=text("is_current = 1 AND verdict = 2")),
    Index("ix_document_unsettled", "id", sqlite_where=text("state_ground IS NULL")),
    Index("ix_document_number", "number"),
    Index("ix_document_credit_type", "credit_type", sqlite_where=text("credit_type IS NOT NULL")),
    Index("ix_document_debit_type", "debit_type", sqlite_where=text("debit_type IS NOT NULL")),
    Index("ix_document_content_id", "content_id"),
    Index("ix_document_total", "total", sqlite_where=text("is_current = 1")),
    Index("ix_document_protocol", "protocol", sqlite_where=text("protocol IS NOT NULL")),
    Index("ix_document_key_end", text("substr(access_key, -8)")),  # what a person reads off the end of a key
    # Where the orders of a list begin, and what few documents have; a value that most have is left out. They serve only
    # questions that repeat their conditions word for word: without statistics SQLite would take them for many rows too.
    Index("ix_document_order", "hub_order_id", sqlite_where=text("is_current = 1 AND hub_order_id IS NOT NULL")),
    Index("ix_document_emitter", "emitter_id", "recipient_id", sqlite_where=text("is_current = 1 AND emitter_id > 0")),
    Index("ix_document_recipient", "recipient_id", sqlite_where=text("is_current = 1 AND recipient_id > 0")),
    Index(
        "ix_document_marketplace",
        "hub_marketplace",
        sqlite_where=text("is_current = 1 AND hub_marketplace IS NOT NULL"),
    ),
    Index("ix_document_type", "type", sqlite_where=text("is_current = 1 AND type != 'nfe'")),
    Index(
        "ix_document_other_total",
        "total",
        sqlite_where=text("is_current = 1 AND type != 'nfe' AND total IS NOT NULL"),
    ),
    Index("ix_document_state", "state", "total", sqlite_where=text("is_current = 1 AND state != 'authorized'")),
    Index("ix_document_operation", "operation", sqlite_where=text("is_current = 1 AND operation != 'sale'")),
    Index("ix_document_verdict", "verdict", sqlite_where=text("is_current = 1 AND verdict IS NOT NULL")),
    Index("ix_document_ground", "state_ground", sqlite_where=text("is_current = 1 AND state_ground != 2")),
    Index("ix_document_warnings", "warning_count", sqlite_where=text("is_current = 1 AND warning_count > 0")),
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
    Index("ix_taxpayer_name", text("name COLLATE NOCASE")),
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
    Column("origin", Text),  # of the goods, as the ICMS names it (orig)
    PrimaryKeyConstraint("document_id", "position"),
)

item_reference = clustered(
    "item_reference",  # items that name an item of another document; few
    Column("document_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),  # of the item that names
    Column("target_key", Text, nullable=False),
    Column("target_item", Integer),  # nItem there
    PrimaryKeyConstraint("document_id", "position", "target_key"),
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
    Index("ix_event_protocol", "protocol", sqlite_where=text("protocol IS NOT NULL")),
)

lone_answer = clustered(
    "lone_answer",
    Column("content_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("access_key", Text),  # of the document that it is about
    Column("cstat", Text),
    Column("reason", Text),
    Column("protocol", Text),
    Column("received_at", Text),
    Column("digest", Text),  # digVal
    Column("environment", Text),
    PrimaryKeyConstraint("content_id", "position"),
    Index("ix_lone_answer_access_key", "access_key"),
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
