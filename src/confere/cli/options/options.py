"""The options that several commands share, with their help in the user's language."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confere.system.messages import t

# -- of every command --------------------------------------------------------------------------------------

Home = Annotated[
    Path | None,
    typer.Option(
        "--home",
        metavar="DIR",
        help=t("The data folder (default: CONFERE_HOME, else the chosen one or the system's place for data)."),
    ),
]
Json = Annotated[bool, typer.Option("--json", metavar="", help=t("Print the result as one JSON object."))]
Lang = Annotated[
    str | None, typer.Option("--lang", metavar="pt_BR|en|es", help=t("The language to speak; else CONFERE_LANGUAGE."))
]
Verbose = Annotated[
    bool, typer.Option("--verbose", metavar="", help=t("Log more, and show the details of what goes wrong."))
]
Version = Annotated[bool, typer.Option("--version", metavar="", help=t("Print the version and end."))]

# -- of what leaves the house ------------------------------------------------------------------------------

HidePeople = Annotated[
    bool,
    typer.Option(
        "--hide-people", metavar="", help=t("Mask the CPF and the name of natural persons, in --json too; never XML.")
    ),
]

# -- of jobs that another program starts -------------------------------------------------------------------

ProgressJson = Annotated[bool, typer.Option("--progress-json", hidden=True)]
ExitWithStdin = Annotated[bool, typer.Option("--exit-with-stdin", hidden=True)]

# -- of time -----------------------------------------------------------------------------------------------

From = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="YYYY-MM-DD", help=t("First day, in Brazilian time: 31/10/2026, 31/10 or 2026-10-31.")
    ),
]
To = Annotated[str | None, typer.Option("--to", metavar="YYYY-MM-DD", help=t("Last day, included."))]
Month = Annotated[
    str | None,
    typer.Option(
        "--month", metavar="YYYY-MM", help=t("A whole month, in place of two days: 10/2026, out/2026 or 2026-10.")
    ),
]
