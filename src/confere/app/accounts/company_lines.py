"""Lines of an account's lists that may be of one company: its own, and those that nothing tells the company of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from confere.app.archive_session import OpenArchive
from confere.archive.accounts import accounts, owning_company
from confere.archive.accounts.owning_company import OwnedGroup

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CompanyLines(Generic[T]):
    """The lines to show; `of_no_company` of them are of none that can be told, and stand in the list of each."""

    lines: tuple[T, ...]
    of_no_company: int = 0


def of_accounts(
    opened: OpenArchive, company: str | None, lines: Sequence[T], account: Callable[[T], str], key: Callable[[T], str]
) -> CompanyLines[T]:
    """As `of_company`, of lines of several accounts, each about a document; `account` and `key` name both."""
    if company is None:
        return CompanyLines(tuple(lines))
    kept: list[T] = []
    unowned = 0
    for name in dict.fromkeys(map(account, lines)):
        its_lines = [line for line in lines if account(line) == name]
        found = of_company(opened, name, company, its_lines, lambda line: OwnedGroup(keys=(key(line),)))
        kept += found.lines
        unowned += found.of_no_company
    return CompanyLines(tuple(kept), unowned)


def of_documents(
    opened: OpenArchive, company: str | None, lines: Sequence[T], key: Callable[[T], str]
) -> CompanyLines[T]:
    """As `of_company`, of lines of no account; `key` is the access key of a line's document, empty where none is told.

    Whose a line is, the establishments tell that are parties of the document, of whatever account.
    """
    if company is None or not lines:
        return CompanyLines(tuple(lines))
    with opened.reading() as transaction:
        told = owning_company.of_keys(transaction, {key(line) for line in lines})
    kept = [line for line in lines if owning_company.is_concerned(company, told[key(line)])]
    return CompanyLines(tuple(kept), sum(not told[key(line)] for line in kept))


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
