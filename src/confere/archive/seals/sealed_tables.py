"""Which tables are sealed: every one, unless it is listed here with what proves it instead."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple
from zlib import crc32

from sqlalchemy import Integer

from confere.archive.schema.schema import metadata

_FROM_BYTES: Final = "made of the documents' bytes, and compared with them"
_FROM_DOCUMENTS: Final = "computed of documents and events, and compared"
UNSEALED: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        ("document", "event", "item", "item_reference", "lone_answer", "party", "taxpayer", "voiding"), _FROM_BYTES
    ),
    **dict.fromkeys(("belonging", "relation", "tax_group", "verdict", "why"), _FROM_DOCUMENTS),
    **dict.fromkeys(("hub_history", "hub_metadata"), "made of a hub's record, and held against its stored JSON"),
    "content": "holds its own SHA-256",
    "certificate": "without it contents do not match their SHA-256",
    "audit": "a hash chain of its own",
    "closing": "a hash chain of its own",
    "closing_part": "its digest is in the chain of closings",
    "seal": "the seals themselves",
}
"""Tables that are not sealed, and why."""
_NUMBERS: Final = 0x7FFFFF  # three bytes in SQLite


class SealedTable(NamedTuple):
    """A sealed table. `keys` are places in `columns`; `are_numbers` says which of the keys are whole numbers."""

    name: str
    number: int
    columns: tuple[str, ...]
    keys: tuple[int, ...]
    are_numbers: tuple[bool, ...]

    def values(self, row: str) -> str:
        """SQL for all values of `row`: NEW, OLD or a table's alias."""
        return ", ".join(f'{row}."{column}"' for column in self.columns)

    def key(self, row: str) -> str:
        """SQL for the seal's `row_key` of `row`.

        The key itself where it is one column; else a text that `parts` takes apart: numbers end with `|`, texts before
        the last begin with their length in bytes. Without an affinity, so that it is looked up in the index.
        """
        names = [f'{row}."{self.columns[place]}"' for place in self.keys]
        if len(names) == 1:
            return f"+{names[0]}"
        parts = [
            f"{name} || '|'" if is_number else f"length(CAST({name} AS BLOB)) || ':' || {name}"
            for name, is_number in zip(names[:-1], self.are_numbers, strict=False)
        ]
        return " || ".join((*parts, names[-1]))

    def condition(self) -> str:
        """SQL that finds a row by the values of its key."""
        return " AND ".join(f'"{self.columns[place]}" = ?' for place in self.keys)

    def row_key(self, key: tuple[Any, ...]) -> Any:
        """The seal's `row_key` of the row with these values in its key columns, as `key` makes it."""
        if len(key) == 1:
            return key[0]
        parts = [
            f"{value}|" if is_number else f"{len(str(value).encode('utf-8', 'surrogateescape'))}:{value}"
            for value, is_number in zip(key[:-1], self.are_numbers, strict=False)
        ]
        return "".join((*parts, str(key[-1])))

    def parts(self, row_key: object) -> tuple[Any, ...]:
        """The values of the key columns of which `key` made this; the whole where it was made otherwise."""
        if len(self.keys) == 1 or not isinstance(row_key, str):
            return (row_key,)
        rest, found = row_key.encode("utf-8", "surrogateescape"), list[Any]()
        try:
            for is_number in self.are_numbers[:-1]:
                first, _, rest = rest.partition(b"|" if is_number else b":")
                if is_number:
                    found.append(int(first))
                else:
                    found.append(rest[: int(first)].decode("utf-8", "surrogateescape"))
                    rest = rest[int(first) :]
            last = rest.decode("utf-8", "surrogateescape")
            found.append(int(last) if self.are_numbers[-1] else last)
        except ValueError:
            return (row_key,)
        return tuple(found)


@cache
def sealed_tables() -> tuple[SealedTable, ...]:
    """Every sealed table, those that others refer to first."""
    found = []
    for table in metadata.sorted_tables:
        if table.name in UNSEALED:
            continue
        columns = tuple(column.name for column in table.columns)
        keys = tuple(columns.index(column.name) for column in table.primary_key.columns)
        are_numbers = tuple(isinstance(column.type, Integer) for column in table.primary_key.columns)
        found.append(SealedTable(table.name, crc32(table.name.encode()) & _NUMBERS, columns, keys, are_numbers))
    return tuple(found)


@cache
def by_number() -> Mapping[int, SealedTable]:
    """The sealed tables by the number that their seals bear."""
    return {table.number: table for table in sealed_tables()}


@cache
def by_name() -> Mapping[str, SealedTable]:
    """The sealed tables by their names."""
    return {table.name: table for table in sealed_tables()}
