"""`confere import`: bring XML files, folders and ZIPs in."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import json_shapes
from confere.cli.options import declaration_options, typed_values
from confere.cli.render import reports
from confere.errors import EnvironmentFault, UsageFault, message
from confere.system.files.regular_files import open_regular
from confere.system.messages import t

_MOST_BYTES = 64_000_000  # of the list of paths


def import_(
    face: Face,
    path: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help=t("XML files, folders or ZIPs."), show_default=False)
    ] = None,
    paths_from: Annotated[
        Path | None,
        typer.Option("--paths-from", metavar="FILE", help=t("A JSON list of paths; deleted once read."), hidden=True),
    ] = None,
    complete: declaration_options.Complete = None,
    account: Annotated[
        str | None,
        typer.Option("--account", metavar="NAME", help=t("With --complete: whose documents they are.")),
    ] = None,
) -> int:
    """1 where something could not be read (it is kept all the same, where it can be) or the user stopped it.

    Also 1 where what was declared complete is not.
    """
    from confere.app.documents.import_files import import_paths

    chosen = typed_values.paths(path or []) if paths_from is None else _listed(paths_from)
    if not chosen:
        raise UsageFault(
            message("{name} is missing.", name="PATH"), message("See {command}.", command="confere import --help")
        )
    claim = declaration_options.claim(complete)
    with face.job() as reporter:
        result = import_paths(
            face.workspace, chosen, complete=claim, account=account, reporter=reporter, stop=face.stop
        )
    code = 1 if result.unreadable or result.stopped or result.not_declared else 0
    face.out.result(json_shapes.imported(result), code)
    if face.out.for_people:
        reports.imported(face.out, result)
        declaration_options.report(face.out, result.declared, result.not_declared)
    return code


def _listed(file: Path) -> list[Path]:
    """Paths too many for a command line, from a file that whoever started us made for us alone."""
    try:
        with open_regular(file) as opened:
            said = json.loads(opened.read(_MOST_BYTES).decode("utf-8"))
    except (OSError, ValueError, RecursionError, EnvironmentFault) as error:
        raise UsageFault(
            message("The list of paths {path} cannot be read.", path=str(file)),
            message("Choose the files once more."),
        ) from error
    finally:
        with suppress(OSError):
            file.unlink()
    if not isinstance(said, list):
        raise UsageFault(message("The list of paths {path} cannot be read.", path=str(file)))
    return [Path(str(entry)) for entry in said]
