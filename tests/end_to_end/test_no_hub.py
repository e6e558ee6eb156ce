"""A folder of XML and a list of orders, no hub at all: declared complete, what is missing is missing."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from confere.archive.authenticity import verdicts
from tests.end_to_end.confere import confere
from tests.end_to_end.paper_world import PaperWorld

RULES = ("R1", "R2", "R4", "R5", "R9", "R10", "R14")
SPEC = "R1=0.2,R2=0.2,R4=0.6,R5=0.3,R9=0.2,R10=0.1,R14=0.3"
MONTHS = (*("2025-11", "2025-12"), *(f"2026-{month:02d}" for month in range(1, 11)))
COMPLETE = tuple(word for month in MONTHS for word in ("--complete", month))


@pytest.fixture(scope="module")
def world() -> PaperWorld:
    return PaperWorld(11, 300, SPEC)


@pytest.fixture(scope="module")
def home(world: PaperWorld, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An archive with the files of the world, nothing declared; its authority stands for ICP-Brasil."""
    folder = tmp_path_factory.mktemp("no-hub")
    home = folder / "home"
    world.write_documents(folder / "xml")
    world.write_orders(folder / "pedidos.csv")
    world.write_authorities(folder / "ca.pem")
    companies = [word for company in world.companies for word in ("--cnpj", company)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verdicts, "worlds", lambda _, content_ids: dict.fromkeys(content_ids, (1,)))
        hub = ("--address", "https://hub.invalid", "--platform", "none", "--environment", "sandbox")
        assert confere(home, "account", "add", "loja", *hub, *companies).code == 0
        assert confere(home, "account", "trust", "loja", str(folder / "ca.pem")).code == 0
        assert confere(home, "import", str(folder / "xml")).code == 0
        assert confere(home, "orders", "import", str(folder / "pedidos.csv")).code == 0
        yield home


def reconciled(home: Path, world: PaperWorld) -> list[dict[str, Any]]:
    done = confere(home, "reconcile", "--all", "--as-of", world.now.isoformat())
    assert done.code == 0
    found = done.json["findings"]
    assert isinstance(found, list)
    return found


def test_what_is_declared_complete_speaks(home: Path, world: PaperWorld) -> None:
    before = reconciled(home, world)
    asked = Counter(entry["rule"] for entry in before if entry["state"] == "not_checked")
    assert {"R1", "R2", "R5", "R9", "R10", "R14"} <= set(asked)
    assert not {entry["rule"] for entry in before if entry["state"] == "open"} & {"R1", "R2", "R4", "R5", "R9"}

    folder = home.parent
    documents = confere(home, "import", str(folder / "xml"), *COMPLETE)
    orders = confere(home, "orders", "import", str(folder / "pedidos.csv"), *COMPLETE)
    assert (documents.code, orders.code) == (0, 0)
    assert [entry["month"] for entry in documents.json["declared"]] == list(MONTHS)
    assert {entry["what"] for entry in documents.json["declared"]} == {"documents"}
    digest = hashlib.sha256((folder / "pedidos.csv").read_bytes()).hexdigest()
    assert {(entry["file"], entry["sha256"]) for entry in orders.json["declared"]} == {("pedidos.csv", digest)}

    after = reconciled(home, world)
    found = {rule: [entry for entry in after if entry["rule"] == rule and entry["state"] == "open"] for rule in RULES}
    planted = world.planted(RULES, MONTHS)
    for rule in RULES:
        assert planted[rule]
        if rule in ("R1", "R2"):  # a package over two notes is one order by the hub's record alone: more is told
            told = {name for entry in found[rule] for name in (*entry["orders"], *entry["keys"])}
            assert {name for orders, keys in planted[rule] for name in orders or keys} <= told
        else:
            assert len(found[rule]) == len(planted[rule])
    for rule in ("R1", "R4", "R5", "R9"):
        assert all("holds all documents of" in entry["evidence"] for entry in found[rule])
    assert all(
        "pedidos.csv" in entry["evidence"] and "holds all orders of" in entry["evidence"] for entry in found["R2"]
    )

    (first, *_) = listed = confere(home, "declarations", "list").json["declarations"]
    assert len(listed) == 2 * len(MONTHS)
    assert confere(home, "declarations", "revoke", str(first["id"])).json["declaration"]["revoked_by"]
    assert confere(home, "declarations", "revoke", str(first["id"])).code == 2
    assert confere(home, "declarations", "revoke", "9999").code == 2
    for entry in listed[1:]:
        assert confere(home, "declarations", "revoke", str(entry["id"])).code == 0
    again = reconciled(home, world)
    assert Counter(entry["rule"] for entry in again if entry["state"] == "not_checked") == asked
