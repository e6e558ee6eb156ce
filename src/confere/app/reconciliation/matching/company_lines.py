"""Lines of an account's lists that may be of one company: its own, and those that nothing tells the company of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from confere.app.archive_session import OpenArchive
from confere.app.reconciliation.values import StockRow, SuggestionLine, TieLine
from confere.archive.accounts import accounts, owning_company
from confere.archive.accounts.owning_company import OwnedGroup
from confere.sales.findings import ExplainedDifference

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CompanyLines(Generic[T]):
    """The lines to show; `of_no_company` of them are of none that can be told, and stand in the list of each."""

    lines: tuple[T, ...]
    of_no_company: int = 0


def of_company(
    opened: OpenArchive, account: str, company: str | None, lines: Sequence[T], group: Callable[[T], OwnedGroup]
) -> CompanyLines[T]:
    """The lines of the account that are of `company` (CNPJ), or of none that can be told; all where it is None.

    `group` tells what a line is about. The rule is that of findings: `owning_company`.
    """
    if company is None or not lines:
        return CompanyLines(tuple(lines))
    with opened.reading() as transaction:
        owner = accounts.named(transaction, account)
        owned = owning_company.owned_by(transaction, company, owner.id)
        if not owned.account_ids:
            return CompanyLines(())
        if not owned.is_told:
            return CompanyLines(tuple(lines))
        told = owning_company.of_groups(transaction, owner.id, [group(line) for line in lines])
    concerned = [
        (line, companies)
        for line, companies in zip(lines, told, strict=True)
        if owning_company.is_concerned(company, companies)
    ]
    return CompanyLines(tuple(line for line, _ in concerned), sum(not companies for _, companies in concerned))


def of_tie(line: TieLine) -> OwnedGroup:
    """What tells whose a tie is."""
    return OwnedGroup(line.orders, line.keys)


def of_suggestion(line: SuggestionLine) -> OwnedGroup:
    """What tells whose a pair that nearly fits is."""
    return OwnedGroup((line.order_id,), (line.key,))


def of_explained(line: ExplainedDifference) -> OwnedGroup:
    """What tells whose a difference that R3 explains is."""
    return OwnedGroup(line.orders, line.keys)


def of_stock(line: StockRow) -> OwnedGroup:
    """What tells whose goods are: the company in their name, else who emitted the first of their documents."""
    return OwnedGroup(keys=tuple(movement.key for movement in line.line.movements[:1]), subject=line.subject)
