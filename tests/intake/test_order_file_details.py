"""Order files in detail: sums below the orders, words that are no status, disagreeing lines, columns remembered."""

from __future__ import annotations

from pathlib import Path

import pytest

from confere.archive.accounts import preferences
from confere.archive.accounts.accounts import Account
from confere.archive.store import Archive
from confere.intake.order_files.order_file_import import FileChoice, import_order_file, read_file
from tests.intake.order_files.test_order_file_import import account as account
from tests.intake.order_files.test_order_file_import import written


def test_a_column_called_id_is_the_number_of_the_order(tmp_path: Path) -> None:
    assert read_file(written(tmp_path, "ID;Valor\n7;1,00\n")).reading.mapping["ID"] == "id"
    both = read_file(written(tmp_path, "id;Pedido;Valor total\n1;7;1,00\n"))
    assert (both.reading.mapping, both.orders[0].number) == ({"Pedido": "id", "Valor total": "total"}, "7")


@pytest.mark.parametrize(
    ("head", "last"),
    [("Pedido;Total", "Total;30,00"), ("Data;Pedido;Total", "TOTAL GERAL:;;30,00"), ("Data;Venda;Total", "Totais;;30")],
)
def test_a_last_row_that_adds_up_the_others_is_no_order(tmp_path: Path, head: str, last: str) -> None:
    line = ";".join({"Data": "06/11/2026", "Total": "30,00"}.get(name, "7") for name in head.split(";"))
    found = read_file(written(tmp_path, "\n".join((head, line, last))))
    assert [entry.number for entry in found.orders] == ["7"]
    assert (found.reading.problems, found.reading.left_out, len(found.sheet.rows)) == ((), 1, 1)


def test_a_row_called_total_that_is_not_last_or_has_a_number_is_read(tmp_path: Path) -> None:
    found = read_file(written(tmp_path, "Data;Pedido;Total\nTotal;;1\n06/11/2026;7;1\nTotal;8;1\n"))
    assert (found.reading.left_out, [entry.line for entry in found.reading.problems]) == (0, [2, 4])


def test_lines_that_disagree_name_the_field_in_words_and_the_money_as_money(tmp_path: Path) -> None:
    found = read_file(written(tmp_path, "Pedido;Desconto\n1;0\n1;63,31\n2;0\n"))
    assert str(found.reading.problems[0].reason) == (
        "The lines of this order say R$ 0,00 and R$ 63,31 as the discount of the order, which must be the same on all"
        ' of them; if it is each item\'s, map the column to "discount of the item" (item_discount).'
    )


def test_words_that_are_no_status_are_counted(archive: Archive, account: Account, tmp_path: Path) -> None:
    head = "Pedido;Status\n"
    path = written(tmp_path, f"{head}1;Em separação\n1;Em separação\n2;Faturado\n3;\n4;Em separação\n5;invoiced\n")
    assert import_order_file(archive, account, path).reading.unknown_statuses == {"Em separação": 2, "": 1}
    without = written(tmp_path, "Pedido;Valor\n1;2\n", "without.csv")
    assert read_file(without).reading.unknown_statuses == {"": 1}


def test_what_is_remembered_is_marked_and_can_be_forgotten(archive: Archive, account: Account, tmp_path: Path) -> None:
    path = written(tmp_path, "Pedido;Worth;Valor total\n1;2;3\n")
    import_order_file(archive, account, path, FileChoice({"Worth": "total"}))
    with archive.reading() as transaction:
        memory = preferences.get(transaction, account.id).mapping
    again = read_file(path, memory)
    assert (again.reading.mapping["Worth"], again.reading.remembered) == ("total", ("Pedido", "Worth"))
    assert read_file(path, memory, {"Worth": "gross"}).reading.remembered == ("Pedido",)
    afresh = import_order_file(archive, account, path, FileChoice(forget=True))
    assert afresh.reading.mapping == {"Pedido": "id", "Valor total": "total"}
    with archive.reading() as transaction:
        assert preferences.get(transaction, account.id).mapping == {"pedido": "id", "valor total": "total"}
