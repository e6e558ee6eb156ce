"""Asking for orders one by one: several at once, each batch written in one transaction with what was answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

from confere.archive.orders import order_requests
from confere.archive.orders.order_requests import ABSENT, FAILED, FOUND, Asked
from confere.errors import HubAnswerUnreadable, HubError, HubNotFound, HubRefusedRequest, HubRefusedToken, message
from confere.hub.orders import orders
from confere.hub.orders.orders import HubOrder
from confere.intake.hub_failures import WORKERS, FailureStreak
from confere.intake.orders.order_writer import Work
from confere.system.progress import Meter

BATCH = 64
_WITHHOLDING = (HubNotFound, HubRefusedRequest, HubRefusedToken, HubAnswerUnreadable)


@dataclass(frozen=True, slots=True)
class _Answer:
    hub_id: str
    order: HubOrder | None = None
    error: HubError | None = None


class OrderFetcher:
    """Asks and writes down. Raises `HubError` where the hub itself failed; `Cancelled` once asked to stop.

    `withheld` are the orders that the hub was asked for and does not give, now or later.
    """

    def __init__(self, work: Work, meter: Meter) -> None:
        self._work = work
        self._meter = meter
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix="order")
        self._failures = FailureStreak()
        self._asked: set[str] = set()
        self.withheld: set[str] = set()

    def close(self) -> None:
        """Wait for what is in flight and forget it."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def ask(self, hub_ids: Iterable[str], *, again: bool = False) -> frozenset[str]:
        """Ask for these orders and write them down; the ids under which the hub gave one.

        Those asked for in this run already are left out, unless `again`. An order that came under another id than
        was asked for is kept under its own.
        """
        wanted = iter(dict.fromkeys(name for name in hub_ids if again or name not in self._asked))
        found: set[str] = set()
        while batch := list(islice(wanted, BATCH)):
            self._asked.update(batch)
            found |= self._batch(batch)
        return frozenset(found)

    def _batch(self, batch: Sequence[str]) -> set[str]:
        answers = list(self._pool.map(self._one, batch))
        work = self._work
        said: list[Asked] = []
        orders_found: list[HubOrder] = []
        for answer in answers:
            if answer.order is not None:
                orders_found.append(answer.order)
                said.append(Asked(answer.hub_id, FOUND))
            elif isinstance(answer.error, HubNotFound):
                work.result.absent += 1
                said.append(Asked(answer.hub_id, ABSENT))
            elif answer.error is not None:
                work.result.fail(answer.hub_id, answer.error.what)
                said.append(Asked(answer.hub_id, FAILED, answer.error.what))
        with work.archive.writing() as transaction:
            work.result.count(work.write(transaction, orders_found))
            order_requests.mark_asked(transaction, work.account.id, said)
        self.withheld.update(answer.hub_id for answer in answers if isinstance(answer.error, _WITHHOLDING))
        work.result.asked += len(said)
        self._meter.advance(len(batch))
        for answer in answers:
            if answer.error is not None and self._failures.is_the_hubs(answer.error):
                raise answer.error
        return {answer.hub_id for answer in answers if answer.order and answer.order.hub_id == answer.hub_id}

    def _one(self, hub_id: str) -> _Answer:
        if self._work.stop is not None:
            self._work.stop.check()
        if self._failures.is_over:
            return _Answer(hub_id)  # left as it is for the next run
        try:
            found = orders.order(self._work.session, hub_id, stop=self._work.stop)
            if not found.hub_id:
                raise HubAnswerUnreadable(
                    message("The hub gave the order {id} without its id.", id=hub_id),
                    message("It is asked for again by the next sync."),
                )
        except HubError as error:
            self._failures.note(error)
            return _Answer(hub_id, error=error)
        self._failures.note(None)
        return _Answer(hub_id, found)
