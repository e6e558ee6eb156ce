"""Columns of order files: by name in three languages, by a person's word, and as remembered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from confere.errors import UsageFault
from confere.intake.order_files.columns import FIELDS, guess, parse, plain, settle, to_remember


@pytest.mark.parametrize(
    "names",
    [
        ("Nº do Pedido", "NÚMERO PEDIDO", "pedido", "# de pedido", "n.º do pedido"),
        ("Order ID", "order_id", "Order-Id"),
    ],
)
def test_one_name_in_many_spellings(names: tuple[str, ...]) -> None:
    assert len({plain(name) for name in names}) == 1
    assert all(guess([name]) == {name: "id"} for name in names)


def test_exports_in_three_languages() -> None:
    assert guess(
        ["Nº da venda", "Data da venda", "Situação", "Total (BRL)", "CPF/CNPJ do comprador", "Chave de acesso", "Notas"]
    ) == {
        "Nº da venda": "marketplace_id",
        "Data da venda": "created_at",
        "Situação": "status",
        "Total (BRL)": "total",
        "CPF/CNPJ do comprador": "buyer_tax_id",
        "Chave de acesso": "invoice_key",
    }
    assert guess(["Order ID", "Order Date", "SKU", "Quantity", "Unit Price", "Shipping fee", "Invoice number"]) == {
        "Order ID": "id",
        "Order Date": "created_at",
        "SKU": "code",
        "Quantity": "quantity",
        "Unit Price": "unit",
        "Shipping fee": "freight",
        "Invoice number": "invoice_number",
    }
    assert guess(["Pedido", "marketPlaceNumber", "partnerId", "Juros"]) == {
        "Pedido": "id",
        "marketPlaceNumber": "marketplace_number",
        "partnerId": "partner_id",
        "Juros": "interest",
    }
    assert guess(["Número de orden", "Fecha de venta", "Cantidad", "Envío"]) == {
        "Número de orden": "id",
        "Fecha de venta": "created_at",
        "Cantidad": "quantity",
        "Envío": "freight",
    }


def test_each_field_is_taken_once_by_its_commonest_name() -> None:
    assert guess(["Valor total", "Total", "Pedido"]) == {"Total": "total", "Pedido": "id"}


def test_a_persons_word_wins_over_memory_and_memory_over_names() -> None:
    columns = ["Pedido", "Valor", "Total", "Obs"]
    assert settle(columns, {}, {}) == {"Pedido": "id", "Total": "total"}
    remembered = {"valor": "total"}
    assert settle(columns, remembered, {}) == {"Pedido": "id", "Valor": "total"}
    assert settle(columns, remembered, {"valor": "freight", "obs": "carrier"}) == {
        "Pedido": "id",
        "Valor": "freight",
        "Total": "total",
        "Obs": "carrier",
    }
    assert settle(columns, {}, {"Total": "-"}) == {"Pedido": "id"}


def test_what_was_used_is_remembered_and_what_was_left_out_too() -> None:
    known = to_remember({"x": "total"}, {"Nº do Pedido": "id"}, {"Total": "-"})
    assert known == {"x": "total", "pedido": "id", "total": "-"}
    assert settle(["Pedido", "Total"], known, {}) == {"Pedido": "id"}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"Nada": "id"}, "Nada"),
        ({"Pedido": "-"}, "No column"),
    ],
)
def test_what_makes_no_sense_is_refused(given: dict[str, str], words: str) -> None:
    with pytest.raises(UsageFault, match=words):
        settle(["Pedido", "Total"], {}, given)


def test_a_field_that_nobody_knows_is_refused_where_it_is_typed() -> None:
    with pytest.raises(UsageFault, match="price of fish"):
        parse(["Pedido=price of fish"])


def test_a_mapping_as_it_is_typed() -> None:
    assert parse(["Nº do pedido=id, Valor=total", '"Nome, completo=buyer_name"', "a=b=unit"]) == {
        "Nº do pedido": "id",
        "Valor": "total",
        "Nome, completo": "buyer_name",
        "a=b": "unit",
    }
    for wrong in ("Pedido", "=id"):
        with pytest.raises(UsageFault):
            parse([wrong])


@given(st.lists(st.text(max_size=12), max_size=8), st.dictionaries(st.text(max_size=8), st.sampled_from(FIELDS)))
def test_no_column_means_two_things_and_no_field_has_two_columns(names: list[str], remembered: dict[str, str]) -> None:
    columns = list(dict.fromkeys([*names, "Pedido"]))
    try:
        found = settle(columns, remembered, {})
    except UsageFault:  # the memory made something else of the order's number
        return
    assert len(set(found.values())) == len(found)
    assert set(found) <= set(columns)
