"""What goes wrong at the hub ends in a sentence that names it, with what came before kept."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.breadth import some_of
from tests.end_to_end.confere import add_account, confere, contents, told

SEED = 3


def test_a_wrong_token_is_said_and_never_shown(tmp_path: Path) -> None:
    wrong = "this-token-is-wrong-0123456789"
    with running(SandboxOptions(documents=50, seed=SEED)) as hub:
        add_account(tmp_path, "hub", hub.address, wrong)
        done = confere(tmp_path, "sync")
    assert done.code == 3
    assert "token" in done.json["error"]["what"].lower() + done.json["error"]["title"].lower()
    assert done.json["error"]["remedy"]
    logs = "".join(file.read_text(encoding="utf-8") for file in (tmp_path / "logs").glob("*"))
    assert wrong not in str(done) + logs


def test_the_other_environments_token_is_said_in_the_hubs_words(tmp_path: Path) -> None:
    with running(SandboxOptions(documents=50, seed=SEED)) as hub:
        add_account(tmp_path, "hub", hub.address, hub.production_token)
        add_account(tmp_path, "other", hub.production_address, hub.token)
        for name in ("hub", "other"):
            for command in (("sync", "--account", name), ("account", "test", name)):
                done = confere(tmp_path, *command)
                assert done.code == 3
                assert "ambiente" in str(done.json["error"])  # the hub's own word


def test_a_hub_that_is_down_is_named(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v2"
    add_account(tmp_path, "hub", address, "some-token-of-no-hub")
    done = confere(tmp_path, "account", "test", "hub")
    assert done.code == 3
    assert address.split("/")[2] in done.json["error"]["what"]


def test_it_goes_on_where_a_hub_went_down(tmp_path: Path) -> None:
    with running(SandboxOptions(documents=90, seed=SEED)) as hub:
        add_account(tmp_path, "hub", hub.address, hub.token)
        half = confere(tmp_path, "sync", "--to", "2026-04-30").json["sync"]
        address = hub.address
    assert confere(tmp_path, "account", "test", "hub").code == 3
    assert contents(tmp_path)["open"] == []
    port = int(address.split(":")[2].split("/")[0])
    with running(SandboxOptions(documents=90, seed=SEED, port=port)):
        rest = confere(tmp_path, "sync").json["sync"]
    assert half["new"] + rest["new"] == 90
    assert rest["failed"] == 0


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What the same hub's archive holds where nothing went wrong."""
    home = tmp_path_factory.mktemp("calm")
    with running(SandboxOptions(documents=120, seed=SEED)) as hub:
        add_account(home, "hub", hub.address, hub.token)
        assert confere(home, "sync").code == 0
    return contents(home)


@pytest.mark.parametrize(
    "faults", some_of(["no-id", "truncated=0.3", "redirect", "html=0.3", "shift=0.5", "rate429=0.03"], 2)
)
def test_every_trait_of_a_hub_is_survived(tmp_path: Path, calm: dict[str, object], faults: str) -> None:
    with running(SandboxOptions(documents=120, seed=SEED, faults=faults)) as hub:
        add_account(tmp_path, "hub", hub.address, hub.token)
        done = confere(tmp_path, "sync")
        for _ in range(5):
            if done.code == 0:
                break
            done = confere(tmp_path, "sync")
        assert not told(hub)["credentials_leaked"]
    assert done.code == 0, done
    # Without ids the records themselves differ: that is the fault.
    same = calm.keys() - ({"records"} if faults == "no-id" else set())
    rough = contents(tmp_path)
    assert {name: rough[name] for name in same} == {name: calm[name] for name in same}


def test_one_hub_that_is_down_does_not_keep_the_others_waiting(tmp_path: Path) -> None:
    with running(SandboxOptions(documents=60, seed=SEED)) as hub:
        add_account(tmp_path, "a-wrong", hub.address, "not-the-token-of-anybody")
        add_account(tmp_path, "b-right", hub.address, hub.token)
        done = confere(tmp_path, "sync", "--account", "a-wrong", "--account", "b-right")
    assert done.code == 1
    assert done.json["sync"]["new"] == 60
    assert [entry["item_id"] for entry in done.json["failures"]] == ["a-wrong"]
