"""Order files whose totals are not what they are called, packs, rounded numbers, and words for statuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from confere.archive.accounts import preferences
from confere.archive.accounts.accounts import Account
from confere.archive.orders import order_search
from confere.archive.orders.order_search import OrderQuery
from confere.archive.store import Archive
from confere.errors import UsageFault
from confere.intake.order_files import status_words
from confere.intake.order_files.ambiguous_columns import DoubtKind
from confere.intake.order_files.order_file_import import FileChoice, ReadFile, import_order_file, read_file
from tests.intake.order_files.test_order_file_import import account as account
from tests.intake.order_files.test_order_file_import import written
from tests.intake.workbooks import workbook

SALES = "N.º de venda;Data da venda;Estado;SKU;Unidades;Preço unitário;Receita por produtos (BRL);Tarifa;Total (BRL)"


def sale(number: str, *, unit: str = "100,00", total: str = "84,00", state: str = "Entregue", sku: str = "A-1") -> str:
    return f"{number};05/10/2026;{state};{sku};1;{unit};{unit};-16,00;{total}"


def raw(read: ReadFile) -> list[dict[str, object]]:
    return [json.loads(entry.raw(entry.number)) for entry in read.orders]


def named(read: ReadFile) -> list[str]:
    return [entry.number for entry in read.orders]


# -- payouts -----------------------------------------------------------------------------------------------


def test_a_total_after_fees_is_asked_about_and_never_taken(archive: Archive, account: Account, tmp_path: Path) -> None:
    path = written(tmp_path, "\n".join((SALES, sale("1"), sale("2", unit="50,00", total="44,50"))))
    (doubt,) = read_file(path).reading.doubts
    assert (doubt.kind, doubt.column, doubt.choices) == (DoubtKind.PAYOUT, "Total (BRL)", ("payout", "total"))
    assert "in 2 of 2 orders it is 11% to 16% below the sum of the items" in str(doubt.why)
    with pytest.raises(UsageFault, match=r'--map "Total \(BRL\)=payout"'):
        import_order_file(archive, account, path)
    with archive.reading() as transaction:
        assert order_search.count(transaction, OrderQuery()) == 0

    told = import_order_file(archive, account, path, FileChoice({"Total (BRL)": "payout"}))
    assert (told.new, told.reading.without_total) == (2, 2)
    with archive.reading() as transaction:
        assert {row.total for row in order_search.page(transaction, OrderQuery(), 9)} == {None}
    again = import_order_file(archive, account, path)
    assert (again.same, again.reading.mapping["Total (BRL)"]) == (2, "payout")


def test_who_says_that_it_is_the_total_is_not_asked_again(archive: Archive, account: Account, tmp_path: Path) -> None:
    path = written(tmp_path, "\n".join((SALES, sale("1"))))
    import_order_file(archive, account, path, FileChoice({"Total (BRL)": "total"}))
    assert import_order_file(archive, account, path).same == 1
    with pytest.raises(UsageFault, match="pays out"):
        import_order_file(archive, account, path, FileChoice(forget=True))


@pytest.mark.parametrize(
    "lines",
    [
        ("Pedido;SKU;Qtd;Preço;Total", "1;A;1;100,00;100,00", "2;A;2;50,00;110,00"),
        ("Pedido;SKU;Qtd;Preço;Desconto;Total", "1;A;1;100,00;15,00;85,00"),
        ("Pedido;SKU;Qtd;Preço;Total", "1;A;1;100,00;0,00", "2;A;1;100,00;100,00"),  # a cancelled one
        ("Pedido;SKU;Qtd;Preço;Total", *(f"{at};A;1;100,00;100,00" for at in (1, 2, 3)), "4;A;1;100,00;90,00"),
        ("Pedido;Total", "1;84,00"),
    ],
)
def test_totals_that_the_items_make_up_are_not_doubted(tmp_path: Path, lines: tuple[str, ...]) -> None:
    assert read_file(written(tmp_path, "\n".join(lines))).reading.doubts == ()


def test_a_column_with_fees_beside_it_and_nothing_to_compare_is_asked_about(tmp_path: Path) -> None:
    (doubt,) = read_file(written(tmp_path, "Venda;Tarifa de venda;Total (BRL)\n1;-16,00;84,00\n")).reading.doubts
    assert doubt.kind is DoubtKind.PAYOUT
    assert "Tarifa de venda" in str(doubt.why)


# -- lines that bear one total -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "doubted"),
    [
        (("1;A;1;50,00;50,00", "1;B;1;50,00;50,00"), True),  # each item's own
        (("1;A;1;50,00;100,00", "1;B;1;50,00;100,00"), False),  # the order's
        (("1;A;1;;50,00", "1;B;1;;50,00"), True),  # nobody can tell
        (("1;A;1;;50,00", "1;B;1;;50,00", "2;A;1;;10,00", "2;B;1;;30,00"), True),  # others' lines differ
        (tuple(f"{at};{sku};1;;50,00" for at in (1, 2, 3) for sku in "AB"), False),  # as a rule the order's
        (("1;A;1;;50,00", "1;A;1;;50,00"), False),  # one line twice
    ],
)
def test_half_an_order_is_asked_about(tmp_path: Path, lines: tuple[str, ...], doubted: bool) -> None:
    found = read_file(written(tmp_path, "\n".join(("Pedido;SKU;Qtd;Preço;Total", *lines))))
    assert [entry.kind for entry in found.reading.doubts] == [DoubtKind.PER_ITEM] * doubted
    answered = read_file(
        written(tmp_path, "\n".join(("Pedido;SKU;Qtd;Preço;Total", *lines))), {}, {"Total": "item_total"}
    )
    assert answered.reading.doubts == ()
    assert all("total" not in order for order in raw(answered))


# -- packs -------------------------------------------------------------------------------------------------

HEAD = "N.º de venda;Data da venda;Situação;SKU;Unidades;Preço unitário;Total"


def pack(*rows: str) -> str:
    return "\n".join((HEAD, "9;05/10/2026;Pacote de 2 produtos;;2;;150,00", *rows))


@pytest.mark.parametrize("total", ["", "150,00"])
def test_a_pack_and_its_rows_are_one_order(tmp_path: Path, total: str) -> None:
    text = pack(f"91;05/10/2026;Entregue;A;1;100,00;{total}", f"92;05/10/2026;Entregue;B;1;50,00;{total}")
    found = read_file(written(tmp_path, f"{text}\n8;06/10/2026;Enviado;A;1;100,00;100,00"))
    assert (named(found), found.reading.problems, found.reading.doubts) == (["9", "8"], (), ())
    order = raw(found)[0]
    assert (order["total"], order["status"], order["packOrders"]) == (150, "CONCLUDED", ["91", "92"])
    assert order["items"] == [
        {"sku": {"partnerId": "A"}, "amount": 1, "unit": 100},
        {"sku": {"partnerId": "B"}, "amount": 1, "unit": 50},
    ]


def test_a_pack_whose_rows_have_totals_of_their_own_is_left_out(tmp_path: Path) -> None:
    text = pack("91;05/10/2026;Entregue;A;1;100,00;100,00", "92;05/10/2026;Cancelada;B;1;50,00;50,00")
    found = read_file(written(tmp_path, text))
    assert (named(found), found.reading.left_out, found.reading.problems) == (["91", "92"], 1, ())
    assert [order["total"] for order in raw(found)] == [100, 50]


def test_rows_under_the_packs_own_number_are_its_items(tmp_path: Path) -> None:
    text = pack("9;05/10/2026;Entregue;A;1;;100,00", "9;05/10/2026;Cancelada;B;1;;50,00")
    (order,) = raw(read_file(written(tmp_path, text)))
    assert (order["total"], len(order["items"])) == (150, 2)  # type: ignore[arg-type]
    assert "status" not in order, "its rows stand differently"


def test_a_pack_is_known_where_nobody_said_which_column_holds_the_status(tmp_path: Path) -> None:
    text = pack("91;05/10/2026;Entregue;A;1;100,00;", "92;05/10/2026;Entregue;B;1;50,00;").replace("Situação", "Estado")
    found = read_file(written(tmp_path, text))
    assert "Estado" not in found.reading.mapping
    assert named(found) == ["9"]


@pytest.mark.parametrize(
    "rows",
    [
        ("91;05/10/2026;Entregue;A;1;100,00;100,00", "92;05/10/2026;Entregue;B;1;50,00;"),
        ("91;05/10/2026;Entregue;A;1;100,00;70,00", "92;05/10/2026;Entregue;B;1;50,00;20,00"),
        ("91;05/10/2026;Entregue;A;1;100,00;",),
    ],
)
def test_a_pack_that_does_not_add_up_is_left_out_whole(tmp_path: Path, rows: tuple[str, ...]) -> None:
    found = read_file(written(tmp_path, pack(*rows)))
    assert named(found) == []
    assert [entry.line for entry in found.reading.problems] == [2]
    assert "pack 9" in str(found.reading.problems[0].reason)


# -- files without totals, and rounded numbers -------------------------------------------------------------


def test_a_file_without_totals_is_known_as_one(tmp_path: Path) -> None:
    assert read_file(written(tmp_path, "Pedido;Status\n1;Entregue\n2;Entregue\n")).reading.without_total == 2
    assert read_file(written(tmp_path, "Pedido;Total\n1;5,00\n2;\n")).reading.without_total == 1


@pytest.mark.parametrize(
    ("numbers", "kept"),
    [
        (("2000001234567890", "2000001234567910"), 0),
        (("2000001234567890", "2000001234567913"), 2),
        (("2000001234567890",), 1),  # a text may end in a zero
        (("20000012345678900",), 0),
        (("2.00000123456789E+15",), 0),
        (("2.00000123456789E+15", "1001"), 1),
        (("1000000", "2000000"), 2),
    ],
)
def test_numbers_that_a_spreadsheet_rounded_are_refused(tmp_path: Path, numbers: tuple[str, ...], kept: int) -> None:
    found = read_file(written(tmp_path, "\n".join(("Pedido;Total", *(f"{number};5,00" for number in numbers)))))
    assert (len(found.orders), len(found.reading.problems)) == (kept, len(numbers) - kept)


@pytest.mark.parametrize(
    ("values", "kept"), [(("2.00000123456789E+15",), 0), (("2000001234567890", "2000001234567891"), 2)]
)
def test_numbers_of_a_workbook(tmp_path: Path, values: tuple[str, ...], kept: int) -> None:
    rows = [["Pedido", "Total"], *([float(value) if "E" in value else int(value), 5] for value in values)]
    path = written(tmp_path, workbook(("Vendas", rows)), "o.xlsx")
    found = read_file(path)
    assert len(found.orders) == kept
    assert all("format Text" in str(entry.reason) for entry in found.reading.problems)


# -- statuses ----------------------------------------------------------------------------------------------


def test_words_for_statuses_are_told_once_for_each_marketplace(
    archive: Archive, account: Account, tmp_path: Path
) -> None:
    head = "Pedido;Canal;Status;Total\n"
    path = written(tmp_path, f"{head}1;Azul;Devolvido;5,00\n2;Azul;Em rota;5,00\n3;Azul;Entregue;5,00\n")
    assert read_file(path).reading.unknown_statuses == {"Devolvido": 1, "Em rota": 1}
    said = status_words.parse(["Devolvido=returned", "em ROTA=PAID_WAITING_DELIVERY"])
    import_order_file(archive, account, path, FileChoice(statuses=said))
    with archive.reading() as transaction:
        found = {row.hub_id: row.status for row in order_search.page(transaction, OrderQuery(), 9)}
        kept = preferences.get(transaction, account.id).statuses
    assert found == {"1": "RETURNED", "2": "PAID_WAITING_DELIVERY", "3": "CONCLUDED"}
    assert kept == {"azul/devolvido": "RETURNED", "azul/em rota": "PAID_WAITING_DELIVERY"}

    later = written(tmp_path, f"{head}4;Azul;Devolvido;5,00\n5;Verde;Devolvido;5,00\n", "later.csv")
    assert import_order_file(archive, account, later).reading.unknown_statuses == {"Devolvido": 1}
    with archive.reading() as transaction:
        found = {row.hub_id: row.status for row in order_search.page(transaction, OrderQuery(), 9)}
    assert (found["4"], found["5"]) == ("RETURNED", "Devolvido")


def test_a_slip_of_the_pen_in_a_word_is_refused(archive: Archive, account: Account, tmp_path: Path) -> None:
    path = written(tmp_path, "Pedido;Status\n1;Devolvido\n")
    with pytest.raises(UsageFault, match="Its statuses are: Devolvido"):
        import_order_file(archive, account, path, FileChoice(statuses={"Devolvdo": "RETURNED"}))
    with pytest.raises(UsageFault, match="no status of an order"):
        status_words.parse(["Devolvido=gone"])
    with pytest.raises(UsageFault, match="does not say"):
        status_words.parse(["Devolvido"])
