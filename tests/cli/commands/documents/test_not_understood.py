"""What a hub said and nobody understood: an exit of 1, the sum, the record's name, and the hub's own answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.archive.papers import key
from tests.cli.running import Call
from tests.intake.served import serving
from tests.intake.small_hub import SmallHub

ODD = {"documents": [{"type": "AUTHORIZATION", "shelf": {"row": 4.10}}], "history": [{"status": "AUTHORIZED"}]}


@pytest.fixture
def home(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An archive synced from a hub with one usual record and two odd ones, one of them without a name."""
    monkeypatch.setenv("CONFERE_TOKEN", "token-of-a-test")
    home = tmp_path / "home"
    with serving(SmallHub()) as hub:
        hub.add(1, 1)
        hub.details["fd-2"] = dict(hub.add(2, 1, **ODD))
        nameless = hub.add(3, 1, documents=[], history=[])
        del nameless["id"], nameless["documentKey"]
        add = ("account", "add", "loja", "--address", hub.address, "--platform", "p", "--home", home)
        assert call(*add).code == 0
        done = call("sync", "--no-orders", "--home", home, "--json")
        assert done.code == 1
        assert done.json["sync"]["not_understood"] == 2
        sums = {"listed": 3, "archived": 1, "waiting": 0, "refused": 2, "lost": 0}
        assert done.json["sync"]["conservation"] == sums
        assert done.json["failures"][0]["item_id"] == key(2)
        people = call("sync", "--no-orders", "--home", home)
        assert people.code == 1
        assert "3 listed in all: 1 archived, 0 waiting, 2 refused with a reason." in people.out
        assert f"- {key(2)}: The hub names files of this document" in people.err
        assert "--not-understood" in people.err
    return home


def test_what_was_not_understood_is_listed_and_shown(call: Call, home: Path) -> None:
    shape = call("list", "--not-understood", "--home", home, "--json").json
    assert shape["total"] == 2
    known, nameless = shape["not_understood"]
    assert (known["access_key"], known["hub_id"], known["account"]) == (key(2), "fd-2", "loja")
    assert (nameless["access_key"], nameless["hub_id"]) == (None, None)
    people = call("list", "--not-understood", "--home", home)
    assert key(2) in people.out and nameless["name"] in people.out
    assert "2 records that were not understood" in people.err
    assert call("list", "--not-understood", "--type", "nfe", "--home", home).code == 2
    assert call("list", "--not-understood", "--unreadable", "--home", home).code == 2

    shown = call("show", key(2), "--home", home, "--json").json["record"]
    assert (shown["name"], len(shown["answers"])) == (key(2), 2)
    assert shown["answers"][1]["documents"] == ODD["documents"]
    assert '"shelf": {"row": 4.1}' in call("show", "fd-2", "--home", home).out
    assert call("show", nameless["name"], "--home", home).code == 0
    assert call("show", key(9), "--home", home).code == 2
