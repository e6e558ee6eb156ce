"""`confere listen`: take a hub's callbacks until stopped, and fetch what they announce."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.output import Output
from confere.errors import Message
from confere.system import formatting
from confere.system.messages import render, t
from confere.system.progress import Progress, Reporter


def listen(
    face: Face,
    account: Annotated[
        str, typer.Option("--account", metavar="NAME", help=t("The account whose hub sends the callbacks."))
    ],
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="ADDRESS", help=t("Listen on this address of the machine (default: 127.0.0.1).")
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            "--port", metavar="N", min=0, max=65_535, help=t("Listen on this port (default: 8780; 0 takes a free one).")
        ),
    ] = 8780,
    path: Annotated[
        str,
        typer.Option(
            "--path", metavar="/SECRET", help=t("Take callbacks at this path alone; make it long and secret.")
        ),
    ] = "/",
    sync_every: Annotated[
        int | None,
        typer.Option(
            "--sync-every",
            metavar="MINUTES",
            min=1,
            help=t("Sync so often too, for what no callback announced (default: at the start alone)."),
        ),
    ] = None,
) -> int:
    """0 when it was stopped. With --progress-json it prints a line for everything it did."""
    from confere.app.listening.listen import ListenRequest
    from confere.app.listening.listen import listen as use_case

    request = ListenRequest(account, host, port, path, sync_every)
    with face.job() as reporter:
        result = use_case(
            face.workspace,
            request,
            reporter=_Journal(face.out) if face.out.for_people else reporter,
            stop=face.stop,
            prompt=face.prompt,
        )
    face.out.result({"listen": result.as_json()})
    face.out.aside(
        t(
            "Stopped. Requests that came: {received}; documents fetched: {new} new, {updated} changed.",
            received=formatting.count(result.received),
            new=formatting.count(result.new),
            updated=formatting.count(result.updated),
        )
    )
    return 0


class _Journal(Reporter):
    """Writes a line for everything worth telling and no bars: what listens for weeks writes into a journal."""

    def __init__(self, out: Output) -> None:
        self._out = out

    def progress(self, progress: Progress) -> None:
        """Ignore it."""

    def note(self, note: Message) -> None:
        self._out.aside(render(note))
