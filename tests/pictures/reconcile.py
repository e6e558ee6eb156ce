"""Pictures of the page Reconcile: kinds of findings, both sides of one, ties, orders, goods, taxes and its dialogs."""

from __future__ import annotations

from pathlib import Path

from confere.app.orders import write_back
from confere.desktop.core.actions import Action
from confere.desktop.dialogs.order_import import OrderImportDialog
from confere.desktop.reconcile.decisions.decision_commands import Command
from confere.desktop.reconcile.group_list import What
from confere.desktop.shell.window import MainWindow
from tests.pictures.camera import Camera

_TABLES = (What.TIES, What.ORDERS, What.STOCK, What.TAXES)
_DIALOGS = (Command.EXPLAIN, Command.IGNORE, Command.LINK, Command.MERGE)
_ORDERS_TOLD = 3
_FILE = """Nº do pedido;Data;Situação;Cliente;CPF;SKU;Produto;Qtd;Preço unitário;Total;Frete;Observação
LV-1001;03/10/2026;pago;Ana Prado;529.982.247-25;CH-1;Chaleira;1;R$ 119,90;R$ 139,80;19,90;
LV-1002;04/10/2026;em separação;Rui Paz;111.444.777-35;BU-2;Bule;2;R$ 50,00;R$ 100,00;0,00;presente
LV-1003;31/31/2026;pago;Rui Paz;111.444.777-35;BU-2;Bule;2;R$ 50,00;R$ 100,00;0,00;
"""


def take(camera: Camera, window: MainWindow, scratch: Path, label: str, *, dialogs: bool) -> None:
    """Every view of it, over every month; the dialogs only where they are wanted."""
    scope = window.services.scope
    before = (scope.company, scope.month)
    scope.choose(None, None)
    window.go_to(Action.RECONCILE)
    camera.settle(window.services)
    page = window.reconcile
    camera.keep(window, f"reconcile-findings-{label}", window.services)
    page.show_rule("R3")  # a divergence of value
    camera.keep(window, f"reconcile-value-{label}", window.services)
    for what in _TABLES:
        page.groups.go_to(what)
        camera.keep(window, f"reconcile-{what.value}-{label}", window.services)
    if dialogs:
        _dialogs(camera, window, scratch, label)
    page.groups.go_to(What.ALL)
    scope.choose(*before)


def _dialogs(camera: Camera, window: MainWindow, scratch: Path, label: str) -> None:
    page, services = window.reconcile, window.services
    page.show_rule("R3")
    camera.settle(services)
    for which in _DIALOGS:
        page.commands[which].trigger()
        dialog = page.deciders.dialog
        assert dialog is not None, which
        camera.keep(dialog, f"reconcile-dialog-{which.name.lower()}-{label}", services)
        dialog.reject()
    plan = write_back.plan(services.opened, page.account)
    order_ids = [candidate.order.hub_id for candidate in plan.candidates]
    order_ids += [left.order_id for left in plan.left_out]
    page.deciders.ask_write_back(page.account, order_ids[:_ORDERS_TOLD])
    dialog = page.deciders.dialog
    assert dialog is not None
    camera.keep(dialog, f"reconcile-dialog-write-back-{label}", services)
    dialog.reject()
    file = scratch / "pedidos.csv"
    file.write_text(_FILE, encoding="utf-8")
    bringing = OrderImportDialog(services, page.account, window)
    bringing.open_file(file)
    bringing.show()
    camera.keep(bringing, f"reconcile-dialog-import-{label}", services)
    bringing.reject()
    bringing.deleteLater()
