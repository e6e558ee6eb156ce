"""Accounts: tried before they are saved, changed without losing what must hold, given another token."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from confere.app.accounts import accounts, hub_traits
from confere.app.accounts.accounts import AccountChange, NewAccount
from confere.app.accounts.sync import sync_accounts
from confere.app.context import Workspace
from confere.archive.accounts import audit
from confere.archive.accounts.accounts import named
from confere.archive.hub import coverage
from confere.errors import HubRefusedToken, HubUnreachable, NotInArchive, SecretUnavailable, UsageFault, message
from confere.system.files.atomic_file import write_text
from confere.system.messages import render
from confere.system.redaction import redact
from confere.system.secrets import system_keyring
from confere.system.secrets.token_bindings import TokenBindings
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.archive.papers import key
from tests.hub.shaped import ListShape
from tests.intake.served import serving
from tests.intake.small_hub import SmallHub

EMITTER = key(1)[6:20]
STRANGER = "11444777000161"


class Ring:
    """A keyring of this test alone."""

    priority = 5.0

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, user: str) -> str | None:
        return self.kept.get((service, user))

    def set_password(self, service: str, user: str, token: str) -> None:
        self.kept[service, user] = token

    def delete_password(self, service: str, user: str) -> None:
        del self.kept[service, user]


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> Ring:
    made = Ring()
    monkeypatch.setattr(system_keyring, "_backend", lambda: made)
    return made


@pytest.fixture
def no_ring(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> None:
        raise system_keyring.KeyringUnusable(message("This system has no keyring that Confere can reach."))

    monkeypatch.setattr(system_keyring, "_backend", none)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[RunningHub]:
    with running(SandboxOptions(documents=40, seed=5)) as hub:
        yield hub


@pytest.fixture
def hub() -> Iterator[SmallHub]:
    with serving(SmallHub()) as small:
        small.add(1, 1)
        small.add(2, 2)
        yield small


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace.at(tmp_path / "home")


def at(hub: RunningHub | SmallHub, *tax_ids: str, **changes: object) -> NewAccount:
    given = {"name": "shop", "address": hub.address, "platform": "p", "environment": "sandbox", "tax_ids": tax_ids}
    return NewAccount(**(given | changes))  # type: ignore[arg-type]


def test_an_account_is_tried_before_anything_is_saved(workspace: Workspace, sandbox: RunningHub, ring: Ring) -> None:
    owners = tuple(entry["cnpj"] for entry in sandbox.info["companies"])
    found = accounts.probe(workspace, at(sandbox, *owners), sandbox.token)
    assert (found.account, found.address, found.documents, found.warning) == ("shop", sandbox.address, 40, None)
    assert not workspace.home.root.exists() and not ring.kept


def test_what_stands_in_the_way_is_said(workspace: Workspace, sandbox: RunningHub) -> None:
    with pytest.raises(HubRefusedToken):
        accounts.probe(workspace, at(sandbox), "another-token")
    with pytest.raises(HubUnreachable):
        accounts.probe(workspace, at(sandbox, address="http://127.0.0.1:9/v2"), "t")
    for wrong in ({"environment": "moon"}, {"name": " "}, {"address": "http://hub.example"}, {"tax_ids": ("1",)}):
        with pytest.raises(UsageFault):
            accounts.probe(workspace, at(sandbox, **wrong), "t")
    with pytest.raises(UsageFault, match="no token"):
        accounts.probe(workspace, at(sandbox), None)


def test_a_company_that_no_note_names_is_doubted(workspace: Workspace, hub: SmallHub, ring: Ring) -> None:
    assert accounts.probe(workspace, at(hub, EMITTER), "t").warning is None
    assert accounts.probe(workspace, at(hub), "t").warning is None
    doubt = accounts.probe(workspace, at(hub, STRANGER), "t").warning
    assert doubt is not None
    assert "11.444.777/0001-61" in render(doubt)
    accounts.add(workspace, at(hub, STRANGER), "t")
    assert accounts.test(workspace, "shop").warning == doubt
    for record in hub.documents:
        record["documentKey"] = record["documentKey"][:20] + "57" + record["documentKey"][22:]
    assert accounts.probe(workspace, at(hub, STRANGER), "t").warning is None  # a CT-e names its taker nowhere here


def test_another_address_is_listed_from_the_beginning(workspace: Workspace, hub: SmallHub, ring: Ring) -> None:
    accounts.add(workspace, at(hub, EMITTER), "t")
    assert sync_accounts(workspace).listed == 2
    same = accounts.change(workspace, "shop", AccountChange(address=hub.address + "/", platform=" other "))
    assert (same.lists_again, same.account.platform, same.account.address) == (False, "other", hub.address)
    with serving(SmallHub()) as second:
        for number in (1, 2, 3):
            second.add(number, number)
        moved = accounts.change(workspace, "shop", AccountChange(address=second.address))
        assert moved.lists_again
        assert moved.token_origin == hub.address.removesuffix("/v2")
        with pytest.raises(SecretUnavailable, match="was given for"):
            sync_accounts(workspace)
        assert second.asked == []
        assert accounts.use_token_at(workspace, "shop", second.address) == "keyring"
        with workspace.reading() as archive, archive.reading() as transaction:
            assert coverage.covered(transaction, moved.account.id, coverage.CREATED) == ()
            assert ("account change", "shop", second.address) in [
                (line.action, line.subject, line.detail) for line in audit.lines(transaction)
            ]
        result = sync_accounts(workspace)
        assert (result.listed, result.new, result.downloaded) == (3, 1, 1)


def test_establishments_are_replaced(workspace: Workspace, hub: SmallHub, ring: Ring) -> None:
    accounts.add(workspace, at(hub, EMITTER, "12ABC34501DE35"), "t")

    def owners(tax_ids: tuple[str, ...]) -> list[str]:
        changed = accounts.change(workspace, "shop", AccountChange(tax_ids=tax_ids)).account
        return [entry.tax_id for entry in changed.establishments]

    assert owners(("12.ABC.345/01DE-35", "11.444.777/0001-61", STRANGER)) == ["12ABC34501DE35", STRANGER]
    assert owners(()) == []
    with pytest.raises(UsageFault):
        accounts.change(workspace, "shop", AccountChange(platform="x", tax_ids=("11444777000162",)))
    with pytest.raises(UsageFault):
        accounts.change(workspace, "shop", AccountChange(platform="é"))
    with pytest.raises(NotInArchive):
        accounts.change(workspace, "nobody", AccountChange(platform="x"))
    assert accounts.every(workspace)[0].platform == "p"


def test_another_token_is_kept_while_somebody_writes(workspace: Workspace, hub: SmallHub, ring: Ring) -> None:
    accounts.add(workspace, at(hub), "first")
    with workspace.writing("a sync"):
        assert accounts.set_token(workspace, "shop", " second\n") == "keyring"
    assert list(ring.kept.values()) == ["second"]
    with pytest.raises(UsageFault):
        accounts.set_token(workspace, "shop", "ü")
    with pytest.raises(UsageFault):
        accounts.set_token(workspace, "shop", None)
    with pytest.raises(NotInArchive):
        accounts.set_token(workspace, "nobody", "t")


def test_a_token_moves_to_a_file(workspace: Workspace, hub: SmallHub, ring: Ring, tmp_path: Path) -> None:
    file = tmp_path / "token"
    accounts.add(workspace, at(hub), "first")
    with pytest.raises(SecretUnavailable):
        accounts.set_token(workspace, "shop", None, file)
    file.write_text("second")
    file.chmod(0o600)
    assert accounts.set_token(workspace, "shop", None, file) == "file"
    assert not ring.kept
    with workspace.reading() as archive:
        with archive.reading() as transaction:
            account = named(transaction, "shop")
        assert workspace.token_of(archive, account) == "second"
    assert accounts.probe(workspace, at(hub, token_file=file), None).documents == 2
    if sys.platform != "win32":
        file.chmod(0o644)
        with pytest.raises(SecretUnavailable):
            accounts.probe(workspace, at(hub, token_file=file), None)


def test_without_any_place_a_token_is_refused(workspace: Workspace, hub: SmallHub, no_ring: None) -> None:
    accounts.add(workspace, at(hub), None)
    with pytest.raises(SecretUnavailable):
        accounts.set_token(workspace, "shop", "second")


def test_the_token_of_an_embedded_hub_stands_in_the_configuration(
    workspace: Workspace, sandbox: RunningHub, no_ring: None
) -> None:
    accounts.add(workspace, at(sandbox, environment="embedded"), "wrong")
    with pytest.raises(HubRefusedToken):
        accounts.test(workspace, "shop")
    assert accounts.set_token(workspace, "shop", sandbox.token) == "configuration"
    assert accounts.test(workspace, "shop").documents == 40


def test_the_token_of_a_hub_elsewhere_that_the_archive_calls_embedded_goes_to_the_keyring(
    workspace: Workspace, hub: SmallHub, ring: Ring
) -> None:
    accounts.add(workspace, at(hub), None)
    with workspace.writing("test") as archive, archive.writing() as transaction:
        transaction.execute("UPDATE account SET environment = 'embedded', address = 'https://hub.example/v2'")
    assert accounts.set_token(workspace, "shop", "a-real-token") == "keyring"
    assert list(ring.kept.values()) == ["a-real-token"]
    assert "a-real-token" not in TokenBindings().file.read_text()


def test_an_embedded_hub_takes_its_token_from_a_file_that_is_named(
    workspace: Workspace, sandbox: RunningHub, no_ring: None, tmp_path: Path
) -> None:
    accounts.add(workspace, at(sandbox, environment="embedded"), "wrong")
    file = tmp_path / "token"
    write_text(file, sandbox.token, private=True)
    assert accounts.set_token(workspace, "shop", None, file) == "file"
    assert accounts.test(workspace, "shop").documents == 40


@pytest.mark.parametrize("platform", ["", "  ", "plataforma ç", "two\nlines"])
def test_a_platform_that_no_request_can_carry_is_not_saved(workspace: Workspace, hub: SmallHub, platform: str) -> None:
    with pytest.raises(UsageFault):
        accounts.add(workspace, replace(at(hub), platform=platform), None)
    assert accounts.every(workspace) == ()


def test_a_token_that_is_tried_is_never_shown(workspace: Workspace, hub: SmallHub) -> None:
    accounts.probe(workspace, at(hub), " tried-and-not-kept ")
    assert "tried-and-not-kept" not in redact("It said: tried-and-not-kept")


def test_a_test_shows_a_record_and_keeps_what_it_learnt(workspace: Workspace, hub: SmallHub, ring: Ring) -> None:
    hub.shape = ListShape(paging="page1", dates="date", strict=True, links=False)
    for number in range(3, 13):
        hub.add(number, number, total=1.5)
    accounts.add(workspace, at(hub), "t")
    found = accounts.test(workspace, "shop")
    assert found.record is not None
    assert found.record.understood["access_key"] == hub.documents[0]["documentKey"]
    assert found.record.understood["items"] == [{"item_id": "n1", "kind": "AUTHORIZATION", "address": None}]
    assert found.record.raw == hub.documents[0]
    assert "raw" not in found.record.understood
    learnt = {f"{entry.list}.{entry.trait}": entry.value for entry in found.shape}
    assert learnt.items() >= {
        "documents.paging": "page", "documents.base": "1", "documents.place": "page", "documents.dates": "date",
        "documents.date_filter": "honoured", "documents.unknown": "refused", "documents.totals": "totalElements",
    }.items()  # fmt: skip
    assert hub.lists <= 14
    kept = hub_traits.shape(workspace, "shop")
    assert kept == found.shape
    before = hub.lists
    accounts.test(workspace, "shop")
    assert hub.lists - before <= 4  # it is known by now
    assert hub_traits.shape(workspace, "shop") == kept
    assert sync_accounts(workspace, ("shop",)).listed == 12
    assert hub_traits.forget(workspace, "shop") >= len(kept)
    assert hub_traits.shape(workspace, "shop") == ()


def test_another_address_is_another_hub_to_learn(workspace: Workspace, hub: SmallHub, ring: Ring) -> None:
    accounts.add(workspace, at(hub), "t")
    accounts.test(workspace, "shop")
    assert hub_traits.shape(workspace, "shop")
    accounts.change(workspace, "shop", AccountChange(address="https://elsewhere.example/v2"))
    assert hub_traits.shape(workspace, "shop") == ()


def test_a_test_needs_no_lock(workspace: Workspace, hub: SmallHub, ring: Ring) -> None:
    accounts.add(workspace, at(hub), "t")
    with workspace.writing("a long sync"):
        assert accounts.test(workspace, "shop").documents == 2
    assert hub_traits.shape(workspace, "shop") == ()
