"""Named things with an id (brands, categories, variations, campaigns): those of the world, and written ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sandbox_hub.catalog.ids import FIRST_WRITTEN

Record = dict[str, Any]


class Register:
    """Records by id, in the order of their ids; `kept` belongs to the owner and holds what was written, as JSON."""

    def __init__(self, base: Sequence[Mapping[str, Any]], kept: dict[str, Record]) -> None:
        self._base = {record["id"]: record for record in base}
        self._kept = kept

    def __len__(self) -> int:
        return sum(1 for _ in self.ids())

    def ids(self) -> Iterator[int]:
        """Every id, rising."""
        yield from self._base
        yield from (int(name) for name in self._kept if int(name) not in self._base)

    def get(self, record_id: int) -> Record | None:
        """A copy of the record; None where there is none of this id."""
        record = self._kept.get(str(record_id)) or self._base.get(record_id)
        return None if record is None else dict(record)

    def values(self) -> Iterator[Record]:
        """Every record."""
        for record_id in self.ids():
            record = self.get(record_id)
            assert record is not None
            yield record

    def first(self, name: str, value: Any) -> Record | None:
        """The first record whose field `name` has this value."""
        return next((record for record in self.values() if record.get(name) == value), None)

    def add(self, fields: Mapping[str, Any]) -> Record:
        """Register something new; the record with its id."""
        written = max((int(name) for name in self._kept), default=0)
        record = {"id": max(FIRST_WRITTEN, written + 1), **fields}
        self._kept[str(record["id"])] = record
        return dict(record)

    def change(self, record: Record) -> None:
        """Replace the record of this id."""
        self._kept[str(record["id"])] = dict(record)
