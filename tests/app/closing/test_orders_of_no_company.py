"""Orders that nothing tells the company of: every output of a company's bridge and its checklist count them."""

from __future__ import annotations

import json
import shlex
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pypdfium2
import pytest

from confere.app.closing import bridge
from confere.app.closing.bridge import MonthBridge
from confere.app.closing.checklist import check_month
from confere.app.closing.checklist_line import LineCode, LineState, RemedyKind
from confere.app.ledger import bridge_sheet
from confere.app.orders import unowned_orders
from confere.archive.accounts import accounts
from confere.archive.accounts.owning_company import OF_ORDER
from confere.cli.main import run
from confere.export.months import month_of
from confere.export.pdf import bridge_paper
from confere.sales.bridge import BridgeCode
from confere.system import formatting
from tests.app.closing import closing_world
from tests.app.closing.closing_world import ACCOUNT, COMPANY, OTHER, ClosingWorld
from tests.archive.papers import key

MONTH = "2026-03"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> ClosingWorld:
    return closing_world.made(tmp_path_factory)


def _counted(home: Path) -> tuple[int, int]:
    with closing(sqlite3.connect(home / "archive.sqlite3")) as archive:
        count, worth = archive.execute(
            f"SELECT count(*), sum(o.total) FROM sales_order o WHERE {OF_ORDER} IS NULL AND created_on LIKE '{MONTH}%'"
        ).fetchone()
    assert count > 1
    return count, worth


def _bridge(home: Path, company: str | None) -> MonthBridge:
    with closing(closing_world.opened(home)) as opened:
        return bridge.month_bridge(opened, ACCOUNT, MONTH, company)


def test_the_bridge_of_a_company_counts_and_opens_them(world: ClosingWorld) -> None:
    count, worth = _counted(world.home)
    whole = _bridge(world.home, None)
    assert whole.facts.of_no_company == (0, 0) and not whole.no_company_command
    taken = 0
    for company in (COMPANY, OTHER):
        made = _bridge(world.home, company)
        assert made.facts.of_no_company == (count, worth)
        assert sum(row.share.amount for row in made.rows(BridgeCode.NO_COMPANY)) == worth
        assert sum(row.order is not None for row in made.rows(BridgeCode.NO_COMPANY)) == count
        assert any("no company" in str(sentence) and f"{count} orders" in str(sentence) for sentence in made.standing)
        taken += made.page.line(BridgeCode.ORDERS_TAKEN).amount
    assert taken + worth == whole.page.line(BridgeCode.ORDERS_TAKEN).amount


def test_one_is_told_in_the_singular(world: ClosingWorld) -> None:
    facts = _bridge(world.home, COMPANY).facts
    told = bridge_paper.standing(replace(facts, of_no_company=(1, 100)))
    [one] = [str(each) for each in told if "no company" in str(each)]
    assert one.startswith("One order of the month (R$ 1,00) is of no company")


def test_the_bridge_and_the_list_of_orders_have_the_same_in_every_month(world: ClosingWorld) -> None:
    with closing(closing_world.opened(world.home)) as opened:
        with opened.reading() as transaction:
            number = accounts.named(transaction, ACCOUNT).id
            listed = {month: unowned_orders.of_month(transaction, number, month_of(month)) for month in world.months}
        for month, orders in listed.items():
            for company in (COMPANY, OTHER):
                made = bridge.month_bridge(opened, ACCOUNT, month, company)
                assert made.facts.of_no_company == (orders.count, orders.worth)
                assert {row.share.order_id for row in made.rows(BridgeCode.NO_COMPANY)} == set(orders.names)


def test_an_invoice_that_an_order_names_tells_its_company(world: ClosingWorld, tmp_path: Path) -> None:
    count, worth = _counted(world.home)
    with closing(sqlite3.connect(world.home / "archive.sqlite3")) as archive:
        number, total = archive.execute(
            f"SELECT o.id, o.total FROM sales_order o WHERE {OF_ORDER} IS NULL AND created_on LIKE '{MONTH}%'"
        ).fetchone()
    named = key(9999, emitter=COMPANY, month=MONTH[2:4] + MONTH[5:7])
    home = world.changed(tmp_path, f"UPDATE sales_order SET invoice_key = '{named}' WHERE id = {number}")
    assert _bridge(home, COMPANY).facts.of_no_company == (count - 1, worth - total)


def test_the_commands_say_it_and_list_them(
    world: ClosingWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = world.changed(tmp_path / "home")
    count, worth = _counted(home)
    pdf = tmp_path / "page.pdf"
    arguments = ["bridge", "--period", MONTH, "--company", COMPANY, "--home", str(home), "--lang", "en"]
    assert run([*arguments, "--pdf", str(pdf)]) == 0
    told = capsys.readouterr()
    command = unowned_orders.command(ACCOUNT, MONTH)
    sentence = f"{count} orders of the month ({formatting.money(worth)}) are of no company that can be told"
    assert sentence in told.err and f"`{command}`" in told.err
    assert "orders-of-no-company" in told.out
    assert run([*arguments, "--json"]) == 0
    shape = json.loads(capsys.readouterr().out)
    assert shape["without_company"] == {
        "orders": count,
        "amount": formatting.decimal_string(worth),
        "command": command,
    }
    [line] = [each for each in shape["lines"] if each["code"] == BridgeCode.NO_COMPANY]
    assert (line["part"], line["orders"], line["amount"]) == ("memo", count, formatting.decimal_string(worth))
    with pypdfium2.PdfDocument(pdf) as document:
        text = " ".join(document[0].get_textpage().get_text_bounded().split())
    assert sentence in text
    assert "Beside the sum: orders that are in no company's bridge" in text
    assert run([*command.split()[1:], "--json", "--home", str(home)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["total"] == len(found["orders"]) == count


def test_the_command_takes_names_with_spaces(
    world: ClosingWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count, _ = _counted(world.home)
    home = world.changed(
        tmp_path / "home",
        f"UPDATE account SET name = 'Loja da Ana' WHERE name = '{ACCOUNT}'",
        "UPDATE sales_order SET marketplace = 'Casa e Lar'",
    )
    command = unowned_orders.command("Loja da Ana", MONTH, "Casa e Lar")
    assert run([*shlex.split(command)[1:], "--json", "--home", str(home)]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == count


def test_the_page_of_no_marketplace_leads_to_the_orders_that_name_none(
    world: ClosingWorld, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count, _ = _counted(world.home)
    one = f"SELECT max(o.id) FROM sales_order o WHERE {OF_ORDER} IS NULL AND created_on LIKE '{MONTH}%'"
    home = world.changed(tmp_path / "home", f"UPDATE sales_order SET marketplace = NULL WHERE id = ({one})")
    with closing(closing_world.opened(home)) as opened:
        made = bridge.month_bridge(opened, ACCOUNT, MONTH, COMPANY, bridge.NONE_NAMED)
    assert made.facts.of_no_company[0] == 1 < count
    assert run([*shlex.split(made.no_company_command)[1:], "--json", "--home", str(home)]) == 0
    assert json.loads(capsys.readouterr().out)["total"] == 1


def test_the_ledger_has_a_row_of_them(world: ClosingWorld) -> None:
    count, worth = _counted(world.home)
    with closing(closing_world.opened(world.home)) as opened:
        sheet = bridge_sheet.bridge(opened, COMPANY, MONTH)
    assert sheet is not None
    label = bridge_paper.label(BridgeCode.NO_COMPANY)
    rows = [row for row in map(list, sheet.rows) if label in row]
    assert rows and count in rows[0] and worth in rows[0]


def test_the_checklist_of_a_company_has_a_note_of_them(world: ClosingWorld) -> None:
    count, worth = _counted(world.home)
    with closing(closing_world.opened(world.home)) as opened:
        [found] = check_month(opened, MONTH, COMPANY).companies
    [line] = found.of(LineCode.ORDERS_OF_NO_COMPANY)
    assert (line.state, line.account, line.remedy_kind) == (LineState.WARNING, ACCOUNT, RemedyKind.ORDERS)
    assert f"{count} orders" in str(line.what) and formatting.money(worth) in str(line.what)
    assert (line.proof.named, len(line.proof.names)) == (count, count)
    assert line.proof.command == unowned_orders.command(ACCOUNT, MONTH)


def test_the_only_company_of_an_account_owns_them(world: ClosingWorld, tmp_path: Path) -> None:
    home = world.changed(tmp_path, f"DELETE FROM establishment WHERE tax_id = '{OTHER}'")
    with closing(closing_world.opened(home)) as opened:
        [found] = check_month(opened, MONTH, COMPANY).companies
        made = bridge.month_bridge(opened, ACCOUNT, MONTH, COMPANY)
    assert not found.of(LineCode.ORDERS_OF_NO_COMPANY)
    assert made.facts.of_no_company == (0, 0)
