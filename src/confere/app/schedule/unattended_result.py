"""What an unattended run came to: account by account, and what there is to tell of it in the morning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from confere.app.accounts.sync import SyncResult
from confere.app.authenticity.verify import VerifySummary
from confere.app.maintenance.backup_drill import DrillResult
from confere.app.reconciliation.reconcile import AccountResult
from confere.archive import message_encoding
from confere.errors import ConfereError, Message, message
from confere.sales.findings import Severity

DONE: Final = "done"
PARTIAL: Final = "partial"
FAILED: Final = "failed"
STOPPED: Final = "stopped"


@dataclass(slots=True)
class AccountOutcome:
    """What became of one account.

    `outcome`: done; partial, where something that its hub listed is not here; failed, where its hub could not be
    asked, for the reason `problem`; stopped. `new_findings` counts what this run found first and nobody has settled, by
    severity; `months` (`YYYY-MM`, newest first) are those in which a finding came, went or moved.
    """

    account: str
    outcome: str = FAILED
    problem: ConfereError | None = None
    sync: SyncResult | None = None
    reconciled: AccountResult | None = None
    new_findings: dict[str, int] = field(default_factory=dict)
    months: tuple[str, ...] = ()

    @property
    def new_documents(self) -> int:
        """Documents that its hub listed for the first time."""
        return self.sync.new if self.sync is not None else 0

    @property
    def changed_documents(self) -> int:
        """Documents that its hub listed before, and otherwise."""
        return self.sync.updated if self.sync is not None else 0

    @property
    def orders(self) -> tuple[int, int]:
        """New and changed orders."""
        found = self.sync.orders if self.sync is not None else None
        return (0, 0) if found is None else (found.new, found.changed)

    @property
    def changed(self) -> bool:
        """Whether the sync brought anything, or the reconciliation changed anything."""
        brought = self.sync is not None and self.sync.downloaded > 0
        moved = self.reconciled is not None and self.reconciled.changed
        return bool(self.new_documents or self.changed_documents or any(self.orders) or brought or moved)


@dataclass(slots=True)
class UnattendedResult:
    """One unattended run. `reports` are the spreadsheets that were written, `backups` the copies of the archive.

    `drill` is the trial of a copy where one was due. `problems` are what went wrong beside the accounts: a report or a
    backup that could not be written, or that lacks what an older one holds, or that could not be restored.
    """

    run: int = 0
    accounts: list[AccountOutcome] = field(default_factory=list)
    verified: VerifySummary | None = None
    reports: list[Path] = field(default_factory=list)
    backups: list[Path] = field(default_factory=list)
    drill: DrillResult | None = None
    problems: list[Message] = field(default_factory=list)
    seconds: float = 0.0
    stopped: bool = False

    @property
    def backup(self) -> Path | None:
        """The first of the copies; None where none was due or could be written."""
        return next(iter(self.backups), None)

    @property
    def outcome(self) -> str:
        """done, partial, failed (no account could be synced) or stopped, as runs keep it."""
        if self.stopped:
            return STOPPED
        if self.accounts and all(entry.outcome == FAILED for entry in self.accounts):
            return FAILED
        return PARTIAL if self.lacking else DONE

    @property
    def lacking(self) -> bool:
        """Whether anything is not as it should be, findings and what is not authentic apart."""
        damaged = self.verified is not None and bool(self.verified.damaged or self.verified.set_aside)
        return damaged or bool(self.problems) or any(entry.outcome != DONE for entry in self.accounts)

    @property
    def not_authentic(self) -> int:
        """Documents and events that this very run found not authentic."""
        return 0 if self.verified is None else self.verified.judged.failed + self.verified.events.failed

    @property
    def changed(self) -> bool:
        """Whether the run changed anything but that it is written down."""
        judged = self.verified is not None and bool(self.verified.judged.all or self.verified.events.all)
        return judged or any(entry.changed for entry in self.accounts)

    def new_findings(self, severity: Severity | None = None) -> int:
        """What the run found first, of this severity or of all."""
        return sum(
            count
            for entry in self.accounts
            for name, count in entry.new_findings.items()
            if severity is None or name == severity
        )

    def counts(self) -> Mapping[str, Any]:
        """The figures, as runs keep them; what failed is kept by account, as messages."""
        return {
            "new": sum(entry.new_documents for entry in self.accounts),
            "updated": sum(entry.changed_documents for entry in self.accounts),
            "new_orders": sum(entry.orders[0] for entry in self.accounts),
            "changed_orders": sum(entry.orders[1] for entry in self.accounts),
            "new_findings": self.new_findings(),
            "new_grave_findings": self.new_findings(Severity.HIGH),
            "not_authentic": self.not_authentic,
            "failed_accounts": sum(entry.outcome == FAILED for entry in self.accounts),
            "reports": len(self.reports),
            "accounts": {entry.account: entry.outcome for entry in self.accounts},
            "problems": [
                message_encoding.of(entry.problem) for entry in self.accounts if entry.problem is not None
            ] + [message_encoding.kept(problem) for problem in self.problems],
            "seconds": round(self.seconds, 3),
        }  # fmt: skip


def told(error: ConfereError) -> Message:
    """What happened and what to do, as one sentence."""
    return message("{what} {remedy}", what=error.what, remedy=error.remedy or "")
