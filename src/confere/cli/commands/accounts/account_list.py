"""`confere account list`: the accounts in use."""

from __future__ import annotations

from confere.cli.context import Face
from confere.cli.json import json_shapes
from confere.cli.options import reconciliation_options
from confere.cli.render import reports
from confere.cli.render.accounts import token_reports


def account_list(face: Face) -> int:
    """Always 0."""
    from confere.app.accounts import account_status, accounts, preferences
    from confere.app.overview import token_standing

    found = accounts.every(face.workspace)
    with reconciliation_options.archive_of(face) as opened:
        wanted = dict(preferences.every(opened))
        standings = account_status.every(opened)
        tokens = token_standing.of_archive(face.workspace, opened.archive()) if opened.exists else {}
    listed = [
        {
            **json_shapes.account(entry, wanted[entry.name]),
            **json_shapes.account_standing(standings[entry.name]),
            **json_shapes.token_standing(tokens[entry.name]),
        }
        for entry in found
    ]
    face.out.result({"accounts": listed})
    if face.out.for_people:
        reports.accounts(face.out, found, standings)
        token_reports.disarmed(face.out, tokens.values())
    return 0
