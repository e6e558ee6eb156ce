"""Whether a downloaded file is the one that was asked for: of the record's key, or of its company where it has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from confere.errors import Message, message
from confere.fiscal.model import Paper
from confere.intake.documents.unwrapping import inside
from confere.intake.isolated_reading import Reading, Received, read_safely

_EMITTER = slice(6, 20)  # of an access key: the CNPJ of whoever issued it


@dataclass(frozen=True, slots=True)
class Chosen:
    """The file of a download: its bytes, what reading gave, and what was around them.

    `mismatch` says why it is not the file that was asked for, None where it is or nobody can tell.
    """

    data: bytes
    reading: Reading
    layers: tuple[str, ...] = ()
    mismatch: Message | None = None


def choose(
    received: bytes,
    source: str,
    key: str | None,
    before: Callable[[int], object] = bool,
    read: Callable[[Received], Reading] = read_safely,
) -> Chosen:
    """Of what was received, itself or what is wrapped in it, the file of document `key`; else the first that is read.

    Where nothing in it can be read the bytes stand for themselves, with the reason. `before` is told the size of
    each file before it is read: a tree takes far more room than its bytes. `read` is how each is read.
    """
    best: Chosen | None = None
    for found in inside(received):
        before(len(found.data))
        reading = read(Received(found.data, source))
        chosen = Chosen(found.data, reading, found.layers, mismatch(reading.paper, found.data, key))
        if reading.paper is not None and chosen.mismatch is None:
            return chosen
        if best is None or (best.reading.paper is None and reading.paper is not None):
            best = chosen
    if best is not None and (not best.layers or best.reading.paper is not None):
        return best
    before(len(received))
    reading = read(Received(received, source))
    return Chosen(received, reading, (), mismatch(reading.paper, received, key))


def mismatch(paper: Paper | None, data: bytes, key: str | None) -> Message | None:
    """Why `paper` is not of document `key`; None where it is, where there is no key, or where nothing was read."""
    if paper is None or key is None:
        return None
    named = {name.upper() for name in _keys(paper) if name}
    if key in named:
        return None
    if named:
        return message(
            "The file is of another document than was asked for: {found} instead of {wanted}.",
            found=min(named),
            wanted=key,
        )
    if paper.voidings:
        emitters = {voided.emitter for voided in paper.voidings if voided.emitter}
        if not emitters or key[_EMITTER] in emitters or not key[_EMITTER].isdigit():
            return None
        return message(
            "The file is of another company than was asked for: {found} instead of {wanted}.",
            found=min(emitters),
            wanted=key[_EMITTER],
        )
    if paper.recognised or key.encode() in data.upper().replace(b"\0", b""):
        return None
    return message(
        "The file is XML of the kind {root} and does not name the document that was asked for.", root=paper.root
    )


def _keys(paper: Paper) -> Iterator[str | None]:
    for entry in paper.documents:
        yield entry.access_key
    for happened in paper.events:
        yield happened.access_key
