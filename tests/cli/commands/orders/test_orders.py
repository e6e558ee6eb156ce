"""`confere orders`, and what `sync` and `account change` say about orders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.context import EMBEDDED, Workspace
from confere.system.settings import HIDE_PEOPLE
from tests.archive.papers import key
from tests.cli.running import Call
from tests.intake.order_hub import OrderHub
from tests.intake.served import serving

FILE = (
    "Pedido;Data;Status;Total;Comprador;CPF;SKU;Quantidade;Preço unitário;NF;Série;Chave;Transportadora;Pagamento\n"
    f"1001;05/10/2026 14:05;Faturado;R$ 1.234,56;José;123.456.789-09;A-1;2;600,00;55;1;{key(1)};Rápida;Pix\n"
    "1002;06/11/2026;Cancelado;99,90;Ana;;C-3;1;99,90;;;;;\n"
    "1003;ontem;Cancelado;99,90;Ana;;C-3;1;99,90;;;;;\n"
)


@pytest.fixture
def hub() -> Iterator[OrderHub]:
    with serving(OrderHub()) as running:
        yield running


@pytest.fixture
def home(tmp_path: Path, hub: OrderHub) -> Path:
    accounts.add(Workspace.at(tmp_path / "home"), NewAccount("loja", hub.address, "p", EMBEDDED), "token-of-a-test")
    return tmp_path / "home"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "pedidos.csv"
    path.write_text(FILE, encoding="utf-8")
    return path


def test_a_file_is_previewed_and_brought_in(call: Call, home: Path, file: Path) -> None:
    seen = call("orders", "import", file, "--preview", "--home", home)
    assert seen.code == 0
    assert "Pedido = id" in seen.out
    assert "line 4, Data: ontem is not a day." in seen.err
    listed = call("orders", "list", "--home", home, "--json").json
    assert listed == {"orders": [], "total": 0, "of_no_company": 0, "other_months": None}
    shape = call("orders", "import", file, "--preview", "--home", home, "--json").json
    assert (shape["orders"], shape["lines"], shape["mapping"]["Pedido"]) == (2, 3, "id")
    assert shape["rows"][1][:3] == ["1002", "06/11/2026", "Cancelado"]
    done = call("orders", "import", file, "--home", home)
    assert done.code == 1
    assert "line 4" in done.err
    again = call("orders", "import", file, "--account", "loja", "--home", home, "--json")
    assert (again.code, again.json["same"], again.json["unreadable"]) == (1, 2, 1)
    assert again.json["problems"] == [{"line": 4, "column": "Data", "reason": "ontem is not a day."}]


def test_columns_are_named_by_hand(call: Call, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "o.csv"
    file.write_text("Código A;B\n7;10,00\n", encoding="utf-8")
    refused = call("orders", "import", file, "--home", home)
    assert refused.code == 2
    assert "--map" in refused.err
    done = call("orders", "import", file, "--map", "Código A=id,B=total", "--home", home)
    assert done.code == 0, done
    assert call("orders", "show", "7", "--home", home, "--json").json["total"] == "10.00"


def test_orders_are_listed(call: Call, home: Path, file: Path) -> None:
    call("orders", "import", file, "--home", home)

    def found(*options: object) -> list[str]:
        done = call("orders", "list", *options, "--home", home, "--json")
        assert done.code == 0
        return [entry["order_id"] for entry in done.json["orders"]]

    assert found() == ["1002", "1001"]
    assert found("--month", "2026-10") == ["1001"]
    assert found("--status", "canceled,pending") == ["1002"]
    assert found("--status", "cancelado") == found("--status", "cancelled") == ["1002"]
    refused = call("orders", "list", "--status", "FOO", "--home", home, "--json")
    assert refused.code == 2
    assert "paid-to-be-invoiced, invoiced" in refused.json["error"]["remedy"]
    assert found("--without-invoice") == ["1002"]
    assert found("--account", "loja", "--limit", "1") == ["1002"]
    assert found("--all", "José") == ["1001"]
    assert found(key(1)) == ["1001"]
    shown = call("orders", "list", "--home", home)
    assert key(1) in shown.out.replace("\n", "") or "1001" in shown.out
    assert "2 of 2 orders." in shown.err
    empty = ("orders", "list", "--month", "2026-01", "--home", home)
    assert call(*empty, "--json").json["other_months"] == {"total": 2, "first": "2026-10", "last": "2026-11"}
    assert "There are 2 in other months, the newest in November 2026." in call(*empty).err
    assert call(*empty, "--account", "loja", "José", "--json").json["other_months"]["total"] == 1
    assert "in other months" not in call(*empty, "nobody").err
    assert call("orders", "list", "--account", "none", "--home", home).code == 2


def test_an_order_is_shown_in_full(call: Call, home: Path, file: Path, hub: OrderHub) -> None:
    call("orders", "import", file, "--home", home)
    hub.add(
        7,
        7,
        buyer={"name": "Rui", "document": "11444777000161"},
        tracking={"carrier": "Rápida", "shippedDate": "2026-01-09T10:00:00Z"},
        payments=[{"method": "PIX", "status": "PAID", "value": 10.5, "marketplaceFee": 1.75, "gatewayFee": 0.35}],
        invoice={"series": "1", "number": "9"},
        partnerId="ERP-55",
        marketPlaceNumber="2000077",
        interestValue=0.45,
        fulfillment="FULL-AZUL",
        lastUpdate="2026-01-11T15:00:00Z",
    )
    hub.returns = [{"id": 70, "orderId": 7, "createdAt": "2026-01-20T10:00:00Z", "total": 10.5}]
    assert call("sync", "--only-orders", "--home", home).code == 0
    shape = call("orders", "show", "MA-7", "--home", home, "--json").json
    assert (shape["order_id"], shape["total"], shape["order"]["tracking"]["carrier"]) == ("7", "10.50", "Rápida")
    assert [entry["return_id"] for entry in shape["returns"]] == ["70"]
    assert [entry["source"] for entry in shape["versions"]] == ["hub"]
    sheet = call("orders", "show", "7", "--versions", "--home", home).out
    for word in (
        "Rui",
        "11.444.777/0001-61",
        "Pix",
        "paid",
        "Rápida",
        "R$ 10,50",
        shape["versions"][0]["sha256"],
        "70",
    ):
        assert word in sheet
    for word in ("ERP-55", "2000077", "R$ 0,45", "FULL-AZUL", "R$ 1,75", "R$ 0,35", "2026-01-11"):
        assert word in sheet
    assert (shape["partner_id"], shape["marketplace_number"], shape["interest"]) == ("ERP-55", "2000077", "0.45")
    assert (shape["fulfillment"], shape["updated_at"]) == ("FULL-AZUL", "2026-01-11T15:00:00.000+00:00")
    assert shape["order"]["payments"][0]["marketplace_fee"] == "1.75"
    for number in ("ERP-55", "2000077"):
        assert call("orders", "show", number, "--home", home, "--json").json["order_id"] == "7"
        listed = call("orders", "list", number, "--home", home, "--json").json["orders"]
        assert [entry["order_id"] for entry in listed] == ["7"]
    raw = call("orders", "show", "1001", "--raw", "--home", home).out
    assert json.loads(raw)["invoice"]["accessKey"] == key(1)
    each = call("orders", "show", "1001", "--raw", "--versions", "--home", home).out
    assert each == f"{raw}\n"
    assert call("orders", "show", "1001", "--raw", "--json", "--home", home).code == 2
    assert call("orders", "show", "no-such", "--home", home).code == 2


def test_times_of_an_order_are_told_in_brasilia(call: Call, home: Path, hub: OrderHub) -> None:
    order = hub.add(
        8,
        8,
        tracking={"shippedDate": "2026-08-03T01:00:00-05:00"},
        invoice={"series": "1", "number": "9", "issueDate": "2026-08-02T01:30:00Z"},
    )
    order["createdAt"] = "2026-08-01T00:16:29Z"
    assert call("sync", "--only-orders", "--home", home).code == 0
    sheet = call("orders", "show", "8", "--home", home).out
    for told in ("2026-07-31 21:16", "2026-08-03 03:00", "2026-08-01 22:30"):
        assert told in sheet
    assert call("orders", "show", "8", "--home", home, "--json").json["created_at"].startswith("2026-08-01T00:16:29")


def test_an_order_that_two_accounts_have_needs_the_account(call: Call, home: Path, file: Path) -> None:
    workspace = Workspace.at(home)
    accounts.add(workspace, NewAccount("outra", "http://127.0.0.1:9/v2", "p", EMBEDDED), "token")
    unclear = call("orders", "import", file, "--home", home)
    assert unclear.code == 2
    assert "--account" in unclear.err
    for name in ("loja", "outra"):
        call("orders", "import", file, "--account", name, "--home", home)
    assert call("orders", "show", "1001", "--home", home).code == 2
    assert call("orders", "show", "1001", "--account", "outra", "--home", home, "--json").json["account"] == "outra"


def test_without_an_account_nobody_knows_whose_orders_they_are(call: Call, tmp_path: Path, file: Path) -> None:
    assert call("orders", "import", file, "--preview", "--home", tmp_path / "new").code == 0
    refused = call("orders", "import", file, "--home", tmp_path / "new")
    assert refused.code == 2
    assert "account add" in refused.err


def test_a_sync_tells_of_orders(call: Call, home: Path, hub: OrderHub) -> None:
    for number in range(1, 4):
        hub.add(number, number)
    done = call("sync", "--only-orders", "--home", home, "--json")
    assert done.code == 0
    assert done.json["sync"]["orders"] | {"seconds": 0, "requests": 0} == {
        "listed": 3, "new": 3, "changed": 0, "asked": 0, "absent": 0, "failed": 0, "short": 0, "marked": 0,
        "returns": 0, "date_filter": "not needed", "has_list": True, "seconds": 0, "requests": 0,
    }  # fmt: skip
    hub.broken["9"] = 422
    one = call("sync", "--only-orders", "--order", "9", "--home", home, "--json")
    assert one.code == 1
    assert [(entry["item_id"], entry["order"]) for entry in one.json["failures"]] == [("9", True)]
    told = call("sync", "--only-orders", "--home", home)
    assert told.code == 1
    assert "Orders listed" in told.out
    assert "- 9: " in told.err
    hub.lists = 404
    assert "no list of orders" in call("sync", "--only-orders", "--full", "--home", home).err


@pytest.mark.parametrize(
    "options",
    [("--no-orders", "--only-orders"), ("--only-orders", "--type", "nfe"), ("--retry", "--only-orders", "--full")],
)
def test_options_that_make_no_sense_together(call: Call, home: Path, options: tuple[str, ...]) -> None:
    assert call("sync", *options, "--home", home).code == 2


def test_the_switch_of_the_feed_says_what_it_does(call: Call, home: Path, hub: OrderHub) -> None:
    hub.add(1, 1)
    on = call("account", "change", "loja", "--mark-feed", "--home", home)
    assert on.code == 0
    assert "ERP" in on.err
    assert call("sync", "--only-orders", "--home", home, "--json").json["sync"]["orders"]["marked"] == 1
    hub.add(2, 1)
    off = call("account", "change", "loja", "--no-mark-feed", "--home", home, "--json")
    assert off.json["mark_feed"] is False
    assert call("sync", "--only-orders", "--home", home, "--json").json["sync"]["orders"]["marked"] == 0
    assert set(hub.unread) == {"2"}


def test_lists_name_no_person_where_that_is_wanted(call: Call, home: Path, file: Path) -> None:
    call("orders", "import", file, "--home", home)
    assert "José" in call("orders", "list", "--home", home).out
    settings = Workspace.at(home).settings
    settings.set(HIDE_PEOPLE, True)
    settings.save()
    shown = call("orders", "list", "--home", home).out
    assert "José" not in shown
    assert "J." in shown
    programs = call("orders", "list", "--home", home, "--json").json["orders"]
    assert "José" in {entry["buyer_name"] for entry in programs}


def test_a_preview_tells_unknown_statuses_sums_and_what_is_remembered(call: Call, home: Path, tmp_path: Path) -> None:
    file = tmp_path / "o.csv"
    file.write_text("Code;Situação;Valor\n7;Em separação;1,00\n8;Pago;2,00\nTotal;;3,00\n", encoding="utf-8")
    done = call("orders", "import", file, "--map", "Code=id,Valor=-", "--home", home)
    assert "Em separação (1)" in done.err
    assert "Lines of sums left out  1" in done.out
    seen = call("orders", "import", file, "--preview", "--home", home)
    assert (seen.code, "Em separação (1)" in seen.err) == (0, True)
    assert "Code = id (remembered)" in seen.out
    assert "Valor (remembered)" in seen.out
    shape = call("orders", "import", file, "--preview", "--home", home, "--json").json
    assert (shape["unknown_statuses"], shape["left_out"]) == ({"Em separação": 1}, 1)
    assert shape["remembered"] == ["Code", "Situação", "Valor"]
    assert call("orders", "import", file, "--preview", "--forget-map", "--home", home).code == 2


def test_saved_rows_hide_people_on_request(call: Call, home: Path, file: Path, tmp_path: Path) -> None:
    call("orders", "import", file, "--home", home)
    table = tmp_path / "orders.csv"
    assert call("orders", "list", "--csv", table, "--home", home).code == 0
    assert "José" in table.read_text("utf-8-sig")
    assert call("orders", "list", "--csv", table, "--replace", "--hide-people", "--home", home).code == 0
    text = table.read_text("utf-8-sig")
    assert "José" not in text
    assert "***.456.789-**" in text
    assert "1234,56" in text
