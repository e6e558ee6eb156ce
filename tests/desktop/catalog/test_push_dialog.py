"""Products of a file from the window, against the sandbox over HTTP: shown, sent once, what went wrong row by row."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from confere.app.accounts import accounts
from confere.app.accounts.accounts import NewAccount
from confere.app.catalog import catalog
from confere.app.context import EMBEDDED, Workspace
from confere.desktop.catalog.filters import ProductFilters
from confere.desktop.catalog.page import ProductsPage
from confere.desktop.catalog.push_dialog import PushDialog, report_path
from confere.desktop.jobs.job import JobKind
from confere.errors import UsageFault
from confere.intake.order_files.csv_tables import read
from sandbox_hub.options import SandboxOptions
from sandbox_hub.server import RunningHub, running
from tests.catalog_push import listed, product, write_file
from tests.desktop.catalog.page_tools import choose, look_again, page_of, settle
from tests.desktop.catalog.page_tools import listed as on_page
from tests.desktop.conftest import Made
from tests.desktop.patient import LONG
from tests.end_to_end.confere import ENVIRONMENT

HEAD = "SKU;Produto;Título;Preço;Estoque;Marca;Categoria;Variação 1;Valor 1\n"
NEW = "N-1;;Caneca;19,90;3;Ipê;Casa;;\n"
MIXED = "N-2;M;Mista;5;;Ipê;Casa;Cor;azul\nN-3;M;Mista;5;;Ipê;Casa;Tamanho;M\n"


@pytest.fixture
def hub() -> Iterator[RunningHub]:
    with running(SandboxOptions(documents=60, seed=5)) as made:
        yield made


@pytest.fixture
def made(qapp: QApplication, hub: RunningHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    services = _services(qapp, hub, tmp_path / "home", monkeypatch)
    yield services
    services.close()


def _services(qapp: QApplication, hub: RunningHub, home: Path, monkeypatch: pytest.MonkeyPatch) -> Made:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", ENVIRONMENT["PYTHON_KEYRING_BACKEND"])
    accounts.add(Workspace.at(home), NewAccount("loja", hub.address, "erp", EMBEDDED), hub.token)
    services = Made(qapp, home)
    services.services.scope.choose(None, None)
    return services


@pytest.fixture
def page(qtbot: QtBot, made: Made) -> ProductsPage:
    return page_of(qtbot, made)


def dialog_of(qtbot: QtBot, page: ProductsPage) -> PushDialog:
    page.push_button.click()
    dialog = page.dialog
    assert dialog is not None
    qtbot.waitUntil(dialog.isVisible)
    return dialog


def preview(qtbot: QtBot, dialog: PushDialog, file: Path) -> None:
    with qtbot.waitSignal(dialog.looked, timeout=LONG):
        dialog.open_file(file)


def send(qtbot: QtBot, dialog: PushDialog) -> None:
    with qtbot.waitSignal(dialog.pushed, timeout=LONG):
        dialog.does.click()


def codes(hub: RunningHub) -> set[str]:
    return {sku["partnerId"] for entry in listed(hub) for sku in entry["skus"]}


def written(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "produtos.csv"
    file.write_text(HEAD + text, encoding="utf-8")
    return file


def test_a_file_is_shown_then_sent_and_listed(
    qtbot: QtBot, page: ProductsPage, hub: RunningHub, tmp_path: Path
) -> None:
    file = tmp_path / "produtos.xlsx"
    write_file(file, [product(number) for number in range(6)])
    before = codes(hub)
    dialog = dialog_of(qtbot, page)
    assert not dialog.does.isEnabled()
    preview(qtbot, dialog, file)
    planned = {row.kind: (row.created, row.changed) for row in dialog.planned.rows_model.rows}
    assert planned["product"] == (6, 0)
    assert list(planned) == [kind for kind in ("brand", "category", "product", "stock") if kind in planned]
    assert codes(hub) == before
    assert not dialog.rows.isVisible()
    send(qtbot, dialog)
    assert codes(hub) == before | {f"PUSH-{number:05d}" for number in range(6)}
    assert dialog.words.text().startswith("All is written")
    assert not dialog.does.isEnabled()
    report = read(report_path(file), None, ["SKU"])
    assert [row.cells[4] for row in report.rows] == ["created"] * 6
    preview(qtbot, dialog, file)
    assert "nothing is to be sent" in dialog.words.text()
    assert not dialog.does.isEnabled()
    dialog.reject()
    assert page.dialog is None
    look_again(qtbot, page)
    choose(qtbot, page, ProductFilters(text="push-00003"))
    assert [line.row.product.title for line in on_page(page)] == ["Produto 3"]


def test_wrong_rows_are_named_and_nothing_is_sent(
    qtbot: QtBot, page: ProductsPage, hub: RunningHub, tmp_path: Path
) -> None:
    before = codes(hub)
    dialog = dialog_of(qtbot, page)
    preview(qtbot, dialog, written(tmp_path, NEW + "N-9;;;;;;;;\n"))
    rows = dialog.rows.rows_model.rows
    assert dialog.rows.isVisible()
    assert {row.line for row in rows} == {3}
    assert all(row.where and row.why for row in rows)
    assert not dialog.does.isEnabled()
    dialog.accept()  # as Enter does
    assert not page._services.jobs.busy
    assert codes(hub) == before
    dialog.reject()


def test_what_the_hub_refuses_is_told_row_by_row_in_its_words(
    qtbot: QtBot, page: ProductsPage, hub: RunningHub, tmp_path: Path
) -> None:
    dialog = dialog_of(qtbot, page)
    dialog.report.setChecked(False)
    file = written(tmp_path, NEW + MIXED)
    preview(qtbot, dialog, file)
    send(qtbot, dialog)
    rows = dialog.rows.rows_model.rows
    assert [(row.line, row.where, row.outcome) for row in rows] == [(3, "N-2", "refused"), (4, "N-3", "refused")]
    assert "mesmos tipos de variação" in rows[0].why
    assert dialog.words.text().startswith("Rows that the hub has as the file says: 1. Not there: 2.")
    assert "N-1" in codes(hub)
    assert not report_path(file).exists()
    dialog.reject()


def test_a_file_that_was_changed_since_it_was_shown_is_not_sent(
    qtbot: QtBot, page: ProductsPage, hub: RunningHub, tmp_path: Path
) -> None:
    before = codes(hub)
    dialog = dialog_of(qtbot, page)
    preview(qtbot, dialog, written(tmp_path, NEW))
    written(tmp_path, NEW.replace("19,90", "1,99"))
    send(qtbot, dialog)
    assert "no longer those of the preview" in dialog.words.text()
    assert not dialog.does.isEnabled()
    assert codes(hub) == before
    dialog.reject()


def test_another_file_is_no_file_of_products(qtbot: QtBot, page: ProductsPage, tmp_path: Path) -> None:
    file = tmp_path / "other.csv"
    file.write_text("Nome;Idade\nAna;3\n", encoding="utf-8")
    dialog = dialog_of(qtbot, page)
    preview(qtbot, dialog, file)
    assert "has no column SKU" in dialog.words.text()
    assert not dialog.does.isEnabled()
    dialog.reject()


@pytest.mark.exhaustive
def test_closed_while_it_looks_the_preview_ends(qtbot: QtBot, page: ProductsPage, tmp_path: Path) -> None:
    dialog = dialog_of(qtbot, page)
    jobs = page._services.jobs
    dialog.open_file(written(tmp_path, NEW))
    assert jobs.has(JobKind.PUSH_PREVIEW)
    dialog.reject()
    qtbot.waitUntil(lambda: not jobs.busy, timeout=LONG)
    assert page.dialog is None


def test_the_empty_file_says_its_columns(qtbot: QtBot, page: ProductsPage, tmp_path: Path) -> None:
    dialog = dialog_of(qtbot, page)
    dialog.save_template(tmp_path / "vazio")
    saved = tmp_path / "vazio.xlsx"
    assert "SKU" in read(saved, None, ["SKU"]).columns
    assert str(saved) in dialog.words.text()
    dialog.reject()


@pytest.mark.exhaustive
def test_a_hub_without_reads_is_named_and_still_written_to(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(SandboxOptions(documents=60, seed=5, contract="none")) as silent:
        services = _services(qapp, silent, tmp_path / "silent", monkeypatch)
        with pytest.raises(UsageFault, match="declares no catalog reads"):
            catalog.sync(services.services.workspace)
        page = page_of(qtbot, services)
        assert "declares no catalog reads" in page.empty.text
        assert not page.sync.isEnabled()
        dialog = dialog_of(qtbot, page)
        preview(qtbot, dialog, written(tmp_path, "N-1;;Caneca;19,90;3;Aurora;101;;\n"))
        send(qtbot, dialog)
        assert "N-1" in codes(silent)
        dialog.reject()
        settle(qtbot, page)
        services.close()
