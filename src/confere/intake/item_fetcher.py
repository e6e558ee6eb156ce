"""Asking for records one by one: several at once, each batch written in one transaction with what was answered."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

from confere.errors import HubAnswerUnreadable, HubError, HubNotFound, HubRefusedRequest, HubRefusedToken
from confere.intake.hub_failures import WORKERS, FailureStreak
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter

BATCH = 64
_WITHHOLDING = (HubNotFound, HubRefusedRequest, HubRefusedToken, HubAnswerUnreadable)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FetchAnswer(Generic[T]):
    """What the hub answered about `hub_id`; neither `item` nor `error` where it was not asked any more."""

    hub_id: str
    item: T | None = None
    error: HubError | None = None


class ItemFetcher(ABC, Generic[T]):
    """Asks and writes down. Raises `HubError` where the hub itself failed; `Cancelled` once asked to stop.

    `withheld` are the records that the hub was asked for and does not give, now or later.
    """

    def __init__(self, stop: Stop | None, meter: Meter, name: str) -> None:
        self._stop = stop
        self._meter = meter
        self._pool = ThreadPoolExecutor(WORKERS, thread_name_prefix=name)
        self._failures = FailureStreak()
        self._asked: set[str] = set()
        self.withheld: set[str] = set()

    def close(self) -> None:
        """Wait for what is in flight and forget it."""
        self._pool.shutdown(wait=True, cancel_futures=True)

    def ask(self, hub_ids: Iterable[str], *, again: bool = False) -> frozenset[str]:
        """Ask for these records and write them down; the ids under which the hub gave one.

        Those asked for in this run already are left out, unless `again`. A record that came under another id than
        was asked for is kept under its own.
        """
        wanted = iter(dict.fromkeys(name for name in hub_ids if again or name not in self._asked))
        found: set[str] = set()
        while batch := list(islice(wanted, BATCH)):
            self._asked.update(batch)
            found |= self._batch(batch)
        return frozenset(found)

    @abstractmethod
    def _get(self, hub_id: str) -> T:
        """The record as the hub has it now. Raises `HubError`."""

    @abstractmethod
    def _write(self, answers: Sequence[FetchAnswer[T]]) -> None:
        """Write a batch of answers down, and count them."""

    @abstractmethod
    def _id_of(self, item: T) -> str | None:
        """The id that a record has for itself."""

    def _batch(self, batch: Sequence[str]) -> set[str]:
        answers = list(self._pool.map(self._one, batch))
        self._write(answers)
        self.withheld.update(answer.hub_id for answer in answers if isinstance(answer.error, _WITHHOLDING))
        self._meter.advance(len(batch))
        for answer in answers:
            if answer.error is not None and self._failures.is_the_hubs(answer.error):
                raise answer.error
        return {
            answer.hub_id for answer in answers if answer.item is not None and self._id_of(answer.item) == answer.hub_id
        }

    def _one(self, hub_id: str) -> FetchAnswer[T]:
        if self._stop is not None:
            self._stop.check()
        if self._failures.is_over:
            return FetchAnswer(hub_id)  # left as it is for the next run
        try:
            item = self._get(hub_id)
        except HubError as error:
            self._failures.note(error)
            return FetchAnswer(hub_id, error=error)
        self._failures.note(None)
        return FetchAnswer(hub_id, item)
