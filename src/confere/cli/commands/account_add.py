"""`confere account add`: a seller's account at a hub, with its token."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from confere.cli import reports, shapes, values
from confere.cli.face import Face
from confere.errors import UsageFault, message
from confere.system.messages import t

_MOST = 64 * 1024  # bytes of stdin worth reading


def account_add(
    face: Face,
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("What to call it, such as the company's name."))],
    address: Annotated[
        str, typer.Option("--address", metavar="URL", help=t("The hub's address, with or without /v2."))
    ],
    platform: Annotated[
        str, typer.Option("--platform", metavar="P", help=t("What the hub wants in its header `platform`."))
    ],
    environment: Annotated[
        str,
        typer.Option(
            "--environment",
            metavar="E",
            help=t("production (default), sandbox, or embedded for `confere sandbox`."),
        ),
    ] = "production",
    cnpj: Annotated[
        list[str] | None,
        typer.Option("--cnpj", metavar="CNPJ", help=t("An establishment of the account; may be repeated.")),
    ] = None,
    token_stdin: Annotated[
        bool,
        typer.Option("--token-stdin", metavar="", help=t("Read the token from stdin; on a terminal it is asked for.")),
    ] = False,
    token_file: Annotated[
        Path | None,
        typer.Option(
            "--token-file", metavar="FILE", help=t("A file that only you can read, with the token alone in it.")
        ),
    ] = None,
    token: Annotated[str | None, typer.Option("--token", hidden=True)] = None,
) -> int:
    """0; an account without a token is added too, and says where one is looked for."""
    if token is not None:
        raise UsageFault(
            message("A token is never taken from the command line: the shell keeps it, and others can see it."),
            message(
                "Pipe it in with --token-stdin, name a file with --token-file, or type it when asked. Get a new "
                "token if this was a real one."
            ),
        )
    if token_stdin and token_file is not None:
        raise UsageFault(message("There are two tokens."), message("Give --token-stdin or --token-file."))
    establishments = tuple(values.tax_id(entry) for entry in cnpj or ())
    from confere.app import accounts

    new = accounts.NewAccount(name, address, platform, environment.strip().lower(), establishments, token_file)
    added = accounts.add(face.workspace, new, _token(face, name, token_stdin, token_file))
    face.out.result({"account": shapes.account(added.account), "token_kept": added.token_kept})
    if face.out.for_people:
        reports.account_added(face.out, added)
    return 0


def _token(face: Face, name: str, from_stdin: bool, file: Path | None) -> str | None:
    if from_stdin:
        return _from_stdin()
    if file is not None or not face.interactive:
        return None
    return face.ask_hidden(message("Token of the account {account}", account=name)).strip() or None


def _from_stdin() -> str:
    data = sys.stdin.buffer.read(_MOST)
    # PowerShell puts a byte order mark before what it pipes.
    token = data.decode("utf-8-sig", errors="replace").strip()
    if not token:
        raise UsageFault(
            message("There was no token on stdin."),
            message("Pipe it in: `confere account add … --token-stdin < FILE`."),
        )
    return token
