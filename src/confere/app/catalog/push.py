"""The use case "write products of a file to the hub": planned, shown, sent once each, read back, recorded and audited.

Before anything is sent the catalog is synced, so that only what the hub lacks or has otherwise is sent; a file that was
pushed before, or in part, goes on. What is about to be sent stands in the journal first: a run that was killed leaves
no request of which nobody knows, and what may have arrived is looked for before it is sent again.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from confere.app.accounts import hub_contract
from confere.app.accounts.account_choice import one_account
from confere.app.catalog.push_plan import PushPlan, plan
from confere.app.catalog.push_result import PushResult as PushResult
from confere.app.catalog.push_sender import RUN, PushSender
from confere.app.context import Workspace
from confere.app.sandbox.sandbox_accounts import awake
from confere.archive.accounts import accounts, runs
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.recorded_run import booked
from confere.archive.catalog import push_journal
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import Cancelled, UsageFault, message
from confere.intake.catalog_files.product_drafts import CatalogFile, read_file
from confere.intake.catalog_files.product_drafts import RowFault as RowFault
from confere.system.processes.cancellation import Stop
from confere.system.progress import Reporter, Silent
from confere.system.secrets import token_store

if TYPE_CHECKING:
    from confere.hub.contract.contract import Contract
    from confere.hub.session import HubSession


def prepare(
    workspace: Workspace,
    path: Path,
    account: str | None = None,
    *,
    sheet: str | None = None,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
    prompt: token_store.Prompt | None = None,
) -> PushPlan:
    """Read a file and hold it against the catalog, which is synced first where the hub's contract declares reads.

    Nothing is written to the hub. Raises `UsageFault` for a file that is none of products.
    """
    file = read_file(path, sheet)
    with workspace.writing(RUN) as archive:
        with archive.reading() as transaction:
            chosen = one_account(transaction, account)
        with (
            awake(workspace, chosen, reporter) as woken,
            workspace.session(archive, woken, stop=stop, prompt=prompt) as session,
        ):
            contract = hub_contract.of_account(workspace.home, chosen, address=woken.address).contract
            return _planned(archive, session, woken, file, contract, reporter, stop)


def send(
    workspace: Workspace,
    made: PushPlan,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
    prompt: token_store.Prompt | None = None,
) -> PushResult:
    """Send what was planned, each step once and in the order of registration, and look at the hub afterwards.

    Where another push wrote to the account since, what is left of the plan is sent. Raises `UsageFault` where that is
    anything else than what was planned.
    """
    result = PushResult()
    with workspace.writing(RUN) as archive:
        with archive.reading() as transaction:
            chosen = accounts.named(transaction, made.account)
        with (
            awake(workspace, chosen, reporter) as woken,
            workspace.session(archive, woken, stop=stop, prompt=prompt) as session,
        ):
            contract = hub_contract.of_account(workspace.home, chosen, address=woken.address).contract
            with archive.reading() as transaction:
                is_overtaken = _last_push(transaction, chosen) != made.last_push
            if is_overtaken:
                made = _what_is_left(made, _planned(archive, session, woken, made.file, contract, reporter, stop))
            with booked(archive, RUN, chosen.id, {"sha256": made.file.sha256}, made.file.name, result) as run:
                sender = PushSender(archive, session, woken, made, contract, reporter or Silent(), stop)
                try:
                    sender.run()
                    if not sender.ended:
                        sender.look_again(_planned(archive, session, woken, made.file, contract, reporter, stop))
                except Cancelled:
                    result.stopped = True
                result.rows = sender.rows()
                result.sent, result.requests = sender.sent, session.requests
                result.problem = None if sender.ended is None else sender.ended.what
                if result.complete:
                    with archive.writing() as transaction:
                        push_journal.finish(transaction, sender.push_id)
                run.outcome = "stopped" if result.stopped else "done" if result.complete else "partial"
    return result


def _planned(
    archive: Archive,
    session: HubSession,
    account: Account,
    file: CatalogFile,
    contract: Contract | None,
    reporter: Reporter | None,
    stop: Stop | None,
) -> PushPlan:
    from confere.hub.catalog.catalog_reads import reads_of
    from confere.intake.catalog.catalog_sync import sync_catalog

    reads = reads_of(contract)
    if reads.products:
        result = sync_catalog(archive, session, account, reads, reporter=reporter, stop=stop)
        if result.stopped:
            raise Cancelled(message("The work was stopped; what was done so far is kept."))
    with archive.reading() as transaction:
        made = plan(archive, transaction, account, file, contract)
        made.last_push = _last_push(transaction, account)
    return made


def _last_push(transaction: Transaction, account: Account) -> int | None:
    newest = runs.of_kind(transaction, RUN, account.id, limit=1)
    return newest[0].id if newest else None


def _what_is_left(shown: PushPlan, now: PushPlan) -> PushPlan:
    """The plan as it is now, where everything in it was shown."""
    steps = {step.key: step for step in shown.steps}
    if now.faults or any(steps.get(step.key) != step for step in now.steps):
        raise UsageFault(
            message("Another push wrote to the catalog of {account} meanwhile.", account=shown.account),
            message("Look at what would be sent now with --preview."),
        )
    return now
