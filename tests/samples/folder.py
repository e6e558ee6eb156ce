"""All files written for the tests: as samples, and as a folder with the manifest of what each was written to hold."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

from tests.corpus.files import MANIFEST, PACKAGED, Sample, samples
from tests.samples.described import COLUMNS
from tests.samples.events import events
from tests.samples.freights import freights
from tests.samples.notes import notes
from tests.samples.signed import signed


@cache
def written() -> tuple[Sample, ...]:
    """Every file that is made without keys: one for each layout, form and envelope that is met."""
    return (*notes(), *freights(), *events())


@cache
def signed_samples() -> tuple[Sample, ...]:
    """Those that an authority of the sandbox signed."""
    return tuple(signed())


@cache
def packaged(part: str = "") -> tuple[Sample, ...]:
    """The files that nfelib's package carries; only those of one `part`, such as `nfe`."""
    return tuple(sample for sample in samples(PACKAGED) if sample.name.startswith(part))


def label(sample: Sample) -> str:
    """The name of a test with `sample`."""
    return Path(sample.name).name[-60:]


def write(folder: Path) -> Path:
    """Write every file, signed or not, and the manifest into `folder`. Gives `folder`."""
    files = (*written(), *signed_samples())
    for sample in files:
        (folder / sample.name).write_bytes(sample.data)
    with (folder / MANIFEST).open("w", encoding="utf-8", newline="") as text:
        rows = csv.DictWriter(text, COLUMNS, delimiter="\t")
        rows.writeheader()
        rows.writerows(sample.row for sample in files if sample.row is not None)
    return folder
