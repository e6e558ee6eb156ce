"""`confere saved`: searches under a name, which `confere list --saved` and the window's sidebar show again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from confere.cli import tables
from confere.cli.context import Face
from confere.cli.json.encoder import Shape, fields_of
from confere.cli.options import document_filters, options, typed_values
from confere.cli.options.reconciliation_options import archive_of
from confere.system.messages import t
from confere.system.plain_text import plain
from confere.system.processes.command_text import command_text

if TYPE_CHECKING:
    from confere.app.documents.organize.saved_searches import SavedSearch

Name = Annotated[str, typer.Argument(metavar="NAME", help=t("The saved search."))]


def saved_list(face: Face) -> int:
    """Always 0."""
    from confere.app.documents.organize import saved_searches
    from confere.app.documents.search.filter_text import filter_text

    with archive_of(face) as opened:
        found = saved_searches.every(opened)
    face.out.result({"saved": [_shape(entry) for entry in found]})
    if face.out.for_people:
        rows = [(entry.name, entry.words, filter_text(entry.filters)) for entry in found]
        if rows:
            face.out.print(tables.table((t("Name"), t("Words"), t("Filters")), rows))
        else:
            face.out.aside(t("No search is saved. Save one with `confere saved add NAME WORDS`."))
    return 0


def saved_add(
    face: Face,
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("What the search is to be called."))],
    words: document_filters.Words = None,
    company: document_filters.Company = None,
    month: options.Month = None,
    first: options.From = None,
    last: options.To = None,
    type: document_filters.Type = None,
    state: document_filters.State = None,
    verdict: document_filters.Verdict = None,
    ground: document_filters.Ground = None,
    direction: document_filters.Direction = None,
    marketplace: document_filters.Marketplace = None,
    subtype: document_filters.Subtype = None,
    order: document_filters.Order = None,
    number: document_filters.Number = None,
    series: document_filters.Series = None,
    cfop: document_filters.Cfop = None,
    account: document_filters.Account = None,
    with_findings: document_filters.WithFindings = False,
    no_longer_listed: document_filters.NoLongerListed = False,
    tag: document_filters.Tag = None,
    replace: Annotated[
        bool, typer.Option("--replace", metavar="", help=t("Let a name that is taken stand for this search instead."))
    ] = False,
) -> int:
    """0 when it is saved."""
    from confere.app.documents.organize import saved_searches

    filters = document_filters.query(
        company=company,
        days=typed_values.days(first, last, month),
        type=type,
        state=state,
        verdict=verdict,
        ground=ground,
        direction=direction,
        marketplace=marketplace,
        subtype=subtype,
        order=order,
        number=number,
        series=series,
        cfop=cfop,
        account=account,
        with_findings=with_findings,
        no_longer_listed=no_longer_listed,
        tag=tag,
    )
    saved = saved_searches.save(face.workspace, name, " ".join(words or ()), filters, replace=replace)
    face.out.result(_shape(saved))
    if face.out.for_people:
        command = command_text(["confere", "list", "--saved", plain(saved.name)])
        face.out.aside(t("Saved as {name}; `{command}` shows it.", name=plain(saved.name), command=command))
    return 0


def saved_rename(
    face: Face, name: Name, new: Annotated[str, typer.Argument(metavar="NEW", help=t("What it is to be called."))]
) -> int:
    """0 when it is called so."""
    from confere.app.documents.organize import saved_searches

    saved = saved_searches.rename(face.workspace, name, new)
    face.out.result(_shape(saved))
    if face.out.for_people:
        face.out.aside(t("The saved search is called {name} now.", name=plain(saved.name)))
    return 0


def saved_remove(face: Face, name: Name) -> int:
    """0 when it is gone."""
    from confere.app.documents.organize import saved_searches

    saved = saved_searches.remove(face.workspace, name)
    face.out.result(_shape(saved))
    if face.out.for_people:
        face.out.aside(t("The saved search {name} was removed; no document changed.", name=plain(saved.name)))
    return 0


def _shape(saved: SavedSearch) -> Shape:
    return fields_of(saved, "name", "words", "filters", "created_at")
