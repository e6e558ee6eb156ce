"""Dicts and lists that note each change made to them, as JSON that makes the same change again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any, NoReturn

Note = Callable[[str], None]
Path = tuple[str | int, ...]  # keys and indexes from the outermost dict inwards
_MISSING = object()


def kept(value: Any, note: Note, path: Path = ()) -> Any:
    """The value with every dict and list in it, at any depth, replaced by one that calls `note` with its changes."""
    if isinstance(value, dict):
        return KeptDict(value, note, path)
    return KeptList(value, note, path) if isinstance(value, list) else value


def repeat(changes: Iterable[list[Any]], value: dict[str, Any]) -> None:
    """Make noted changes again in `value`.

    Raises ValueError, KeyError, IndexError, TypeError or AttributeError where they are not of such a value.
    """
    for change in changes:
        kind, path = change[0], change[1]
        owner: Any = value
        for key in path[:-1]:
            owner = owner[key]
        if kind == "set":
            owner[path[-1]] = change[2]
        elif kind == "del":
            del owner[path[-1]]
        elif kind == "add":
            owner[path[-1]].extend(change[2])
        else:
            raise ValueError(f"an unknown change: {kind!r}")


class KeptDict(dict[str, Any]):
    """What is put in is held as a kept copy: read it back from here to change it further."""

    __slots__ = ("_note", "_path")

    def __init__(self, value: dict[str, Any], note: Note, path: Path) -> None:
        super().__init__({key: kept(inner, note, (*path, key)) for key, inner in value.items()})
        self._note = note
        self._path = path

    def __setitem__(self, key: str, value: Any) -> None:
        self._note(_change("set", (*self._path, key), value))
        super().__setitem__(key, kept(value, self._note, (*self._path, key)))

    def __delitem__(self, key: str) -> None:
        super().__delitem__(key)
        self._note(_change("del", (*self._path, key)))

    def pop(self, key: str, default: Any = _MISSING) -> Any:
        if key not in self and default is not _MISSING:
            return default
        value = self[key]
        del self[key]
        return value

    def setdefault(self, key: str, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def update(self, *others: Any, **named: Any) -> None:
        for key, value in dict(*others, **named).items():
            self[key] = value

    def clear(self) -> None:
        for key in list(self):
            del self[key]

    def _refuse(self, *_: object) -> NoReturn:
        raise TypeError("such a change would not be noted")

    popitem = __ior__ = _refuse


class KeptList(list[Any]):
    """It only grows, and elements are replaced: what lies below an element is known by its index."""

    __slots__ = ("_note", "_path")

    def __init__(self, value: list[Any], note: Note, path: Path) -> None:
        super().__init__(kept(inner, note, (*path, n)) for n, inner in enumerate(value))
        self._note = note
        self._path = path

    def append(self, value: Any) -> None:
        self.extend([value])

    def extend(self, values: Iterable[Any]) -> None:
        new = list(values)
        self._note(_change("add", self._path, new))
        super().extend([kept(value, self._note, (*self._path, n)) for n, value in enumerate(new, len(self))])

    def __iadd__(self, values: Iterable[Any]) -> KeptList:  # type: ignore[misc]
        self.extend(values)
        return self

    def __setitem__(self, index: Any, value: Any) -> None:
        if not isinstance(index, int):
            self._refuse()
        index = range(len(self))[index]
        self._note(_change("set", (*self._path, index), value))
        super().__setitem__(index, kept(value, self._note, (*self._path, index)))

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("such a change would not be noted")

    insert = remove = pop = sort = reverse = clear = __delitem__ = __imul__ = _refuse


def _change(*parts: Any) -> str:
    return json.dumps(parts, ensure_ascii=False)
