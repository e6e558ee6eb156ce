"""The documents that benchmarks work on: a sandbox world printed to files, the same for the same seed."""

from __future__ import annotations

from pathlib import Path

from sandbox_hub.paper.document_factory import Authority
from sandbox_hub.world.documents.document_xml import print_xml
from sandbox_hub.world.world import World


def write(folder: Path, documents: int, seed: int = 7) -> list[Path]:
    """Every XML of a world of `documents`, one file each, spread over folders of a thousand."""
    world, authority = World(seed, documents), Authority(seed)
    written = []
    for index in world.all_documents():
        part = folder / f"{index // 1000:04d}"
        part.mkdir(parents=True, exist_ok=True)
        for occurrence in world.occurrences(index):
            path = part / f"{index:07d}-{occurrence.ordinal}.xml"
            path.write_bytes(print_xml(world, index, occurrence, authority))
            written.append(path)
    return written
