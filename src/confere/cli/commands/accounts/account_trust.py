"""`confere account trust`: certificates that a sandbox account's papers may chain to beside ICP-Brasil's."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from confere.cli.context import Face
from confere.cli.json.encoder import each_of
from confere.system.messages import t
from confere.system.plain_text import plain


def account_trust(
    face: Face,
    name: Annotated[str, typer.Argument(metavar="NAME", help=t("The account; not one of production."))],
    file: Annotated[list[Path], typer.Argument(metavar="FILE", help=t("Certificates: PEM, DER or PKCS #7."))],
) -> int:
    """0; a production account is refused."""
    from confere.app.authenticity import account_roots

    trusted = account_roots.trust(face.workspace, name, file)
    face.out.result({"account": name, "trusted": each_of(trusted, "file", "names", "new")})
    if face.out.for_people:
        for trusted_file in trusted:
            for certificate in trusted_file.names:
                face.out.aside(
                    t("Trusted for {account} alone: {certificate}.", account=name, certificate=plain(certificate))
                )
        face.out.aside(t("`confere verify` checks its papers again by them."))
    return 0
