"""A hub that forgets, over HTTP: what truth calls decidable rests on the bytes that a client gets, on nothing else."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from sandbox_hub.oracle.decidable_links import decided
from sandbox_hub.oracle.fitting_pairs import SeenAmounts, SeenOrder, SeenPaper
from sandbox_hub.oracle.seen_world import seen_orders, seen_papers
from sandbox_hub.world.anomalies.spec import read_spec
from sandbox_hub.world.hub_ids import document_id
from sandbox_hub.world.timeline import HUB_ZONE
from sandbox_hub.world.world import World
from tests.sandbox_hub.web.client import Client, sandbox

SEED, DOCUMENTS = 17, 110


@pytest.fixture(scope="module")
def truth_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("truth") / "truth.json"


@pytest.fixture(scope="module")
def client(truth_file: Path) -> Iterator[Client]:
    with sandbox(documents=DOCUMENTS, seed=SEED, forget=True, truth_file=truth_file) as found:
        yield found


@pytest.fixture(scope="module")
def papers(client: Client) -> list[SeenPaper]:
    """What the list and the XML of every document say, read by a plain parser."""
    found = []
    for item in client.all("/fiscalDocuments"):
        if "documentKey" in item:
            # Some subtypes lack their id in the list, others their links.
            record = client.ok(f"/fiscalDocuments/{item['id']}") if "id" in item else item
            found.append(fetch(client, record))
    return found


def fetch(client: Client, record: dict[str, Any]) -> SeenPaper:
    name = record["history"][0]["links"][0]["href"].rsplit("/", 1)[1]
    return read(record, client.get(f"/fiscalDocuments/download/{name}").content)


def read(record: dict[str, Any], data: bytes) -> SeenPaper:
    root = etree.fromstring(data)

    def all_of(name: str) -> list[str]:
        return [element.text or "" for element in root.iter(f"{{*}}{name}")]

    def first(name: str) -> str | None:
        return next(iter(all_of(name)), None)

    adjusted = [e[0].text for e in root.iter("{*}infCteComp", "{*}infCteAnu", "{*}infCteSub")]
    freight = root.tag.endswith("cteProc")
    external = [e[0].text for e in root.iter("{*}obsCont", "{*}ObsCont") if e.get("xCampo") == "external_id"]
    paper = SeenPaper(
        key=record["documentKey"],
        refers=(*all_of("chave"), *adjusted) if freight else tuple(all_of("refNFe")),
        order_id=record.get("orderId"),
        external_id=external[0] if external else None,
        remarks=(first("xObs") if freight else first("infCpl")) or "",
    )
    # What a hub takes for a sale may be a debit note: money in advance.
    is_sale = record["subtype"] == "sale" and first("finNFe") == "1"
    return read_sale(paper, root) if is_sale else paper


def read_sale(paper: SeenPaper, root: Any) -> SeenPaper:
    def cents(name: str) -> int:
        return round(float(root.findtext(f".//{{*}}ICMSTot/{{*}}{name}")) * 100)

    issued = datetime.fromisoformat(root.findtext(".//{*}dhEmi"))
    goods: dict[str, int] = {}
    for line in root.iter("{*}prod"):
        code = line.findtext("{*}cProd")
        goods[code] = goods.get(code, 0) + int(float(line.findtext("{*}qCom")))
    return paper._replace(
        order_code=root.findtext(".//{*}xPed"),
        number=(root.findtext(".//{*}serie"), root.findtext(".//{*}nNF")),
        issued_at=int(issued.timestamp()),
        day=issued.toordinal(),
        buyer=root.find(".//{*}dest")[0].text,
        amounts=SeenAmounts(
            total=cents("vNF"),
            discount=cents("vDesc"),
            freight=cents("vFrete"),
            other=cents("vOutro"),
            goods=" ".join(f"{code}:{goods[code]}" for code in sorted(goods)),
        ),
    )


def read_order(record: dict[str, Any]) -> SeenOrder:
    invoice = record.get("invoice", {})
    pieces = Counter[str]()
    for item in record["items"]:
        pieces[item["sku"]["partnerId"]] += item["amount"]
    return SeenOrder(
        id=record["id"],
        code=record["marketPlaceId"],
        day=datetime.fromisoformat(record["createdAt"]).astimezone(HUB_ZONE).toordinal(),
        buyer=re.sub("[./-]", "", record["buyer"]["document"]),
        amounts=SeenAmounts(
            total=round(record["total"] * 100),
            discount=round(record["discount"] * 100),
            freight=round(record["freight"] * 100),
            other=0,
            goods=" ".join(f"{code}:{pieces[code]}" for code in sorted(pieces)),
        ),
        key=invoice.get("accessKey"),
        number=(invoice["series"], invoice["number"]) if "number" in invoice else None,
        invoiced_at=int(datetime.fromisoformat(invoice["date"]).timestamp()) if "date" in invoice else None,
    )


def test_the_truth_is_found_from_the_served_bytes_alone(
    client: Client, papers: list[SeenPaper], truth_file: Path
) -> None:
    orders = [read_order(record) for record in client.all("/orders")]
    world = World(SEED, DOCUMENTS, forget=True)
    assert orders == list(seen_orders(world))
    expected = list(seen_papers(world))
    assert [paper._replace(remarks="") for paper in papers] == [paper._replace(remarks="") for paper in expected]
    # Of other papers than sales only the numbers that they quote are looked at.
    assert all(told.remarks in paper.remarks for paper, told in zip(papers, expected, strict=True))
    found = decided(orders, papers)
    told = json.loads(truth_file.read_text("utf-8"))
    assert {(link["order"], link["key"]) for link in told["links"] if link["decidable"]} == found
    assert 0 < sum(not link["decidable"] for link in told["links"]) < len(found) / 10


def test_papers_that_lie_are_seen_as_they_are_served() -> None:
    world = World(SEED, 1_500, forget=True, lies=read_spec("all"))
    expected = {paper.key: paper for paper in seen_papers(world)}
    with sandbox(documents=1_500, seed=SEED, forget=True, anomalies="all") as client:
        assert [read_order(record) for record in client.all("/orders")] == list(seen_orders(world))
        lying = [index for index in world.all_documents() if world.planted.lie(index)]
        for record in (client.ok(f"/fiscalDocuments/{document_id(world, index)}") for index in lying):
            if "documentKey" in record:
                paper = fetch(client, record)
                assert paper._replace(remarks="") == expected.pop(paper.key)._replace(remarks="")
    assert len({world.planted.lie(index) for index in lying}) > 20


def test_the_shares_are_told(client: Client, truth_file: Path) -> None:
    told = json.loads(truth_file.read_text("utf-8"))
    assert client.hub.info["evidence"] == told["evidence"]
    assert client.hub.info["undecidable"] == told["undecidable"] > 0
    assert client.hub.info["forget"] is client.info()["forget"] is True
    assert sum(told["evidence"].values()) == pytest.approx(1, abs=0.001)


def test_nobody_finds_documents_by_an_order_that_they_forgot(client: Client) -> None:
    named = {item["orderId"] for item in client.all("/fiscalDocuments") if "orderId" in item}
    found = set()
    for order in client.all("/orders"):
        found |= {order["id"]} if client.ok("/fiscalDocuments", orderId=order["id"], limit=5)["content"] else set()
    assert named <= found
    assert len(found) < len(client.all("/orders")) / 2


def test_a_return_tells_of_its_note_what_its_order_does(client: Client) -> None:
    returns = client.all("/returns")
    invoices = {order["id"]: set(order.get("invoice", ())) for order in client.all("/orders")}
    assert returns
    for found in returns:
        assert set(found.get("invoice", ())) == invoices[found["orderId"]]


def test_what_is_written_to_one_world_is_not_written_to_the_other(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    for forget in (True, False):
        with sandbox(documents=40, seed=3, forget=forget, state_file=state) as client:
            feed = client.ok("/orders/feeds", limit=5)
            assert client.put("/orders/feeds/batch", feed).status_code == 200
    assert len(json.loads(state.read_text("utf-8"))["worlds"]) == 4


@pytest.mark.parametrize(("option", "forgets"), [((), True), (("--no-forget",), False)])
def test_the_program_forgets_unless_told_not_to(tmp_path: Path, option: tuple[str, ...], forgets: bool) -> None:
    done = subprocess.Popen(
        [
            *(sys.executable, "-m", "sandbox_hub", "--documents", "60", "--seed", "3", "--exit-with-stdin"),
            *("--truth", str(tmp_path / "truth.json"), *option),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    said = json.loads(done.communicate(timeout=60)[0])
    assert done.returncode == 0
    assert said["forget"] is forgets
    assert (said["evidence"]["full"] == 1) is not forgets
    assert json.loads((tmp_path / "truth.json").read_text("utf-8"))["evidence"] == said["evidence"]
