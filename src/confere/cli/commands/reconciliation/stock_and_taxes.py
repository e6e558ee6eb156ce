"""`confere stock` and `confere taxes`: goods at the marketplaces' warehouses, and the pivot of taxes."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import reconciliation_json
from confere.cli.options import reconciliation_options, typed_values
from confere.cli.render import stock_and_taxes
from confere.cli.render.reconciliation.matching_reports import of_no_company
from confere.system.messages import t


def stock(
    face: Face,
    subject: Annotated[
        str | None,
        typer.Argument(
            metavar="COMPANY/MARKETPLACE/ITEM",
            help=t("One item with every document behind its numbers; without it, every item."),
            show_default=False,
        ),
    ] = None,
    account: reconciliation_options.Account = None,
    company: reconciliation_options.Company = None,
) -> int:
    """Always 0."""
    owner = None if company is None else typed_values.tax_id(company)
    from confere.app.accounts import company_lines
    from confere.app.accounts.known_companies import why_nothing_of
    from confere.app.reconciliation import queries
    from confere.app.reconciliation.matching import line_groups

    with reconciliation_options.opened_of(face, account, owner) as (opened, name):
        if subject is not None:
            chain = queries.stock_chain(opened, name, subject)
            face.out.result(reconciliation_json.chain(name, chain))
            if face.out.for_people:
                stock_and_taxes.chain(face.out, chain)
            return 0
        every = queries.stock(opened, name)
        found = company_lines.of_company(opened, name, owner, every, line_groups.of_stock)
        unknown = None if found.lines else why_nothing_of(opened, owner)
    face.out.result(reconciliation_json.stock(name, found, owner))
    if face.out.for_people:
        stock_and_taxes.stock(face.out, found.lines)
        of_no_company(face.out, found.of_no_company, unknown)
    return 0


def taxes(
    face: Face,
    account: reconciliation_options.Account = None,
    company: Annotated[
        str | None,
        typer.Option(
            "--company",
            metavar="CNPJ",
            help=t(
                "Only the documents of this company, in and out as it sees them; of every account without --account."
            ),
        ),
    ] = None,
    period: reconciliation_options.Period = None,
) -> int:
    """Always 0."""
    month = None if period is None else typed_values.month(period)
    owner = None if company is None else typed_values.tax_id(company)
    from confere.app.reconciliation import queries

    with reconciliation_options.opened_for(face, account, owner) as (opened, name):
        found = queries.taxes(opened, name, month, owner)
    face.out.result(reconciliation_json.taxes(name, month, found, owner))
    if face.out.for_people:
        stock_and_taxes.taxes(face.out, found)
    return 0
