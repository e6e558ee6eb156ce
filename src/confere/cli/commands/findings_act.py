"""`confere findings explain|ignore|reopen|note`: what a person says about findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli import desk_options, desk_reports, desk_shapes
from confere.cli.face import Face
from confere.system.messages import t

if TYPE_CHECKING:
    from confere.app.deciding import Acted

Numbers = Annotated[
    list[int],
    typer.Argument(metavar="N…", help=t("The findings' numbers, as the list shows them."), show_default=False),
]


def findings_explain(face: Face, number: Numbers, note: desk_options.Note = None) -> int:
    """Always 0."""
    from confere.app import deciding

    return told(face, deciding.explain(face.workspace, number, note))


def findings_ignore(
    face: Face,
    number: Numbers,
    note: Annotated[
        str, typer.Option("--note", metavar="TEXT", help=t("Why, which has to be said; it stays with the findings."))
    ] = "",
) -> int:
    """0; without a reason it is wrong use."""
    from confere.app import deciding

    return told(face, deciding.ignore(face.workspace, number, note))


def findings_reopen(face: Face, number: Numbers, note: desk_options.Note = None) -> int:
    """Always 0."""
    from confere.app import deciding

    return told(face, deciding.reopen(face.workspace, number, note))


def findings_note(
    face: Face,
    number: Numbers,
    note: Annotated[
        str, typer.Option("--note", metavar="TEXT", help=t("The note; without it the note is taken away."))
    ] = "",
) -> int:
    """Always 0."""
    from confere.app import deciding

    return told(face, deciding.note(face.workspace, number, note))


def told(face: Face, acted: Acted) -> int:
    """Say what an act did."""
    face.out.result(desk_shapes.acted(acted))
    if face.out.for_people:
        desk_reports.acted(face.out, acted)
    return 0
