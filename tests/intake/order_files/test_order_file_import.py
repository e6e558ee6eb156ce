"""Order files: CSV and XLSX as people export them, lines that cannot be read, files built to harm, and the archive."""

from __future__ import annotations

import io
import json
import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from confere.archive.accounts import accounts, preferences, runs
from confere.archive.accounts.accounts import Account
from confere.archive.orders import order_search, orders
from confere.archive.orders.order_rows import ReceivedOrder
from confere.archive.orders.order_search import OrderQuery
from confere.archive.store import Archive
from confere.errors import EnvironmentFault, UsageFault
from confere.fiscal import taxpayers
from confere.hub.orders.orders import order_of_text
from confere.intake.order_files import csv_tables, xlsx_tables
from confere.intake.order_files.order_file_import import (
    FileChoice,
    OrderFileResult,
    ReadFile,
    import_order_file,
    read_file,
)
from confere.system.processes.cancellation import Stop
from tests.archive.papers import key
from tests.intake.workbooks import day, sheet, sheet_of, workbook

HEAD = "Nº do Pedido;Data da venda;Situação;Valor Total;Frete;CPF/CNPJ;SKU;Quantidade;NF;Série;Chave de acesso"
LINES = (
    f"1001;05/10/2026 14:05;Faturado;R$ 1.234,56;10,00;123.456.789-09;A-1;2;55;1;{key(1)}",
    "1001;05/10/2026 14:05;Faturado;R$ 1.234,56;10,00;123.456.789-09;B-2;0,5;;;",
    "1002;06/10/2026;Cancelada;99,90;;***.456.789-**;C-3;1;;;",
)
BOTH = "\n".join((HEAD, *LINES))
# Cells that do not say where they stand: one row is very wide, and there are very many.
FAR_APART = f"<row>{'<c><v>1</v></c>' * 900}</row>" + "<row><c><v>1</v></c></row>" * 4_000


@pytest.fixture
def account(archive: Archive) -> Account:
    with archive.writing() as transaction:
        return accounts.add(transaction, name="x", environment="sandbox", address="http://127.0.0.1:9", platform="p")


def written(tmp_path: Path, data: str | bytes, name: str = "o.csv") -> Path:
    path = tmp_path / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


def fields(found: ReadFile) -> list[dict[str, object]]:
    return [json.loads(entry.raw(entry.number)) for entry in found.orders]


FIRST = {
    "id": "1001",
    "status": "INVOICED",
    "marketPlaceStatus": "Faturado",
    "createdAt": "2026-10-05T14:05:00-03:00",
    "total": 1234.56,
    "freight": 10,
    "buyer": {"document": "12345678909"},
    "invoice": {"series": "1", "number": "55", "accessKey": key(1)},
    "items": [{"sku": {"partnerId": "A-1"}, "amount": 2}, {"sku": {"partnerId": "B-2"}, "amount": 0.5}],
}


@pytest.mark.parametrize("mark", [";", ",", "\t", "|"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_separators_and_encodings(tmp_path: Path, mark: str, encoding: str) -> None:
    text = "\r\n".join(mark.join(f'"{cell}"' for cell in line.split(";")) for line in BOTH.split("\n"))
    found = read_file(written(tmp_path, text.encode(encoding)))
    assert found.reading.problems == ()
    assert fields(found)[0] == FIRST
    assert [entry.line for entry in found.orders] == [2, 4]


def test_titles_before_the_columns_and_excels_own_word_on_the_separator(tmp_path: Path) -> None:
    found = read_file(written(tmp_path, f"sep=;\nPedidos\n\n{BOTH}\n1003;32/10/2026;;;;;;;;;"))
    assert [entry.line for entry in found.orders] == [5, 7]
    assert [(entry.line, entry.column) for entry in found.reading.problems] == [(8, "Data da venda")]


def test_the_order_is_read_as_the_hubs_own(tmp_path: Path) -> None:
    found = read_file(written(tmp_path, BOTH))
    order = order_of_text(found.orders[0].raw("1001")).order
    assert (order.total_cents, order.freight_cents, order.buyer.tax_id) == (123456, 1000, "12345678909")
    assert order.invoice is not None
    assert (order.invoice.number, order.invoice.access_key) == (55, key(1))
    assert [str(item.quantity) for item in order.items] == ["2", "0.5"]


@pytest.mark.parametrize(
    ("line", "column", "words"),
    [
        (";;;5,00;;;;;;;", "Nº do Pedido", "no order number"),
        ("1;;;abc;;;;;;;", "Valor Total", "abc"),
        ("1;;;;;;;;;;123", "Chave de acesso", "44"),
        ("1;;;;;;;;5x;;", "NF", "5x"),
        ("1,2E+15;;;;;;;;;;", "Nº do Pedido", "lost its last digits"),
    ],
)
def test_what_cannot_be_read_is_told_by_line_and_the_rest_goes_in(
    tmp_path: Path, line: str, column: str, words: str
) -> None:
    found = read_file(written(tmp_path, f"{BOTH}\n{line}"))
    assert [entry.number for entry in found.orders] == ["1001", "1002"]
    (problem,) = found.reading.problems
    assert (problem.line, problem.column) == (5, column)
    assert words in str(problem.reason)


def test_an_order_with_one_unreadable_line_is_left_out_whole(tmp_path: Path) -> None:
    found = read_file(written(tmp_path, f"{BOTH}\n1001;;;;;;D;um;;;"))
    assert [entry.number for entry in found.orders] == ["1002"]


def test_lines_that_disagree_on_the_total_are_told(tmp_path: Path) -> None:
    found = read_file(written(tmp_path, f"{BOTH}\n1001;;;5,00;;;D;1;;;"))
    assert [entry.number for entry in found.orders] == ["1002"]
    assert "item_total" in str(found.reading.problems[0].reason)


def test_one_thousand_or_one_point_zero_is_not_guessed(tmp_path: Path) -> None:
    found = read_file(written(tmp_path, "Pedido;Total\n1;1.234\n2;5"))
    assert [entry.number for entry in found.orders] == ["2"]
    assert "two ways" in str(found.reading.problems[0].reason)


def test_a_workbook(tmp_path: Path) -> None:
    rows: list[Sequence[object]] = [
        ["Relatório"],
        [None],
        ["Pedido", "Data", "Total", "SKU", "Quantidade", "CPF", "Pedido", "UF"],
        [1001, day(46300.5), 1234.56, "A-1", 2, 1234567890, "other", "São Paulo"],
        [1001, day(46300.5), 1234.56, "B-2", 0.5, 1234567890],
        [None, None, 1],
    ]
    found = read_file(written(tmp_path, workbook(("Pedidos", rows), ("Vazia", [])), "o.xlsx"))
    assert (found.sheet.sheets, found.sheet.name) == (("Pedidos", "Vazia"), "Pedidos")
    assert found.sheet.columns[6] == "Pedido (2)"
    assert fields(found) == [
        {
            "id": "1001",
            "createdAt": "2026-10-05T12:00:00-03:00",
            "total": 1234.56,
            "shipping": {"state": "SP"},
            "buyer": {"document": "01234567890"},
            "items": [{"sku": {"partnerId": "A-1"}, "amount": 2}, {"sku": {"partnerId": "B-2"}, "amount": 0.5}],
        }
    ]
    assert [entry.line for entry in found.reading.problems] == [6]


def test_a_sheet_by_its_name(tmp_path: Path) -> None:
    path = written(tmp_path, workbook(("A", [["x"]]), ("Pedidos", [["Pedido"], ["7"]])), "o.xlsx")
    assert [entry.number for entry in read_file(path, sheet="pedidos").orders] == ["7"]
    with pytest.raises(UsageFault, match="Pedidos"):
        read_file(path, sheet="B")
    with pytest.raises(UsageFault, match="holds no rows"):
        read_file(written(tmp_path, workbook(("Leer", [])), "e.xlsx"))


@pytest.mark.parametrize(
    "hostile",
    [
        workbook(("A", []), xl__worksheets__sheet1=sheet([["Pedido"]]).replace('r="A1"', 'r="XFD1048576"')),
        workbook(("A", []), xl__worksheets__sheet1=sheet([["Pedido"]]).replace('r="A1"', "r='ZZZZZ9'")),
        workbook(("A", []), xl__worksheets__sheet1=sheet([["x"]]).replace('<row r="1"', '<row r = "999999999"')),
        workbook(("A", []), xl__worksheets__sheet1=sheet([["x"]]).replace('r="A1"', 's=">" r="&#88;FD1048576"')),
        workbook(("A", []), xl__worksheets__sheet1=sheet([["x"]]).replace('r="A1"', 'r="1A"')),
        workbook(("A", []), xl__worksheets__sheet1=sheet_of(FAR_APART)),
        workbook(("A", []), xl__worksheets__sheet1='<!DOCTYPE x [<!ENTITY a "b">]><worksheet/>'),
        workbook(("A", []), xl__worksheets__sheet1="<worksheet><sheetData><row>"),
        workbook(("A", []), xl__worksheets__sheet1=sheet([["Pedido"]]).encode("utf-16").decode("latin-1")),
        workbook(),
        b"PK\x03\x04 and nothing more",
        b"\xd0\xcf\x11\xe0\0\0old Excel",
    ],
    ids=[
        "far cell",
        "far column",
        "far row",
        "in disguise",
        "no place",
        "placed by order",
        "entities",
        "cut",
        "utf-16",
        "no sheet",
        "no zip",
        "old",
    ],
)
def test_files_built_to_harm_or_broken_are_refused(tmp_path: Path, hostile: bytes) -> None:
    with pytest.raises(UsageFault):
        read_file(written(tmp_path, hostile, "o.xlsx"))


def test_cells_that_do_not_say_where_they_stand(tmp_path: Path) -> None:
    names = '<c t="str"><v>Pedido</v></c><c t="str"><v>Total</v></c>'
    told = sheet_of(f"<row>{names}</row><row><c><v>7</v></c><c><v>2.5</v></c></row>")
    found = read_file(written(tmp_path, workbook(("A", []), xl__worksheets__sheet1=told), "o.xlsx"))
    assert fields(found) == [{"id": "7", "total": 2.5}]


def test_one_text_in_many_cells_is_not_multiplied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = "".join(f'<row r="{line}"><c r="A{line}" t="s"><v>0</v></c></row>' for line in range(1, 51))
    texts = f"<sst><si><t>{'x' * 9_000}</t></si><si/></sst>"
    bomb = workbook(("A", []), xl__worksheets__sheet1=sheet_of(cells), xl__sharedStrings=texts)
    with pytest.raises(UsageFault, match="No column"):
        read_file(written(tmp_path, bomb, "o.xlsx"))
    monkeypatch.setattr(xlsx_tables, "LARGEST_UNPACKED", 400_000)
    with pytest.raises(UsageFault, match="claims"):
        read_file(written(tmp_path, bomb, "o.xlsx"))


@pytest.mark.parametrize(
    ("value", "told"),
    [(0.1 + 0.2, 0.3), (1e-17, 0), (10000000000000.25, 10000000000000.2), (1e299, None), (1e15, None)],
)
def test_numbers_of_a_workbook(tmp_path: Path, value: float, told: float | None) -> None:
    rows: list[Sequence[object]] = [["Pedido", "Total", "CPF"], [2000006123456789, value, 52998224725]]
    found = read_file(written(tmp_path, workbook(("A", rows)), "o.xlsx"))
    if told is None:
        assert "too many digits" in str(found.reading.problems[0].reason)
    else:
        assert fields(found) == [{"id": "2000006123456789", "total": told, "buyer": {"document": "52998224725"}}]


def test_a_cpf_that_would_be_a_cnpj_with_zeros_stays_one(tmp_path: Path) -> None:
    both = 70000728900
    assert taxpayers.is_cpf(str(both))
    assert taxpayers.is_cnpj(f"000{both}")
    rows: list[Sequence[object]] = [["Pedido", "CPF"], [1, both]]
    found = read_file(written(tmp_path, workbook(("A", rows)), "o.xlsx"))
    assert fields(found)[0]["buyer"] == {"document": str(both)}


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xlsx_tables, "LARGEST_UNPACKED", 100_000)
    honest = workbook(("A", [["Pedido"], ["1"]]), xl__big=" " * 200_000)
    with pytest.raises(UsageFault, match="claims"):
        read_file(written(tmp_path, honest, "o.xlsx"))
    # The same that says it were small: only as much as it says is ever unpacked.
    place = honest.rfind(b"xl/big.xml") - 46
    lying = bytearray(honest)
    lying[place + 24 : place + 28] = struct.pack("<I", 10)
    with zipfile.ZipFile(io.BytesIO(bytes(lying))) as packed:
        assert packed.getinfo("xl/big.xml").file_size == 10
    with pytest.raises(UsageFault, match="cannot be read"):
        read_file(written(tmp_path, bytes(lying), "o.xlsx"))


def test_a_tag_of_endless_attributes_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    attributes = " ".join(f"b{number}='>'" for number in range(120_000))
    hostile = workbook(("A", [["Pedido"], ["1"]]), xl__worksheets__sheet1=f"<worksheet {attributes}/>")
    with pytest.raises(UsageFault, match="claims"):
        read_file(written(tmp_path, hostile, "o.xlsx"))


def test_a_csv_of_more_cells_than_fit_the_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_tables, "MOST_CELLS", 100)
    with pytest.raises(UsageFault, match="claims"):
        read_file(written(tmp_path, "Pedido;Total\n" + "1;1\n" * 100))
    monkeypatch.setattr(csv_tables, "LARGEST_TEXT", 10)
    with pytest.raises(UsageFault, match="larger than"):
        read_file(written(tmp_path, "Pedido;Total\n1;1\n"))


def test_a_quotation_mark_that_is_never_closed_swallows_no_line_in_silence(tmp_path: Path) -> None:
    with pytest.raises(UsageFault, match="from line 3 on"):
        read_file(written(tmp_path, 'Pedido;Item\n1;x\n2;"nunca\n3;x\n4;y\n'))
    found = read_file(written(tmp_path, 'Pedido;Item\n1;"em duas\nlinhas"\n2;x\n3;"fim"'))
    assert [entry.number for entry in found.orders] == ["1", "2", "3"]


def test_a_line_with_more_cells_than_columns_is_not_read_shifted(tmp_path: Path) -> None:
    found = read_file(written(tmp_path, "Pedido;Item;Total\n1;Camisa; azul;10\n2;Meia;5;;\n"))
    assert [entry.number for entry in found.orders] == ["2"]
    assert [(entry.line, str(entry.reason)) for entry in found.reading.problems] == [
        (2, "The line has more cells than there are columns.")
    ]


def test_one_number_with_two_buyers_is_no_order(tmp_path: Path) -> None:
    found = read_file(written(tmp_path, "Pedido;CPF\n1;529.982.247-25\n1;123.456.789-09\n2;529.982.247-25\n2;\n"))
    assert [entry.number for entry in found.orders] == ["2"]
    assert "12345678909" in str(found.reading.problems[0].reason)


def test_what_a_csv_writes_as_a_formula_to_stay_text_is_that_text(tmp_path: Path) -> None:
    found = read_file(written(tmp_path, 'Pedido;SKU;Total\n="00123";"=""0A""";="1,50"\n2;=cmd|x;1\n'))
    assert [entry.number for entry in found.orders] == ["00123", "2"]
    assert fields(found)[0]["items"] == [{"sku": {"partnerId": "0A"}}]
    assert (fields(found)[0]["total"], fields(found)[1]["items"]) == (1.5, [{"sku": {"partnerId": "=cmd|x"}}])


def test_a_number_that_names_nothing_is_told(tmp_path: Path) -> None:
    found = read_file(written(tmp_path, f"Pedido;Total\n{'9' * 3_000};1\n\x01;1\n3;1\n"))
    assert [entry.number for entry in found.orders] == ["3"]
    assert {str(entry.reason) for entry in found.reading.problems} == {"The line has no order number."}


@pytest.mark.parametrize("text", ["", "\n\n", 'Pedido;Total\n1;"never closed' + "x" * 200_000, "a;b\n1;2", "\0" * 100])
def test_text_that_is_no_list_of_orders_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageFault):
        read_file(written(tmp_path, text))


def test_a_file_that_is_not_there_or_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EnvironmentFault):
        read_file(tmp_path / "none.csv")
    monkeypatch.setattr(csv_tables, "LARGEST_FILE", 10)
    with pytest.raises(UsageFault, match="larger"):
        read_file(written(tmp_path, BOTH))
    monkeypatch.setattr(csv_tables, "LARGEST_FILE", 10_000)
    monkeypatch.setattr(csv_tables, "MOST_ROWS", 2)
    with pytest.raises(UsageFault, match="claims"):
        read_file(written(tmp_path, BOTH))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=300) | st.text(max_size=200).map(lambda text: f"Pedido;Total\n{text}".encode()))
def test_any_bytes_are_read_or_refused(tmp_path: Path, data: bytes) -> None:
    for name in ("o.csv", "o.xlsx"):
        try:
            found = read_file(written(tmp_path, data, name))
        except UsageFault:
            continue
        for entry in found.orders:
            assert order_of_text(entry.raw("1")).order.hub_id == "1"


# -- into the archive --------------------------------------------------------------------------------------


def bring(
    archive: Archive, account: Account, path: Path, given: dict[str, str] | None = None, stop: Stop | None = None
) -> OrderFileResult:
    """Import it; of the file of two lines that bear one total it is said that this is the order's."""
    usual = {"Valor Total": "total"} if b"Valor Total" in path.read_bytes() else {}
    return import_order_file(archive, account, path, FileChoice(given or usual), stop=stop)


def hub_says(archive: Archive, account: Account, **said: object) -> None:
    found = order_of_text(json.dumps(said).encode())
    with archive.writing() as transaction:
        entry = ReceivedOrder(found.order, found.raw, orders.HUB, "2026-10-07T00:00:00+00:00")
        orders.record(transaction, archive.vault_writer, account.id, 1, [entry])


def held(archive: Archive) -> dict[str, tuple[str | None, str]]:
    with archive.reading() as transaction:
        return {row.hub_id: (row.status, row.source) for row in order_search.page(transaction, OrderQuery(), -1)}


def test_the_same_file_again_changes_nothing(archive: Archive, account: Account, tmp_path: Path) -> None:
    path = written(tmp_path, BOTH)
    first, again = bring(archive, account, path), bring(archive, account, path)
    assert (first.rows, first.orders, first.new, first.same) == (3, 2, 2, 0)
    assert (again.new, again.changed, again.same) == (0, 0, 2)
    assert held(archive) == {"1001": ("INVOICED", "file"), "1002": ("CANCELED", "file")}
    path.write_text(BOTH.replace("Cancelada", "Pago"), encoding="utf-8")
    assert bring(archive, account, path).changed == 1
    with archive.reading() as transaction:
        row = orders.one(transaction, account.id, "1002")
        assert row is not None
        assert len(orders.versions(transaction, row.id)) == 2
        run = runs.newest(transaction)[0]
    assert (run.kind, run.outcome, run.counts["changed"]) == ("orders import", "done", 1)


def test_what_the_hub_said_stays(archive: Archive, account: Account, tmp_path: Path) -> None:
    hub_says(archive, account, id=1001, status="CONCLUDED")
    result = bring(archive, account, written(tmp_path, BOTH))
    assert (result.new, result.outranked) == (1, 1)
    assert held(archive)["1001"] == ("CONCLUDED", "hub")


def test_the_marketplaces_number_finds_the_hubs_order(archive: Archive, account: Account, tmp_path: Path) -> None:
    hub_says(archive, account, id=7, marketPlaceId="MA-1", status="PAID_WAITING_SHIP")
    result = bring(archive, account, written(tmp_path, "Nº da venda;Total\nMA-1;5,00\nMA-2;6,00"))
    assert (result.new, result.outranked) == (1, 1)
    assert set(held(archive)) == {"7", "MA-2"}


def test_columns_are_remembered_for_the_account(archive: Archive, account: Account, tmp_path: Path) -> None:
    path = written(tmp_path, "Codename;Worth;Note\n1001;5,00;x")
    with pytest.raises(UsageFault, match="Codename"):
        bring(archive, account, path)
    bring(archive, account, path, given={"Codename": "id", "Worth": "total"})
    with archive.reading() as transaction:
        assert preferences.get(transaction, account.id).mapping == {"codename": "id", "worth": "total"}
    again = bring(archive, account, path)
    assert (again.same, again.reading.mapping) == (1, {"Codename": "id", "Worth": "total"})


def test_stopped_it_keeps_what_it_has(
    archive: Archive, account: Account, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop = Stop()
    stop.set()
    result = bring(archive, account, written(tmp_path, BOTH), stop=stop)
    assert (result.stopped, result.new) == (True, 0)
    with archive.reading() as transaction:
        assert runs.newest(transaction)[0].outcome == "stopped"
    assert bring(archive, account, written(tmp_path, f"{BOTH}\n1;;;abc;;;;;;;")).unreadable == 1
    with archive.reading() as transaction:
        assert runs.newest(transaction)[0].outcome == "partial"
