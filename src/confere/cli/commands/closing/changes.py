"""`confere changes`: what changed in a month since it was closed, and what that does to its taxes."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import closing_json
from confere.cli.options import typed_values
from confere.cli.render.closing import closings as render
from confere.system.messages import t


def changes(
    face: Face,
    period: Annotated[str, typer.Option("--period", metavar="YYYY-MM", help=t("The closed month."))],
    company: Annotated[
        str | None, typer.Option("--company", metavar="CNPJ", help=t("One company (default: every closed one)."))
    ] = None,
) -> int:
    """0 where nothing changed, 1 where something did."""
    month = typed_values.month(period)
    owner = typed_values.tax_id(company) if company is not None else None
    from confere.app.archive_session import OpenArchive
    from confere.app.closing import changes as use_case

    opened = OpenArchive(face.workspace)
    try:
        months = use_case.changes(opened, month, owner)
    finally:
        opened.close()
    code = 1 if any(entry.changes.count for entry in months) else 0
    face.out.result(closing_json.changes(months), code)
    if face.out.for_people:
        render.changes(face.out, months)
    return code
