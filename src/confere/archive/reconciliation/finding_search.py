"""Lists of findings: what they are asked for, and the SQL that answers it."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import ColumnElement, case, cast, false, func, literal_column, or_, select, true
from sqlalchemy import Integer as WholeNumber

from confere.archive.accounts import owning_company
from confere.archive.documents.search import party_conditions
from confere.archive.list_selection import VALUES, Conditions, ListSelection, among, halves, unindexed, whole
from confere.archive.message_encoding import storable
from confere.archive.named_rows import NamedRow
from confere.archive.orders.orders import NUMBERS, ORDER
from confere.archive.reconciliation import reviews
from confere.archive.reconciliation.findings import FINDING, ROWS, StoredFinding, read
from confere.archive.reconciliation.search import finding_words
from confere.archive.reconciliation.search.finding_words import Searched
from confere.archive.schema.schema import account, finding_key, finding_order
from confere.archive.transaction import Ids, Transaction
from confere.fiscal import access_keys
from confere.fiscal.periods import MonthSpan
from confere.system.messages import language
from confere.system.plain_text import folded_words

_SEPARATORS: Final = re.compile(r"[.\-/\s]")
_IN_GROUPS: Final = re.compile(r"\d{4}(?:\s\d{4})+(?:\s\d{1,3})?", re.ASCII)
_DAY: Final = re.compile(r"\d{1,2}/\d{1,2}/\d{4}|\d{4}-\d{2}(?:-\d{2})?|\d{1,2}/\d{4}", re.ASCII)
_NUMBERED: Final = re.compile(r"(\d{1,3})/(\d[\d.]{0,10})", re.ASCII)
_MONEY_SIGN: Final = "R$"
_QUOTES: Final = "\"'“”,;()"
_PART_OF_KEY: Final = 8  # digits at least that begin or end one
_AFTER_ALL: Final = "\U0010ffff"
_KEY, _NUMBER, _SERIES = 44, 9, 3  # digits of an access key, and at most of a document's number and series
_HEAD: Final = 400  # of the first findings, in which those of a company are looked for
_IN_USE: Final = select(account.c.id).where(account.c.removed_at.is_(None))
_OF_NO_COMPANY: Final = literal_column(owning_company.OF_FINDING).is_(None)
_STANDS: Final = case(
    {state: literal_column(place) for state, place in (("open", "0"), ("not_checked", "1"), ("resolved", "3"))},
    value=FINDING.c.state,
    else_=literal_column("2"),
)
_ORDER: Final = (
    cast(func.substr(FINDING.c.rule, 2), WholeNumber),
    FINDING.c.rule,
    _STANDS,
    FINDING.c.amount.is_(None),
    FINDING.c.amount.desc(),
    FINDING.c.period,
    FINDING.c.id,
)
TALLIED: Final = (FINDING.c.rule, FINDING.c.severity, FINDING.c.state)
"""What findings are counted by."""
TALLY: Final = (*TALLIED, func.count().label("findings"), *halves(FINDING.c.amount))
"""The columns that `tally` is made of."""


@dataclass(frozen=True, slots=True)
class FindingFilter:
    """Which findings of an account, or of all in use; empty leaves everything in. All words of `text` are looked for
    in what people read of a finding, as `finding_words` has it; `titles` are what rules are called, by rule.

    A word of digits names one thing whole: an order, by the hub's number or the marketplace's, or a document, by
    its number, its key or how that begins or ends; or what else the finding is about, such as an item by its code.

    `run`: what that run wrote: found first, closed, opened again, or moved. `first_run`: what it found first;
    `first_runs`: what any of these did. `assignee`: what this person is to settle, whatever the case and accents;
    `due_before`: what is due before that day. `company`: what is of this one (CNPJ), or of none that can be told;
    `of_no_company`: the latter alone.
    """

    period: str | None = None
    rules: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()
    text: str = ""
    run: int | None = None
    first_run: int | None = None
    first_runs: tuple[int, ...] | None = None
    assignee: str | None = None
    due_before: str | None = None
    company: str | None = None
    of_no_company: bool = False
    titles: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class FindingTally:
    """How many findings of one rule, severity and state there are, and what is at stake in them."""

    rule: str
    severity: str
    state: str
    count: int
    amount: int

    def plus(self, other: FindingTally) -> FindingTally:
        """Both together, of the same rule, severity and state."""
        return replace(self, count=self.count + other.count, amount=self.amount + other.amount)


def page(
    transaction: Transaction, account_id: int | None, wanted: FindingFilter, limit: int = -1, offset: int = 0
) -> tuple[StoredFinding, ...]:
    """By rule, what is open first, the greatest amount first. `limit` -1 for all; no account: of all in use."""
    if wanted.company is not None and limit >= 0 and not wanted.text:  # words leave few, and are dear themselves
        first = _first_of_head(transaction, account_id, wanted, limit + offset)
        if len(first) == limit + offset:
            by_id = transaction.named_in(ROWS.where(FINDING.c.id.in_(VALUES)), first[offset:])
            known = {row.id: read(row) for row in by_id}
            return tuple(known[number] for number in first[offset:])
    selection = _selection(transaction, account_id, wanted)
    # Chosen by what the index holds; evidence is read of the page alone.
    chosen = selection.page(FINDING.c.id, limit=limit, offset=offset)
    rows = transaction.named(ROWS.where(FINDING.c.id.in_(chosen)).order_by(*_ORDER))
    return tuple(map(read, rows))


def of_order(transaction: Transaction, account_id: int, order_id: str) -> tuple[StoredFinding, ...]:
    """The findings of the account about the order with this id at the hub, in the order of `page`."""
    numbers = select(finding_order.c.finding_id).where(
        finding_order.c.account_id == account_id, finding_order.c.order_hub_id == storable(order_id)
    )
    return tuple(map(read, transaction.named(ROWS.where(FINDING.c.id.in_(numbers)).order_by(*_ORDER))))


def ids(transaction: Transaction, account_id: int | None, wanted: FindingFilter) -> Ids:
    """Their numbers in the order of `page`, eight bytes each."""
    return transaction.integers(_selection(transaction, account_id, wanted).ordered(FINDING.c.id))


def count(transaction: Transaction, account_id: int | None, wanted: FindingFilter) -> int:
    """How many there are."""
    return int(transaction.scalar(_selection(transaction, account_id, wanted).count()))


def months(transaction: Transaction, account_id: int | None, wanted: FindingFilter) -> MonthSpan:
    """The months that they are of."""
    month = func.nullif(FINDING.c.period, "")
    found = transaction.first(
        _selection(transaction, account_id, wanted).select(func.count(), func.min(month), func.max(month))
    )
    return MonthSpan(*(found or ()))


def tallies(transaction: Transaction, account_id: int | None, wanted: FindingFilter) -> tuple[FindingTally, ...]:
    """How many there are of each rule, severity and state."""
    rows = transaction.named(
        _selection(transaction, account_id, wanted).select(*TALLY).group_by(*TALLIED).order_by(*TALLIED)
    )
    return tuple(map(tally, rows))


def tally(row: NamedRow) -> FindingTally:
    """A row of `TALLY`."""
    return FindingTally(row.rule, row.severity, row.state, row.findings, whole(row.high, row.low))


def side_totals(
    transaction: Transaction, account_id: int, orders: Collection[str], keys: Collection[str]
) -> tuple[dict[str, int | None], dict[str, int | None]]:
    """The totals of these orders of the account and of these documents as they stand, in centavos."""
    of_order = transaction.fetch_in(
        f"SELECT hub_id, total FROM sales_order WHERE account_id = {int(account_id)} AND hub_id IN {{}}",
        {storable(name) for name in orders},
    )
    of_key = transaction.fetch_in(
        "SELECT access_key, total FROM document WHERE is_current = 1 AND access_key IN {}",
        {storable(key) for key in keys},
    )
    return dict(of_order), dict(of_key)


def periods(transaction: Transaction, account_id: int) -> tuple[str, ...]:
    """The months that have findings, newest first."""
    rows = transaction.column(
        "SELECT DISTINCT period FROM finding WHERE account_id = ? AND period != '' ORDER BY 1 DESC", (account_id,)
    )
    return tuple(rows)


def changed_periods(transaction: Transaction, account_id: int, run_id: int) -> tuple[str, ...]:
    """The months in which that run found something first, closed, opened or moved a finding; newest first."""
    rows = transaction.column(
        "SELECT DISTINCT period FROM finding WHERE account_id = ? AND period != ''"
        " AND ? IN (first_run_id, resolved_run_id, last_run_id) ORDER BY 1 DESC",
        (account_id, run_id),
    )
    return tuple(rows)


def _selection(transaction: Transaction, account_id: int | None, wanted: FindingFilter) -> ListSelection:
    conditions: list[ColumnElement[bool]] = [
        FINDING.c.account_id.in_(_IN_USE) if account_id is None else FINDING.c.account_id == account_id
    ]
    if wanted.period is not None:
        conditions.append(FINDING.c.period == storable(wanted.period))
    for name, values in (("rule", wanted.rules), ("state", wanted.states), ("severity", wanted.severities)):
        if values:
            conditions.append(among(FINDING.c[name], values))
    if wanted.run is not None:
        runs = ("first_run_id", "resolved_run_id", "last_run_id")
        conditions.append(or_(*(FINDING.c[name] == wanted.run for name in runs)))
    if wanted.first_run is not None:
        conditions.append(FINDING.c.first_run_id == wanted.first_run)
    if wanted.first_runs is not None:
        conditions.append(FINDING.c.first_run_id.in_(wanted.first_runs))
    if wanted.assignee is not None:
        conditions.append(FINDING.c.assignee.in_(_spellings(transaction, wanted.assignee)))
    if wanted.due_before is not None:
        conditions.append(FINDING.c.due_on < storable(wanted.due_before))
    if _words(storable(wanted.text)):
        numbers = _of_text(transaction, account_id, wanted, tuple(conditions))
        conditions.append(finding_words.listed(numbers))
    if wanted.company is not None:
        owned = owning_company.owned_by(transaction, wanted.company, account_id)
        conditions.append(owned.condition(owning_company.OF_FINDING, FINDING.c.account_id))
    if wanted.of_no_company:
        conditions.append(_OF_NO_COMPANY)
    return ListSelection(FINDING, tuple(conditions), _ORDER)


def _first_of_head(transaction: Transaction, account_id: int | None, wanted: FindingFilter, limit: int) -> list[int]:
    """The first findings, where they are among the first of every company: whose each is takes most of the time.

    Fewer where they are not, and none where an account tells whose they are.
    """
    owned = owning_company.owned_by(transaction, wanted.company or "", account_id)
    if not owned.is_told:
        return []
    of_all = _selection(transaction, account_id, replace(wanted, company=None))
    head = of_all.page(FINDING.c.id, limit=_HEAD, offset=0)
    is_theirs = owned.condition(owning_company.OF_FINDING, unindexed(FINDING.c.account_id))
    first = select(FINDING.c.id).select_from(FINDING).where(FINDING.c.id.in_(head), is_theirs).order_by(*_ORDER)
    return transaction.column(first.limit(limit))


def _of_text(
    transaction: Transaction, account_id: int | None, wanted: FindingFilter, others: Conditions
) -> Collection[int]:
    """The numbers of the findings that a text asks for, though some may not meet `others`, all else that is asked for
    and cheaply told.

    A list, its length and its tallies ask for the same text: it is looked for once, and where rules or states narrow
    what was looked through whole, not again.
    """
    scope = replace(wanted, company=None)
    whole = replace(scope, rules=(), states=())
    for one in (whole, scope):
        kept: Collection[int] | None = transaction.kept(_question(account_id, one))
        if kept is not None:
            return kept
    among = Searched(others, (account_id, replace(scope, text="", titles=())))
    numbers = Ids("q", sorted(_look_through(transaction, account_id, wanted, among)))
    transaction.keep(_question(account_id, scope), numbers)
    return numbers


def _question(account_id: int | None, wanted: FindingFilter) -> Hashable:
    return "findings of a text", account_id, wanted, language()


def _look_through(
    transaction: Transaction, account_id: int | None, wanted: FindingFilter, among: Searched
) -> Collection[int]:
    """The numbers of the findings `among` that a text asks for: first by what digits name, of these by the words."""
    named: list[ColumnElement[bool]] = []
    words: list[str] = []
    for word in _words(storable(wanted.text)):
        plain = _SEPARATORS.sub("", word)
        numbered = _NUMBERED.fullmatch(word)
        if _DAY.fullmatch(word) is not None or not (plain.isascii() and plain.isdigit()):
            words.append(word)
        elif numbered is not None:
            named.append(_of_document(int(numbered[2].replace(".", "")), int(numbered[1])))
        else:
            one = _named(account_id, {word, plain}, plain)
            if party_conditions.is_tax_id(plain):
                one = or_(one, finding_words.listed(finding_words.of_tax_id(transaction, plain)))
            named.append(one)
    if named:
        among = among.within(transaction.column(select(FINDING.c.id).where(*among.conditions, *named)))
    if words:
        return finding_words.of_all(transaction, words, dict(wanted.titles), among)
    return among.numbers or ()


def _words(text: str) -> list[str]:
    """The words of a text; a key in groups of four is one."""
    plain = _SEPARATORS.sub("", text)
    if plain and (_IN_GROUPS.fullmatch(text.strip()) or (len(plain) == _KEY and plain.isdigit())):
        return [text.strip()]
    bare = (word.strip(_QUOTES) for word in text.split())
    return [word for word in bare if word and word.upper() != _MONEY_SIGN]


def _of_document(number: int, series: int | None) -> ColumnElement[bool]:
    """A document of this number, and of this series, is named by its key."""
    key = finding_key.c.access_key
    told = [func.length(key) == _KEY, func.substr(key, 26, 9) == str(number).zfill(_NUMBER)]
    if series is not None:
        told.append(func.substr(key, 23, 3) == str(series).zfill(_SERIES))
    return FINDING.c.id.in_(select(finding_key.c.finding_id).where(*told))


def _spellings(transaction: Transaction, assignee: str) -> list[str]:
    """The assignees that are this person. SQLite knows upper and lower case of ASCII alone."""
    wanted = folded_words(assignee)
    return [name for name in reviews.assignees(transaction) if folded_words(name) == wanted]


def _named(account_id: int | None, forms: Collection[str], digits: str) -> ColumnElement[bool]:
    """What names this order, document or subject whole: within others the digits stand by chance."""
    named = finding_order.alias("x")
    by_order: list[tuple[Any, ColumnElement[str]]] = [(named, named.c.order_hub_id)]
    of_order = ORDER.join(named, (named.c.account_id == ORDER.c.account_id) & (named.c.order_hub_id == ORDER.c.hub_id))
    by_order += [(of_order, ORDER.c[name]) for name in NUMBERS]
    conditions: list[ColumnElement[bool]] = [
        FINDING.c.id.in_(
            select(named.c.finding_id)
            .select_from(source)
            .where(true() if account_id is None else of.c.account_id == account_id, column == form)
        )
        for form in sorted(forms)
        for source, column in by_order
        for of in [named if source is named else ORDER]
    ]
    number = digits.lstrip("0")
    of_key = select(finding_key.c.finding_id)
    key = finding_key.c.access_key
    if len(digits) == _KEY:
        conditions.append(FINDING.c.id.in_(of_key.where(key == digits)))
    elif 0 < len(number) <= _NUMBER:
        conditions.append(_of_document(int(number), None))
    if _PART_OF_KEY <= len(digits) < _KEY:
        ends = func.substr(key, -len(digits)) == digits
        begins = key.between(digits, digits + _AFTER_ALL) if access_keys.may_begin(digits) else false()
        conditions.append(FINDING.c.id.in_(of_key.where(or_(begins, ends))))
    if len(digits) > _SERIES:
        about = "/" + func.replace(FINDING.c.subject, ",", "/") + "/"
        conditions += [func.instr(about, f"/{form}/") > 0 for form in sorted(forms)]
    return or_(*conditions)
