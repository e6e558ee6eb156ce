"""Connections that read the archive through SQLite's own driver; SQLAlchemy comes to them with the first `select()`.

SQLAlchemy takes longer to load than a window with its first rows takes for everything else, and what a start asks is
text. Both ask on the same connection, so that a transaction sees one state of the archive.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, Executable

_KEPT: Final = 8  # connections that wait for the next question
_ANSWERS: Final = 6  # of a connection; one may have a number for each of 100,000 rows


class Read(NamedTuple):
    """What was asked, as the driver answers."""

    cursor: sqlite3.Cursor

    @property
    def rowcount(self) -> int:
        """How many rows it touched."""
        return self.cursor.rowcount


class KeptAnswers:
    """What was worked out from the archive on one connection, the newest few, until anybody writes to the archive."""

    def __init__(self, driver: sqlite3.Connection) -> None:
        self._driver = driver
        self._version: int | None = None
        self._answers: dict[Hashable, Any] = {}

    def get(self, question: Hashable) -> Any:
        """What was kept for this question; None where nothing is."""
        self._forget_old()
        return self._answers.get(question)

    def put(self, question: Hashable, answer: Any) -> None:
        """Keep the answer, which must be of the transaction that is open now."""
        self._forget_old()
        self._answers[question] = answer
        while len(self._answers) > _ANSWERS:
            del self._answers[next(iter(self._answers))]

    def _forget_old(self) -> None:
        """SQLite's version of the data is another one as soon as another connection has written; in a transaction it
        stays the one that the transaction sees."""
        (version,) = self._driver.execute("PRAGMA data_version").fetchone()
        if version != self._version:
            self._version = version
            self._answers.clear()


class ReadConnection:
    """One transaction that reads."""

    def __init__(self, driver: sqlite3.Connection, readers: Readers, answers: KeptAnswers) -> None:
        self.driver = driver
        self.answers = answers
        self._readers = readers
        self._core: Connection | None = None

    def exec_driver_sql(self, sql: str, parameters: Any = ()) -> Read:
        """Run SQL as text."""
        return Read(self.driver.execute(sql, parameters))

    def execute(self, statement: Executable, parameters: Any = None) -> Any:
        """Run a `select()`."""
        if self._core is None:
            self._core = self._readers.lend(self.driver)
        return self._core.execute(statement, parameters)

    def end(self) -> None:
        """Let SQLAlchemy go, where it was asked."""
        if self._core is not None:
            self._core.close()
            self._core = None


class Readers:
    """Read-only connections, as many threads as ask; each view ends with its transaction, so none holds the WAL."""

    def __init__(
        self,
        connect: Callable[[], sqlite3.Connection],
        core: Callable[[Callable[[], Any]], Engine],
        *,
        keeps: bool = True,
    ) -> None:
        """`connect` opens a connection, `core` makes an engine of what opens its connections.

        `keeps` False opens one anew for each transaction.
        """
        self._connect, self._core = connect, core
        self._most = _KEPT if keeps else 0
        self._idle: list[tuple[sqlite3.Connection, KeptAnswers]] = []
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._lent = threading.local()

    @contextmanager
    def begin(self) -> Iterator[ReadConnection]:
        """One transaction."""
        driver, answers = self._take()
        try:
            driver.execute("BEGIN")
            connection = ReadConnection(driver, self, answers)
            try:
                yield connection
            finally:
                connection.end()
            driver.commit()
        except BaseException:
            with suppress(sqlite3.Error):
                driver.close()  # ends its transaction, whatever it has met
            raise
        self._give_back(driver, answers)

    def lend(self, driver: sqlite3.Connection) -> Connection:
        """A connection of SQLAlchemy's that asks in the transaction of `driver`, and neither ends nor closes it."""
        with self._lock:
            if self._engine is None:
                self._engine = self._core(self._borrowed)
                self._lent.driver = sqlite3.connect(":memory:")  # SQLAlchemy tries its first connection, and ends it
                self._engine.connect().close()
                self._lent.driver.close()
        self._lent.driver = driver
        try:
            return self._engine.connect()
        finally:
            self._lent.driver = None

    def dispose(self) -> None:
        """Close what waits; what is in use is closed when its transaction ends."""
        with self._lock:
            idle, self._idle, self._most = self._idle, [], 0
            if self._engine is not None:
                self._engine.dispose()
        for driver, _ in idle:
            driver.close()

    def _take(self) -> tuple[sqlite3.Connection, KeptAnswers]:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        driver = self._connect()
        return driver, KeptAnswers(driver)

    def _give_back(self, driver: sqlite3.Connection, answers: KeptAnswers) -> None:
        with self._lock:
            if len(self._idle) < self._most:
                self._idle.append((driver, answers))
                return
        driver.close()

    def _borrowed(self) -> _Borrowed:
        return _Borrowed(self._lent.driver)


class _Borrowed:
    """A connection as SQLAlchemy is given it: its transaction and its end are not SQLAlchemy's."""

    def __init__(self, driver: sqlite3.Connection) -> None:
        self._driver = driver

    def __getattr__(self, name: str) -> Any:
        return getattr(self._driver, name)

    def create_function(self, *_: Any, **__: Any) -> None:
        """SQLAlchemy makes REGEXP and floor() anew each time, which SQLite refuses while rows are being taken."""

    def commit(self) -> None: ...

    def rollback(self) -> None: ...

    def close(self) -> None: ...
