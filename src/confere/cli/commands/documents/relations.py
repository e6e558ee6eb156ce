"""`confere relations`: what a document refers to, what refers to it, and the chain it stands in."""

from __future__ import annotations

from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json import relation_json
from confere.cli.options import document_name
from confere.cli.render import relation_tree


def relations(
    face: Face,
    name: Annotated[
        str,
        typer.Argument(
            metavar=document_name.FORMS,
            help=document_name.FORMS_HELP,
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
