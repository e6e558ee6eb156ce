"""How a token comes in: piped, from a file or typed when asked, and never on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

from confere.cli.context import Face
from confere.errors import UsageFault, message

_MOST = 64 * 1024  # bytes of stdin worth reading


def refuse_bad_ways(on_the_line: str | None, *, from_stdin: bool, file: Path | None) -> None:
    """`UsageFault` for a token on the command line, and for two of them."""
    if on_the_line is not None:
        raise UsageFault(
            message("A token is never taken from the command line: the shell keeps it, and others can see it."),
            message(
                "Pipe it in with --token-stdin, name a file with --token-file, or type it when asked. Get a new "
                "token if this was a real one."
            ),
        )
    if from_stdin and file is not None:
        raise UsageFault(message("There are two tokens."), message("Give --token-stdin or --token-file."))


def token(face: Face, name: str, address: str, *, from_stdin: bool, file: Path | None) -> str | None:
    """The token of account `name` for `address`; None where a file holds it or nobody can be asked."""
    if from_stdin:
        return _from_stdin()
    if file is not None or not face.interactive:
        return None
    return (
        face.ask_hidden(message("Token of the account {account} for {address}", account=name, address=address)).strip()
        or None
    )


def _from_stdin() -> str:
    data = sys.stdin.buffer.read(_MOST)
    # PowerShell puts a byte order mark before what it pipes.
    found = data.decode("utf-8-sig", errors="replace").strip()
    if not found:
        raise UsageFault(
            message("There was no token on stdin."),
            message("Pipe it in: `confere account add … --token-stdin < FILE`."),
        )
    return found
