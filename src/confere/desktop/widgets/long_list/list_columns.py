"""The columns of a long list as data: what each shows of a row, how it is painted, copied and sorted by."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from confere.app.archive_session import OpenArchive
from confere.desktop.core import clipboard_rows
from confere.errors import Message
from confere.system.messages import render


class ListedRow(Protocol):
    """A row of a list; `id` is the archive's number of it, by which lists know it."""

    @property
    def id(self) -> int: ...


class ListQuery(Protocol):
    """What a list asks for: a frozen dataclass that says by which column it is sorted."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def sort(self) -> str: ...

    @property
    def descending(self) -> bool: ...


R = TypeVar("R", bound=ListedRow)
Q = TypeVar("Q", bound=ListQuery)
G = TypeVar("G")
R_co = TypeVar("R_co", bound=ListedRow, covariant=True)
Q_contra = TypeVar("Q_contra", bound=ListQuery, contravariant=True)


class ListSource(Protocol[R_co, Q_contra]):
    """Where a list comes from. A module of functions with these names is one."""

    def first(self, opened: OpenArchive, query: Q_contra, limit: int = ..., /) -> Sequence[R_co]: ...

    def snapshot(self, opened: OpenArchive, query: Q_contra, /) -> array[int]: ...

    def rows(self, opened: OpenArchive, ids: Sequence[int], /) -> Sequence[R_co]: ...


class Badge(NamedTuple):
    """A drawing in a cell in place of its text, in the colour of a role; from a `number` of 2 on with it."""

    drawing: str
    role: str
    number: int = 1


class ListColumn(NamedTuple, Generic[R, G]):
    """`key` names it for good: in the window's memory and as an order of the archive. `G` is who looks at the rows.

    `copied` are the heads and texts under which it goes to a spreadsheet, where that is not its title and text.
    `pill` gives the kind of pill that the text is painted in, empty for none; `badge` a drawing in its place, None for
    neither drawing nor text. `narrowest` is the width to which it gives way, in pixels, where that is not its `width`.
    """

    key: str
    title: str
    width: int
    text: Callable[[R, G], str]
    right: bool = False
    shown: bool = True
    newest_first: bool = False  # the way it is sorted when its head is clicked first
    copied: tuple[tuple[str, Callable[[R, G], str]], ...] = ()
    tip: Callable[[R, G], str] | None = None  # what a tooltip says, where that is not the text
    mark: str = ""  # its head is this icon, and the title is read aloud
    quiet: bool = False  # painted in the muted colour
    pill: Callable[[R], str] | None = None
    badge: Callable[[R], Badge | None] | None = None
    narrowest: int = 0
    brief: Callable[[R, G], str] | None = None  # shown instead of `text` where the column gives way
    struck: Callable[[R], bool] | None = None  # whether a row's value counts for nothing
    dots: Callable[[R], Sequence[int]] | None = None  # the colours of its tags, as dots at the free side of the text

    @property
    def name(self) -> str:
        return render(Message(self.title))


class ListPlan(NamedTuple, Generic[R, G]):
    """All columns of a list, those it can be sorted by, and how it stands before anybody chose.

    `loose` takes the room that the others leave, down to `narrowest_loose` pixels. `once_hidden` was hidden from all
    in the first edition of what is remembered: nobody chose that. The `frozen` ones stay when the list is scrolled to
    the side. The `decisive` ones are seen without scrolling: what stands between them leaves where there is no room.
    """

    columns: tuple[ListColumn[R, G], ...]
    sorts: Collection[str]
    sort: str
    loose: str
    narrowest_loose: int = 165
    once_hidden: str = ""
    descending: bool = True
    frozen: tuple[str, ...] = ()
    decisive: tuple[str, ...] = ()

    def place(self, key: str) -> int:
        """Where the column stands in `columns`. `KeyError` where there is none."""
        return self.places()[key]

    def places(self) -> dict[str, int]:
        """Where each column stands in `columns`, by key."""
        return {column.key: place for place, column in enumerate(self.columns)}

    def sortable(self, column: ListColumn[R, G]) -> bool:
        return column.key in self.sorts


def tab_separated(rows: Sequence[R], columns: Sequence[ListColumn[R, G]], glance: G, *, head: bool = True) -> str:
    """Rows as a spreadsheet takes them from the clipboard; every line ends in a line feed."""
    cells = [cell for column in columns for cell in (column.copied or ((column.title, column.text),))]
    lines = [clipboard_rows.line(render(Message(title)) for title, _ in cells)] if head else []
    lines += [clipboard_rows.line(text(row, glance) for _, text in cells) for row in rows]
    return "".join(f"{line}\n" for line in lines)
