"""What the hub's feeds are about, in words for every face."""

from __future__ import annotations

from typing import Final

from confere.errors import N_, Message
from confere.sales.hub_feeds import HubFeed

FEEDS: Final = {
    HubFeed.ORDERS: N_("changed orders"),
    HubFeed.PRODUCTS: N_("changed products"),
    HubFeed.TRANSMISSIONS: N_("changed publications"),
    HubFeed.PRICES: N_("changed prices"),
    HubFeed.RESERVATIONS: N_("stock reservations"),
}


def feed_word(feed: HubFeed) -> Message:
    """What a feed lists, as a word inside a sentence."""
    return Message(FEEDS[feed])
