"""`confere account token`: give an account a token for its address, or let the one that it has go there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.options import token_input
from confere.cli.render.accounts import token_reports
from confere.errors import UsageFault, message
from confere.system.messages import t


def account_token(
    face: Face,
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("The account."))],
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
    origin: Annotated[
        str | None,
        typer.Option(
            "--origin",
            metavar="URL",
            help=t("Let the token that it has go to this address, where the account is now; ask for no other."),
        ),
    ] = None,
    token: Annotated[str | None, typer.Option("--token", hidden=True)] = None,
) -> int:
    """0 when it is kept."""
    if origin is not None:
        return _moved(face, name, origin, is_given=token_stdin or token_file is not None or token is not None)
    token_input.refuse_bad_ways(token, from_stdin=token_stdin, file=token_file)
    from confere.app.accounts import accounts

    address = accounts.named(face.workspace, name).address
    given = token_input.token(face, name, address, from_stdin=token_stdin, file=token_file)
    if given is None and token_file is None:
        raise UsageFault(
            message("There is no token."), message("Pipe it in with --token-stdin, or name a file with --token-file.")
        )
    kept = accounts.set_token(face.workspace, name, given, token_file)
    face.out.result({"account": name, "token_kept": kept})
    if face.out.for_people:
        face.out.aside(token_reports.token_kept(kept))
    return 0


def _moved(face: Face, name: str, origin: str, *, is_given: bool) -> int:
    if is_given:
        raise UsageFault(
            message("--origin lets the token that is there go to another address."),
            message("Leave it out to give another token."),
        )
    from confere.app.accounts import accounts

    kept = accounts.use_token_at(face.workspace, name, origin)
    face.out.result({"account": name, "token_kept": kept})
    if face.out.for_people:
        face.out.aside(token_reports.token_moved(name, origin, kept))
    return 0
