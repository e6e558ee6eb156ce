"""Pictures of the page Catalog: the list, one product in full with every page of it, filters, and a file to be sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

from confere.app.catalog import catalog
from confere.app.context import Workspace
from confere.archive.accounts import runs
from confere.archive.catalog import catalog_search, products
from confere.archive.catalog.catalog_search import CatalogQuery
from confere.archive.catalog.products import ReceivedProduct
from confere.desktop.catalog.filters import ProductFilters
from confere.desktop.core.actions import Action
from confere.desktop.jobs.catalog_results import (
    PlannedCount,
    PlannedPush,
    PushedCounts,
    PushJobResult,
    UnwrittenRow,
    WrongRow,
)
from confere.desktop.jobs.job import JobOutcome
from confere.desktop.jobs.job_requests import push_order
from confere.desktop.shell.window import MainWindow
from confere.hub.catalog.catalog_reads import product_of_text
from tests.pictures.camera import Camera

CHANGED: Final = "Liquidificador"
_PLANNED: Final = PlannedPush(
    brand=PlannedCount(2),
    category=PlannedCount(1),
    product=PlannedCount(36, 4),
    sku=PlannedCount(3),
    stock=PlannedCount(0, 43),
)


def prepare(home: Path) -> str:
    """Sync the catalog of the demo's hub, then let one product change twice, one lose its NCM, and one be gone.

    The code of the one that changed.
    """
    workspace = Workspace.at(home)
    catalog.sync(workspace)
    with workspace.writing("test") as archive:
        with archive.reading() as transaction:
            several = [row for row in catalog_search.page(transaction, CatalogQuery(), -1) if len(row.product.skus) > 1]
            changed, without, gone = several[:3]
            known = {row.id: json.loads(archive.content(row.content_id)) for row in several[:3]}
            (account,) = {row.account for row in several}
            account_id = int(transaction.scalar("SELECT id FROM account WHERE name = ?", (account,)))
        cheaper = known[changed.id]
        cheaper = {**cheaper, "skus": [{**sku, "price": 59.9, "amount": 3} for sku in cheaper["skus"]]}
        renamed = {**cheaper, "title": f"{CHANGED} 900 W", "nbm": {"id": "85094010"}}
        for version in (cheaper, renamed, {**known[without.id], "nbm": {"id": "8509"}}):
            with archive.writing() as transaction:
                run_id = runs.start(transaction, "catalog", account_id, {})
                runs.finish(transaction, run_id, "done", {})
                products.record(transaction, archive.vault_writer, account_id, run_id, [_received(version)])
        with archive.writing() as transaction:
            transaction.execute(
                "UPDATE catalog_product SET gone_since = '2026-11-20T12:00:00Z' WHERE id = ?", (gone.id,)
            )
    return changed.product.skus[0].code


def take(camera: Camera, window: MainWindow, label: str, *, dialogs: bool) -> None:
    """Every page of the product that changed, and what is missing; the dialog only where it is wanted."""
    scope = window.services.scope
    before = (scope.company, scope.month)
    scope.choose(None, None)
    window.go_to(Action.CATALOG)
    camera.settle(window.services)
    page = window.catalog
    camera.keep(window, f"catalog-list-{label}", window.services)
    page.table.selectAll()
    camera.keep(window, f"catalog-selected-{label}", window.services)
    for name, filters in (
        ("lacks", ProductFilters(lacks=("ncm",))),
        ("gone", ProductFilters(listings=("gone",))),
        ("changed", ProductFilters(text=CHANGED)),
    ):
        narrow(camera, window, filters)
        camera.keep(window, f"catalog-{name}-{label}", window.services)
    for number in range(1, page.panel.tabs.count()):
        page.panel.tabs.setCurrentIndex(number)
        camera.keep(window, f"catalog-tab-{number}-{label}", window.services)
    page.panel.tabs.setCurrentIndex(0)
    if dialogs:
        _push(camera, window, label)
    narrow(camera, window, ProductFilters(text="nada"))
    camera.keep(window, f"catalog-nothing-{label}", window.services)
    page.filters.clear()
    scope.choose(*before)


def narrow(camera: Camera, window: MainWindow, filters: ProductFilters) -> None:
    """As a person does with the chips."""
    window.catalog.filters.show_filters(filters)
    window.catalog.filters.changed.emit(filters)
    camera.settle(window.services)


def _push(camera: Camera, window: MainWindow, label: str) -> None:
    page = window.catalog
    page.push_file()
    dialog = page.dialog
    assert dialog is not None
    camera.keep(dialog, f"catalog-push-empty-{label}", window.services)
    dialog.file.setText(str(Path("/produtos") / "novembro.xlsx"))
    dialog.show_preview(PushJobResult(lines=52, as_at_hub=9, digest="5bc9", planned=_PLANNED))
    camera.keep(dialog, f"catalog-push-{label}", window.services)
    wrong = (
        WrongRow(7, "NCM", "O NCM tem 7 dígitos.", "Escreva os oito."),
        WrongRow(19, "SKU", "O código AZ-19 está também na linha 3.", "Deixe uma das linhas."),
    )
    dialog.show_preview(PushJobResult(lines=50, faults=wrong))
    camera.keep(dialog, f"catalog-push-wrong-{label}", window.services)
    bad = (
        UnwrittenRow(4, "AZ-04", "Caneca", "refused", "O hub recusou o pedido (422).", "Category 77 is not registered"),
        UnwrittenRow(9, "AZ-09", "Prato", "failed", "Não se sabe se chegou; a próxima vez olha antes de enviar."),
    )
    asked = push_order(Path("/produtos/novembro.xlsx"), "loja", "5bc9")
    counts = PushedCounts(created=35, changed=4, unchanged=9, refused=1, failed=1)
    result = PushJobResult(lines=50, counts=counts, rows=bad)
    dialog.show_pushed(JobOutcome(asked, 1, result, None, False), result)
    camera.keep(dialog, f"catalog-push-bad-{label}", window.services)
    dialog.reject()
    camera.settle(window.services)


def _received(version: dict[str, Any]) -> ReceivedProduct:
    raw = json.dumps(version).encode()
    return ReceivedProduct(product_of_text(raw).product, raw)
