"""What is told of a chain: the operation of each step with its evidence, and what the chain as a whole says."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from confere.app.documents.chain.chain_step import ChainStep
from confere.archive.documents import relations
from confere.archive.documents.documents import DocumentRow
from confere.archive.documents.relations import HubName, RelationEdge
from confere.archive.transaction import Transaction
from confere.errors import Message, message
from confere.fiscal import access_keys
from confere.fiscal.model import VOID, DocumentType
from confere.fiscal.operations import Classified, Operation, adjustment_of, classify_with_evidence, is_from_warehouse
from confere.fiscal.references import RelationKind

_BY_XML = 1
_NOTES = frozenset({DocumentType.NFE.value, DocumentType.NFCE.value})
_FREIGHT_MODELS = frozenset({"57", "67"})
# What the first of a pair refers to is, by the rule of the chain, the second.
_ABOVE: Final[Mapping[str, tuple[Operation, Message]]] = {
    Operation.SYMBOLIC_INBOUND_RETURN.value: (Operation.INBOUND, message("a symbolic return refers to it")),
    Operation.INBOUND_RETURN.value: (Operation.INBOUND, message("a return of stock refers to it")),
    Operation.SALE_RETURN.value: (Operation.SALE, message("the return of a sale refers to it")),
}
_MOST_NAMED = 3


def classified(
    keys: Collection[str],
    rows: Mapping[str, DocumentRow],
    absent: Mapping[str, HubName],
    links: Collection[RelationEdge],
) -> dict[str, Classified]:
    """The operation of each of these documents, those left out of which nothing is known.

    Of what is not in the archive the hub's word tells, then the model in its key, then its place in the chain.
    """
    referring = {link.source_key for link in links if link.claims & _BY_XML and not _by_event(link, rows)}
    told = {key: _of_row(row, has_reference=key in referring) for key, row in rows.items()}
    for key in keys:
        if key not in told and (found := _of_absent(key, absent.get(key))) is not None:
            told[key] = found
    for link in sorted(links, key=lambda link: link.source_key):
        if link.target_key in told or link.kind != RelationKind.REFERENCES.value:
            continue
        source = told.get(link.source_key)
        above = _ABOVE.get(source.operation.value) if source is not None else None
        if above is not None:
            told[link.target_key] = Classified(*above)
    return told


def notes(transaction: Transaction, steps: Sequence[ChainStep], followed: Collection[str]) -> tuple[Message, ...]:
    """What is worth saying of the whole; `followed`: the steps of which all that refers to them is known."""
    sold = {target for step in steps if step.operation == Operation.SALE.value for target in step.refers_to}
    alone = [
        step
        for step in steps
        if step.operation == Operation.SYMBOLIC_INBOUND_RETURN.value
        and step.access_key in followed
        and step.access_key not in sold
        and (step.row is None or step.row.state not in VOID)
    ]
    return (*_removals(transaction, alone), *_sales_without_return(steps))


def _removals(transaction: Transaction, alone: Sequence[ChainStep]) -> Iterable[Message]:
    if len(alone) > 1:
        yield message(
            "{count} symbolic returns have no sale in the archive ({numbers}): either stock was taken out"
            " physically, or the sales are not here.",
            count=len(alone),
            numbers=_numbers(alone),
        )
        return
    for step in alone:
        order = step.row.hub_order_id if step.row is not None else step.hub.order_id if step.hub is not None else None
        sale = relations.sale_of_order(transaction, order) if order else None
        if sale is not None:
            yield message(
                "No sale here refers to the symbolic return {number}; the hub lists {key} as the sale of its order.",
                number=_number(step),
                key=sale,
            )
        else:
            yield message(
                "The symbolic return {number} has no sale in the archive: either stock was taken out physically,"
                " or the sale is not here.",
                number=_number(step),
            )


def _sales_without_return(steps: Sequence[ChainStep]) -> Iterable[Message]:
    for step in steps:
        row = step.row
        if row is None or step.operation != Operation.SALE.value or row.state in VOID:
            continue
        telling = [cfop for cfop in (row.cfops or "").split(",") if is_from_warehouse(cfop)]
        if telling and not step.links and not step.refers_elsewhere:
            yield message(
                "The sale {number} leaves a warehouse (CFOP {cfop}), but refers to no symbolic return.",
                number=_number(step),
                cfop=f"{telling[0][0]}.{telling[0][1:]}",
            )


def _of_row(row: DocumentRow, *, has_reference: bool) -> Classified:
    cfops = (row.cfops or "").split(",")
    found = classify_with_evidence(
        subtype=row.hub_subtype,
        external_id=row.external_id,
        nature=row.nature,
        has_reference=has_reference,
        cfops=cfops,
        adjustment=adjustment_of(row.type, row.purpose, row.credit_type, row.debit_type),
    )
    if row.operation == found.operation.value or row.hub_account is None or row.hub_subtype in _CLASSES:
        return found
    # The first record of the hub names no class, so another account's decided.
    return classify_with_evidence(subtype=row.operation) if row.operation in _CLASSES else found


def _of_absent(key: str, hub: HubName | None) -> Classified | None:
    if hub is not None and hub.subtype:
        found = classify_with_evidence(subtype=hub.subtype)
        if found.operation is not Operation.UNKNOWN:
            return found
    parts = access_keys.parse(key)
    if parts is not None and parts.model in _FREIGHT_MODELS:
        return Classified(Operation.FREIGHT, message("its key is that of a CT-e"))
    return None


def _by_event(link: RelationEdge, rows: Mapping[str, DocumentRow]) -> bool:
    """Whether an event alone can have made this link: no note names the note that it replaces."""
    row = rows.get(link.source_key)
    return row is not None and row.type in _NOTES and link.kind == RelationKind.REPLACES.value


def _number(step: ChainStep) -> str:
    row = step.row
    if row is not None and row.number is not None:
        return f"{row.number}" if row.series is None else f"{row.series}/{row.number}"
    parts = access_keys.parse(step.access_key)
    return step.access_key if parts is None else f"{parts.series}/{parts.number}"


def _numbers(steps: Sequence[ChainStep]) -> str:
    named = ", ".join(_number(step) for step in steps[:_MOST_NAMED])
    return f"{named} …" if len(steps) > _MOST_NAMED else named


_CLASSES = {entry.value for entry in Operation} - {Operation.OTHER.value, Operation.UNKNOWN.value}
