"""What the page Reconcile asks when it is come to: accounts, runs, groups of findings, as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile

from confere.app.accounts import accounts
from confere.app.accounts.company_lines import of_company
from confere.app.accounts.freshness import may_hold
from confere.app.archive_session import OpenArchive
from confere.app.labels.labels import tax_id_word
from confere.app.reconciliation import decisions, queries
from confere.app.reconciliation.matching import line_groups
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

    `owners` say by CNPJ and by account what companies are called, where findings of several are listed. `suggestions`
    counts the pairs that nearly fit, `explained` the differences that R3 explains itself, which come to
    `explained_amount` centavos. `decided` of the `total` findings of the month were settled. `reasons` are the recent
    explanations, `signoff` the newest signature under the month of the company in use. `is_of_files_alone`: no account
    may hold what is of that company. `is_shared`: a company is in use and the account has others too, so that its runs
    are of more than the company.
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
    is_of_files_alone: bool = False
    is_shared: bool = False

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
    """How things stand for the account `wanted` where the company may be of it, else for all of these.

    `query` narrows the groups; its account and rules count for nothing.
    """
    if not opened.exists:
        return PageState()
    scopes = _of_company(opened, company, queries.accounts_and_periods(opened))
    names = [scope.account for scope in scopes]
    if not names:
        return PageState(is_of_files_alone=company is not None)
    account = wanted if wanted in names else EVERY_ACCOUNT if len(names) > 1 else names[0]
    period, shown = query.wanted.period, frozenset(map(FindingState, query.wanted.states))
    found = queries.groups(opened, replace(query, account=account, wanted=replace(query.wanted, rules=(), states=())))
    signed = () if company is None or period is None else signoffs.history(opened, company, period)
    of_all = PageState(
        scopes,
        account,
        groups=tuple(group for group in found if _occurs(group, shown)),
        decided=sum(group.decided for group in found),
        total=sum(group.decided + group.undecided for group in found),
        signoff=next(iter(signed), None),
    )
    if company is None:
        of_all = replace(of_all, owners=_owners(opened, account))
    if account == EVERY_ACCOUNT:
        return of_all
    every = queries.explained(opened, account, period)
    explained = of_company(opened, account, company, every, line_groups.of_explained).lines
    ties, pairs = queries.ties(opened, account, period), queries.suggestions(opened, account, period)
    return replace(
        of_all,
        runs=queries.runs(opened, account, NEWEST_RUNS),
        ties=len(of_company(opened, account, company, ties, line_groups.of_tie).lines),
        suggestions=len(of_company(opened, account, company, pairs, line_groups.of_suggestion).lines),
        explained=len(explained),
        explained_amount=sum(line.amount for line in explained),
        is_shared=company is not None and _is_shared(opened, account),
        has_orders=bool(queries.orders(opened, account, limit=1)),
        reasons=decisions.recent_explanations(opened, account),
    )


def _owners(opened: OpenArchive, account: str) -> dict[str, str]:
    """What companies are called, by CNPJ and by account; empty where all is of one."""
    chosen = [entry for entry in accounts.every(opened.workspace) if account in (EVERY_ACCOUNT, entry.name)]
    names = {one.tax_id: one.name or tax_id_word(one.tax_id) for entry in chosen for one in entry.establishments}
    if len(names) == 1 and account != EVERY_ACCOUNT:
        return {}
    of_account = {entry.name: ", ".join(names[one.tax_id] for one in entry.establishments) for entry in chosen}
    return names | {name: text or name for name, text in of_account.items()}


def _is_shared(opened: OpenArchive, account: str) -> bool:
    """Whether the account may hold what is of more companies than one."""
    return any(entry.name == account and len(entry.establishments) != 1 for entry in accounts.every(opened.workspace))


def _of_company(
    opened: OpenArchive, company: str | None, scopes: tuple[ReconciliationScope, ...]
) -> tuple[ReconciliationScope, ...]:
    """The accounts that may hold what is of a company."""
    holding = {account.name for account in accounts.every(opened.workspace) if may_hold(account, company)}
    return tuple(scope for scope in scopes if scope.account in holding)


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
