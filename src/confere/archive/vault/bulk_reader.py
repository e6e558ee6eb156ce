"""Reading the bytes of many contents: a few statements for hundreds of them, each one checked, memory bounded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from confere.archive.store import Archive
from confere.archive.vault.reader import VaultReader

STEP = 256  # contents fetched at once
STEP_BYTES = 8 * 1024 * 1024  # of raw bytes in a step, unless a single content is larger


def contents(archive: Archive, content_ids: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """`(content id, bytes)` of these contents in their order, in short transactions and bounded memory."""
    reader = VaultReader()
    waiting: list[int] = []
    for content_id in content_ids:
        waiting.append(content_id)
        if len(waiting) == STEP:
            yield from _unpacked(archive, reader, waiting)
            waiting = []
    yield from _unpacked(archive, reader, waiting)


def by_weight(sizes: Sequence[int], most: int) -> Iterator[tuple[int, int]]:
    """Cut a list of contents into stretches `(start, stop)` of at most `most` and `STEP_BYTES` raw bytes each."""
    start, weight = 0, 0
    for place, size in enumerate(sizes):
        if place > start and (place - start == most or weight + size > STEP_BYTES):
            yield start, place
            start, weight = place, 0
        weight += size
    if start < len(sizes):
        yield start, len(sizes)


def _unpacked(archive: Archive, reader: VaultReader, content_ids: Sequence[int]) -> Iterator[tuple[int, bytes]]:
    if not content_ids:
        return
    with archive.reading() as transaction:
        known: dict[int, int] = dict(
            transaction.fetch_in("SELECT id, size FROM content WHERE id IN {}", set(content_ids))
        )
    sizes = [known.get(content_id, 0) for content_id in content_ids]
    for start, stop in by_weight(sizes, STEP):
        with archive.reading() as transaction:
            stored = reader.fetch(transaction, content_ids[start:stop])
        for packed in stored:
            yield packed.content_id, reader.unpack(packed)
