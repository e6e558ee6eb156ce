"""The bridge on sandbox worlds with every anomaly planted: `python -m tests.bridge_seeds [--documents N] [SEED ...]`.

Every page of every month, company and marketplace ties; every line's orders and documents add up to it; and the
invoices authorized come to what a reading of the XML by itself finds. Fails with the first that does not.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from itertools import product
from pathlib import Path

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.accounts.sync import sync_accounts
from confere.app.authenticity import verify
from confere.app.context import EMBEDDED, Workspace
from confere.archive.accounts import accounts as kept_accounts
from confere.archive.reconciliation import input_reader
from confere.reconcile.bridge.page import marketplaces, page
from confere.reconcile.bridge.placement import Placement
from confere.reconcile.context import View
from confere.reconcile.linker import link
from confere.sales.bridge import BridgeCode, BridgeScope
from confere.sales.terms import Terms
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests import own_configuration
from tests.bridge_pages import check_page
from tests.oracle import bridge as oracle
from tests.oracle.papers import read

SEEDS = (11, 12, 13, 14, 15)
DOCUMENTS = 1_000


@dataclass(frozen=True, slots=True)
class Bridged:
    """A world's placement, and its XML: the bytes of every document and event with the key they are kept under."""

    placement: Placement
    files: tuple[tuple[str, bytes], ...]


def bridged(folder: Path, seed: int, documents: int, withhold: float = 0.0) -> Bridged:
    """A world synced over HTTP, verified and linked."""
    options = SandboxOptions(documents=documents, seed=seed, anomalies="all", forget=True, withhold=withhold)
    workspace = Workspace.at(folder)
    with running(options) as hub:
        owners = tuple(company["cnpj"] for company in hub.info["companies"])
        accounts.add(workspace, NewAccount("world", hub.address, "test", EMBEDDED, owners), hub.token)
        sync_accounts(workspace)
        now = datetime.fromisoformat(hub.info["clock"])
    verify.verify(workspace)
    with workspace.reading() as archive, archive.reading() as transaction:
        ledger = input_reader.load(transaction, kept_accounts.named(transaction, "world"))
        rows = transaction.fetch(
            "SELECT d.access_key, d.content_id FROM document d WHERE d.access_key IS NOT NULL"
            " UNION ALL SELECT e.access_key, e.content_id FROM event e"
            " WHERE e.access_key IS NOT NULL AND e.is_current = 1"
        )
        files = tuple((key, archive.vault.get(transaction, number)) for key, number in rows)
    terms = Terms()
    return Bridged(Placement(View(ledger, link(ledger, terms), terms, now)), files)


def check(world: Bridged) -> Counter[BridgeCode]:
    """Every page of a world. Gives how many orders and documents each line has, over the pages of all companies."""
    placement = world.placement
    papers = read(data for _, data in world.files)
    own = placement.view.ledger.own
    lines: Counter[BridgeCode] = Counter()
    for month in placement.months:
        whole = page(placement, BridgeScope(month))
        for line in whole.lines:
            lines[line.code] += line.orders + line.documents
        check_page(placement, whole)
        expected = Counter[str]()
        for company in own:
            expected.update(oracle.lines(papers, company, month))
        found = {name: whole.line(BridgeCode(name)).amount for name in oracle.LINES}
        assert found == {name: expected[name] for name in oracle.LINES}, month
        by_market = [page(placement, BridgeScope(month, None, name)) for name in marketplaces(placement, month)]
        by_company = [page(placement, BridgeScope(month, name)) for name in sorted(placement.view.ledger.own)]
        for code in (BridgeCode.ORDERS_TAKEN, BridgeCode.INVOICES_AUTHORIZED):
            assert sum(made.line(code).amount for made in by_market) == whole.line(code).amount
        assert (
            sum(made.line(BridgeCode.INVOICES_AUTHORIZED).amount for made in by_company)
            == whole.line(BridgeCode.INVOICES_AUTHORIZED).amount
        )
        for made in (*by_market, *by_company):
            check_page(placement, made)
        for company, name in product(placement.view.ledger.own, marketplaces(placement, month)):
            check_page(placement, page(placement, BridgeScope(month, company, name)))
    return lines


def run(seeds: tuple[int, ...], documents: int) -> None:
    for seed in seeds:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            world = bridged(Path(folder), seed, documents)
        lines = check(world)
        months = world.placement.months
        print(f"seed {seed}: {documents} documents, {len(world.placement.orders)} orders, {len(months)} months tie")
        print("   " + ", ".join(f"{code.value} {lines[code]}" for code in BridgeCode if lines[code]))


def main() -> None:
    own_configuration.use_temporary()
    parser = argparse.ArgumentParser(prog="python -m tests.bridge_seeds", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("seeds", nargs="*", type=int, default=SEEDS)
    parser.add_argument("--documents", type=int, default=DOCUMENTS)
    given = parser.parse_args()
    run(tuple(given.seeds), given.documents)


if __name__ == "__main__":
    main()
