"""The use case "give orders their invoices": what was previewed is sent, read back, recorded and audited.

Nothing is sent without its preview. Before each request the order is read: where it has this invoice already (an
earlier run was killed after sending), it is only recorded; where it changed since the preview, nothing is sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from confere.app.context import EMBEDDED, Workspace
from confere.app.orders.write_back_plan import WAITING as WAITING
from confere.app.orders.write_back_plan import Candidate as Candidate
from confere.app.orders.write_back_plan import LeftOut as LeftOut
from confere.app.orders.write_back_plan import RequestPreview as RequestPreview
from confere.app.orders.write_back_plan import WriteBackPlan as WriteBackPlan
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
from confere.system import token_store
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent

if TYPE_CHECKING:
    from confere.hub.orders.orders import HubOrder
    from confere.hub.session import HubSession

RUN_KIND: Final = "write_back"
_ENDS = (HubRefusedToken, HubUnreachable, HubTooBusy)  # of the hub as a whole: the next order would fare no better


class WriteOutcome(StrEnum):
    WRITTEN = "written"
    ALREADY = "already"
    REFUSED = "refused"
    CHANGED = "changed"
    UNCONFIRMED = "unconfirmed"
    FAILED = "failed"
    NOT_SENT = "not_sent"


DONE: Final = (WriteOutcome.WRITTEN, WriteOutcome.ALREADY)
"""The order has its invoice at the hub."""
OUTCOMES: Final = {
    WriteOutcome.WRITTEN: N_("The order has its invoice at the hub now."),
    WriteOutcome.ALREADY: N_("The order had this invoice at the hub already; it is recorded here now."),
    WriteOutcome.REFUSED: N_("The hub refused it; nothing was changed."),
    WriteOutcome.CHANGED: N_("The order changed at the hub since the preview; nothing was sent."),
    WriteOutcome.UNCONFIRMED: N_("The hub accepted it, but the order does not show this invoice."),
    WriteOutcome.FAILED: N_("It is not known whether it arrived; the next run looks before it sends again."),
    WriteOutcome.NOT_SENT: N_("Not sent."),
}


@dataclass(frozen=True, slots=True)
class Sent:
    """What became of one order. `why` where there is more to say than the outcome; `hub_words` as the hub said it."""

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
        """Whether every order has its invoice."""
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
    previews: Sequence[RequestPreview],
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
    prompt: token_store.Prompt | None = None,
) -> WriteBackResult:
    """Send these requests to the hub of `account`, one after the other.

    Raises `HubError` or `SecretUnavailable` where not even the first one could be tried.
    """
    if any(entry.candidate.account != account for entry in previews):
        raise Bug(message("A request of another account was among those of {account}.", account=account))
    result = WriteBackResult()
    with workspace.writing(RUN_KIND) as archive:
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
            booked(archive, RUN_KIND, chosen.id, {"orders": len(previews)}, chosen.name, result) as run,
        ):
            _send(_Desk(archive, session, chosen, run.id), previews, result, reporter or Silent(), stop)
            run.outcome = "stopped" if result.stopped else "done" if result.complete else "partial"
    return result


def _send(
    desk: _Desk, previews: Sequence[RequestPreview], result: WriteBackResult, reporter: Reporter, stop: Stop | None
) -> None:
    meter = Meter(reporter, message("Giving orders their invoices"), len(previews))
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

    def __init__(self, archive: Archive, session: HubSession, account: Account, run_id: int) -> None:
        self._archive = archive
        self._session = session
        self._account = account
        self._run_id = run_id

    def one(self, entry: RequestPreview) -> tuple[Sent, ConfereError | None]:
        """What becomes of one request, and the error that kept it from an answer, if one did."""
        from confere.hub.orders.order_writes import has_invoice, set_invoice
        from confere.hub.orders.orders import order

        with self._archive.reading() as transaction:
            why = no_longer(transaction, self._account.id, entry.candidate)
        if why is not None:
            return self._tell(_told(entry, WriteOutcome.NOT_SENT, why=why)), None
        try:
            before = order(self._session, entry.write.order_id)
        except HubNotFound as error:
            return self._tell(_told(entry, WriteOutcome.REFUSED, error)), None
        except (HubError, Cancelled) as error:
            return _told(entry, WriteOutcome.NOT_SENT, error), error
        if has_invoice(before.order, entry.write.invoice):
            return self._tell(_told(entry, WriteOutcome.ALREADY), before), None
        if _differs(before.order, entry.candidate):
            return self._tell(_told(entry, WriteOutcome.CHANGED), before), None
        self._announce(entry)
        try:
            after = set_invoice(self._session, entry.write)
        except (HubRefusedRequest, HubNotFound) as error:
            return self._tell(_told(entry, WriteOutcome.REFUSED, error)), None
        except HubRefusedToken as error:  # it may read, but not write
            return self._tell(_told(entry, WriteOutcome.REFUSED, error)), error
        except HubTooBusy as error:
            return self._tell(_told(entry, WriteOutcome.NOT_SENT, error)), error
        except (HubError, Cancelled) as error:
            return self._tell(_told(entry, WriteOutcome.FAILED, error)), error
        arrived = after is not None and has_invoice(after.order, entry.write.invoice)
        return self._tell(_told(entry, WriteOutcome.WRITTEN if arrived else WriteOutcome.UNCONFIRMED), after), None

    def _announce(self, entry: RequestPreview) -> None:
        """Write down what is sent before it leaves: it is known then, whatever comes."""
        with self._archive.writing() as transaction:
            request = f"{entry.method} {entry.path} {entry.body}"
            audit.write(transaction, "order invoice", self._subject(entry.write.order_id), request)

    def _tell(self, sent: Sent, found: HubOrder | None = None) -> Sent:
        """Write what became of it, and the order as it was read then, in one."""
        with self._archive.writing() as transaction:
            if found is not None:
                received = ReceivedOrder(replace(found.order, hub_id=sent.order_id), found.raw, HUB, utc_now())
                kept = without_erased(transaction, self._account.id, [received])
                orders.record(transaction, self._archive.vault_writer, self._account.id, self._run_id, kept)
            action = f"order invoice {sent.outcome}"
            audit.write(transaction, action, self._subject(sent.order_id), sent.hub_words or sent.key)
        return sent

    def _subject(self, order_id: str) -> str:
        return f"{self._account.name} {order_id}"


def _told(
    entry: RequestPreview, outcome: WriteOutcome, error: ConfereError | None = None, *, why: Message | None = None
) -> Sent:
    words = error.hub_words if isinstance(error, HubError) else ""
    why = why if error is None or isinstance(error, Cancelled) else error.what
    return Sent(entry.write.order_id, entry.candidate.sale.key, outcome, why, words)


def _differs(found: Order, seen: Candidate) -> bool:
    """Whether the order is no longer what the preview was made of."""
    invoice = found.invoice or OrderInvoice()
    said = ((invoice.series, seen.sale.series), (invoice.number, seen.sale.number), (invoice.access_key, seen.sale.key))
    return found.status != seen.order.status or any(told is not None and told != ours for told, ours in said)
