"""`confere catalog sync`, `list` and `show`: a hub's products, here."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli import list_saving
from confere.cli.context import Face
from confere.cli.json import catalog_json
from confere.cli.options import reconciliation_options
from confere.cli.render import catalog_view
from confere.errors import UsageFault, message
from confere.system import formatting
from confere.system.messages import t


def catalog_sync(
    face: Face,
    account: reconciliation_options.Account = None,
    full: Annotated[
        bool,
        typer.Option("--full", metavar="", help=t("List every product again; once a week it is done by itself.")),
    ] = False,
) -> int:
    """1 where something listed was refused or is unaccounted for, the list is short, or the user stopped it."""
    from confere.app.catalog import catalog

    with face.job() as reporter:
        result = catalog.sync(face.workspace, account, full=full, reporter=reporter, stop=face.stop, prompt=face.prompt)
    code = 1 if result.failed or result.lost or result.stopped else 0
    face.out.result(catalog_json.synced(result), code)
    if face.out.for_people:
        catalog_view.synced(face.out, result)
    return code


def catalog_list(
    face: Face,
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="WORDS", help=t("Words of titles, codes, EANs, NCM, brand or model.")),
    ] = None,
    account: Annotated[
        str | None, typer.Option("--account", metavar="NAME", help=t("Only this account's products."))
    ] = None,
    gone: Annotated[
        bool, typer.Option("--gone", metavar="", help=t("Only those that the hub no longer lists."))
    ] = False,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=0, help=t("At most this many (default: 50)."))] = 50,
    every: Annotated[bool, typer.Option("--all", metavar="", help=t("Without a limit."))] = False,
    xlsx: list_saving.ToXlsx = None,
    csv: list_saving.ToCsv = None,
    replace: list_saving.Replace = False,
    ids_from: list_saving.RowsFrom = None,
) -> int:
    """0: an empty list is an answer too. A spreadsheet has one row a SKU."""
    plan = list_saving.SavePlan(None, None, xlsx, csv, replace, rows_from=ids_from)
    list_saving.check(plan)
    if plan.targets:
        from confere.app.catalog.catalog import CatalogQuery
        from confere.app.selection.product_files import product_files

        query = CatalogQuery(words=" ".join(words or ()), gone=True if gone else None)
        return list_saving.save(face, plan, product_files(query, account, list_saving.rows(face, plan)))
    from confere.app.catalog import catalog

    page = catalog.find(
        face.workspace,
        " ".join(words or ()),
        account=account,
        gone=True if gone else None,
        limit=None if every else limit,
    )
    face.out.result(catalog_json.listing(page))
    if face.out.for_people:
        if page.products:
            face.out.print(catalog_view.products(page.products))
        shown, total = formatting.count(len(page.products)), formatting.count(page.total)
        face.out.aside(
            t("1 product.")
            if page.total == len(page.products) == 1
            else t("{shown} of {total} products.", shown=shown, total=total)
        )
    return 0


def catalog_show(
    face: Face,
    code: Annotated[str, typer.Argument(metavar="CODE", help=t("A SKU's code, an EAN, or the hub's id of a product."))],
    account: Annotated[
        str | None, typer.Option("--account", metavar="NAME", help=t("Whose product, where several accounts have it."))
    ] = None,
    raw: Annotated[
        bool, typer.Option("--raw", metavar="", help=t("Give the JSON of its newest version as it was received."))
    ] = False,
) -> int:
    """0; what the archive does not hold is wrong use."""
    if raw and not face.out.for_people:
        raise UsageFault(
            message("--json and --raw are two kinds of JSON: this program's, and the hub's."),
            message("Give one of them."),
        )
    from confere.app.catalog import catalog

    shown = catalog.show(face.workspace, code.strip(), account=account)
    if raw:
        face.out.data(catalog.raw(face.workspace, shown.versions[0].version))
        return 0
    face.out.result(catalog_json.shown(shown))
    if face.out.for_people:
        face.out.print(*catalog_view.parts(shown))
    return 0
