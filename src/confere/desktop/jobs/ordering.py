"""The orders that the window gives, each as the command line that a person would type."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from confere.desktop.jobs.order import Kind, Order
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.exporting import ExportChoice

DEMO_DOCUMENTS = 2000
DEMO_SEED = 7
_LISTED = "--paths-from"


def demo_order(documents: int = DEMO_DOCUMENTS, seed: int = DEMO_SEED) -> Order:
    """The embedded sandbox from start to packages."""
    return Order(
        Kind.DEMO, t("Demonstration"), ("demo", "--no-window", "--documents", str(documents), "--seed", str(seed))
    )


def sync_order(accounts: Sequence[str] = (), *, full: bool = False, only_failed: bool = False) -> Order:
    """Sync these accounts, or all; `only_failed` asks for nothing but what failed before."""
    arguments = ["sync"]
    for name in accounts:
        arguments += ["--account", name]
    if full:
        arguments.append("--full")
    if only_failed:
        arguments.append("--retry")
    return Order(Kind.SYNC, t("Retry") if only_failed else t("Synchronisation"), tuple(arguments))


def import_order(paths: Sequence[Path]) -> Order:
    """Import these; their names travel in a file, since a command line has an end and thousands may be dropped."""
    # The child reads it and takes it away: it must outlive this function, and nobody here knows for how long.
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".json", prefix="confere-", delete=False) as file:
        json.dump([str(path) for path in paths], file)
    return Order(Kind.IMPORT, t("Import"), ("import", _LISTED, file.name))


def tidy(order: Order) -> None:
    """Take away what an order that never ran has left: the list of what was to be imported."""
    if order.kind is Kind.IMPORT and _LISTED in order.arguments:
        Path(order.arguments[-1]).unlink(missing_ok=True)


def export_order(choice: ExportChoice) -> Order:
    """Write the packages that were chosen."""
    arguments = ["export", "--month", choice.month, "--profile", choice.profile]
    if choice.company is not None:
        arguments += ["--company", choice.company]
    if choice.target is not None:
        arguments += ["--to", str(choice.target)]
    if choice.replace:
        arguments.append("--replace")
    if choice.split:
        arguments.append("--split-models")
    return Order(Kind.EXPORT, t("Export"), tuple(arguments), {"month": choice.month})


def verify_order(*, quiet: bool = False) -> Order:
    """Check the authenticity of what was not checked yet. `quiet`: nobody asked, so nobody is told that all is well."""
    return Order(Kind.VERIFY, t("Check of authenticity"), ("verify",), {"quiet": quiet})


def reindex_order() -> Order:
    """Read again, with the reader of this release, what an older one read."""
    return Order(Kind.REINDEX, t("Reading again"), ("reindex",))


def check_order() -> Order:
    """Read every content back against its SHA-256."""
    return Order(Kind.CHECK, t("Verification"), ("doctor", "--verify"))


def backup_order() -> Order:
    """Write a checked copy of the archive."""
    return Order(Kind.BACKUP, t("Backup"), ("doctor", "--backup"))


def upgrade_order() -> Order:
    """Bring an archive of an older release up to date; a copy of it is kept first."""
    return Order(Kind.UPGRADE, t("Bringing the archive up to date"), ("doctor", "--migrate"))
