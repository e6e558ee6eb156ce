"""What the commands of reconciliation say of pairs that nearly fit, and of differences that R3 explains itself."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from confere.cli import tables
from confere.cli.json.near_miss_json import NearMissesJson
from confere.cli.output import Output
from confere.system import formatting
from confere.system.messages import ngettext, render, t
from confere.system.plain_text import plain

if TYPE_CHECKING:
    from confere.app.context import Workspace
    from confere.app.reconciliation.queries import ExplainedDifference, SuggestionLine
    from confere.app.reconciliation.reconcile import ReconcileResult


def beside(workspace: Workspace, result: ReconcileResult) -> NearMissesJson:
    """What the runs list beside their findings."""
    from confere.app.archive_session import OpenArchive
    from confere.app.reconciliation import queries

    with closing(OpenArchive(workspace)) as opened:
        return NearMissesJson(
            [line for run in result.runs for line in queries.explained(opened, run.account, run.period)],
            [line for run in result.runs for line in queries.suggestions(opened, run.account, run.period)],
        )


def suggestions(out: Output, found: Sequence[SuggestionLine], total: int | None = None) -> None:
    """Pairs that nearly fit, what agrees of each and what does not."""
    for entry in found:
        out.print(
            tables.facts(
                [
                    (t("Order"), f"{entry.order_id}  {formatting.money(entry.order_total)}"),
                    (t("Document"), f"{entry.key}  {formatting.money(entry.paper_total)}"),
                    (t("Agrees"), "; ".join(map(render, entry.agrees))),
                    (t("Differs"), "; ".join(map(render, entry.differs))),
                ]
            ),
            "",
        )
    if found:
        out.aside(t("Accept one with `confere links accept --order ID`, or part it with `confere links unlink`."))
    count = len(found) if total is None else total
    out.aside(ngettext("{count} pair nearly fits.", "{count} pairs nearly fit.", count))


def explained(out: Output, found: Sequence[ExplainedDifference], total: int | None = None) -> None:
    """Differences of totals that R3 explains itself, each with its amount."""
    from confere.app.labels.reconciliation_labels import evidence_line

    if found:
        out.print(
            tables.table(
                [t("Month"), t("Amount"), t("Orders"), t("Documents"), t("Explained by")],
                [
                    (
                        formatting.month(entry.period),
                        formatting.money(entry.amount),
                        "\n".join(entry.orders),
                        "\n".join(entry.keys),
                        plain(evidence_line(entry.evidence)),
                    )
                    for entry in found
                ],
                right=(1,),
            )
        )
    count = len(found) if total is None else total
    out.aside(
        ngettext(
            "{count} difference is explained by the rule itself.",
            "{count} differences are explained by the rule itself.",
            count,
        )
    )
