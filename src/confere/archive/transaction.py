"""One transaction on the archive: bulk inserts with ids of our own, chunked look-ups, nothing else."""

from __future__ import annotations

from array import array
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from confere.archive.driver import CHUNK as CHUNK
from confere.archive.driver import chunks
from confere.archive.named_rows import Named, NamedRow, maker, named_maker
from confere.archive.read_connection import ReadConnection

if TYPE_CHECKING:
    from sqlalchemy import Connection, Executable, Table

_PART = 200  # whole numbers taken at a time: other threads are let in between

Row = tuple[Any, ...]
_Values: TypeAlias = Mapping[str, Any]
if TYPE_CHECKING:
    Ids = array[int]
    Statement: TypeAlias = str | Executable
else:
    Ids = array  # Python 3.11 knows no array of something
    Statement = object  # SQLAlchemy takes longer to load than a window that shows its first rows with text alone
"""What can be read: SQL with `?` or `:name` for its values, or a `select()` that has them."""
VALUES_NAME: Final = "values"
"""What `list_selection.VALUES` is called, the list after `in_` in a `select()`."""


class Transaction:
    """What the archive's functions work on; faces and other rooms pass it along and never look inside."""

    def __init__(
        self, connection: Connection | ReadConnection, memory: dict[str, dict[Any, Any]] | None = None
    ) -> None:
        self.connection = connection
        self._memory = memory if memory is not None else {}
        self._next_ids: dict[str, int] = self.memory("ids")

    def memory(self, name: str) -> dict[Any, Any]:
        """What the writer remembers from transaction to transaction, and forgets when one is rolled back."""
        return self._memory.setdefault(name, {})

    def kept(self, question: Hashable) -> Any:
        """What `keep` was given for this question, on this connection and of this very state of the archive; else None.

        A transaction that writes keeps nothing.
        """
        return self.connection.answers.get(question) if isinstance(self.connection, ReadConnection) else None

    def keep(self, question: Hashable, answer: Any) -> None:
        """Let who reads next have this answer, which nobody may change, without working it out again."""
        if isinstance(self.connection, ReadConnection):
            self.connection.answers.put(question, answer)

    def new_ids(self, table: Table, count: int) -> range:
        """Reserve `count` ids; there is one writer, so counting in memory is safe."""
        first = self._next_ids.get(table.name)
        if first is None:
            first = (self.scalar(f"SELECT max(id) FROM {table.name}") or 0) + 1
        self._next_ids[table.name] = first + count
        return range(first, first + count)

    def has_counted(self, table: Table) -> bool:
        """Whether ids of this table were reserved since this writer began."""
        return table.name in self._next_ids

    def count_from(self, table: Table, highest: int) -> None:
        """Let new ids begin above `highest` too: rows of other tables may speak of a row that was lost."""
        last = self.scalar(f"SELECT max(id) FROM {table.name}") or 0
        self._next_ids[table.name] = max(last, highest) + 1

    def highest(self, columns: Collection[tuple[str, str]]) -> int:
        """The highest number in these columns, `(table, column)`; 0 where there is none."""
        return max(int(self.scalar(f"SELECT coalesce(max({column}), 0) FROM {table}")) for table, column in columns)

    def insert(self, table: Table, rows: Sequence[Row]) -> None:
        """Insert full rows, values in the order of the table's columns (`table_rows.row_of` makes them)."""
        if rows:
            self.connection.exec_driver_sql(_insert_sql(table), _plain(rows))

    def insert_or_ignore(self, table: Table, rows: Sequence[Row]) -> None:
        """As `insert`; rows whose key is there already are left out."""
        if rows:
            sql = _insert_sql(table).replace("INSERT INTO", "INSERT OR IGNORE INTO", 1)
            self.connection.exec_driver_sql(sql, _plain(rows))

    def execute(self, sql: str, parameters: Row = ()) -> int:
        """Run one statement; the number of rows it touched."""
        return self.connection.exec_driver_sql(sql, parameters).rowcount

    def execute_many(self, sql: str, rows: Sequence[Row]) -> None:
        if rows:
            self.connection.exec_driver_sql(sql, list(rows))

    def fetch(self, statement: Statement, parameters: Row | _Values = ()) -> list[Row]:
        """All rows as plain tuples: a cursor left open would hold the WAL back.

        A statement as text has a `?` for each value, or names them (`:company`), where one stands in several places.
        """
        return list(self.rows(statement, parameters))

    def rows(self, statement: Statement, parameters: Row | _Values = ()) -> Iterator[Row]:
        """As `fetch`, one by one as the driver makes them: for who takes all of very many."""
        return iter(self._cursor(statement, parameters))

    def fetch_as(self, kind: type[Named], statement: Statement, parameters: Row | _Values = ()) -> list[Named]:
        """As `fetch`, each row a `kind`; `TypeError` where the columns are not its first fields."""
        driver = self._cursor(statement, parameters)
        return list(map(maker(kind, driver.description), driver))

    def first_as(self, kind: type[Named], statement: Statement, parameters: Row = ()) -> Named | None:
        """As `first`, the row a `kind`."""
        driver = self._cursor(statement, parameters)
        make = maker(kind, driver.description)
        row = _first(driver)
        return None if row is None else make(row)

    def first_named(self, statement: Statement, parameters: Row = ()) -> NamedRow | None:
        """As `first`, each value of the row by the name of its column."""
        driver = self._cursor(statement, parameters)
        make = named_maker(driver.description)
        row = _first(driver)
        return None if row is None else make(row)

    def named(self, statement: Statement, parameters: Row | _Values = ()) -> list[NamedRow]:
        """As `fetch`, each value of a row by the name of its column: `row.access_key`."""
        driver = self._cursor(statement, parameters)
        return list(map(named_maker(driver.description), driver))

    def each_named(self, statement: Statement, parameters: Row | _Values = ()) -> Iterator[NamedRow]:
        """As `named`, one by one as the driver makes them: for who takes all of very many."""
        driver = self._cursor(statement, parameters)
        return map(named_maker(driver.description), driver)

    def integers(self, statement: Statement, parameters: Row = ()) -> Ids:
        """The first column of all rows, whole numbers, eight bytes each."""
        found = Ids("q")
        driver = self._cursor(statement, parameters)
        while part := driver.fetchmany(_PART):
            found.extend(map(itemgetter(0), part))
        return found

    def first(self, statement: Statement, parameters: Row = ()) -> Row | None:
        return _first(self._cursor(statement, parameters))

    def scalar(self, statement: Statement, parameters: Row = ()) -> Any:
        """The first column of the first row; None where there is no row."""
        row = _first(self._cursor(statement, parameters))
        return None if row is None else row[0]

    def column(self, statement: Statement, parameters: Row | _Values = ()) -> list[Any]:
        """The first column of all rows."""
        return list(map(itemgetter(0), self._cursor(statement, parameters)))

    def fetch_in(self, sql: str, values: Collection[Any]) -> Iterator[Row]:
        """Run `sql`, whose `{}` stands for the list after `IN`, over all `values` in chunks."""
        for marks, part in chunks(values):
            yield from self.fetch(sql.format(marks), part)

    def fetch_in_as(self, kind: type[Named], statement: Statement, values: Collection[Any]) -> Iterator[Named]:
        """As `fetch_in`, each row a `kind`, as of `fetch_as`; in a `select()` `VALUES` stands for the list."""
        for part, parameters in _in_chunks(statement, values):
            yield from self.fetch_as(kind, part, parameters)

    def named_in(self, statement: Statement, values: Collection[Any]) -> Iterator[NamedRow]:
        """As `fetch_in_as`, each value of a row by the name of its column."""
        for part, parameters in _in_chunks(statement, values):
            yield from self.named(part, parameters)

    def column_in(self, statement: Statement, values: Collection[Any]) -> Iterator[Any]:
        """As `fetch_in_as`; of each row the first column."""
        for part, parameters in _in_chunks(statement, values):
            yield from self.column(part, parameters)

    def _cursor(self, statement: Statement, parameters: Row | _Values) -> Any:
        """What every reading method runs: text as it is; a `select()` compiled once for all of its shape.

        The driver's own cursor, whose plain tuples cost less than the rows of SQLAlchemy.
        """
        if isinstance(statement, str):
            return self.connection.exec_driver_sql(statement, parameters).cursor
        return self.connection.execute(statement, parameters or None).cursor


def _first(driver: Any) -> Row | None:
    """The first row of a cursor, which is closed: one left open would hold the log back."""
    row: Row | None = driver.fetchone()
    driver.close()
    return row


def _plain(rows: Sequence[Row]) -> list[Row]:
    """Rows as plain tuples, of which the driver takes the values faster than of named ones."""
    return list(map(tuple, rows))


def _in_chunks(statement: Statement, values: Collection[Any]) -> Iterator[tuple[Statement, Row | _Values]]:
    """`statement` with as many of `values` as it may hold, until all have been."""
    for marks, part in chunks(values):
        if isinstance(statement, str):
            yield statement.format(marks), part
        else:
            yield statement, {VALUES_NAME: part}


@cache
def _insert_sql(table: Table) -> str:
    names = [f'"{column.name}"' for column in table.columns]
    marks = ",".join("?" * len(names))
    return f'INSERT INTO "{table.name}" ({",".join(names)}) VALUES ({marks})'
