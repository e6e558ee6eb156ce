"""The shapes that a sandbox can have, and which of them exclude each other."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from sandbox_hub.errors import SandboxError


class Shape(StrEnum):
    """One difference from the plain hub: its list has basic data and history, its details everything."""

    # Where a record says what its files are.
    FULL_LIST = "full-list"  # the list carries the whole detail
    PATH_ARRAY = "path-array"  # `path` is an array
    PATH_VALUE = "path-value"  # `path` is an object with `value`
    ITEM_ID = "item-id"  # the file's id has another name
    HISTORY_FILES = "history-files"  # files only inside the history's entries
    STORAGE_ADDRESS = "storage-address"  # a full address on another host in place of a path
    WRAPPED_DETAIL = "wrapped-detail"  # the detail inside {"data": …}
    NO_IDS = "no-ids"  # a list without ids; the detail also answers to the access key
    LAST_FILE = "last-file"  # the list shows the last file alone
    FEWER_FILES = "fewer-files"  # the list shows fewer files than the history has entries
    # How pages are asked for and told.
    WHOLE_PAGES = "whole-pages"  # an offset that is no multiple of limit is refused
    ROUNDED_PAGES = "rounded-pages"  # … or rounded down to one
    PAGE_BASE_1 = "page-base-1"  # `page` from 1 in place of `offset`
    PAGE_BASE_0 = "page-base-0"  # `page` from 0
    PAGE_RENAMED = "page-renamed"  # `pageNumber` from 0; only the contract says so
    STRICT = "strict"  # unknown parameters are refused
    PAGES_ONLY = "pages-only"  # totalPages and number alone; no links
    NO_TOTALS = "no-totals"  # links alone; no page
    BARE_LIST = "bare-list"  # a JSON array and nothing around it
    EMPTY_204 = "empty-204"  # an empty list is 204
    EMPTY_404 = "empty-404"  # … or 404
    # Which dates a filter takes; all others are 400.
    DATES_DATE_ONLY = "dates-date-only"
    DATES_NO_ZONE = "dates-no-zone"
    DATES_MILLISECONDS = "dates-milliseconds"
    DATES_REFUSED = "dates-refused"
    # What does not show as a change.
    SILENT_EVENTS = "silent-events"  # events leave lastUpdate as it was
    GONE = "gone"  # a few documents disappear when the clock is moved on
    # What a download is wrapped in.
    GZIP_FILE = "gzip-file"
    ZIP_FILE = "zip-file"
    BASE64_FILE = "base64-file"
    JSON_FILE = "json-file"
    HTML_TYPE = "html-type"


Shapes = frozenset[Shape]
NO_SHAPES: Shapes = frozenset()
# At most one of each group: what they change is one and the same thing.
EXCLUSIVE: tuple[Shapes, ...] = (
    frozenset({Shape.FULL_LIST, Shape.NO_IDS, Shape.LAST_FILE, Shape.FEWER_FILES}),
    frozenset({Shape.PATH_ARRAY, Shape.PATH_VALUE}),
    frozenset({Shape.ITEM_ID, Shape.PATH_VALUE}),
    frozenset({Shape.ITEM_ID, Shape.STORAGE_ADDRESS}),
    frozenset({Shape.WHOLE_PAGES, Shape.ROUNDED_PAGES, Shape.PAGE_BASE_1, Shape.PAGE_BASE_0, Shape.PAGE_RENAMED}),
    frozenset({Shape.PAGES_ONLY, Shape.NO_TOTALS, Shape.BARE_LIST}),
    frozenset({Shape.EMPTY_204, Shape.EMPTY_404}),
    frozenset({Shape.DATES_DATE_ONLY, Shape.DATES_NO_ZONE, Shape.DATES_MILLISECONDS, Shape.DATES_REFUSED}),
    frozenset({Shape.GZIP_FILE, Shape.ZIP_FILE, Shape.BASE64_FILE, Shape.JSON_FILE, Shape.HTML_TYPE}),
)


def read_shapes(names: Iterable[str]) -> Shapes:
    """The shapes of these names, each of which may be a comma list.

    Raises SandboxError for an unknown name, or for two that exclude each other.
    """
    shapes = set()
    for name in filter(None, (part.strip() for text in names for part in text.split(","))):
        if name not in set(Shape):
            raise SandboxError(f"There is no shape named {name!r}; there are {', '.join(Shape)}.")
        shapes.add(Shape(name))
    for group in EXCLUSIVE:
        both = in_order(shapes & group)
        if len(both) > 1:
            raise SandboxError(f"The shapes {both[0]} and {both[1]} exclude each other: choose one.")
    return frozenset(shapes)


def in_order(shapes: Iterable[Shape]) -> list[str]:
    """Their names as they are declared."""
    chosen = set(shapes)
    return [shape.value for shape in Shape if shape in chosen]
