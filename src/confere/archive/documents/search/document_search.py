"""What a list of documents is asked for, and the SQL that answers it; one place for every filter.

A list's filters and orders read `ix_document_list`, an index narrow enough to be read whole; what picks few documents
(a key, a number, an order, words) is looked up in its own index instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple

from confere.archive.authenticity import altered, verdict_codes
from confere.archive.documents import state_grounds
from confere.archive.documents.search import document_tags, lookups, party_conditions, tree_conditions
from confere.archive.documents.search.document_query import DocumentQuery as DocumentQuery
from confere.archive.documents.search.full_text import Spelling
from confere.archive.documents.search.lookups import IdSelect
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
LIST_DAY: Final = "d.issued_on"
"""The days of the list of all documents."""
Parties = Mapping[str, tuple[int, ...]]
"""The taxpayers that a name or number of a role (emitter, recipient) means."""
NOT_JUDGED = "none"
"""The word of `verdict` for documents whose authenticity was not checked yet."""

# As `fiscal.direction` has it: one's own emission follows `tpNF`, what others emit is in.
_DIRECTION = (
    "CASE WHEN d.emitter_id IN {own} THEN CASE d.direction WHEN '0' THEN 'in' ELSE 'out' END"
    " WHEN d.recipient_id IN {own} OR d.taker_id IN {own} THEN 'in'"
    " ELSE CASE d.direction WHEN '0' THEN 'in' WHEN '1' THEN 'out' END END = ?"
)

# By day and id, as the list's index is ordered: it is met along its leaves, where a look-up by id alone would read a
# row of the table for each document.
_OF_COMPANY = (
    "belonging b CROSS JOIN document d INDEXED BY ix_document_list"
    " ON d.issued_on = b.issued_on AND d.id = b.document_id"
)


class Sql(NamedTuple):
    """`FROM … WHERE …` with its parameters, and the order.

    `reads_all` where all documents are walked along for it, or all of the company; `day` is the column of their days.
    """

    source: str
    parameters: tuple[Any, ...]
    order: str
    reads_all: bool = False
    day: str = LIST_DAY


class _Where:
    """Conditions with their values, gathered in the order of the marks."""

    def __init__(self) -> None:
        self.conditions: list[str] = []
        self.values: list[Any] = []

    def add(self, condition: str, *values: Any) -> None:
        if condition == party_conditions.NEVER:  # as a value: of a constant SQLite drops all other conditions
            condition, values = "?", (0,)
        self.conditions.append(condition)
        self.values += values

    def among(self, column: str, wanted: Sequence[str]) -> None:
        if wanted:
            self.add(f"{column} IN {marks(wanted)}", *wanted)


def sql_of(
    query: DocumentQuery,
    plan: Plan = _NO_PLAN,
    *,
    company_is_long: bool = False,
    company_is_large: bool = False,
    spellings: Sequence[int] = (),
    findings_are_many: bool = False,
    items_are_many: bool = False,
    parties: Parties | None = None,
    few: IdSelect | None = None,
    among: IdSelect | None = None,
) -> Sql:
    """The SQL of a query; every value is a parameter. `UsageFault` for a number beyond 63 bits.

    `plan` is that of `query.matching`. `company_is_large` and `findings_are_many` say that reading the whole list is
    less work than looking up each document that belongs to the company, or that an open finding names; a company that
    `is_long` alone is walked along where nothing else picks documents. So does
    `items_are_many` of the documents that have the words of an item. `spellings` are the taxpayers that are a large
    company, where they are known: few numbers are compared faster than looked up; so are `parties`, those that
    `query.emitter` and `query.recipient` mean. `few` are the ids of all documents that one of the filters leaves, where
    that is known to be little. `among` are the ids of those that alone are looked at.
    """
    where = _Where()
    is_named = False
    if findings_are_many and query.with_findings is True:
        query, is_named = replace(query, with_findings=None), True
    # Documents of some hub record, finding, word or number are few: they are fetched by id, and the plus keeps SQLite
    # from walking all current ones by date instead.
    by_items = (query.item_words is not None and not items_are_many) or query.ncm is not None
    adjusting = bool(query.credit_types or query.debit_types)
    picked = (
        plan.picking is not None
        or few is not None
        or by_items
        or adjusting
        or _by_record(query)
        or query.with_findings is True
        or query.gone is True
        or bool(query.tags)
    )
    owned = (
        query.company is not None
        and among is None
        and few is None
        and not company_is_large
        and not (picked and company_is_long)
    )
    alone = partial(_filters_alone, query, plan.spelling)
    asked = tree_conditions.conditions(plan, alone, "b.document_id" if owned else "d.id")
    current = "+d.is_current = 1" if picked else "d.is_current = 1"
    day = "b.issued_on" if owned else LIST_DAY
    source = _OF_COMPANY if owned else "document d"
    if among is not None:
        source = f"({among.sql}) f CROSS JOIN document d ON d.id = f.id"
    where.add(current if not owned else "d.is_current = 1")
    if plan.reads_words:  # before all that reads more of a row
        for condition, values in asked:
            where.add(condition, *values)
    if owned:
        where.add("b.tax_id = ?", query.company)
    if query.from_day is not None:
        where.add(f"{day} >= ?", query.from_day)
    if query.to_day is not None:
        where.add(f"{day} <= ?", query.to_day)
    if few is not None:
        where.add(f"d.id IN ({few.sql})", *few.values)
    _row_conditions(query, where)
    for role, meant in (parties or {}).items():
        where.add(f"d.{role}_id IN {marks(meant)}" if meant else party_conditions.NEVER, *meant)
    if query.company is not None and not owned:  # after what is compared faster, before what is looked up
        own = marks(spellings) if spellings else "(SELECT id FROM taxpayer WHERE tax_id = ?)"
        where.add(
            f"(d.emitter_id IN {own} OR d.recipient_id IN {own} OR d.taker_id IN {own})",
            *(tuple(spellings) or (query.company,)) * 3,
        )
    if is_named:  # along a company's tree the key of each document would be read from the table
        where.add(f"+d.id IN ({open_findings.NAMED})" if owned else open_findings.NAMING)
    _other_conditions(query, where, plan.spelling, owned=owned, items_pick=not items_are_many, parties=parties)
    if not plan.reads_words:
        for condition, values in asked:
            where.add(condition, *values)
    order = order_of(query.sort, descending=query.descending, company=query.company, owned=owned)
    return Sql(
        f"FROM {source}{order.names} WHERE {' AND '.join(where.conditions)}",
        (*(() if among is None else among.values), *order.parameters, *_stored(where.values)),
        f"ORDER BY {order.by}",
        not picked,
        day,
    )


def _other_conditions(
    query: DocumentQuery,
    where: _Where,
    spelling: Spelling,
    *,
    owned: bool,
    items_pick: bool = True,
    parties: Parties | None = None,
) -> None:
    """What is not on the document's row of the list."""
    _paper_conditions(query, where)
    if query.direction is not None:
        _direction_condition(query, where, owned=owned)
    _hub_conditions(query, where)
    _party_conditions(query, where, spelling, items_pick=items_pick, parties=parties)


def _filters_alone(outer: DocumentQuery, spelling: Spelling, inner: DocumentQuery) -> Condition:
    """The plain filters of `inner`, within a tree of `outer`: they see the direction as its company does."""
    where = _Where()
    for day, sign in ((inner.from_day, ">="), (inner.to_day, "<=")):
        if day is not None:
            where.add(f"d.issued_on {sign} ?", day)
    _row_conditions(inner, where)
    _other_conditions(replace(inner, company=outer.company), where, spelling, owned=False)
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


def _row_conditions(query: DocumentQuery, where: _Where) -> None:
    # One total is found by its index; of a range most are read along the list anyway, in its order.
    total = "d.total" if query.total_from == query.total_to else "+d.total"
    for condition, value in (
        ("d.number = ?", storable_number(query.number)),
        ("d.access_key = ?", query.access_key),
        (f"{total} >= ?", storable_number(query.total_from)),
        (f"{total} <= ?", storable_number(query.total_to)),
    ):
        if value is not None:
            where.add(condition, value)
    where.among("d.type", query.types)
    where.among("d.state", query.states)
    where.among("d.operation", query.operations)
    if query.grounds:
        numbers = [state_grounds.number_of(word) for word in query.grounds]
        where.add(f"d.state_ground IN {marks(numbers)}", *numbers)
    if query.with_warnings is not None:
        where.add(f"d.warning_count IS {'NOT ' if query.with_warnings else ''}NULL")


def _paper_conditions(query: DocumentQuery, where: _Where) -> None:
    for condition, value in (
        ("d.series = ?", storable_number(query.series)),
        ("instr(',' || d.cfops || ',', ?) > 0", f",{query.cfop}," if query.cfop else None),
        ("d.environment = ?", query.environment),
    ):
        if value is not None:
            where.add(condition, value)
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


def _party_conditions(
    query: DocumentQuery, where: _Where, spelling: Spelling, *, items_pick: bool, parties: Parties | None
) -> None:
    if query.uf is not None:
        condition, values = party_conditions.in_state(query.uf)
        where.add(condition, *values)
    for role, wanted in (("emitter", query.emitter), ("recipient", query.recipient)):
        if wanted is not None and role not in (parties or ()):
            condition, values = party_conditions.of_party(role, wanted)
            where.add(condition, *values)
    if query.item_words is not None:
        condition, values = party_conditions.with_item(query.item_words, spelling, picks=items_pick)
        where.add(condition, *values)
    if query.ncm is not None:
        condition, values = party_conditions.with_ncm(query.ncm)
        where.add(condition, *values)
