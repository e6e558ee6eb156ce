"""`confere account list`: the accounts in use."""

from __future__ import annotations

from confere.cli import reports, shapes
from confere.cli.face import Face


def account_list(face: Face) -> int:
    """Always 0."""
    from confere.app import accounts

    found = accounts.every(face.workspace)
    face.out.result({"accounts": [shapes.account(entry) for entry in found]})
    if face.out.for_people:
        reports.accounts(face.out, found)
    return 0
