"""Products as a file states them: each row read and checked, rows of one product put together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from confere.archive.message_encoding import storable
from confere.errors import Message, UsageFault, message
from confere.intake.catalog_files.catalog_columns import BY_FIELD, COLUMNS, PRODUCT, fields_of
from confere.intake.order_files import csv_tables
from confere.intake.order_files.cell_values import Cell, Row, UnreadableCell, amount, name
from confere.sales.gtin import is_gtin

_NCM: Final = re.compile(r"[0-9]{8}", re.ASCII)
_ORIGIN: Final = re.compile(r"[0-8]", re.ASCII)
_ADDRESS: Final = re.compile(r"https?://[^\s]{1,2000}", re.IGNORECASE)
_WHOLE: Final = re.compile(r"[0-9]{1,6}", re.ASCII)
_ABOVE: Final = ">"


@dataclass(frozen=True, slots=True)
class RowFault:
    """What is wrong with a row, in which column (empty: with the row), and what to do. `sheet` is empty for CSV."""

    sheet: str
    line: int
    column: str
    reason: Message
    remedy: Message


@dataclass(frozen=True, slots=True)
class SkuDraft:
    """A row. `stated` are its fields that hold something, as the hub's JSON has them; `stock` and `cost` go apart."""

    line: int
    code: str
    stated: Mapping[str, Any]
    stock: Decimal | None = None
    cost: Decimal | None = None
    images: tuple[str, ...] = ()


@dataclass(slots=True)
class ProductDraft:
    """A product of the file. `stated` are its fields that hold something, as the hub's JSON has them, but for `brand`
    (a name) and `category` (the names of its path), which the hub calls by its own ids."""

    key: str
    stated: dict[str, Any] = field(default_factory=dict)
    brand: str = ""
    category: tuple[str, ...] = ()
    skus: list[SkuDraft] = field(default_factory=list)

    @property
    def lines(self) -> tuple[int, ...]:
        return tuple(sku.line for sku in self.skus)


@dataclass(frozen=True, slots=True)
class CatalogFile:
    """What a file of products holds. `unused` are columns that mean nothing here, `sha256` is the file's."""

    name: str
    sheet: str
    sha256: str
    products: tuple[ProductDraft, ...]
    faults: tuple[RowFault, ...]
    unused: tuple[str, ...]

    @property
    def rows(self) -> int:
        """How many rows hold a SKU that could be read."""
        return sum(len(product.skus) for product in self.products)


def read_file(path: Path, sheet: str | None = None) -> CatalogFile:
    """The products of an XLSX or CSV file, each row checked by itself.

    Raises `UsageFault` for what is no such file or has no column of codes, `EnvironmentFault` where it cannot be read.
    """
    table = csv_tables.read(path, sheet, [column.header for column in COLUMNS])
    places = fields_of(table.columns)
    if "code" not in places:
        raise UsageFault(
            message("{file} has no column SKU: nothing in it can be told apart.", file=storable(path.name)),
            message("`confere catalog push --template FILE.xlsx` writes a file with every column."),
        )
    reader = _Reader(table.name, places)
    for row in table.rows:
        reader.take(row)
    unused = tuple(header for place, header in enumerate(table.columns) if place not in places.values())
    return CatalogFile(
        storable(path.name), table.name, table.sha256, tuple(reader.products.values()), tuple(reader.faults), unused
    )


class _Reader:
    """Puts rows together to products; `faults` are what is wrong with them."""

    def __init__(self, sheet: str, places: Mapping[str, int]) -> None:
        self._sheet = sheet
        self._places = places
        self.products: dict[str, ProductDraft] = {}
        self.faults: list[RowFault] = []
        self._lines: dict[str, int] = {}  # of each code
        self._stated: dict[tuple[str, str], str] = {}  # what rows of a product said of each of its fields

    def take(self, row: Row) -> None:
        """Read a row."""
        texts = self._texts(row)
        code = texts.get("code", "")
        if not code:
            remedy = message("Write the seller's own code of the SKU.")
            self._fault(row, "code", message("The row has no code."), remedy)
            return
        if code in self._lines:
            self._fault(
                row,
                "code",
                message("The code {code} stands in row {line} too.", code=code, line=self._lines[code]),
                message("Leave one of the rows."),
            )
            return
        self._lines[code] = row.line
        key = texts.get("product", "") or code
        product = self.products.setdefault(key, ProductDraft(key))
        values = dict(self._values(row, texts))
        self._take_product(row, product, texts, values)
        variations = self._variations(row, texts)
        images = self._images(row, texts)
        stated = {
            json_name: values[field_name]
            for field_name, json_name in (
                ("sku_title", "title"),
                ("ean", "ean"),
                ("price", "price"),
                ("extra_days", "additionalTime"),
                ("unit", "unit"),
            )
            if field_name in values
        }
        if variations:
            stated["variations"] = variations
        product.skus.append(SkuDraft(row.line, code, stated, values.get("stock"), values.get("cost"), images))

    def _take_product(
        self, row: Row, product: ProductDraft, texts: Mapping[str, str], values: Mapping[str, Any]
    ) -> None:
        """The fields that rows of one product share: each is stated once, or alike."""
        for field_name, text in texts.items():
            if BY_FIELD[field_name].of != PRODUCT or field_name == "product":
                continue
            before = self._stated.setdefault((product.key, field_name), text)
            if before != text:
                self._fault(
                    row,
                    field_name,
                    message("Another row of the product {product} says: {text}.", product=product.key, text=before),
                    message("Let all its rows say the same, or only the first."),
                )
        for field_name, json_name in _PRODUCT_NAMES.items():
            if field_name in values:
                product.stated[json_name] = values[field_name]
        product.brand = texts.get("brand", "") or product.brand
        path = tuple(part.strip() for part in texts.get("category", "").split(_ABOVE) if part.strip())
        product.category = path or product.category

    def _texts(self, row: Row) -> dict[str, str]:
        """The fields of the row that hold something, as text."""
        texts = {}
        for field_name, place in self._places.items():
            cell = row.cells[place] if place < len(row.cells) else ""
            try:
                text = name(cell)
            except UnreadableCell as error:
                self._fault(row, field_name, error.reason, message("Write it as text."))
                continue
            if text:
                texts[field_name] = text
        return texts

    def _values(self, row: Row, texts: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
        for field_name, text in texts.items():
            read = _READERS.get(field_name)
            if read is None:
                yield field_name, text
                continue
            place = self._places[field_name]
            try:
                yield field_name, read(row.cells[place], text)
            except UnreadableCell as error:
                self._fault(row, field_name, error.reason, _REMEDIES.get(field_name, _NUMBER_REMEDY))

    def _variations(self, row: Row, texts: Mapping[str, str]) -> dict[str, str]:
        chosen = {}
        for number in "12":
            kind, value = texts.get(f"variation_{number}"), texts.get(f"value_{number}")
            if kind and value:
                chosen[kind] = value
            elif kind or value:
                lacking = f"value_{number}" if kind else f"variation_{number}"
                self._fault(
                    row,
                    lacking,
                    message("A variation has a type and a value; one of them is missing."),
                    message("Write both, or neither."),
                )
        return chosen

    def _images(self, row: Row, texts: Mapping[str, str]) -> tuple[str, ...]:
        addresses = tuple(dict.fromkeys(texts.get("images", "").replace(";", " ").split()))
        for address in addresses:
            if _ADDRESS.fullmatch(address) is None:
                self._fault(
                    row,
                    "images",
                    message("{text} is no address of a picture.", text=address[:80]),
                    message("Write whole addresses, https://…, parted by blanks."),
                )
        return addresses

    def _fault(self, row: Row, field_name: str, reason: Message, remedy: Message) -> None:
        self.faults.append(RowFault(self._sheet, row.line, BY_FIELD[field_name].header, reason, remedy))


_PRODUCT_NAMES: Final = {
    "title": "title",
    "description": "description",
    "ncm": "nbm",
    "origin": "origin",
    "model": "model",
    "warranty_text": "warrantyText",
    "warranty_time": "warrantyTime",
    "weight": "weight",
    "height": "height",
    "width": "width",
    "length": "length",
    "price_factor": "priceFactor",
}
"""The hub's names of a product's fields, by the columns' (interfaces.md, "Product")."""


def column_of(json_field: str) -> str:
    """The header of the column that a field of a body (`skus[0].price`, `nbm.id`) comes from; empty for none."""
    parts = json_field.replace("[", ".").split(".")
    of_sku = parts[0] in ("skus", "sku")
    for part in reversed(parts):
        for column in COLUMNS:
            json_name = _SKU_NAMES.get(column.field) if of_sku else _PRODUCT_NAMES.get(column.field, column.field)
            if json_name == part:
                return column.header
    return ""


_SKU_NAMES: Final = {
    "code": "partnerId",
    "sku_title": "title",
    "ean": "ean",
    "price": "price",
    "extra_days": "additionalTime",
    "unit": "unit",
    "variation_1": "variations",
    "stock": "quantity",
    "cost": "cost",
}


def _number(cell: Cell, text: str) -> Decimal:
    value = amount(cell, None)
    if value < 0:
        raise UnreadableCell(message("{text} is less than 0.", text=text))
    return value


def _factor(cell: Cell, _text: str) -> Decimal:
    value = amount(cell, None)
    if value <= 0:
        raise UnreadableCell(message("The price factor must be more than 0."))
    return value


def _ncm(cell: Cell, text: str) -> dict[str, str]:
    """Eight digits; a number that lost its leading zero gets it back."""
    digits = text.replace(".", "").replace(" ", "")
    if isinstance(cell, Decimal):
        digits = digits.zfill(8)
    if _NCM.fullmatch(digits) is None:
        raise UnreadableCell(message("{text} is no NCM: it has eight digits.", text=text[:40]))
    return {"id": digits}


def _origin(_cell: Cell, text: str) -> dict[str, str]:
    if _ORIGIN.fullmatch(text) is None:
        raise UnreadableCell(message("{text} is no origin of goods: it is a digit from 0 to 8.", text=text[:40]))
    return {"id": text}


def _ean(_cell: Cell, text: str) -> str:
    if not is_gtin(text):
        raise UnreadableCell(message("{text} is no EAN: its check digit does not hold.", text=text[:40]))
    return text


def _whole(_cell: Cell, text: str) -> int:
    if _WHOLE.fullmatch(text) is None:
        raise UnreadableCell(message("{text} is no whole number.", text=text[:40]))
    return int(text)


def _whole_text(cell: Cell, text: str) -> str:
    return str(_whole(cell, text))


_READERS: Final[Mapping[str, Callable[[Cell, str], Any]]] = {
    **dict.fromkeys(("price", "stock", "cost", "weight", "height", "width", "length"), _number),
    "price_factor": _factor,
    "ncm": _ncm,
    "origin": _origin,
    "ean": _ean,
    "extra_days": _whole,
    "warranty_time": _whole_text,
}
_NUMBER_REMEDY: Final = message("Write a number such as 1234,56.")
_REMEDIES: Final = {
    "price_factor": message("Write a number such as 1 or 1,1; empty means 1."),
    "ncm": message("Look the NCM up in the product's invoice or in the table of the Receita Federal."),
    "origin": message("Write 0 for national goods; 1 to 8 as in the table of the NF-e."),
    "ean": message("Copy it from the package, or leave the cell empty."),
    "extra_days": message("Write whole days, 0 to 365."),
    "warranty_time": message("Write a whole number."),
}


def lacking(product: ProductDraft) -> Sequence[tuple[int, str]]:
    """What a product that is new must have and has not: the row and the column's header."""
    first = product.skus[0].line
    missing = [] if "title" in product.stated else [(first, BY_FIELD["title"].header)]
    missing += [] if product.brand else [(first, BY_FIELD["brand"].header)]
    missing += [] if product.category else [(first, BY_FIELD["category"].header)]
    return [
        *missing,
        *((sku.line, BY_FIELD["price"].header) for sku in product.skus if "price" not in sku.stated),
    ]
