"""Finds the files of `resources/` (translations, icons, theme), in the wheel and in an editable checkout."""

from __future__ import annotations

from pathlib import Path

from confere.errors import Bug, message

_PACKAGE = Path(__file__).resolve().parent.parent


def resource(*parts: str) -> Path:
    """Path of the resource `parts`, for example `resource("locale", "es")`; it may be a folder.

    An installed wheel (and a frozen build) carries the files in `confere/resources`; an editable install
    leaves them at the top of the checkout. Raises `Bug` when the installation lacks the resource.
    """
    for root in (_PACKAGE / "resources", _PACKAGE.parent.parent / "resources"):
        path = root.joinpath(*parts)
        if path.exists():
            return path
    raise Bug(
        message("This installation of Confere lacks the file {name}.", name="/".join(parts)),
        message("Install Confere again."),
    )
