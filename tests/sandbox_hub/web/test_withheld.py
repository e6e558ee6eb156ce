"""Documents that the hub holds and never shows: neither listed, nor given, nor downloadable, by any way."""

from __future__ import annotations

import json
from pathlib import Path

import httpx

from tests.loopback import LOOPBACK
from tests.sandbox_hub.web.client import CONTROL, error_of, sandbox


def test_withheld_documents_are_nowhere_and_all_others_everywhere(tmp_path: Path) -> None:
    truth = tmp_path / "truth.json"
    world = {"documents": 500, "seed": 6}
    with sandbox(**world) as whole:
        everything = {item["documentKey"]: item for item in whole.all("/fiscalDocuments") if "documentKey" in item}
        orders = whole.all("/orders")
        with sandbox(**world, withhold=0.1, truth_file=truth, faults="redirect=1") as client:
            hidden = set(json.loads(truth.read_text("utf-8"))["withheld"])
            assert 20 < len(hidden) < 90
            shown = client.all("/fiscalDocuments")
            assert {item.get("documentKey") for item in shown} - {None} == set(everything) - hidden
            changed = client.all("/fiscalDocuments", lastUpdateFrom="2025-11-01", documentTypeValue="sale")
            sales = {key for key, item in everything.items() if item["subtype"] == "sale"}
            assert {item["documentKey"] for item in changed} == sales - hidden
            found = [client.ok("/fiscalDocuments", offset=offset, limit=7)["content"] for offset in range(0, 80, 7)]
            assert [item for page in found for item in page] == shown[:84]
            assert client.all("/orders") == orders
            for key in sorted(hidden)[:8]:
                item = everything[key]
                if "orderId" in item:
                    named = client.all("/fiscalDocuments", orderId=item["orderId"])
                    assert key not in {other.get("documentKey") for other in named}
                assert error_of(client.cancel(key))["code"] == "NOT_FOUND"
                assert error_of(client.get(f"/fiscalDocuments/{item['id']}"))["code"] == "NOT_FOUND"
                for part in whole.detail(item)["documents"]:
                    name = part["path"]["document_item_id"]
                    assert error_of(client.get(f"/fiscalDocuments/download/{name}"))["code"] == "NOT_FOUND"
                    assert whole.get(f"/fiscalDocuments/download/{name}").status_code == 200
            info = httpx.get(f"{client.hub.panel}/info", headers=CONTROL, **LOOPBACK).json()
            assert info["documents"] == 500
