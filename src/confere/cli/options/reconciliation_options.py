"""Options that the commands of reconciliation share, and the archive they read, of one account."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli.context import Face
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.archive_session import OpenArchive

Account = Annotated[
    str | None,
    typer.Option("--account", metavar="NAME", help=t("The account; not needed where there is only one.")),
]
Company = Annotated[
    str | None,
    typer.Option("--company", metavar="CNPJ", help=t("Only what is of this company, or of none that can be told.")),
]
Period = Annotated[
    str | None, typer.Option("--period", metavar="YYYY-MM", help=t("Only this month (default: every month)."))
]
Summary = Annotated[
    bool,
    typer.Option("--summary", metavar="", help=t("Leave the long lists out of the JSON: the figures alone.")),
]
Note = Annotated[str | None, typer.Option("--note", metavar="TEXT", help=t("A note that stays with it."))]


@contextmanager
def archive_of(face: Face) -> Iterator[OpenArchive]:
    """The archive, to read for a moment."""
    from confere.app.archive_session import OpenArchive

    opened = OpenArchive(face.workspace)
    try:
        yield opened
    finally:
        opened.close()


@contextmanager
def opened(face: Face, account: str | None) -> Iterator[tuple[OpenArchive, str]]:
    """The archive with the account that was named, or the only one."""
    from confere.app.reconciliation import queries

    with archive_of(face) as archive:
        yield archive, queries.account_named(archive, account)


@contextmanager
def opened_of(face: Face, account: str | None, company: str | None) -> Iterator[tuple[OpenArchive, str]]:
    """As `opened`, of a list that only an account has: without a name the only one that may hold the company."""
    from confere.app.reconciliation import queries

    with archive_of(face) as archive:
        yield archive, queries.account_named(archive, account, company)


@contextmanager
def opened_for(face: Face, account: str | None, company: str | None) -> Iterator[tuple[OpenArchive, str]]:
    """As `opened`; of a company without an account's name the account is empty, which is all of them."""
    if account is not None or company is None:
        with opened(face, account) as chosen:
            yield chosen
        return
    with archive_of(face) as archive:
        yield archive, ""
