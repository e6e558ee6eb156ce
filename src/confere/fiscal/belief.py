"""What a state may stand on: events whose own lines hold. What fails or stands alone is kept and shown, no more.

SEFAZ's answers are not signed, so whoever can edit a file can invent one; a signed request cannot be invented. An
answer counts where the request that it answers is here and holds.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

from confere.errors import Message, message
from confere.fiscal.state import Happening
from confere.fiscal.verdict.lines import NO_GATE, Check

_APART: Final = NO_GATE | {Check.ENVIRONMENT}
"""Lines that say nothing against an event: a test is compared with its document's environment elsewhere."""
_ANSWERS: Final = frozenset({Check.PROTOCOL})


class Told(NamedTuple):
    """An event as a file tells it: `failed` are the lines of its verdict that failed, none before it was judged.

    `is_alone`: the file holds the authority's answer and not what was asked.
    """

    code: str | None
    sequence: int | None
    registered: bool
    cstat: str | None = None
    environment: str | None = None
    failed: frozenset[Check] = frozenset()
    is_alone: bool = False


def believed(told: Collection[Told]) -> tuple[Happening, ...]:
    """What happened to a document, of everything that is told of it."""
    return tuple(happened for _, happened, _ in _weighed(told) if happened is not None)


def doubts(told: Collection[Told]) -> tuple[Message | None, ...]:
    """For each of what is told why it is not believed, or not as it stands there; None where it is."""
    return tuple(why for _, _, why in _weighed(told))


def _weighed(told: Collection[Told]) -> Iterator[tuple[Told, Happening | None, Message | None]]:
    asked = {(entry.code, entry.sequence) for entry in told if not entry.is_alone and not _broken(entry)}
    for entry in told:
        as_told = Happening(entry.code, entry.registered, entry.cstat, entry.environment)
        if _broken(entry) or (entry.is_alone and entry.failed & _ANSWERS):
            yield entry, None, message("It is not authentic: it changes nothing.")
        elif entry.is_alone and (entry.code, entry.sequence) not in asked:
            yield entry, None, message("An answer without the request that it answers: anybody could have written it.")
        elif entry.registered and entry.failed & _ANSWERS:
            unanswered = Happening(entry.code, False, None, entry.environment)
            yield entry, unanswered, message("The answer in it does not hold: it counts as sent, not as registered.")
        else:
            yield entry, as_told, None


def _broken(entry: Told) -> bool:
    """Whether what its author wrote fails, whatever the authority is said to have answered."""
    return bool(entry.failed - _APART - _ANSWERS)
