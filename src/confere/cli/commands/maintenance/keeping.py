"""`confere keeping`: what must be kept until when, by company and year."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confere.cli import tables
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
    from confere.app.labels import labels

    headers = (
        t("Company"),
        t("Year"),
        t("Documents"),
        t("Events"),
        t("Size"),
        t("Kept until (CTN)"),
        t("Kept until (Ajuste 2/2025)"),
        t("Open findings"),
    )
    rows = [
        (
            t("no account") if line.held_for.company is None else labels.tax_id_word(line.held_for.company),
            line.held_for.year or t("no date"),
            formatting.count(line.held_for.documents),
            formatting.count(line.held_for.events),
            formatting.size(line.held_for.size),
            formatting.date(line.tax_code.isoformat()) if line.tax_code else "-",
            formatting.date(line.adjustment.isoformat()) if line.adjustment else "-",
            formatting.count(line.held_for.open_findings),
        )
        for line in found.lines
    ]
    face.out.print(tables.table(headers, rows, right=(2, 3, 4, 7)))
    for term in found.terms:
        face.out.aside(f"{render(term.name)}: {term.source}")
    face.out.aside(t("Confere removes nothing by itself, whatever day has passed."))
