"""Rows of an order file as orders in the form of the hub's specification: lines with one number are one order.

Nothing is guessed: a cell that cannot be understood, or two lines of one order that disagree on its money or buyer,
leave the whole order out with the reason, since half an order would be a wrong figure later.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache, partial

from confere.errors import Message, message
from confere.hub.documents.document_record import access_key
from confere.hub.json.json_values import text
from confere.intake.order_files import cell_values, rounded_numbers
from confere.intake.order_files.ambiguous_columns import Doubt, doubts
from confere.intake.order_files.cell_values import Cell, Row, UnreadableCell
from confere.intake.order_files.columns import FIELD_WORDS, NOTHING, plain
from confere.intake.order_files.csv_tables import OrderTable
from confere.intake.order_files.packs import PackRow, gathered, size
from confere.intake.order_files.row_problems import RowProblem as RowProblem
from confere.intake.order_files.status_words import Statuses
from confere.sales.order import KNOWN_STATUSES
from confere.system import formatting

_MONEY = ("total", "gross", "discount", "freight", "interest", "payout")
_AGREED = (
    "total",
    "gross",
    "discount",
    "freight",
    "interest",
    "buyer_tax_id",
)  # two buyers are two orders that a file calls the same
_ITEM_MONEY = {"unit": "unit", "item_discount": "discount", "item_total": "total"}
_TIMES = ("created_at", "invoice_date", "shipped_at", "delivered_at")
_NAMES = ("id", "marketplace_id", "marketplace_number", "partner_id", "tracking")
_WHOLE = ("invoice_number", "invoice_series")
_NUMBERS = (*_MONEY, *_ITEM_MONEY, "quantity")
_ITEM = ("code", "ean", "description", "quantity", *_ITEM_MONEY)
# Where a text of the file stands in the specification's order.
_PLACES = {
    "marketplace_id": ("marketPlaceId",),
    "marketplace_number": ("marketPlaceNumber",),
    "partner_id": ("partnerId",),
    "interest": ("interestValue",),
    "marketplace": ("marketPlace",),
    "created_at": ("createdAt",),
    "total": ("total",),
    "payout": ("payout",),
    "gross": ("gross",),
    "discount": ("discount",),
    "freight": ("freight",),
    "city": ("shipping", "city"),
    "uf": ("shipping", "state"),
    "postal_code": ("shipping", "zipCode"),
    "buyer_name": ("buyer", "name"),
    "buyer_tax_id": ("buyer", "document"),
    "buyer_email": ("buyer", "email"),
    "invoice_series": ("invoice", "series"),
    "invoice_number": ("invoice", "number"),
    "invoice_key": ("invoice", "accessKey"),
    "invoice_date": ("invoice", "date"),
    "shipped_at": ("tracking", "shippedDate"),
    "delivered_at": ("tracking", "deliveredDate"),
    "carrier": ("tracking", "carrier"),
    "tracking": ("tracking", "number"),
}
Value = str | Decimal
Reader = Callable[[Cell], Value]
_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
_REPEATED = 4096  # texts of a column that are remembered while it is read


@dataclass(frozen=True, slots=True)
class OrderDraft:
    """An order of the file: its number there, its first line, and its JSON."""

    number: str
    by_marketplace: bool  # the number is the marketplace's: the file knows no other
    line: int
    fields: Mapping[str, object]

    def raw(self, hub_id: str) -> bytes:
        """Its JSON under this id: the same rows give the same bytes."""
        return _JSON.encode({"id": hub_id, **self.fields}).encode()


@dataclass(frozen=True, slots=True)
class Drafts:
    """The orders of a table. `left_out` counts rows of packs that repeat their orders' sum.

    `words` are the words for statuses as the file has them; `doubts` are to be answered before anything is imported.
    """

    orders: tuple[OrderDraft, ...]
    problems: tuple[RowProblem, ...]
    doubts: tuple[Doubt, ...]
    words: tuple[str, ...]
    left_out: int


_SUMS = frozenset({"total", "totais", "total geral", "totales", "total general", "grand total"})


def without_sum(sheet: OrderTable, mapping: Mapping[str, str]) -> OrderTable:
    """The table without a last row that adds up the others: it begins with "Total" and names no order."""
    if not sheet.rows:
        return sheet
    field = _number_field(mapping.values())
    at = next(at for at, column in enumerate(sheet.columns) if mapping.get(column) == field)
    last = sheet.rows[-1]
    first = _cell(last, 0)
    is_sum = isinstance(first, str) and plain(first) in _SUMS and (at == 0 or _cell(last, at) == "")
    return replace(sheet, rows=sheet.rows[:-1]) if is_sum else sheet


def unknown_statuses(orders: Iterable[OrderDraft]) -> dict[str, int]:
    """Words of the file that are no status known here, the commonest first, and how many orders have each.

    Orders without any status are under the empty word.
    """
    words = Counter(str(entry.fields.get("status", "")) for entry in orders)
    return {word: count for word, count in words.most_common() if word not in KNOWN_STATUSES}


def without_total(orders: Iterable[OrderDraft]) -> int:
    """How many orders state no total, so that nobody can tell whether their invoices are right (R3)."""
    return sum("total" not in entry.fields for entry in orders)


def draft(
    sheet: OrderTable, mapping: Mapping[str, str], statuses: Statuses | None = None, settled: Collection[str] = ()
) -> Drafts:
    """The orders of a table, and what of it cannot be read. Of columns in `settled` nothing is asked."""
    places = {mapping[column]: at for at, column in enumerate(sheet.columns) if column in mapping}
    columns = {field: column for column, field in mapping.items()}
    problems: list[RowProblem] = []
    spoilt: set[str] = set()
    packs = gathered(_entries(sheet, places, columns, problems, spoilt))
    problems += packs.problems
    spoilt |= packs.spoilt
    groups: dict[str, list[PackRow]] = {}
    for entry in packs.entries:
        groups.setdefault(entry.number, []).append(entry)
    words = dict.fromkeys(str(entry.read.get("marketPlaceStatus", "")) for entry in packs.entries)
    drafts: list[OrderDraft] = []
    lines: list[list[tuple[Row, Mapping[str, Value]]]] = []
    for number, entries in groups.items():
        if number not in spoilt:
            rows: list[tuple[Row, Mapping[str, Value]]] = [(entry.row, entry.read) for entry in entries]
            lines.append(rows)
            fields = _order(rows, columns, problems, statuses or Statuses({}, {}))
            if fields is not None:
                if entries[0].members:
                    fields["packOrders"] = list(entries[0].members)
                drafts.append(OrderDraft(number, "id" not in places, entries[0].row.line, fields))
    return Drafts(
        tuple(drafts),
        tuple(sorted(problems, key=lambda entry: entry.line)),
        doubts(lines, mapping, sheet.columns, settled),
        tuple(word for word in words if word),
        packs.left_out,
    )


def _entries(
    sheet: OrderTable,
    places: Mapping[str, int],
    columns: Mapping[str, str],
    problems: list[RowProblem],
    spoilt: set[str],
) -> list[PackRow]:
    """Every row that names an order; the numbers of those that cannot be understood go to `spoilt`."""
    mark = cell_values.decimal_mark(
        cell for row in sheet.rows for field in _NUMBERS if (cell := _cell(row, places.get(field))) != ""
    )
    lost = {
        field: rounded_numbers.rounded(_cell(row, at) for row in sheet.rows)
        for field, at in places.items()
        if field in _NAMES
    }
    readers = [(field, at, _reader(field, mark, lost.get(field))) for field, at in places.items() if field != "id"]
    worded = [at for at in range(len(sheet.columns)) if at not in places.values() or at == places.get("status")]
    found: list[PackRow] = []
    for row in sheet.rows:
        number = _number(row, places, columns, problems, lost)
        if number is None:
            continue
        if any(cell != "" for cell in row.cells[len(sheet.columns) :]):  # a separator in a text: the rest has shifted
            problems.append(RowProblem(row.line, "", message("The line has more cells than there are columns.")))
            spoilt.add(number)
            continue
        read = _read(row, readers, columns, problems)
        if read is None:
            spoilt.add(number)
        found.append(PackRow(number, row, read or {}, size(_cell(row, at) for at in worded)))
    return found


def _number_field(known: Iterable[str]) -> str:
    return "id" if "id" in set(known) else "marketplace_id"


def _number(
    row: Row,
    places: Mapping[str, int],
    columns: Mapping[str, str],
    problems: list[RowProblem],
    lost: Mapping[str, frozenset[Cell]],
) -> str | None:
    """The order that a row is of."""
    field = _number_field(places)
    cell = _cell(row, places[field])
    try:
        if cell in lost.get(field, ()):
            rounded_numbers.refuse(cell)
        number = text(cell_values.name(cell))  # as an id of the hub is read
        if number is None:
            raise UnreadableCell(message("The line has no order number."))
        return number
    except UnreadableCell as error:
        problems.append(RowProblem(row.line, columns[field], error.reason))
        return None


def _read(
    row: Row, readers: Sequence[tuple[str, int, Reader]], columns: Mapping[str, str], problems: list[RowProblem]
) -> dict[str, Value] | None:
    """The fields of a row; None where one of them cannot be understood."""
    found: dict[str, Value] = {}
    cells = row.cells
    width = len(cells)
    for field, at, read in readers:
        cell = cells[at] if at < width else ""
        if cell == "":
            continue
        try:
            found[field] = read(cell)
        except UnreadableCell as error:
            problems.append(RowProblem(row.line, columns[field], error.reason))
            return None
        if field == "status":
            found["marketPlaceStatus"] = cell_values.name(cell)
    return found


def _reader(field: str, mark: str | None, lost: frozenset[Cell] | None = None) -> Reader:
    """Reads cells of a field; of texts that come over and over, such as a status or `0,00`, each is read once."""
    read = partial(cell_values.amount, mark=mark) if field in _NUMBERS else _READERS.get(field, cell_values.name)
    once = lru_cache(_REPEATED)(read)
    if lost:
        return partial(_unless_lost, lost)
    # Equal numbers may be written differently, and equal times in two zones: only texts are the same where equal.
    return lambda cell: once(cell) if isinstance(cell, str) else read(cell)


def _unless_lost(lost: frozenset[Cell], cell: Cell) -> str:
    if cell in lost:
        rounded_numbers.refuse(cell)
    return cell_values.name(cell)


def _time(cell: Cell) -> str:
    return cell_values.moment(cell).isoformat()


def _whole(cell: Cell) -> str:
    number = cell_values.name(cell).replace(".", "").lstrip("0") or "0"
    if not (number.isascii() and number.isdigit() and len(number) <= 9):
        raise UnreadableCell(message("{text} is not the number of an invoice.", text=cell_values.shown(cell)))
    return number


def _key(cell: Cell) -> str:
    key = access_key(cell_values.name(cell))
    if key is None:
        raise UnreadableCell(message("{text} is not an access key of 44 characters.", text=cell_values.shown(cell)))
    return key


_READERS: Mapping[str, Callable[[Cell], Value]] = {
    **dict.fromkeys(_TIMES, _time),
    **dict.fromkeys(_WHOLE, _whole),
    "invoice_key": _key,
    "buyer_tax_id": cell_values.tax_id,
    "status": cell_values.status,
    "uf": cell_values.state,
}


def _order(
    lines: Sequence[tuple[Row, Mapping[str, Value]]],
    columns: Mapping[str, str],
    problems: list[RowProblem],
    statuses: Statuses,
) -> dict[str, object] | None:
    """What the lines of one order say together: the first word on each field counts, on some all must agree."""
    said = dict(lines[0][1])
    for row, read in lines[1:]:
        for field, value in read.items():
            if field in _AGREED and said.get(field, value) != value:
                problems.append(RowProblem(row.line, columns[field], _disagreement(said[field], value, field)))
                return None
            said.setdefault(field, value)
    if len({read["payout"] for _, read in lines if "payout" in read}) > 1:
        del said["payout"]  # each line's own
    fields: dict[str, object] = {}
    if "status" in said:
        word = said.get("marketPlaceStatus", said["status"])
        fields["status"] = statuses.meaning(str(said.get("marketplace", "")), str(word), str(said["status"]))
        fields["marketPlaceStatus"] = word
    for field, path in _PLACES.items():
        if field in said:
            target = fields
            for step in path[:-1]:
                target = target.setdefault(step, {})  # type: ignore[assignment]
            target[path[-1]] = _plain(said[field])
    if "payment" in said:
        fields["payments"] = [{"method": said["payment"]}]
    items = [item for _, read in lines if (item := _item(read))]
    if items:
        fields["items"] = items
    return fields


def _item(read: Mapping[str, Value]) -> dict[str, object]:
    sku = {
        name: read[field]
        for field, name in (("code", "partnerId"), ("ean", "ean"), ("description", "title"))
        if field in read
    }
    item: dict[str, object] = {"sku": sku} if sku else {}
    if "quantity" in read:
        item["amount"] = _plain(read["quantity"])
    for field, name in _ITEM_MONEY.items():
        if field in read:
            item[name] = _plain(read[field])
    return item


def _plain(value: Value) -> str | int | float:
    """As JSON writes it: a number of up to 15 digits comes back exactly as it was."""
    if isinstance(value, str):
        return value
    if value == value.to_integral_value():
        return int(value)
    return float(value)


def _cell(row: Row, at: int | None) -> Cell:
    return "" if at is None or at >= len(row.cells) else row.cells[at]


def _disagreement(one: Value, other: Value, field: str) -> Message:
    item = {"total": "item_total", "discount": "item_discount"}.get(field, NOTHING)
    return message(
        "The lines of this order say {one} and {other} as the {field}, which must be the same on all of them;"
        ' if it is each item\'s, map the column to "{item}" ({name}).',
        one=_told(one),
        other=_told(other),
        field=Message(FIELD_WORDS[field]),
        item=Message(FIELD_WORDS[item]) if item != NOTHING else message("not used"),
        name=item,
    )


def _told(value: Value) -> str:
    """As people read it: money to the centavo, where it has no smaller part."""
    if isinstance(value, str):
        return value
    cents = value.scaleb(2)
    return formatting.money(int(cents)) if cents == cents.to_integral_value() else cell_values.shown(value)


def lines_of(problems: Iterable[RowProblem]) -> int:
    """How many lines have a problem."""
    return len({entry.line for entry in problems})
