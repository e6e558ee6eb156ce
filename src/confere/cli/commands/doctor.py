"""`confere doctor`: look whether everything is well, and say what to do where it is not."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Annotated

import typer

from confere.cli import reports, shapes
from confere.cli.face import Face
from confere.errors import Message, message
from confere.system.jobs import Meter, Silent
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

    with face.job() if verify or backup else nullcontext(Silent()) as reporter:
        found = examine(
            face.workspace,
            verify=verify,
            migrate=migrate,
            progress=_progress(
                face,
                Meter(reporter, message("Reading the archive back")),
                message("The check was stopped; it changes nothing."),
            ),
        )
        if backup:
            back_up(
                face.workspace,
                found,
                progress=_progress(
                    face,
                    Meter(reporter, message("Copying the archive")),
                    message("The backup was stopped; there is no copy, and the archive was not touched."),
                ),
            )
    code = 0 if found.well else 1
    face.out.result(shapes.examination(found), code)
    if face.out.for_people:
        reports.examination(face.out, found)
    return code


def _progress(face: Face, meter: Meter, stopped: Message) -> Callable[[int, int], None]:
    """Tells the meter how far it is, and the last step in any case; ends the work where that was asked for."""
    told = 0

    def progress(done: int, total: int) -> None:
        nonlocal told
        face.stop.check(stopped)
        meter.advance(done - told, total=total)
        told = done
        if done >= total:
            meter.finish()

    return progress
