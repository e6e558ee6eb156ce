"""A sandbox's world as files: its XML in a folder and its orders as a spreadsheet, with no hub anywhere."""

from __future__ import annotations

import csv
from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path

from sandbox_hub.oracle.expected_findings.accountant import anomalies
from sandbox_hub.paper.document_factory import Authority
from sandbox_hub.web.records import order_record
from sandbox_hub.world.anomalies.spec import read_spec
from sandbox_hub.world.documents.document_xml import print_xml
from sandbox_hub.world.filters import OrderQuery
from sandbox_hub.world.selection import members
from sandbox_hub.world.timeline import HUB_ZONE
from sandbox_hub.world.world import World

COLUMNS = (
    *("Pedido", "Venda", "Data", "Status", "Canal", "Total", "Subtotal", "Desconto", "Frete", "CPF/CNPJ", "Cliente"),
    *("UF", "Chave NF-e", "NF-e", "Série", "Data emissão", "Data envio", "SKU", "Qtd", "Total item"),
)

Pair = tuple[frozenset[str], frozenset[str]]
"""Orders and keys."""


class PaperWorld:
    """`companies` are the seller's establishments, `now` the end of its calendar."""

    def __init__(self, seed: int, documents: int, anomalies: str) -> None:
        self._world = World(seed, documents, forget=True, lies=read_spec(anomalies))
        self._authority = Authority(seed)
        self.companies = tuple(company.tax_id for company in self._world.cast.companies)
        self.now = datetime.fromtimestamp(self._world.now, HUB_ZONE)

    def planted(self, rules: Collection[str], months: Collection[str]) -> dict[str, set[Pair]]:
        """What an accountant finds in these months, by rule; without what rests on more than is shown."""
        found: dict[str, set[Pair]] = {rule: set() for rule in rules}
        for row in anomalies(self._world):
            if row["rule"] in found and row["period"] in months and "edge" not in row:
                found[row["rule"]].add((frozenset(map(str, row["orders"])), frozenset(row["keys"])))
        return found

    def write_authorities(self, file: Path) -> None:
        """The certificates that its papers chain to."""
        file.write_bytes(self._authority.root_pem() + self._authority.issuer_pem())

    def write_documents(self, folder: Path) -> int:
        """Every document and event in a file of its own; how many there are."""
        folder.mkdir()
        count = 0
        for index in self._world.all_documents():
            for occurrence in (*self._world.occurrences(index), *self._world.copies(index)):
                data = print_xml(self._world, index, occurrence, self._authority)
                (folder / f"{index}-{occurrence.ordinal}.xml").write_bytes(data)
                count += 1
        return count

    def write_orders(self, file: Path) -> int:
        """One line an item, as marketplaces list orders; how many orders there are."""
        records = [
            order_record(self._world, self._world.order_at(number))
            for number in members(self._world.select_orders(OrderQuery()))
        ]
        with file.open("w", encoding="utf-8", newline="") as opened:
            writer = csv.writer(opened, delimiter=";")
            writer.writerow(COLUMNS)
            for record in records:
                writer.writerows(_lines(record))
        return len(records)


def _lines(record: dict[str, object]) -> Sequence[Sequence[object]]:
    def of(name: str) -> dict[str, object]:
        found = record.get(name, {})
        assert isinstance(found, dict)
        return found

    invoice, buyer = of("invoice"), of("buyer")
    order = (
        *(record["id"], record["marketPlaceId"], record["createdAt"], record["status"], record["marketPlace"]),
        *(record["total"], record["gross"], record["discount"], record["freight"]),
        *(buyer.get("document", ""), buyer.get("name", ""), of("shipping").get("state", "")),
        *(invoice.get("accessKey", ""), invoice.get("number", ""), invoice.get("series", ""), invoice.get("date", "")),
        of("tracking").get("shippedDate", ""),
    )
    items = record["items"]
    assert isinstance(items, list)
    return [(*order, item["sku"]["partnerId"], item["amount"], item["total"]) for item in items]
