"""Orders checks of authenticity: when a person asks, and by itself after something came in; tells what they found."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from confere.desktop.core import error_reporting
from confere.desktop.jobs.job import JobKind, JobOutcome
from confere.desktop.jobs.job_requests import verify_order
from confere.desktop.services import Services
from confere.system.messages import t


class Checking(QObject):
    """Belongs to one window. What nobody asked for is told only where it found something wrong."""

    def __init__(self, services: Services, show_failed: Callable[[], None], parent: QObject) -> None:
        """`show_failed` lists the documents that failed."""
        super().__init__(parent)
        self._services, self._show_failed = services, show_failed
        self._was_asked = False  # for a check that began by itself
        services.jobs.ended.connect(self._ended)
        services.jobs.gave_way.connect(self._gave_way)

    def order(self) -> None:
        """A person asks; where one runs by itself already, its end is told to them."""
        if self._services.jobs.has(JobKind.VERIFY):
            self._was_asked = True
        else:
            self._services.jobs.start(verify_order())

    def _ended(self, outcome: JobOutcome) -> None:
        from confere.desktop.jobs import job_outcomes

        if outcome.order.kind is JobKind.VERIFY:
            quiet = outcome.order.quiet and not self._was_asked
            self._was_asked = False
            self._tell(outcome, quiet)
        elif job_outcomes.brought_papers(outcome) and not outcome.stopped:  # who stops work wants no other begun
            self._services.jobs.start(verify_order(quiet=True))

    def _gave_way(self, outcome: JobOutcome) -> None:
        """What it found so far is told now: the check that goes on later looks at the rest alone."""
        from confere.desktop.jobs import job_outcomes

        if outcome.order.kind is JobKind.VERIFY and job_outcomes.found_wrong(outcome):
            self._tell(outcome, quiet=True)

    def _tell(self, outcome: JobOutcome, quiet: bool) -> None:
        from confere.desktop.jobs import job_outcomes

        notices = self._services.notices
        if outcome.error is not None:
            if not quiet:
                notices.add_fault(error_reporting.of_rendered(outcome.error), topic=JobKind.VERIFY)
            return
        found_wrong = job_outcomes.found_wrong(outcome)
        if quiet and not found_wrong:
            return
        # What is found wrong counts more than that somebody stopped it before its end.
        kind, text = job_outcomes.told(outcome._replace(stopped=False) if found_wrong else outcome)
        action = (t("Show them"), self._show_failed) if job_outcomes.failed_checks(outcome) else None
        notices.add(kind, text, topic=JobKind.VERIFY, action=action)
