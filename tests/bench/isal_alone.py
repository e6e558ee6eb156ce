"""The ceiling of `packaging`: files read and compressed in worker processes that load nothing but the compressor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from confere.export.package.zip import deflate


def prepare() -> Callable[[list[str]], None]:
    """What a worker does with each batch of paths."""

    def do(paths: list[str]) -> None:
        for path in paths:
            deflate(Path(path).read_bytes())

    return do
