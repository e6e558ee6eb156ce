"""`confere show` and the window's history tell states, events and the hub's statuses in words, never by their codes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from confere.app.context import Workspace
from confere.archive.accounts import accounts
from confere.archive.hub import hub_records
from confere.archive.hub.hub_records import HubRecord
from confere.fiscal.document_models import HUB_STATUS_WORDS, State
from confere.system.language_choice import LANGUAGES
from tests.archive.hub_documents import history, hub_document
from tests.archive.papers import cancellation, key, note, store
from tests.cli.running import Call

CODES = re.compile(rf"\b(?:{'|'.join((*HUB_STATUS_WORDS, *(state for state in State if '_' in state), 'NFE'))})\b")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cancelled note of whose history a hub tells everything that a hub can tell, and one that was denied."""
    folder = tmp_path_factory.mktemp("words")
    with Workspace.at(folder).writing("test") as archive:
        with archive.writing() as transaction:
            accounts.add(transaction, name="loja", environment="production", address="x", platform="x")
        store(archive, note(1), cancellation(1), note(2, cstat="301"), note(3, cstat="539"))
        record = HubRecord(hub_document("1", key(1), history=history(*HUB_STATUS_WORDS), subtype="sale"))
        with archive.writing() as transaction:
            hub_records.observe(transaction, archive.vault_writer, 1, 1, [record])
    return folder


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_code_is_printed(call: Call, home: Path, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONFERE_LANGUAGE", language)
    for number in (1, 2, 3):
        told = call("show", key(number), "--home", home)
        assert told.code == 0
        assert CODES.findall(told.out) == []
    assert CODES.findall(call("list", "--home", home).out) == []


def test_programs_still_read_what_the_hub_wrote(call: Call, home: Path) -> None:
    told = call("show", key(1), "--home", home, "--json").json
    assert [line["status"] for line in told["hub"][0]["history"]] == [*HUB_STATUS_WORDS]
