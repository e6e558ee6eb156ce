"""What an account's owner wants of it: terms of reconciliation, the feed, columns of order files."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from confere.archive.accounts import audit
from confere.archive.transaction import Transaction
from confere.errors import NotInArchive, UsageFault, message
from confere.sales.hub_feeds import HubFeed
from confere.sales.terms import Terms

_USUAL = Terms()
_LARGEST = 10**12  # centavos
_MOST: Mapping[str, int] = {
    "invoice_after_hours": 24 * 365,
    "freight_after_days": 3650,
    "standing_days": 3650,
    "scored_days": 365,
    "relist_days": 3650,
    "relist_documents_days": 3650,
}
_SERIES = re.compile(r"[0-9A-Z]{12}[0-9]{2}/(?:55|65)/[0-9]{1,3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Preferences:
    """`mark_feed`: take what was read out of the hub's feed of orders, which takes it away from every other reader;
    `mark_other_feeds` are the names of other feeds (`HubFeed`) of which the same is wanted.

    `mapping` tells the columns of order files: what the file calls it to what it is; `settled` are those of them that
    a person was asked about. `statuses` are their words for statuses, by marketplace and word. `relist_days`: how far
    back orders are listed again for their status, since a list has no filter by last change. `relist_documents_days`:
    how far back documents are listed again, once a day, for events that came without notice and for what is gone.
    """

    terms: Terms = _USUAL
    mark_feed: bool = False
    mapping: Mapping[str, str] = field(default_factory=dict)
    relist_days: int = 60
    relist_documents_days: int = 45
    settled: tuple[str, ...] = ()
    statuses: Mapping[str, str] = field(default_factory=dict)
    mark_other_feeds: tuple[str, ...] = ()

    @property
    def mark_feeds(self) -> tuple[HubFeed, ...]:
        """The feeds in which what was read is marked."""
        return tuple(feed for feed in HubFeed if self.marks(feed))

    def marks(self, feed: HubFeed) -> bool:
        """Whether what was read in this feed is marked as read."""
        return self.mark_feed if feed is HubFeed.ORDERS else feed in self.mark_other_feeds

    def marking(self, feeds: Collection[HubFeed]) -> Preferences:
        """The same, where these feeds are marked and no others."""
        others = tuple(feed.value for feed in HubFeed if feed in feeds and feed is not HubFeed.ORDERS)
        return replace(self, mark_feed=HubFeed.ORDERS in feeds, mark_other_feeds=others)


def get(transaction: Transaction, account_id: int) -> Preferences:
    """The account's; what was never set is the program's own."""
    text = transaction.scalar("SELECT preferences FROM account WHERE id = ?", (account_id,))
    return _read(json.loads(text or "{}"))


def set(transaction: Transaction, account_id: int, wanted: Preferences) -> None:
    """Keep these, with a line in the audit trail for what changed; `UsageFault` for what makes no sense."""
    _check(wanted)
    row = transaction.first_named("SELECT name, preferences FROM account WHERE id = ?", (account_id,))
    if row is None:
        raise NotInArchive(message("There is no account {name}.", name=account_id))
    before, after = _told(_read(json.loads(row.preferences))), _told(wanted)
    changed = {name: (before[name], after[name]) for name in after if before[name] != after[name]}
    if not changed:
        return
    transaction.execute("UPDATE account SET preferences = ? WHERE id = ?", (json.dumps(_written(wanted)), account_id))
    detail = "; ".join(f"{name}: {json.dumps(old)} > {json.dumps(new)}" for name, (old, new) in changed.items())
    audit.write(transaction, "account preferences", row.name, detail)


def _written(wanted: Preferences) -> dict[str, Any]:
    """What a column holds: only what differs from the program's own."""
    terms = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(wanted.terms).items()
        if value != getattr(_USUAL, name)
    }
    told = {**_told(wanted), "mapping": dict(wanted.mapping)}
    usual = _told(Preferences())
    return {
        "terms": terms,
        **{
            entry.name: told[entry.name]
            for entry in fields(Preferences)
            if entry.name != "terms" and told[entry.name] != usual[entry.name]
        },
    }


def _told(wanted: Preferences) -> dict[str, Any]:
    """Each preference by name, terms among the others."""
    terms = {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(wanted.terms).items()}
    return {
        **terms,
        "mark_feed": wanted.mark_feed,
        "mapping": dict(wanted.mapping),
        "relist_days": wanted.relist_days,
        "relist_documents_days": wanted.relist_documents_days,
        "settled": list(wanted.settled),
        "statuses": dict(wanted.statuses),
        "mark_other_feeds": list(wanted.mark_other_feeds),
    }


def _read(kept: Mapping[str, Any]) -> Preferences:
    """What a column holds; names that this program does not know are a newer one's."""
    terms = {entry.name for entry in fields(Terms)}
    said = {name: value for name, value in kept.get("terms", {}).items() if name in terms}
    if "visible_series" in said:
        said["visible_series"] = tuple(said["visible_series"])
    lists = ("settled", "mark_other_feeds")
    kept = {**kept, **{name: tuple(kept.get(name, ())) for name in lists}}
    others = {entry.name for entry in fields(Preferences)} - {"terms"}
    return Preferences(terms=Terms(**said), **{name: value for name, value in kept.items() if name in others})


def _check(wanted: Preferences) -> None:
    numbers = {
        **asdict(wanted.terms),
        "relist_days": wanted.relist_days,
        "relist_documents_days": wanted.relist_documents_days,
    }
    for name, value in numbers.items():
        most = _MOST.get(name, _LARGEST)
        if type(value) is int and not 0 <= value <= most:
            raise UsageFault(
                message("{name} cannot be {value}.", name=name, value=value),
                message("Give a number from 0 to {most}.", most=most),
            )
    for series in wanted.terms.visible_series:
        if _SERIES.fullmatch(series) is None:
            raise UsageFault(
                message("{series} names no series.", series=series),
                message("Write CNPJ/model/series, as in 11222333000181/55/1."),
            )
    for column, meaning in wanted.mapping.items():
        if not column.strip() or not meaning.strip():
            raise UsageFault(
                message("A column of an order file has no name."),
                message("Write NAME=MEANING for each column."),
            )
