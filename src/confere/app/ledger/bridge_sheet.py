"""The table of the month's ledger that leads from orders taken to invoices authorized, account by account."""

from __future__ import annotations

from confere.app.archive_session import OpenArchive
from confere.app.closing.bridge import BridgeSheetRow, sheet_rows
from confere.app.labels.marketplace_labels import marketplace_word
from confere.app.ledger.business_sheets import owners
from confere.app.ledger.ledger_columns import Shown, TableNames, column, table
from confere.app.reconciliation.report_sheets import Of
from confere.errors import UsageFault
from confere.export.spreadsheet.xlsx_writer import CellKind, Sheet
from confere.sales.bridge import NO_MARKETPLACE
from confere.system.messages import t


def bridge(opened: OpenArchive, company: str, month: str) -> Sheet | None:
    """The bridge of the company's month as each of its accounts was reconciled; None where none ever was."""
    reconciled = False
    rows: list[Of[BridgeSheetRow]] = []
    for owner in owners(opened, company):
        try:
            found = sheet_rows(opened, owner.name, month, company)
        except UsageFault:  # never reconciled
            continue
        reconciled = True
        rows += (Of(owner.name, row) for row in found)
    if not reconciled:
        return None
    columns: Shown[Of[BridgeSheetRow]] = [
        column("account", t("Account"), lambda one: one.account, width=20),
        column("marketplace", t("Marketplace"), lambda one: _marketplace(one.value.marketplace), width=20),
        column("line", t("Line"), lambda one: one.value.label, CellKind.LONG, 70),
        column("orders", t("Orders"), lambda one: one.value.orders, CellKind.WHOLE, 12),
        column("documents", t("Documents"), lambda one: one.value.documents, CellKind.WHOLE, 12),
        column("amount", t("Amount"), lambda one: one.value.amount, CellKind.MONEY, 18),
    ]
    return table(TableNames("bridge", t("Bridge")), columns, rows, total=False)


def _marketplace(name: str | None) -> str:
    if name is None:
        return t("All marketplaces")
    return t("None named") if name == NO_MARKETPLACE else marketplace_word(name)
