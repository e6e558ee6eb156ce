"""`confere clients`: every company of the office and how it stands, the worst first."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import checklist_json
from confere.cli.options import option_values, option_words, typed_values
from confere.system.messages import t

_SORTS = (
    *("worst", "name", "listed", "documents", "missing", "high", "medium", "low", "exported", "closed"),
    *("tax_id", "accounts"),
)


def clients(
    face: Face,
    month: Annotated[
        str | None,
        typer.Option("--month", metavar="YYYY-MM", help=t("How they stand in this month (default: in all).")),
    ] = None,
    text: Annotated[
        str | None,
        typer.Option("--text", metavar="TEXT", help=t("Only those with these words in their name or CNPJ.")),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--only",
            metavar="WHICH",
            help=t(
                "{words}; given again, narrowed further.",
                words=option_words.listed(("problems", "not_closed", "stale"), option_values.CLIENT_FLAGS),
            ),
        ),
    ] = None,
    sort: Annotated[
        str,
        typer.Option(
            "--sort",
            metavar="FIELD",
            help=t(
                "{words} (default: {default}).",
                words=option_words.listed(_SORTS, option_values.CLIENT_SORTS),
                default=option_words.shown("worst", option_values.CLIENT_SORTS),
            ),
        ),
    ] = "worst",
    backwards: Annotated[bool, typer.Option("--reverse", metavar="", help=t("The other way around."))] = False,
) -> int:
    """0 whatever is found: a report, not a check."""
    from confere.app.archive_session import OpenArchive
    from confere.app.overview import client_choice
    from confere.app.overview import clients as use_case
    from confere.app.overview.client_choice import ClientFlag, ClientSort

    wanted = typed_values.month(month) if month is not None else None
    flags = typed_values.choices("--only", only, tuple(ClientFlag), option_values.CLIENT_FLAGS)
    by = typed_values.choice("--sort", sort, tuple(ClientSort), option_values.CLIENT_SORTS)
    opened = OpenArchive(face.workspace)
    try:
        found = use_case.clients(opened, wanted)
    finally:
        opened.close()
    rows = client_choice.ordered(client_choice.narrowed(found.rows, text or "", flags), by, is_reversed=backwards)
    face.out.result(checklist_json.clients(found, rows))
    if face.out.for_people:
        from confere.cli.render.closing import client_table

        client_table.listed(face.out, found, rows)
    return 0
