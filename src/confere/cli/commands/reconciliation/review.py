"""`confere findings assign`, `signoff`, `signoffs`: whose findings are, until when, and who looked at a month."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.commands.reconciliation.findings_decide import Numbers
from confere.cli.context import Face
from confere.cli.json import matching_json
from confere.cli.options import reconciliation_options, typed_values
from confere.cli.render.reconciliation import matching_reports
from confere.errors import UsageFault, message
from confere.system.messages import t

Company = Annotated[
    str | None, typer.Option("--company", metavar="CNPJ", help=t("An establishment of an account, by its CNPJ."))
]


def findings_assign(
    face: Face,
    number: Numbers,
    to: Annotated[
        str | None, typer.Option("--to", metavar="NAME", help=t("Who is to settle them; left out: nobody."))
    ] = None,
    due: Annotated[
        str | None,
        typer.Option(
            "--due",
            metavar="YYYY-MM-DD",
            help=t("By which day: 31/10/2026, 31/10 (the next one) or 2026-10-31; left out: without a day."),
        ),
    ] = None,
) -> int:
    """Always 0."""
    from confere.app.documents.search import typed_days
    from confere.app.reconciliation.review import assignments

    done = assignments.assign(face.workspace, number, to, None if due is None else typed_values.day(due, coming=True))
    face.out.result(matching_json.assigned(done))
    if face.out.for_people:
        matching_reports.assigned(face.out, done, typed_days.today())
    return 0


def findings_signoff(
    face: Face,
    company: Company = None,
    period: reconciliation_options.Period = None,
    reviewer: Annotated[
        str, typer.Option("--reviewer", metavar="NAME", help=t("Who looked at the findings of the month."))
    ] = "",
    note: reconciliation_options.Note = None,
) -> int:
    """0; without a company, a month or a reviewer it is wrong use."""
    if company is None or period is None:
        raise UsageFault(
            message("A signature is under the month of a company."), message("Give --company and --period.")
        )
    month = typed_values.month(period)
    from confere.app.reconciliation.review import signoffs

    done = signoffs.sign(face.workspace, company, month, reviewer, note)
    face.out.result(matching_json.signoff(done))
    if face.out.for_people:
        matching_reports.signed(face.out, done)
    return 0


def findings_signoffs(face: Face, company: Company = None, period: reconciliation_options.Period = None) -> int:
    """Always 0: an empty list is an answer too."""
    month = None if period is None else typed_values.month(period)
    from confere.app.reconciliation.review import signoffs

    with reconciliation_options.archive_of(face) as opened:
        found = signoffs.history(opened, company, month)
    face.out.result(matching_json.signoffs(found))
    if face.out.for_people:
        matching_reports.signoffs(face.out, found)
    return 0
