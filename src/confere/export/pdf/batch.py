"""Rendering many papers: in this process, or in several that share the work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from confere.errors import ConfereError, Message, PaperError
from confere.export.pdf.pdf_request import DrawnKind, Rendered
from confere.fiscal.model import Document, State
from confere.system.messages import language, set_language
from confere.system.processes.cancellation import Stop


@dataclass(frozen=True, slots=True)
class DrawnPart:
    """Which paper of a file is drawn, and as what: the `position`th of its kind, with a document's state.

    `name` is what an event is called.
    """

    position: int
    kind: DrawnKind
    state: State | None = None
    name: Message | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """What `render` is asked for; `about` is the file of an event's document, `place` the document in it."""

    data: bytes
    part: DrawnPart
    about: bytes = b""
    place: int = 0


def work(
    pieces: Iterable[Piece | Message], *, processes: int = 1, stop: Stop | None = None
) -> Iterator[Rendered | Message]:
    """A PDF for each piece, in their order, or the reason for which there is none; a reason stays one.

    Ends early where `stop` asks for it: what is begun is finished.
    """
    stop = stop or Stop()
    if processes < 2:
        for piece in pieces:
            if stop.is_set:
                return
            yield piece if isinstance(piece, Message) else make(piece)
        return
    yield from _shared(pieces, processes, stop)


def make(piece: Piece) -> Rendered | Message:
    """One of them; whatever is wrong with the paper is a reason."""
    from confere.export.pdf.render import render

    try:
        return render(
            piece.data,
            piece.part.position,
            piece.part.kind,
            state=piece.part.state,
            about=_about(piece),
            name=piece.part.name,
        )
    except ConfereError as error:
        return error.what


def _about(piece: Piece) -> Document | None:
    from confere.fiscal.reading.document import read

    try:
        found = read(piece.about, whole=[piece.place]).documents if piece.about else ()
    except PaperError:
        return None
    return found[piece.place] if piece.place < len(found) else None


def _shared(pieces: Iterable[Piece | Message], processes: int, stop: Stop) -> Iterator[Rendered | Message]:
    from confere.system.processes import worker_pool  # of no use to a window, which only wants to know what a piece is

    ready: dict[int, Rendered | Message] = {}

    def tasks() -> Iterator[tuple[int, Piece]]:
        for number, piece in enumerate(pieces):
            if stop.is_set:
                return
            if isinstance(piece, Message):
                ready[number] = piece
            else:
                yield number, piece

    place = 0
    for number, made in worker_pool.work(prepare, (language(),), tasks(), processes, ahead=1):
        ready[number] = made
        while place in ready:
            yield ready.pop(place)
            place += 1
    for number in sorted(ready):
        yield ready[number]


def prepare(code: str) -> Callable[[tuple[int, Piece]], tuple[int, Rendered | Message]]:
    """What another process does, in our language."""
    set_language(code)
    return lambda task: (task[0], make(task[1]))
