"""What every feed gives and takes, and how its tokens are written."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import blake2b
from typing import NamedTuple, Protocol

from sandbox_hub.world.timeline import DAY

RETENTION = 30 * DAY


class FeedItem(NamedTuple):
    id: int
    token: str


class ChangeReader(Protocol):
    """A feed: its unread items, and marking them."""

    def unread(self, limit: int) -> list[FeedItem]:
        """The oldest unread changes."""

    def given_out(self) -> list[str]:
        """Tokens of all that was read since they were last marked like this, and not marked yet; each is given once."""

    def owner(self, token: str) -> int | None:
        """The id that a token was given out for; None where this feed never gave it out."""

    def mark(self, tokens: Collection[str]) -> None:
        """Mark items as read, for every reader; the tokens must have an owner."""


def feed_token(seed: int, feed: str, item_id: int, stage: int) -> str:
    """The token of an item's change number `stage`, which only this world's feed writes."""
    seal = blake2b(f"{seed}:{feed}:{item_id}:{stage}".encode(), digest_size=4).hexdigest()
    return f"{item_id}-{stage}-{seal}"


def read_token(seed: int, feed: str, token: str) -> tuple[int, int] | None:
    """The id and the stage of a token; None where this feed did not write it."""
    parts = token.split("-")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) < 19 for part in parts[:2]):
        return None
    item_id, stage = int(parts[0]), int(parts[1])
    return (item_id, stage) if feed_token(seed, feed, item_id, stage) == token else None
