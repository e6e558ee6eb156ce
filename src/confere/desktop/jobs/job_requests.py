"""The orders that the window gives, each as the command line that a person would type."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from confere.desktop.jobs.job import JobKind, JobRequest
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.packages.export import ExportChoice
    from confere.sales.declarations import CompleteFor
    from confere.sales.order_moves import OrderMove

DEMO_DOCUMENTS = 2000
DEMO_SEED = 7
_LISTED, _NAMED, _SECRET = "--paths-from", "--ids-from", "--passphrase-file"


def demo_order(documents: int = DEMO_DOCUMENTS, seed: int = DEMO_SEED) -> JobRequest:
    """The embedded sandbox from start to packages."""
    return JobRequest(
        JobKind.DEMO, t("Demonstration"), ("demo", "--no-window", "--documents", str(documents), "--seed", str(seed))
    )


def sync_order(accounts: Sequence[str] = (), *, full: bool = False, only_failed: bool = False) -> JobRequest:
    """Sync these accounts, or all; `only_failed` asks for nothing but what failed before."""
    arguments = ["sync"]
    for name in accounts:
        arguments += ["--account", name]
    if full:
        arguments.append("--full")
    if only_failed:
        arguments.append("--retry")
    return JobRequest(JobKind.SYNC, t("Retry") if only_failed else t("Synchronisation"), tuple(arguments))


def import_order(paths: Sequence[Path], *, account: str = "", complete: str = "") -> JobRequest:
    """Import these; their names travel in a file, since a command line has an end and thousands may be dropped.

    `complete` (YYYY-MM) declares them to be all documents of a month, of `account`.
    """
    listed = _list_of(json.dumps([str(path) for path in paths]), ".json")
    whole = ("--account", account, "--complete", complete) if complete else ()
    return JobRequest(JobKind.IMPORT, t("Import"), ("import", *whole, _LISTED, listed))


def tidy(order: JobRequest) -> None:
    """Take away the list that was written for an order which has ended, or never began."""
    for option, value in pairwise(order.arguments):
        if option in (_LISTED, _NAMED, _SECRET):
            with suppress(OSError):  # what another process holds, on Windows: the system's own tidying gets it
                Path(value).unlink(missing_ok=True)


def export_order(choice: ExportChoice) -> JobRequest:
    """Write the packages that were chosen."""
    from confere.app.packages.export import Events, Form, Split  # loaded already, since there is a choice

    arguments = ["export", "--month", choice.options.month, "--profile", choice.profile]
    if choice.company is not None:
        arguments += ["--company", choice.company]
    if choice.target is not None:
        arguments += ["--to", str(choice.target)]
    if choice.options.replace:
        arguments.append("--replace")
    if choice.options.split is Split.MODEL:
        arguments.append("--split-models")
    if choice.options.with_not_authentic:
        arguments.append("--with-not-authentic")
    if choice.options.form is not Form.ZIP:
        arguments += ["--as", choice.options.form.value]
    if choice.options.events is not Events.OWN:
        arguments += ["--events", choice.options.events.value]
    if choice.options.bag:
        arguments.append("--bagit")
    for option, template in (("--name-template", choice.name_template), ("--folder-template", choice.folder_template)):
        if template:
            arguments += [option, template]
    if choice.with_pdf:
        arguments.append("--with-pdf")
    return JobRequest(JobKind.EXPORT, t("Export"), tuple(arguments), {"month": choice.options.month})


class SavedForm(StrEnum):
    """What documents of a list are saved as."""

    ZIP = "zip"  # their XML in one file
    FOLDER = "folder"  # their XML, a file each
    PDF = "pdf"
    XLSX = "xlsx"
    CSV = "csv"


_OPTION_OF = {
    SavedForm.ZIP: "--save-xml",
    SavedForm.FOLDER: "--save-xml",
    SavedForm.PDF: "--save-pdf",
    SavedForm.XLSX: "--xlsx",
    SavedForm.CSV: "--csv",
}


class SavedList(StrEnum):
    """The lists of which rows can be saved."""

    DOCUMENTS = "documents"
    ORDERS = "orders"
    FINDINGS = "findings"
    PRODUCTS = "products"


_COMMAND_OF = {
    SavedList.DOCUMENTS: ("list",),
    SavedList.ORDERS: ("orders", "list"),
    SavedList.FINDINGS: ("findings", "list"),
    SavedList.PRODUCTS: ("catalog", "list"),
}


def selection_order(
    form: SavedForm, ids: Sequence[int], target: Path, listed: SavedList = SavedList.DOCUMENTS
) -> JobRequest:
    """Save these rows of a list to `target`; a person was asked already whether a file there may go."""
    named = _list_of("".join(f"{number}\n" for number in ids), ".txt")
    arguments = (*_COMMAND_OF[listed], _OPTION_OF[form], str(target), "--replace", _NAMED, named)
    folder = target if form in (SavedForm.FOLDER, SavedForm.PDF) else target.parent
    title = t("Saving of documents") if listed is SavedList.DOCUMENTS else t("Saving of rows")
    return JobRequest(JobKind.SELECTION, title, arguments, {"folder": str(folder)})


def verify_order(*, quiet: bool = False) -> JobRequest:
    """Check the authenticity of what was not checked yet. `quiet`: nobody asked, so nobody is told that all is well."""
    return JobRequest(JobKind.VERIFY, t("Check of authenticity"), ("verify",), {"quiet": quiet})


def reindex_order() -> JobRequest:
    """Read again, with the reader of this release, what an older one read."""
    return JobRequest(JobKind.REINDEX, t("Reading again"), ("reindex",))


def check_order() -> JobRequest:
    """Read every content back against its SHA-256."""
    return JobRequest(JobKind.CHECK, t("Verification"), ("doctor", "--verify"))


def backup_order() -> JobRequest:
    """Write checked copies of the archive to the usual places."""
    return JobRequest(JobKind.BACKUP, t("Backup"), ("backup",))


def check_copies_order() -> JobRequest:
    """Read every backup from beginning to end."""
    return JobRequest(JobKind.BACKUP, t("Check of the backups"), ("backup", "--status", "--check"))


def drill_order() -> JobRequest:
    """Restore the newest backup to a scratch place and verify it there."""
    return JobRequest(JobKind.BACKUP, t("Trial of a backup"), ("backup", "--drill"))


def accept_loss_order() -> JobRequest:
    """Write down that a person accepts what the newest backup holds less of."""
    return JobRequest(JobKind.BACKUP, t("Acceptance of a loss"), ("backup", "--acknowledge"))


def home_order(folder: Path, *, copy: bool) -> JobRequest:
    """Use this data folder from the next start on, with a copy of the archive in it or not."""
    return JobRequest(JobKind.HOME, t("Other data folder"), ("home", *(["--copy"] if copy else []), f"{folder}"))


def restore_order(file: Path, passphrase: str = "", *, preview: bool) -> JobRequest:
    """Put a backup into the archive's place, or only look what it is. The passphrase travels in a private file."""
    secret = (_SECRET, _list_of(passphrase, ".txt")) if passphrase else ()
    how = "--preview" if preview else "--yes"
    kind, title = (
        (JobKind.RESTORE_PREVIEW, t("Check of a backup")) if preview else (JobKind.RESTORE, t("Restore of a backup"))
    )
    return JobRequest(kind, title, ("restore", how, *secret, str(file)))


def upgrade_order() -> JobRequest:
    """Bring an archive of an older release up to date; a copy of it is kept first."""
    return JobRequest(JobKind.UPGRADE, t("Bringing the archive up to date"), ("doctor", "--migrate"))


def reconcile_order(accounts: Sequence[str] = (), period: str | None = None, report: Path | None = None) -> JobRequest:
    """Reconcile these accounts, or all; a month (`YYYY-MM`), or every one. `report` is a spreadsheet to be written."""
    arguments = ["reconcile", "--summary"]
    for name in accounts:
        arguments += ["--account", name]
    arguments += ["--all"] if period is None else ["--period", period]
    if report is not None:
        arguments += ["--report", str(report)]
    return JobRequest(JobKind.RECONCILE, t("Reconciliation"), tuple(arguments), {"report": str(report or "")})


def close_order(
    month: str, company: str | None, *, preparer: str = "", reviewer: str = "", incomplete: bool = False
) -> JobRequest:
    """Close a month (`YYYY-MM`) of this company, or of each with documents."""
    arguments = ["close", "--period", month, *_of_company(company)]
    for option, value in (("--preparer", preparer), ("--reviewer", reviewer)):
        if value.strip():
            arguments.append(f"{option}={value.strip()}")
    if incomplete:
        arguments.append("--incomplete")
    return JobRequest(JobKind.CLOSE, t("Closing the month"), tuple(arguments))


def reopen_order(month: str, company: str | None, reason: str) -> JobRequest:
    """Open a closed month again."""
    arguments = ("close", "--reopen", "--period", month, *_of_company(company), f"--reason={reason.strip()}")
    return JobRequest(JobKind.CLOSE, t("Opening the month again"), arguments)


def _of_company(company: str | None) -> tuple[str, ...]:
    return () if company is None else ("--company", company)


def orders_order(
    file: Path,
    account: str,
    mapping: Mapping[str, str],
    sheet: str = "",
    *,
    statuses: Mapping[str, str] | None = None,
    complete: CompleteFor | None = None,
) -> JobRequest:
    """Import a list of orders with these meanings of its columns and statuses, of this sheet where it has several.

    `complete` declares it to be all there is of months and marketplaces.
    """
    arguments = ["orders", "import", "--account", account]
    for option, said in (("--map", mapping), ("--status", statuses or {})):
        for name, meaning in said.items():
            pair = f"{name}={meaning}".replace('"', '""')
            arguments += [option, f'"{pair}"']  # a name may hold a comma
    if complete is not None:
        arguments += [word for month in complete.months for word in ("--complete", month)]
        arguments += [word for name in complete.marketplaces for word in ("--marketplace", name)]
    if sheet:
        arguments += ["--sheet", sheet]
    return JobRequest(JobKind.ORDERS, t("Import of orders"), (*arguments, str(file)))


def invoice_order(account: str, orders: Sequence[str], digest: str) -> JobRequest:
    """Tell the hub the invoices of these orders, if the requests are still those that a person saw."""
    listed = _list_of("".join(f"{name}\n" for name in orders), ".txt")
    arguments = ("--account", account, "--only-if", digest, "--yes", "--summary", _NAMED, listed)
    return JobRequest(JobKind.INVOICES, t("Invoices to orders"), ("orders", "invoice", *arguments))


def move_order(account: str, orders: Sequence[str], move: OrderMove, digest: str) -> JobRequest:
    """Move these orders at the hub, if the requests are still those that a person saw."""
    from confere.sales.order import Tracking

    listed = _list_of("".join(f"{name}\n" for name in orders), ".txt")
    told = move.tracking or Tracking()
    details = {
        "--shipped-date": told.shipped_at,
        "--estimate-date": told.estimated_at,
        "--delivered-date": told.delivered_at,
        "--carrier": told.carrier,
        "--number": told.number,
        "--url": told.url,
    }
    # Joined to its option: what a person typed may begin with a dash.
    given = [f"{name}={value}" for name, value in details.items() if value]
    whose = ("--account", account, "--only-if", digest, "--yes", "--summary", _NAMED, listed)
    arguments = ("orders", "move", "--to", move.kind.value, *given, *whose)
    return JobRequest(JobKind.MOVES, t("Moves of orders"), arguments)


def catalog_order(account: str, *, full: bool = False) -> JobRequest:
    """Bring the catalog of an account up to date; `full` lists every product again."""
    whole = ("--full",) if full else ()
    return JobRequest(JobKind.CATALOG, t("Catalog"), ("catalog", "sync", "--account", account, *whole))


def push_preview_order(file: Path, account: str) -> JobRequest:
    """Say what a file of products would write to the account's hub, and write nothing."""
    arguments = ("catalog", "push", "--account", account, "--preview", str(file))
    return JobRequest(JobKind.PUSH_PREVIEW, t("Preview of products"), arguments)


def push_order(file: Path, account: str, digest: str, report: Path | None = None) -> JobRequest:
    """Write a file of products to the account's hub, if the requests are still those that a person saw.

    `report` is a spreadsheet with what became of each row.
    """
    written = () if report is None else ("--report", str(report))
    arguments = ("catalog", "push", "--account", account, "--only-if", digest, "--yes", *written, str(file))
    return JobRequest(JobKind.PUSH, t("Products to the hub"), arguments, {"report": str(report or "")})


def _list_of(text: str, suffix: str) -> str:
    """A file that holds `text` for a child; it outlives this function, and `tidy` takes it away."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=suffix, prefix="confere-", delete=False) as file:
        file.write(text)
    return file.name
