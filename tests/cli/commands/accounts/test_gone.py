"""What the hub no longer lists is kept, and said so: list, show, doctor, account change and the package's manifest."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.context import EMBEDDED, Workspace
from tests.archive.papers import key
from tests.cli.running import Call
from tests.intake.served import serving
from tests.intake.small_hub import SmallHub

COMPANY = "11222333000181"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder of five documents, of which the hub lists the third no longer; no test changes them."""
    folder = tmp_path_factory.mktemp("gone") / "home"
    with serving(SmallHub()) as hub:
        for number in range(1, 6):
            hub.add(number, number)
        accounts.add(Workspace.at(folder), NewAccount("loja", hub.address, "p", EMBEDDED), "token-of-a-test")
        assert _synced(folder)["gone"] == 0
        del hub.documents[2]
        assert _synced(folder)["gone"] == 1
        yield folder


def _synced(folder: Path) -> dict[str, object]:
    from confere.app.accounts.sync import SyncRequest, sync_accounts

    return dict(sync_accounts(Workspace.at(folder), (), SyncRequest(full=True)).counts())


def test_lists_and_sheets_say_it(call: Call, folder: Path) -> None:
    gone = call("list", "--gone", "--home", folder, "--json").json["documents"]
    assert [entry["access_key"] for entry in gone] == [key(3)]
    assert gone[0]["gone_since"].startswith("20")
    every = call("list", "--all", "--home", folder, "--json").json["documents"]
    assert [entry["gone_since"] is not None for entry in every].count(True) == 1
    assert call("list", "listed:no", "--home", folder, "--json").json["total"] == 1
    assert call("list", "listed:yes", "--home", folder, "--json").json["total"] == 4
    assert call("list", "--home", folder).out.count("(no longer listed)") == 1

    shown = call("show", key(3), "--home", folder, "--json").json
    assert shown["hub"][0]["gone_since"] == shown["gone_since"] == gone[0]["gone_since"]
    assert "No longer listed since" in call("show", key(3), "--home", folder).out
    assert "No longer listed since" not in call("show", key(2), "--home", folder).out


def test_doctor_asks_for_attention_and_is_well(call: Call, folder: Path) -> None:
    done = call("doctor", "--home", folder)
    assert "1 document of loja is no longer listed by its hub; see `confere list --gone`." in " ".join(done.out.split())
    assert call("doctor", "--home", folder, "--json").json["facts"]["accounts"]["loja"]["gone"] == 1


def test_a_package_holds_it_and_its_manifest_says_it(call: Call, folder: Path, tmp_path: Path) -> None:
    month = "2026-10"
    done = call("export", "--company", COMPANY, "--month", month, "--to", tmp_path, "--home", folder, "--json")
    (manifest,) = tmp_path.glob("*.manifest.json")
    told = json.loads(manifest.read_text())
    assert [entry["access_key"] for entry in told["no_longer_listed"]] == [key(3)]
    assert key(3) in {entry["access_key"] for entry in told["files"]}
    assert done.json["packages"][0]["documents"] == 5


def test_how_far_back_is_the_accounts_to_say(call: Call, folder: Path) -> None:
    done = call("account", "change", "loja", "--relist-documents", "30", "--home", folder, "--json")
    assert (done.code, done.json["account"]["relist_documents_days"], done.json["account"]["relist_days"]) == (
        0,
        30,
        60,
    )
    told = call("account", "change", "loja", "--relist-documents", "45", "--home", folder)
    assert "Days back that documents are listed again once a day" in told.out
    assert call("account", "change", "loja", "--relist-documents", "-1", "--home", folder).code == 2
