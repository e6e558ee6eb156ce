"""Order files into the archive: every row becomes JSON in the specification's form and goes the hub's own road.

An order that the hub has told of stays as the hub told it: a file adds orders, and replaces only what a file said.
The same file again changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from confere.archive.accounts import preferences
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.preferences import Preferences
from confere.archive.accounts.recorded_run import booked
from confere.archive.clock import utc_now
from confere.archive.message_encoding import storable
from confere.archive.orders import order_aliases, orders
from confere.archive.orders.order_rows import ReceivedOrder
from confere.archive.orders.orders import FILE
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import message
from confere.hub.orders.orders import order_of_text
from confere.intake.files import completeness_declaration
from confere.intake.import_figures import ImportFigures
from confere.intake.order_files import ambiguous_columns, columns, csv_tables, status_words
from confere.intake.order_files.ambiguous_columns import Doubt
from confere.intake.order_files.csv_tables import OrderTable
from confere.intake.order_files.orders_from_rows import (
    OrderDraft,
    draft,
    lines_of,
    unknown_statuses,
    without_sum,
    without_total,
)
from confere.intake.order_files.row_problems import RowProblem
from confere.intake.order_files.status_words import Statuses
from confere.intake.orders.erased_persons import without_erased
from confere.sales.declarations import CompleteFor, Declared
from confere.system.processes.cancellation import Stop
from confere.system.processes.garbage_collection import collecting_later
from confere.system.progress import Meter, Reporter, Silent

BATCH = 500
MOST_PROBLEMS_TOLD = 1000


@dataclass(frozen=True, slots=True)
class FileChoice:
    """What a person says of a file: what columns mean (`mapping`), and words for statuses; of which sheet it is read.

    `forget` starts without what is remembered so far. `complete` declares the file to be all there is of months.
    """

    mapping: Mapping[str, str] = field(default_factory=dict)
    statuses: Mapping[str, str] = field(default_factory=dict)
    sheet: str | None = None
    forget: bool = False
    complete: CompleteFor | None = None


@dataclass(frozen=True, slots=True)
class OrderFileReading:
    """What a file was read as. `mapping` is column to field, as told, remembered or guessed.

    `remembered` are columns whose meaning earlier files told; `left_out` counts lines that add up the others;
    `unknown_statuses` are words of the file and how many orders have each, the empty one for none. While there are
    `doubts` nothing of it is imported. `without_total` counts orders that state none: R3 cannot be checked for them.
    """

    mapping: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[RowProblem, ...] = ()
    remembered: tuple[str, ...] = ()
    left_out: int = 0
    unknown_statuses: Mapping[str, int] = field(default_factory=dict)
    doubts: tuple[Doubt, ...] = ()
    without_total: int = 0


@dataclass(frozen=True, slots=True)
class ReadFile:
    """A file as it would be imported: its table, what it was read as, and its orders.

    `statuses` are the meanings that were used of its `words`; `answered` are doubts that a person settled by what was
    said of columns.
    """

    sheet: OrderTable
    reading: OrderFileReading
    orders: tuple[OrderDraft, ...]
    statuses: Statuses
    words: tuple[str, ...] = ()
    answered: tuple[Doubt, ...] = ()


@dataclass(slots=True)
class OrderFileResult(ImportFigures):
    """Figures of one import. `rows` are lines of the file, `outranked` orders that the hub has told of itself.

    `reading` is what the file was read as, with the first of its problems.
    """

    rows: int = 0
    orders: int = 0
    new: int = 0
    changed: int = 0
    same: int = 0
    outranked: int = 0
    reading: OrderFileReading = field(default_factory=OrderFileReading)

    def counts(self) -> dict[str, int | float]:
        """The figures alone, as runs and scripts want them."""
        names = ("rows", "orders", "new", "changed", "same", "outranked")
        return {
            **{name: getattr(self, name) for name in names},
            "left_out": self.reading.left_out,
            "unreadable": self.unreadable,
            "seconds": round(self.seconds, 3),
        }


def read_file(
    path: Path,
    remembered: Mapping[str, str] | None = None,
    given: Mapping[str, str] | None = None,
    sheet: str | None = None,
    statuses: Statuses | None = None,
    settled: Collection[str] = (),
) -> ReadFile:
    """What an import of the file would bring. Of columns in `settled` and `given` no doubt is left.

    Raises `UsageFault` where it is no list of orders.
    """
    meanings = statuses or Statuses({}, {})
    with collecting_later():
        table = csv_tables.read(path, sheet, tuple(given or ()))
        mapping = columns.settle(table.columns, remembered or {}, given or {})
        rows = without_sum(table, mapping)
        found = draft(rows, mapping, meanings, settled)
    spoken = {columns.plain(name) for name in given or ()}
    answered = tuple(doubt for doubt in found.doubts if columns.plain(doubt.column) in spoken)
    reading = OrderFileReading(
        mapping=mapping,
        problems=found.problems,
        remembered=columns.recalled(table.columns, remembered or {}, given or {}, mapping),
        left_out=len(table.rows) - len(rows.rows) + found.left_out,
        unknown_statuses=unknown_statuses(found.orders),
        doubts=tuple(doubt for doubt in found.doubts if doubt not in answered),
        without_total=without_total(found.orders),
    )
    return ReadFile(rows, reading, found.orders, meanings, found.words, answered)


def read_for(path: Path, wanted: Preferences, choice: FileChoice, *, must: bool = False) -> ReadFile:
    """As `read_file`, with what an account remembers. `must`: refuse what an import would refuse."""
    memory = Preferences() if choice.forget else wanted
    read = read_file(
        path,
        memory.mapping,
        choice.mapping,
        choice.sheet,
        Statuses(memory.statuses, choice.statuses),
        memory.settled,
    )
    if must:
        ambiguous_columns.refuse(read.reading.doubts)
        status_words.check(choice.statuses, read.words)
        if choice.complete is not None:
            completeness_declaration.check_orders(read.orders, choice.complete)
    return read


def import_order_file(
    archive: Archive,
    account: Account,
    path: Path,
    choice: FileChoice | None = None,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> OrderFileResult:
    """Bring the orders of a file in, and remember for the account what its columns and statuses mean.

    Raises `UsageFault` where it is no list of orders, where a column is doubtful, and where what is declared complete
    cannot be.
    """
    choice = choice or FileChoice()
    with archive.reading() as transaction:
        wanted = preferences.get(transaction, account.id)
    read = read_for(path, wanted, choice, must=True)
    result = OrderFileResult(
        rows=len(read.sheet.rows),
        orders=len(read.orders),
        unreadable=lines_of(read.reading.problems),
        reading=replace(read.reading, problems=read.reading.problems[:MOST_PROBLEMS_TOLD]),
    )
    name = storable(str(path))
    with booked(archive, "orders import", account.id, {"paths": [name]}, account.name, result, detail=name) as run:
        meter = Meter(
            reporter or Silent(), message("Importing orders of {account}", account=account.name), len(read.orders)
        )
        with archive.writing() as transaction:
            _remember(transaction, account, read, choice)
        for start in range(0, len(read.orders), BATCH):
            if stop is not None and stop.is_set:
                result.stopped = True
                break
            batch = read.orders[start : start + BATCH]
            with collecting_later(), archive.writing() as transaction:
                _record(archive, transaction, account, run.id, batch, result)
            meter.advance(len(batch))
        meter.finish()
        if choice.complete is not None:
            result.not_declared = completeness_declaration.why_not(result.unreadable, stopped=result.stopped)
            if result.not_declared is None:
                result.declared = completeness_declaration.declare(
                    archive, account, run.id, Declared.ORDERS, choice.complete, file=path.name,
                    sha256=read.sheet.sha256,
                )  # fmt: skip
        run.outcome = "stopped" if result.stopped else "partial" if result.unreadable else "done"
    return result


def _record(
    archive: Archive,
    transaction: Transaction,
    account: Account,
    run_id: int,
    batch: tuple[OrderDraft, ...],
    result: OrderFileResult,
) -> None:
    numbers = {entry.number for entry in batch}
    hub_ids = order_aliases.by_marketplace_id(transaction, account.id, numbers)
    known = orders.named(transaction, account.id, numbers)
    now = utc_now()
    received = []
    for entry in batch:
        # A number that the hub uses as its own id is that order's; else the marketplace may call one of its orders so.
        hub_id = entry.number if entry.number in known else hub_ids.get(entry.number, entry.number)
        found = order_of_text(entry.raw(hub_id))
        received.append(ReceivedOrder(found.order, found.raw, FILE, now))
    received = without_erased(transaction, account.id, received)
    recorded = orders.record(transaction, archive.vault_writer, account.id, run_id, received)
    result.new += recorded.new
    result.changed += recorded.changed
    result.same += recorded.same
    result.outranked += recorded.outranked


def _remember(transaction: Transaction, account: Account, read: ReadFile, choice: FileChoice) -> None:
    wanted = preferences.get(transaction, account.id)
    mapping = columns.to_remember({} if choice.forget else wanted.mapping, read.reading.mapping, choice.mapping)
    asked = (columns.plain(doubt.column) for doubt in read.answered)
    settled = tuple(dict.fromkeys((*(() if choice.forget else wanted.settled), *asked)))
    known = replace(wanted, mapping=mapping, settled=settled, statuses=read.statuses.to_remember())
    if known != wanted:
        preferences.set(transaction, account.id, known)
