"""`confere import`: bring XML files, folders and ZIPs in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confere.cli import reports, shapes, values
from confere.cli.face import Face
from confere.system.messages import t


def import_(
    face: Face,
    path: Annotated[list[Path], typer.Argument(metavar="PATH", help=t("XML files, folders or ZIPs."))],
) -> int:
    """1 where something could not be read (it is kept all the same, where it can be) or the user stopped it."""
    from confere.app.importing import import_paths

    with face.job() as reporter:
        result = import_paths(face.workspace, values.paths(path), reporter=reporter, stop=face.stop)
    code = 1 if result.unreadable or result.stopped else 0
    face.out.result(shapes.imported(result), code)
    if face.out.for_people:
        reports.imported(face.out, result)
    return code
