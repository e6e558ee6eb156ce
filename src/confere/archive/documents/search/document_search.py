"""What a list of documents is asked for, and the SQL that answers it; one place for every filter.

A list's filters and orders read `ix_document_list`, an index narrow enough to be read whole; what picks few documents
(a key, a number, an order, words) is looked up in its own index instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from confere.archive.authenticity import altered, verdict_codes
from confere.archive.documents import state_grounds
from confere.archive.documents.search import document_tags, lookups, party_conditions, tree_conditions
from confere.archive.documents.search.document_query import DocumentQuery as DocumentQuery
from confere.archive.documents.search.full_text import Spelling
from confere.archive.documents.search.party_conditions import Condition
from confere.archive.documents.search.sort_orders import OURS, order_of
from confere.archive.documents.search.sort_orders import SORTS as SORTS
from confere.archive.documents.search.tree_conditions import Plan
from confere.archive.hub import no_longer_listed
from confere.archive.message_encoding import storable
from confere.archive.reconciliation import open_findings
from confere.errors import UsageFault, message
from confere.fiscal.authenticity.verdict import ALTERED

_NO_PLAN = Plan()
NOT_JUDGED = "none"
"""The word of `verdict` for documents whose authenticity was not checked yet."""

# As `fiscal.direction` has it: one's own emission follows `tpNF`, what others emit is in.
_DIRECTION = (
    "CASE WHEN d.emitter_id IN {own} THEN CASE d.direction WHEN '0' THEN 'in' ELSE 'out' END"
    " WHEN d.recipient_id IN {own} OR d.taker_id IN {own} THEN 'in'"
    " ELSE CASE d.direction WHEN '0' THEN 'in' WHEN '1' THEN 'out' END END = ?"
)


class Sql(NamedTuple):
    """`FROM … WHERE …` with its parameters, and the order; `reads_all` where the whole list is walked for it."""

    source: str
    parameters: tuple[Any, ...]
    order: str
    reads_all: bool = False


class _Where:
    """Conditions with their values, gathered in the order of the marks."""

    def __init__(self) -> None:
        self.conditions: list[str] = []
        self.values: list[Any] = []

    def add(self, condition: str, *values: Any) -> None:
        self.conditions.append(condition)
        self.values += values

    def among(self, column: str, wanted: Sequence[str]) -> None:
        if wanted:
            self.add(f"{column} IN {marks(wanted)}", *wanted)


def sql_of(
    query: DocumentQuery,
    plan: Plan = _NO_PLAN,
    *,
    company_is_large: bool = False,
    spellings: Sequence[int] = (),
    findings_are_many: bool = False,
    items_are_many: bool = False,
    among: str = "",
) -> Sql:
    """The SQL of a query; every value is a parameter. `UsageFault` for a number beyond 63 bits.

    `plan` is that of `query.matching`. `company_is_large` and `findings_are_many` say that reading the whole list is
    less work than looking up each document that belongs to the company, or that an open finding names; so does
    `items_are_many` of the documents that have the words of an item. `spellings` are the taxpayers that are a large
    company, where they are known: few numbers are compared faster than looked up. `among` is a SELECT of the ids of
    those documents that alone are looked at, without values of its own.
    """
    where = _Where()
    if findings_are_many and query.with_findings is True:
        query = replace(query, with_findings=None)
        where.add(open_findings.NAMING)
    # Documents of some hub record, finding, word or number are few: they are fetched by id, and the plus keeps SQLite
    # from walking all current ones by date instead.
    by_items = (query.item_words is not None and not items_are_many) or query.ncm is not None
    adjusting = bool(query.credit_types or query.debit_types)
    picked = (
        plan.picking is not None
        or by_items
        or adjusting
        or _by_record(query)
        or query.with_findings is True
        or query.gone is True
        or bool(query.tags)
    )
    owned = query.company is not None and not company_is_large and not among
    reads_all = not picked and not owned
    alone = partial(_filters_alone, query, plan.spelling)
    asked = tree_conditions.conditions(plan, alone, "b.document_id" if owned else "d.id")
    current = "+d.is_current = 1" if picked else "d.is_current = 1"
    day = "b.issued_on" if owned else "d.issued_on"
    source = "belonging b CROSS JOIN document d ON d.id = b.document_id" if owned else "document d"
    if among:
        source = f"({among}) f CROSS JOIN document d ON d.id = f.id"
    if not owned:
        where.add(current)
    if plan.reads_words:  # before all that reads more of a row
        for condition, values in asked:
            where.add(condition, *values)
    if owned:
        where.add("b.tax_id = ?", query.company)
    elif query.company is not None:
        own = marks(spellings) if spellings else "(SELECT id FROM taxpayer WHERE tax_id = ?)"
        where.add(
            f"(d.emitter_id IN {own} OR d.recipient_id IN {own} OR d.taker_id IN {own})",
            *(tuple(spellings) or (query.company,)) * 3,
        )
    if query.from_day is not None:
        where.add(f"{day} >= ?", query.from_day)
    if query.to_day is not None:
        where.add(f"{day} <= ?", query.to_day)
    _filter_conditions(query, where, plan.spelling, owned=owned, items_pick=not items_are_many)
    if not plan.reads_words:
        for condition, values in asked:
            where.add(condition, *values)
    order = order_of(query.sort, descending=query.descending, company=query.company, owned=owned)
    return Sql(
        f"FROM {source}{order.names} WHERE {' AND '.join(where.conditions)}",
        (*order.parameters, *_stored(where.values)),
        f"ORDER BY {order.by}",
        reads_all,
    )


def _filter_conditions(
    query: DocumentQuery, where: _Where, spelling: Spelling, *, owned: bool, items_pick: bool = True
) -> None:
    _paper_conditions(query, where)
    if query.direction is not None:
        _direction_condition(query, where, owned=owned)
    _hub_conditions(query, where)
    _party_conditions(query, where, spelling, items_pick=items_pick)


def _filters_alone(outer: DocumentQuery, spelling: Spelling, inner: DocumentQuery) -> Condition:
    """The plain filters of `inner`, within a tree of `outer`: they see the direction as its company does."""
    where = _Where()
    for day, sign in ((inner.from_day, ">="), (inner.to_day, "<=")):
        if day is not None:
            where.add(f"d.issued_on {sign} ?", day)
    _filter_conditions(replace(inner, company=outer.company), where, spelling, owned=False)
    return f"({' AND '.join(where.conditions) or '1'})", tuple(where.values)


def storable_number(value: int | None) -> int | None:
    """`value`, where SQLite can hold it; `UsageFault` otherwise."""
    if value is not None and not -(2**63) <= value < 2**63:
        raise UsageFault(
            message("{value} is larger than any number in the archive can be.", value=value),
            message("Give a smaller number."),
        )
    return value


def marks(values: Sequence[object]) -> str:
    """The list after `IN` for these values."""
    return f"({','.join('?' * len(values))})"


def _stored(values: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(storable(value) if isinstance(value, str) else value for value in values)


def _paper_conditions(query: DocumentQuery, where: _Where) -> None:
    # One total is found by its index; of a range most are read along the list anyway, in its order.
    total = "d.total" if query.total_from == query.total_to else "+d.total"
    for condition, value in (
        ("d.number = ?", storable_number(query.number)),
        ("d.series = ?", storable_number(query.series)),
        ("d.access_key = ?", query.access_key),
        ("instr(',' || d.cfops || ',', ?) > 0", f",{query.cfop}," if query.cfop else None),
        (f"{total} >= ?", storable_number(query.total_from)),
        (f"{total} <= ?", storable_number(query.total_to)),
        ("d.environment = ?", query.environment),
    ):
        if value is not None:
            where.add(condition, value)
    where.among("d.type", query.types)
    where.among("d.state", query.states)
    where.among("d.operation", query.operations)
    if query.grounds:
        numbers = [state_grounds.number_of(word) for word in query.grounds]
        where.add(f"d.state_ground IN {marks(numbers)}", *numbers)
    if query.purposes:
        where.add("d.type IN ('nfe', 'nfce')")  # tpCTe stands in the same column
        where.among("d.purpose", query.purposes)
    where.among("d.credit_type", query.credit_types)
    where.among("d.debit_type", query.debit_types)
    if query.verdict:
        judged = [verdict_codes.number_of(word) for word in query.verdict if word not in (NOT_JUDGED, ALTERED)]
        found = [f"d.verdict IN {marks(judged)}"] if judged else []
        found += ["d.verdict IS NULL"] if NOT_JUDGED in query.verdict else []
        found += [f"d.id IN ({altered.DOCUMENTS})"] if ALTERED in query.verdict else []
        where.add(f"({' OR '.join(found)})", *judged)
    if query.with_warnings is not None:
        where.add(f"d.warning_count IS {'NOT ' if query.with_warnings else ''}NULL")
    if query.with_findings is not None:
        where.add(f"{'d.id IN' if query.with_findings else '+d.id NOT IN'} ({open_findings.NAMED})")
    if query.tags:
        tagged, names = document_tags.with_tags(query.tags)
        where.add(f"d.id IN ({tagged})", *names)
    if query.gone is not None:
        where.add(f"{'d.id IN' if query.gone else '+d.id NOT IN'} ({no_longer_listed.DOCUMENTS})")


def _direction_condition(query: DocumentQuery, where: _Where, *, owned: bool) -> None:
    if owned:
        where.add("b.direction = ?", query.direction)
    elif query.company is not None:
        where.add(_DIRECTION.format(own="(SELECT id FROM taxpayer WHERE tax_id = ?)"), *(query.company,) * 3)
        where.values.append(query.direction)
    else:
        where.add(_DIRECTION.format(own=OURS), query.direction)


def _by_record(query: DocumentQuery) -> bool:
    """Whether the hub's records pick the documents; a marketplace alone stands on the document itself."""
    return query.order_id is not None or query.account is not None


def _hub_conditions(query: DocumentQuery, where: _Where) -> None:
    said = _Where()
    said.among("{}marketplace", query.marketplaces)
    if query.subtype is not None:
        said.add("{}subtype = ?", query.subtype)
    if _by_record(query):
        if query.order_id is not None:
            said.add("{}order_id = ?", query.order_id)
        if query.account is not None:
            said.add("{}account_id IN (SELECT id FROM account WHERE name = ?)", query.account)
        else:
            said.add(lookups.ANY_ACCOUNT)
        among = [condition.format("h.") for condition in said.conditions]
        ids, values = lookups.listed(among, few=query.order_id is not None), [*said.values, *said.values]
        if query.order_id is not None and not query.marketplaces and query.subtype is None:
            of_links = lookups.linked(query.order_id, query.account)  # what a record says of others no link does
            ids, values = f"{ids} UNION {of_links.sql}", [*values, *of_links.values]
        where.add(f"d.id IN ({ids})", *values)
    elif said.conditions:
        # The document carries the first record's words; where others say otherwise, they are asked too.
        here = " AND ".join(condition.format("d.hub_") for condition in said.conditions)
        there = " AND ".join(condition.format("h.") for condition in said.conditions)
        where.add(
            f"({here} OR d.hub_disagrees = 1 AND (EXISTS (SELECT 1 FROM document x JOIN hub_document h"
            f" ON h.access_key = x.access_key WHERE x.id = d.id AND {there})"
            " OR EXISTS (SELECT 1 FROM document x JOIN download w ON w.content_id = x.content_id"
            " JOIN hub_document h ON h.id = w.hub_document_id"
            f" WHERE x.id = d.id AND x.access_key IS NULL AND {there})))",
            *said.values * 3,
        )


def _party_conditions(query: DocumentQuery, where: _Where, spelling: Spelling, *, items_pick: bool) -> None:
    if query.uf is not None:
        condition, values = party_conditions.in_state(query.uf)
        where.add(condition, *values)
    for role, wanted in (("emitter", query.emitter), ("recipient", query.recipient)):
        if wanted is not None:
            condition, values = party_conditions.of_party(role, wanted)
            where.add(condition, *values)
    if query.item_words is not None:
        condition, values = party_conditions.with_item(query.item_words, spelling, picks=items_pick)
        where.add(condition, *values)
    if query.ncm is not None:
        condition, values = party_conditions.with_ncm(query.ncm)
        where.add(condition, *values)
