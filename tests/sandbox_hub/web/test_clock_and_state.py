"""The clock, cancellations by hand, and the state file that keeps them and the feed marks over restarts."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from lxml import etree

from sandbox_hub.errors import SandboxError
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import running
from tests.loopback import LOOPBACK
from tests.sandbox_hub.web.client import CONTROL, Client, error_of, name_of, sandbox


def test_documents_and_events_appear_with_the_clock() -> None:
    with sandbox(documents=600, seed=3) as client:
        everything = client.all("/fiscalDocuments")
        clock = "2026-03-15T12:00:00-03:00"
        client.move_clock(clock)
        then = client.all("/fiscalDocuments")
        early = [item for item in everything if item["createdAt"] <= clock]
        assert [name_of(item) for item in then] == [name_of(item) for item in early]
        assert 200 < len(then) < 260
        for now, later in zip(then, early, strict=True):
            assert now["history"] == [entry for entry in later["history"] if entry["date"] <= clock]
        hidden = next(item for item in everything if item["createdAt"] > "2026-03-16" and "id" in item)
        assert client.get(f"/fiscalDocuments/{hidden['id']}").status_code == 404
        orders = client.all("/orders")
        assert max(order["createdAt"] for order in orders) <= "2026-03-15T15:00:00Z"
        client.move_clock("2026-11-01T00:00:00-03:00")
        assert client.all("/fiscalDocuments") == everything


def test_the_date_header_is_the_worlds_clock(client: Client) -> None:
    for path in ("/fiscalDocuments", "/nothing"):
        assert client.get(path).headers["date"] == "Sun, 01 Nov 2026 03:00:00 GMT"
    with sandbox(documents=60, clock="2026-03-15T12:00:00-03:00") as moved:
        assert moved.get("/orders/feeds").headers.get_list("date") == ["Sun, 15 Mar 2026 15:00:00 GMT"]


def test_a_late_cancellation_is_found_by_last_update() -> None:
    with sandbox(documents=900, seed=3) as client:
        client.move_clock("2026-06-01T00:00:00-03:00")
        before = {name_of(item): item for item in client.all("/fiscalDocuments")}
        client.move_clock("2026-06-30T00:00:00-03:00")
        changed = client.all(
            "/fiscalDocuments", lastUpdateFrom="2026-06-01T00:00:01-03:00", createdAtTo="2026-04-15T00:00:00-03:00"
        )
        late = [item for item in changed if item["history"][-1]["status"] == "CANCELLED"]
        assert late
        for item in late:
            assert before[name_of(item)]["history"] == item["history"][:-1]
            waited = datetime.fromisoformat(item["lastUpdate"]) - datetime.fromisoformat(item["createdAt"])
            assert timedelta(days=90) <= waited <= timedelta(days=101)


def test_events_after_the_calendar_wait_for_the_clock() -> None:
    with sandbox(documents=900, seed=3) as client:
        client.move_clock("2027-03-01T00:00:00-03:00")
        later = client.all("/fiscalDocuments", lastUpdateFrom="2026-11-01T00:00:01-03:00")
        assert len(later) >= 2
        assert client.ok("/fiscalDocuments")["page"]["totalElements"] == 900
        client.move_clock("2026-11-01T00:00:00-03:00")
        assert client.all("/fiscalDocuments", lastUpdateFrom="2026-11-01T00:00:01-03:00") == []


def plain_sale(client: Client, created_from: str) -> dict[str, object]:
    found = client.ok("/fiscalDocuments", documentTypeValue="sale", createdAtFrom=created_from, limit=100)["content"]
    return next(item for item in found if len(item["history"]) == 1)


def test_a_cancellation_by_hand(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with sandbox(documents=600, seed=3, state_file=state, clock="2026-07-15T12:00:00-03:00") as client:
        old, new = plain_sale(client, "2026-04-10"), plain_sale(client, "2026-07-14T18:00:00-03:00")
        for item, cstat in ((old, "155"), (new, "135")):
            answer = client.cancel(str(item["documentKey"]))
            assert answer.status_code == 200
            assert answer.json() == {
                "id": item["id"],
                "documentKey": item["documentKey"],
                "at": "2026-07-15T12:00:00-03:00",
                "status": cstat,
            }
            detail = client.ok(f"/fiscalDocuments/{item['id']}")
            assert detail["lastUpdate"] == "2026-07-15T12:00:00-03:00"
            assert [entry["status"] for entry in detail["history"]] == ["AUTHORIZED", "CANCELLED"]
            item_id = detail["documents"][1]["path"]["document_item_id"]
            root = etree.fromstring(client.get(f"/fiscalDocuments/download/{item_id}").content)
            assert root.findtext(".//{*}retEvento/{*}infEvento/{*}cStat") == cstat
            assert root.findtext(".//{*}retEvento/{*}infEvento/{*}chNFe") == item["documentKey"]
            assert error_of(client.cancel(str(item["documentKey"])))["code"] == "UNPROCESSABLE_ENTITY"
        now = {"lastUpdateFrom": "2026-07-15T12:00:00-03:00"}
        assert [name_of(item) for item in client.all("/fiscalDocuments", **now)] == [name_of(old), name_of(new)]
        assert client.all("/fiscalDocuments", **now, createdAtTo="2026-05-01")[0]["id"] == old["id"]
        before = client.all("/fiscalDocuments", lastUpdateTo="2026-07-15T11:59:59-03:00")
        assert not {name_of(old), name_of(new)} & {name_of(item) for item in before}
        assert len(before) + 2 == client.ok("/fiscalDocuments")["page"]["totalElements"]
        assert client.cancel("3" * 44).status_code == 404
        assert client.cancel(str(old["documentKey"]), environment="production").status_code == 404
        assert client.cancel(str(old["documentKey"]), environment="x").status_code == 422
        everything = client.all("/fiscalDocuments")
    with sandbox(documents=600, seed=3, state_file=state) as client:
        assert client.info()["clock"] == "2026-07-15T12:00:00-03:00"
        assert client.all("/fiscalDocuments") == everything
        client.move_clock("2026-07-15T11:00:00-03:00")
        assert len(client.ok(f"/fiscalDocuments/{old['id']}")["history"]) == 1


def test_marks_survive_a_restart_each_world_by_itself(tmp_path: Path) -> None:
    state = tmp_path / "deep" / "state.json"
    with sandbox(documents=400, seed=5, state_file=state) as client:
        feed = client.ok("/orders/feeds")
        assert client.put("/orders/feeds/batch", feed[:3]).status_code == 200
        production = Client(client.hub, production=True)
        with production.http:
            other = production.ok("/orders/feeds")
            assert production.put(f"/orders/feeds/{other[0]['id']}", {"token": other[0]["token"]}).status_code == 200
    with sandbox(documents=400, seed=5, state_file=state) as client:
        assert client.ok("/orders/feeds") == feed[3:]
        production = Client(client.hub, production=True)
        with production.http:
            assert production.ok("/orders/feeds") == other[1:]
    with sandbox(documents=400, seed=6, state_file=state) as client:
        strange = client.ok("/orders/feeds")
        assert client.put("/orders/feeds/batch", strange).status_code == 200
    with sandbox(documents=400, seed=5, state_file=state) as client:
        assert client.ok("/orders/feeds") == feed[3:]
    assert [path.name for path in state.parent.iterdir()] == ["state.json"]
    with sandbox(documents=400, seed=5) as client:
        assert client.ok("/orders/feeds") == feed


@pytest.mark.parametrize("content", ["", "{", "[]", '{"version": 9, "worlds": {}}', '{"version": 1, "worlds": 5}'])
def test_a_state_file_that_cannot_be_read_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "state.json"
    path.write_text(content)
    with pytest.raises(SandboxError, match=r"state\.json"), running(SandboxOptions(documents=50, state_file=path)):
        pass
    assert path.read_text() == content


def test_a_given_clock_goes_before_the_kept_one(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with sandbox(documents=100, seed=5, state_file=state) as client:
        client.move_clock("2026-02-01T00:00:00-03:00")
    assert json.loads(state.read_text())["version"] == 1
    with sandbox(documents=100, seed=5, state_file=state, clock="2026-05-01T00:00:00Z") as client:
        assert client.info()["clock"] == "2026-04-30T21:00:00-03:00"


# -- the panel -------------------------------------------------------------------------------------------


def test_info_tells_what_it_is_and_no_token(client: Client) -> None:
    info = client.info()
    assert info["seed"] == 9
    assert info["documents"] == 700
    assert info["clock"] == "2026-11-01T00:00:00-03:00"
    assert info["marketplaces"] == ["MERCADO_AZUL", "LOJA_VERDE", "FEIRA_DIGITAL"]
    assert [company["cnpj"].isdigit() for company in info["companies"]] == [True, False]
    assert len({company["uf"] for company in info["companies"]}) == 2
    assert info["credentials_leaked"] is False
    assert info["production"]["documents"] == 240
    text = json.dumps(info) + json.dumps(client.hub.info) + repr(client.hub)
    assert client.hub.token not in text
    assert client.hub.production_token not in text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Sandbox-Control": "0"},
        {**CONTROL, "Host": "attacker.example"},
        {**CONTROL, "Host": "127.0.0.1.attacker.example:80"},
        {**CONTROL, "Origin": "http://attacker.example"},
    ],
)
def test_the_panel_is_not_for_browsers(client: Client, headers: dict[str, str]) -> None:
    for method, path in (("GET", "info"), ("POST", "clock"), ("POST", "cancel")):
        response = httpx.request(
            method, f"{client.hub.panel}/{path}", headers=headers, json={"now": "2026-01-01"}, **LOOPBACK
        )
        assert response.status_code == 403
        error_of(response)
    assert client.info()["clock"] == "2026-11-01T00:00:00-03:00"


def test_the_panel_refuses_what_it_cannot_read(client: Client) -> None:
    for path, body, status in (
        ("clock", {}, 400),
        ("clock", {"now": "2026-01-01", "x": ""}, 400),
        ("clock", {"now": 5}, 422),
        ("clock", {"now": "soon"}, 422),
        ("cancel", {"key": "x"}, 400),
        ("cancel", [], 400),
        ("cancel", {"documentKey": None}, 422),
    ):
        response = client.http.post(f"{client.hub.panel}/{path}", headers=CONTROL, json=body)
        assert response.status_code == status, (path, body)
    raw = client.http.post(f"{client.hub.panel}/clock", headers=CONTROL, content=b"{")
    assert raw.status_code == 400


def test_the_panel_hands_out_the_roots_of_the_sandbox_alone(client: Client) -> None:
    response = client.http.get(f"{client.hub.panel}/roots", headers=CONTROL)
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/x-pem-file"
    root, issuer = x509.load_pem_x509_certificates(response.content)
    root.verify_directly_issued_by(root)
    issuer.verify_directly_issued_by(root)
    assert client.http.get(f"{client.hub.panel}/roots").status_code == 403
    with sandbox(documents=700, seed=9) as other:
        assert other.http.get(f"{other.hub.panel}/roots", headers=CONTROL).content == response.content


@pytest.mark.parametrize(
    "now",
    [
        "0001-01-01T00:00:00+00:00",
        "1999-12-31T23:59:59+00:00",
        "2100-01-01T00:00:00+00:00",
        "9999-12-31T23:59:59-03:00",
    ],
)
def test_a_clock_out_of_range_is_400_with_a_sentence_and_moves_nothing(client: Client, now: str) -> None:
    before = client.info()["clock"]
    response = client.http.post(f"{client.hub.panel}/clock", headers=CONTROL, json={"now": now})
    assert response.status_code == 400
    assert error_of(response) == {
        "code": "BAD_REQUEST",
        "message": "O relógio do sandbox só vai de 2000 a 2099.",
        "details": None,
        "resources": None,
    }
    assert client.info()["clock"] == before
    with pytest.raises(SandboxError, match="between the years 2000 and 2099"), running(SandboxOptions(clock=now)):
        pass
