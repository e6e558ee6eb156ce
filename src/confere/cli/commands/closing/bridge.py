"""`confere bridge`: from the orders of a month to its invoices, on the screen, as JSON and as a page to sign."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import bridge_json
from confere.cli.options import option_values, reconciliation_options, typed_values
from confere.cli.render.closing import bridge_view
from confere.sales.bridge import BridgeCode
from confere.system.messages import t


def bridge(
    face: Face,
    period: Annotated[str, typer.Option("--period", metavar="YYYY-MM", help=t("The month."))],
    account: reconciliation_options.Account = None,
    company: Annotated[
        str | None, typer.Option("--company", metavar="CNPJ", help=t("One company (default: every establishment)."))
    ] = None,
    marketplace: Annotated[
        str | None,
        typer.Option("--marketplace", metavar="NAME", help=t("One marketplace (default: all); - for what names none.")),
    ] = None,
    line: Annotated[
        str | None,
        typer.Option(
            "--line", metavar="CODE", help=t("Show the orders and documents of the line with this code on the page.")
        ),
    ] = None,
    pdf: Annotated[
        Path | None, typer.Option("--pdf", metavar="FILE", help=t("Write the page as a PDF, ready to be signed."))
    ] = None,
    preparer: Annotated[
        str | None,
        typer.Option("--preparer", metavar="NAME", help=t("Who prepared it (default: the name in the settings).")),
    ] = None,
    reviewer: Annotated[
        str | None,
        typer.Option("--reviewer", metavar="NAME", help=t("Who reviewed it (default: the name in the settings).")),
    ] = None,
) -> int:
    """0; a bridge that does not tie is an error."""
    month = typed_values.month(period)
    owner = typed_values.tax_id(company) if company is not None else None
    chosen = None
    if line is not None:
        chosen = typed_values.choice("--line", line, tuple(BridgeCode), option_values.BRIDGE_LINES)
    from confere.app.closing import bridge as use_case

    signature = use_case.signature_of(face.workspace.settings, preparer, reviewer)
    with reconciliation_options.archive_of(face) as opened:
        name = use_case.account_of(opened, account, owner)
        made = use_case.month_bridge(opened, name, month, owner, marketplace, signature)
    if pdf is not None:
        use_case.write_pdf(made, pdf)
    face.out.result(bridge_json.bridge(made, chosen, pdf))
    if face.out.for_people:
        bridge_view.bridge(face.out, made, chosen, pdf)
    return 0
