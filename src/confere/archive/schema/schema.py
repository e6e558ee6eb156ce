"""The tables of the archive, as SQLAlchemy metadata; migrations create them, everything else reads them here.

Conventions: money is integer centavos; times are ISO 8601 text as written, except `*_at` of our own acts, which
are UTC ISO text; `*_on` is a local date. Digests are 32 raw bytes, looked up through their first eight bytes as
an integer, since an index over full random digests would be four times as large.
The full-text table is not here: it belongs to SQLite alone and lives in `search`.
"""

from __future__ import annotations

from confere.archive.schema.account_tables import account as account
from confere.archive.schema.account_tables import audit as audit
from confere.archive.schema.account_tables import establishment as establishment
from confere.archive.schema.account_tables import info as info
from confere.archive.schema.account_tables import run as run
from confere.archive.schema.account_tables import seal as seal
from confere.archive.schema.catalog_tables import catalog_name as catalog_name
from confere.archive.schema.catalog_tables import catalog_product as catalog_product
from confere.archive.schema.catalog_tables import catalog_push as catalog_push
from confere.archive.schema.catalog_tables import catalog_push_step as catalog_push_step
from confere.archive.schema.catalog_tables import catalog_sku as catalog_sku
from confere.archive.schema.catalog_tables import catalog_version as catalog_version
from confere.archive.schema.closing_tables import closing as closing
from confere.archive.schema.closing_tables import closing_part as closing_part
from confere.archive.schema.closing_tables import closing_stamp as closing_stamp
from confere.archive.schema.document_tables import LISTED as LISTED
from confere.archive.schema.document_tables import belonging as belonging
from confere.archive.schema.document_tables import document as document
from confere.archive.schema.document_tables import event as event
from confere.archive.schema.document_tables import item as item
from confere.archive.schema.document_tables import item_reference as item_reference
from confere.archive.schema.document_tables import lone_answer as lone_answer
from confere.archive.schema.document_tables import party as party
from confere.archive.schema.document_tables import relation as relation
from confere.archive.schema.document_tables import taxpayer as taxpayer
from confere.archive.schema.document_tables import voiding as voiding
from confere.archive.schema.feed_tables import feed_record as feed_record
from confere.archive.schema.feed_tables import feed_record_version as feed_record_version
from confere.archive.schema.feed_tables import published_price as published_price
from confere.archive.schema.hub_tables import coverage as coverage
from confere.archive.schema.hub_tables import declaration as declaration
from confere.archive.schema.hub_tables import download as download
from confere.archive.schema.hub_tables import hub_document as hub_document
from confere.archive.schema.hub_tables import hub_history as hub_history
from confere.archive.schema.hub_tables import hub_metadata as hub_metadata
from confere.archive.schema.hub_tables import hub_record as hub_record
from confere.archive.schema.hub_tables import hub_shape as hub_shape
from confere.archive.schema.metadata import metadata as metadata
from confere.archive.schema.order_tables import hub_return as hub_return
from confere.archive.schema.order_tables import order_asked as order_asked
from confere.archive.schema.order_tables import order_item as order_item
from confere.archive.schema.order_tables import order_version as order_version
from confere.archive.schema.order_tables import return_item as return_item
from confere.archive.schema.order_tables import sales_order as sales_order
from confere.archive.schema.reconciliation_tables import act as act
from confere.archive.schema.reconciliation_tables import decision as decision
from confere.archive.schema.reconciliation_tables import explained_difference as explained_difference
from confere.archive.schema.reconciliation_tables import finding as finding
from confere.archive.schema.reconciliation_tables import finding_act as finding_act
from confere.archive.schema.reconciliation_tables import finding_key as finding_key
from confere.archive.schema.reconciliation_tables import finding_order as finding_order
from confere.archive.schema.reconciliation_tables import link as link
from confere.archive.schema.reconciliation_tables import phrase as phrase
from confere.archive.schema.reconciliation_tables import signoff as signoff
from confere.archive.schema.reconciliation_tables import suggestion as suggestion
from confere.archive.schema.reconciliation_tables import tax_group as tax_group
from confere.archive.schema.reconciliation_tables import tie as tie
from confere.archive.schema.saved_tables import document_tag as document_tag
from confere.archive.schema.saved_tables import saved_search as saved_search
from confere.archive.schema.saved_tables import tag as tag
from confere.archive.schema.vault_tables import arrival as arrival
from confere.archive.schema.vault_tables import certificate as certificate
from confere.archive.schema.vault_tables import content as content
from confere.archive.schema.vault_tables import dictionary as dictionary
from confere.archive.schema.vault_tables import vault_check as vault_check
from confere.archive.schema.vault_tables import vault_damage as vault_damage
from confere.archive.schema.vault_tables import wrapping as wrapping
from confere.archive.schema.verdict_tables import account_root as account_root
from confere.archive.schema.verdict_tables import basis as basis
from confere.archive.schema.verdict_tables import verdict as verdict
from confere.archive.schema.verdict_tables import why as why
