"""What was learnt of an account's hub, carried between the archive and the session that learns it."""

from __future__ import annotations

from confere.archive.clock import from_text, utc_text
from confere.archive.hub import hub_traits
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.hub.session import HubSession
from confere.hub.traits.hub_traits import Learnt


def recall(transaction: Transaction, account_id: int, session: HubSession) -> None:
    """Give the session what is known of its hub from before."""
    session.shapes.load(
        {
            stored.trait: Learnt(stored.value, from_text(stored.learned_at))
            for stored in hub_traits.read(transaction, account_id)
        }
    )


def remember(archive: Archive, account_id: int, session: HubSession) -> None:
    """Keep what the session has learnt since this was last called."""
    changes = session.shapes.take_changes()
    if changes:
        with archive.writing() as transaction:
            hub_traits.learn(
                transaction,
                account_id,
                {
                    name: None if learnt is None else hub_traits.StoredTrait(name, learnt.value, utc_text(learnt.at))
                    for name, learnt in changes.items()
                },
            )
