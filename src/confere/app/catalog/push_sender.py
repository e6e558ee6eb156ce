"""Sending the steps of a push: each stands in the journal before it is sent, and its outcome after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from confere.app.catalog.push_plan import PushPlan
from confere.app.catalog.push_steps import PushKind, PushStep
from confere.archive.accounts import audit
from confere.archive.accounts.accounts import Account
from confere.archive.catalog import push_journal
from confere.archive.catalog.push_journal import ARRIVED, JournalStep, StepName, StepState
from confere.archive.store import Archive
from confere.errors import (
    Cancelled,
    HubAnswerUnreadable,
    HubBroken,
    HubError,
    HubNotFound,
    HubRefusedRequest,
    HubTooBusy,
    HubUnreachable,
    Message,
    message,
)
from confere.intake.catalog_files.product_drafts import RowFault as RowFault
from confere.sales.catalog_product import CatalogName
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter

if TYPE_CHECKING:
    from confere.hub.catalog.catalog_reads import CatalogReads
    from confere.hub.contract.contract import Contract
    from confere.hub.session import HubSession

from confere.app.catalog.push_result import WELL, RowOutcome, RowResult, worst

RUN: Final = "catalog push"
"""The kind of such a run in the archive, and how its lines in the audit trail begin."""
_TOGETHER: Final = 24  # steps that the journal is told of at once
_THREADS: Final = 4
_OF_STATE: Final = {
    StepState.CREATED: RowOutcome.CREATED,
    StepState.CHANGED: RowOutcome.CHANGED,
    StepState.REFUSED: RowOutcome.REFUSED,
    StepState.CREATING: RowOutcome.FAILED,
    StepState.CHANGING: RowOutcome.FAILED,
}


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of a step; `state` None where it was not sent, or surely not done."""

    state: StepState | None
    hub_id: str | None = None
    why: Message | None = None
    words: str = ""
    ends: HubError | None = None  # of the hub as a whole: the next step would fare no better


class PushSender:
    """Sends the steps of a plan; `ended` is the error after which no further one was tried."""

    def __init__(
        self,
        archive: Archive,
        session: HubSession,
        account: Account,
        made: PushPlan,
        contract: Contract | None,
        reporter: Reporter,
        stop: Stop | None,
    ) -> None:
        from confere.hub.catalog.catalog_reads import reads_of

        self._archive = archive
        self._session = session
        self._account = account
        self._made = made
        self._reads: CatalogReads = reads_of(contract)
        self._stop = stop
        self._meter = Meter(reporter, message("Writing products to {account}", account=account.name), len(made.steps))
        with archive.writing() as transaction:
            self.push_id = push_journal.open_file(transaction, account.id, made.file.sha256, made.file.name)
        with archive.reading() as transaction:
            self._journal = push_journal.steps(transaction, account.id, made.file.sha256)
            self._of_others = push_journal.made_by_others(transaction, account.id, made.file.sha256)
        if self._reads.products:
            self._settle_earlier()
        self._outcomes: dict[StepName, _Outcome] = {}
        self._absent: set[tuple[str, object]] = set()  # brands and categories that could not be registered
        self._unmade: set[str] = set()  # new products that are not known to be there
        self._unshown: dict[int, Message] = {}
        self.sent = 0
        self.ended: HubError | None = None

    def run(self) -> None:
        """Send everything, in order of registration; one kind of thing is through before the next one begins."""
        try:
            with ThreadPoolExecutor(_THREADS) as pool:
                for kind in PushKind:
                    for together in self._together(kind):
                        if self.ended is not None:
                            return
                        if self._stop is not None:
                            self._stop.check()
                        self._send(pool, kind, together)
        except HubError as error:  # of a look at the hub
            self.ended = error
        finally:
            self._meter.finish()

    def look_again(self, now: PushPlan) -> None:
        """Hold the file against the catalog as it is now: what was accepted and does not show is not well."""
        reads = self._reads.products
        for step in now.steps if reads else ():
            done = self._outcomes.get(step.key)
            if step.is_shown and (done is None or done.state in (StepState.CREATED, StepState.CHANGED)):
                for line in step.lines:
                    self._unshown.setdefault(line, message("The hub accepted it, but does not show it so."))

    def rows(self) -> list[RowResult]:
        """What became of each row, in the order of the file."""
        of_line: dict[int, list[RowResult]] = {}
        for product in self._made.file.products:
            for sku in product.skus:
                of_line[sku.line] = [RowResult(sku.line, sku.code, product.key, self._earlier(product.key, sku.code))]
        for step in self._made.steps:
            done = self._outcomes.get(step.key)
            if done is None or (done.state is None and done.why is None):
                outcome, why, words = RowOutcome.NOT_SENT, None, ""
            else:
                outcome = RowOutcome.REFUSED if done.state is None else _OF_STATE[done.state]
                why, words = done.why, done.words
            is_name = step.kind in (PushKind.BRAND, PushKind.CATEGORY, PushKind.VARIATION)
            if is_name and (outcome in WELL or step.kind.value not in self._reads.names):
                continue  # no row is new because its brand is; nor refused where that may have been there already
            if step.kind is PushKind.IMAGE and outcome is RowOutcome.CREATED:
                outcome = RowOutcome.CHANGED  # of what the hub had
            for line in step.lines:
                first = of_line[line][0]
                of_line[line].append(RowResult(line, first.code, first.product, outcome, why, words))
        rows = [worst(results) for results in of_line.values()]
        return [
            RowResult(row.line, row.code, row.product, RowOutcome.FAILED, self._unshown[row.line])
            if row.line in self._unshown and row.outcome in WELL
            else row
            for row in sorted(rows, key=lambda row: row.line)
        ]

    def _earlier(self, product: str, code: str) -> RowOutcome:
        """What earlier runs of the same file made of a row."""
        names = (StepName(PushKind.PRODUCT, product), StepName(PushKind.SKU, code), StepName(PushKind.STOCK, code))
        states = {self._journal[name].state for name in names if name in self._journal}
        if StepState.CREATED in states:
            return RowOutcome.CREATED
        return RowOutcome.CHANGED if StepState.CHANGED in states else RowOutcome.UNCHANGED

    def _settle_earlier(self) -> None:
        """What an earlier run was sending when it ended, and the plan has no more, arrived: the hub shows it."""
        planned = {step.key for step in self._made.steps}
        arrived = {
            name: JournalStep(ARRIVED[step.state], step.hub_id)
            for name, step in self._journal.items()
            if step.state in ARRIVED and name not in planned
        }
        if arrived:
            with self._archive.writing() as transaction:
                push_journal.settle(transaction, self.push_id, dict(arrived))
            self._journal |= arrived

    def _together(self, kind: PushKind) -> Iterator[Sequence[PushStep]]:
        from confere.hub.catalog.catalog_writes import MOST_STOCKS

        steps = [step for step in self._made.steps if step.kind is kind]
        size = MOST_STOCKS if kind is PushKind.STOCK else 1 if kind is PushKind.CATEGORY else _TOGETHER
        for start in range(0, len(steps), size):
            yield steps[start : start + size]

    def _send(self, pool: ThreadPoolExecutor, kind: PushKind, together: Sequence[PushStep]) -> None:
        """Send some steps of one kind: written down first, then sent, then what became of them written down."""
        left = [step for step in together if not self._is_settled(step)]
        if left:
            with self._archive.writing() as transaction:
                push_journal.begin(transaction, self.push_id, {step.key: step.creates for step in left})
            if kind is PushKind.STOCK:
                outcomes = self._send_stocks(left)
            else:
                outcomes = list(pool.map(self._send_one, left))
            self.sent += sum(done.state is not None for done in outcomes)
            self._settle(left, outcomes)
        self._meter.advance(len(together))

    def _settle(self, steps: Sequence[PushStep], outcomes: Sequence[_Outcome]) -> None:
        with self._archive.writing() as transaction:
            journal: dict[StepName, JournalStep | None] = {}
            for step, done in zip(steps, outcomes, strict=True):
                self._take(step, done)
                journal[step.key] = (
                    None if done.state is None else JournalStep(done.state, done.hub_id, done.words or None)
                )
                what = "unknown" if done.state in ARRIVED else done.state or "not sent"
                subject = f"{self._account.name} {step.kind} {step.name}"
                audit.write(transaction, f"{RUN} {what}", subject, done.words or None)
            push_journal.settle(transaction, self.push_id, journal)

    def _take(self, step: PushStep, done: _Outcome) -> None:
        self._outcomes[step.key] = done
        self.ended = self.ended or done.ends
        is_done = done.state in (StepState.CREATED, StepState.CHANGED)
        if step.kind is PushKind.PRODUCT and step.creates and not is_done:
            self._unmade.add(step.product)
        elif step.kind is PushKind.BRAND:
            if is_done and done.hub_id is not None:
                self._made.ids.brands[step.name] = done.hub_id
            elif not is_done:
                self._absent.add(("brand", step.name))
        elif step.kind is PushKind.CATEGORY:
            if is_done and done.hub_id is not None:
                self._made.ids.categories[step.makes_category] = done.hub_id
            else:
                self._absent.add(("category", step.makes_category))

    def _is_settled(self, step: PushStep) -> bool:
        """Whether a step need not, or must not, be sent: done by an earlier run, or what it needs is not there."""
        # Where the hub's brands cannot be read, one that is refused may be there already.
        lacks_brand = ("brand", step.brand) in self._absent and CatalogName.BRAND in self._reads.names
        lacks_category = ("category", step.category) in self._absent
        if lacks_brand or lacks_category:
            why = message("Its brand or category could not be registered.")
            self._take(step, _Outcome(None, why=why))
            return True
        if step.kind is PushKind.STOCK and step.product in self._unmade:
            self._take(step, _Outcome(None))
            return True
        earlier = self._journal.get(step.key)
        if step.creates and step.codes and not self._reads.products and step.key in self._of_others:
            why = message(
                "Another file was pushed that creates it, and this hub cannot be asked what it has:"
                " change it in the hub's panel."
            )
            self._take(step, _Outcome(None, why=why))
            return True
        if earlier is None:
            return False
        is_done = earlier.state in (StepState.CREATED, StepState.CHANGED)
        if is_done and not (self._reads.products and step.is_shown):  # nothing else shows that it was done
            self._take(step, _Outcome(earlier.state, earlier.hub_id))
            return True
        if earlier.state is StepState.CREATING and step.creates:
            if not self._reads.products and step.codes:
                why = message(
                    "An earlier run ended while it was sent, and this hub cannot be asked whether it arrived:"
                    " look in the hub's panel."
                )
                self._take(step, _Outcome(StepState.CREATING, why=why))
                return True
            if self._is_there(step):
                self._settle([step], [_Outcome(StepState.CREATED)])
                return True
        return False

    def _is_there(self, step: PushStep) -> bool:
        """Whether the hub has a product with the step's first code; asks it in any case where it can be asked."""
        from confere.hub.catalog.catalog_reads import products_with

        if not self._reads.by_code:
            return False
        code = step.codes[0] if step.codes else step.name
        return bool(products_with(self._session, code, stop=self._stop))

    def _send_one(self, step: PushStep) -> _Outcome:
        from confere.hub.catalog.catalog_writes import send as send_write

        if self.ended is not None or (self._stop is not None and self._stop.is_set):
            return _Outcome(None)
        try:
            return _Outcome(
                ARRIVED[step.being_sent],
                send_write(self._session, self._made.ids.resolved(step).write, stop=self._stop),
            )
        except HubError as error:
            return self._of_error(step, error)
        except Cancelled:
            return _Outcome(step.being_sent)

    def _send_stocks(self, steps: Sequence[PushStep]) -> list[_Outcome]:
        """Many in one request; where the hub refuses them together, one by one, so that each has its own words."""
        first = steps[0]
        items = [item for step in steps for item in step.write.body]
        together = self._send_one(replace(first, write=replace(first.write, body=items)))
        if together.state is StepState.REFUSED and len(steps) > 1:
            return [self._send_one(step) for step in steps]
        return [together] * len(steps)

    def _of_error(self, step: PushStep, error: HubError) -> _Outcome:
        words = error.hub_words or ""
        if isinstance(error, HubRefusedRequest | HubNotFound):
            return _Outcome(StepState.REFUSED, why=error.what, words=words)
        if isinstance(error, HubBroken | HubAnswerUnreadable | HubUnreachable):
            ends: HubError | None = None
            if isinstance(error, HubUnreachable) and not self._reads.by_code:
                ends = error
            try:
                if self._is_there(step) and step.creates and step.codes:
                    return _Outcome(StepState.CREATED)
            except HubError as still:  # one connection may break; a hub that does not answer again is away
                ends = still
            why = message("It is not known whether it arrived; the next run looks before it sends again.")
            return _Outcome(step.being_sent, why=why, words=words, ends=ends)
        return _Outcome(None, why=None if isinstance(error, HubTooBusy) else error.what, words=words, ends=error)
