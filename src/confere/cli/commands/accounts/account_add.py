"""`confere account add`: a seller's account at a hub, with its token."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import json_shapes
from confere.cli.options import option_values, option_words, token_input, typed_values
from confere.cli.render import reports
from confere.system.messages import t


def account_add(
    face: Face,
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("What to call it, such as the company's name."))],
    address: Annotated[
        str, typer.Option("--address", metavar="URL", help=t("The hub's address, with or without /v2."))
    ],
    platform: Annotated[
        str, typer.Option("--platform", metavar="NAME", help=t("What the hub wants in its header `platform`."))
    ],
    environment: Annotated[
        str,
        typer.Option(
            "--environment",
            metavar=option_words.alternatives(("production", "sandbox", "embedded"), option_values.ENVIRONMENTS),
            help=t(
                "Which of the hub's it is (default: {default}); {embedded} for `confere sandbox`.",
                default=option_words.shown("production", option_values.ENVIRONMENTS),
                embedded=option_words.shown("embedded", option_values.ENVIRONMENTS),
            ),
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
    """0; an account without a token is added too, and the command that gives it one is named."""
    token_input.refuse_bad_ways(token, from_stdin=token_stdin, file=token_file)
    establishments = tuple(typed_values.tax_id(entry) for entry in cnpj or ())
    from confere.app.accounts import accounts, address_check
    from confere.app.context import ENVIRONMENTS

    served = typed_values.choice("--environment", environment, ENVIRONMENTS, option_values.ENVIRONMENTS)

    new = accounts.NewAccount(name, address, platform, served, establishments, token_file)
    goes_to = address_check.normalise(address)
    given = token_input.token(face, name, goes_to, from_stdin=token_stdin, file=token_file)
    added = accounts.add(face.workspace, new, given)
    face.out.result(
        {"account": json_shapes.account(added.account, accounts.Preferences()), "token_kept": added.token_kept}
    )
    if face.out.for_people:
        reports.account_added(face.out, added)
    return 0
