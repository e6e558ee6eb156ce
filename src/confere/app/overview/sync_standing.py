"""What stands under every page about syncs: when the newest one was, and what of it did not go well."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from confere.app.archive_session import OpenArchive


class SyncStanding(NamedTuple):
    """`newest` is when a sync of any account last listed its hub to the end, None for never (Brasília).

    `failed` names the accounts whose last sync failed, `to_download` counts files that were listed and are to be
    downloaded, in any month (not what the hub offers no file of, which no sync brings), `is_short` says that a list of
    a hub stands as short of what the hub has.
    """

    newest: datetime | None = None
    failed: tuple[str, ...] = ()
    to_download: int = 0
    is_short: bool = False


def sync_standing(opened: OpenArchive) -> SyncStanding:
    """How the syncs of every account stand; raises what opening raises."""
    from confere.app.accounts.brasilia_time import moment
    from confere.archive.accounts import accounts
    from confere.archive.accounts.overview import last_sync, last_whole_sync
    from confere.archive.hub import completeness, shortfalls

    if not opened.exists:
        return SyncStanding()
    with opened.reading() as transaction:
        every = accounts.every(transaction)
        ends = [last_whole_sync(transaction, account.id) for account in every]
        newest = {account.name: last_sync(transaction, account.id) for account in every}
        return SyncStanding(
            newest=max((moment(end) for end in ends if end is not None), default=None),
            failed=tuple(name for name, end in newest.items() if end is not None and end.outcome == "failed"),
            to_download=sum(completeness.not_downloaded(transaction, account.id) for account in every),
            is_short=any(shortfalls.every(transaction, account.id) for account in every),
        )
