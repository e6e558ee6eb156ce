"""Products of hubs of any kind are read tolerantly; what a contract declares of the catalog is what is used."""

from __future__ import annotations

from decimal import Decimal

from hypothesis import given

from confere.hub.catalog import catalog_writes
from confere.hub.catalog.catalog_reads import CatalogReads, product_of, product_of_text, reads_of
from confere.hub.catalog.catalog_writes import CatalogWrite
from confere.hub.json.json_reader import Record
from confere.sales.catalog_product import CatalogSku
from tests.hub.json.test_json_reader import JSON


def test_fields_of_the_specification() -> None:
    product = product_of_text(
        b'{"id": 7, "title": "Rede", "nbm": {"id": "6307.90.90"}, "origin": {"id": 0},'
        b' "brand": {"id": "3", "name": "Ip"}, "category": {"id": 101}, "model": "Casal",'
        b' "lastUpdate": "2026-01-02T00:00:00Z", "skus": [{"id": 9,'
        b' "partnerId": "R-1", "ean": null, "price": "189.90", "amount": "2.5", "additionalTime": 2,'
        b' "variations": {"Cor": "azul", "Tamanho": 4}}]}'
    ).product
    assert (product.hub_id, product.ncm, product.origin, product.brand, product.category_id) == (
        "7", "63079090", "0", "Ip", "101",
    )  # fmt: skip
    assert product.skus == (
        CatalogSku("9", "R-1", None, None, 18990, Decimal("2.5"), None, 2, (("Cor", "azul"), ("Tamanho", "4"))),
    )


@given(JSON)
def test_no_json_is_too_strange(value: object) -> None:
    assert (product_of(Record(value, b"x")) is not None) == isinstance(value, dict)
    assert product_of(Record({"id": 1, "skus": value, "nbm": value, "brand": value}, b"x")) is not None


def test_without_a_contract_nothing_is_read() -> None:
    assert reads_of(None) == CatalogReads(False, False, False, ())


def test_a_write_has_its_ids_in_its_path_and_exact_numbers_in_its_body() -> None:
    write = CatalogWrite(catalog_writes.SKU, {"price": Decimal("49.90"), "title": "São"}, ("1/2", "3"))
    assert (write.method, write.path) == ("PUT", "/products/1%2F2/skus/3")
    assert write.data == '{"price": 49.90, "title": "São"}'.encode()
