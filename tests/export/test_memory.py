"""A package of many documents takes no more memory than one of few."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

from confere.archive.store import Archive
from confere.export.package.package import export_package
from confere.export.package.request import PackageOptions, PackageRequest
from tests.export.made import COMPANY, MONTH, event, key, note, store

FEW, MANY, TWICE = 200, 2000, 4000


def peak(archive: Archive, target: Path) -> int:
    tracemalloc.start()
    try:
        export_package(archive, PackageRequest(COMPANY, target, PackageOptions(MONTH)))
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def grow(archive: Archive, first: int, after: int) -> None:
    for start in range(first, after, 500):
        store(archive, *(note(number) for number in range(start, min(start + 500, after))))


def test_memory_is_flat(archive: Archive, out: Path) -> None:
    grow(archive, 0, FEW)
    store(archive, *(event(key(number)) for number in range(0, FEW, 10)))
    export_package(
        archive, PackageRequest(COMPANY, out / "warm.zip", PackageOptions(MONTH))
    )  # what is imported and cached once
    few = peak(archive, out / "few.zip")
    grow(archive, FEW, MANY)
    many = peak(archive, out / "many.zip")
    grow(archive, MANY, TWICE)
    twice = peak(archive, out / "twice.zip")
    # With few documents neither a step nor a buffer is ever full; from there on only what is counted in bytes for
    # each document may grow: its id and its place among the names. The XML alone is 1.3 KB each, its row 0.7.
    assert many - few < 2_000_000
    # How far the thread is ahead differs from run to run by some groups of 64.
    assert twice - many < 60 * (TWICE - MANY) + 500_000
