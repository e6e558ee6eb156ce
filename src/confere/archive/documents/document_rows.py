"""From what was read to rows: pure mappings, in the order of the schema's columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from confere.archive.documents import state_grounds
from confere.archive.named_rows import NamedRow
from confere.archive.schema.schema import document, event, taxpayer, voiding
from confere.archive.schema.schema import item as item_table
from confere.archive.schema.table_rows import row_of, setter
from confere.archive.transaction import Row
from confere.fiscal import document_models, state_evidence
from confere.fiscal.direction import direction
from confere.fiscal.document_parts import Party, Warning
from confere.fiscal.model import Document, DocumentType, Event, Paper, State, Voiding
from confere.fiscal.operations import adjustment_of, classify
from confere.fiscal.periods import local_date
from confere.fiscal.references import RelationKind
from confere.fiscal.state_evidence import Own
from confere.fiscal.warnings import ANSWER_OF_ANOTHER, attention_count

NO_DATE = ""  # sorts before every month: a document without a date belongs to none
_LONGEST_NOTE = 2000  # characters of free text that search keeps of one document
OWNERS = ("emitter", "recipient", "taker")
_DOCUMENT: Final = row_of(document)
_set_owners: Final = setter(document, "emitter_id", "recipient_id", "taker_id")
_EVENT: Final = row_of(event)
_TAXPAYER: Final = row_of(taxpayer)
_ITEM: Final = row_of(item_table)
_VOIDING: Final = row_of(voiding)


def document_row(number: int, content_id: int, position: int, paper: Document) -> NamedRow:
    """The `document` row without its taxpayers; `is_current` is settled where a key has several versions."""
    issued_on = local_date(paper.issued_at) if paper.issued_at else None
    protocol = paper.protocol
    totals = paper.totals
    state = _standing(*_told_of(paper))
    return _DOCUMENT(
        id=number,
        content_id=content_id,
        position=position,
        is_current=1,
        type=paper.type.value,
        access_key=paper.access_key,
        model=paper.model,
        series=paper.series,
        number=paper.number,
        layout=paper.layout,
        issued_at=paper.issued_at,
        issued_on=_day(issued_on),
        nature=paper.operation,
        operation=operation_of(paper, None),
        direction=paper.direction,
        purpose=paper.purpose,
        destination=paper.destination,
        environment=paper.environment,
        cfops=",".join(paper.cfops),
        total=totals.document,
        total_products=totals.products,
        total_discount=totals.discount,
        total_freight=totals.freight,
        total_insurance=totals.insurance,
        total_other=totals.other,
        total_icms=totals.icms,
        total_icms_st=totals.icms_st,
        total_ipi=totals.ipi,
        total_pis=totals.pis,
        total_cofins=totals.cofins,
        total_with_reform=totals.with_reform,
        cstat=protocol.cstat if protocol else None,
        protocol=protocol.number if protocol else None,
        authorized_at=protocol.received_at if protocol else None,
        state=state.state,
        external_id=paper.external_id,
        order_hint=paper.order_hint,
        warnings=_warnings(paper.warnings),
        warning_count=_warning_count(paper.warnings),
        freight_mode=paper.freight_mode,
        weight=None if paper.weight is None else format(paper.weight, "f"),
        quoted=" ".join(paper.quoted) or None,
        mismatches=" ".join(paper.mismatches) or None,
        signed_digest=paper.digest if protocol is None or _answers_another(paper.warnings) else None,
        state_ground=state.ground_number,
        credit_type=paper.credit_type,
        debit_type=paper.debit_type,
        intermediary=paper.intermediary,
        presence=paper.presence,
    )


def with_owners(row: NamedRow, emitter: int | None, recipient: int | None, taker: int | None) -> Row:
    """The `document` row with the numbers of its taxpayers; the hub's word is settled later."""
    return _set_owners(row, emitter, recipient, taker)


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


def voiding_document_row(number: int, content_id: int, position: int, paper: Voiding) -> NamedRow:
    """A voided range stands among the documents under its first number, so that lists show it."""
    state = State.VOIDED if paper.registered else State.NO_PROTOCOL if paper.cstat is None else State.REJECTED
    return _DOCUMENT(
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


def other_document_row(number: int, content_id: int, paper: Paper) -> NamedRow:
    """Well-formed XML of a kind that is not read: its root element is all that is known."""
    return _DOCUMENT(
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


def voiding_row(number: int, paper: Voiding) -> NamedRow:
    return _VOIDING(
        document_id=number,
        uf_code=paper.uf_code,
        year=paper.year,
        emitter=paper.emitter,
        model=paper.model,
        series=paper.series,
        first=paper.first,
        last=paper.last,
        reason=paper.reason,
        cstat=paper.cstat,
        protocol=paper.protocol,
        registered_at=paper.registered_at,
    )


def event_row(number: int, content_id: int, position: int, paper: Event) -> NamedRow:
    return _EVENT(
        id=number,
        content_id=content_id,
        position=position,
        is_current=1,
        access_key=paper.access_key,
        code=paper.code,
        sequence=paper.sequence,
        description=paper.description,
        occurred_at=paper.occurred_at,
        author=paper.author,
        registered=int(paper.registered),
        cstat=paper.cstat,
        reason=paper.reason,
        protocol=paper.protocol,
        registered_at=paper.registered_at,
        words=paper.text,
        environment=paper.environment,
        embedded=int(paper.embedded),
        warnings=_warnings(paper.warnings),
    )


def taxpayer_row(party: Party) -> NamedRow:
    """A taxpayer as written, without its id."""
    return _TAXPAYER(
        tax_id=party.tax_id,
        name=party.name,
        state_registration=party.state_registration,
        uf=party.uf,
        city=party.city,
    )


def emitter_row(tax_id: str) -> NamedRow:
    """The emitter of a voiding, of whom the paper says nothing else."""
    return _TAXPAYER(tax_id=tax_id)


def item_rows(number: int, paper: Document) -> list[NamedRow]:
    return [
        _ITEM(
            document_id=number,
            position=position,
            number=item.number,
            code=item.code,
            ean=item.ean,
            description=item.description,
            ncm=item.ncm,
            cfop=item.cfop,
            unit=item.unit,
            quantity=None if item.quantity is None else format(item.quantity, "f"),
            unit_price=None if item.unit_price is None else format(item.unit_price, "f"),
            total=item.total_cents,
            origin=item.origin,
        )
        for position, item in enumerate(paper.items)
    ]


def item_reference_rows(number: int, paper: Document) -> list[Row]:
    """The documents that its items name, each once."""
    return [(number, position, key, target) for position, key, target in dict.fromkeys(paper.item_references)]


def tax_rows(number: int, paper: Document) -> list[Row]:
    """What the document comes to by CFOP and CST; the columns after the first two are the fields of `TaxSums`."""
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


def _told_of(paper: Document) -> tuple[str | None, bool, str | None, bool]:
    """What `_standing` asks for."""
    is_sealed = paper.model == document_models.COUPON_MODEL and paper.digest is not None
    model = paper.model if paper.model in document_models.SELF_AUTHORIZED else None  # all others stand alike
    return paper.protocol.cstat if paper.protocol else None, _answers_another(paper.warnings), model, is_sealed


class _Standing(NamedTuple):
    state: str
    ground_number: int


@lru_cache(maxsize=256)
def _standing(cstat: str | None, answers_another: bool, model: str | None, is_sealed: bool) -> _Standing:
    """What a protocol alone gives, of a CF-e-SAT its signature."""
    found = state_evidence.standing(Own(cstat, answers_another, model, digest="" if is_sealed else None))
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
