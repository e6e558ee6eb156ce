"""The hub's ids of its records and of what can be downloaded, and the way back from an id."""

from __future__ import annotations

from hashlib import blake2b

from sandbox_hub.world.world import Occurrence, World


def document_id(world: World, index: int) -> str:
    """The hub's id of a document's record."""
    return f"fd-{index:08d}-{_seal(world, 'document', index, 0)}"


def item_id(world: World, index: int, ordinal: int) -> str:
    """The `document_item_id` of one of its occurrences."""
    return f"di-{index:08d}-{ordinal}-{_seal(world, 'item', index, ordinal)}"


def document_of(world: World, wanted: str) -> int | None:
    """The document of that id, if the hub holds it."""
    index = index_in(wanted, 3)
    if index is None or not world.exists(index) or document_id(world, index) != wanted:
        return None
    return index


def document_of_key(world: World, access_key: str) -> int | None:
    """The document of that access key, if the hub holds it."""
    index = world.numbering.find(access_key)
    return index if index is not None and world.exists(index) else None


def item_of(world: World, wanted: str) -> tuple[int, Occurrence] | None:
    """The document and occurrence of that item id, if it has happened."""
    index = index_in(wanted, 4)
    if index is not None and world.exists(index):
        for occurrence in (*world.occurrences(index), *world.copies(index)):
            if item_id(world, index, occurrence.ordinal) == wanted:
                return index, occurrence
    return None


def index_in(text: str, count: int) -> int | None:
    """The index in an id of `count` parts."""
    parts = text.split("-")
    return (
        int(parts[1])
        if len(parts) == count and parts[1].isascii() and parts[1].isdigit() and len(parts[1]) < 19
        else None
    )


def _seal(world: World, kind: str, index: int, ordinal: int) -> str:
    """Four characters that make an id of another world, or a guessed one, unknown here."""
    return blake2b(f"{world.seed}:{kind}:{index}:{ordinal}".encode(), digest_size=2).hexdigest()
