"""What the page Reconcile asks when it is come to: accounts, runs, groups of findings, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile

from confere.app.accounts import accounts
from confere.app.archive_session import OpenArchive
from confere.app.labels.labels import tax_id_word
from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.queries import FindingGroup, FindingQuery, FindingState, ReconciliationScope, RunLine
from confere.app.reconciliation.review import signoffs
from confere.app.reconciliation.review.signoffs import MonthSignOff
from confere.desktop.core.window_memory import Memory
from confere.desktop.reconcile.group_list import GroupLine, What, entries_of

NEWEST_RUNS = 30
EVERY_ACCOUNT = ""
"""In place of an account's name: all that are in use, and their findings in one list."""
_ACCOUNT = "reconcile/account"


@dataclass(frozen=True, slots=True)
class PageState:
    """`account` is the one in use, `EVERY_ACCOUNT` for all, None where there is none; `ties` counts what is ambiguous.

    `owners` say by account, where all are in use, whose documents it has. `suggestions` counts the pairs that nearly
    fit, `explained` the differences that R3 explains itself, which come to `explained_amount` centavos. `decided` of
    the `total` findings of the month were settled. `reasons` are the recent explanations, `signoff` the newest
    signature under the month of the company in use.
    """

    scopes: tuple[ReconciliationScope, ...] = ()
    account: str | None = None
    runs: tuple[RunLine, ...] = ()
    groups: tuple[FindingGroup, ...] = ()
    ties: int = 0
    suggestions: int = 0
    explained: int = 0
    explained_amount: int = 0
    has_orders: bool = False
    owners: Mapping[str, str] = field(default_factory=dict)
    decided: int = 0
    total: int = 0
    reasons: tuple[str, ...] = ()
    signoff: MonthSignOff | None = None

    @property
    def entries(self) -> tuple[GroupLine, ...]:
        """The list at the left: of all accounts their findings alone, for orders and tables are each account's own."""
        every = entries_of(
            self.groups,
            self.ties,
            self.suggestions,
            self.explained,
            self.explained_amount,
            decided=self.decided,
            total=self.total,
        )
        if self.account != EVERY_ACCOUNT:
            return every
        return tuple(takewhile(lambda line: line.what is not What.EXPLAINED, every))

    @property
    def has_run(self) -> bool:
        return any(scope.has_run for scope in self.scopes if self.account in (EVERY_ACCOUNT, scope.account))


class ChosenAccount:
    """The account that a person chose, kept from one start to the next, until every company is chosen again."""

    def __init__(self, memory: Memory, company: str | None) -> None:
        self._memory, self._company = memory, company

    @property
    def name(self) -> str:
        return self._memory.text(_ACCOUNT, EVERY_ACCOUNT)

    def put(self, name: str) -> None:
        self._memory.put(_ACCOUNT, name)

    def follow(self, company: str | None) -> None:
        """This company is in use now, None for every one."""
        if company is None and self._company is not None:
            self.put(EVERY_ACCOUNT)
        self._company = company


def gather(opened: OpenArchive, company: str | None, wanted: str, query: FindingQuery) -> PageState:
    """How things stand for the account `wanted`, else for all, or the first one that the company belongs to.

    `query` narrows the groups; its account and rules count for nothing.
    """
    if not opened.exists:
        return PageState()
    scopes = _of_company(opened, company, queries.accounts_and_periods(opened))
    names = [scope.account for scope in scopes]
    if not names:
        return PageState()
    account = wanted if wanted in names else EVERY_ACCOUNT if company is None and len(names) > 1 else names[0]
    period, shown = query.wanted.period, frozenset(map(FindingState, query.wanted.states))
    found = queries.groups(opened, replace(query, account=account, wanted=replace(query.wanted, rules=(), states=())))
    if account == EVERY_ACCOUNT:
        shown_groups = tuple(group for group in found if _occurs(group, shown))
        return PageState(
            scopes,
            account,
            groups=shown_groups,
            owners=_owners(opened),
            decided=sum(group.explained + group.ignored for group in found),
            total=sum(group.open + group.not_checked + group.explained + group.ignored for group in found),
        )
    explained = queries.explained(opened, account, period)
    signed = () if company is None or period is None else signoffs.history(opened, company, period)
    return PageState(
        scopes=scopes,
        account=account,
        runs=queries.runs(opened, account, NEWEST_RUNS),
        groups=tuple(group for group in found if _occurs(group, shown)),
        ties=len(queries.ties(opened, account, period)),
        suggestions=len(queries.suggestions(opened, account, period)),
        explained=len(explained),
        explained_amount=sum(line.amount for line in explained),
        has_orders=bool(queries.orders(opened, account, limit=1)),
        decided=sum(group.explained + group.ignored for group in found),
        total=sum(group.open + group.not_checked + group.explained + group.ignored for group in found),
        reasons=decisions.recent_explanations(opened, account),
        signoff=next(iter(signed), None),
    )


def _owners(opened: OpenArchive) -> dict[str, str]:
    return {
        account.name: ", ".join(entry.name or tax_id_word(entry.tax_id) for entry in account.establishments)
        or account.name
        for account in accounts.every(opened.workspace)
    }


def _of_company(
    opened: OpenArchive, company: str | None, scopes: tuple[ReconciliationScope, ...]
) -> tuple[ReconciliationScope, ...]:
    """The accounts of a company; where it belongs to none, all of them."""
    if company is None:
        return scopes
    owners = {
        account.name
        for account in accounts.every(opened.workspace)
        if any(entry.tax_id == company for entry in account.establishments)
    }
    return tuple(scope for scope in scopes if scope.account in owners) or scopes


def _occurs(group: FindingGroup, shown: frozenset[FindingState]) -> bool:
    """Whether the group has a finding in one of the states to be seen; no state means all."""
    counts = {
        FindingState.OPEN: group.open,
        FindingState.NOT_CHECKED: group.not_checked,
        FindingState.EXPLAINED: group.explained,
        FindingState.IGNORED: group.ignored,
        FindingState.RESOLVED: group.resolved,
    }
    return any(number for state, number in counts.items() if not shown or state in shown)
