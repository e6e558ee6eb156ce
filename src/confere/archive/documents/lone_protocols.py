"""The authority's answers that came in files of their own, without the document that they are about."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from confere.archive.named_rows import NamedRow
from confere.archive.transaction import Row, Transaction
from confere.errors import Message
from confere.fiscal.document_parts import Protocol
from confere.fiscal.model import Paper
from confere.fiscal.state_evidence import LoneProtocol, Own, answer_doubt
from confere.fiscal.warnings import ANSWER_OF_ANOTHER

ANOTHERS = " OR ".join(f"instr(d.warnings, '\"{trait}\"')" for trait in sorted(ANSWER_OF_ANOTHER))
"""SQL: whether the answer in the file of the document `d` is not about it."""
OWN = f"d.cstat, {ANOTHERS} AS answers_another, d.model, d.environment, d.signed_digest"
"""SQL: of the document `d` what `belief.Own` is made of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoneAnswer(Protocol):
    """What an answer says, and the SHA-256 of its file.

    `doubt` is why the document that it names does not stand on it, where that is here.
    """

    access_key: str  # one that names no document is not looked for
    sha256: str
    doubt: Message | None


def rows(content_id: int, paper: Paper) -> list[NamedRow]:
    """The rows of the answers in a file."""
    from confere.archive.schema.schema import lone_answer
    from confere.archive.schema.table_rows import row_of

    make = row_of(lone_answer)
    return [
        make(
            content_id=content_id,
            position=position,
            access_key=answer.access_key,
            cstat=answer.cstat,
            reason=answer.reason,
            protocol=answer.number,
            received_at=answer.received_at,
            digest=answer.digest,
            environment=answer.environment,
        )
        for position, answer in enumerate(paper.answers)
    ]


def keys_of(transaction: Transaction, content_ids: Collection[int]) -> set[str]:
    """The documents that the answers in these contents are about."""
    keys = transaction.column_in("SELECT access_key FROM lone_answer WHERE content_id IN {}", content_ids)
    return set(filter(None, keys))


def remove(transaction: Transaction, content_ids: Collection[int]) -> None:
    """Take out the rows of these contents."""
    transaction.execute_many("DELETE FROM lone_answer WHERE content_id = ?", [(number,) for number in content_ids])


def add(transaction: Transaction, made: Collection[Row]) -> None:
    """Write rows."""
    from confere.archive.schema.schema import lone_answer

    transaction.insert(lone_answer, list(made))


def by_key(transaction: Transaction, keys: Collection[str]) -> dict[str, tuple[LoneProtocol, ...]]:
    """What is answered about each of these keys, for `belief.standing`."""
    found: dict[str, set[LoneProtocol]] = defaultdict(set)
    for key, cstat, digest, environment in transaction.fetch_in(
        "SELECT access_key, cstat, digest, environment FROM lone_answer WHERE access_key IN {}", keys
    ):
        found[key].add(LoneProtocol(cstat, digest, environment))
    return {key: tuple(sorted(answers, key=repr)) for key, answers in found.items()}


def of(transaction: Transaction, keys: Collection[str]) -> tuple[LoneAnswer, ...]:
    """The answers about these keys, each with what speaks against it, by key and digest of the file."""
    papers = {
        row.access_key: Own(row.cstat, bool(row.answers_another), row.model, row.environment, row.signed_digest)
        for row in transaction.named_in(
            f"SELECT d.access_key, {OWN} FROM document d WHERE d.is_current = 1 AND d.access_key IN {{}}",
            keys,
        )
    }
    made = [
        LoneAnswer(
            access_key=row.access_key,
            cstat=row.cstat,
            reason=row.reason,
            number=row.protocol,
            received_at=row.received_at,
            digest=row.digest,
            environment=row.environment,
            sha256=row.sha256,
            doubt=_doubt(LoneProtocol(row.cstat, row.digest, row.environment), papers.get(row.access_key)),
        )
        for row in transaction.named_in(
            "SELECT a.access_key, lower(hex(c.digest)) AS sha256, a.cstat, a.reason, a.protocol, a.received_at,"
            " a.digest, a.environment FROM lone_answer a JOIN content c ON c.id = a.content_id"
            " WHERE a.access_key IN {}",
            keys,
        )
    ]
    return tuple(sorted(made, key=lambda entry: (entry.access_key, entry.sha256)))


def every_doubted(transaction: Transaction) -> tuple[LoneAnswer, ...]:
    """Of the whole archive those that are not believed."""
    keys = set(filter(None, transaction.column("SELECT DISTINCT access_key FROM lone_answer")))
    return tuple(entry for entry in of(transaction, keys) if entry.doubt is not None)


def _doubt(answer: LoneProtocol, own: Own | None) -> Message | None:
    if own is None or (own.cstat is not None and not own.answers_another):
        return None  # nothing depends on it
    return answer_doubt(answer, own)
