"""What the commands that know a matter themselves (`catalog`, `feeds`) show of the rows that `hub call` proves."""

from __future__ import annotations

from typing import Any

from tests.hub.rows import catalog
from tests.hub.rows.bench import ACCOUNT, NOW, Bench
from tests.hub.rows.doors import ClientDoor
from tests.hub.rows.feeds import changed, drained
from tests.hub.rows.probes import also

_OF_PRODUCT = {
    "title": "title",
    "nbm.id": "ncm",
    "origin.id": "origin",
    "brand.name": "brand",
    "category.id": "category_id",
    "model": "model",
}
_OF_SKU = {
    "title": "title",
    "partnerId": "code",
    "ean": "ean",
    "ean-null": "ean",
    "variations": "variations",
    "additionalTime": "extra_days",
}
_COLUMNS = "Produto;Título;SKU;Preço;Estoque;NCM;Origem;Marca;Categoria;Variação 1;Valor 1;Imagens"


def shown(bench: Bench) -> tuple[dict[str, Any], dict[str, Any]]:
    """The product that was sent by `hub call` as the hub has it now, and as `catalog show` has it after a sync."""

    def make() -> tuple[dict[str, Any], dict[str, Any]]:
        _, product = catalog.product(ClientDoor(bench))
        bench.confere("catalog", "sync", "--account", ACCOUNT)
        found = bench.confere("catalog", "show", product["skus"][0]["partnerId"], "--account", ACCOUNT)
        return bench.done("GET", f"/products/{product['id']}"), found

    return bench.once("catalog show", make)


@also
def typed_product_field(bench: Bench, subject: str) -> None:
    sent, found = shown(bench)
    if subject in _OF_PRODUCT:
        assert [found[_OF_PRODUCT[subject]]] == catalog.field_of(sent, subject)
    elif subject == "skus":
        assert [sku["code"] for sku in found["skus"]] == [sku["partnerId"] for sku in sent["skus"]]


@also
def typed_sku_field(bench: Bench, subject: str) -> None:
    sent, found = shown(bench)
    number = 1 if subject in ("ean-null", "additionalTime", "price-text") else 0
    sku, seen = sent["skus"][number], found["skus"][number]
    if subject in _OF_SKU:
        assert seen[_OF_SKU[subject]] == sku["ean" if subject == "ean-null" else subject]
    elif subject in ("price", "price-text"):
        assert float(seen["price"]) == float(sku["price"])


@also
def typed_registration_order(bench: Bench, subject: str) -> None:
    if subject == "prices":
        return

    def make() -> None:
        number = bench.number()
        codes = [f"PUSH-{number}-{colour}" for colour in ("azul", "preto")]
        rows = [
            f"P{number};Rede {number};{code};49,90;12;63079090;0;Marca P{number};Casa P{number} > Redes P{number};"
            f"Cor P{number};{colour};https://imagens.example/p{number}-{colour}.jpg"
            for code, colour in zip(codes, ("azul", "preto"), strict=True)
        ]
        file = bench.folder() / "produtos.csv"
        file.write_text("\n".join((_COLUMNS, *rows)) + "\n", encoding="utf-8")
        bench.confere("catalog", "push", str(file), "--account", ACCOUNT, "--yes")
        bench.confere("catalog", "sync", "--account", ACCOUNT)
        pushed = bench.confere("catalog", "show", codes[0], "--account", ACCOUNT)
        product = bench.done("GET", f"/products/{pushed['product_id']}")
        assert [sku["partnerId"] for sku in product["skus"]] == codes
        assert product["brand"]["name"] == f"Marca P{number}"
        assert len(product["images"]) == 2
        stock = bench.done("GET", "/stocks", partnerId=codes[0])["content"]
        assert [each["quantity"] for each in stock] == [12]

    bench.once("catalog push", make)


@also
def typed_feed_read(bench: Bench, subject: str) -> None:
    beside = bench.beside("feeds", clock=NOW, middleware=True)
    drained(beside, subject)
    item_id = changed(beside, subject)
    assert item_id
    read = beside.confere("feeds", "read", "--feed", subject, "--account", ACCOUNT)
    assert read["feeds"][subject]["changed"] >= 1, read
    assert read["failed"] == 0
    [line] = [
        line for line in beside.confere("feeds", "list", "--account", ACCOUNT)["feeds"] if line["feed"] == subject
    ]
    assert line["is_offered"] is True
    assert line["read_at"] is not None
