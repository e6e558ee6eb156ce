"""Every file that the hub holds of its documents, by name and digest: what an archive of them is held against."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import NamedTuple

from sandbox_hub.environment import Environment
from sandbox_hub.world.hub_ids import document_id, item_id


class HubFile(NamedTuple):
    """A file of a document's event. `access_key` is None for a voiding, `sha256` (hex) where it was not asked for."""

    item_id: str
    document_id: str
    access_key: str | None
    sha256: str | None = None


def files_held(environment: Environment, *, digests: bool = False) -> Iterator[HubFile]:
    """Every file, oldest document first. `digests` makes each file, which takes a millisecond or two."""
    world = environment.world
    documents = environment.documents
    for index in documents.all():
        key = documents.key(index)
        for occurrence in (*documents.occurrences(index), *documents.copies(index)):
            name = item_id(world, index, occurrence.ordinal)
            xml = environment.xml(name) if digests else None
            sha256 = None if xml is None else hashlib.sha256(xml).hexdigest()
            yield HubFile(name, document_id(world, index), key, sha256)
