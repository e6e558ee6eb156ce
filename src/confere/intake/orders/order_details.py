"""Asking for orders one by one, each batch written in one transaction with what was answered."""

from __future__ import annotations

from collections.abc import Sequence

from confere.archive.orders import order_requests
from confere.archive.orders.order_requests import ABSENT, FAILED, FOUND, Asked
from confere.errors import HubAnswerUnreadable, HubNotFound, message
from confere.hub.orders import orders
from confere.hub.orders.orders import HubOrder
from confere.intake.item_fetcher import BATCH as BATCH
from confere.intake.item_fetcher import FetchAnswer, ItemFetcher
from confere.intake.orders.order_writer import Work
from confere.system.progress import Meter


class OrderFetcher(ItemFetcher[HubOrder]):
    """Orders by their id at the hub."""

    def __init__(self, work: Work, meter: Meter) -> None:
        super().__init__(work.stop, meter, "order")
        self._work = work

    def _get(self, hub_id: str) -> HubOrder:
        found = orders.order(self._work.session, hub_id, stop=self._work.stop)
        if not found.hub_id:
            raise HubAnswerUnreadable(
                message("The hub gave the order {id} without its id.", id=hub_id),
                message("It is asked for again by the next sync."),
            )
        return found

    def _id_of(self, item: HubOrder) -> str | None:
        return item.hub_id

    def _write(self, answers: Sequence[FetchAnswer[HubOrder]]) -> None:
        work = self._work
        asked: list[Asked] = []
        orders_found: list[HubOrder] = []
        for answer in answers:
            if answer.item is not None:
                orders_found.append(answer.item)
                asked.append(Asked(answer.hub_id, FOUND))
            elif isinstance(answer.error, HubNotFound):
                work.result.absent += 1
                asked.append(Asked(answer.hub_id, ABSENT))
            elif answer.error is not None:
                work.result.fail(answer.hub_id, answer.error.what)
                asked.append(Asked(answer.hub_id, FAILED, answer.error.what))
        with work.archive.writing() as transaction:
            work.result.count(work.write(transaction, orders_found))
            order_requests.mark_asked(transaction, work.account.id, asked)
        work.result.asked += len(asked)
