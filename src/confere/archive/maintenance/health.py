"""The archive's own check-up: whole, complete, how large, what is waiting; and every content read back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from confere.archive.archive_counts import ArchiveCounts
from confere.archive.authenticity.verdicts import JudgedContent
from confere.archive.derived import content_check, due_rows, invariants, paper_check, verdict_check
from confere.archive.derived.difference import WHOLE_ROW, ValueDifference
from confere.archive.derived.invariants import Violations
from confere.archive.derived.record_rows import BrokenRecord
from confere.archive.documents.reindex import Read
from confere.archive.named_rows import NamedRow
from confere.archive.store import Archive
from confere.archive.transaction import Transaction
from confere.archive.vault import check_times, damage, missing_contents
from confere.archive.vault.damage import BrokenContent
from confere.archive.vault.vault import Family, digest_head, digest_of
from confere.errors import ArchiveCorrupt, ArchiveError, PaperError
from confere.fiscal.model import Paper
from confere.fiscal.reading.document import read as read_paper
from confere.fiscal.reading.reader_version import READER

_UNREADABLE = "unreadable"  # in place of a table
BLOCK: Final = 500
"""How many contents are looked at in one view of the archive; shares are made of whole blocks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health(ArchiveCounts):
    """Counts and sizes in bytes; `damage` is SQLite's own words, empty where it found none."""

    revision: str
    damage: tuple[str, ...]
    vault_bytes: int
    file_bytes: int
    waiting: int
    failed: int
    dictionaries: int
    interrupted_windows: int


def examine(transaction: Transaction, archive: Archive, *, thorough: bool = False) -> Health:
    """Look at everything cheap; `thorough` lets SQLite walk every page and index."""
    check = "integrity_check" if thorough else "quick_check"
    said = transaction.column(f"PRAGMA {check}(20)")
    contents, raw, stored = transaction.fetch(
        "SELECT count(*), coalesce(sum(size), 0), coalesce(sum(length(payload)), 0) FROM content"
    )[0]
    certificates = transaction.scalar("SELECT coalesce(sum(length(data)), 0) FROM certificate")
    dictionaries = transaction.scalar("SELECT coalesce(sum(length(data)), 0) FROM dictionary")

    def count(question: str) -> int:
        return int(transaction.scalar(f"SELECT count(*) FROM {question}"))

    return Health(
        revision=str(transaction.scalar("SELECT version_num FROM alembic_version")),
        damage=() if said == ["ok"] else tuple(said),
        contents=contents,
        raw_bytes=raw,
        vault_bytes=stored + certificates + dictionaries,
        file_bytes=archive.path.stat().st_size,
        documents=count("document WHERE is_current = 1"),
        events=count("event WHERE is_current = 1"),
        unreadable=count("content WHERE problem IS NOT NULL"),
        waiting=count("download WHERE state = 'waiting'"),
        failed=count("download WHERE state = 'failed'"),
        dictionaries=count("dictionary"),
        interrupted_windows=count("coverage WHERE finished_at IS NULL"),
    )


@dataclass(frozen=True, slots=True)
class VaultShare:
    """A share of the contents: the `number`th of `parts`, counted from 1."""

    number: int = 1
    parts: int = 1


@dataclass(frozen=True, slots=True)
class BrokenRows:
    """A content whose bytes are right and whose rows are not: the keys of its papers, and what differs."""

    content_id: int
    names: tuple[str, ...]
    differences: tuple[ValueDifference, ...]

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables that have such rows."""
        return tuple(sorted({difference.table for difference in self.differences}))


@dataclass(frozen=True, slots=True)
class Verification:
    """What reading contents back came to: how many were `read`, whose bytes are `broken`, whose `rows` disagree.

    `violations` are the invariants that do not hold, looked at with the first share. `by_another_basis` contents have
    verdicts by other rules or certificates than today's, which were not compared. `records` are not what their JSON
    gives, `heads` of certificates and sentences not of them.
    """

    part: VaultShare
    read: int
    broken: tuple[BrokenContent, ...]
    rows: tuple[BrokenRows, ...]
    violations: tuple[Violations, ...] = ()
    by_another_basis: int = 0
    records: tuple[BrokenRecord, ...] = ()
    heads: tuple[ValueDifference, ...] = ()

    @property
    def differences(self) -> tuple[ValueDifference, ...]:
        """All values that are not what computing them anew gives."""
        of_rows = [one for entry in self.rows for one in entry.differences]
        return (*self.heads, *of_rows, *(one for entry in self.records for one in entry.differences))


@dataclass(frozen=True, slots=True)
class Gaps:
    """What is known to lack without reading a content. `unread` contents have no row though they can be read."""

    broken: tuple[BrokenContent, ...]
    unread: tuple[int, ...]
    records: tuple[str, ...]  # what hub records were about that downloads speak of, and that are gone
    downloads: tuple[BrokenContent, ...] = ()  # came by a download that is gone; where that was looked for
    arrivals: tuple[BrokenContent, ...] = ()  # nothing says where they came from; where that was looked for
    versions: tuple[str, ...] = ()  # keys of records whose newest version is not kept; where that was looked for

    def __bool__(self) -> bool:
        return bool(self.broken or self.unread or self.records or self.downloads or self.arrivals or self.versions)


def gaps(transaction: Transaction, *, thorough: bool = False) -> Gaps:
    """Look for what is gone by anti-joins alone: seconds for a million documents; `thorough` takes some more."""
    downloads, arrivals, versions = (
        (look(transaction) if thorough else ())
        for look in (missing_contents.downloads_lost, missing_contents.arrivals_lost, missing_contents.versions_lost)
    )
    names = transaction.column_in(
        "SELECT coalesce(access_key, hub_id, identity) FROM hub_document WHERE id IN {}", versions
    )
    reasons = dict.fromkeys(missing_contents.missing(transaction), damage.MISSING) | damage.noted(transaction)
    return Gaps(
        damage.named(transaction, reasons),
        missing_contents.without_rows(transaction),
        _named_records(transaction, missing_contents.lost_records(transaction)),
        damage.named(transaction, dict.fromkeys(downloads, damage.MISSING)),
        damage.named(transaction, dict.fromkeys(arrivals, damage.MISSING)),
        tuple(names),
    )


def _named_records(transaction: Transaction, records: Collection[int]) -> tuple[str, ...]:
    """What these lost records were about, by the contents of their downloads; by its number where none says it."""
    contents: dict[int, int] = dict(
        transaction.fetch_in(
            "SELECT content_id, hub_document_id FROM download WHERE content_id IS NOT NULL AND hub_document_id IN {}",
            records,
        )
    )
    named = damage.named(transaction, dict.fromkeys(contents, damage.MISSING))
    unnamed = set(records) - {contents[entry.content_id] for entry in named}
    return tuple(dict.fromkeys((*(entry.name for entry in named), *(str(number) for number in sorted(unnamed)))))


class PaperReader:
    """How contents are read while they are verified: without verdicts. Those that a reader `judged` are compared too.

    `by_another_basis` counts contents whose verdict was found by other rules or certificates than today's.
    """

    def __init__(self) -> None:
        self.judged: list[JudgedContent] = []
        self.by_another_basis = 0

    def begin(self, transaction: Transaction, content_ids: Collection[int]) -> None:
        """These contents are read next; what was judged before is forgotten."""

    def read(self, content_id: int, data: bytes) -> Paper:
        """What `data` holds. Raises `PaperError`."""
        del content_id
        return read_paper(data)


def verify_vault(
    archive: Archive,
    progress: Callable[[int, int], None] | None = None,
    part: VaultShare | None = None,
    reader: PaperReader | None = None,
) -> Verification:
    """Read a share of the contents back, hold them against their SHA-256, and their rows against what they say."""
    share = part or VaultShare()
    reader = reader or PaperReader()
    with archive.reading() as transaction:
        highest = int(transaction.scalar("SELECT coalesce(max(id), 0) FROM content"))
        gone = missing_contents.missing(transaction)
    reasons: dict[int, str] = {number: damage.MISSING for number in gone if is_in_share(share, number)}
    wrong: list[BrokenRows] = []
    read = 0
    blocks = [start for start in range(1, highest + 1, BLOCK) if is_in_share(share, start)]
    for done, start in enumerate(blocks, 1):
        held, broken, rows = _verify_block(archive, start, reader)
        read += held
        reasons |= dict.fromkeys(broken, damage.DAMAGED)
        wrong += rows
        if progress is not None:
            progress(read, highest if done < len(blocks) and share.parts == 1 else max(read, 1))
    with archive.reading() as transaction:
        named = damage.named(transaction, reasons)
        violations = invariants.broken(transaction, thorough=True) if share.number == 1 else ()
        heads = content_check.wrong_heads(transaction) if share.number == 1 else ()
    return Verification(share, read, named, tuple(wrong), violations, reader.by_another_basis, heads=heads)


def write_down(transaction: Transaction, found: Verification) -> None:
    """Remember that this share was read back, and ask again for what is broken of it."""
    reasons = {entry.content_id: entry.reason for entry in found.broken}
    whole = [
        number for number in damage.noted(transaction) if is_in_share(found.part, number) and number not in reasons
    ]
    damage.clear(transaction, whole)
    damage.note(transaction, reasons)
    check_times.write_down(transaction, found.part.number, found.part.parts, found.read, len(reasons))


def is_in_share(part: VaultShare, number: int) -> bool:
    """Whether the row of this number, of a content or another table, is looked at with this share."""
    return (number - 1) // BLOCK % part.parts == part.number - 1


def _verify_block(archive: Archive, start: int, reader: PaperReader) -> tuple[int, list[int], list[BrokenRows]]:
    """The contents numbered from `start`: how many there are, whose bytes are broken, whose rows disagree."""
    broken: list[int] = []
    other_problems: list[int] = []
    papers: dict[int, Paper] = {}
    with archive.reading() as transaction:
        held, unreachable = _stored(transaction, start)
        broken += unreachable
        reader.begin(transaction, [row.id for row in held if row.family == Family.XML and row.is_read])
        for content_id, head, size, family, is_read, _, problem in held:
            try:
                data = archive.vault.get(transaction, content_id)
                if len(data) != size or head != digest_head(digest_of(data)):
                    broken.append(content_id)
                elif family == Family.XML and is_read:
                    papers[content_id] = reader.read(content_id, data)
                elif problem is not None and not content_check.is_problem_due(problem, data):
                    other_problems.append(content_id)
            except PaperError:
                papers[content_id] = Paper("", "")
            except ArchiveError:
                broken.append(content_id)

        def read(content_id: int) -> Paper | None:
            try:
                return read_paper(archive.vault.get(transaction, content_id))
            except (PaperError, ArchiveError):
                return None

        names = {number: due_rows.keys_in(paper) or (str(number),) for number, paper in papers.items()}
        differing = _differing(transaction, papers, read)
        for number, found in verdict_check.differences(transaction, reader.judged, names).items():
            differing[number] = (*differing.get(number, ()), *found)
        for number in other_problems:
            names[number] = (str(number),)
            differing[number] = (ValueDifference("content", str(number), "problem"),)
        unread = [row.id for row in held if not row.has_rows]
        for number in _with_rows(transaction, unread):
            names[number] = (str(number),)
            differing[number] = (ValueDifference("content", str(number), "reader"),)
    rows = [BrokenRows(number, names[number], differences) for number, differences in differing.items()]
    return len(held) + len(unreachable), broken, rows


def _with_rows(transaction: Transaction, content_ids: Collection[int]) -> set[int]:
    """Which of these contents, of which no reader makes rows, have documents or events all the same."""
    return {
        number
        for table in ("document", "event", "lone_answer")
        for number in transaction.column_in(f"SELECT content_id FROM {table} WHERE content_id IN {{}}", content_ids)
    }


def _stored(transaction: Transaction, start: int) -> tuple[list[NamedRow], list[int]]:
    """What is stored of this block, and the numbers that stand on pages which cannot be read."""
    sql = (
        "SELECT id, digest_head, size, family, problem IS NULL AND reader IS ? AS is_read,"
        f" family = {int(Family.XML)} AND problem IS NULL AND coalesce(reader, 0) BETWEEN 0 AND {READER} AS has_rows,"
        f" CASE WHEN family = {int(Family.XML)} AND reader IS {READER} THEN problem END AS problem"
        " FROM content WHERE id BETWEEN ? AND ?"
    )
    try:
        return transaction.named(sql, (READER, start, start + BLOCK - 1)), []
    except ArchiveCorrupt:
        held: list[NamedRow] = []
        unreachable: list[int] = []
    for number in range(start, start + BLOCK):
        try:
            held += transaction.named(sql, (READER, number, number))
        except ArchiveCorrupt:
            unreachable.append(number)
    return held, unreachable


def _differing(
    transaction: Transaction, papers: Mapping[int, Paper], read: Read
) -> dict[int, tuple[ValueDifference, ...]]:
    """As `paper_check.differences`; a paper whose rows stand on pages that cannot be read has none that agree."""
    try:
        return paper_check.differences(transaction, papers, read)
    except ArchiveCorrupt:
        if len(papers) == 1:
            return {number: (ValueDifference(_UNREADABLE, str(number), WHOLE_ROW),) for number in papers}
    differing: dict[int, tuple[ValueDifference, ...]] = {}
    for number, paper in papers.items():
        differing |= _differing(transaction, {number: paper}, read)
    return differing
