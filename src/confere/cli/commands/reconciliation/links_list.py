"""`confere links list`, `ties` and `suggestions`: what belongs together and why, and what only a person can decide."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import near_miss_json, reconciliation_json
from confere.cli.options import reconciliation_options, typed_values
from confere.cli.render import near_miss_reports, reconciliation_reports
from confere.cli.render.reconciliation.matching_reports import of_no_company
from confere.system.messages import t


def links_list(
    face: Face,
    order: Annotated[str | None, typer.Option("--order", metavar="ID", help=t("Only the links of this order."))] = None,
    key: Annotated[str | None, typer.Option("--key", metavar="KEY", help=t("Only the links of this document."))] = None,
    account: reconciliation_options.Account = None,
) -> int:
    """Always 0: an empty list is an answer too."""
    from confere.app.reconciliation import queries

    with reconciliation_options.opened(face, account) as (opened, name):
        found = queries.links(opened, name, order_id=order, key=None if key is None else "".join(key.split()))
    face.out.result(reconciliation_json.links(name, found))
    if face.out.for_people:
        reconciliation_reports.links(face.out, found)
    return 0


def links_ties(
    face: Face,
    account: reconciliation_options.Account = None,
    company: reconciliation_options.Company = None,
    period: reconciliation_options.Period = None,
) -> int:
    """Always 0: an empty list is an answer too."""
    month = None if period is None else typed_values.month(period)
    owner = None if company is None else typed_values.tax_id(company)
    from confere.app.accounts import company_lines
    from confere.app.accounts.known_companies import why_nothing_of
    from confere.app.reconciliation import queries
    from confere.app.reconciliation.matching import line_groups

    with reconciliation_options.opened_of(face, account, owner) as (opened, name):
        every = queries.ties(opened, name, month)
        found = company_lines.of_company(opened, name, owner, every, line_groups.of_tie)
        unknown = None if found.lines else why_nothing_of(opened, owner)
    face.out.result(reconciliation_json.ties(name, found, owner))
    if face.out.for_people:
        reconciliation_reports.ties(face.out, found.lines)
        of_no_company(face.out, found.of_no_company, unknown)
    return 0


def links_suggestions(
    face: Face,
    account: reconciliation_options.Account = None,
    company: reconciliation_options.Company = None,
    period: reconciliation_options.Period = None,
) -> int:
    """Always 0: an empty list is an answer too."""
    month = None if period is None else typed_values.month(period)
    owner = None if company is None else typed_values.tax_id(company)
    from confere.app.accounts import company_lines
    from confere.app.accounts.known_companies import why_nothing_of
    from confere.app.reconciliation import queries
    from confere.app.reconciliation.matching import line_groups

    with reconciliation_options.opened_of(face, account, owner) as (opened, name):
        every = queries.suggestions(opened, name, month)
        found = company_lines.of_company(opened, name, owner, every, line_groups.of_suggestion)
        unknown = None if found.lines else why_nothing_of(opened, owner)
    face.out.result(near_miss_json.suggestions(name, found, owner))
    if face.out.for_people:
        near_miss_reports.suggestions(face.out, found.lines)
        of_no_company(face.out, found.of_no_company, unknown)
    return 0


def findings_explained(
    face: Face,
    account: reconciliation_options.Account = None,
    company: reconciliation_options.Company = None,
    period: reconciliation_options.Period = None,
    run: Annotated[
        int | None, typer.Option("--run", metavar="N", help=t("What this run explained (default: the newest)."))
    ] = None,
) -> int:
    """Always 0: an empty list is an answer too."""
    month = None if period is None else typed_values.month(period)
    owner = None if company is None else typed_values.tax_id(company)
    from confere.app.accounts import company_lines
    from confere.app.accounts.known_companies import why_nothing_of
    from confere.app.reconciliation import queries
    from confere.app.reconciliation.matching import line_groups

    with reconciliation_options.opened_of(face, account, owner) as (opened, name):
        every = queries.explained(opened, name, month, run)
        found = company_lines.of_company(opened, name, owner, every, line_groups.of_explained)
        unknown = None if found.lines else why_nothing_of(opened, owner)
    face.out.result(near_miss_json.explained(name, found, owner))
    if face.out.for_people:
        near_miss_reports.explained(face.out, found.lines)
        of_no_company(face.out, found.of_no_company, unknown)
    return 0


def links_history(
    face: Face,
    order: Annotated[str | None, typer.Option("--order", metavar="ID", help=t("Only about this order."))] = None,
    key: Annotated[str | None, typer.Option("--key", metavar="KEY", help=t("Only about this document."))] = None,
    account: reconciliation_options.Account = None,
) -> int:
    """Always 0: an empty list is an answer too. What was sent to the hub's orders stands among what was decided."""
    from confere.app.orders import order_trail
    from confere.app.reconciliation import decisions

    plain = None if key is None else "".join(key.split())
    with reconciliation_options.opened(face, account) as (opened, name):
        said = decisions.history(opened, name, order_id=order, key=plain)
        sent = order_trail.history(opened, name, order_id=order, key=plain)
    found = sorted((*said, *sent), key=lambda entry: entry.at, reverse=True)
    face.out.result(reconciliation_json.history(name, found))
    if face.out.for_people:
        reconciliation_reports.history(face.out, found)
    return 0
