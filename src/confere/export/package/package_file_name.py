"""What the ZIP of a company's month is called, and where it is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from confere.errors import UsageFault, message
from confere.export.package.request import PackageRequest, Split
from confere.system.files.safe_names import inside


def path_of(request: PackageRequest, company: str) -> Callable[[str], Path]:
    """Which ZIP takes a model: see `PackageRequest`."""
    target = request.target
    if target.suffix.lower() == ".zip" and not target.is_dir():
        return _named_by_user(target, request.options.split)
    elif target.exists() and not target.is_dir():
        raise UsageFault(
            message("{path} is a file, not a folder.", path=str(target)),
            message("Name a folder, or a file that ends in .zip."),
        )
    stem = f"{company}-{request.options.month}"
    if request.options.split is Split.ONE:
        return lambda _model: inside(target, f"{stem}.zip")
    return lambda model: inside(target, f"{stem}-{model}.zip")


def _named_by_user(target: Path, split: Split) -> Callable[[str], Path]:
    """Their own choice of a name is left as it is."""
    if split is Split.ONE:
        return lambda _model: target
    return lambda model: target.with_name(f"{target.stem}-{model}.zip")
