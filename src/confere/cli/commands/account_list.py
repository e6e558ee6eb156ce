"""`confere account list`: the accounts in use."""

from __future__ import annotations

from confere.cli import desk_options, reports, shapes
from confere.cli.face import Face


def account_list(face: Face) -> int:
    """Always 0."""
    from confere.app import account_standing, accounts, preferring

    found = accounts.every(face.workspace)
    with desk_options.archive_of(face) as opened:
        wanted = dict(preferring.every(opened))
        standings = account_standing.every(opened)
    listed = [
        {**shapes.account(entry, wanted[entry.name]), **shapes.account_standing(standings[entry.name])}
        for entry in found
    ]
    face.out.result({"accounts": listed})
    if face.out.for_people:
        reports.accounts(face.out, found, standings)
    return 0
