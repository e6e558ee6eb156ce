"""`confere findings candidates` and `confere links in-order`: what could belong together, and ties by their hours."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.commands.reconciliation.findings_decide import told
from confere.cli.context import Face
from confere.cli.json import matching_json
from confere.cli.options import reconciliation_options
from confere.cli.render.reconciliation import matching_reports
from confere.system.messages import t


def findings_candidates(
    face: Face,
    number: Annotated[int, typer.Argument(metavar="N", help=t("The finding's number, as the list shows it."))],
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help=t("At most this many."))] = 20,
) -> int:
    """0; a finding about no order and no document is wrong use."""
    from confere.app.reconciliation.matching import candidates

    with reconciliation_options.archive_of(face) as opened:
        row, found = candidates.for_finding(opened, number, limit)
    face.out.result(matching_json.candidates(row, found))
    if face.out.for_people:
        matching_reports.candidates(face.out, found)
    return 0


def links_in_order(
    face: Face,
    number: Annotated[int, typer.Argument(metavar="N", help=t("The tie's number, as `confere links ties` shows it."))],
    account: reconciliation_options.Account = None,
    note: reconciliation_options.Note = None,
) -> int:
    """0; a tie of which one side has more than the other, or hours do not tell the order, is wrong use."""
    from confere.app.reconciliation import decisions
    from confere.app.reconciliation.matching import tie_lists

    with reconciliation_options.opened(face, account) as (opened, name):
        pairs = tie_lists.pairs_in_order(opened, name, number)
    return told(face, decisions.link(face.workspace, name, pairs, note))
