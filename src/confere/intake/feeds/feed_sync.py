"""Sync of the feeds that are not of orders: each changed record is fetched where the hub gives it, and kept.

Killable at any moment: a batch of records is one transaction, and nothing is marked before it is written.
"""

from __future__ import annotations

from datetime import UTC, datetime

from confere.archive.accounts import preferences
from confere.archive.accounts.accounts import Account
from confere.archive.accounts.recorded_run import booked
from confere.archive.clock import utc_text
from confere.archive.feeds import feed_records
from confere.archive.store import Archive
from confere.errors import Cancelled, message
from confere.hub.contract.feed_terms import FeedTerms
from confere.hub.session import HubSession
from confere.intake.account_work import AccountWork
from confere.intake.feeds.feed_figures import FeedResult, FeedsRequest, FeedsResult
from confere.intake.feeds.feed_reading import FeedReading
from confere.intake.feeds.record_fetching import RecordFetcher, RecordNamer
from confere.system.processes.cancellation import Stop
from confere.system.progress import Meter, Reporter, Silent


def sync_feeds(
    archive: Archive,
    session: HubSession,
    account: Account,
    request: FeedsRequest | None = None,
    *,
    reporter: Reporter | None = None,
    stop: Stop | None = None,
) -> FeedsResult:
    """Read feeds of `account`, all but that of orders. Raises `HubError` when the hub itself fails."""
    request = request or FeedsRequest()
    result = FeedsResult()
    before = session.requests
    asked = {"feeds": [feed.value for feed in request.feeds]}
    with booked(archive, "feeds", account.id, asked, account.name, result) as run:
        try:
            with archive.reading() as transaction:
                wanted = preferences.get(transaction, account.id)
            for feed in request.feeds:
                figures = FeedResult(feed)
                result.feeds.append(figures)
                work = AccountWork(
                    archive=archive, session=session, account=account, run_id=run.id, result=figures, stop=stop,
                    full=request.full,
                )  # fmt: skip
                _read(work, request.terms[feed], reporter or Silent(), marks=wanted.marks(feed))
            run.outcome = "partial" if result.failed else "done"
        except Cancelled:
            result.stopped = True
            run.outcome = "stopped"
        finally:
            result.requests = session.requests - before
    return result


def _read(work: AccountWork[FeedResult], terms: FeedTerms, reporter: Reporter, *, marks: bool) -> None:
    figures = work.result
    title = message("Reading the feed {feed} of {account}", feed=figures.feed, account=work.account.name)
    meter = Meter(reporter, title)
    reading = FeedReading(work, figures.feed, terms, marks=marks)
    seen_at = utc_text(datetime.now(UTC))
    try:
        reading.look()
        if terms.record is None:
            reading.process(RecordNamer(work, seen_at).write)
        else:
            fetcher = RecordFetcher(work, terms.record, seen_at, meter)
            try:
                if reading.is_offered:
                    with work.archive.reading() as transaction:
                        again = feed_records.failed(transaction, work.account.id, figures.feed)
                    fetcher.ask(again)
                reading.process(fetcher.bring)
            finally:
                fetcher.close()
    finally:
        figures.is_offered, figures.items, figures.is_cut = reading.is_offered, reading.shown, reading.is_cut
        meter.finish()
