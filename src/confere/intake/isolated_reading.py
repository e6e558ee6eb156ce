"""Reading bytes of unknown origin: a paper, or a sentence why not; what could end the program is read apart from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from confere.archive.vault.unfinished_reads import InHand, why_set_aside
from confere.errors import Message, PaperError, message
from confere.fiscal.model import Paper
from confere.fiscal.reading import xml
from confere.fiscal.reading.document import read
from confere.system.processes.isolated_process import Ended, apart_or_again

LARGE: Final = 4_000_000
"""Bytes of a file that is read in a process of its own: no note and hardly a lot has as many."""
MANY_MARKS: Final = 200_000
"""Of "<" and "=": likewise. A note of 990 items has some 150,000."""

CONTENTS: Final = "content "
"""How the names of bytes begin in the notes of what is in hand; their SHA-256 follows."""


@dataclass(frozen=True, slots=True)
class Received:
    """Bytes with the name of where they came from. `refused` tells why they are not to be read at all."""

    data: bytes
    source: str
    refused: Message | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading gave: the paper, or why there is none."""

    paper: Paper | None
    problem: Message | None

    @property
    def is_set_aside(self) -> bool:
        """Whether it was not read because that costs a process its life."""
        return self.problem is not None and self.problem.id == why_set_aside().id


def read_safely(received: Received) -> Reading:
    """Read, and make a sentence of what cannot be read."""
    if received.refused is not None:
        return Reading(None, received.refused)
    try:
        return Reading(read(received.data), None)
    except PaperError as error:
        return Reading(None, error.what)
    except MemoryError:
        return Reading(None, message("There was not enough memory to read this file."))


def _read_or_ended(received: Received) -> Reading:
    """As `read_safely`, in a process of its own: where its memory does not suffice another may have more."""
    try:
        return Reading(read(received.data), None)
    except PaperError as error:
        return Reading(None, error.what)


def read_guarded(
    received: Received,
    digest: bytes,
    in_hand: InHand,
    *,
    also: str = "",
    is_suspect: bool = False,
    check: Callable[[], object] = bool,
) -> Reading:
    """As `read_safely`; what may end the process that reads it is read in another one, or not at all.

    `also` is another name under which the bytes are known in the notes of what is in hand; `is_suspect` says that a
    process has ended with them or with their neighbours. `check` may raise to give
    up waiting for the other process.
    """
    if received.refused is not None:
        return read_safely(received)
    name = CONTENTS + digest.hex()
    if in_hand.is_set_aside(name):
        return Reading(None, why_set_aside())
    is_suspect = is_suspect or bool(in_hand.ends(name)) or bool(also and in_hand.ends(also))
    if not is_suspect and not is_large(received.data):
        with in_hand.doing(name):
            return read_safely(received)
    try:
        with in_hand.doing(name):
            return apart_or_again(_read_or_ended, received, check=check)
    except Ended:
        in_hand.set_aside(name)
        if also:
            in_hand.set_aside(also)
        return Reading(None, why_set_aside())


def read_again(digest: bytes, in_hand: InHand) -> bool:
    """Let bytes be read once more that were set aside; whether they were."""
    name = CONTENTS + digest.hex()
    if not in_hand.is_set_aside(name):
        return False
    in_hand.forget(name)
    return True


def is_large(data: bytes) -> bool:
    """Whether reading these bytes may take much memory."""
    return len(data) > LARGE or (len(data) > MANY_MARKS and xml.marks_of(data) > MANY_MARKS)
