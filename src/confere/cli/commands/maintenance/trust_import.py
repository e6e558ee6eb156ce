"""`confere trust import`: authorities of ICP-Brasil out of files; what a pinned root does not vouch for is left out."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json.encoder import each_of
from confere.system.messages import t
from confere.system.plain_text import plain


def trust_import(
    face: Face,
    file: Annotated[list[Path], typer.Argument(metavar="FILE", help=t("Certificates: PEM, DER or PKCS #7."))],
) -> int:
    """0; 1 where nothing in the files leads to a root of ICP-Brasil."""
    from confere.app.authenticity import learn_authorities

    imported = learn_authorities.import_files(face.workspace.home, file)
    code = 0 if any(imported_file.new or imported_file.known for imported_file in imported) else 1
    face.out.result({"imported": each_of(imported, "file", "new", "known", "unproved")}, code)
    if face.out.for_people:
        for imported_file in imported:
            for name in imported_file.new:
                face.out.aside(t("Learned: {certificate}.", certificate=plain(name)))
            for name in imported_file.known:
                face.out.aside(t("Known already: {certificate}.", certificate=plain(name)))
            for name in imported_file.unproved:
                face.out.aside(
                    t("Left out, no root of ICP-Brasil vouches for it: {certificate}.", certificate=plain(name))
                )
        if any(imported_file.new for imported_file in imported):
            face.out.aside(t("`confere verify` checks again what lacked them."))
    return code
