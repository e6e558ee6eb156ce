"""Verdicts on authenticity, kept by content: what was found, by which rules, trusting which certificates.

A verdict holds as long as its rules and its trusted certificates are the ones in use; by others it is judged anew.
One letter a check keeps a million of them small; the sentences of what failed are written once for all papers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from confere.archive import message_encoding
from confere.archive.authenticity import altered
from confere.archive.authenticity.verdict_codes import (
    ALTERED,
    BY_LETTER,
    CHECKS,
    LEFT_OUT,
    PLACES,
    RESULTS,
    failed_in,
    letter_of,
)
from confere.archive.authenticity.verdict_codes import verdict_of as verdict_of
from confere.archive.documents import event_history, recompute
from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Row, Transaction
from confere.archive.vault.vault import digest_head, digest_of
from confere.errors import Message, message
from confere.fiscal.authenticity.verdict import CLAIMED, NO_GATE, Check, CheckLine, Result, Verdict

DOCUMENT: Final = 0
EVENT: Final = 1
VOIDING: Final = 2
NOTHING: Final = 9
"""Kind of the row that says: this content was looked at, and nothing in it can be judged."""

_NOT_ASKED: Final = message("This was not asked when many were checked at once; the check of this one alone asks it.")
_TOLD: Final = frozenset({Result.FAILED, Result.UNCHECKED, Result.TEST})
_AGAINST: Final = frozenset({Result.FAILED, Result.TEST})
_SANDBOXES: Final = ("sandbox", "embedded")
_REMEMBERED: Final = 20_000


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict as it is kept. `whys` are the places of checks with the sentences of those that did not hold."""

    kind: int
    position: int
    result: int
    lines: str
    whys: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class JudgedContent:
    """Everything found in one content. `basis` is the number that `basis_id` gave."""

    content_id: int
    basis: int
    found: tuple[Judgement, ...]


@dataclass(frozen=True, slots=True)
class StoredVerdict:
    """A kept verdict, of the `kind` and at the `position` among those of its kind in the content."""

    content_id: int
    kind: int
    position: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class VerdictTally:
    """How many current documents have which verdict; `none` were not judged yet, `test` are of the test environment."""

    ok: int
    unchecked: int
    failed: int
    none: int
    test: int = 0


def pack(kind: int, position: int, found: Verdict, left_out: Collection[Check] = ()) -> Judgement:
    """A verdict in the form that is kept: small, and cheap to send between processes.

    Of the checks `left_out` it is kept that they were not asked.
    """
    letters = [LEFT_OUT] * len(CHECKS)
    whys: list[tuple[int, str]] = []
    for line in found.lines:
        if line.check in left_out:
            continue
        place = PLACES[line.check]
        letters[place] = letter_of(line)
        if line.why is not None and line.result in _TOLD:
            whys.append((place, message_encoding.kept(line.why)))
    return Judgement(kind, position, RESULTS.index(found.result), "".join(letters), tuple(whys))


def contents(transaction: Transaction, after_id: int, limit: int) -> tuple[int, ...]:
    """The next contents in which something was read, by number."""
    content_ids = transaction.column(
        "SELECT content_id FROM document WHERE content_id > ? UNION SELECT content_id FROM event WHERE content_id > ?"
        " ORDER BY 1 LIMIT ?",
        (after_id, after_id, limit),
    )
    return tuple(content_ids)


def contents_of(transaction: Transaction, document_ids: Collection[int]) -> tuple[int, ...]:
    """The contents of these documents and of the events of their keys, by number."""
    found: set[int] = set()
    keys: set[str] = set()
    for content_id, key in transaction.fetch_in(
        "SELECT content_id, access_key FROM document WHERE id IN {}", document_ids
    ):
        found.add(content_id)
        if key:
            keys.add(key)
    found.update(transaction.column_in("SELECT content_id FROM event WHERE access_key IN {}", keys))
    return tuple(sorted(found))


def worlds(transaction: Transaction, content_ids: Collection[int]) -> dict[int, tuple[int, ...]]:
    """The accounts in whose world each of these contents stands: of the sandboxes that alone delivered it.

    Empty for everything else, which is judged as production: also what a file brought, or a sandbox and another hub.
    """
    brought: dict[int, dict[int, str]] = defaultdict(dict)
    for content_id, account_id, environment in transaction.fetch_in(
        "SELECT w.content_id, a.id, a.environment FROM download w JOIN account a ON a.id = w.account_id"
        " WHERE w.content_id IN {}",
        content_ids,
    ):
        brought[content_id][account_id] = environment
    return {
        content_id: tuple(sorted(found)) if all(entry in _SANDBOXES for entry in found.values()) else ()
        for content_id in content_ids
        for found in [brought.get(content_id, {})]
    }


def bases(transaction: Transaction) -> dict[tuple[int, bytes], int]:
    """Everything that anything was judged by: `(rules, trust)` with its number."""
    return {(rules, trust): number for number, rules, trust in transaction.fetch("SELECT id, rules, trust FROM basis")}


def basis_id(transaction: Transaction, rules: int, trust: bytes) -> int:
    """The number of these rules and this trust, made where they are new."""
    from confere.archive.schema.schema import basis

    found = bases(transaction).get((rules, trust))
    if found is None:
        found = transaction.new_ids(basis, 1)[0]
        transaction.insert(basis, [(found, rules, trust)])
    return found


def judged_by(transaction: Transaction, content_ids: Collection[int]) -> dict[int, int]:
    """The basis by which each of these contents was judged last; absent: never."""
    return dict(
        transaction.fetch_in(
            "SELECT content_id, min(basis_id) FROM verdict WHERE content_id IN {} GROUP BY 1", content_ids
        )
    )


def record(transaction: Transaction, results: Sequence[JudgedContent]) -> None:
    """Keep these verdicts in place of earlier ones, and mark the documents."""
    from confere.archive.schema.schema import verdict
    from confere.archive.schema.table_rows import row_of

    transaction.execute_many("DELETE FROM verdict WHERE content_id = ?", [(entry.content_id,) for entry in results])
    known = _whys(transaction, {text for entry in results for one in entry.found for _, text in one.whys})
    make, rows = row_of(verdict), []
    for entry in results:
        for one in entry.found:
            told = " ".join(f"{place}:{known[text]}" for place, text in one.whys) or None
            rows.append(
                make(
                    content_id=entry.content_id,
                    kind=one.kind,
                    position=one.position,
                    basis_id=entry.basis,
                    result=one.result,
                    lines=one.lines,
                    whys=told,
                )
            )
        if not entry.found:
            nothing = make(
                content_id=entry.content_id, kind=NOTHING, position=0, basis_id=entry.basis, result=0, lines=""
            )
            rows.append(nothing)
    transaction.insert(verdict, rows)
    settle(transaction, {entry.content_id for entry in results})


def settle(transaction: Transaction, content_ids: Collection[int]) -> None:
    """Mark the documents in these contents with what is kept of them."""
    kept = results(transaction, content_ids)
    changed: list[Row] = []
    passed: dict[tuple[int, int], int] = defaultdict(int)
    for marked in _documents(transaction, content_ids):
        kind = VOIDING if marked.type == "voiding" else DOCUMENT
        found = kept.get((marked.content_id, kind, passed[marked.content_id, kind]))
        passed[marked.content_id, kind] += 1
        if found != marked.verdict:
            changed.append((found, marked.id))
    transaction.execute_many("UPDATE document SET verdict = ? WHERE id = ?", changed)
    recompute.versions_in(transaction, content_ids)
    recompute.states(transaction, event_history.keys_in(transaction, content_ids), again=True)


def results(transaction: Transaction, content_ids: Collection[int]) -> dict[tuple[int, int, int], int]:
    """The results kept of these contents, by content, kind and position."""
    return {
        (row.content_id, row.kind, row.position): row.result
        for row in transaction.named_in(
            "SELECT content_id, kind, position, result FROM verdict WHERE content_id IN {}", content_ids
        )
    }


def of(transaction: Transaction, content_ids: Collection[int]) -> dict[int, tuple[StoredVerdict, ...]]:
    """What is kept of these contents, in the order of kind and position."""
    rows = sorted(
        transaction.named_in(
            "SELECT content_id, kind, position, lines, whys FROM verdict WHERE content_id IN {}", content_ids
        )
    )
    wanted = {int(entry.partition(":")[2]) for row in rows for entry in (row.whys or "").split()}
    texts: dict[int, str] = dict(transaction.fetch_in("SELECT id, text FROM why WHERE id IN {}", wanted))
    found: dict[int, list[StoredVerdict]] = defaultdict(list)
    for row in rows:
        if row.kind != NOTHING:
            found[row.content_id].append(
                StoredVerdict(row.content_id, row.kind, row.position, _verdict(row.lines, row.whys, texts))
            )
    return {content_id: tuple(entries) for content_id, entries in found.items()}


def tally(transaction: Transaction) -> VerdictTally:
    """How the current documents of the archive stand, those of kinds that cannot be judged left out."""
    found: dict[int | None, int] = dict(
        transaction.fetch("SELECT verdict, count(*) FROM document WHERE is_current = 1 AND type != 'other' GROUP BY 1")
    )
    return VerdictTally(found.get(0, 0), found.get(1, 0), found.get(2, 0), found.get(None, 0), found.get(3, 0))


def count_failed(transaction: Transaction) -> int:
    """How many current documents are not authentic, by an index of those alone."""
    return int(transaction.scalar("SELECT count(*) FROM document WHERE is_current = 1 AND verdict = 2"))


def failed_versions(transaction: Transaction, document_ids: Collection[int] | None = None) -> int:
    """How many contents that gave way to another one of their key are not authentic: of these documents, or all."""
    if document_ids is None:
        # By the index of what failed: contents without a place in the list have none of their own.
        return int(
            transaction.scalar(
                "SELECT count(DISTINCT d.id) FROM verdict v CROSS JOIN document d ON d.content_id = v.content_id"
                f" WHERE v.result = 2 AND v.kind = {DOCUMENT} AND d.is_current = 0 AND d.verdict = 2"
            )
        )
    keys = set(transaction.column_in("SELECT access_key FROM document WHERE id IN {}", document_ids))
    counts = transaction.column_in(
        "SELECT count(*) FROM document WHERE is_current = 0 AND verdict = 2 AND access_key IN {}", keys
    )
    return sum(counts)


def altered_versions(transaction: Transaction, document_ids: Collection[int] | None = None) -> int:
    """As `failed_versions`, those alone that were changed after signing."""
    changed = f"SELECT count(*) FROM document WHERE is_current = 0 AND id IN ({altered.DOCUMENTS})"
    if document_ids is None:
        return int(transaction.scalar(changed))
    keys = set(transaction.column_in("SELECT access_key FROM document WHERE id IN {}", document_ids))
    return sum(transaction.column_in(changed + " AND access_key IN {}", keys))


def failed_events(transaction: Transaction, *, altered: bool = False) -> list[tuple[int, int | None]]:
    """The current events that are not authentic, newest first, each with its document's number where that is here.

    `altered`: those alone that were changed after signing.
    """
    only = f" AND instr(v.lines, '{ALTERED}')" if altered else ""
    rows = transaction.fetch(
        "SELECT e.id, d.id FROM verdict v CROSS JOIN event e ON e.content_id = v.content_id AND e.position = v.position"
        " LEFT JOIN document d ON d.access_key = e.access_key AND d.is_current = 1"
        f" WHERE v.result = 2 AND v.kind = {EVENT} AND e.is_current = 1{only} ORDER BY e.id DESC"
    )
    return [(event_id, document_id) for event_id, document_id in rows]


def unchecked_events(transaction: Transaction) -> list[int | None]:
    """Of the current events that could not be checked the number of the document, where that is here."""
    return transaction.column(
        "SELECT d.id FROM event e JOIN verdict v ON v.content_id = e.content_id AND v.kind = 1 AND"
        " v.position = e.position LEFT JOIN document d ON d.access_key = e.access_key AND d.is_current = 1"
        " WHERE e.is_current = 1 AND v.result = 1"
    )


def failed_checks(transaction: Transaction) -> dict[int, tuple[str, ...]]:
    """The checks that failed of each current document that is not authentic, by the archive's number of it."""
    rows = transaction.fetch(
        "SELECT d.id, v.lines FROM document d JOIN verdict v"
        f" ON v.content_id = d.content_id AND v.kind = {DOCUMENT} AND v.position = d.position"
        " WHERE d.is_current = 1 AND d.verdict = 2"
    )
    return {
        number: tuple(check.value for check in CHECKS if check in failed_in(lines) - NO_GATE) for number, lines in rows
    }


def failed_whys(transaction: Transaction, content_ids: Collection[int]) -> dict[int, tuple[Message, ...]]:
    """Why the papers in these contents failed, or are tests: what the lines that gate say."""
    return {
        content_id: tuple(
            line.why
            for entry in entries
            for line in entry.verdict.lines
            if line.result in _AGAINST and line.check not in NO_GATE and line.why is not None
        )
        for content_id, entries in of(transaction, content_ids).items()
    }


def _documents(transaction: Transaction, content_ids: Collection[int]) -> list[NamedRow]:
    rows = transaction.named_in(
        "SELECT content_id, position, id, type, verdict FROM document WHERE content_id IN {}",
        content_ids,
    )
    return sorted(rows, key=lambda row: (row.content_id, row.position))


def _verdict(lines: str, told: str | None, texts: Mapping[int, str]) -> Verdict:
    whys = {int(place): int(number) for place, _, number in (entry.partition(":") for entry in (told or "").split())}
    found: list[CheckLine] = []
    for place, (check, letter) in enumerate(zip(CHECKS, lines, strict=False)):
        result = BY_LETTER.get(letter)
        if result is None:
            found.append(CheckLine(check, Result.UNCHECKED, _NOT_ASKED))
        else:
            text = texts.get(whys[place]) if place in whys else None
            why = None if text is None else message_encoding.read(text)
            if check is Check.PROTOCOL and result is Result.OK:
                why = CLAIMED  # the same of every one that holds: not kept a million times
            found.append(CheckLine(check, result, why, altered=letter == ALTERED))
    return Verdict(tuple(found))


def _whys(transaction: Transaction, texts: Iterable[str]) -> dict[str, int]:
    """The numbers of these sentences, written down where they are new."""
    from confere.archive.schema.schema import why

    memory = transaction.memory("whys")
    if len(memory) > _REMEMBERED:
        memory.clear()
    wanted = set(texts)
    heads = {text: digest_head(digest_of(text.encode())) for text in wanted if text not in memory}
    for number, text in transaction.fetch_in("SELECT id, text FROM why WHERE digest_head IN {}", set(heads.values())):
        memory[text] = number
    new = sorted(text for text in heads if text not in memory)
    numbers = transaction.new_ids(why, len(new))
    transaction.insert(why, [(number, heads[text], text) for number, text in zip(numbers, new, strict=True)])
    memory.update(zip(new, numbers, strict=True))
    return {text: memory[text] for text in wanted}
