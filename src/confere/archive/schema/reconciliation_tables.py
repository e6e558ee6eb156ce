"""The tables of reconciliation: links, ties, findings, a person's acts, and what documents come to by tax.

Orders are named by the hub's ids and documents by their keys, never by row numbers: a person's word and a finding's
identity outlive every sync, run and reading again.
"""

from __future__ import annotations

from sqlalchemy import (  # fmt: skip
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from confere.archive.schema.metadata import clustered, metadata

link = clustered(
    "link",
    Column("account_id", Integer, nullable=False),
    Column("order_hub_id", Text, nullable=False),
    Column("access_key", Text, nullable=False),
    Column("kind", Integer, nullable=False),  # `LinkKind`; 0 a person's
    Column("confidence", Integer, nullable=False),  # percent
    Column("evidence", Text, nullable=False),  # JSON of numbers of phrases and their values
    Column("run_id", Integer),  # that made it; null: a person did
    PrimaryKeyConstraint("account_id", "order_hub_id", "access_key"),
    Index("ix_link_access_key", "access_key", "account_id"),
)

phrase = Table(
    "phrase",  # a sentence of links' evidence without its values
    metadata,
    Column("id", Integer, primary_key=True),
    Column("text", Text, nullable=False, unique=True),  # JSON: the sentence's id and the names of its values
)

tie = clustered(
    "tie",
    Column("account_id", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("kind", Integer, nullable=False),
    Column("orders", Text, nullable=False),  # JSON of hub ids
    Column("keys", Text, nullable=False),  # JSON
    Column("reason", Text, nullable=False),  # JSON of a sentence
    Column("run_id", Integer, nullable=False),
    PrimaryKeyConstraint("account_id", "number"),
)

suggestion = clustered(
    "suggestion",  # an order and a sale that nearly fit: for a person to accept
    Column("account_id", Integer, nullable=False),
    Column("order_hub_id", Text, nullable=False),
    Column("access_key", Text, nullable=False),
    Column("agrees", Text, nullable=False),  # JSON of sentences
    Column("differs", Text, nullable=False),  # JSON of sentences
    Column("run_id", Integer, nullable=False),
    PrimaryKeyConstraint("account_id", "order_hub_id", "access_key"),
)

explained_difference = Table(
    "explained_difference",  # a difference of totals that R3 explains itself, in the runs from the first to before gone
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", Integer, nullable=False),
    Column("period", Text, nullable=False),
    Column("orders", Text, nullable=False),  # JSON of hub ids
    Column("keys", Text, nullable=False),  # JSON
    Column("amount", BigInteger, nullable=False),
    Column("evidence", Text, nullable=False),  # JSON of sentences
    Column("first_run_id", Integer, nullable=False),
    Column("gone_run_id", Integer),  # the first run that no longer had it so; null: the newest has
    Index("ix_explained_difference_account", "account_id", "gone_run_id"),
)

act = Table(
    "act",  # what a person did, to be undone and done again as one; or a run, of findings that came back
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("at", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("kind", Text, nullable=False),  # as `DecisionAct.kind`, or run
    Column("detail", Text, nullable=False, server_default="{}"),  # JSON
    Column("undone_at", Text),
    Column("is_closed", Integer, nullable=False, server_default="0"),  # 1: undone, and another act came after it
    Index("ix_act_account", "account_id", "id"),
)

decision = Table(
    "decision",  # a person's word about a pair; the newest standing one counts
    metadata,
    Column("id", Integer, primary_key=True),
    Column("act_id", ForeignKey("act.id"), nullable=False, index=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("order_hub_id", Text, nullable=False),
    Column("access_key", Text, nullable=False),
    Column("word", Text, nullable=False),  # link, unlink, confirm
    Column("is_standing", Integer, nullable=False),  # 0: its act is undone
    Index("ix_decision_pair", "account_id", "order_hub_id", "access_key"),
    Index("ix_decision_key", "account_id", "access_key"),
)

finding_act = Table(
    "finding_act",  # what an act did to one finding, and what it was before
    metadata,
    Column("id", Integer, primary_key=True),
    Column("act_id", ForeignKey("act.id"), nullable=False, index=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("from_state", Text, nullable=False),
    Column("to_state", Text, nullable=False),
    Column("from_note", Text),
    Column("note", Text),
    Index("ix_finding_act_finding", "account_id", "fingerprint"),
)

finding = Table(
    "finding",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("account_id", ForeignKey("account.id"), nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("period", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("amount", BigInteger),
    Column("checked", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("orders", Text, nullable=False),  # JSON of hub ids
    Column("keys", Text, nullable=False),  # JSON
    Column("subject", Text, nullable=False),
    Column("evidence", Text, nullable=False),  # JSON of sentences
    Column("note", Text),
    Column("author", Text),  # of the state or the note, where a person set it
    Column("changed_at", Text, nullable=False),
    Column("is_changed", Integer, nullable=False, server_default="0"),  # 1: amount or evidence moved since its state
    Column("is_stale", Integer, nullable=False, server_default="0"),  # 1: links of it were decided since its run
    Column("first_run_id", Integer, nullable=False),
    Column("last_run_id", Integer, nullable=False),  # that wrote it: a run that finds it unchanged writes nothing
    Column("resolved_run_id", Integer),
    Column("assignee", Text),  # who is to settle it
    Column("due_on", Text),  # by when, YYYY-MM-DD
    Column("found_at", Text),  # UTC: when a decision on links or a closing brought it; null: its first run found it
    UniqueConstraint("account_id", "fingerprint"),
    Index("ix_finding_list", "account_id", "period", "rule", "state", "amount"),
    Index("ix_finding_open", "account_id", "state", sqlite_where=text("state IN ('open', 'not_checked')")),
)

signoff = Table(
    "signoff",  # a reviewer's signature under the findings of a company's month
    metadata,
    Column("id", Integer, primary_key=True),
    Column("company", Text, nullable=False),  # CNPJ
    Column("month", Text, nullable=False),  # YYYY-MM
    Column("reviewer", Text, nullable=False),
    Column("actor", Text, nullable=False),  # the system's user that wrote it
    Column("at", Text, nullable=False),
    Column("note", Text),
    Column("findings", Integer, nullable=False),  # how many there were
    Column("digest", Text, nullable=False),  # SHA-256 of what they were
    Column("withdrawn_at", Text),  # when a finding was seen to be another one than signed
    Column("withdrawn_why", Text),  # as `Withdrawal`
    Column("basis", Integer, nullable=False, server_default="1"),  # by what a company's findings were told, see reviews
    Index("ix_signoff_month", "month", "company", "id"),
)

finding_order = clustered(
    "finding_order",
    Column("account_id", Integer, nullable=False),
    Column("order_hub_id", Text, nullable=False),
    Column("finding_id", Integer, nullable=False),
    PrimaryKeyConstraint("account_id", "order_hub_id", "finding_id"),
)

finding_key = clustered(
    "finding_key",
    Column("access_key", Text, nullable=False),
    Column("finding_id", Integer, nullable=False),
    PrimaryKeyConstraint("access_key", "finding_id"),
)

tax_group = clustered(
    "tax_group",  # the items of a document, summed by CFOP and CST; null where no item names the field
    Column("document_id", Integer, nullable=False),
    Column("position", Integer, nullable=False),
    Column("cfop", Text),
    Column("cst", Text),  # origin and CST or CSOSN of the ICMS, as `000` or `0102`
    Column("products", BigInteger),
    Column("discount", BigInteger),
    Column("freight", BigInteger),
    Column("other", BigInteger),  # vOutro and vSeg
    Column("icms_base", BigInteger),
    Column("icms", BigInteger),
    Column("icms_st_base", BigInteger),
    Column("icms_st", BigInteger),
    Column("fcp", BigInteger),  # vFCP and vFCPST
    Column("ipi", BigInteger),
    Column("pis", BigInteger),
    Column("cofins", BigInteger),
    Column("ibs", BigInteger),
    Column("cbs", BigInteger),
    PrimaryKeyConstraint("document_id", "position"),
)
