"""Products of a file at the sandbox over HTTP: what is planned, sent once, refused by the hub and refused here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.catalog import catalog, push, push_files, push_plan
from confere.app.catalog.push_plan import PushPlan
from confere.app.catalog.push_result import PushResult, RowOutcome
from confere.app.context import EMBEDDED, Workspace
from confere.archive.accounts import accounts as archived_accounts
from confere.archive.accounts import audit
from confere.archive.catalog import catalog_search, products
from confere.archive.catalog.catalog_search import CatalogQuery
from confere.archive.catalog.products import ReceivedProduct
from confere.errors import NotInArchive, UsageFault, message
from confere.hub.catalog.catalog_reads import product_of_text
from confere.intake.catalog_files.product_drafts import read_file
from confere.intake.order_files.csv_tables import read
from confere.system.messages import render
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.catalog_push import HEADERS, ean, listed, product, write_file

_CALLED = {
    "title": "Título", "code": "SKU", "ean": "EAN", "price": "Preço", "stock": "Estoque", "unit": "Unidade",
    "ncm": "NCM", "origin": "Origem", "brand": "Marca", "category": "Categoria", "images": "Imagens",
    "product": "Produto", "variation": "Variação 1", "value": "Valor 1",
}  # fmt: skip


@pytest.fixture
def hub() -> Iterator[RunningHub]:
    with running(SandboxOptions(documents=60, seed=5)) as made:
        yield made


@pytest.fixture
def workspace(tmp_path: Path, hub: RunningHub) -> Workspace:
    return shop(tmp_path / "home", hub)


def shop(home: Path, hub: RunningHub) -> Workspace:
    made = Workspace.at(home)
    accounts.add(made, NewAccount("loja", hub.address, "test", EMBEDDED), hub.token)
    return made


def row(number: int, **cells: str) -> tuple[str, ...]:
    """A new product's row, with these cells in place of the usual ones."""
    values = dict(zip(HEADERS, product(number), strict=True))
    return tuple((values | {_CALLED[name]: text for name, text in cells.items()}).values())


def planned(workspace: Workspace, tmp_path: Path, rows: Sequence[tuple[str, ...]]) -> PushPlan:
    file = tmp_path / "produtos.xlsx"
    write_file(file, list(rows))
    return push.prepare(workspace, file)


def pushed(workspace: Workspace, tmp_path: Path, rows: Sequence[tuple[str, ...]]) -> PushResult:
    made = planned(workspace, tmp_path, rows)
    assert made.faults == []
    return push.send(workspace, made)


def outcomes(result: PushResult) -> list[str]:
    return [entry.outcome.value for entry in result.rows]


def at_hub(hub: RunningHub, code: str) -> dict[str, object]:
    (found,) = [each for each in listed(hub) if any(sku["partnerId"] == code for sku in each["skus"])]
    return found


def test_what_is_new_is_registered_in_order_and_then_only_what_differs_is_sent(
    workspace: Workspace, hub: RunningHub, tmp_path: Path
) -> None:
    shirt = {"product": "CAM", "title": "Camiseta", "variation": "Cor", "category": "Moda > Novas", "brand": "aurora"}
    rows = [row(1), row(2, **shirt, value="azul"), row(3, **shirt, value="furta-cor")]
    made = planned(workspace, tmp_path, rows)
    assert {kind: figures["created"] for kind, figures in made.counts().items() if figures["created"]} == {
        "brand": 1, "category": 3, "variation": 1, "product": 2,
    }  # fmt: skip
    result = push.send(workspace, made)
    assert (outcomes(result), result.complete) == (["created"] * 3, True)
    shirt_there = at_hub(hub, "PUSH-00002")
    assert (shirt_there["title"], len(shirt_there["skus"]), len(shirt_there["images"])) == ("Camiseta", 2, 2)  # type: ignore[arg-type]
    assert shirt_there["brand"] == {"id": "1", "name": "Aurora"}
    assert at_hub(hub, "PUSH-00001")["skus"][0]["amount"] == "1"  # type: ignore[index]
    shown = catalog.show(workspace, "PUSH-00003")
    assert (shown.category, shown.row.product.skus[1].variations) == ("Moda > Novas", (("Cor", "furta-cor"),))

    rows = [
        row(1, price="77,50", stock="9"),
        row(2, **shirt, value="azul"),
        row(3, **shirt, value="furta-cor", images="https://imagens.example/3.jpg https://imagens.example/33.jpg"),
        row(4, **shirt, value="preto"),
    ]
    made = planned(workspace, tmp_path, rows)
    assert {kind: tuple(figures.values()) for kind, figures in made.counts().items() if any(figures.values())} == {
        "sku": (1, 1), "image": (2, 0), "stock": (0, 2),
    }  # fmt: skip
    result = push.send(workspace, made)
    assert outcomes(result) == ["changed", "unchanged", "changed", "created"]
    history = catalog.show(workspace, "PUSH-00001").versions
    assert [(one.field, one.before, one.after) for version in history for one in version.changes] == [
        ("price_cents", 1190, 7750),
        ("stock", "1", "9"),
    ]
    with workspace.reading() as archive, archive.reading() as transaction:
        assert audit.count(transaction, "catalog push changed") == 3 + 2 + 1  # stock, stock, a price


def test_the_same_file_again_sends_nothing_and_says_what_became_of_it(
    workspace: Workspace, hub: RunningHub, tmp_path: Path
) -> None:
    pushed(workspace, tmp_path, [row(1), row(2)])
    before = len(listed(hub))
    again = push.send(workspace, push.prepare(workspace, tmp_path / "produtos.xlsx"))
    assert (outcomes(again), again.sent, len(listed(hub))) == (["created"] * 2, 0, before)


def test_a_row_that_the_hub_refuses_has_its_words_and_keeps_no_other_from_it(
    workspace: Workspace, tmp_path: Path
) -> None:
    mixed = {"product": "X", "title": "Mista", "category": "Novidades", "brand": "Nova"}
    rows = [row(1), row(2, **mixed, variation="Cor", value="azul"), row(3, **mixed, variation="Tamanho", value="M")]
    result = pushed(workspace, tmp_path, rows)
    assert (outcomes(result), result.complete) == (["created", "refused", "refused"], False)
    assert "mesmos tipos de variação" in result.rows[1].hub_words
    report = tmp_path / "report.csv"
    push_files.write_report(report, "Produtos", result)
    table = read(report, None, ["SKU"])
    assert [entry.cells[4] for entry in table.rows] == ["created", "refused", "refused"]
    push_files.write_report(tmp_path / "report.xlsx", "Produtos", result)
    assert [entry.cells[2] for entry in read(tmp_path / "report.xlsx", None, ["SKU"]).rows] == [
        "PUSH-00001", "PUSH-00002", "PUSH-00003",
    ]  # fmt: skip


def test_two_pushes_that_were_looked_at_together_send_everything_once(
    workspace: Workspace, hub: RunningHub, tmp_path: Path
) -> None:
    rows = [row(number) for number in range(1, 4)]
    first = planned(workspace, tmp_path, rows)
    second = push.prepare(workspace, tmp_path / "produtos.xlsx")
    (tmp_path / "more").mkdir()
    third = planned(workspace, tmp_path / "more", [*rows, row(4)])
    other = planned(workspace, tmp_path / "more", [row(1, price="99,00"), *rows[1:]])
    assert outcomes(push.send(workspace, first)) == ["created"] * 3
    again = push.send(workspace, second)
    assert (outcomes(again), again.sent) == (["created"] * 3, 0)
    assert outcomes(push.send(workspace, third)) == ["unchanged"] * 3 + ["created"]
    with pytest.raises(UsageFault, match="Another push wrote"):
        push.send(workspace, other)
    codes = [sku["partnerId"] for each in listed(hub) for sku in each["skus"]]
    assert sorted(code for code in codes if code.startswith("PUSH-")) == [f"PUSH-{n:05d}" for n in range(1, 5)]


@pytest.mark.parametrize(
    ("cells", "column", "words"),
    [
        ({"ncm": "6109100"}, "NCM", "eight digits"),
        ({"ean": "7891000315500"}, "EAN", "check digit"),
        ({"origin": "9"}, "Origem", "0 to 8"),
        ({"price": "muito"}, "Preço", "not a number"),
        ({"price": "-1"}, "Preço", "less than 0"),
        ({"brand": ""}, "Marca", "is empty"),
        ({"unit": "UNIDADES"}, "Unidade", "at most 6"),
        ({"images": "imagem.jpg"}, "Imagens", "no address"),
        ({"variation": "Cor"}, "Valor 1", "missing"),
        ({"code": ""}, "SKU", "no code"),
        ({"code": "PUSH-00001"}, "SKU", "stands in row 2"),
        ({"product": "PUSH-00001", "ncm": "61091001"}, "NCM", "Another row"),
    ],
)
def test_a_wrong_row_is_named_with_its_column_and_nothing_is_sent(
    workspace: Workspace, tmp_path: Path, cells: dict[str, str], column: str, words: str
) -> None:
    made = planned(workspace, tmp_path, [row(1), row(2, **cells)])
    fault = next(fault for fault in made.faults if fault.column == column)
    assert (fault.sheet, fault.line) == ("Produtos", 3)
    assert words in render(fault.reason)
    assert render(fault.remedy)


def test_a_factor_of_nothing_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    file = tmp_path / "produtos.csv"
    file.write_text("SKU;Fator de preço\nA-1;0\n", encoding="utf-8")
    made = push.prepare(workspace, file)
    assert ("Fator de preço", 2) in [(fault.column, fault.line) for fault in made.faults]


@pytest.mark.parametrize(
    ("shown", "steps"),
    [
        ({"skus": [{"id": 9, "partnerId": 1234, "price": 11.9}]}, ["sku PUT /products/7/skus/9", "image"]),
        ({"skus": [{"idSku": 9, "code": "1234", "price": "55.00"}]}, ["image"]),
        ({"skus": {"id": "9", "partnerId": "1234 "}, "nbm": "6109.10.00"}, ["sku PUT /products/7/skus/9", "image"]),
        ({"skus": [{"id": 9, "partnerId": "1234", "price": 55}, {"partnerId": [1]}, {"partnerId": {}}, 5]}, ["image"]),
        ({"images": [{"url": [1]}, {"url": {}}, {"url": "https://a.example/1.jpg"}, None]}, ["sku PUT"]),
        ({"images": 7, "brand": 5, "category": [1]}, ["sku PUT", "image"]),
        ({"skus": [{"id": 9, "partnerId": "1234", "price": [1], "amount": "muito"}]}, ["sku PUT", "image"]),
        ({"skus": [{"partnerId": "1234", "price": 54}]}, ["image"]),  # and a fault: it has no id
    ],
)
def test_a_product_is_held_against_a_file_whatever_its_hub_makes_of_it(
    workspace: Workspace, tmp_path: Path, shown: dict[str, object], steps: list[str]
) -> None:
    """A SKU that is there under another name of the field is no new one, and no JSON ends the plan."""
    file = tmp_path / "produtos.csv"
    file.write_text("SKU;Preço;NCM;Imagens\n1234;55;61091000;https://a.example/1.jpg\n", encoding="utf-8")
    usual = {"id": 7, "title": "Caneca", "nbm": {"id": 61091000}, "skus": [{"id": 9, "partnerId": "1234"}]}
    raw = json.dumps(usual | shown).encode()
    with workspace.writing("test") as archive:
        with archive.writing() as transaction:
            received = [ReceivedProduct(product_of_text(raw).product, raw)]
            products.record(transaction, archive.vault_writer, 1, 1, received)
        with archive.reading() as transaction:
            owner = archived_accounts.named(transaction, "loja")
            made = push_plan.plan(archive, transaction, owner, read_file(file), None)
    sent = [f"{step.kind} {step.write.method} {step.write.path}" for step in made.steps]
    assert len(sent) == len(steps)
    assert all(one.startswith(start) for one, start in zip(sent, steps, strict=True)), sent
    assert len(made.faults) == (1 if "'price': 54" in str(shown) else 0)


def test_a_hub_without_a_contract_is_written_to_once(tmp_path: Path) -> None:
    with running(SandboxOptions(documents=60, seed=5, contract="none")) as hub:
        workspace = shop(tmp_path / "home", hub)
        with pytest.raises(UsageFault, match="declares no catalog reads"):
            catalog.sync(workspace)
        rows = [
            row(1, category="101", brand="Aurora"),
            row(2, category="101", brand="Aurora", variation="Cor", value="azul"),
        ]
        first = pushed(workspace, tmp_path, rows)
        count = len(listed(hub))
        second = push.send(workspace, push.prepare(workspace, tmp_path / "produtos.xlsx"))
        assert (outcomes(second), len(listed(hub))) == (["created", "created"], count)
        assert at_hub(hub, "PUSH-00001")["category"] == {"id": "101"}
        assert "created" in outcomes(first)


def test_where_no_product_can_be_read_another_file_creates_none_again(tmp_path: Path) -> None:
    """A corrected file is another one; what it shares with the first is at the hub, which may take it twice."""
    with running(SandboxOptions(documents=60, seed=5, contract="none")) as hub:
        workspace = shop(tmp_path / "home", hub)
        usual = {"category": "101", "brand": "Aurora"}
        pushed(workspace, tmp_path, [row(1, **usual), row(2, **usual)])
        result = pushed(workspace, tmp_path, [row(1, **usual, price="55,00"), row(2, **usual), row(3, **usual)])
        assert outcomes(result) == ["refused", "refused", "created"]
        assert "Another file was pushed" in render(result.rows[0].why or message("-"))
        assert [entry.hub_words for entry in result.rows] == [""] * 3, "the hub was not asked"


@pytest.mark.exhaustive
def test_under_faults_every_product_is_there_once_and_nothing_is_called_done_that_is_not(tmp_path: Path) -> None:
    with running(SandboxOptions(documents=60, seed=5, faults="error5xx=0.15,reset=0.1,rate429=0.05")) as hub:
        workspace = shop(tmp_path / "home", hub)
        file = tmp_path / "produtos.xlsx"
        write_file(file, [row(number, brand="Aurora", category="101") for number in range(1, 41)])
        unknown = 0
        for _ in range(20):
            result = push.send(workspace, push.prepare(workspace, file))
            if result.complete:
                break
            bad = {entry.outcome for entry in result.rows} - {RowOutcome.CREATED, RowOutcome.CHANGED}
            assert bad <= {RowOutcome.FAILED, RowOutcome.NOT_SENT}, result.rows
            unknown += 1
        assert (result.complete, unknown > 0) == (True, True)
    with workspace.reading() as archive, archive.reading() as transaction:
        held = catalog_search.page(transaction, CatalogQuery(words="push-"), -1)
    codes = [sku.code for row in held for sku in row.product.skus]
    assert (len(codes), len(set(codes))) == (40, 40)


def test_the_template_can_be_read_and_explains_every_column(workspace: Workspace, tmp_path: Path) -> None:
    template = tmp_path / "modelo.xlsx"
    push_files.write_template(template)
    table = read(template, None, ["SKU", "Marca"])
    assert table.sheets[0] == "Produtos"
    assert {"SKU", "NCM", "Marca", "Categoria", "Fator de preço"} <= set(table.columns)
    assert len(read(template, table.sheets[1], ["Column"]).rows) == len(table.columns)


def test_what_is_asked_for_by_a_code_that_nobody_has_is_said_so(workspace: Workspace) -> None:
    catalog.sync(workspace)
    with pytest.raises(NotInArchive):
        catalog.show(workspace, "no such code")
    assert catalog.show(workspace, "SKU-0001").row.product.skus[0].code == "SKU-0001"
    assert catalog.find(workspace, "sku-0001").total == 1
    assert ean(1) == "7890000000017"
    assert RowOutcome.CREATED in RowOutcome
