"""`confere relations`: what a document refers to, what refers to it, and the chain it stands in."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import relation_json
from confere.cli.options import document_name
from confere.cli.render import relation_tree
from confere.system.messages import t


def relations(
    face: Face,
    name: Annotated[
        str,
        typer.Argument(
            metavar="KEY|SHA256|ROW",
            help=t("An access key, a SHA-256, a row number, or a search that one document fits: 1/4711."),
        ),
    ],
) -> int:
    """0; what the archive has never heard of is wrong use."""
    from confere.app.documents import relations

    found = relations.named(face.workspace, document_name.exact(face, name))
    face.out.result(relation_json.relations(found))
    if face.out.for_people:
        face.out.print(*relation_tree.parts(found))
    return 0
