"""`confere doctor`: look whether everything is well, and say what to do where it is not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from confere.cli import reports, shapes
from confere.cli.face import Face
from confere.errors import message
from confere.system.jobs import Meter, Reporter
from confere.system.messages import t


def doctor(
    face: Face,
    verify: Annotated[
        bool, typer.Option("--verify", metavar="", help=t("Read every XML back against its SHA-256."))
    ] = False,
    migrate: Annotated[
        bool,
        typer.Option(
            "--migrate", metavar="", help=t("Bring the archive of an older Confere up to date, after a backup.")
        ),
    ] = False,
    backup: Annotated[
        bool,
        typer.Option("--backup", metavar="", help=t("Write a checked copy of the archive into its backups folder.")),
    ] = False,
) -> int:
    """1 where something should be done."""
    from confere.app.doctor import back_up, examine

    if verify:
        with face.job() as reporter:
            found = examine(face.workspace, verify=True, migrate=migrate, progress=_progress(face, reporter))
    else:
        found = examine(face.workspace, migrate=migrate)
    if backup:
        back_up(face.workspace, found)
    code = 0 if found.well else 1
    face.out.result(shapes.examination(found), code)
    if face.out.for_people:
        reports.examination(face.out, found)
    return code


def _progress(face: Face, reporter: Reporter) -> Callable[[int, int], None]:
    meter = Meter(reporter, message("Reading the archive back"))
    told = 0

    def progress(read: int, total: int) -> None:
        nonlocal told
        face.stop.check(message("The check was stopped; it changes nothing."))
        meter.advance(read - told, total=total)
        told = read

    return progress
