"""`confere reindex`: read the archive's XML again with this version's reader."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli import tables
from confere.cli.context import Face
from confere.cli.render import reports
from confere.errors import NC_
from confere.system import formatting
from confere.system.messages import t


def reindex(
    face: Face,
    every: Annotated[
        bool, typer.Option("--all", metavar="", help=t("Everything, not only what an older version read."))
    ] = False,
) -> int:
    """1 where contents are damaged or were set aside, or it was stopped; what was done is kept."""
    from confere.app.maintenance import reindex

    with face.job() as reporter:
        summary = reindex.reindex(face.workspace, everything=every, reporter=reporter, stop=face.stop)
    code = 1 if summary.damaged or summary.set_aside or summary.stopped else 0
    face.out.result({**summary.counts(), "set_aside": summary.set_aside, "stopped": summary.stopped}, code)
    if face.out.for_people:
        count = formatting.count
        face.out.print(
            tables.facts(
                [
                    (t("Files read again"), count(summary.contents)),
                    (t("Documents"), count(summary.documents)),
                    (t("Events"), count(summary.events)),
                    (t("Orders"), count(summary.orders) if summary.orders else ""),
                    (t("Readable now"), count(summary.adopted) if summary.adopted else ""),
                    (t("Not readable"), count(summary.unreadable) if summary.unreadable else ""),
                    (t("Damaged contents"), count(summary.damaged) if summary.damaged else ""),
                    (t("Set aside"), count(len(summary.set_aside)) if summary.set_aside else ""),
                    (t(NC_("duration", "Time")), formatting.duration(summary.seconds)),
                ]
            )
        )
        if summary.set_aside:
            reports.set_aside(face.out, summary.set_aside, "confere reindex --all")
        if summary.stopped:
            face.out.aside(t("It was stopped; what was done is kept. Start it again to go on from there."))
    return code
