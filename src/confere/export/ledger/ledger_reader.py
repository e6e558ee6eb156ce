"""Reads a company's month once: each document's XML from the vault, in processes, into a spool on disk and sums.

The spool is read as often as there are tables of documents, in the order of the package, so that memory stays flat.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from tempfile import TemporaryFile
from types import TracebackType
from typing import Final

from confere.archive.documents import export_queries
from confere.archive.documents.export_queries import DocumentSheet
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.errors import ArchiveError
from confere.export.ledger.ledger_document import Answer, LedgerDocument, Task, prepare
from confere.export.ledger.ledger_sums import LedgerSums
from confere.export.months import Month
from confere.system.processes import worker_pool
from confere.system.processes.cancellation import Stop

_AT_ONCE: Final = 200
_ALONE: Final = 2000  # documents up to which starting processes costs more than it brings


class LedgerMonth:
    """The documents of a company's month, read; to be closed, as its spool is a file. Also a context manager."""

    def __init__(self, company: str, month: Month) -> None:
        self.company = company
        self.month = month
        self.sums = LedgerSums()
        self._spool = TemporaryFile(prefix="confere-")  # noqa: SIM115 - closed by `close`
        self._stretches = 0
        self._keys: list[str] = []  # of each stretch, in one text: 45 bytes a document

    def stretches(self) -> Iterator[list[LedgerDocument]]:
        """The documents in the order of their day of issue, some hundreds at a time; one reader at a time."""
        self._spool.seek(0)
        for _ in range(self._stretches):
            yield pickle.load(self._spool)  # noqa: S301 - what we have just written

    def access_keys(self) -> Iterator[list[str]]:
        """The access keys of each of `stretches`, without reading the documents again."""
        for stretch in self._keys:
            yield stretch.split()

    def documents(self) -> Iterator[LedgerDocument]:
        """As `stretches`, one by one."""
        for stretch in self.stretches():
            yield from stretch

    def keep(self, stretch: list[LedgerDocument]) -> None:
        """Add documents at the end."""
        for document in stretch:
            self.sums.add(document)
        pickle.dump(stretch, self._spool, protocol=pickle.HIGHEST_PROTOCOL)
        self._stretches += 1
        self._keys.append(" ".join(one.sheet.access_key for one in stretch if one.sheet.access_key))

    def close(self) -> None:
        self._spool.close()

    def __enter__(self) -> LedgerMonth:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_month(
    archive: Archive, company: str, month: Month, *, stop: Stop | None = None, workers: int | None = None
) -> LedgerMonth:
    """Everything of `company` (a tax id without mask) issued in the month. `workers` None: as many as there are cores.

    What the vault cannot give, or nobody can read, stands there without what its XML says, and is counted. Raises
    `Cancelled` for `stop`.
    """
    ids = _ids(archive, company, month)
    if workers is None:
        workers = worker_pool.cores() if len(ids) > _ALONE else 0
    read = LedgerMonth(company, month)
    try:
        _fill(read, archive, ids, workers, stop)
    except BaseException:
        read.close()
        raise
    return read


def _fill(read: LedgerMonth, archive: Archive, ids: list[int], workers: int, stop: Stop | None) -> None:
    waiting: dict[int, tuple[DocumentSheet, ...]] = {}

    def tasks() -> Iterator[Task]:
        for number, start in enumerate(range(0, len(ids), _AT_ONCE)):
            if stop is not None:
                stop.check()
            with archive.reading() as transaction:
                waiting[number] = export_queries.documents(transaction, read.company, ids[start : start + _AT_ONCE])
                data = [_bytes(archive, transaction, sheet) for sheet in waiting[number]]
            yield number, [(each, sheet.access_key) for each, sheet in zip(data, waiting[number], strict=True)]

    done: dict[int, Answer] = {}
    following = 0
    do_again = prepare()
    for answer in worker_pool.work(prepare, (), tasks(), workers, ahead=1, again=do_again):
        done[answer[0]] = answer
        while following in done:  # they come as they are ready; the ledger has the order of the month
            _, papers = done.pop(following)
            sheets = waiting.pop(following)
            read.keep(
                [
                    LedgerDocument(sheet, paper, sheet.emitter_tax_id == read.company)
                    for sheet, paper in zip(sheets, papers, strict=True)
                ]
            )
            following += 1


def _ids(archive: Archive, company: str, month: Month) -> list[int]:
    with archive.reading() as transaction:
        return [
            number
            for stretch in export_queries.document_ids(transaction, company, month.first_day, month.last_day)
            for number in stretch
        ]


def _bytes(archive: Archive, transaction: Transaction, sheet: DocumentSheet) -> bytes | None:
    try:
        return archive.vault.get(transaction, sheet.content_id)
    except ArchiveError:
        return None
