"""`confere home`: which data folder is used, and another one for the starts to come."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli.context import Face
from confere.cli.json.encoder import Shape, fields_of
from confere.errors import UsageFault, message
from confere.system.messages import render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.maintenance.home_folder import HomeChosen, HomeFacts


def home(
    face: Face,
    folder: Annotated[
        Path | None,
        typer.Argument(
            metavar="[DIR]", help=t("The data folder from the next start on; without it, show which is used.")
        ),
    ] = None,
    copy: Annotated[
        bool,
        typer.Option("--copy", metavar="", help=t("Put a checked copy of the archive there; the one here stays.")),
    ] = False,
    forget: Annotated[
        bool, typer.Option("--forget", metavar="", help=t("Use the system's place for data again."))
    ] = False,
) -> int:
    """0; 1 where the folder in use is not there."""
    from confere.app.maintenance import home_folder

    if forget and (folder is not None or copy):
        raise UsageFault(message("--forget goes alone."))
    if copy and folder is None:
        raise UsageFault(
            message("--copy needs the folder to which the copy goes."), message("Name it: confere home DIR.")
        )
    done: HomeChosen | None = None
    if forget:
        home_folder.forget()
    elif folder is not None:
        with face.job() as reporter:
            done = home_folder.choose(face.home, folder, copy=copy, reporter=reporter, stop=face.stop)
    found = home_folder.facts(face.home)
    asks = folder is None and not forget
    code = int(asks and found.problem is not None)
    face.out.result(_shape(found, done), code)
    if face.out.for_people:
        _show(face, found, done, forgot=forget)
    return code


def _show(face: Face, found: HomeFacts, done: HomeChosen | None, *, forgot: bool) -> None:
    from confere.app.backups.restore import words

    lines: list[str] = []
    warnings = found.warnings
    if done is not None:
        if done.copied is not None:
            lines.append(t("A checked copy of the archive is in {path}.", path=str(done.look.path)))
            lines.append(render(words(done.copied)))
        lines.append(t("From the next start on the data folder is {path}.", path=str(done.look.path)))
        lines.append(t("The folder of now stays as it is: {path}", path=str(found.root)))
        lines += map(render, done.notes)
        warnings = done.look.warnings
    elif forgot:
        lines.append(t("From the next start on the data folder is {path}.", path=str(found.usual)))
    else:
        lines.append(str(found.root))
        lines.append(render(found.why))
        if found.problem is not None:
            lines.append(render(found.problem))
        elif not found.has_archive:
            lines.append(t("There is no archive in it yet."))
    if (done is not None or forgot) and found.wins_over is not None:
        lines.append(render(found.wins_over))
    face.out.sentences(*map(plain, lines))
    for warning in warnings:
        face.out.aside(plain(render(warning)))


def _shape(found: HomeFacts, done: HomeChosen | None) -> Shape:
    """`next` is the folder of the next start without --home and CONFERE_HOME."""
    kept = ("archive_id", "format", "older=is_older", "documents", "events", "newest_run")
    copied = None if done is None or done.copied is None else fields_of(done.copied, *kept)
    return {
        **fields_of(found, "home=root", "origin", "chosen", "usual", "there=is_there", "archive=has_archive"),
        "next": found.chosen or found.usual,
        "wins_over": found.wins_over,
        "problem": found.problem,
        "warnings": list(found.warnings if done is None else done.look.warnings),
        "copied": copied,
        "notes": [] if done is None else list(done.notes),
    }
