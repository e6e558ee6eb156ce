"""Reading a callback notification, of which nothing is believed but which document to look at.

The specification does not authenticate notifications: anybody may have written one.
"""

from __future__ import annotations

import json
import re
from enum import StrEnum
from typing import Final

MOST_BYTES: Final = 16 * 1024
"""Of a notification's body; one that the specification shows has some 200."""

_TYPE: Final = "FISCAL_DOCUMENTS"
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}", re.ASCII)


class RefusedBecause(StrEnum):
    """Why a request was not taken."""

    ELSEWHERE = "elsewhere"  # another path or method
    TOO_LARGE = "too_large"
    TOO_SLOW = "too_slow"
    MALFORMED = "malformed"
    OTHER_TYPE = "other_type"
    TOO_MANY = "too_many"  # notifications or connections at a time


class NotificationRefused(Exception):
    """The body is no notification that could be followed."""

    def __init__(self, why: RefusedBecause) -> None:
        super().__init__(why)
        self.why = why


def document_id(body: bytes) -> str:
    """The hub's id of the document that a notification is about. Raises `NotificationRefused`.

    Only ids of plain characters are taken: it becomes part of a request to the hub.
    """
    try:
        notification = json.loads(body)
    except (ValueError, RecursionError):
        raise NotificationRefused(RefusedBecause.MALFORMED) from None
    match notification:
        case {"type": str(type), "event": str(), "content": {"id": str(hub_id)}} if _ID.fullmatch(hub_id):
            if type == _TYPE:
                return hub_id
            raise NotificationRefused(RefusedBecause.OTHER_TYPE)
    raise NotificationRefused(RefusedBecause.MALFORMED)
