"""The parts of the page Reconcile by themselves: words, both sides as pages, terms, orders from a file, and jobs."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from confere.app.accounts import preferences
from confere.app.accounts.accounts import NewAccount, add
from confere.app.orders import orders
from confere.app.overview.activity import RunEntry
from confere.app.reconciliation import declarations
from confere.app.reconciliation.decisions import Acted
from confere.app.reconciliation.differences import one_sided
from confere.app.reconciliation.queries import (
    Compared,
    Difference,
    FindingHistoryLine,
    FindingRow,
    FindingState,
    LinkKind,
    LinkLine,
    OrderSide,
    PaperSide,
    RunLine,
    Severity,
    SideBySide,
)
from confere.archive import message_encoding
from confere.archive.accounts.runs import Run
from confere.archive.reconciliation.findings import StoredFinding
from confere.desktop.dialogs.order_import import OrderImportDialog, problem_text
from confere.desktop.jobs import job_outcomes, job_results
from confere.desktop.jobs.job import JobKind, JobOutcome, JobRequest
from confere.desktop.jobs.job_requests import invoice_order, orders_order, reconcile_order, tidy
from confere.desktop.reconcile.comparison import comparison_pages
from confere.desktop.reconcile.decisions.decision_writer import DecisionWriter
from confere.desktop.reconcile.decisions.pinned_sides import pinned
from confere.desktop.reconcile.decisions.reason_dialogs import TogetherDialog
from confere.desktop.reconcile.reconciliation_text import paper_name, several, state_pill, status_word
from confere.desktop.reconcile.run_header import run_summary
from confere.desktop.settings.terms_section import TermsSection
from confere.desktop.theme.palettes import DARK, LIGHT, Colours, contrast
from confere.errors import UsageFault, message
from confere.sales.findings import Finding
from confere.sales.hub_feeds import HubFeed
from confere.sales.links import Link
from confere.sales.order import Buyer, Order, OrderItem
from confere.system import formatting
from confere.system.messages import render
from tests.desktop.conftest import Made
from tests.desktop.reaching import settle

KEY = "35261011222333000181550010000047111000000019"
NOW = datetime(2026, 11, 1, 14, 5, tzinfo=UTC)


def finding(
    state: FindingState = FindingState.OPEN, *, rule: str = "R3", note: str | None = None, is_stale: bool = False
) -> FindingRow:
    evidence = (message("<b>10,00</b> apart"),)
    found = Finding(
        rule=rule,
        version=1,
        period="2026-10",
        severity=Severity.HIGH,
        amount=1234,
        orders=("7",),
        keys=(KEY,),
        evidence=evidence,
    )
    stored = StoredFinding(1, "f", found, state, note, None, "2026-11-01T14:05:00+00:00", False, is_stale, 1, 1, None)
    return FindingRow(stored, "loja", message("Value divergence"), NOW)


def side(**more: object) -> SideBySide:
    values: dict[str, object] = {
        "finding": finding(),
        "orders": (OrderSide("7", Order("7", buyer=Buyer(name="Ana Prado", tax_id="52998224725"))),),
        "papers": (PaperSide(KEY, None),),
        "differences": (
            Difference(message("Item {code}", code="A"), "1", "2", False),
            Difference(message("Day"), "03/10/2026", "04/10/2026", True),
            Difference(message("Buyer"), "Ana", "Ana", True),
            Difference(message("Sum"), "R$ 1,00", "", False),
        ),
        "links": (LinkLine(Link("7", KEY, LinkKind.ORDER_KEY, 100, (message("the key"),))),),
    }
    return SideBySide(**(values | more))  # type: ignore[arg-type]


def test_what_a_value_is_of_stands_under_its_line() -> None:
    shared = Difference(message("Freight by CT-e"), "R$ 3,00", "R$ 3,00", True, message("of <2> orders"))
    page = comparison_pages.comparison(side(differences=(shared,)), LIGHT)
    assert "<small>of &lt;2&gt; orders</small>" in page
    assert comparison_pages.as_text(side(differences=(shared,))).endswith("\tR$ 3,00\tof <2> orders")


def test_each_key_stands_in_lines_of_its_own() -> None:
    keys = Difference(message("Access key"), "", "3526 1023, 3526 6711", True)
    assert "3526 1023<br>3526 6711" in comparison_pages.comparison(side(differences=(keys,)), LIGHT)


# -- words ---------------------------------------------------------------------------------------------------


def test_documents_are_called_by_series_and_number() -> None:
    assert paper_name(KEY) == "1/4711"
    assert paper_name("123") == "123"


@pytest.mark.parametrize(
    ("quantity", "words"),
    [("3", "3"), ("3.000", "3"), ("0", "0"), ("0.00", "0"), ("-2", "-2"), ("1.50", "1.5"), ("1E+3", "1,000")],
)
def test_pieces_have_no_more_decimals_than_they_need(quantity: str, words: str) -> None:
    assert formatting.quantity(Decimal(quantity)) == words


def test_names_are_told_while_they_are_few() -> None:
    assert several(()) == ""
    assert several(("1", "2")) == "1, 2"
    assert several(("1", "2", "3", "4")) == "1, 2 +2"


def test_a_status_that_nobody_knows_stays_as_it_is_written() -> None:
    assert status_word("CONCLUDED") == "delivered"
    assert status_word("ON_THE_MOON") == "ON_THE_MOON"
    assert status_word(None) == ""


def test_what_is_open_is_as_grave_as_it_is() -> None:
    assert state_pill(finding()) == "bad"
    assert state_pill(finding(FindingState.NOT_CHECKED)) == "neutral"
    assert state_pill(finding(FindingState.EXPLAINED)) == "good"


def test_a_run_is_told_in_a_line() -> None:
    at = "2026-11-01T14:05:00+00:00"
    stored = Run(4, "reconcile", 1, at, at, "done", {}, {}, None)
    run = RunLine(RunEntry(stored, "loja", "done", 3.2), "2026-10", NOW, 42, 7, Compared(3, 2, 1, 0))
    told = run_summary(run, is_newest=True)
    assert "October 2026" in told
    assert "42 open, 7 not checked" in told
    assert "2 new, 1 resolved, 0 back again" in told
    stored = Run(4, "reconcile", 1, at, None, "failed", {}, {}, message_encoding.kept(message("The disk is full.")))
    failed = RunLine(RunEntry(stored, "loja", "failed", None), None, None)
    assert run_summary(failed, is_newest=False) == "The disk is full."


# -- both sides ----------------------------------------------------------------------------------------------


def test_what_differs_comes_first_and_is_marked() -> None:
    page = comparison_pages.comparison(side(), LIGHT)
    assert page.index("Sum") < page.index("Item A") < page.index("Day")
    assert page.count("≠") == 2
    assert "≈" in page
    assert "=</td>" in page
    assert "not in the archive" in page


def test_people_are_hidden_where_they_shall_be() -> None:
    assert "Ana Prado" in comparison_pages.comparison(side(), LIGHT)
    assert "Ana Prado" not in comparison_pages.comparison(side(), LIGHT, hidden=True)


def test_what_comes_from_outside_is_no_markup() -> None:
    page = comparison_pages.reasons(side(), DARK)
    assert "<b>10,00</b>" not in page
    assert "&lt;b&gt;10,00" in page
    odd = side(orders=(OrderSide("<i>7</i>", None),))
    assert "<i>" not in comparison_pages.comparison(odd, LIGHT)


def test_reasons_tell_links_notes_and_what_was_decided() -> None:
    history = (
        FindingHistoryLine(NOW, "ana", message("explained"), "freight"),
        FindingHistoryLine(NOW, None, message("found"), undone=True),
    )
    page = comparison_pages.reasons(side(finding=finding(note="look", is_stale=True), history=history), LIGHT)
    for text in ("100% sure", "the key", "confirm:0", "unlink:0", "ana", "“freight”", "<s>", "look", "next run"):
        assert text in page
    settled = side(links=(LinkLine(Link("7", KEY, LinkKind.PERSON, 100, ())),))
    assert "confirm:0" not in comparison_pages.reasons(settled, LIGHT)
    assert "linked by a person" in comparison_pages.reasons(settled, LIGHT)


def test_a_finding_about_goods_leads_to_their_table() -> None:
    alone = side(finding=finding(rule="R16"), orders=(), papers=(), differences=())
    assert "stock:0" in comparison_pages.comparison(alone, LIGHT)
    assert "stock:0" not in comparison_pages.comparison(side(orders=(), papers=(), differences=()), LIGHT)


def test_an_order_alone_tells_what_it_is_of() -> None:
    item = OrderItem("A-1", None, "Kettle", Decimal(2), None, None, None, 2000)
    order = Order("7", items=(item,), total_cents=2500, freight_cents=500)
    alone = side(orders=(OrderSide("7", order, "2026-10-03"),), papers=(), differences=())
    told = {str(entry.field): entry.order_value for entry in one_sided(alone.orders, alone.papers)}
    priced = "2 × R$ 10,00 = R$ 20,00"
    assert told == {"Date": "2026-10-03", "Item A-1 Kettle": priced, "Freight": "R$ 5,00", "Total": "R$ 25,00"}


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_marks_can_be_read(colours: Colours) -> None:
    assert contrast(colours.warn, colours.warn_soft) >= 4.5
    assert contrast(colours.muted, colours.surface) >= 4.5


# -- jobs ----------------------------------------------------------------------------------------------------


def test_orders_are_command_lines() -> None:
    assert reconcile_order(("loja",), "2026-10").arguments == (
        "reconcile", "--summary", "--account", "loja", "--period", "2026-10",
    )  # fmt: skip
    assert reconcile_order(report=Path("r.xlsx")).arguments == ("reconcile", "--summary", "--all", "--report", "r.xlsx")
    invoices = invoice_order("loja", ["7", "8"], "abc")
    *line, listed = invoices.arguments
    assert line == [
        "orders", "invoice", "--account", "loja", "--only-if", "abc", "--yes", "--summary", "--ids-from",
    ]  # fmt: skip
    assert Path(listed).read_text(encoding="utf-8").split() == ["7", "8"]
    tidy(invoices)
    assert not Path(listed).exists()
    assert reconcile_order().writes


@pytest.mark.parametrize("column", ["Valor, total", 'Say "x"', "a=b", "Nº do pedido"])
def test_the_meaning_of_any_column_survives_the_command_line(column: str) -> None:
    order = orders_order(Path("f.csv"), "loja", {column: "total"}, "Plan 1")
    said = [order.arguments[place + 1] for place, word in enumerate(order.arguments) if word == "--map"]
    assert orders.parse_mapping(said) == {column: "total"}


def told(order: JobRequest, result: dict[str, object]) -> tuple[str, str]:
    return job_outcomes.told(JobOutcome(order, 0, job_results.read(order.kind, result), None, False))


def test_jobs_tell_what_came_of_them() -> None:
    run = {
        "links": {"automatic": 8, "manual": 2, "ambiguous": 1},
        "runs": [{"states": {"open": 1, "not_checked": 1}}, {"states": {"open": 1, "not_checked": 0}}],
    }
    kind, text = told(reconcile_order(), run)
    assert kind == "good"
    assert all(part in text for part in ("Links: 10", "ambiguous: 1", "open findings: 2", "not checked: 1"))
    brought = {"new": 2, "unreadable": 1, "problems": [{"line": 4, "column": "Data", "reason": "no day"}]}
    kind, text = told(orders_order(Path("f.csv"), "loja", {}), brought)
    assert kind == "warn"
    assert "line 4: no day" in text
    refused = {"order": "8", "outcome": "refused", "hub_words": "não"}
    job = JobRequest(JobKind.INVOICES, "Invoices", ())
    kind, text = told(job, {"counts": {"written": 1, "already": 2, "refused": 1}, "results": [refused]})
    assert kind == "warn"
    assert ": 3" in text
    assert "8: não" in text
    kind, _ = told(job, {"counts": {"written": 0, "already": 1}, "results": []})
    assert kind == "good"


# -- deciding ------------------------------------------------------------------------------------------------


def test_acts_are_written_one_after_the_other_and_a_refusal_stops_none(qtbot: QtBot, made_empty: Made) -> None:
    from confere.desktop.core.reader_topics import TopicReader

    asker = TopicReader(made_empty.owner, made_empty.services.reader, "test", made_empty.services.faults.tell)
    writer = DecisionWriter(made_empty.services, asker, made_empty.owner)
    done: list[int | None] = []
    writer.done.connect(lambda acted, _: done.append(acted.act))

    def refuse() -> Acted:
        raise UsageFault(message("No."))

    writer.do(lambda: Acted(1, message("one")))
    writer.do(refuse)
    writer.do(lambda: Acted(3, message("three")))
    qtbot.waitUntil(lambda: not writer.busy)
    assert done == [1, 3]
    assert [fault.what for fault in made_empty.faults] == ["No."]


def test_one_order_and_one_document_at_least_are_ticked(qtbot: QtBot) -> None:
    dialog = TogetherDialog("Merge", "Which?", "Merge", [("7", "7"), ("8", "8")], [(KEY, "1/4711")])
    qtbot.addWidget(dialog)
    assert dialog.orders == ("7", "8")
    dialog._orders[1][1].setChecked(False)
    assert dialog.orders == ("7",)
    dialog._papers[0][1].setChecked(False)
    assert not dialog.does.isEnabled()


# -- an account's terms, and orders from a file --------------------------------------------------------------


@pytest.fixture
def made_shop(made_empty: Made, tmp_path: Path) -> Made:
    """An archive with an account and nothing else."""
    token = tmp_path / "token"
    token.write_text("secret")
    token.chmod(0o600)
    new = NewAccount("loja", "https://hub.example.com/v2", "plataforma", "production", token_file=token)
    add(made_empty.services.workspace, new, None)
    return made_empty


def kept(made: Made) -> preferences.Preferences:
    return dict(preferences.every(made.services.opened))["loja"]


def test_terms_hold_once_the_field_is_left(qtbot: QtBot, made_shop: Made) -> None:
    section = TermsSection(made_shop.services)
    qtbot.addWidget(section)
    section.show()
    section.arrive()
    settle(qtbot, made_shop.services)
    field = section.numbers["tolerance"]
    assert isinstance(field.control, QLineEdit)
    assert field.control.text() == "0,01"
    field.control.setText("1.234,5")
    field.control.editingFinished.emit()
    section.numbers["standing_days"].control.setProperty("text", "30")
    section._left("standing_days")
    section.freight.click()
    section.marks[HubFeed.ORDERS].click()
    settle(qtbot, made_shop.services)
    found = kept(made_shop)
    assert (found.terms.tolerance, found.terms.standing_days) == (123450, 30)
    assert not found.terms.freight_by_cte
    assert found.mark_feed
    assert section.warning.property("rank") == "bad"


def test_terms_that_make_no_sense_are_said_under_the_field(qtbot: QtBot, made_shop: Made) -> None:
    section = TermsSection(made_shop.services)
    qtbot.addWidget(section)
    section.show()
    section.arrive()
    settle(qtbot, made_shop.services)
    for name, text in (("tolerance", "a lot"), ("standing_days", "soon"), ("freight_after_days", "99999")):
        section.numbers[name].control.setProperty("text", text)
        section._left(name)
        settle(qtbot, made_shop.services)
        assert section.numbers[name].problem, name
    section.series.setText("1, 2")
    section.series.editingFinished.emit()
    settle(qtbot, made_shop.services)
    assert "1" in section.series_field.problem
    assert kept(made_shop) == preferences.Preferences()


def test_what_is_declared_complete_is_shown_and_revoked(qtbot: QtBot, made_shop: Made, tmp_path: Path) -> None:
    file = tmp_path / "pedidos.csv"
    file.write_text("Pedido;Data;Total\n9001;03/10/2026;10,00\n", encoding="utf-8")
    choice = orders.FileChoice(complete=orders.CompleteFor(("2026-10",), ("Azul",)))
    orders.import_file(made_shop.services.workspace, file, choice, account="loja")
    section = TermsSection(made_shop.services)
    qtbot.addWidget(section)
    section.show()
    section.arrive()
    settle(qtbot, made_shop.services)
    said = [part.text() for part in section.complete.findChildren(QLabel) if part.isVisible()]
    assert "All orders of 2026-10 of Azul are in pedidos.csv." in said
    (revoke,) = [part for part in section.complete.findChildren(QPushButton) if part.text() == "Revoke"]
    revoke.click()
    settle(qtbot, made_shop.services)
    said = [part.text() for part in section.complete.findChildren(QLabel) if part.isVisible()]
    assert "Nothing was declared complete yet." in said
    (entry,) = declarations.every(made_shop.services.workspace)
    assert entry.revoked_at


def test_a_folder_that_is_complete_is_imported_as_one(
    qtbot: QtBot, made_shop: Made, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    section = TermsSection(made_shop.services)
    qtbot.addWidget(section)
    section.show()
    section.arrive()
    settle(qtbot, made_shop.services)
    started: list[JobRequest] = []
    monkeypatch.setattr(made_shop.services.jobs, "start", started.append)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    section.complete.folder.click()
    (order,) = started
    month = section.complete.month.currentData()
    assert order.arguments[:5] == ("import", "--account", "loja", "--complete", month)
    tidy(order)


def test_without_an_account_there_are_no_terms(qtbot: QtBot, made_empty: Made) -> None:
    section = TermsSection(made_empty.services)
    qtbot.addWidget(section)
    section.show()
    section.arrive()
    settle(qtbot, made_empty.services)
    assert section.none.isVisible()
    assert section.shown is None


def test_a_file_of_orders_shows_its_columns_and_what_cannot_be_read(
    qtbot: QtBot, made_shop: Made, tmp_path: Path
) -> None:
    file = tmp_path / "pedidos.csv"
    file.write_text("Pedido;Data;Total;Valor X\n1;03/10/2026;10,00;7\n2;40/10/2026;10,00;8\n", encoding="utf-8")
    dialog = OrderImportDialog(made_shop.services, "loja")
    qtbot.addWidget(dialog)
    dialog.show()
    assert not dialog.does.isEnabled()
    dialog.open_file(file)
    settle(qtbot, made_shop.services)
    assert list(dialog._combos) == ["Pedido", "Data", "Total", "Valor X"]
    assert dialog._meaning("Total") == "total"
    assert dialog._meaning("Valor X") == orders.NOTHING
    assert "1" in dialog.problems.text()
    other = dialog._combos["Valor X"]
    other.setFocus()
    other.setCurrentIndex(other.findData("total"))
    other.activated.emit(other.currentIndex())
    settle(qtbot, made_shop.services)
    assert dialog._meaning("Valor X") == "total"
    assert dialog._meaning("Total") == orders.NOTHING  # one column a meaning
    order = dialog.order
    assert order is not None
    assert str(file) in order.arguments
    assert '"Valor X=total"' in order.arguments
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert dialog.result() == 1


def test_unknown_statuses_and_remembered_columns_of_a_file_are_told(
    qtbot: QtBot, made_shop: Made, tmp_path: Path
) -> None:
    file = tmp_path / "pedidos.csv"
    file.write_text("Pedido;Status;Worth\n1;Em separação;7\n2;pago;8\n", encoding="utf-8")
    orders.import_file(made_shop.services.workspace, file, orders.FileChoice({"Worth": "total"}), account="loja")
    dialog = OrderImportDialog(made_shop.services, "loja")
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.open_file(file)
    settle(qtbot, made_shop.services)
    assert dialog._meaning("Worth") == "total"
    assert "Pedido, Status, Worth" in dialog.summary.text()
    assert "Em separação (1)" in dialog.problems.text()
    assert dialog.problems.isVisible()


def test_what_a_file_leaves_open_is_asked_before_it_is_imported(qtbot: QtBot, made_shop: Made, tmp_path: Path) -> None:
    file = tmp_path / "vendas.csv"
    head = "Venda;Data;Canal;Status;SKU;Qtd;Preço;Total (BRL)"
    lines = [f"{at};0{at}/10/2026;Azul;{word};A;1;100,00;84,00" for at, word in ((1, "Devolvido"), (2, "Em rota"))]
    file.write_text("\n".join((head, *lines)), encoding="utf-8")
    dialog = OrderImportDialog(made_shop.services, "loja")
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.open_file(file)
    settle(qtbot, made_shop.services)
    assert not dialog.does.isEnabled()
    assert dialog.order is None
    (payout, _) = [part for part in dialog.questions.findChildren(QPushButton) if part.isVisible()]
    payout.click()
    settle(qtbot, made_shop.services)
    assert dialog._meaning("Total (BRL)") == "payout"
    assert dialog.does.isEnabled()
    assert "R3" in dialog.problems.text()

    combo = dialog.questions.words["Devolvido"]
    combo.setCurrentIndex(combo.findData("returned"))
    combo.activated.emit(combo.currentIndex())
    settle(qtbot, made_shop.services)
    assert "Devolvido" not in dialog.problems.text()
    assert dialog.questions.words["Devolvido"].currentData() == "returned"
    dialog.questions.complete.click()
    assert dialog.questions.month.currentData() == "2026-10"
    dialog.questions.marketplace.setCurrentIndex(dialog.questions.marketplace.findData("Azul"))
    order = dialog.order
    assert order is not None
    said = order.arguments
    assert ("--status", '"Devolvido=returned"') in pairwise(said)
    assert ("--complete", "2026-10") in pairwise(said)
    assert ("--marketplace", "Azul") in pairwise(said)
    assert ("--map", '"Total (BRL)=payout"') in pairwise(said)


def test_a_file_that_is_no_list_of_orders_says_why(qtbot: QtBot, made_shop: Made, tmp_path: Path) -> None:
    dialog = OrderImportDialog(made_shop.services, "loja")
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.open_file(tmp_path / "nowhere.csv")
    settle(qtbot, made_shop.services)
    assert dialog.problems.isVisible()
    assert dialog.order is None
    assert not dialog.does.isEnabled()


def test_of_many_problems_the_first_are_told() -> None:
    assert problem_text(()) == ""
    many = [orders.RowProblem(line, "", message("no")) for line in range(2, 12)]
    lines = problem_text(many).split("\n")
    assert "10" in lines[0]
    assert len(lines) == 5


def test_items_of_an_order_are_worth_the_same_wherever_they_are_shown(qtbot: QtBot) -> None:
    line = OrderItem("A1", None, "Caneca", Decimal(1), 36096, 3609, None, 32487)
    shown = side(orders=(OrderSide("o1", Order("o1", items=(line,))),), papers=())
    (alone,) = (entry.order_value for entry in one_sided(shown.orders, shown.papers) if "Item" in render(entry.field))
    frame = pinned(shown, of_orders=True, hidden=False)
    qtbot.addWidget(frame)
    assert "R$ 360,96" in alone
    assert any("R$ 360,96" in found.text() for found in frame.findChildren(QLabel))
