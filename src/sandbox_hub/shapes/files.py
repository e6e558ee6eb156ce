"""Where a record says what its files are: what the list shows of a document, and how each file is named.

Records come in whole, as the plain hub's detail has them, and are not changed; what goes out is another record.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sandbox_hub.shapes.names import Shape, Shapes
from sandbox_hub.world.seeded_random import Die

Record = dict[str, Any]
_BASIC = (
    "id",
    "documentKey",
    "type",
    "subtype",
    "cfop",
    "createdAt",
    "lastUpdate",
    "marketplace",
    "orderId",
    "metadata",
)
_OTHER_NAMES = ("itemId", "fileId", "idItem", "documentFileId", "xmlId")
_PLACED = {Shape.PATH_ARRAY, Shape.PATH_VALUE, Shape.ITEM_ID, Shape.HISTORY_FILES, Shape.STORAGE_ADDRESS}


class File(NamedTuple):
    """An element of `documents`, and the entry of the history that it belongs to."""

    event: int
    type: str
    item_id: str


class FileShapes:
    """The records of one environment; `address` gives a file's address on the other host."""

    def __init__(self, seed: int, shapes: Shapes, address: Callable[[str], str]) -> None:
        self._shapes = shapes
        self._address = address
        die = Die(seed, "shapes of files")
        self._other_name = die.pick(0, _OTHER_NAMES)
        self._throw = die(1)

    def detail(self, record: Record) -> Record:
        """The answer to a read by id."""
        shown = self.whole(record)
        return {"data": shown} if Shape.WRAPPED_DETAIL in self._shapes else shown

    def listed(self, record: Record) -> Record:
        """The element of a list."""
        if Shape.FULL_LIST in self._shapes:
            return self.whole(record)
        files = _files(record)
        if Shape.LAST_FILE in self._shapes:
            shown: Sequence[File] = files[-1:]
        elif Shape.FEWER_FILES in self._shapes:
            shown = files[:-1] or files
        else:
            shown = ()
        basic = {name: record[name] for name in _BASIC if name in record}
        if Shape.NO_IDS in self._shapes:
            basic.pop("id", None)
        item = {**basic, "history": [_without_links(event) for event in record["history"]]}
        return self._with_files(item, shown) if shown else item

    def whole(self, record: Record) -> Record:
        """Everything that is known of a document, with its files where this hub tells them."""
        if not self._shapes & _PLACED:
            return record
        plain = {**record, "history": [_without_links(event) for event in record["history"]]}
        return self._with_files(plain, _files(record))

    def _with_files(self, record: Record, files: Sequence[File]) -> Record:
        if Shape.HISTORY_FILES not in self._shapes:
            return {**record, "documents": [self._named(file) for file in files]}
        history = []
        for number, event in enumerate(record["history"]):
            own = [self._named(file) for file in files if file.event == number]
            history.append({**event, "documents": own} if own else event)
        return {name: value for name, value in record.items() if name != "documents"} | {"history": history}

    def _named(self, file: File) -> Record:
        return {"type": file.type, "path": self._path(file.item_id)}

    def _path(self, item_id: str) -> object:
        if Shape.STORAGE_ADDRESS in self._shapes:
            path: object = self._address(item_id)
        elif Shape.ITEM_ID in self._shapes:
            path = {self._other_name: item_id}
        elif Shape.PATH_VALUE in self._shapes or (Shape.PATH_ARRAY in self._shapes and self._throw & 1):
            path = item_id
        else:
            path = {"document_item_id": item_id}
        if Shape.PATH_VALUE in self._shapes:
            path = {"value": path}
        return [path] if Shape.PATH_ARRAY in self._shapes else path


def _files(record: Record) -> list[File]:
    """The plain detail's files; what is there beside one for each event (a second copy) is of the first event."""
    events = len(record["history"])
    return [
        File(number if number < events else 0, file["type"], file["path"]["document_item_id"])
        for number, file in enumerate(record["documents"])
    ]


def _without_links(event: Record) -> Record:
    return {name: value for name, value in event.items() if name != "links"}
