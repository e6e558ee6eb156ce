"""What the ZIP of a company's month is called, and where it is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from confere.errors import UsageFault, message
from confere.export.package.request import Form, PackageRequest, Split
from confere.system.files.safe_names import inside


def path_of(request: PackageRequest, company: str) -> Callable[[str], Path]:
    """Which ZIP takes a model: see `PackageRequest`."""
    target = request.target
    as_folder = request.options.form is Form.FOLDER
    if target.suffix.lower() == ".zip" and not target.is_dir():
        if as_folder:
            raise UsageFault(
                message("{path} is the name of a ZIP, and a folder was asked for.", path=str(target)),
                message("Name the folder that the package's own is made in."),
            )
        return _named_by_user(target, request.options.split)
    elif target.exists() and not target.is_dir():
        raise UsageFault(
            message("{path} is a file, not a folder.", path=str(target)),
            message("Name a folder, or a file that ends in .zip."),
        )
    stem = f"{company}-{request.options.month}"
    ending = "" if as_folder else ".zip"
    if request.options.split is Split.ONE:
        return lambda _model: inside(target, f"{stem}{ending}")
    return lambda model: inside(target, f"{stem}-{model}{ending}")


def _named_by_user(target: Path, split: Split) -> Callable[[str], Path]:
    """Their own choice of a name is left as it is."""
    if split is Split.ONE:
        return lambda _model: target
    return lambda model: target.with_name(f"{target.stem}-{model}.zip")
