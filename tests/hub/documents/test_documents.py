from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from confere.errors import HubAnswerUnreadable, HubNotFound
from confere.hub.documents.documents import DocumentFilter, download, fetch, pages, probe
from confere.hub.listing.date_filters import written
from tests.hub.conftest import MakeServer, MakeSession
from tests.hub.scripted import Reply, data, page

BRT = timezone(timedelta(hours=-3))


def test_the_filter_is_written_with_offsets_and_survives_the_url(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([page([], page={"totalElements": 0})])
    wanted = DocumentFilter(
        order_id="1000123",
        marketplace="MERCADO & AZUL+",
        created_from=datetime(2026, 8, 1, tzinfo=BRT),
        created_to=datetime(2026, 8, 31, 23, 59, 59, 999000, tzinfo=BRT),
        updated_from=datetime(2026, 8, 1, 3, tzinfo=UTC),
        updated_to=datetime(2026, 8, 1, 3, tzinfo=timezone(timedelta(hours=5, minutes=30))),
        document_type_value="sale",
    )
    list(pages(connect(hub), wanted))
    (asked,) = hub.asked
    assert asked.path == "/v2/fiscalDocuments"
    assert asked.query == {
        "orderId": "1000123",
        "marketplace": "MERCADO & AZUL+",
        "createdAtFrom": "2026-08-01T00:00:00-03:00",
        "createdAtTo": "2026-08-31T23:59:59.999-03:00",
        "lastUpdateFrom": "2026-08-01T03:00:00+00:00",
        "lastUpdateTo": "2026-08-01T03:00:00+05:30",
        "documentTypeValue": "sale",
        "limit": "100",
    }


def test_a_time_without_a_zone_is_our_own_mistake() -> None:
    with pytest.raises(ValueError, match="zone"):
        written(datetime(2026, 8, 1))
    assert written(None) is None


def test_an_empty_filter_asks_for_everything(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([page([])])
    list(pages(connect(hub), DocumentFilter()))
    assert hub.asked[0].query == {"limit": "100"}


def test_one_record_in_full(serve: MakeServer, connect: MakeSession) -> None:
    raw = b' {"id": "fd-1", "total": 1.50, "documents": [{"path": {"document_item_id": "it-1"}}]}\n'
    hub = serve([Reply(body=raw)])
    found = fetch(connect(hub), "fd-1")
    assert found.raw == raw.strip()
    assert found.complete
    assert found.items[0].item_id == "it-1"


def test_what_the_hub_does_not_know(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([data({"message": "Documento não encontrado"}, 404)])
    with pytest.raises(HubNotFound, match="Documento não encontrado") as caught:
        fetch(connect(hub), "fd-9")
    assert "/v2/fiscalDocuments/fd-9" in str(caught.value)


def test_a_file_that_only_looks_odd_is_kept(serve: MakeServer, connect: MakeSession) -> None:
    for body in (b"not xml at all", b"\xef\xbb\xbf<nfeProc/>", b"PK\x03\x04", b"<a><html/></a>"):
        assert download(connect(serve([Reply(body=body)])), "x") == body


def test_a_probe_says_what_is_wrong(serve: MakeServer, connect: MakeSession) -> None:
    with pytest.raises(HubAnswerUnreadable, match="a page for people instead of data: Painel"):
        probe(connect(serve([Reply(body=b"<html><title>Painel</title>")]), attempts=1))
    with pytest.raises(HubAnswerUnreadable, match="no list"):
        probe(connect(serve([data({"status": "ok"})]), attempts=1))


def test_what_a_file_claims_to_be_does_not_count(serve: MakeServer, connect: MakeSession) -> None:
    hub = serve([Reply(body=b"<nfeProc/>", headers={"Content-Type": "text/html; charset=utf-8"})])
    assert download(connect(hub), "x") == b"<nfeProc/>"
    hub = serve([Reply(body=b"<!DOCTYPE html><title>Login</title>", headers={"Content-Type": "application/xml"})])
    with pytest.raises(HubAnswerUnreadable, match="a page for people: Login"):
        download(connect(hub, attempts=1), "x")


@pytest.mark.parametrize("around", ['{"data": %s}', "[%s]", '{"fiscalDocument": %s}', '[{"content": %s}]'])
def test_a_record_with_something_around_it(serve: MakeServer, connect: MakeSession, around: str) -> None:
    raw = (around % '{"id": "fd-1", "total": 1.50, "documents": [{"path": {"value": "it-1"}}]}').encode()
    found = fetch(connect(serve([Reply(body=raw)])), "fd-1")
    assert (found.hub_id, [item.item_id for item in found.items], found.raw) == ("fd-1", ["it-1"], raw)


@pytest.mark.parametrize("body", ["[]", "7", '["fd-1"]', "null"])
def test_what_is_no_record(serve: MakeServer, connect: MakeSession, body: str) -> None:
    with pytest.raises(HubAnswerUnreadable, match="no record"):
        fetch(connect(serve([Reply(body=body.encode())]), attempts=1), "fd-1")
