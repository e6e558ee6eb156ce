"""`confere ledger`: write the month's ledger of a company."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json.encoder import fields_of
from confere.cli.options import options, typed_values
from confere.system.messages import t


def ledger(
    face: Face,
    period: Annotated[str, typer.Option("--period", "--month", metavar="YYYY-MM", help=t("The month."))],
    company: Annotated[
        str | None, typer.Option("--company", metavar="CNPJ", help=t("One company (default: every establishment)."))
    ] = None,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="DIR|FILE", help=t("Where to (default: the data folder's exports).")),
    ] = None,
    format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="xlsx|csv|csv-rfc4180|parquet",
            help=t("xlsx (default), csv (as Brazilian Excel opens it), csv-rfc4180, or parquet."),
        ),
    ] = "xlsx",
    hide_people: options.HidePeople = False,
) -> int:
    """1 where a document cannot be read or the month is known to lack something; the ledger says what."""
    month = typed_values.month(period)
    owner = typed_values.tax_id(company) if company is not None else None
    from confere.app.ledger import ledger

    chosen = typed_values.choice("--format", format, tuple(each.value for each in ledger.LedgerFormat))
    choice = ledger.LedgerChoice(month, owner, to, ledger.LedgerFormat(chosen), True if hide_people else None)
    with face.job():
        written = ledger.write(face.workspace, choice, stop=face.stop)
    code = 1 if any(each.missing or each.unreadable for each in written) else 0
    fields = ("company", "month", "path", "documents", "in_effect", "unreadable", "missing")
    shapes = [
        fields_of(each, *fields)
        | {"closing": None if each.closing is None else fields_of(each.closing, "number", "head")}
        for each in written
    ]
    face.out.result({"ledgers": shapes}, code)
    for each in written:
        face.out.aside(t("The ledger is in {path}.", path=str(each.path)))
    return code
