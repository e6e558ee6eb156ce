"""Every filter of the documents list against brute force over the full enumeration; detail and download."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lxml import etree

from sandbox_hub.environment import Environment
from sandbox_hub.options import SANDBOX, SandboxOptions
from sandbox_hub.state import State
from sandbox_hub.world.hub_ids import document_id
from tests.sandbox_hub.web.client import Client, error_of, name_of

LOCAL = timedelta(hours=-3)
SUBTYPES = [
    "sale",
    "sale_return",
    "devolution",
    "inbound",
    "inbound_return",
    "symbolic_inbound",
    "symbolic_inbound_return",
    "freight",
    "voiding",
]
MARKETPLACES = ["MERCADO_AZUL", "LOJA_VERDE", "FEIRA_DIGITAL"]


@pytest.fixture(scope="session")
def everything(client: Client) -> list[dict[str, Any]]:
    """The whole list, with what the list leaves out taken from the details."""
    environment = Environment(SANDBOX, SandboxOptions(documents=700, seed=9), State(None))
    ids = [document_id(environment.world, index) for index in range(700)]
    listed = client.all("/fiscalDocuments")
    details = [client.ok(f"/fiscalDocuments/{document_id}") for document_id in ids]
    assert [name_of(item) for item in listed] == [name_of(item) for item in details]
    return details


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text)


def as_bound(text: str, *, upper: bool) -> datetime:
    if len(text) == 10:
        day = datetime.fromisoformat(text + "T00:00:00-03:00")
        return day + timedelta(days=1, seconds=-1) if upper else day
    return moment(text)


def meets(item: dict[str, Any], query: dict[str, str]) -> bool:
    """The specification's filters, on a record."""
    checks = {
        "orderId": lambda value: str(item.get("orderId")) == value,
        "marketplace": lambda value: item["marketplace"] == value,
        "documentTypeValue": lambda value: item["metadata"]["documentTypeValue"] == value,
        "createdAtFrom": lambda value: moment(item["createdAt"]) >= as_bound(value, upper=False),
        "createdAtTo": lambda value: moment(item["createdAt"]) <= as_bound(value, upper=True),
        "lastUpdateFrom": lambda value: moment(item["lastUpdate"]) >= as_bound(value, upper=False),
        "lastUpdateTo": lambda value: moment(item["lastUpdate"]) <= as_bound(value, upper=True),
    }
    return all(checks[name](value) for name, value in query.items())


def test_list_is_oldest_first_and_whole(everything: list[dict[str, Any]]) -> None:
    assert len({name_of(item) for item in everything}) == 700
    created = [moment(item["createdAt"]) for item in everything]
    assert created == sorted(created)
    assert {item["subtype"] for item in everything} == set(SUBTYPES)


@st.composite
def queries(draw: st.DrawFn) -> dict[str, Any]:
    """Combinations of filters; times are drawn as picks into the real ones, so that borders are met."""
    picks = st.integers(0, 699)
    ways = st.sampled_from(["as is", "utc", "date", "millis", "second later"])
    query: dict[str, Any] = {}
    for name in draw(st.sets(st.sampled_from(["createdAtFrom", "createdAtTo", "lastUpdateFrom", "lastUpdateTo"]))):
        query[name] = (draw(picks), draw(ways))
    if draw(st.booleans()):
        query["marketplace"] = draw(st.sampled_from(MARKETPLACES))
    if draw(st.booleans()):
        query["documentTypeValue"] = draw(st.sampled_from(SUBTYPES))
    if draw(st.integers(0, 5)) == 0:
        query["orderId"] = draw(picks)
    return query


def spelled(everything: list[dict[str, Any]], drawn: dict[str, Any]) -> dict[str, str]:
    query = dict(drawn)
    for name, value in drawn.items():
        if isinstance(value, tuple):
            field = "createdAt" if name.startswith("created") else "lastUpdate"
            text = everything[value[0]][field]
            utc = moment(text).astimezone(UTC)
            query[name] = {
                "as is": text,
                "utc": f"{utc:%Y-%m-%dT%H:%M:%SZ}",
                "date": text[:10],
                "millis": text.replace("-03:00", ".000-03:00"),
                "second later": (moment(text) + timedelta(seconds=1)).isoformat(),
            }[value[1]]
        elif name == "orderId":
            query[name] = str(everything[value].get("orderId", 1_000_000))
    return query


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=queries(), limit=st.integers(5, 100), share=st.floats(0, 1.1))
def test_filters_are_as_brute_force(
    client: Client, everything: list[dict[str, Any]], drawn: dict[str, Any], limit: int, share: float
) -> None:
    query = spelled(everything, drawn)
    expected = [item for item in everything if meets(item, query)]
    offset = int(share * len(expected))
    page = client.ok("/fiscalDocuments", limit=limit, offset=offset, **query)
    assert [name_of(item) for item in page["content"]] == [name_of(i) for i in expected[offset : offset + limit]]
    assert page["page"] == {
        "size": limit,
        "totalElements": len(expected),
        "totalPages": -(-len(expected) // limit),
        "number": offset // limit,
    }
    rels = {link["rel"]: link["href"] for link in page["links"]}
    assert ("next" in rels) == (offset + limit < len(expected))
    again = client.http.get(rels["self"])
    assert again.json() == page


VALUES = [*(("documentTypeValue", subtype) for subtype in SUBTYPES), *(("marketplace", name) for name in MARKETPLACES)]


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_each_value_alone(client: Client, everything: list[dict[str, Any]], name: str, value: str) -> None:
    expected = [name_of(item) for item in everything if meets(item, {name: value})]
    assert expected
    assert [name_of(item) for item in client.all("/fiscalDocuments", **{name: value})] == expected


def test_changes_show_under_last_update(client: Client, everything: list[dict[str, Any]]) -> None:
    changed = [item for item in everything if item["lastUpdate"] != item["createdAt"]]
    assert len(changed) > 50
    window = {"lastUpdateFrom": "2026-04-01", "lastUpdateTo": "2026-04-30"}
    expected = [name_of(item) for item in everything if meets(item, window)]
    assert any(meets(item, window) for item in changed)
    assert [name_of(item) for item in client.all("/fiscalDocuments", **window)] == expected


def test_the_list_has_basic_data_and_history(client: Client, everything: list[dict[str, Any]]) -> None:
    details = {name_of(item): item for item in everything}
    for item in client.all("/fiscalDocuments"):
        detail = details[name_of(item)]
        history = [{name: event[name] for name in ("status", "date", "protocol")} for event in detail["history"]]
        beyond = {"documents", "relatedDocuments"} | ({"orderId"} if item["subtype"] == "symbolic_inbound" else set())
        assert item == {**{name: value for name, value in detail.items() if name not in beyond}, "history": history}
        assert "id" in item
        assert beyond <= detail.keys()
    for item in everything:
        assert ("documentKey" in item) == (item["subtype"] != "voiding")
        assert item["type"] == ("CTE" if item["subtype"] == "freight" else "NFE")


def test_first_page_is_five(client: Client) -> None:
    page = client.ok("/fiscalDocuments")
    assert len(page["content"]) == page["page"]["size"] == 5
    assert page["page"]["number"] == 0


def test_history_documents_and_downloads_agree(client: Client, everything: list[dict[str, Any]]) -> None:
    several = [item for item in everything if len(item["history"]) > 1]
    one_each = {item["subtype"]: item for item in everything}
    for item in [*several[:12], *one_each.values()]:
        for entry, document in zip(item["history"], item["documents"], strict=True):
            item_id = document["path"]["document_item_id"]
            assert entry["links"] == [{"rel": "download", "href": f"/v2/fiscalDocuments/download/{item_id}"}]
            response = client.get(f"/fiscalDocuments/download/{item_id}")
            assert response.status_code == 200
            assert response.headers["content-type"] == "application/xml"
            root = etree.fromstring(response.content)
            assert root.findall(".//{*}nProt")[-1].text == entry["protocol"]
            assert item.get("documentKey", "") in response.text
        assert item["history"][0]["date"] == item["createdAt"]
        assert item["history"][-1]["date"] == item["lastUpdate"]


def test_related_documents_are_older(client: Client, everything: list[dict[str, Any]]) -> None:
    held = {item["documentKey"]: item for item in everything if "documentKey" in item}
    absent = 0
    for item in everything:
        for related in item["relatedDocuments"]:
            assert related["relation"] == ("TRANSPORTED" if item["subtype"] == "freight" else "REFERENCED")
            if related["documentKey"] in held:
                assert held[related["documentKey"]]["createdAt"] <= item["createdAt"]
            else:
                absent += 1
    assert 0 < absent < 40  # from before the hub was connected


def test_unknown_ids_are_not_found(client: Client, everything: list[dict[str, Any]]) -> None:
    known = everything[3]
    item_id = known["documents"][0]["path"]["document_item_id"]
    for path in (
        "fd-99999999-0000",
        known["id"][:-1] + ("0" if known["id"][-1] != "0" else "1"),
        "fd--1-0000",
        "x",
        "%20",
        "download/" + known["id"],
        "download/" + item_id.replace("-0-", "-1-"),
        "download/di-00000700-0-0000",
        "download/x",
    ):
        response = client.get(f"/fiscalDocuments/{path}")
        assert response.status_code == 404, path
        assert error_of(response)["code"] == "NOT_FOUND"
