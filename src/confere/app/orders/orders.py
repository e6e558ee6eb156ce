"""The use cases on orders: bring a file in, find orders, show one in full."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from confere.app.context import Workspace
from confere.archive.accounts import accounts, preferences
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.preferences import Preferences
from confere.archive.documents import documents
from confere.archive.documents.documents import DocumentRow
from confere.archive.orders import order_search, orders, returns
from confere.archive.orders.order_search import OrderQuery as OrderQuery
from confere.archive.orders.orders import OrderRow as OrderRow
from confere.archive.orders.orders import OrderVersion as OrderVersion
from confere.archive.orders.returns import ReturnRow as ReturnRow
from confere.archive.reconciliation import finding_search, links
from confere.archive.reconciliation.findings import StoredFinding
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, UsageFault, message
from confere.fiscal.periods import MonthSpan
from confere.hub.orders.orders import order_of_text
from confere.intake.files import completeness_declaration
from confere.intake.order_files import columns, status_words
from confere.intake.order_files.ambiguous_columns import Doubt as Doubt
from confere.intake.order_files.ambiguous_columns import DoubtKind as DoubtKind
from confere.intake.order_files.cell_values import shown as shown_cell
from confere.intake.order_files.columns import FIELD_WORDS as FIELD_WORDS
from confere.intake.order_files.columns import FIELDS as FIELDS
from confere.intake.order_files.columns import NOTHING as NOTHING
from confere.intake.order_files.order_file_import import FileChoice as FileChoice
from confere.intake.order_files.order_file_import import OrderFileReading as OrderFileReading
from confere.intake.order_files.order_file_import import OrderFileResult as OrderFileResult
from confere.intake.order_files.order_file_import import import_order_file, read_for
from confere.intake.order_files.row_problems import RowProblem as RowProblem
from confere.intake.orders.order_writer import OrdersResult as OrdersResult
from confere.sales.declarations import CompleteFor as CompleteFor
from confere.sales.links import Link
from confere.sales.order import STATUS_MEANINGS, OrderStatus
from confere.sales.order import Order as Order
from confere.system import formatting
from confere.system.messages import t
from confere.system.processes.cancellation import Stop
from confere.system.processes.command_text import arguments
from confere.system.progress import Reporter

PREVIEWED = 20
_STATUSES_NAMED = 12


@dataclass(frozen=True, slots=True)
class OrderFilePreview:
    """What an import of a file would bring, and what it was read as.

    `rows` are its first lines as text; `sheets` all of a workbook, empty for CSV, of which it read `sheet`. `months`
    (`YYYY-MM`) says how many orders are of each.
    """

    reading: OrderFileReading
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    lines: int
    orders: int
    sheets: tuple[str, ...]
    sheet: str
    months: Mapping[str, int] = field(default_factory=dict)
    marketplaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrderPage:
    """A page of orders; `total` counts all of them, `of_no_company` those of a company's that nothing tells whose.

    `other_months`: where the days asked for have none, what there is without these days; None where there is nothing
    either, or no days were asked for.
    """

    orders: tuple[OrderRow, ...]
    total: int
    of_no_company: int = 0
    other_months: MonthSpan | None = None


@dataclass(frozen=True, slots=True)
class ShownOrder:
    """An order with all that is known of it. `order` is its newest version, of `versions` the first."""

    row: OrderRow
    order: Order
    versions: tuple[OrderVersion, ...]
    links: tuple[Link, ...]
    documents: tuple[DocumentRow, ...]
    findings: tuple[StoredFinding, ...]
    returns: tuple[ReturnRow, ...]


def parse_mapping(texts: list[str] | None) -> dict[str, str]:
    """`COLUMN=field,COLUMN=field`, as people type it. Raises `UsageFault`."""
    return columns.parse(texts or [])


def parse_statuses(texts: list[str] | None) -> dict[str, str]:
    """`WORD=status,WORD=status`, as people type it. Raises `UsageFault`."""
    return status_words.parse(texts or [])


def parse_statuses_said(said: Mapping[str, str]) -> dict[str, str]:
    """The statuses that words mean, as a person chose them of `STATUS_MEANING_WORDS`."""
    return {word: STATUS_MEANINGS[meaning] for word, meaning in said.items()}


def preview(
    workspace: Workspace, file: Path, choice: FileChoice | None = None, *, account: str | None = None
) -> OrderFilePreview:
    """What an import would bring; nothing is written. Raises as `import_file` does, but for what it asks."""
    choice = choice or FileChoice()
    wanted = Preferences()
    if workspace.has_archive:
        with workspace.reading() as archive, archive.reading() as transaction:
            owner = _owner(transaction, account, must=account is not None)
            wanted = preferences.get(transaction, owner.id) if owner else wanted
    read = read_for(file, wanted, choice)
    return OrderFilePreview(
        reading=read.reading,
        columns=read.sheet.columns,
        rows=tuple(tuple(shown_cell(cell) for cell in row.cells) for row in read.sheet.rows[:PREVIEWED]),
        lines=len(read.sheet.rows),
        orders=len(read.orders),
        sheets=read.sheet.sheets,
        sheet=read.sheet.name,
        months=completeness_declaration.months(read.orders),
        marketplaces=completeness_declaration.marketplaces(read.orders),
    )


def status_text(unknown: Mapping[str, int]) -> str:
    """Which words of a file are no status known here, with how many orders have each; empty where all are known."""
    if not unknown:
        return ""
    names = [f"{word or t('no status')} ({formatting.count(number)})" for word, number in unknown.items()]
    return t(
        "Statuses that are not known, with their number of orders: {names}. Whether an invoice is missing cannot be"
        " checked for them.",
        names="; ".join(names[:_STATUSES_NAMED]) + (" …" if len(names) > _STATUSES_NAMED else ""),
    )


def total_text(without_total: int, orders: int) -> str:
    """What cannot be checked of orders that state no total; empty where all do."""
    if not without_total:
        return ""
    if without_total == orders:
        return t("The file states no total of its orders: whether invoices have the right value (R3) is not checked.")
    return t(
        "{count} orders state no total: whether their invoices have the right value (R3) is not checked.",
        count=formatting.count(without_total),
    )


def import_file(
    workspace: Workspace,
    file: Path,
    choice: FileChoice | None = None,
    *,
    account: str | None = None,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> OrderFileResult:
    """Bring the orders of a file to an account (the only one, where none is named), and remember what it means.

    Raises `UsageFault` for a file that is no list of orders or has a doubtful column, and where it is not clear whose
    orders they are.
    """
    with workspace.writing("orders import") as archive:
        with archive.reading() as transaction:
            owner = _owner(transaction, account, must=True)
        assert owner is not None
        return import_order_file(archive, owner, file, choice, reporter=reporter, stop=stop)


def find(workspace: Workspace, query: OrderQuery, *, account: str | None = None, limit: int | None = 50) -> OrderPage:
    """The orders of a query, newest first; `limit` None for all."""
    with workspace.reading() as archive, archive.reading() as transaction:
        if account is not None:
            query = replace(query, account_id=accounts.named(transaction, account).id)
        found = order_search.page(transaction, query, -1 if limit is None else limit)
        if query.company is None:
            count, unowned = order_search.count(transaction, query), 0
        else:
            totals = order_search.totals(transaction, query)
            count, unowned = totals.count, totals.of_no_company
        others = None
        if not count and (query.from_day is not None or query.to_day is not None):
            others = order_search.months(transaction, replace(query, from_day=None, to_day=None))
        return OrderPage(found, count, unowned, others if others is not None and others.last is not None else None)


def statuses(workspace: Workspace, account: str | None = None) -> tuple[str, ...]:
    """The specification's statuses, and then those that orders in the archive have besides."""
    with workspace.reading() as archive, archive.reading() as transaction:
        owners = accounts.every(transaction) if account is None else [accounts.named(transaction, account)]
        found = [status for owner in owners for status in order_search.statuses(transaction, owner.id)]
    return tuple(dict.fromkeys((*(status.value for status in OrderStatus), *found)))


def show(workspace: Workspace, name: str, *, account: str | None = None) -> ShownOrder:
    """One order by the hub's id of it, or the marketplace's number. Raises `NotInArchive`."""
    with workspace.reading() as archive, archive.reading() as transaction:
        owners = [accounts.named(transaction, account)] if account is not None else accounts.every(transaction)
        found = [row for owner in owners if (row := orders.one(transaction, owner.id, name)) is not None]
        if not found:
            raise NotInArchive(
                message("There is no order {name} in the archive.", name=name),
                message("`confere orders list` shows which there are; `confere sync` and `orders import` bring more."),
            )
        if len(found) > 1:
            raise UsageFault(
                message("Several accounts have an order {name}.", name=name),
                message("Say which with --account: {known}.", known=arguments(row.account for row in found)),
            )
        return _shown(archive, transaction, found[0])


def shown_by_id(archive: Archive, transaction: Transaction, order_id: int) -> ShownOrder:
    """The order with this number of the archive. Raises `NotInArchive`."""
    rows = order_search.by_ids(transaction, [order_id])
    if not rows:
        raise NotInArchive(
            message("The order is no longer in the archive."),
            message("`confere orders list` shows which there are; `confere sync` and `orders import` bring more."),
        )
    return _shown(archive, transaction, rows[0])


def raw(workspace: Workspace, version: OrderVersion) -> bytes:
    """A version of an order exactly as it was received."""
    with workspace.reading() as archive:
        return archive.content(version.content_id)


def _shown(archive: Archive, transaction: Transaction, row: OrderRow) -> ShownOrder:
    data = archive.vault.get(transaction, row.content_id)
    naming = finding_search.of_order(transaction, row.account_id, row.hub_id)
    return ShownOrder(
        row,
        order_of_text(data).order,
        orders.versions(transaction, row.id),
        links.of(transaction, row.account_id, orders=[row.hub_id]),
        documents.by_ids(transaction, orders.documents_of(transaction, row.account_id, row.hub_id)),
        tuple(stored for stored in naming if row.hub_id in stored.found.orders),
        returns.of_order(transaction, row.account_id, row.hub_id),
    )


def _owner(transaction: Transaction, name: str | None, *, must: bool) -> Account | None:
    """Whose orders a file holds: the account named, else the only one there is."""
    if must or name is not None:
        return accounts.only(transaction, name)
    chosen = accounts.every(transaction)
    return chosen[0] if len(chosen) == 1 else None
