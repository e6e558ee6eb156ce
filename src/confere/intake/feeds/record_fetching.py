"""Fetching the records that a feed names, each batch written in one transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from confere.archive.catalog import products as catalog_products
from confere.archive.catalog.products import ReceivedProduct
from confere.archive.feeds import feed_records, published_prices
from confere.archive.feeds.feed_records import FeedOutcome, NamedRecord
from confere.errors import HubNotFound
from confere.hub.catalog.catalog_reads import product_of
from confere.hub.feeds import feed
from confere.hub.feeds.price_reader import published_prices as prices_of
from confere.hub.json.json_reader import Record
from confere.intake.account_work import AccountWork
from confere.intake.feeds.feed_figures import FeedResult
from confere.intake.item_fetcher import FetchAnswer, ItemFetcher
from confere.sales.hub_feeds import HubFeed
from confere.sales.published_price import PublishedPrice
from confere.system.progress import Meter

_PRICED = (HubFeed.PRICES, HubFeed.TRANSMISSIONS)


@dataclass(frozen=True, slots=True)
class FetchedRecord:
    """A record as the hub gave it, under the id that it was asked for by."""

    hub_id: str
    record: Record


class RecordFetcher(ItemFetcher[FetchedRecord]):
    """Records of one feed, read at `path`; `seen_at` (UTC text) is when the feed was read."""

    def __init__(self, work: AccountWork[FeedResult], path: str, seen_at: str, meter: Meter) -> None:
        super().__init__(work.stop, meter, "feed")
        self._work = work
        self._path = path
        self._seen_at = seen_at
        self._gone: set[str] = set()

    def bring(self, hub_ids: Iterable[str]) -> frozenset[str]:
        """Bring these records here; the ids of those that came and of those that the hub no longer has."""
        wanted = frozenset(hub_ids)
        return self.ask(sorted(wanted), again=True) | (wanted & self._gone)

    def _get(self, hub_id: str) -> FetchedRecord:
        return FetchedRecord(hub_id, feed.record(self._work.session, self._path, hub_id, stop=self._work.stop))

    def _id_of(self, item: FetchedRecord) -> str:
        return item.hub_id

    def _write(self, answers: Sequence[FetchAnswer[FetchedRecord]]) -> None:
        figures = self._work.result
        records: list[NamedRecord] = []
        prices: list[PublishedPrice] = []
        products: list[ReceivedProduct] = []
        for answer in answers:
            if answer.item is not None:
                raw, value = answer.item.record.raw, answer.item.record.value
                product = product_of(answer.item.record) if figures.feed is HubFeed.PRODUCTS else None
                if product is not None and product.product.hub_id:  # the catalog keeps its versions
                    products.append(ReceivedProduct(product.product, raw))
                    records.append(NamedRecord(answer.hub_id, FeedOutcome.FOUND, self._seen_at))
                else:
                    records.append(NamedRecord(answer.hub_id, FeedOutcome.FOUND, self._seen_at, raw))
                figures.fetched += 1
                if figures.feed in _PRICED and isinstance(value, dict):
                    prices += prices_of(value, answer.hub_id, self._seen_at)
            elif isinstance(answer.error, HubNotFound):
                records.append(NamedRecord(answer.hub_id, FeedOutcome.ABSENT, self._seen_at))
                figures.absent += 1
                self._gone.add(answer.hub_id)
            elif answer.error is not None:
                why = answer.error.what
                records.append(NamedRecord(answer.hub_id, FeedOutcome.FAILED, self._seen_at, reason=why))
                figures.fail(answer.hub_id, why)
        _write(self._work, records, prices, products)


class RecordNamer:
    """For a feed whose records the hub gives nowhere: that they changed is all that can be kept."""

    def __init__(self, work: AccountWork[FeedResult], seen_at: str) -> None:
        self._work = work
        self._seen_at = seen_at

    def write(self, hub_ids: Iterable[str]) -> frozenset[str]:
        """Write down that these changed; all of them."""
        named = tuple(dict.fromkeys(hub_ids))
        _write(self._work, [NamedRecord(name, FeedOutcome.NAMED, self._seen_at) for name in named])
        self._work.result.named += len(named)
        return frozenset(named)


def _write(
    work: AccountWork[FeedResult],
    records: Sequence[NamedRecord],
    prices: Sequence[PublishedPrice] = (),
    products: Sequence[ReceivedProduct] = (),
) -> None:
    if not records:
        return
    figures, vault = work.result, work.archive.vault_writer
    with work.archive.writing() as transaction:
        figures.changed += feed_records.record(transaction, vault, work.account.id, work.run_id, figures.feed, records)
        recorded = catalog_products.record(transaction, vault, work.account.id, work.run_id, products)
        figures.changed += recorded.new + recorded.changed
        figures.prices += published_prices.record(transaction, work.account.id, prices)
