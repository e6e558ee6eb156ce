"""Where a document stands is said with its reason; what the hub says otherwise is told beside it."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.context import Workspace
from confere.app.documents import browse
from confere.app.documents.state_reason import disagreements, standing
from confere.archive.accounts import accounts
from confere.archive.hub import hub_records
from confere.archive.hub.hub_records import HubRecord
from confere.fiscal.model import State
from tests.archive.freights import freight, freight_event, freight_key
from tests.archive.hub_documents import history, hub_document
from tests.archive.listed import PLAIN, VOIDING
from tests.archive.papers import cancellation, key, note, store


@pytest.fixture
def opened(tmp_path: Path) -> OpenArchive:
    return OpenArchive(Workspace.at(tmp_path))


def bring(opened: OpenArchive, *files: bytes, says: tuple[str, ...] = (), access_key: str = "") -> None:
    """Store files; a hub lists the paper of `access_key` with these words in its history."""
    with opened.workspace.writing("test") as archive:
        store(archive, *files)
        if not says:
            return
        with archive.writing() as transaction:
            owner = accounts.add(transaction, name="shop", environment="production", address="x", platform="x")
            document = hub_document("1", access_key, history=history(*says))
            hub_records.observe(transaction, archive.vault_writer, owner.id, 1, [HubRecord(document)])


@pytest.mark.parametrize(
    ("files", "name", "state", "said"),
    [
        ([note(1)], key(1), State.AUTHORIZED, "The authority authorized it (cStat 100)."),
        ([note(1, cstat=None)], key(1), State.NO_PROTOCOL, "no answer of the authority about it"),
        ([note(1), cancellation(1, cstat="573")], key(1), State.UNREGISTERED, "event 110111, cStat 573"),
        ([note(1), cancellation(1, cstat="155")], key(1), State.CANCELLED_LATE, "out of term"),
        ([cancellation(1)], key(1), State.CANCELLED, "event 110111, cStat 135"),
        (
            [freight(1), freight(2, replaces=freight_key(1))],
            freight_key(1),
            State.REPLACED,
            f"It is replaced: by {freight_key(2)}.",
        ),
        (
            [freight(1), freight(2, replaces=freight_key(1)), freight_event(2)],
            freight_key(1),
            State.AUTHORIZED,
            "The authority authorized it (cStat 100).",
        ),
        ([VOIDING], "1", State.VOIDED, "cStat 102"),
        ([VOIDING.replace(b"<cStat>102", b"<cStat>206")], "1", State.REJECTED, "cStat 206"),
        ([PLAIN], "1", State.UNKNOWN, "does not read"),
    ],
)
def test_it_is_said_with_its_reason(
    opened: OpenArchive, files: list[bytes], name: str, state: State, said: str
) -> None:
    bring(opened, *files)
    full = browse.named(opened, name)
    found = standing(full)
    opened.close()
    assert found.state is state
    assert said in str(found.reason)
    assert full.row is None or full.row.state == state


@pytest.mark.parametrize(
    ("files", "says", "told"),
    [
        ([note(1)], ("AUTHORIZED",), None),
        ([note(1)], ("AUTHORIZED", "CORRECTED"), None),
        ([note(1)], (), None),
        ([note(1), cancellation(1)], ("AUTHORIZED", "CANCELLED"), None),
        ([note(1), cancellation(1, cstat="155")], ("AUTHORIZED", "cancelled"), None),
        ([note(1)], ("AUTHORIZED", "CANCELLED"), "says that it is cancelled; the papers here do not"),
        ([note(1), cancellation(1, cstat="573")], ("AUTHORIZED", "CANCELED"), "says that it is cancelled"),
        ([note(1), cancellation(1)], ("AUTHORIZED",), "The papers here say that it is cancelled"),
        ([note(1, cstat="301")], ("DENIED",), None),
        ([note(1, cstat="301")], ("AUTHORIZED",), "calls it authorized"),
        ([note(1)], ("DENIED",), "says that it was denied"),
        ([note(1)], ("VOIDED",), "voided"),
        ([note(1, cstat="539")], ("AUTHORIZED",), "calls it authorized"),
        ([note(1)], ("SOMETHING_NEW",), None),
    ],
)
def test_what_the_hub_says_otherwise_is_told(
    opened: OpenArchive, files: list[bytes], says: tuple[str, ...], told: str | None
) -> None:
    bring(opened, *files, says=says, access_key=key(1))
    found = [str(entry) for entry in disagreements(browse.named(opened, key(1)))]
    opened.close()
    assert len(found) == (told is not None)
    if told is not None:
        assert told in found[0]
        assert "shop" in found[0]
