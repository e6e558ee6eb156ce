"""Where a record may say which files it has: declared places, tried on each answer until one names every file.

The specification says "`path` inside the `documents` array" and no more. Each place is a pure function with a name;
the name of the one that fits is what is remembered of an account's hub. Nothing here raises on any JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from confere.hub.documents.file_references import FileName, named
from confere.hub.json.json_values import objects, pick, text

Element = Mapping[str, object]

READER = "1"
"""Changes with what is understood: records that were not are read again then."""

HISTORIES = ("history", "events", "historic")
CONTAINERS = (
    "documents", "files", "documentItems", "document_items", "documentFiles", "documentos", "arquivos",
    "attachments", "xmls",
)  # fmt: skip
_ITEM_IDS = ("document_item_id", "documentItemId", "documentItemID", "item_id", "itemId", "file_id", "fileId")
_ADDRESSES = (
    "downloadUrl", "download_url", "downloadLink", "xmlUrl", "xml_url", "fileUrl", "file_url", "storageUrl", "href",
    "url", "uri", "link", "address", "location",
)  # fmt: skip
_VALUES = ("value", "path", *_ADDRESSES, "key", "name")
_NESTED = ("file", "xml", "document", "attachment", "content", "download", "arquivo")
_KINDS = ("type", "kind", "event", "status", "tipo")
_SIGNS_OF_ELEMENT = frozenset({"path", "links", "id", *_ITEM_IDS, *_ADDRESSES, *_KINDS, *_NESTED})
# `fileId`, `document_id`, `UUID`, `idArquivo`: names of identifiers, and no words that merely end so (`paid`).
_IDENTIFIER = re.compile(r"(?:^|[a-z0-9])(?:Id|ID)$|(?:^|[_-])id$|^id(?=[A-Z_])|(?:uuid|guid|UUID|GUID|Uuid|Guid)$")
_OTHERS_ID = re.compile(
    r"order|account|seller|company|user|market|parent|tenant|customer|store|pedido|conta|loja|event", re.IGNORECASE
)
_FILE_LIKE = re.compile(r"file|item|xml|arquivo|uuid|guid", re.IGNORECASE)
_DEEPEST = 4
_MOST_OTHERS = 3


@dataclass(frozen=True, slots=True)
class FileLocation:
    """A place within an element; `read` gives the names of the files that stand there."""

    name: str
    read: Callable[[Element], tuple[FileName, ...]]


@dataclass(frozen=True, slots=True)
class Files:
    """What was understood: `(file, the hub's word for what it is)`, where it stood, and how many elements were not."""

    named: tuple[tuple[FileName, str | None], ...] = ()
    place: str | None = None
    unread: int = 0


def of_containers(source: Element, own: frozenset[str], kind: str | None = None, depth: int = 0) -> Files:
    """The files that arrays such as `documents` of `source` name. `own` are the record's own id and key.

    `kind` stands for what an element does not say itself.
    """
    for container in CONTAINERS:
        elements = tuple(_elements(source.get(container), kind))
        if elements:
            return _fitting(container, elements, own, depth)
    return Files()


def otherwise(source: Element, item_id: str) -> tuple[str, ...]:
    """What else the elements that name this file could call it, likeliest first: for where the hub knows none so."""
    others: dict[str, None] = {}
    events = [entry for name in HISTORIES for entry in objects(source.get(name))]
    for holder in (source, *events):
        for container in CONTAINERS:
            elements = [element for element, _ in _elements(holder.get(container), None)]
            places = (*_PLACES, *_identifiers(elements))
            for element in elements:
                names = [file.item_id for place in places for file in place.read(element) if file.address is None]
                if item_id in names:
                    others.update(dict.fromkeys(name for name in names if name != item_id))
    return tuple(others)[:_MOST_OTHERS]


def of_event(entry: Element, kind: str | None, *, lenient: bool = False) -> Files:
    """The files that an entry of the history (or the record itself) names, in its own arrays or beside its status.

    An entry's bare id is its own and names no file. `lenient` takes any address for one.
    """
    inner = of_containers(entry, frozenset(), kind)
    if inner.named:
        return inner
    for place in (*_PATHS, *_EXPLICIT, _LINKS, *(_WEAK if lenient else ())):
        files = place.read(entry)
        if files:
            return Files(tuple((file, kind) for file in files), place.name)
    return Files(unread=inner.unread)


def _elements(value: object, kind: str | None) -> Iterator[tuple[Element, str | None]]:
    """The elements of such an array with their kinds; an object may be one element or hold them by their kinds."""
    if isinstance(value, dict):
        by_kind = value and not _SIGNS_OF_ELEMENT & value.keys() and all(isinstance(v, dict) for v in value.values())
        if by_kind:
            for name, element in value.items():
                yield element, pick(element, text, *_KINDS) or text(name)
            return
        value = [value]
    for element in value if isinstance(value, list) else [value]:
        if isinstance(element, dict):
            if element:
                yield element, pick(element, text, *_KINDS) or kind
        elif isinstance(element, str | int | list) and element and not isinstance(element, bool):
            yield {"path": element}, kind


def _fitting(container: str, elements: Sequence[tuple[Element, str | None]], own: frozenset[str], depth: int) -> Files:
    """The first place that names a file of its own for each element; else whatever each element shows."""
    places = (*_PLACES, *_identifiers([element for element, _ in elements]))
    distinct = len({repr(element) for element, _ in elements})
    for place in places:
        found = [_without(place.read(element), own) for element, _ in elements]
        if all(found) and len({file.item_id for files in found for file in files}) >= distinct:
            return Files(
                tuple((file, kind) for files, (_, kind) in zip(found, elements, strict=True) for file in files),
                f"{container}[].{place.name}",
            )
    named_files: list[tuple[FileName, str | None]] = []
    first: str | None = None
    unread = 0
    for element, kind in elements:
        name, files = _any_place(places, element, own, kind, depth)
        named_files += [(file, kind) for file in files]
        unread += not files
        first = first or name
    return Files(tuple(named_files), None if first is None else f"{container}[].{first}", unread)


def _any_place(
    places: Sequence[FileLocation], element: Element, own: frozenset[str], kind: str | None, depth: int
) -> tuple[str | None, tuple[FileName, ...]]:
    for place in places:
        files = _without(place.read(element), own)
        if files:
            return place.name, files
    if depth < _DEEPEST:
        inner = of_containers(element, own, kind, depth + 1)
        if inner.named:
            return inner.place, tuple(file for file, _ in inner.named)
    # A hub may call its only file as it calls the record.
    return next(((place.name, files) for place in places if (files := place.read(element))), (None, ()))


def _without(files: tuple[FileName, ...], own: frozenset[str]) -> tuple[FileName, ...]:
    return tuple(file for file in files if file.item_id not in own)


def _identifiers(elements: Sequence[Element]) -> Iterator[FileLocation]:
    """Places made of the elements' own fields that look like identifiers, those that speak of a file first."""
    names = dict.fromkeys(
        name
        for element in elements
        for name in element
        if _IDENTIFIER.search(name) and not _OTHERS_ID.search(name) and name not in _ITEM_IDS
    )
    for name in sorted(names, key=lambda name: (_FILE_LIKE.search(name) is None, name == "_id")):
        yield FileLocation(name, _field(name))


def _field(name: str, *, is_id: bool = True) -> Callable[[Element], tuple[FileName, ...]]:
    """A scalar field: an id stands for itself, unless it is an address after all; of a path its end is the id."""

    def read(element: Element) -> tuple[FileName, ...]:
        value = element.get(name)
        written = value if isinstance(value, str) else text(value)
        if not is_id:
            return _one(named(written))
        bare = text(value)
        return _one(named(written, only_downloads=True) or (FileName(bare) if bare else None))

    return read


def _one(file: FileName | None) -> tuple[FileName, ...]:
    return () if file is None else (file,)


def _first(source: Element, names: Sequence[str], *, are_ids: bool = True) -> tuple[FileName, ...]:
    for name in names:
        value = source.get(name)
        if not isinstance(value, dict | list) and (files := _field(name, is_id=are_ids)(source)):
            return files
    return ()


def _path_item_id(element: Element) -> tuple[FileName, ...]:
    path = element.get("path")
    return _first(path, (*_ITEM_IDS, "id")) if isinstance(path, dict) else ()


def _path_value(element: Element) -> tuple[FileName, ...]:
    path = element.get("path")
    if not isinstance(path, dict):
        return ()
    return (
        _first(path, _VALUES, are_ids=False)
        or next((files for place in _identifiers([path]) if (files := place.read(path))), ())
        or _deeper(path)
    )


def _path_text(element: Element) -> tuple[FileName, ...]:
    return _first(element, ("path",), are_ids=False)


def _path_array(element: Element) -> tuple[FileName, ...]:
    path = element.get("path")
    return tuple(_of_array(path, 0)) if isinstance(path, list) else ()


def _of_array(path: list[object], depth: int) -> Iterator[FileName]:
    parts = [text(part) for part in path if not isinstance(part, dict | list)]
    if "download" in parts[:-1]:  # the segments of one address
        yield from _one(named(parts[-1]))
        return
    for part in path:
        if isinstance(part, dict):
            element = {"path": part}
            yield from _path_item_id(element) or _path_value(element)
        elif isinstance(part, list):
            if depth < _DEEPEST:
                yield from _of_array(part, depth + 1)
        else:
            yield from _one(named(part if isinstance(part, str) else text(part)))


def _explicit(element: Element) -> tuple[FileName, ...]:
    return _first(element, _ITEM_IDS)


def _links(element: Element) -> tuple[FileName, ...]:
    """Of links those to a download: by their address, or by their `rel` where the address is somewhere else."""
    found: dict[str, FileName] = {}
    links = element.get("links", element.get("_links"))
    if isinstance(links, dict):
        links = [
            {"rel": rel, "href": link.get("href") if isinstance(link, dict) else link} for rel, link in links.items()
        ]
    for link in links if isinstance(links, list) else ():
        if not isinstance(link, dict):
            link = {"href": link}
        href = link.get("href", link.get("url"))
        is_download = (text(link.get("rel")) or "").lower() in ("download", "xml", "file")
        file = named(href, only_downloads=not is_download) if isinstance(href, str) else None
        if file is not None:
            found.setdefault(file.item_id, file)
    return tuple(found.values())


def _address(element: Element) -> tuple[FileName, ...]:
    return _first(element, _ADDRESSES, are_ids=False)


def _storage(element: Element) -> tuple[FileName, ...]:
    """A full address under one of its names: elsewhere the same names hold what is no file."""
    for name in _ADDRESSES:
        value = element.get(name)
        file = named(value) if isinstance(value, str) else None
        if file is not None and file.address is not None:
            return (file,)
    return ()


def _deeper(element: Element, depth: int = 0) -> tuple[FileName, ...]:
    """What an object within the element names: `{"file": {"id": …}}`."""
    for name in _NESTED:
        inner = element.get(name)
        if isinstance(inner, dict):
            for place in (*_PATHS, *_EXPLICIT, _LINKS, _ADDRESS, *_identifiers([inner])):
                if files := place.read(inner):
                    return files
            if depth < _DEEPEST and (files := _deeper(inner, depth + 1)):
                return files
        elif isinstance(inner, str) and (file := named(inner, only_downloads=True)) is not None:
            return (file,)
    return ()


_PATHS = (
    FileLocation("path.document_item_id", _path_item_id),
    FileLocation("path.value", _path_value),
    FileLocation("path[]", _path_array),
    FileLocation("path", _path_text),
)
_EXPLICIT = (FileLocation("document_item_id", _explicit),)
_LINKS = FileLocation("links[].href", _links)
_ADDRESS = FileLocation("url", _address)
_WEAK = (FileLocation("url", _storage), FileLocation("file", _deeper))
_PLACES = (*_PATHS, *_EXPLICIT, _ADDRESS, _LINKS, FileLocation("file", _deeper))
