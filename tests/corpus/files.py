"""The files of a corpus: the XML of a folder with its manifest's rows, or the samples that nfelib's package carries."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import nfelib

PACKAGED = "nfelib"
MANIFEST = "manifest.tsv"

Row = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Sample:
    """One file. `name` is its path inside its corpus, `row` what the corpus's manifest says of it."""

    name: str
    data: bytes
    row: Row | None = None


def samples(corpus: str) -> Iterator[Sample]:
    """The XML files of `corpus`, a folder or the word `nfelib`, in the order of their names.

    Raises `FileNotFoundError` where there is no such folder, or a file of its manifest is not there.
    """
    if corpus == PACKAGED and not Path(corpus).is_dir():
        folder = Path(nfelib.__file__).parent
        paths = [path for path in folder.rglob("*") if "samples" in path.parts and is_xml(path)]
    else:
        folder = Path(corpus)
        if not folder.is_dir():
            raise FileNotFoundError(f"no folder {corpus}")
        paths = [path for path in folder.rglob("*") if is_xml(path)]
    rows = manifest(folder)
    found = {path.relative_to(folder).as_posix(): path for path in sorted(paths)}
    absent = sorted(rows.keys() - found.keys())
    if absent:
        raise FileNotFoundError(f"the manifest of {corpus} names files that are not there: {', '.join(absent)}")
    for name, path in found.items():
        yield Sample(name, path.read_bytes(), rows.get(name))


def manifest(folder: Path) -> dict[str, Row]:
    """The rows of the folder's manifest by file name; none where it has no manifest."""
    path = folder / MANIFEST
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as text:
        return {row["file"]: row for row in csv.DictReader(text, delimiter="\t")}


def is_xml(path: Path) -> bool:
    return path.suffix.lower() == ".xml" and path.is_file()
