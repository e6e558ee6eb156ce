"""The tables of the archive, as SQLAlchemy metadata; migrations create them, everything else reads them here.

Conventions: money is integer centavos; times are ISO 8601 text as written, except `*_at` of our own acts, which
are UTC ISO text; `*_on` is a local date. Digests are 32 raw bytes, looked up through their first eight bytes as
an integer, since an index over full random digests would be four times as large.
The full-text table is not here: it belongs to SQLite alone and lives in `search`.
"""

from __future__ import annotations

from confere.archive.schema_accounts import account as account
from confere.archive.schema_accounts import audit as audit
from confere.archive.schema_accounts import establishment as establishment
from confere.archive.schema_accounts import info as info
from confere.archive.schema_accounts import run as run
from confere.archive.schema_hub import coverage as coverage
from confere.archive.schema_hub import declaration as declaration
from confere.archive.schema_hub import download as download
from confere.archive.schema_hub import hub_document as hub_document
from confere.archive.schema_hub import hub_history as hub_history
from confere.archive.schema_hub import hub_metadata as hub_metadata
from confere.archive.schema_hub import hub_record as hub_record
from confere.archive.schema_hub import hub_shape as hub_shape
from confere.archive.schema_orders import hub_return as hub_return
from confere.archive.schema_orders import order_asked as order_asked
from confere.archive.schema_orders import order_item as order_item
from confere.archive.schema_orders import order_version as order_version
from confere.archive.schema_orders import return_item as return_item
from confere.archive.schema_orders import sales_order as sales_order
from confere.archive.schema_papers import LISTED as LISTED
from confere.archive.schema_papers import belonging as belonging
from confere.archive.schema_papers import document as document
from confere.archive.schema_papers import event as event
from confere.archive.schema_papers import item as item
from confere.archive.schema_papers import item_reference as item_reference
from confere.archive.schema_papers import lone_answer as lone_answer
from confere.archive.schema_papers import party as party
from confere.archive.schema_papers import relation as relation
from confere.archive.schema_papers import taxpayer as taxpayer
from confere.archive.schema_papers import voiding as voiding
from confere.archive.schema_reconcile import act as act
from confere.archive.schema_reconcile import decision as decision
from confere.archive.schema_reconcile import explained_difference as explained_difference
from confere.archive.schema_reconcile import finding as finding
from confere.archive.schema_reconcile import finding_act as finding_act
from confere.archive.schema_reconcile import finding_key as finding_key
from confere.archive.schema_reconcile import finding_order as finding_order
from confere.archive.schema_reconcile import link as link
from confere.archive.schema_reconcile import phrase as phrase
from confere.archive.schema_reconcile import suggestion as suggestion
from confere.archive.schema_reconcile import tax_group as tax_group
from confere.archive.schema_reconcile import tie as tie
from confere.archive.schema_vault import arrival as arrival
from confere.archive.schema_vault import certificate as certificate
from confere.archive.schema_vault import content as content
from confere.archive.schema_vault import dictionary as dictionary
from confere.archive.schema_vault import vault_check as vault_check
from confere.archive.schema_vault import vault_damage as vault_damage
from confere.archive.schema_vault import wrapping as wrapping
from confere.archive.schema_verdicts import account_root as account_root
from confere.archive.schema_verdicts import basis as basis
from confere.archive.schema_verdicts import verdict as verdict
from confere.archive.schema_verdicts import why as why
from confere.archive.tables import metadata as metadata
