"""account record: a file without any person in it, made of a few answers; nothing is written over unasked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.context import EMBEDDED, Workspace
from tests.cli.running import Call
from tests.intake.served import serving
from tests.intake.small_hub import SmallHub


@pytest.fixture(scope="module")
def hub() -> Iterator[SmallHub]:
    with serving(SmallHub()) as running:
        for number in range(1, 120):
            running.add(number, number % 90)
        running.cancel(running.documents[7], 20)
        yield running


@pytest.fixture
def folder(tmp_path: Path, hub: SmallHub) -> Path:
    add(tmp_path / "home", hub, "loja")
    return tmp_path / "home"


def add(folder: Path, hub: SmallHub, name: str) -> None:
    accounts.add(Workspace.at(folder), NewAccount(name, hub.address, "p", EMBEDDED), "token-that-is-secret")


def test_the_only_account_needs_no_name(call: Call, folder: Path, tmp_path: Path, hub: SmallHub) -> None:
    file = tmp_path / "hub.json"
    done = call("account", "record", file, "--home", folder, "--json")
    assert (done.code, done.err) == (0, "")
    # One shape and its cancelled variant, two of each; the hub has no orders.
    assert (done.json["documents"], done.json["files"], done.json["orders"]) == (3, 4, 0)
    text = file.read_text(encoding="utf-8")
    told = json.loads(text)
    assert len(told["answers"]) == done.json["answers"] == done.json["requests"]
    assert "about" in told
    for secret in ("token-that-is-secret", hub.address, "127.0.0.1", "11222333000181"):
        assert secret not in text
    assert hub.asked and all("feeds/" not in path for path in hub.asked)


def test_nothing_is_written_over_unasked(call: Call, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "hub.json"
    file.write_text("mine")
    refused = call("account", "record", "loja", file, "--home", folder)
    assert (refused.code, file.read_text()) == (3, "mine")
    assert "--replace" in refused.err
    written = call("account", "record", "loja", file, "--replace", "--home", folder)
    assert written.code == 0
    assert "Look it through" in " ".join(written.err.split())
    assert file.read_text() != "mine"


def test_which_account_has_to_be_clear(call: Call, folder: Path, tmp_path: Path, hub: SmallHub) -> None:
    add(folder, hub, "outra")
    file = tmp_path / "hub.json"
    refused = call("account", "record", file, "--home", folder)
    assert refused.code == 2
    assert "loja, outra" in refused.err
    assert call("account", "record", "none", file, "--home", folder).code == 2
    assert call("account", "record", "--home", folder).code == 2
    assert not file.exists()
