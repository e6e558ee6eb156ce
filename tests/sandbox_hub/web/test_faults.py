"""Every fault can be seen, is the same for the same seed, and passes when it is of one request only."""

from __future__ import annotations

import time
from datetime import timedelta
from email.utils import parsedate_to_datetime
from typing import Any

import httpx
import pytest
from lxml import etree

from sandbox_hub.errors import SandboxError
from sandbox_hub.faults.plan import Fault, FaultPlan, parse_faults
from sandbox_hub.limits import Bucket
from tests.loopback import LOOPBACK
from tests.sandbox_hub.web.client import Client, name_of, sandbox

EVERY = frozenset(Fault)


def outcome(client: Client, path: str, **query: Any) -> str:
    """What one request met, in a word."""
    try:
        response = client.get(path, **query)
    except httpx.TransportError:
        return "torn"
    if response.headers["content-type"].startswith("text/html"):
        return f"html {response.status_code}"
    return str(response.status_code)


def test_429_comes_in_bursts_and_passes() -> None:
    with sandbox(documents=60, seed=2, faults="rate429=0.3") as client:
        seen = [outcome(client, "/orders/feeds") for _ in range(80)]
        assert set(seen) == {"200", "429"}
        assert "429 429 429 429" in " ".join(seen)
        assert client.info()["counts"]["rate429"] == seen.count("429")
    with sandbox(documents=60, seed=2, faults="rate429=0.3") as client:
        assert [outcome(client, "/orders/feeds") for _ in range(80)] == seen
    with sandbox(documents=60, seed=3, faults="rate429=0.3") as client:
        assert [outcome(client, "/orders/feeds") for _ in range(80)] != seen


@pytest.mark.parametrize("style", ["none", "seconds", "date"])
def test_retry_after_is_as_the_deployment_has_it(style: str) -> None:
    with sandbox(documents=60, faults="rate429=1", retry_after=style) as client:
        response = client.get("/orders/feeds")
        assert response.status_code == 429
        given = response.headers.get("retry-after")
        if style == "none":
            assert given is None
        elif style == "seconds":
            assert given == "1"
        else:
            assert given is not None
            waits = parsedate_to_datetime(given) - parsedate_to_datetime(response.headers["date"])
            assert waits == timedelta(seconds=1)


def test_server_errors_of_three_kinds() -> None:
    with sandbox(documents=60, seed=2, faults="error5xx=0.5") as client:
        seen = {outcome(client, "/orders/feeds") for _ in range(60)}
    assert seen == {"200", "500", "html 502", "503"}


def test_slow_answers_are_whole() -> None:
    with sandbox(documents=60, faults="slow=1") as client:
        started = time.monotonic()
        assert client.ok("/fiscalDocuments")["page"]["totalElements"] == 60
        assert time.monotonic() - started >= 0.2
        assert client.info()["counts"]["slow"] == 1


def test_connections_are_torn_before_and_amid_the_answer() -> None:
    kinds = set()
    with sandbox(documents=60, seed=2, faults="reset=0.5") as client:
        for _ in range(40):
            try:
                client.ok("/fiscalDocuments", limit=50)
                kinds.add("whole")
            except httpx.TransportError:
                kinds.add("torn")
        assert kinds == {"whole", "torn"}
        assert client.info()["counts"]["reset"] > 5
        assert {_torn_at(client) for _ in range(40)} == {"amid", "before", "never"}


def _torn_at(client: Client) -> str:
    """Where one answer ended, by the bytes that came."""
    body = b""
    try:
        with client.http.stream("GET", client.address + "/fiscalDocuments?limit=50") as response:
            for chunk in response.iter_raw():
                body += chunk
    except httpx.TransportError:
        return "amid" if body else "before"
    return "never"


def items_to_download(client: Client) -> list[str]:
    found = []
    for item in client.ok("/fiscalDocuments", limit=100)["content"]:
        found += [document["path"]["document_item_id"] for document in client.detail(item)["documents"]]
    return found


def test_truncated_xml_claims_to_be_whole() -> None:
    with sandbox(documents=60, seed=2) as whole_client, sandbox(documents=60, seed=2, faults="truncated=0.5") as client:
        cut = 0
        for item_id in items_to_download(whole_client)[:16]:
            whole = whole_client.get(f"/fiscalDocuments/download/{item_id}").content
            response = client.get(f"/fiscalDocuments/download/{item_id}")
            assert response.status_code == 200
            assert int(response.headers["content-length"]) == len(response.content)
            if response.content != whole:
                cut += 1
                assert whole.startswith(response.content)
                with pytest.raises(etree.XMLSyntaxError):
                    etree.fromstring(response.content)
            tries = [client.get(f"/fiscalDocuments/download/{item_id}").content for _ in range(12)]
            assert whole in tries
        assert 3 < cut < 13
        assert client.ok("/fiscalDocuments", limit=100)["page"]["totalElements"] == 60


def test_html_with_status_200() -> None:
    with sandbox(documents=60, seed=2, faults="html=0.5") as client:
        seen = {outcome(client, "/fiscalDocuments") for _ in range(20)}
        assert seen == {"200", "html 200"}
        pages = [client.get("/fiscalDocuments") for _ in range(20)]
        html = [page for page in pages if "html" in page.headers["content-type"]]
        assert all(page.text.startswith("<!DOCTYPE html>") for page in html)


def test_pages_shift_while_being_read() -> None:
    with sandbox(documents=300, seed=2) as still, sandbox(documents=300, seed=2, faults="shift=0.5") as client:
        truth = [name_of(item) for item in still.all("/fiscalDocuments")]
        moved, late, fair = 0, 0, 0
        for offset in range(0, 300, 20):
            for _ in range(3):
                page = client.ok("/fiscalDocuments", limit=20, offset=offset)
                names, total = [name_of(item) for item in page["content"]], page["page"]["totalElements"]
                if total == 300:
                    assert names == truth[offset : offset + 20]
                    fair += 1
                    continue
                gone = 300 - total
                assert 1 <= gone <= 3
                if names == truth[offset + gone : offset + gone + 20] and offset < 280:
                    moved += 1
                else:
                    assert names == truth[:total][offset : offset + 20] or names == truth[gone:][offset : offset + 20]
                    late += 1
        assert min(moved, late, fair) > 3


def test_ignored_date_filters_are_echoed() -> None:
    with sandbox(documents=60, faults="ignore-dates") as client:
        page = client.ok("/fiscalDocuments", createdAtFrom="2026-10-30", lastUpdateTo="2025-11-02")
        assert page["page"]["totalElements"] == 60
        assert "createdAtFrom=2026-10-30" in page["links"][0]["href"]
        assert "createdAtFrom=2026-10-30" in page["links"][1]["href"]
        assert client.get("/fiscalDocuments", createdAtFrom="x").status_code == 422
        assert client.ok("/fiscalDocuments", documentTypeValue="voiding")["page"]["totalElements"] < 5


def test_items_without_id_or_dates() -> None:
    with sandbox(documents=200, seed=2, faults="no-id,no-dates") as client:
        items = client.all("/fiscalDocuments")
        assert all("createdAt" not in item and "lastUpdate" not in item for item in items)
        assert all("date" not in entry for item in items for entry in item["history"])
        without = [item for item in items if "id" not in item]
        assert 20 < len(without) < 90
        for item in items:
            assert "id" in item or item["documents"]  # every XML can still be reached
        assert client.all("/fiscalDocuments") == items
        detail = client.ok(f"/fiscalDocuments/{next(item['id'] for item in items if 'id' in item)}")
        assert "createdAt" in detail


def test_downloads_redirect_to_another_host_that_must_see_no_token() -> None:
    with sandbox(documents=60, seed=2) as plain, sandbox(documents=60, seed=2, faults="redirect") as client:
        item_id = items_to_download(plain)[0]
        response = client.get(f"/fiscalDocuments/download/{item_id}")
        assert response.status_code == 302
        target = httpx.URL(response.headers["location"])
        own = httpx.URL(client.address)
        assert target.host == "localhost" != own.host
        assert target.port != own.port
        body = httpx.get(target, **LOOPBACK)
        assert body.status_code == 200
        assert body.headers["content-type"] == "application/xml"
        assert body.content == plain.get(f"/fiscalDocuments/download/{item_id}").content
        assert httpx.get(target.copy_with(query=b"ticket=x"), **LOOPBACK).status_code == 404
        assert httpx.get(target.copy_with(path="/sandbox/di-x/content.xml"), **LOOPBACK).status_code == 404
        assert httpx.get(target.copy_with(path="/nothing/di-x/content.xml"), **LOOPBACK).status_code == 404
        assert client.info()["credentials_leaked"] is False
        assert client.http.get(target).status_code == 400
        assert client.info()["credentials_leaked"] is True


def test_a_retrying_reader_gets_everything_through_all_faults() -> None:
    with sandbox(documents=100, seed=2) as plain, sandbox(documents=100, seed=2, faults="all") as client:
        for item_id in items_to_download(plain)[:40]:
            whole = plain.get(f"/fiscalDocuments/download/{item_id}").content
            for _ in range(12):
                try:
                    response = client.get(f"/fiscalDocuments/download/{item_id}")
                    if response.status_code == 302:
                        response = httpx.get(response.headers["location"], **LOOPBACK)
                except httpx.TransportError:
                    continue
                if response.content == whole:
                    break
            assert response.content == whole
        assert not client.info()["credentials_leaked"]


def test_writes_meet_faults_before_they_take_effect() -> None:
    with sandbox(documents=300, seed=2) as plain:
        item = plain.ok("/orders/feeds", limit=5)[0]
    with sandbox(documents=300, seed=2, faults="error5xx=1") as client:
        assert client.put(f"/orders/feeds/{item['id']}", {"token": item["token"]}).status_code >= 500


# -- the plan --------------------------------------------------------------------------------------------


def test_rates_are_met() -> None:
    plan = FaultPlan(1, {Fault.SLOW: 0.1, Fault.RATE_429: 0.1})
    draws = [plan.draw(request, EVERY) for request in range(20_000)]
    slow = sum(mishap is not None and mishap.fault is Fault.SLOW for mishap in draws)
    refused = sum(mishap is not None and mishap.fault is Fault.RATE_429 for mishap in draws)
    assert 1_500 < slow < 2_200
    assert 1_700 < refused < 2_300
    again = FaultPlan(1, plan.rates)
    assert [again.draw(request, EVERY) for request in range(20_000)] == draws
    assert {plan.draw(request, {Fault.RESET}) for request in range(500)} == {None}


def test_faults_are_read_from_a_list() -> None:
    assert parse_faults("") == {}
    assert parse_faults(" slow , reset=0.5 ") == {Fault.SLOW: 0.02, Fault.RESET: 0.5}
    mix = parse_faults("all,slow=0")
    assert mix[Fault.SLOW] == 0
    assert set(mix) == EVERY - {Fault.IGNORE_DATES, Fault.NO_DATES}
    assert set(parse_faults("all=0.5").values()) == {0.5}
    for wrong in ("fire", "slow=2", "slow=-1", "slow=x", "slow=", "slow=nan"):
        with pytest.raises(SandboxError):
            parse_faults(wrong)


# -- the rate limit --------------------------------------------------------------------------------------


def test_bucket_gives_its_rate_after_a_small_burst() -> None:
    now = 0.0
    bucket = Bucket(10, clock=lambda: now)
    taken = 0
    for step in range(1_000):
        now = step / 100
        taken += bucket.take() == 0.0
    assert taken == 10 + 99  # the burst and 9.99 seconds of filling
    assert 0 < bucket.take() <= 0.1
    assert all(Bucket(None).take() == 0.0 for _ in range(1_000))


def test_the_limit_is_imposed_for_each_token() -> None:
    with sandbox(documents=60, rate_limit=1, retry_after="seconds") as client:
        seen = [client.get("/orders/feeds") for _ in range(12)]
        assert seen[0].status_code == 200
        refused = [response for response in seen if response.status_code == 429]
        assert refused
        assert all(response.headers["retry-after"] == "1" for response in refused)
        production = Client(client.hub, production=True)
        with production.http:
            assert production.get("/orders/feeds").status_code == 200
