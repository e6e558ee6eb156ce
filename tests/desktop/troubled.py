"""Adds to an archive what a person has to look at: a second account with failed downloads and files that lack."""

from __future__ import annotations

from pathlib import Path

from confere.app.context import Workspace
from confere.archive import message_encoding
from confere.archive.accounts import runs
from confere.archive.documents import recorder
from confere.archive.hub.coverage import FOREVER
from confere.archive.vault.vault import Blob, digest_of
from confere.errors import PaperError
from confere.fiscal.reading import document
from tests.app.made import account, fail, listed, named_by_hub, synced

ACCOUNT = "loja"
BROKEN = b"<broken"
WAITING, FAILED, NOT_OFFERED, UNREADABLE = 1, 2, 1, 1
UNLISTED_DAYS = 2  # of October 2026


def _why(data: bytes) -> str:
    """Why the reader refuses it, as the archive keeps it."""
    try:
        document.read(data)
    except PaperError as error:
        return message_encoding.of(error)
    raise AssertionError("it can be read")


def trouble(folder: Path) -> None:
    """Everything of October 2026; the newest runs are a sync that left something over, and one that was cut off."""
    with Workspace.at(folder).writing("test") as archive:
        shop = account(archive, ACCOUNT)
        listed(archive, shop, FOREVER, "2026-10-30T03:00:00.000+00:00")
        with archive.writing() as transaction:
            began = runs.start(transaction, "sync", shop.id, {"narrowed": "", "full": False})
        named_by_hub(archive, shop, 50, items=("waits",))
        for number in (60, 61):
            named_by_hub(archive, shop, number, items=(f"fails-{number}",))
            fail(archive, shop, f"fails-{number}")
        named_by_hub(archive, shop, 70, items=())
        named_by_hub(archive, shop, 80, items=("broken",))
        blob = Blob(BROKEN, digest_of(BROKEN), problem=_why(BROKEN))
        with archive.writing() as transaction:
            recorded = recorder.record(transaction, archive.vault_writer, [recorder.NewPaper(blob, None)])
        fail(archive, shop, "broken", recorded.content_ids[0])
        with archive.writing() as transaction:
            runs.finish(transaction, began, "partial", {"listed": 1250, "failed": 3})
        synced(archive, shop, None)
