"""From what was read to rows: pure mappings, in the order of the schema's columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import NamedTuple

from confere.archive.documents import state_grounds
from confere.archive.schema.schema import document
from confere.archive.transaction import Row
from confere.fiscal import belief, document_models
from confere.fiscal.belief import Own
from confere.fiscal.direction import direction
from confere.fiscal.document_parts import Party, Warning
from confere.fiscal.model import Document, DocumentType, Event, Paper, State, Voiding
from confere.fiscal.operations import adjustment_of, classify
from confere.fiscal.periods import local_date
from confere.fiscal.references import RelationKind
from confere.fiscal.warnings import ANSWER_OF_ANOTHER, attention_count

NO_DATE = ""  # sorts before every month: a document without a date belongs to none
_LONGEST_NOTE = 2000  # characters of free text that search keeps of one document
OWNERS = ("emitter", "recipient", "taker")
_COLUMNS = tuple(column.name for column in document.columns)
_READ = _COLUMNS[: _COLUMNS.index("emitter_id")]
_UNSETTLED = (None,) * (_COLUMNS.index("freight_mode") - _COLUMNS.index("hub_account_id"))
_NOTHING_FURTHER: Row = (None,) * (len(_COLUMNS) - _COLUMNS.index("freight_mode"))


def document_row(number: int, content_id: int, position: int, paper: Document) -> Row:
    """The `document` row up to its taxpayers; `is_current` is settled where a key has several versions."""
    issued_on = local_date(paper.issued_at) if paper.issued_at else None
    protocol = paper.protocol
    totals = paper.totals
    return (
        number,
        content_id,
        position,
        1,
        paper.type.value,
        paper.access_key,
        paper.model,
        paper.series,
        paper.number,
        paper.layout,
        paper.issued_at,
        _day(issued_on),
        paper.operation,
        operation_of(paper, None),
        paper.direction,
        paper.purpose,
        paper.destination,
        paper.environment,
        ",".join(paper.cfops),
        totals.document,
        totals.products,
        totals.discount,
        totals.freight,
        totals.insurance,
        totals.other,
        totals.icms,
        totals.icms_st,
        totals.ipi,
        totals.pis,
        totals.cofins,
        totals.with_reform,
        protocol.cstat if protocol else None,
        protocol.number if protocol else None,
        protocol.received_at if protocol else None,
        _standing(*_told_of(paper)).state,
        paper.external_id,
        paper.order_hint,
        _warnings(paper.warnings),
        _warning_count(paper.warnings),
    )


def with_owners(row: Row, paper: Document | None, emitter: int | None, recipient: int | None, taker: int | None) -> Row:
    """The whole `document` row: with the numbers of its taxpayers and, of a `paper`, what links and rules ask for.

    The hub's word is settled later.
    """
    return (*row, emitter, recipient, taker, *_UNSETTLED, *(_NOTHING_FURTHER if paper is None else _further(paper)))


def operation_of(paper: Document, subtype: str | None) -> str:
    """Our class of the operation, from the strongest evidence there is."""
    return classify(
        subtype=subtype,
        external_id=paper.external_id,
        nature=paper.operation,
        has_reference=any(entry.kind != RelationKind.EARLIER for entry in paper.references),
        cfops=paper.cfops,
        adjustment=adjustment_of(paper.type, paper.purpose, paper.credit_type, paper.debit_type),
    ).value


def voiding_document_row(number: int, content_id: int, position: int, paper: Voiding) -> Row:
    """A voided range stands among the documents under its first number, so that lists show it."""
    state = State.VOIDED if paper.registered else State.NO_PROTOCOL if paper.cstat is None else State.REJECTED
    return _named(
        id=number,
        content_id=content_id,
        position=position,
        is_current=1,
        type=DocumentType.VOIDING.value,
        model=paper.model,
        series=paper.series,
        number=paper.first,
        issued_at=paper.registered_at,
        issued_on=_day(local_date(paper.registered_at) if paper.registered_at else None),
        nature=paper.reason,
        operation="voiding",
        environment=paper.environment,
        cstat=paper.cstat,
        protocol=paper.protocol,
        authorized_at=paper.registered_at,
        state=state.value,
        warnings=_warnings(paper.warnings),
        warning_count=_warning_count(paper.warnings),
    )


def other_document_row(number: int, content_id: int, paper: Paper) -> Row:
    """Well-formed XML of a kind that is not read: its root element is all that is known."""
    return _named(
        id=number,
        content_id=content_id,
        position=0,
        is_current=1,
        type=DocumentType.OTHER.value,
        issued_on=NO_DATE,
        nature=paper.root,
        operation="other",
        state=State.UNKNOWN.value,
        warnings=_warnings(paper.warnings),
        warning_count=_warning_count(paper.warnings),
    )


def voiding_row(number: int, paper: Voiding) -> Row:
    return (
        number,
        paper.uf_code,
        paper.year,
        paper.emitter,
        paper.model,
        paper.series,
        paper.first,
        paper.last,
        paper.reason,
        paper.cstat,
        paper.protocol,
        paper.registered_at,
    )


def event_row(number: int, content_id: int, position: int, paper: Event) -> Row:
    return (
        number,
        content_id,
        position,
        1,
        paper.access_key,
        paper.code,
        paper.sequence,
        paper.description,
        paper.occurred_at,
        paper.author,
        int(paper.registered),
        paper.cstat,
        paper.reason,
        paper.protocol,
        paper.registered_at,
        paper.text,
        paper.environment,
        int(paper.embedded),
        _warnings(paper.warnings),
    )


def taxpayer_row(party: Party) -> Row:
    """A taxpayer as written, without its id."""
    return (party.tax_id, party.name, party.state_registration, party.uf, party.city)


def emitter_row(tax_id: str) -> Row:
    """The emitter of a voiding, of whom the paper says nothing else."""
    return (tax_id, None, None, None, None)


def item_rows(number: int, paper: Document) -> list[Row]:
    return [
        (
            number,
            position,
            item.number,
            item.code,
            item.ean,
            item.description,
            item.ncm,
            item.cfop,
            item.unit,
            None if item.quantity is None else format(item.quantity, "f"),
            None if item.unit_price is None else format(item.unit_price, "f"),
            item.total_cents,
        )
        for position, item in enumerate(paper.items)
    ]


def item_reference_rows(number: int, paper: Document) -> list[Row]:
    """The documents that its items name, each once."""
    return [(number, *entry) for entry in dict.fromkeys(paper.item_references)]


def tax_rows(number: int, paper: Document) -> list[Row]:
    """What the document comes to by CFOP and CST."""
    return [(number, position, *sums) for position, sums in enumerate(paper.taxes)]


def belonging_rows(number: int, paper: Document) -> list[Row]:
    """One row for each taxpayer whose document it is, with the direction as that taxpayer sees it."""
    issued_on = _day(local_date(paper.issued_at) if paper.issued_at else None)
    owners = dict.fromkeys(party.tax_id for party in paper.parties if party.role in OWNERS and party.tax_id)
    return [(owner, issued_on, number, direction(paper, owner)) for owner in owners]


def search_words(paper: Document) -> str:
    """What a person may remember of a document: names, goods, order numbers, the start of its notes."""
    words: list[str | None] = [paper.operation, paper.external_id, paper.order_hint]
    words += [party.name for party in paper.parties]
    for item in paper.items:
        words += (item.code, item.description, item.ean)
    words.append((paper.notes or "")[:_LONGEST_NOTE])
    return " ".join(dict.fromkeys(word for word in words if word))


def _further(paper: Document) -> Row:
    weight = paper.weight
    return (
        paper.freight_mode,
        None if weight is None else format(weight, "f"),
        " ".join(paper.quoted) or None,
        " ".join(paper.mismatches) or None,
        paper.digest if paper.protocol is None or _answers_another(paper.warnings) else None,
        _standing(*_told_of(paper)).ground_number,
        paper.credit_type,
        paper.debit_type,
        paper.intermediary,
        paper.presence,
    )


def _told_of(paper: Document) -> tuple[str | None, bool, str | None, bool]:
    """What `_standing` asks for."""
    is_sealed = paper.model == document_models.COUPON_MODEL and paper.digest is not None
    model = paper.model if paper.model in document_models.SELF_AUTHORIZED else None  # all others stand alike
    return paper.protocol.cstat if paper.protocol else None, _answers_another(paper.warnings), model, is_sealed


def _named(**values: object) -> Row:
    """A `document` row up to its taxpayers for the rare kinds, by the names of its columns."""
    return tuple(values.get(name) for name in _READ)


class _Standing(NamedTuple):
    state: str
    ground_number: int


@lru_cache(maxsize=256)
def _standing(cstat: str | None, answers_another: bool, model: str | None, is_sealed: bool) -> _Standing:
    """What a protocol alone gives, of a CF-e-SAT its signature."""
    found = belief.standing(Own(cstat, answers_another, model, digest="" if is_sealed else None))
    return _Standing(found.state.value, state_grounds.number_of(found.ground))


def _day(found: date | None) -> str:
    return found.isoformat() if found else NO_DATE


def _warning_count(found: Sequence[Warning]) -> int | None:
    return attention_count(entry.code for entry in found) or None


def _answers_another(found: Sequence[Warning]) -> bool:
    """Whether the authority's answer in the file is about another document: then nobody answered about this one."""
    return any(entry.code in ANSWER_OF_ANOTHER for entry in found)


def _warnings(found: Sequence[Warning]) -> str | None:
    return json.dumps([[entry.code, entry.detail] for entry in found], ensure_ascii=False) if found else None
