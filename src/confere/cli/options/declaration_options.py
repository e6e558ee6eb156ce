"""The options by which an import is declared complete, and what commands say of declarations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli.options import typed_values
from confere.cli.output import Output
from confere.errors import UsageFault, message
from confere.sales.declarations import CompleteFor, Declared
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.errors import Message
    from confere.sales.declarations import Declaration

Complete = Annotated[
    list[str] | None,
    typer.Option(
        "--complete",
        metavar="YYYY-MM",
        help=t("Declare that all of this month is in it: what is missing then is missing. May be repeated."),
    ),
]
_MONTH = 7


def claim(months: Sequence[str] | None, marketplaces: Sequence[str] | None = None) -> CompleteFor | None:
    """What is declared complete; None where nothing is."""
    if not months:
        if marketplaces:
            raise UsageFault(
                message("{option} goes with {other}.", option="--marketplace", other="--complete"),
                message("Say which month the file holds whole."),
            )
        return None
    return CompleteFor(tuple(typed_values.month(month) for month in months), tuple(marketplaces or ()))


def report(out: Output, found: Iterable[Declaration], why_not: Message | None) -> None:
    """The same for people."""
    for entry in found:
        out.aside(told(entry))
    if why_not is not None:
        out.aside(render(why_not))


def told(found: Declaration) -> str:
    """What was declared, as one sentence."""
    facts = {"number": found.id, "month": found.month, "file": plain(found.file)}
    if found.what is Declared.DOCUMENTS:
        return t("Declared complete ({number}): all documents of {month} are in {file}.", **facts)
    if found.marketplaces:
        return t(
            "Declared complete ({number}): all orders of {month} of {marketplaces} are in {file}.",
            **facts,
            marketplaces=", ".join(map(plain, found.marketplaces)),
        )
    return t("Declared complete ({number}): all orders of {month} are in {file}.", **facts)
