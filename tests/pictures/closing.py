"""Pictures of the closing: its tabs for one company, the dialogs around it, and what changed since."""

from __future__ import annotations

from confere.app.backups import backup_copies
from confere.app.closing import close_month
from confere.app.closing.close_month import CloseRequest
from confere.app.documents import browse
from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.queries import FindingFilter, FindingQuery, FindingState
from confere.desktop.closing.close_dialog import CloseDialog
from confere.desktop.core.actions import Action
from confere.desktop.dialogs.package.name_templates import NameTemplatesDialog
from confere.desktop.dialogs.period import PeriodDialog
from confere.desktop.settings.restore_dialog import RestoreDialog
from confere.desktop.shell.command_palette.palette_dialog import PaletteDialog
from confere.desktop.shell.command_palette.palette_entries import entries_of
from confere.desktop.shell.window import MainWindow
from tests.pictures import dialogs
from tests.pictures.camera import Camera

_TABS = ("checklist", "bridge", "package", "changes")
_REVIEWED = 3  # findings that are explained after the month was closed


def take(camera: Camera, window: MainWindow, label: str) -> None:
    """Every tab, for the company that the archive has most documents of."""
    _tabs(camera, window, f"closing-{{tab}}-{label}")


def take_dialogs(camera: Camera, window: MainWindow, label: str) -> None:
    """The dialogs that have to do with a month, and the list of all commands."""
    services = window.services
    month = services.scope.month
    assert month is not None
    previews = close_month.preview(services.opened, month, None, close_month.lacking(services.opened))
    copies = backup_copies.of_open(services.opened).copies
    dialogs.show(camera, window, f"dialog-close-{label}", lambda: CloseDialog(previews, services.memory, window))
    dialogs.show(camera, window, f"dialog-templates-{label}", lambda: NameTemplatesDialog(services, window))
    dialogs.show(camera, window, f"dialog-restore-{label}", lambda: RestoreDialog(services, copies, window))
    dialogs.show(camera, window, f"dialog-period-{label}", lambda: PeriodDialog(f"{month}-01", None, window))
    dialogs.show(camera, window, f"dialog-palette-{label}", lambda: PaletteDialog(services, entries_of(window), window))


def take_closed(camera: Camera, window: MainWindow, label: str) -> None:
    """Close the month, explain findings of it, and show what that changed; the archive is written to."""
    services = window.services
    month = services.scope.month
    assert month is not None
    close_month.close(services.workspace, CloseRequest(month, allow_incomplete=True))
    rows = queries.findings(
        services.opened, FindingQuery("", FindingFilter(month, states=(FindingState.OPEN,))), limit=_REVIEWED
    )
    decisions.explain(services.workspace, [row.id for row in rows], "conferido com o cliente")
    _tabs(camera, window, f"closing-closed-{{tab}}-{label}")


def _tabs(camera: Camera, window: MainWindow, name: str) -> None:
    scope = window.services.scope
    window.go_to(Action.CLOSING)
    company = browse.companies(window.services.opened)[0]
    scope.choose_company(company.tax_id)
    for number, tab in enumerate(_TABS):
        window.closing.tabs.setCurrentIndex(number)
        camera.keep(window, name.format(tab=tab), window.services)
    window.closing.tabs.setCurrentIndex(0)
    scope.choose_company(None)
