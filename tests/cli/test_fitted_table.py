"""Tables at the widths of terminals: what people copy stands whole, and nothing is left out."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest
from rich.console import Console
from rich.text import Text

from confere.cli.fitted_table import FittedTable
from confere.cli.output import ENDLESS_WIDTH

KEY = "35261023656806000138550010000017661084165233"
OFFICE = (
    ("Company", "CNPJ", "Status", "Listed until", "XML missing", "Findings", "Exported", "Closed"),
    (
        ("Ipê Amarelo Comércio Eletrônico LTDA", "23.656.806/0001-38", "problem", "31/10/2026", "0",
         "2 high · 10 medium", "26/11/2026 04:27", "—"),
        ("Pequi do Cerrado Importações LTDA", "S3.3KV.DAL/0001-47", "problem", "31/10/2026", "1.204",
         "2 high · 10 medium", "26/11/2026 04:27", "01/11/2026 10:00"),
    ),
)  # fmt: skip
TAXES = (
    ("Month", "CFOP", *(f"Tax {number}" for number in range(12))),
    (("2026-10", "5102", *(f"R$ {number}.345.678,90" for number in range(12))),),
)
ORDERS = (
    ("Order", "Created", "Buyer", "Total", "Invoice"),
    (("1001382", "30/10/2026", "Júlia Ximenes dos Santos", "-R$ 1.152,21", KEY), ("1001383", "30/10/2026", "", "", "")),
)


def printed(headers: Sequence[str], rows: Sequence[Sequence[str | Text]], width: int, right: Sequence[int] = ()) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    console.print(FittedTable(headers, rows, right))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [46, 60, 80, 100, 120, 200])
@pytest.mark.parametrize("what", [OFFICE, TAXES, ORDERS], ids=["office", "taxes", "orders"])
def test_every_number_date_amount_and_key_is_whole(
    what: tuple[Sequence[str], Sequence[Sequence[str]]], width: int
) -> None:
    headers, rows = what
    text = printed(headers, rows, width)
    assert max(map(len, text.splitlines())) <= width
    lines = text.splitlines()
    for row in rows:
        for cell in row:
            if any(map(str.isdigit, cell)) and "·" not in cell:
                assert any(cell in line for line in lines), cell
            for word in cell.split():
                assert any(word in line for line in lines), word


def test_names_wrap_between_words_before_a_column_is_folded_away() -> None:
    text = printed(("Number", "Name", "Total"), [("4711", "a name of many short words", "R$ 1,00")], 30)
    assert text.splitlines() == [
        "Number  Name           Total",
        "4711    a name of      R$ 1,00",
        "        many short",
        "        words",
    ]


def test_what_has_no_room_stands_below_its_row_behind_its_header() -> None:
    headers, rows = ORDERS
    assert printed(headers, rows, 55, right=(3,)).splitlines() == [
        "Order    Created     Buyer                        Total",
        "1001382  30/10/2026  Júlia Ximenes dos     -R$ 1.152,21",
        "                     Santos",
        f"  Invoice: {KEY}",
        "1001383  30/10/2026",
    ]


def test_a_pipe_gets_one_line_a_row() -> None:
    for headers, rows in (OFFICE, TAXES, ORDERS):
        assert len(printed(headers, rows, ENDLESS_WIDTH).splitlines()) == 1 + len(rows)


def test_only_a_word_wider_than_the_terminal_is_broken() -> None:
    assert printed(("Key",), [(KEY,)], 30).split() == ["Key", KEY[:30], KEY[30:]]


def test_wide_characters_take_two_columns() -> None:
    text = printed(("名前", "Total"), [("株式会社 東京 商事", "R$ 1,00")], 24)
    assert [line.rstrip() for line in text.splitlines()] == [
        "名前             Total",
        "株式会社 東京    R$ 1,00",
        "商事",
    ]


def test_styles_and_rows_without_their_last_cells_are_taken() -> None:
    assert printed(("A", "B"), [(Text("x", style="red"),)], 20).splitlines() == ["A  B", "x"]
    assert printed((), [], 20) == ""
