"""The first page of an office: rows of fifteen clients, narrowed and ordered, each beside one bare count.

Once with an account for each client, and once with one account for all of them and many findings of the month, which
have to be told apart by their documents.
"""

from __future__ import annotations

import os
import shutil
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
from confere.app.reconciliation import queries
from confere.app.reconciliation.queries import FindingFilter, FindingQuery
from confere.archive.clock import utc_text
from confere.archive.reconciliation import findings
from tests import fifteen_clients as office
from tests.app.business import a_finding

_TIMES = 15
_BUDGET_MS = 100
_FINDINGS = 1000  # that wait, of the month and the one account


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
        _measure(workspace, ceiling)
        together = Workspace.at(Path(folder) / "together")
        together.home.ensure()
        shutil.copy(workspace.home.archive, together.home.archive)
        _put_together(together)
        print(f"one account for all, {_FINDINGS} findings of the month")
        _measure(together, ceiling)


def _measure(workspace: Workspace, ceiling: float) -> None:
    opened = OpenArchive(workspace)
    try:
        found = clients(opened, office.MONTH, now=office.NOW)
        print(f"{len(found.rows)} clients; budget {_BUDGET_MS} ms")
        _line("bare: documents of each company", ceiling, ceiling)
        _line("rows of a month", _median(lambda: clients(opened, office.MONTH, now=office.NOW)), ceiling)
        _line("rows of every month", _median(lambda: clients(opened, None, now=office.NOW)), ceiling)
        _line("narrowed and in every order", _median(lambda: _every_order(found.rows)), ceiling)
        query = FindingQuery("", FindingFilter(office.MONTH, company=office.tax_id(1)))
        _line("findings of a company and month", _median(lambda: queries.groups(opened, query)), ceiling)
    finally:
        opened.close()


def _put_together(workspace: Workspace) -> None:
    """Let the first account have every establishment, and many findings about notes of all of them."""
    with workspace.writing("bench") as archive, archive.writing() as transaction:
        first = int(transaction.scalar("SELECT min(id) FROM account"))
        transaction.execute("UPDATE establishment SET account_id = ?", (first,))
        run = int(transaction.scalar("SELECT max(id) FROM run WHERE kind = 'reconcile' AND account_id = ?", (first,)))
        keys = transaction.column("SELECT access_key FROM document ORDER BY access_key DESC LIMIT ?", (_FINDINGS,))
        found = [a_finding("R3", f"o{number}", keys=(key,)) for number, key in enumerate(keys)]
        findings.store(transaction, first, run, found, period=None, at=utc_text(office.NOW))


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
