"""Reconciliation against the sandbox's truth: links and findings on worlds that lie and forget, and their cost.

Each world is served by a sandbox over HTTP, synced, judged and reconciled as a person would. `--seeds` names the
worlds; three more are drawn at run time and printed. Costs: reading, links, findings, and whole runs with writing, of a
world as it was synced and many times over in one archive; the ceiling beside the links is one exact join of the same
rows by SQLite in the same run.
"""

from __future__ import annotations

import secrets
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import SyncRequest, sync_accounts
from confere.app.archive_session import OpenArchive
from confere.app.authenticity import verify
from confere.app.context import EMBEDDED, Workspace
from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.queries import FindingFilter, FindingQuery
from confere.app.reconciliation.reconcile import reconcile
from confere.archive.accounts import accounts as kept_accounts
from confere.archive.reconciliation import input_reader
from confere.reconcile.linker import link
from confere.reconcile.run_rules import findings
from confere.sales.reconciliation_input import Ledger
from confere.sales.terms import Terms
from confere.system.processes.garbage_collection import collecting_later
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.bench import truth as truths
from tests.bench.rows import MOST, multiply

DOCUMENTS = 2_000
LARGE = 120_000  # documents: the size of which the budget speaks
SEEDS = (11, 12, 13)
DRAWN = 3
_SHOWN = 5
_LISTED = (datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 7, 31, tzinfo=UTC))


def run(documents: int = DOCUMENTS, seeds: Sequence[int] = SEEDS, drawn: int = DRAWN) -> None:
    """Every world, then one of faults with holes, one listed in part, and what a document costs by their number."""
    further = [secrets.randbelow(1_000_000) for _ in range(drawn)]
    print(f"seeds {', '.join(map(str, seeds))}; drawn now: {', '.join(map(str, further))}")
    for seed in (*seeds, *further):
        _world(World(documents, seed))
    few = min(documents, DOCUMENTS)
    _world(World(few, seeds[0], withhold=0.15))
    _world(World(few, seeds[0], orders=False))
    _world(World(few, seeds[0], faults="all", withhold=0.05))
    _world(World(few, seeds[0], days=_LISTED))
    _costs(World(few, seeds[-1]))


@dataclass(frozen=True, slots=True)
class World:
    """What the sandbox is asked for. `days`: only documents that the hub had within them are listed."""

    documents: int
    seed: int
    faults: str = ""
    withhold: float = 0.0
    days: tuple[datetime, datetime] | None = None
    orders: bool = True

    def __str__(self) -> str:
        told = f"{self.documents} documents, seed {self.seed}"
        told += f", faults {self.faults}" if self.faults else ""
        told += f", {self.withhold:.0%} withheld" if self.withhold else ""
        told += "" if self.orders else ", no list of orders"
        return told + (f", listed from {self.days[0]:%Y-%m-%d} to {self.days[1]:%Y-%m-%d}" if self.days else "")


@dataclass(frozen=True, slots=True)
class Synced:
    """A world in an archive, read back."""

    ledger: Ledger
    terms: Terms
    now: datetime
    truth: dict[str, Any]


def _world(world: World) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        synced = _synced(Path(folder), world)
    linked = link(synced.ledger, synced.terms)
    found = findings(synced.ledger, linked, synced.terms, synced.now)
    score = truths.score(synced.truth, synced.ledger, linked, found, has_orders=world.orders)
    if world.orders:
        _print_links(score)
    print(
        f"   credit and debit notes: {score.adjusting}, read as another: {len(score.misread)} {score.misread[:_SHOWN]}"
    )
    _print_rules(score, in_part=world.days is not None)


def _costs(world: World) -> None:
    """What reconciling costs, by size: CPU seconds, since others may use the machine."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        synced = _synced(Path(folder), world)
        once = Path(folder) / "home"
        for times in sorted({1, min(10, MOST), max(1, min(MOST, LARGE // world.documents))}):
            home = Path(folder) / f"times {times}"
            shutil.copytree(once, home)
            workspace = Workspace.at(home)
            multiply(workspace.home.archive, times)
            _print_steps(workspace, synced.terms, synced.now)
            _print_runs(workspace, synced.now)
            _print_decisions(workspace)
            shutil.rmtree(home, ignore_errors=True)


def _synced(folder: Path, world: World) -> Synced:
    print(f"-- {world}", flush=True)
    file = folder / "truth.json"
    options = SandboxOptions(
        documents=world.documents,
        seed=world.seed,
        anomalies="all",
        forget=True,
        faults=world.faults,
        withhold=world.withhold,
        orders=world.orders,
        truth_file=file,
    )
    workspace = Workspace.at(folder / "home")
    began = time.perf_counter()
    with running(options) as hub:
        owners = tuple(company["cnpj"] for company in hub.info["companies"])
        accounts.add(workspace, NewAccount("world", hub.address, "bench", EMBEDDED, owners), hub.token)
        request = SyncRequest(from_at=world.days[0], to_at=world.days[1]) if world.days else SyncRequest()
        result = sync_accounts(workspace, request=request)
        now = datetime.fromisoformat(hub.info["clock"])
    print(f"   synced in {time.perf_counter() - began:.0f} s, {result.failed} failed", flush=True)
    verify.verify(workspace)
    truth = truths.read(file)
    print(f"   evidence {truth.get('evidence')}, undecidable {truth.get('undecidable')}")
    terms = Terms(visible_series=tuple(truth.get("visible_series", ())))
    with workspace.reading() as archive, archive.reading() as transaction:
        began = time.perf_counter()
        ledger = input_reader.load(transaction, kept_accounts.named(transaction, "world"))
        seconds = time.perf_counter() - began
    print(f"   {len(ledger.orders)} orders and {len(ledger.papers)} documents read in {seconds:.2f} s")
    return Synced(ledger, terms, now, truth)


def _join(ledger: Ledger) -> float:
    """Seconds of one exact join of the orders with the papers in SQLite: the ceiling of what linking can cost."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE TABLE o (id TEXT, key TEXT)")
        database.execute("CREATE TABLE p (key TEXT PRIMARY KEY, total INTEGER)")
        database.executemany("INSERT INTO o VALUES (?, ?)", [(o.hub_id, o.invoice_key) for o in ledger.orders])
        database.executemany("INSERT OR IGNORE INTO p VALUES (?, ?)", [(p.key, p.total) for p in ledger.papers])
        began = time.perf_counter()
        database.execute("SELECT count(*) FROM o JOIN p ON p.key = o.key").fetchone()
        return time.perf_counter() - began


def _print_links(score: truths.Score) -> None:
    print(
        f"   links: {score.automatic} automatic, precision {score.precision:.4%}, recall {score.recall:.3%} of"
        f" {score.decidable} decidable; {score.undecidable} undecidable"
        f" ({score.undecidable / max(1, score.decidable + score.undecidable):.1%}), of them"
        f" {len(score.guessed)} guessed, {len(score.untied)} neither linked nor told as ambiguous"
    )
    for name in ("wrong", "missed", "guessed", "untied"):
        for pair in getattr(score, name)[:_SHOWN]:
            print(f"      {name}: order {pair[0]}, {pair[1]}")


def _print_rules(score: truths.Score, *, in_part: bool) -> None:
    print("   rule  planted  found  missed  false alarms  (in clean months)  not checked")
    order = sorted(score.rules, key=lambda name: (int(name[1:].rstrip("abc")), name))
    for name in order:
        rule = score.rules[name]
        print(
            f"   {name:4}  {rule.planted:7}  {rule.found:5}  {len(rule.missed):6}  {len(rule.false):12}"
            f"  {rule.false_in_clean_months:17}  {rule.unchecked:11}"
        )
        for told in () if in_part else rule.missed[:_SHOWN]:
            print(f"      missed: orders {sorted(told[0])}, keys {sorted(told[1])} {told[2]}")
        for finding in rule.false[:_SHOWN]:
            said = "; ".join(map(str, finding.evidence))
            print(f"      false alarm {finding.period}: {finding.orders} {finding.keys} {finding.subject}: {said}")


def _print_steps(workspace: Workspace, terms: Terms, now: datetime) -> None:
    with collecting_later():
        with workspace.reading() as archive, archive.reading() as transaction:
            began = time.process_time()
            ledger = input_reader.load(transaction, kept_accounts.named(transaction, "world"))
            read = time.process_time()
        linked = link(ledger, terms)
        joined = time.process_time()
        found = findings(ledger, linked, terms, now)
        judged = time.process_time()
    papers, orders = len(ledger.papers), len(ledger.orders)
    links, whole = joined - read, judged - began
    print(
        f"   {orders} orders x {papers} documents: read {read - began:.2f} s, links {links:.2f} s, {len(found)}"
        f" findings {judged - joined:.2f} s, together {whole:.2f} s CPU; {(orders + papers) / whole:,.0f} orders and"
        f" documents a second; {whole / papers * 1e6:.0f} µs a document; links cost"
        f" {links / max(_join(ledger), 1e-9):.0f} x one exact join"
    )


def _print_runs(workspace: Workspace, now: datetime) -> None:
    told = []
    for _ in range(2):
        began = time.process_time()
        reconcile(workspace, ["world"], as_of=now)
        told.append(time.process_time() - began)
    print(f"   the whole run as a person starts it: {told[0]:.2f} s CPU, again with nothing new {told[1]:.2f} s")


def _print_decisions(workspace: Workspace) -> None:
    """What one decision costs, with the judging of its group in the same transaction."""

    def first(rule: str) -> queries.FindingRow:
        return queries.findings(opened, FindingQuery("world", FindingFilter(rules=(rule,))), 0, 1)[0]

    with closing(OpenArchive(workspace)) as opened:
        pair = (first("R1").finding.orders[0], first("R2").finding.keys[0])
        finding = first("R3").id
    told = []
    for decide in (
        lambda: decisions.link(workspace, "world", [pair]),
        lambda: decisions.unlink(workspace, "world", [pair]),
        lambda: decisions.explain(workspace, [finding], "agreed"),
    ):
        began = time.process_time()
        decide()
        told.append(time.process_time() - began)
    print(f"   one decision: link {told[0]:.2f} s CPU, unlink {told[1]:.2f} s, explain {told[2]:.2f} s")
