"""The first page of an office: rows of fifteen clients, narrowed and ordered, each beside one bare count."""

from __future__ import annotations

import os
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.overview.client_choice import ClientSort, narrowed, ordered
from confere.app.overview.clients import ClientRow, clients
from tests import fifteen_clients as office

_TIMES = 15
_BUDGET_MS = 100


def run(documents: int = 30_000) -> None:
    """Fifteen clients with `documents` in all; `CONFERE_BENCH_ARCHIVE` names an office made before, or to keep."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(os.environ.get("CONFERE_BENCH_ARCHIVE", folder))
        if not Workspace.at(home).home.archive.is_file():
            office.make(home, documents=documents)
        workspace = Workspace.at(home)
        with closing(sqlite3.connect(workspace.home.archive)) as database:
            count = "SELECT tax_id, count(*) FROM belonging GROUP BY tax_id"
            ceiling = _median(lambda: database.execute(count).fetchall())
        opened = OpenArchive(workspace)
        try:
            found = clients(opened, office.MONTH, now=office.NOW)
            print(f"{len(found.rows)} clients; budget {_BUDGET_MS} ms")
            _line("bare: documents of each company", ceiling, ceiling)
            _line("rows of a month", _median(lambda: clients(opened, office.MONTH, now=office.NOW)), ceiling)
            _line("rows of every month", _median(lambda: clients(opened, None, now=office.NOW)), ceiling)
            _line("narrowed and in every order", _median(lambda: _every_order(found.rows)), ceiling)
        finally:
            opened.close()


def _every_order(rows: tuple[ClientRow, ...]) -> None:
    for sort in ClientSort:
        ordered(narrowed(rows, "sao"), sort)
        ordered(rows, sort, is_reversed=True)


def _median(ask: Callable[[], object]) -> float:
    spent = []
    for _ in range(_TIMES):
        begin = time.perf_counter()
        ask()
        spent.append(time.perf_counter() - begin)
    return statistics.median(spent)


def _line(name: str, seconds: float, ceiling: float) -> None:
    print(f"  {name:34} {seconds * 1000:8.2f} ms {seconds / ceiling:8.2f} x bare")
