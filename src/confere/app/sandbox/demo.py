"""The demo: the embedded sandbox, an account on it, sync, check, reconciliation and the newest month's packages.

The catalog is synced too, so that the reconciliation can hold invoices against it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from confere.app.accounts import hub_contract
from confere.app.authenticity.verify import VerifySummary, verify_archive
from confere.app.context import EMBEDDED, Workspace
from confere.app.packages.export import PackageResult, export_month, has_papers, newest_full_month
from confere.app.reconciliation.reconcile import AccountResult, now_of, reconcile_account
from confere.app.sandbox import sandbox, sandbox_accounts
from confere.app.sandbox.sandbox import RunningSandbox, SandboxChoice
from confere.archive.accounts import accounts
from confere.archive.accounts.accounts import Account, Establishment
from confere.archive.documents import details, documents
from confere.archive.documents.search.document_search import DocumentQuery
from confere.archive.store import Archive
from confere.fiscal.operations import Operation
from confere.hub.catalog.catalog_reads import reads_of
from confere.intake.catalog.catalog_result import CatalogResult
from confere.intake.catalog.catalog_sync import sync_catalog
from confere.intake.documents.document_sync import SyncResult, sync
from confere.intake.orders.order_sync import sync_orders
from confere.system.processes.cancellation import Stop
from confere.system.progress import Reporter

PLATFORM = "confere"
_SALES_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class DemoResult:
    """What the demo did; `month` is None where there was nothing to export.

    `example` is the key of a sale that other documents refer to, for whoever wants to look at one. `verified`,
    `catalog` and `reconciled` are None where it was stopped before.
    """

    account: str
    sync: SyncResult
    month: str | None
    packages: tuple[PackageResult, ...]
    verified: VerifySummary | None = None
    example: str | None = None
    reconciled: AccountResult | None = None
    catalog: CatalogResult | None = None


def run(
    workspace: Workspace, choice: SandboxChoice, *, reporter: Reporter | None = None, stop: Stop | None = None
) -> DemoResult:
    """Run the main job on the sandbox. Again in the same folder it goes on with the same archive."""
    workspace.home.ensure()
    catalog = None
    with workspace.writing("demo") as archive:
        with sandbox.running(sandbox_accounts.own_world(archive, choice)) as hub:
            account = _account(archive, hub)
            note = reporter.note if reporter is not None else None
            with workspace.session(archive, account, stop=stop, note=note) as session:
                sandbox_accounts.learn_roots(archive, account)
                result = sync(archive, session, account, reporter=reporter, stop=stop)
                if not result.stopped:
                    result.orders = sync_orders(archive, session, account, reporter=reporter, stop=stop)
                    result.stopped = result.orders.stopped
                if not result.stopped:
                    reads = reads_of(hub_contract.of_account(workspace.home, account, address=hub.address).contract)
                    if reads.products:
                        catalog = sync_catalog(archive, session, account, reads, reporter=reporter, stop=stop)
                        result.stopped = catalog.stopped
        verified = None if result.stopped else verify_archive(archive, workspace.home, reporter=reporter, stop=stop)
        reconciled = None if verified is None or verified.stopped else _reconcile(archive, account, reporter, stop)
        owners = [company.tax_id for company in hub.companies]
        month = None if reconciled is None or reconciled.stopped else newest_full_month(archive, owners)
        packages = [
            export_month(workspace, archive, owner, month, reporter=reporter, stop=stop, again=True)
            for owner in owners
            if month is not None and has_papers(archive, owner, month)
        ]
        example = _example(archive, packages[0].contents.company) if packages else None
    return DemoResult(account.name, result, month, tuple(packages), verified, example, reconciled, catalog)


def _reconcile(archive: Archive, account: Account, reporter: Reporter | None, stop: Stop | None) -> AccountResult:
    """Every month, as of the moment at which the hub's calendar stands."""
    with archive.reading() as transaction:
        known = accounts.named(transaction, account.name)  # with what the sync learned of the hub
        now = now_of(transaction, known)
    return reconcile_account(archive, known, None, now, reporter=reporter, stop=stop)


def _example(archive: Archive, company: str) -> str | None:
    """Of the company's newest sales the one with the most relations."""
    query = DocumentQuery(company=company, types=("nfe",), operations=(Operation.SALE,))
    with archive.reading() as transaction:
        linked = {
            row.access_key: len(details.relations_to(transaction, row.access_key))
            for row in documents.page(transaction, query, _SALES_LOOKED_AT)
            if row.access_key is not None
        }
    return max(linked, key=lambda key: linked[key], default=None)


def _account(archive: Archive, hub: RunningSandbox) -> Account:
    """One account for each world: another seed is another seller, and no document may pass for the other's."""
    name = sandbox_accounts.name_of(hub.choice.seed, hub.choice.documents)
    establishments = [Establishment(company.tax_id, company.name) for company in hub.companies]
    with archive.writing() as transaction:
        known = next((entry for entry in accounts.every(transaction) if entry.name == name), None)
        if known is None:
            known = accounts.add(
                transaction,
                name=name,
                environment=EMBEDDED,
                address=hub.address,
                platform=PLATFORM,
                establishments=establishments,
            )
        accounts.move(transaction, known.id, hub.address)
        accounts.learn(transaction, known.id, sandbox_accounts.facts_of(hub))
        return replace(accounts.named(transaction, name), started_token=hub.token)
