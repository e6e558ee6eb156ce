"""`confere keeping`: what must be kept until when, by company and year."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confere.cli.context import Face
from confere.cli.json.encoder import each_of
from confere.system import formatting
from confere.system.messages import render, t

if TYPE_CHECKING:
    from confere.app.maintenance.keeping import Keeping


def keeping(face: Face) -> int:
    """0: nothing is ever removed by itself."""
    from confere.app.maintenance.keeping import keeping as look

    with face.workspace.reading() as archive:
        found = look(archive)
    face.out.result(
        {
            "lines": each_of(
                found.lines,
                "company=held_for.company",
                "year=held_for.year",
                "documents=held_for.documents",
                "events=held_for.events",
                "bytes=held_for.size",
                "newest=held_for.newest",
                "open_findings=held_for.open_findings",
                "ctn_173_174=tax_code",
                "ajuste_sinief_2_2025=adjustment",
                "held",
                "over",
            ),
            "terms": each_of(found.terms, "code", "name", "months", "source"),
        }
    )
    if face.out.for_people:
        _show(face, found)
    return 0


def _show(face: Face, found: Keeping) -> None:
    from rich.table import Table

    from confere.app.labels import labels

    table = Table(box=None, pad_edge=False)
    for title, right in (
        (t("Company"), False),
        (t("Year"), False),
        (t("Documents"), True),
        (t("Events"), True),
        (t("Size"), True),
        (t("Kept until (CTN)"), False),
        (t("Kept until (Ajuste 2/2025)"), False),
        (t("Open findings"), True),
    ):
        table.add_column(title, justify="right" if right else "left")
    for line in found.lines:
        year = line.held_for
        table.add_row(
            t("no account") if year.company is None else labels.tax_id_word(year.company),
            year.year or t("no date"),
            formatting.count(year.documents),
            formatting.count(year.events),
            formatting.size(year.size),
            formatting.date(line.tax_code.isoformat()) if line.tax_code else "-",
            formatting.date(line.adjustment.isoformat()) if line.adjustment else "-",
            formatting.count(year.open_findings),
        )
    face.out.print(table)
    for term in found.terms:
        face.out.aside(f"{render(term.name)}: {term.source}")
    face.out.aside(t("Confere removes nothing by itself, whatever day has passed."))
