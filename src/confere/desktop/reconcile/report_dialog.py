"""Asks where the report of a reconciliation goes, and has the run started that writes it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from confere.desktop.jobs.job_requests import reconcile_order
from confere.desktop.services import Services
from confere.system.files.safe_names import inside
from confere.system.messages import t

_FOLDER = "reconcile/folder"


def ask_report(services: Services, account: str | None, parent: QWidget) -> None:
    """Of the month in use, else of every one; nothing happens where no file is named."""
    month = services.scope.month
    folder = services.memory.text(_FOLDER) or str(services.workspace.home.exports)
    stem = "-".join(filter(None, (t("reconciliation"), account, month)))
    proposed = inside(Path(folder), f"{stem}.xlsx")
    name, _ = QFileDialog.getSaveFileName(parent, t("Report"), str(proposed), f"{t('Spreadsheet')} (*.xlsx)")
    if not name:
        return
    file = Path(name) if name.lower().endswith(".xlsx") else Path(f"{name}.xlsx")
    services.memory.put(_FOLDER, str(file.parent))
    services.jobs.start(reconcile_order((account,) if account else (), month, file))
