"""What reconciliation holds against a product: the findings of R27 that are about it, alone or among many."""

from __future__ import annotations

from confere.app.archive_session import OpenArchive
from confere.app.catalog.catalog import CatalogRow
from confere.app.reconciliation import findings
from confere.app.reconciliation.values import FindingRow as FindingRow
from confere.archive.accounts import accounts
from confere.archive.catalog import noted_items
from confere.archive.reconciliation import finding_search
from confere.archive.reconciliation.finding_search import FindingFilter
from confere.reconcile.rules.goods import r27_catalog
from confere.sales.findings import FindingState

_STANDING = tuple(state.value for state in FindingState if state is not FindingState.RESOLVED)


def findings_of(opened: OpenArchive, row: CatalogRow) -> tuple[FindingRow, ...]:
    """The findings that invoices describe this product otherwise than its catalog, but those that are resolved.

    Where many products have the same mistake, theirs is one finding: it is this product's where an item of the
    archive shows so.
    """
    product = row.product
    wanted = FindingFilter(rules=(r27_catalog.RULE.id,), states=_STANDING)
    with opened.reading() as transaction:
        owner = accounts.named(transaction, row.account)
        every = [entry for entry in finding_search.page(transaction, owner.id, wanted) if entry.found.checked]
        if not every:
            return ()
        codes = {sku.code for sku in product.skus if sku.code}
        eans = {sku.ean for sku in product.skus if sku.ean}
        about = r27_catalog.Subjects(product, noted_items.noted(transaction, codes, eans))
        mine = [entry for entry in every if entry.found.subject in about]
        return findings.rows(transaction, owner.id, mine)
