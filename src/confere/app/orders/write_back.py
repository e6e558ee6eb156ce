"""The use case "write to orders": what was previewed (an invoice, a move) is sent, read back, recorded and audited.

Nothing is sent without its preview. Before each request the order is read: where it shows this already (an earlier
run was killed after sending), it is only recorded; where it changed since the preview, nothing is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from confere.app.context import EMBEDDED, Workspace
from confere.app.orders import order_moves
from confere.app.orders.order_moves import MoveCandidate
from confere.app.orders.write_back_plan import WAITING as WAITING
from confere.app.orders.write_back_plan import Candidate as Candidate
from confere.app.orders.write_back_plan import LeftOut as LeftOut
from confere.app.orders.write_back_plan import RequestPreview as RequestPreview
from confere.app.orders.write_back_plan import WriteBackPlan as WriteBackPlan
from confere.app.orders.write_back_plan import WriteCandidate as WriteCandidate
from confere.app.orders.write_back_plan import digest as digest
from confere.app.orders.write_back_plan import no_longer as no_longer
from confere.app.orders.write_back_plan import plan as plan
from confere.app.orders.write_back_plan import preview as preview
from confere.app.sandbox.sandbox_accounts import awake
from confere.archive.accounts import accounts, audit
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.recorded_run import booked
from confere.archive.clock import utc_now
from confere.archive.orders import orders
from confere.archive.orders.order_rows import HUB, ReceivedOrder
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import (
    N_,
    Bug,
    Cancelled,
    ConfereError,
    HubError,
    HubNotFound,
    HubRefusedRequest,
    HubRefusedToken,
    HubTooBusy,
    HubUnreachable,
    Message,
    UsageFault,
    message,
)
from confere.intake.orders.erased_persons import without_erased
from confere.sales.order import Order, OrderInvoice
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent
from confere.system.secrets import token_store

if TYPE_CHECKING:
    from confere.hub.orders.orders import HubOrder
    from confere.hub.session import HubSession

_ENDS = (HubRefusedToken, HubUnreachable, HubTooBusy)  # of the hub as a whole: the next order would fare no better


class WriteOutcome(StrEnum):
    WRITTEN = "written"
    ALREADY = "already"
    REFUSED = "refused"
    CHANGED = "changed"
    UNCONFIRMED = "unconfirmed"
    FAILED = "failed"
    NOT_SENT = "not_sent"
    UNDER_WAY = "under_way"
    DECLINED = "declined"


DONE: Final = (WriteOutcome.WRITTEN, WriteOutcome.ALREADY)
"""The order is at the hub as it was to be."""
OUTCOMES: Final = {
    WriteOutcome.WRITTEN: N_("The order has its invoice at the hub now."),
    WriteOutcome.ALREADY: N_("The order had this invoice at the hub already; it is recorded here now."),
    WriteOutcome.REFUSED: N_("The hub refused it; nothing was changed."),
    WriteOutcome.CHANGED: N_("The order changed at the hub since the preview; nothing was sent."),
    WriteOutcome.UNCONFIRMED: N_("The hub accepted it, but the order does not show this invoice."),
    WriteOutcome.FAILED: N_("It is not known whether it arrived; the next run looks before it sends again."),
    WriteOutcome.NOT_SENT: N_("Not sent."),
}
MOVE_OUTCOMES: Final = {
    **OUTCOMES,
    WriteOutcome.WRITTEN: N_("The order was moved; the hub shows it so now."),
    WriteOutcome.ALREADY: N_("The order was so at the hub already; it is recorded here now."),
    WriteOutcome.UNCONFIRMED: N_("The hub accepted it, but the order does not show it."),
    WriteOutcome.FAILED: N_("It is not known whether it arrived: look at the order before sending it again."),
    WriteOutcome.UNDER_WAY: N_("The hub took it; the order does not show yet what came of it."),
    WriteOutcome.DECLINED: N_("The early shipment failed; the order keeps its status, and it can be tried again."),
}
"""As OUTCOMES, of moves that are no invoices."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of one order; `key` is the invoice's, empty for other moves.

    `why` where there is more to say than the outcome; `hub_words` as the hub said it.
    """

    order_id: str
    key: str
    outcome: WriteOutcome
    why: Message | None = None
    hub_words: str = ""


@dataclass(slots=True)
class WriteBackResult:
    """What a run came to, one entry for each request, in their order."""

    sent: list[Sent] = field(default_factory=list)
    stopped: bool = False
    seconds: float = 0.0

    def count(self, outcome: WriteOutcome) -> int:
        return sum(entry.outcome is outcome for entry in self.sent)

    @property
    def complete(self) -> bool:
        """Whether every order is at the hub as it was to be."""
        return all(entry.outcome in DONE for entry in self.sent)

    def counts(self) -> dict[str, int | float]:
        """The figures alone, as runs and scripts want them."""
        found: dict[str, int | float] = {"requested": len(self.sent)}
        return {
            **found,
            **{outcome.value: self.count(outcome) for outcome in WriteOutcome},
            "seconds": round(self.seconds, 3),
        }


def send(
    workspace: Workspace,
    account: str,
    previews: Sequence[RequestPreview[WriteCandidate]],
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
    prompt: token_store.Prompt | None = None,
) -> WriteBackResult:
    """Send these requests, all of one kind, to the hub of `account`, one after the other.

    Raises `HubError` or `SecretUnavailable` where not even the first one could be tried.
    """
    if any(entry.candidate.account != account for entry in previews):
        raise Bug(message("A request of another account was among those of {account}.", account=account))
    result = WriteBackResult()
    kind = previews[0].candidate.run_kind if previews else Candidate.run_kind
    with workspace.writing(kind) as archive:
        with archive.reading() as transaction:
            chosen = accounts.named(transaction, account)
        moved = any(entry.candidate.address != chosen.address for entry in previews)
        if moved and chosen.environment != EMBEDDED:  # an embedded hub has another address at every start
            raise UsageFault(
                message("The account {account} has another hub since the preview: nothing was sent.", account=account),
                message("Look at the requests again."),
            )
        note = reporter.note if reporter is not None else None
        with (
            awake(workspace, chosen, reporter) as woken,
            workspace.session(archive, woken, stop=stop, prompt=prompt, note=note) as session,
            booked(archive, kind, chosen.id, {"orders": len(previews)}, chosen.name, result) as run,
        ):
            _send(_Desk(archive, session, chosen, run.id, stop or Stop()), previews, result, reporter or Silent(), stop)
            run.outcome = "stopped" if result.stopped else "done" if result.complete else "partial"
    return result


def _send(
    desk: _Desk,
    previews: Sequence[RequestPreview[WriteCandidate]],
    result: WriteBackResult,
    reporter: Reporter,
    stop: Stop | None,
) -> None:
    meter = Meter(reporter, previews[0].candidate.work if previews else Candidate.work, len(previews))
    rest: Message | None = None
    for entry in previews:
        result.stopped = result.stopped or (stop is not None and stop.is_set)
        if result.stopped or rest is not None:
            result.sent.append(_told(entry, WriteOutcome.NOT_SENT, why=rest))
            continue
        sent, end = desk.one(entry)
        if isinstance(end, _ENDS) and sent.outcome is WriteOutcome.NOT_SENT and not result.sent:
            raise end
        result.sent.append(sent)
        result.stopped = isinstance(end, Cancelled)
        rest = end.what if isinstance(end, _ENDS) else None
        meter.advance()
    meter.finish()


class _Desk:
    """Where one order after the other is read, written to, read back and recorded."""

    def __init__(self, archive: Archive, session: HubSession, account: Account, run_id: int, stop: Stop) -> None:
        self._archive = archive
        self._session = session
        self._account = account
        self._run_id = run_id
        self._stop = stop

    def one(self, entry: RequestPreview[WriteCandidate]) -> tuple[Sent, ConfereError | None]:
        """What becomes of one request, and the error that kept it from an answer, if one did."""
        from confere.hub.orders.order_writes import has_made, write_order
        from confere.hub.orders.orders import order

        move = entry.write.move
        with self._archive.reading() as transaction:
            why = _no_longer(transaction, self._account.id, entry.candidate)
        if why is not None:
            return self._tell(entry, _told(entry, WriteOutcome.NOT_SENT, why=why)), None
        try:
            before = order(self._session, entry.write.order_id)
        except HubNotFound as error:
            return self._tell(entry, _told(entry, WriteOutcome.REFUSED, error)), None
        except (HubError, Cancelled) as error:
            return _told(entry, WriteOutcome.NOT_SENT, error), error
        if has_made(before.order, move):
            return self._tell(entry, _told(entry, WriteOutcome.ALREADY), before), None
        if _differs(before.order, entry.candidate):
            return self._tell(entry, _told(entry, WriteOutcome.CHANGED), before), None
        self._announce(entry)
        try:
            after = write_order(self._session, entry.write, before.order)
        except (HubRefusedRequest, HubNotFound) as error:
            return self._tell(entry, _told(entry, WriteOutcome.REFUSED, error)), None
        except HubRefusedToken as error:  # it may read, but not write
            return self._tell(entry, _told(entry, WriteOutcome.REFUSED, error)), error
        except HubTooBusy as error:
            return self._tell(entry, _told(entry, WriteOutcome.NOT_SENT, error)), error
        except (HubError, Cancelled) as error:
            return self._tell(entry, _told(entry, WriteOutcome.FAILED, error)), error
        if move.is_asynchronous and after is not None:
            return self._watch(entry, before, after)
        arrived = after is not None and has_made(after.order, move)
        outcome = WriteOutcome.WRITTEN if arrived else WriteOutcome.UNCONFIRMED
        return self._tell(entry, _told(entry, outcome), after), None

    def _watch(
        self, entry: RequestPreview[WriteCandidate], before: HubOrder, after: HubOrder
    ) -> tuple[Sent, ConfereError | None]:
        """Look at the order until it shows what came of its early shipment, or for a few seconds."""
        from confere.hub.orders.early_shipment import ShipmentResult, failure_of, wait_for_result

        try:
            answer = wait_for_result(self._session, entry.write.order_id, before.order, after, self._stop)
        except (HubError, Cancelled) as error:
            return self._tell(entry, _told(entry, WriteOutcome.UNDER_WAY, error), after), error
        outcome = {
            ShipmentResult.SHIPPED: WriteOutcome.WRITTEN,
            ShipmentResult.DECLINED: WriteOutcome.DECLINED,
            ShipmentResult.WAITING: WriteOutcome.UNDER_WAY,
        }[answer.result]
        words = failure_of(answer.order.order) or "" if outcome is WriteOutcome.DECLINED else ""
        return self._tell(entry, replace(_told(entry, outcome), hub_words=words), answer.order), None

    def _announce(self, entry: RequestPreview[WriteCandidate]) -> None:
        """Write down what is sent before it leaves: it is known then, whatever comes."""
        with self._archive.writing() as transaction:
            request = f"{entry.method} {entry.path} {entry.body}"
            audit.write(transaction, entry.candidate.action, self._subject(entry.write.order_id), request)

    def _tell(self, entry: RequestPreview[WriteCandidate], sent: Sent, found: HubOrder | None = None) -> Sent:
        """Write what became of it, and the order as it was read then, in one."""
        with self._archive.writing() as transaction:
            if found is not None:
                received = ReceivedOrder(replace(found.order, hub_id=sent.order_id), found.raw, HUB, utc_now())
                kept = without_erased(transaction, self._account.id, [received])
                orders.record(transaction, self._archive.vault_writer, self._account.id, self._run_id, kept)
            action = f"{entry.candidate.action} {sent.outcome}"
            detail = sent.hub_words or sent.key or entry.write.move.kind.value
            audit.write(transaction, action, self._subject(sent.order_id), detail)
        return sent

    def _subject(self, order_id: str) -> str:
        return f"{self._account.name} {order_id}"


def _no_longer(transaction: Transaction, account_id: int, candidate: WriteCandidate) -> Message | None:
    if isinstance(candidate, Candidate):
        return no_longer(transaction, account_id, candidate)
    assert isinstance(candidate, MoveCandidate)
    return order_moves.no_longer(transaction, account_id, candidate)


def _told(
    entry: RequestPreview[WriteCandidate],
    outcome: WriteOutcome,
    error: ConfereError | None = None,
    *,
    why: Message | None = None,
) -> Sent:
    words = error.hub_words if isinstance(error, HubError) else ""
    why = why if error is None or isinstance(error, Cancelled) else error.what
    invoice = entry.write.move.invoice
    return Sent(entry.write.order_id, (invoice and invoice.access_key) or "", outcome, why, words)


def _differs(found: Order, seen: WriteCandidate) -> bool:
    """Whether the order is no longer what the preview was made of."""
    if not isinstance(seen, Candidate):
        return found.status != seen.order.status
    invoice = found.invoice or OrderInvoice()
    said = ((invoice.series, seen.sale.series), (invoice.number, seen.sale.number), (invoice.access_key, seen.sale.key))
    return found.status != seen.order.status or any(told is not None and told != ours for told, ours in said)
