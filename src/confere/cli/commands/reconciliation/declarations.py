"""`confere declarations`: what was declared complete, by whom and by which file; and how it is taken back."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli import tables
from confere.cli.context import Face
from confere.cli.json import declaration_json
from confere.cli.options import reconciliation_options
from confere.errors import NC_
from confere.system import formatting
from confere.system.messages import t
from confere.system.plain_text import plain


def declarations_list(face: Face, account: reconciliation_options.Account = None) -> int:
    """Always 0: an empty list is an answer too."""
    from confere.app.reconciliation import declarations

    found = declarations.every(face.workspace, account)
    face.out.result({"declarations": [declaration_json.declaration(entry) for entry in found]})
    if face.out.for_people:
        if not found:
            face.out.aside(t("Nothing was declared complete. --complete of the imports does it."))
            return 0
        face.out.print(
            tables.table(
                [
                    t("Number"),
                    t("Account"),
                    t("What"),
                    t("Month"),
                    t("Marketplaces"),
                    t("File"),
                    t("SHA-256"),
                    t(NC_("declaration", "By")),
                    t(NC_("declaration", "On")),
                    t("Revoked"),
                ],
                [
                    [
                        str(entry.id),
                        plain(entry.account),
                        declarations.what_word(entry),
                        entry.month,
                        ", ".join(map(plain, entry.marketplaces)) or t(NC_("marketplaces", "all")),
                        plain(entry.file),
                        entry.sha256[:12],
                        plain(entry.actor),
                        formatting.moment(entry.at),
                        formatting.moment(entry.revoked_at) if entry.revoked_at else "",
                    ]
                    for entry in found
                ],
            )
        )
    return 0


def declarations_revoke(
    face: Face, number: Annotated[int, typer.Argument(metavar="NUMBER", help=t("As the list numbers it."))]
) -> int:
    """0; what rested on it is not checked again from the next reconciliation on."""
    from confere.app.reconciliation import declarations

    found = declarations.revoke(face.workspace, number)
    face.out.result({"declaration": declaration_json.declaration(found)})
    if face.out.for_people:
        face.out.aside(t("Revoked. The next `confere reconcile` no longer calls missing what rested on it."))
    return 0
