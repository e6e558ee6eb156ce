"""What a job's command printed as JSON, as values: of each command's result the part that the window reads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, NamedTuple, get_args, get_origin, get_type_hints

from confere.desktop.jobs.backup_results import BackupJobResult
from confere.desktop.jobs.catalog_results import CatalogJobResult, PushJobResult
from confere.desktop.jobs.job import JobKind, JobResult
from confere.desktop.jobs.restore_results import CopyFigures as CopyFigures
from confere.desktop.jobs.restore_results import LossFigures as LossFigures
from confere.desktop.jobs.restore_results import RestoreJobResult as RestoreJobResult


class ListedSum(NamedTuple):
    """What became of everything that the account's hub ever listed; `lost` is none of the others."""

    listed: int = 0
    archived: int = 0
    waiting: int = 0
    refused: int = 0
    lost: int = 0


class SyncFigures(NamedTuple):
    new: int = 0
    updated: int = 0
    downloaded: int = 0
    failed: int = 0
    not_understood: int = 0
    without_file: int = 0
    conservation: ListedSum = ListedSum()


class SyncFailure(NamedTuple):
    """`account`: it is not this item but the whole account that failed."""

    item_id: str = ""
    reason: str = ""
    account: bool = False


class SyncJobResult(NamedTuple):
    sync: SyncFigures = SyncFigures()
    failures: tuple[SyncFailure, ...] = ()
    stopped: bool = False


class DeclaredMonth(NamedTuple):
    month: str = ""


class ImportJobResult(NamedTuple):
    """`not_declared` says why the months were not declared complete, where that was asked for."""

    files: int = 0
    recorded: int = 0
    documents: int = 0
    events: int = 0
    duplicates: int = 0
    unreadable: int = 0
    declared: tuple[DeclaredMonth, ...] = ()
    not_declared: str = ""
    stopped: bool = False


class WrittenPackage(NamedTuple):
    xml: int = 0
    paths: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


class ExportJobResult(NamedTuple):
    packages: tuple[WrittenPackage, ...] = ()

    @property
    def stopped(self) -> bool:
        """Never: when it is stopped, the command prints no result."""
        return False


class CheckedTopic(NamedTuple):
    """What an examination says about `topic` (archive, vault, backup), and whether that is well."""

    topic: str = ""
    well: bool = False
    what: str = ""


class CheckedFacts(NamedTuple):
    """`older_reader` counts files that an older release read."""

    older_reader: int = 0


class CheckJobResult(NamedTuple):
    findings: tuple[CheckedTopic, ...] = ()
    facts: CheckedFacts = CheckedFacts()

    @property
    def stopped(self) -> bool:
        """Never: when it is stopped, the command prints no result."""
        return False

    def of(self, *topics: str) -> tuple[CheckedTopic, ...]:
        """What is said about these topics."""
        return tuple(finding for finding in self.findings if finding.topic in topics)


class HomeJobResult(NamedTuple):
    """`next` is the data folder of the next start; `copied` is empty where no copy was asked for."""

    next: str = ""
    copied: CopyFigures = CopyFigures()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def stopped(self) -> bool:
        """Never: when it is stopped, the command prints no result."""
        return False


class VerifyCounts(NamedTuple):
    """Documents by their verdict: of the whole archive, and (`judged_`) of those judged by this very run."""

    ok: int = 0
    unchecked: int = 0
    failed: int = 0
    test: int = 0
    judged: int = 0
    judged_ok: int = 0
    judged_unchecked: int = 0
    judged_failed: int = 0
    judged_test: int = 0
    events_failed: int = 0


class VerifyJobResult(NamedTuple):
    counts: VerifyCounts = VerifyCounts()
    stopped: bool = False


class ReindexJobResult(NamedTuple):
    contents: int = 0
    stopped: bool = False


class FindingStates(NamedTuple):
    open: int = 0
    not_checked: int = 0


class AccountRun(NamedTuple):
    states: FindingStates = FindingStates()


class LinkFigures(NamedTuple):
    automatic: int = 0
    manual: int = 0
    ambiguous: int = 0


class ReconcileJobResult(NamedTuple):
    """`report` is the path of the spreadsheet that was written, empty where none was asked for."""

    runs: tuple[AccountRun, ...] = ()
    links: LinkFigures = LinkFigures()
    report: str = ""
    stopped: bool = False


class UnreadLine(NamedTuple):
    line: int = 0
    reason: str = ""


class OrdersJobResult(NamedTuple):
    new: int = 0
    changed: int = 0
    same: int = 0
    unreadable: int = 0
    problems: tuple[UnreadLine, ...] = ()
    declared: tuple[DeclaredMonth, ...] = ()
    not_declared: str = ""
    stopped: bool = False


class OrderWriteCounts(NamedTuple):
    written: int = 0
    already: int = 0


class UnwrittenOrder(NamedTuple):
    """Why an order is not at the hub as it was to be: `hub_words` are the hub's own."""

    order: str = ""
    outcome: str = ""
    why: str = ""
    hub_words: str = ""


class OrderWritesJobResult(NamedTuple):
    counts: OrderWriteCounts = OrderWriteCounts()
    results: tuple[UnwrittenOrder, ...] = ()
    stopped: bool = False


class DrawnDocument(NamedTuple):
    """`by` says who drew the PDF (`library`: the usual form), `why` what the usual form could not be drawn for."""

    by: str = ""
    why: str = ""

    @property
    def is_usual_form(self) -> bool:
        return self.by == "library"


class PdfJobResult(NamedTuple):
    documents: tuple[DrawnDocument, ...] = ()
    stopped: bool = False


class MonthOutcome(NamedTuple):
    """A company's month: `outcome` is closed, unchanged, changed or incomplete."""

    month: str = ""
    outcome: str = ""


class ReopenedMonth(NamedTuple):
    month: str = ""


class JudgedMonth(NamedTuple):
    """`said` is what closing or opening a month changed of its findings, in sentences."""

    said: tuple[str, ...] = ()


class CloseJobResult(NamedTuple):
    closed: tuple[MonthOutcome, ...] = ()
    reopened: tuple[ReopenedMonth, ...] = ()
    judged: JudgedMonth = JudgedMonth()

    @property
    def stopped(self) -> bool:
        return False


class SavedFiles(NamedTuple):
    """`files` were written, `already` stood there with the same content. Of a table there are rows, no documents."""

    documents: int = 0
    files: int = 0
    already: int = 0
    rows: int = 0


class UnsavedDocument(NamedTuple):
    access_key: str = ""
    sha256: str = ""
    why: str = ""


class SelectionJobResult(NamedTuple):
    saved: SavedFiles = SavedFiles()
    failures: tuple[UnsavedDocument, ...] = ()
    stopped: bool = False


KINDS: Final[Mapping[JobKind, type[JobResult]]] = {
    JobKind.DEMO: SyncJobResult,
    JobKind.SYNC: SyncJobResult,
    JobKind.IMPORT: ImportJobResult,
    JobKind.EXPORT: ExportJobResult,
    JobKind.VERIFY: VerifyJobResult,
    JobKind.REINDEX: ReindexJobResult,
    JobKind.CHECK: CheckJobResult,
    JobKind.BACKUP: BackupJobResult,
    JobKind.RESTORE_PREVIEW: RestoreJobResult,
    JobKind.RESTORE: RestoreJobResult,
    JobKind.HOME: HomeJobResult,
    JobKind.UPGRADE: CheckJobResult,
    JobKind.PDF: PdfJobResult,
    JobKind.RECONCILE: ReconcileJobResult,
    JobKind.ORDERS: OrdersJobResult,
    JobKind.INVOICES: OrderWritesJobResult,
    JobKind.MOVES: OrderWritesJobResult,
    JobKind.CLOSE: CloseJobResult,
    JobKind.CATALOG: CatalogJobResult,
    JobKind.PUSH_PREVIEW: PushJobResult,
    JobKind.PUSH: PushJobResult,
    JobKind.SELECTION: SelectionJobResult,
}


def read(kind: JobKind, printed: Mapping[str, object]) -> JobResult:
    """The result of a job of this kind. What is missing, null or of another kind than it should be has its default."""
    result: JobResult = _read(KINDS[kind], printed)
    return result


def _read(kind: Any, printed: Mapping[str, object]) -> Any:
    hints = _hints(kind)
    values = {name: _value(hint, printed[name]) for name, hint in hints.items() if name in printed}
    return kind(**{name: value for name, value in values.items() if value is not None})


def _value(hint: Any, printed: object) -> Any:
    """`printed` as the hint says; None for what it cannot be."""
    if get_origin(hint) is tuple:
        (item, _) = get_args(hint)
        items = printed if isinstance(printed, list) else []
        return tuple(value for value in (_value(item, one) for one in items) if value is not None)
    if hasattr(hint, "_fields"):
        return _read(hint, printed) if isinstance(printed, Mapping) else None
    return printed if type(printed) is hint else None


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)
