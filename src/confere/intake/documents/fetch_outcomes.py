"""What fetching an item of the queue comes to: a record, a file with what was read of it, or an error with its item."""

from __future__ import annotations

from dataclasses import dataclass

from confere.archive.hub import download_queue
from confere.archive.hub.download_queue import Queued
from confere.errors import (
    HubAnswerUnreadable,
    HubError,
    HubNotFound,
    HubRefusedRequest,
    HubRefusedToken,
    Message,
    message,
)
from confere.intake.documents.file_identity import Chosen
from confere.intake.isolated_reading import Reading
from confere.sales.hub_document import HubDocument


@dataclass(frozen=True, slots=True)
class Fetched:
    """One item that came: a detail's record, or bytes with what was read of them.

    `refused` says why the file does not close its download: the hub gave the same unreadable bytes twice, so that is
    what it holds, or they are of another document. `received` is what `data` was wrapped in, by these `layers`.
    """

    queued: Queued
    detail: HubDocument | None = None
    data: bytes = b""
    reading: Reading | None = None
    refused: Message | None = None
    received: bytes = b""
    layers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Failed:
    """One item that did not come, and the sentence why."""

    queued: Queued
    error: HubError


@dataclass(frozen=True, slots=True)
class File:
    """What a download gave: as received, with what was chosen of it."""

    received: bytes
    chosen: Chosen
    is_large: bool  # it keeps other large ones waiting


NO_WAY_TO_ASK = message("The hub's list gives neither files nor an id for this document, and knows none by its key.")


def is_unknown_by_key(failed: Failed) -> bool:
    """Whether a record without an id was asked by its access key, and the hub takes none: asking again is no use."""
    queued = failed.queued
    return (
        queued.kind == download_queue.DETAIL_KIND
        and queued.hub_id is None
        and isinstance(failed.error, HubNotFound | HubRefusedRequest)
    )


def another_record(asked: str, answer: HubDocument) -> HubAnswerUnreadable:
    """The error of a hub that gave another record than was asked for."""
    return HubAnswerUnreadable(
        message(
            "Asked for the document {asked}, the hub gave the record of another one: {other}.",
            asked=asked,
            other=answer.access_key or answer.hub_id or "?",
        ),
        message("It stays in the queue; the next sync tries again."),
    )


def of_record(queued: Queued, error: HubError) -> HubError:
    """The error as it is told: a record that is kept from the token is no fault of the token or of the download."""
    if queued.kind != download_queue.DETAIL_KIND or not isinstance(error, HubRefusedToken) or error.status != 403:
        return error
    return HubRefusedToken(
        download_queue.forbidden(queued.item_id),
        message("Ask the hub to let the token read fiscal documents one by one."),
        status=403,
        hub_words=error.hub_words,
    )
