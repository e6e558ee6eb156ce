"""Booking a run: its beginning with a line in the audit trail, and its end with figures, however it ends."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

from confere.archive import message_encoding
from confere.archive.accounts import audit, runs
from confere.archive.store import Archive
from confere.errors import Cancelled, ConfereError


class Figures(Protocol):
    """What a run came to; `seconds` is set when it ends, before `counts` is asked."""

    seconds: float

    def counts(self) -> Mapping[str, Any]:
        """The figures alone, as they are written down."""


class Booking:
    """A run as it will be written down. Whoever does the work sets `outcome`: done, partial, stopped."""

    def __init__(self, id: int = 0) -> None:
        self.id = id
        self.outcome = "failed"
        self.counts: Mapping[str, Any] = {}
        self.problem: str | None = None

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Note why the work inside ends, where an error ends it."""
        try:
            yield
        except Cancelled:
            self.outcome = "stopped"
            raise
        except ConfereError as error:
            self.problem = message_encoding.of(error)
            raise


@contextmanager
def booked(
    archive: Archive,
    kind: str,
    account_id: int | None,
    parameters: Mapping[str, Any],
    subject: str,
    figures: Figures,
    *,
    detail: str | None = None,
) -> Iterator[Booking]:
    """Book the work inside as a run of `kind`; its beginning is written before it, its end in any case.

    A process that is killed leaves the run without an end. `subject` and `detail` are of the line in the audit trail.
    """
    began = time.monotonic()
    with archive.writing() as transaction:
        run = Booking(runs.start(transaction, kind, account_id, parameters))
        audit.write(transaction, kind, subject, detail)
    try:
        with run.watch():
            yield run
    finally:
        figures.seconds = time.monotonic() - began
        run.counts = figures.counts()
        with archive.writing() as transaction:
            runs.finish(transaction, run.id, run.outcome, run.counts, run.problem)
