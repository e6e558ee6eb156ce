"""Reading everything back: contents against their SHA-256, and whatever is derived of them computed once more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from confere.app.authenticity.verdicts_again import JudgingReader
from confere.app.maintenance import judged_again
from confere.archive.maintenance import health
from confere.archive.maintenance.health import VaultShare, Verification
from confere.archive.store import Archive
from confere.intake.stored_records.claim_check import wrong_claims
from confere.intake.stored_records.record_check import broken_records
from confere.system.paths import Home


def verify(
    archive: Archive, home: Home, progress: Callable[[int, int], None] | None = None, part: VaultShare | None = None
) -> Verification:
    """Read a share of the archive back; nothing is written. `progress` may raise, which ends it."""
    share = part or VaultShare()
    verification = health.verify_vault(archive, progress, share, JudgingReader(home))

    def look() -> None:
        if progress is not None:
            progress(verification.read, max(verification.read, 1))

    records = broken_records(archive, share, look)
    verification = replace(verification, records=records, claims=wrong_claims(archive, share, look))
    if share.number != 1:
        return verification
    if verification.inputs_differ:  # what is made of wrong rows would be named too
        return replace(verification, judged=judged_again.not_compared(archive))
    return replace(verification, judged=judged_again.judged_accounts(archive, look))
