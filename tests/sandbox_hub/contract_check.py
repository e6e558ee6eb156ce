"""`python -m tests.sandbox_hub.contract_check [--examples N] [--seed S]`: the hub against its own contract.

Starts an embedded hub, takes from its Spec lookup every document of an API that the hub itself serves and that has
operations, and lets schemathesis send what the document allows and what it forbids. Prints a summary for each
document; ends with 1 where an answer breaks the contract. Not part of the tests: it takes minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import httpx

from sandbox_hub.server import RunningHub
from tests.loopback import LOOPBACK
from tests.sandbox_hub.publications.seller import shop

# What the hub serves. The third document, `remote`, is what it calls at others.
_SERVED = ("backoffice", "marketplace")
_LANGUAGE = "en"
# What a schema cannot say (a brand that is not registered, an order that cannot be moved) is 404 or 422, never 400:
# for a name that is wrong or missing the contract has words.
_SETTINGS = """
[output.truncation]
enabled = false

[checks]
positive_data_acceptance.expected-statuses = ["2xx", "404", "422"]

[dictionaries]
orders = { values = [1000000, 1000001, 1000002, 1000003, 1000004] }
products = { values = [1001, 1002, 1003] }
brands = { values = [1, 2] }
categories = { values = [1, 101] }
reference = { values = ["1", "2"] }
codes = { values = ["SKU-0001", "SKU-0002", "SKU-0003"] }
colours = { values = ["azul", "preto"] }
publications = { values = [%(publication)d] }
documents = { values = %(documents)s }
files = { values = %(files)s }

# Which fields a move of an order needs depends on the order, so that one that is missing is no matter of the schema.
[[operations]]
include-path-regex = "^/orders/[{]id[}]"
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "404", "422"]
parameters = { "path.id" = { dictionary = "orders", probability = 0.8 } }

[[operations]]
include-path-regex = "^/(stocks|prices)$"
generation.dictionaries.string = { dictionary = "codes", probability = 0.8 }
"""
# Where invented ids and codes would only ever be refused: what the hub has, for most of the cases.
_KNOWN = {
    "/fiscalDocuments/{id}": {"path.id": "documents"},
    "/fiscalDocuments/download/{document_item_id}": {"path.document_item_id": "files"},
    "/orders/feeds/{id}": {"path.id": "orders"},
    "/products/feeds/{id}": {"path.id": "products"},
    "/brands/{id}": {"path.id": "brands"},
    "/categories/{id}": {"path.id": "categories"},
    "/products/{id}": {"path.id": "products", "body.brand.id": "reference", "body.category.id": "reference"},
    "/products": {"body.brand.id": "reference", "body.category.id": "reference"},
    "/products/{productId}/skus": {"path.productId": "products"},
    "/products/{productId}/skus/{id}": {"path.productId": "products", "path.id": "products"},
    "/products/{productId}/images": {"path.productId": "products", "body.variation": "colours"},
    "/transmissions/{id}": {"path.id": "publications"},
    "/transmissions-price/{id}": {"path.id": "publications"},
    "/skumarketplace/{id}": {"path.id": "publications"},
    "/skumarketplace/{id}/priceStock": {"path.id": "publications", "body.id": "publications"},
    "/orders": {"body.items[*].sku.partnerId": "codes"},
    "/reservations/{id}": {"path.id": "orders"},
    "/reservations/feeds/{id}": {"path.id": "orders"},
    "/campaigns": {"body.skus[*]": "codes"},
}


def main(arguments: list[str] | None = None) -> int:
    """0 where every answer is as the contract says."""
    parser = argparse.ArgumentParser(prog="python -m tests.sandbox_hub.contract_check")
    parser.add_argument("--examples", type=int, default=25, metavar="N", help="at most so many cases an operation")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="which cases")
    parser.add_argument("--operation", metavar="ID", help="only the operation of this operationId")
    given = parser.parse_args(arguments)
    results = {}
    with shop(documents=300, seed=given.seed) as seller:
        hub = seller.hub
        publication = seller.published()["id"]
        root = hub.panel.removesuffix("/sandbox")
        for api in _SERVED:
            document = httpx.get(f"{root}/specs/{api}.{_LANGUAGE}.json", **LOOPBACK).json()
            operations = sum(len(methods) for methods in document["paths"].values())
            if not operations:
                results[api] = "no operations"
                continue
            ended = _check(hub, api, document, given.examples, given.seed, given.operation, publication)
            results[api] = f"{operations} operations, " + ("as the contract says" if ended == 0 else "FAILED")
    for api, result in results.items():
        sys.stdout.write(f"{api}: {result}\n")
    return int(any(result.endswith("FAILED") for result in results.values()))


def _check(
    hub: RunningHub,
    api: str,
    document: dict[str, Any],
    examples: int,
    seed: int,
    operation: str | None,
    publication: int,
) -> int:
    """Run schemathesis over one document; its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        contract, settings = Path(folder, "contract.json"), Path(folder, "schemathesis.toml")
        contract.write_text(json.dumps(document), "utf-8")
        settings.write_text(_settings(hub, document, publication), "utf-8")
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(settings), "run", str(contract)),
            *("--url", hub.panel.removesuffix("/sandbox") + str(document["servers"][0]["url"])),
            *(part for name, value in _credentials(hub, api).items() for part in ("--header", f"{name}: {value}")),
            *("--max-examples", str(examples), "--seed", str(seed)),
            *("--suppress-health-check", "all", "--continue-on-failure", "--no-color"),
        ]
        if operation is not None:
            command += ["--include-operation-id", operation]
        environment = {**os.environ, "NO_PROXY": "*", "PYTHONIOENCODING": "utf-8"}
        return subprocess.run(command, cwd=folder, env=environment, check=False).returncode


def _credentials(hub: RunningHub, api: str) -> dict[str, str]:
    """The headers of a seller's system, or of a marketplace's middleware."""
    if api == "marketplace":
        return {"appId": hub.marketplace.app_id, "token": hub.marketplace.token}
    return {"serviceToken": hub.token, "platform": "contract-check"}


def _settings(hub: RunningHub, document: dict[str, Any], publication: int) -> str:
    """The settings with ids of documents and files that this hub has."""
    headers = _credentials(hub, "backoffice")
    listed = httpx.get(f"{hub.address}/fiscalDocuments", headers=headers, **LOOPBACK).json()["content"]
    documents = [item["id"] for item in listed if "id" in item]
    whole = httpx.get(f"{hub.address}/fiscalDocuments/{documents[0]}", headers=headers, **LOOPBACK).json()
    files = [file["path"]["document_item_id"] for file in whole["documents"]]
    settings = _SETTINGS % {
        "documents": json.dumps(documents),
        "files": json.dumps(files),
        "publication": publication,
    }
    for path, bindings in _KNOWN.items():
        for method in document["paths"].get(path, ()):
            bound = ", ".join(
                f'"{name}" = {{ dictionary = "{words}", probability = 0.8 }}'
                for name, words in bindings.items()
                if name.startswith("path.") or method != "get"
            )
            if bound:
                settings += f'\n[[operations]]\ninclude-name = "{method.upper()} {path}"\nparameters = {{ {bound} }}\n'
    return settings


if __name__ == "__main__":
    sys.exit(main())
