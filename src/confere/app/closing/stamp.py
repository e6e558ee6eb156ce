"""The use case "have a closing stamped": what leaves is shown first, the answer is kept with the closing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.archive.closing import stamps
from confere.archive.closing.stamps import StoredStamp
from confere.errors import EnvironmentFault, HubAnswerUnreadable, message
from confere.hub import time_stamps
from confere.hub.time_stamps import StampFacts as StampFacts
from confere.hub.time_stamps import StampRequest as StampRequest
from confere.sales.closings import ClosingAct
from confere.system.files import system_words
from confere.system.files.regular_files import open_regular
from confere.system.paths import Home

_MOST_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class ReadStamp:
    """A stored time stamp with what it says; `facts` None: it is none any more, somebody edited it."""

    stored: StoredStamp
    facts: StampFacts | None

    @property
    def holds(self) -> bool:
        """Whether it is a stamp of this closing's head, by a given root where there is one."""
        return self.facts is not None and self.facts.fits and self.facts.trusted is not False


def plan(address: str, act: ClosingAct) -> StampRequest:
    """The request that `send` would send about this closing, to be shown first; nothing leaves."""
    return time_stamps.request(address, bytes.fromhex(act.head))


def send(workspace: Workspace, act: ClosingAct, wanted: StampRequest) -> ReadStamp:
    """Ask the authority and keep its answer with the closing. Raises `HubError`; then nothing is kept.

    `EnvironmentFault` where certificates are given and none of them vouches for the answer.
    """
    head = bytes.fromhex(act.head)
    response = time_stamps.send(wanted, head)
    facts = time_stamps.facts(response, head, roots_of(workspace.home))
    if facts.trusted is False:
        raise EnvironmentFault(
            message("No certificate in {folder} vouches for this time stamp.", folder=str(workspace.home.stamp_roots)),
            message("Nothing was kept of it. Put the authority's certificates there, or ask another authority."),
        )
    with workspace.writing("close") as archive, archive.writing() as transaction:
        stamps.add(transaction, act, wanted.address, response)
        stored = stamps.every(transaction, act.number)[-1]
    return ReadStamp(stored, facts)


def of_closing(opened: OpenArchive, number: int | None = None) -> tuple[ReadStamp, ...]:
    """The time stamps of one closing, or all of them, read back without any network."""
    with opened.reading() as transaction:
        stored = stamps.every(transaction, number)
    return read_back(stored, opened.workspace.home)


def read_back(stored: Sequence[StoredStamp], home: Home) -> tuple[ReadStamp, ...]:
    """What stored answers say of the heads that they are kept with."""
    if not stored:
        return ()
    roots = roots_of(home)
    return tuple(ReadStamp(stamp, _facts(stamp, roots)) for stamp in stored)


def roots_of(home: Home) -> tuple[bytes, ...]:
    """The certificates by which time stamps are verified, as PEM files; none where none are given."""
    files = sorted(home.stamp_roots.glob("*.pem"))
    try:
        return tuple(_certificates(path) for path in files)
    except OSError as error:
        raise EnvironmentFault(
            message(
                "A certificate in {folder} cannot be read: {why}.",
                folder=str(home.stamp_roots),
                why=system_words.why(error),
            ),
            message("Make it readable, or take it out of the folder."),
        ) from error


def _certificates(path: Path) -> bytes:
    with open_regular(path) as file:
        return file.read(_MOST_BYTES)


def _facts(stamp: StoredStamp, roots: Sequence[bytes]) -> StampFacts | None:
    try:
        return time_stamps.facts(stamp.response, bytes.fromhex(stamp.head), roots)
    except HubAnswerUnreadable:
        return None
