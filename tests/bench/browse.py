"""How long a window waits for its list: first rows, snapshots, jumps, searches and totals, beside a bare look-up."""

from __future__ import annotations

import multiprocessing
import os
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.browse import SORTS, DocumentQuery
from confere.app.documents.search.search_language import parse
from confere.app.documents.search.search_suggestions import suggestions
from confere.system import formatting
from tests.bench import many

_TIMES = 7
_SCREEN = 60
# Whatever else the machine does meanwhile; Windows counts it in steps of sixteen milliseconds.
_clock = time.perf_counter if sys.platform == "win32" else time.process_time


def run(documents: int = 100_000) -> None:
    """Ask an archive of `documents` what a window asks; `CONFERE_BENCH_ARCHIVE` names one made before, or to keep."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(os.environ.get("CONFERE_BENCH_ARCHIVE", folder))
        workspace = Workspace.at(home)
        if not workspace.home.archive.is_file():
            workspace.home.archive.parent.mkdir(parents=True, exist_ok=True)
            # In a process of its own: what making it takes is no memory of browsing.
            maker = multiprocessing.get_context("spawn").Process(
                target=many.make, args=(workspace.home.archive, documents)
            )
            maker.start()
            maker.join()
        opened = OpenArchive(workspace)
        try:
            _ask(opened, _bare(workspace.home.archive))
        finally:
            opened.close()


def _ask(opened: OpenArchive, ceiling: float) -> None:
    company = browse.companies(opened)[0].tax_id
    month = browse.months(opened, company)[1].month
    days = {"from_day": f"{month}-01", "to_day": f"{month}-31"}
    whole = browse.totals(opened, DocumentQuery())
    print(f"{whole.count} documents; one company has {browse.totals(opened, DocumentQuery(company=company)).count}")
    print(f"{'':34}    p50     p95 ms   x bare")
    _line("bare: 60 rows by an index", [ceiling], ceiling)
    scopes = {
        "": DocumentQuery(),
        ", company": DocumentQuery(company=company),
        ", month": DocumentQuery(**days),
        ", company, month": DocumentQuery(company=company, **days),
    }
    for name, scope in scopes.items():
        _line(f"first rows, every order{name}", _first_rows(opened, _orders(scope)), ceiling)
    for name, scope in scopes.items():
        _line(f"first rows, filters{name}", _first_rows(opened, _filters(scope)), ceiling)
    for name, scope in scopes.items():
        _line(f"totals{name}", _timed(lambda scope=scope: browse.totals(opened, scope)), ceiling)
    for sort in ("issued", "total", "counterparty"):
        query = DocumentQuery(sort=sort)
        _line(f"snapshot by {sort}", _timed(lambda query=query: browse.snapshot(opened, query)), ceiling)
    ids = browse.snapshot(opened, DocumentQuery(sort="total"))
    _line("jump to the end", _timed(lambda: browse.rows(opened, ids[-_SCREEN:])), ceiling)
    _line("jump to the middle", _timed(lambda: browse.rows(opened, ids[len(ids) // 2 :][:_SCREEN])), ceiling)
    for name, words in _searches(opened).items():
        for scope in ("", ", company"):
            query = parse(words, scopes[scope]).query
            _line(f"search: {name}{scope}", _timed(lambda query=query: browse.first(opened, query)), ceiling)
    _line("suggestions while typing", _suggestions(opened), ceiling)
    for name, scope in scopes.items():
        _line(f"choices of the chips{name}", _timed(lambda scope=scope: browse.choices(opened, scope)), ceiling)
    print(f"  longest stall of another thread during snapshots {_longest_stall(opened):.1f} ms")
    print(f"  peak memory {_peak_memory():.0f} MB   (budget 350)")


def _orders(scope: DocumentQuery) -> list[DocumentQuery]:
    return [replace(scope, sort=sort, descending=way) for sort in SORTS for way in (True, False)]


def _filters(scope: DocumentQuery) -> list[DocumentQuery]:
    return [
        replace(scope, types=("nfe",)),
        replace(scope, types=("cte", "voiding"), sort="total"),
        replace(scope, states=("cancelled",)),
        replace(scope, operations=("sale_return", "devolution"), sort="number"),
        replace(scope, direction="in"),
        replace(scope, direction="out", types=("nfe",), sort="total", descending=False),
        replace(scope, marketplaces=("FEIRA_DIGITAL",), sort="order"),
        replace(scope, uf="SP", sort="counterparty"),
        replace(scope, total_from=100_000, total_to=200_000),
        replace(scope, with_warnings=True, sort="state"),
        replace(scope, emitter="loja", sort="total"),
        replace(scope, cfop="5102", states=("cancelled",), sort="number"),
        replace(scope, with_findings=True),
        replace(scope, with_findings=False),
    ]


def _searches(opened: OpenArchive) -> dict[str, str]:
    row = browse.first(opened, DocumentQuery(types=("nfe",), marketplaces=("FEIRA_DIGITAL",)))[-1]
    item = browse.full(opened, row.id).items[0].description or ""
    return {
        "a number": str(row.number),
        "a key": row.access_key or "",
        "an order": row.hub_order_id or "",
        "a name": row.recipient_name or "",
        "a frequent word": (row.emitter_name or "").split()[0],
        "an item": item,
        "an item's word": max(item.split(), key=len, default=""),
        "an item's word, as its field": f"item:{max(item.split(), key=len, default='')}",
        "series/number": f"{row.series}/{row.number}",
        "a name and a number": f"{(row.recipient_name or '').split()[0]} {row.number}",
        "a frequent word and a number": f"{(row.emitter_name or '').split()[0]} {row.number}",
        "two names": " ".join((row.recipient_name or "").split()[:2]),
        "a kind and a number": f"nota {row.number}",
        "an amount": formatting.money(row.total),
        "a name and an amount": f"{(row.recipient_name or '').split()[0]} {formatting.money(row.total)}",
        "a day": formatting.date(row.issued_on),
        "a word, not another": "camiseta -azul",
        "states or, an amount": "(uf:SP OR uf:RJ) valor>1000",
        "a protocol": row.protocol or "",
        "the end of a key": (row.access_key or "")[-12:],
        "the beginning of a key": (row.access_key or "")[:24],
        "nothing of that name": "xyzzy 4711",
    }


def _suggestions(opened: OpenArchive) -> list[float]:
    """For each beginning of what is typed, as the box asks for them."""
    row = browse.first(opened, DocumentQuery(types=("nfe",), marketplaces=("FEIRA_DIGITAL",)))[-1]
    words = ((row.recipient_name or "").split()[0], str(row.number), row.hub_order_id or "", "camiseta")
    taken: list[float] = []
    for word in words:
        for size in range(2, len(word) + 1):
            taken += _timed(lambda word=word[:size]: suggestions(opened, word))
    return taken


def _first_rows(opened: OpenArchive, queries: list[DocumentQuery]) -> list[float]:
    found: list[float] = []
    for query in queries:
        taken = _timed(lambda query=query: browse.first(opened, query, _SCREEN))
        if os.environ.get("CONFERE_BENCH_VERBOSE"):
            print(f"      {statistics.median(taken):8.1f}  {_named(query)}")
        found += taken
    return found


def _named(query: DocumentQuery) -> str:
    plain = DocumentQuery()
    names = DocumentQuery.__slots__
    return ", ".join(f"{name}={getattr(query, name)}" for name in names if getattr(query, name) != getattr(plain, name))


def _timed(ask: Callable[[], object]) -> list[float]:
    """Milliseconds of processor of each of some calls, the first too: nobody asks twice to have it fast."""
    found = []
    for _ in range(_TIMES):
        began = _clock()
        ask()
        found.append((_clock() - began) * 1000)
    return found


def _line(name: str, found: list[float], ceiling: float) -> None:
    ordered = sorted(found)
    late = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
    print(f"  {name:32} {statistics.median(found):8.2f} {late:8.2f}  {late / ceiling:7.1f}")


def _bare(path: Path) -> float:
    """The ceiling: what SQLite alone takes to find the newest 60 documents and read their rows."""
    with closing(sqlite3.connect(path)) as database:
        return statistics.median(
            _timed(
                lambda: database.execute(
                    "SELECT * FROM document WHERE id IN (SELECT id FROM document WHERE is_current = 1"
                    " ORDER BY issued_on DESC, id DESC LIMIT ?)",
                    (_SCREEN,),
                ).fetchall()
            )
        )


def _longest_stall(opened: OpenArchive) -> float:
    """How long the main thread is kept from running, at worst, while another takes snapshots."""
    reader = threading.Thread(target=lambda: [browse.snapshot(opened, DocumentQuery()) for _ in range(3)])
    reader.start()
    longest, before = 0.0, time.perf_counter()
    while reader.is_alive():
        time.sleep(0.001)
        now = time.perf_counter()
        longest, before = max(longest, now - before), now
    return longest * 1000


def _peak_memory() -> float:
    if sys.platform == "win32":
        import psutil

        return float(psutil.Process().memory_info().peak_wset) / 2**20
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)
