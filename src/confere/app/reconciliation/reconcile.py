"""The use case "reconcile": orders against documents against freight, each run booked and beside the one before.

What a run finds is written in one transaction at its end: killed before it, nothing has changed; a run that finds
everything as it was writes nothing but that it ran.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from confere.app.accounts.account_choice import usual_accounts
from confere.app.accounts.freshness import now_of as now_of
from confere.app.context import Workspace
from confere.app.reconciliation.review.signoffs import withdraw_outgrown
from confere.archive.accounts import accounts, preferences, runs
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.recorded_run import booked
from confere.archive.accounts.runs import Run
from confere.archive.clock import utc_now
from confere.archive.reconciliation import decisions, finding_search, findings, input_reader, links, near_misses
from confere.archive.reconciliation.finding_search import FindingFilter, FindingTally
from confere.archive.reconciliation.findings import StoredCounts
from confere.archive.reconciliation.links import LinkCounts, Replaced
from confere.archive.reconciliation.near_misses import ExplainedTally
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import Cancelled, Message, UsageFault, message
from confere.export.months import month_of
from confere.fiscal.periods import BRASILIA
from confere.intake.orders.order_rereading import reread_orders
from confere.reconcile import linker, run_rules
from confere.reconcile.context import View
from confere.reconcile.rules.registry import BY_ID
from confere.reconcile.run_rules import Review
from confere.sales.findings import FindingState
from confere.sales.links import Linked
from confere.sales.terms import Terms
from confere.system.processes.cancellation import Stop
from confere.system.processes.garbage_collection import collecting_later
from confere.system.progress import Meter, Reporter, Silent

KIND: Final = "reconcile"
_STEPS: Final = 4


@dataclass(slots=True)
class AccountResult:
    """What the run of one account came to. `run` is its number; `period` None where it was of all of them.

    `rules` counts the findings of its periods by rule, severity and state, as they stand now. `compared` is what
    moved since the run before, None where it was stopped; `previous` the number of that run, None where there is none.
    `suggestions` are the pairs that nearly fit, of the account; `contradicted` the links by hand that other evidence
    contradicts; `explained` the differences of its periods that R3 explains itself; `beside_changed`: suggestions or
    explained differences are others than after the run before. `orders` and `documents` are all of the account;
    `empty`: none of them is of the run's month. `withdrawn` says of reviewers' signatures that they no longer stand.
    """

    account: str
    period: str | None
    as_of: datetime
    run: int = 0
    orders: int = 0
    documents: int = 0
    empty: bool = False
    links: LinkCounts = field(default_factory=LinkCounts)
    replaced: Replaced = field(default_factory=Replaced)
    stored: StoredCounts = field(default_factory=StoredCounts)
    rules: tuple[FindingTally, ...] = ()
    suggestions: int = 0
    contradicted: int = 0
    explained: ExplainedTally = field(default_factory=ExplainedTally)
    beside_changed: bool = False
    previous: int | None = None
    withdrawn: tuple[Message, ...] = ()
    seconds: float = 0.0
    stopped: bool = False

    def counts(self) -> dict[str, Any]:
        """The figures, as runs keep them."""
        return {
            "orders": self.orders,
            "documents": self.documents,
            "automatic": self.links.automatic,
            "manual": self.links.manual,
            "ambiguous": self.links.ambiguous,
            **{state.value: self.count(state) for state in FindingState},
            "new": self.stored.new,
            "closed": self.stored.resolved,
            "reopened": self.stored.reopened,
            "changed": self.stored.changed,
            "suggestions": self.suggestions,
            "contradicted": self.contradicted,
            "explained_by_rule": self.explained.count,
            "explained_amount": self.explained.amount,
            "kinds": {kind.name.lower(): number for kind, number in self.links.kinds},
            "rules": by_rule(self.rules),
            "links": asdict(self.replaced),
            "previous": self.previous,
            "seconds": round(self.seconds, 3),
        }

    def count(self, state: FindingState) -> int:
        """How many findings of the run's periods stand so."""
        return sum(entry.count for entry in self.rules if entry.state == state)

    @property
    def changed(self) -> bool:
        """Whether the run changed anything at all."""
        return self.replaced.changed or self.stored != StoredCounts() or self.beside_changed


@dataclass(slots=True)
class ReconcileResult:
    """What a reconciliation did, account by account."""

    runs: list[AccountResult] = field(default_factory=list)
    stopped: bool = False


def by_rule(found: Sequence[FindingTally]) -> dict[str, dict[str, int]]:
    """Counts by rule and state."""
    rules: dict[str, dict[str, int]] = {}
    for entry in found:
        states = rules.setdefault(entry.rule, {})
        states[entry.state] = states.get(entry.state, 0) + entry.count
    return rules


def reconcile(
    workspace: Workspace,
    names: Sequence[str] = (),
    period: str | None = None,
    as_of: datetime | None = None,
    *,
    last_month: bool = False,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> ReconcileResult:
    """Reconcile these accounts, or all of them; findings of `period` (`YYYY-MM`) alone, or of all periods.

    `last_month`: the month before `as_of` in place of a period. `as_of` is the run's "now", else the machine's; the
    hub's own where it is a demonstration, whose calendar ends where it was listed last.
    Raises `UsageFault` where there is no account.
    """
    result = ReconcileResult()
    with workspace.writing(KIND) as archive:
        with archive.reading() as transaction:
            chosen = [accounts.named(transaction, name) for name in names] or usual_accounts(transaction)
        if not chosen:
            raise UsageFault(
                message("There is no account to reconcile."),
                message("Add one with `confere account add`, or try `confere demo`."),
            )
        for account in {entry.id: entry for entry in chosen}.values():
            if stop is not None and stop.is_set:
                result.stopped = True
                break
            with archive.reading() as transaction:
                now = as_of or now_of(transaction, account)
            wanted = month_before(now) if last_month else period
            done = reconcile_account(archive, account, wanted, now, reporter=reporter, stop=stop)
            result.runs.append(done)
            result.stopped = result.stopped or done.stopped
    return result


def reconcile_account(
    archive: Archive,
    account: Account,
    period: str | None,
    as_of: datetime,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> AccountResult:
    """As `reconcile`, of one account with the archive open."""
    if period is not None:
        month_of(period)
    result = AccountResult(account.name, period, as_of)
    with archive.reading() as transaction:
        terms = preferences.get(transaction, account.id).terms
        before = run_before(transaction, account.id, period)
    asked = {
        "period": period,
        "as_of": as_of.isoformat(timespec="seconds"),
        "terms": asdict(terms),
        "rules": {name: entry.rule.version for name, entry in BY_ID.items()},
        "matching": linker.VERSION,
    }
    result.previous = None if before is None else before.id
    with booked(archive, KIND, account.id, asked, account.name, result, detail=period) as run:
        result.run = run.id
        try:
            _reconcile(archive, account, terms, result, reporter or Silent(), stop or Stop())
            run.outcome = "done"
        except Cancelled:
            result.stopped = True
            run.outcome = "stopped"
    return result


def stored_view(transaction: Transaction, account: Account, now: datetime) -> View:
    """What the rules look at, from the archive as it stands now: the links, ties and suggestions of the last run, with
    what a person decided since."""
    ledger = input_reader.load(transaction, account)
    linked = Linked(
        links.every(transaction, account.id),
        tuple(stored.tie for stored in links.ties(transaction, account.id)),
        near_misses.suggestions(transaction, account.id),
    )
    return View(ledger, linked, preferences.get(transaction, account.id).terms, now)


def month_before(now: datetime) -> str:
    """The newest month that is over, as `YYYY-MM`."""
    local = now.astimezone(BRASILIA)
    year, number = (local.year, local.month - 1) if local.month > 1 else (local.year - 1, 12)
    return f"{year:04d}-{number:02d}"


def run_before(transaction: Transaction, account_id: int, period: str | None) -> Run | None:
    """The newest run of the account that came to its end and was of the same periods."""
    for entry in runs.of_kind(transaction, KIND, account_id):
        if entry.outcome == "done" and entry.parameters.get("period") == period:
            return entry
    return None


def _reconcile(
    archive: Archive, account: Account, terms: Terms, result: AccountResult, reporter: Reporter, stop: Stop
) -> None:
    meter = Meter(reporter, message("Reconciling {account}", account=account.name), _STEPS, every=0)
    reread_orders(archive, account.id, stop=stop)
    with collecting_later():
        with archive.reading() as transaction:
            ledger = input_reader.load(transaction, account)
            ledger = replace(ledger, closed=input_reader.closed_months(transaction, ledger))
            said = decisions.standing(transaction, account.id)
        result.orders, result.documents = len(ledger.orders), len(ledger.papers)
        if result.period is not None:
            of_month = {entry.period for entry in ledger.orders} | {entry.period for entry in ledger.papers}
            result.empty = result.period not in of_month
        _step(meter, stop)
        linked = linker.link(ledger, terms, said)
        _step(meter, stop)
        review = run_rules.review(ledger, linked, terms, result.as_of)
        _step(meter, stop)
        del ledger
        with archive.writing() as transaction:
            _write(transaction, account, terms, result, linked, review)
    meter.advance()
    meter.finish()


def _write(
    transaction: Transaction,
    account: Account,
    terms: Terms,
    result: AccountResult,
    linked: Linked,
    review: Review,
) -> None:
    result.replaced = links.replace(transaction, account.id, result.run, linked)
    result.stored = findings.store(
        transaction,
        account.id,
        result.run,
        review.findings,
        period=result.period,
        at=utc_now(),
        tolerance=terms.tolerance,
    )
    suggested = near_misses.replace_suggestions(transaction, account.id, result.run, linked.suggestions)
    listed = near_misses.replace_explained(transaction, account.id, result.run, review.explained, result.period)
    result.beside_changed = suggested or listed
    result.suggestions = len(linked.suggestions)
    result.contradicted = sum(entry.contradicted for entry in linked.links)
    result.explained = near_misses.tally(transaction, account.id, result.period)
    result.links = links.counts(transaction, account.id)
    result.rules = finding_search.tallies(transaction, account.id, FindingFilter(result.period))
    result.withdrawn = withdraw_outgrown(transaction)


def _step(meter: Meter, stop: Stop) -> None:
    stop.check(message("The reconciliation was stopped; nothing was changed."))
    meter.advance()
