"""The authenticity verdict: every document, event and voided range of a file, checked line by line in one parse."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from lxml.etree import _Element

from confere.errors import message
from confere.fiscal.authenticity import key_checks, protocol_checks, signature, signed_parts, signer_checks
from confere.fiscal.authenticity.certificates.trust_chain import Trust
from confere.fiscal.authenticity.schemas import SchemaSet
from confere.fiscal.authenticity.signature import Signed
from confere.fiscal.authenticity.signed_parts import Subject
from confere.fiscal.authenticity.verdict import Check, CheckLine, Result, SignedKind, Verdict
from confere.fiscal.model import Paper
from confere.fiscal.reading import envelopes, xml
from confere.fiscal.reading.amounts import integer
from confere.fiscal.reading.document import read_root
from confere.fiscal.reading.envelopes import EnvelopePart

RULES: Final = 3
"""Version of the judgement: to be raised with every change by which a kept verdict could read differently."""


class World(StrEnum):
    """The environment of the account that holds the document: production, or a sandbox hub for tests."""

    PRODUCTION = "production"
    SANDBOX = "sandbox"


@dataclass(frozen=True, slots=True)
class JudgedDocument:
    """The verdict on one paper of a file; `position` is that of `Paper.documents`, `.events` or `.voidings`."""

    kind: SignedKind
    position: int
    access_key: str | None
    code: str | None  # of an event
    sequence: int | None  # of an event
    verdict: Verdict


def judge_paper(
    data: bytes,
    trust: Trust,
    *,
    world: World = World.PRODUCTION,
    schemas: SchemaSet | None = None,
    limit: int = xml.DEFAULT_LIMIT,
) -> tuple[JudgedDocument, ...]:
    """A verdict on every document, event and voided range in `data`, in this order; none where it holds no paper.

    Without `schemas` that line stays unchecked, which decides nothing (`lines.NO_GATE`) and saves half the time.

    Raises PaperError for what is not XML, PaperHostile for what is built to harm, as `paper.read` does.

    Source: each line names its own; reconciliation rules, R19 (any line that fails is told).
    """
    return judge_root(xml.parse(data, limit=limit), trust, world=world, schemas=schemas)


def read_and_judge(
    data: bytes, trust: Trust, *, world: World = World.PRODUCTION, limit: int = xml.DEFAULT_LIMIT
) -> tuple[Paper, tuple[JudgedDocument, ...]]:
    """What `data` holds, as `document.read` has it, and as `judge_paper` the verdict on each of it, in one parse.

    Raises as these do.

    Source: as `judge_paper`.
    """
    root, traits = xml.open_paper(data, limit=limit)
    return read_root(root, traits), judge_root(root, trust, world=world)


def judge_root(
    root: _Element, trust: Trust, *, world: World = World.PRODUCTION, schemas: SchemaSet | None = None
) -> tuple[JudgedDocument, ...]:
    """As `judge_paper`, for a tree that `xml.open_paper` gave.

    Source: as `judge_paper`.
    """
    return tuple(_judged(root, trust, world, schemas))


def judge(
    part: EnvelopePart,
    kind: SignedKind,
    trust: Trust,
    *,
    world: World = World.PRODUCTION,
    schemas: SchemaSet | None = None,
) -> Verdict | None:
    """The verdict on one part of a file; None where the readers find no paper in it.

    Source: as `judge_paper`.
    """
    subject = signed_parts.read(part, kind)
    return _verdict(subject, trust, world, schemas) if subject is not None else None


def _judged(root: _Element, trust: Trust, world: World, schemas: SchemaSet | None) -> Iterator[JudgedDocument]:
    parts_by_kind = envelopes.find(root)
    alone = len(parts_by_kind.documents) + len(parts_by_kind.events) + len(parts_by_kind.voidings) == 1
    for kind, parts in (
        (SignedKind.DOCUMENT, parts_by_kind.documents),
        (SignedKind.EVENT, parts_by_kind.events),
        (SignedKind.VOIDING, parts_by_kind.voidings),
    ):
        position = 0
        for part in parts:
            subject = signed_parts.read(part, kind)
            if subject is None:
                continue
            subject.alone = alone
            event = kind is SignedKind.EVENT
            yield JudgedDocument(
                kind,
                position,
                subject.access_key,
                subject.fields.get("tpEvento") if event else None,
                integer(subject.fields.get("nSeqEvento"), "nSeqEvento", []) if event else None,
                _verdict(subject, trust, world, schemas),
            )
            position += 1


def _verdict(subject: Subject, trust: Trust, world: World, schemas: SchemaSet | None) -> Verdict:
    sandbox = world is World.SANDBOX
    signed = signature.examine(subject) if subject.body is not None else _UNSEEN
    signer, dates, chain = signer_checks.lines(subject, signed, trust, sandbox=sandbox)
    return Verdict(
        (
            key_checks.check_digit(subject),
            key_checks.key_fields(subject),
            signed.digest,
            signed.value,
            protocol_checks.protocol_digest(subject, signed.written_digest),
            protocol_checks.protocol(subject),
            signer,
            dates,
            chain,
            protocol_checks.environment(subject, sandbox=sandbox),
            schemas.line(subject) if schemas is not None else _SCHEMA_UNASKED,
        )
    )


# What was asked and signed is not in the file: the authority's word about it cannot be tied to anybody.
_ANSWER_ALONE: Final = message("The file holds the authority's answer alone, not what was asked.")
_UNSEEN: Final = Signed(
    CheckLine(Check.DIGEST, Result.UNCHECKED, _ANSWER_ALONE),
    CheckLine(Check.SIGNATURE, Result.UNCHECKED, _ANSWER_ALONE),
    False,
)
_SCHEMA_UNASKED: Final = CheckLine(Check.SCHEMA, Result.UNCHECKED, message("The schema was not asked for."))
