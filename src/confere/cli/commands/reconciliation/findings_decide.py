"""`confere findings explain|ignore|reopen|note`: what a person says about findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import reconciliation_json
from confere.cli.options import reconciliation_options
from confere.cli.render import reconciliation_reports
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.reconciliation.decisions import Acted

Numbers = Annotated[
    list[int],
    typer.Argument(metavar="N…", help=t("The findings' numbers, as the list shows them."), show_default=False),
]


Reason = Annotated[
    str, typer.Option("--note", metavar="TEXT", help=t("Why, which has to be said; it stays with the findings."))
]


def findings_explain(face: Face, number: Numbers, note: Reason = "") -> int:
    """0; without a reason it is wrong use."""
    from confere.app.reconciliation import decisions

    return told(face, decisions.explain(face.workspace, number, note))


def findings_ignore(face: Face, number: Numbers, note: Reason = "") -> int:
    """0; without a reason it is wrong use."""
    from confere.app.reconciliation import decisions

    return told(face, decisions.ignore(face.workspace, number, note))


def findings_reopen(face: Face, number: Numbers, note: reconciliation_options.Note = None) -> int:
    """Always 0."""
    from confere.app.reconciliation import decisions

    return told(face, decisions.reopen(face.workspace, number, note))


def findings_note(
    face: Face,
    number: Numbers,
    note: Annotated[
        str, typer.Option("--note", metavar="TEXT", help=t("The note; without it the note is taken away."))
    ] = "",
) -> int:
    """Always 0."""
    from confere.app.reconciliation import decisions

    return told(face, decisions.note(face.workspace, number, note))


def told(face: Face, acted: Acted) -> int:
    """Say what an act did."""
    face.out.result(reconciliation_json.acted(acted))
    if face.out.for_people:
        reconciliation_reports.acted(face.out, acted)
    return 0
