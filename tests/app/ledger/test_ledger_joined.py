"""What the ledger takes from other rooms: the closing's head, the checklist's gaps, the hiding of persons."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from confere.app.closing import bridge
from confere.app.closing.checklist import check_month
from confere.app.closing.checklist_line import LineCode
from confere.app.context import Workspace
from confere.app.ledger import ledger
from confere.app.ledger.ledger import LedgerChoice
from confere.app.packages.export import ExportChoice, PackageOptions, export
from confere.app.reconciliation.review import signoffs
from confere.archive.closing import closings
from confere.fiscal import taxpayers
from tests.app.closing import closed_world, closing_world
from tests.app.closing.closing_world import GAP_MONTH, ClosingWorld
from tests.app.ledger.test_ledger import sheets_of
from tests.cli.json_recorder import answer_of

CPF = "529.982.247-25"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> ClosingWorld:
    return closing_world.made(tmp_path_factory)


def head_lines(path: Path) -> dict[str, object]:
    """The lines above the first table."""
    page = openpyxl.load_workbook(path).worksheets[0]
    return {str(row[0]): row[1] for row in page.iter_rows(max_col=2, max_row=20, values_only=True)}


def _between_two(world: ClosingWorld) -> int:
    """The row of a note of the month whose neighbours are of the month and series too."""
    return int(
        _query(
            world,
            "SELECT b.id FROM document a JOIN document b ON b.number = a.number + 1 JOIN document c"
            " ON c.number = b.number + 1 WHERE a.emitter_id = b.emitter_id AND b.emitter_id = c.emitter_id"
            " AND (a.model, b.model, c.model) = ('55', '55', '55') AND a.series = b.series AND b.series = c.series"
            f" AND min(a.issued_on, b.issued_on, c.issued_on) LIKE '{GAP_MONTH}-%'"
            f" AND max(a.issued_on, b.issued_on, c.issued_on) LIKE '{GAP_MONTH}-%'"
            " AND a.is_current = 1 AND b.is_current = 1 AND c.is_current = 1 ORDER BY b.id LIMIT 1",
        )[0]
    )


def _sold_to_a_person(world: ClosingWorld) -> tuple[str, str]:
    """The access key of a linked note of the month and the name of its buyer, who has a CPF."""
    key, name = _query(
        world,
        "SELECT d.access_key, t.name FROM document d JOIN link l ON l.access_key = d.access_key"
        " JOIN taxpayer t ON t.id = d.recipient_id JOIN taxpayer e ON e.id = d.emitter_id"
        f" WHERE d.issued_on LIKE '{GAP_MONTH}-%' AND length(t.tax_id) = 11 AND e.tax_id = '{closing_world.COMPANY}'"
        " ORDER BY d.id LIMIT 1",
    )
    assert taxpayers.is_cpf(taxpayers.normalise(CPF))
    return str(key), str(name)


def _query(world: ClosingWorld, statement: str) -> tuple[Any, ...]:
    with closing(sqlite3.connect(world.home / "archive.sqlite3")) as archive:
        row: tuple[Any, ...] = archive.execute(statement).fetchone()
    return row


def test_the_head_of_the_closing_is_named_while_the_month_is_closed(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    workspace = Workspace.at(closed_world.made(tmp_path_factory) / "closed")
    line = ("ledger", "--period", closed_world.MONTH, "--company", closed_world.COMPANY, "--json")
    code, text = answer_of(*line, "--to", str(tmp_path / "a.xlsx"), "--home", str(workspace.home.root))
    (written,) = json.loads(text)["ledgers"]
    with workspace.reading() as archive, archive.reading() as transaction:
        act = closings.newest(transaction, closed_world.COMPANY, closed_world.MONTH)
    assert act is not None
    assert (code, written["closing"]) == (min(written["missing"], 1), {"number": act.number, "head": act.head[:16]})
    choice = LedgerChoice(closed_world.MONTH, closed_world.COMPANY, tmp_path / "b.xlsx")
    again = ledger.write(workspace, choice)[0].path
    assert again.read_bytes() == (tmp_path / "a.xlsx").read_bytes()
    assert head_lines(again)["Closing snapshot"] == f"No. {act.number}, hash of the chain {act.head[:16]}"
    assert head_lines(again)["Reviewer's signature"] == "not signed"
    wanted = ExportChoice(PackageOptions(closed_world.MONTH), closed_world.COMPANY, tmp_path, with_ledger=False)
    (package,) = export(workspace, wanted)
    assert json.loads(package.manifests[0].read_text(encoding="ascii"))["closing"] == written["closing"]
    assert export(workspace, wanted)[0].identical


def test_the_head_says_who_signed_the_month(world: ClosingWorld, tmp_path: Path) -> None:
    workspace = Workspace.at(world.changed(tmp_path / "home"))
    signoffs.sign(workspace, closing_world.COMPANY, GAP_MONTH, "Ana")
    made = ledger.write(workspace, LedgerChoice(GAP_MONTH, closing_world.COMPANY, tmp_path / "a.xlsx"))[0].path
    assert str(head_lines(made)["Reviewer's signature"]).startswith("Signed by Ana on ")


def test_numbers_that_are_missing_are_those_of_the_checklist(world: ClosingWorld, tmp_path: Path) -> None:
    """The same numbers, though one between two of the month was used in another month."""
    number = _between_two(world)
    home = world.changed(
        tmp_path / "home",
        f"UPDATE belonging SET issued_on = '2025-12-30' WHERE document_id = {number}",
        f"UPDATE document SET issued_on = '2025-12-30' WHERE id = {number}",
    )
    workspace, opened = Workspace.at(home), closing_world.opened(home)
    named: set[str] = set()
    for month in ("2025-12", GAP_MONTH):
        for written in ledger.write(workspace, LedgerChoice(month, None, tmp_path / month)):
            (company,) = check_month(opened, month, written.company).companies
            (line,) = (line for line in company.lines if line.code is LineCode.NUMBER_GAPS)
            missing = [row for row in sheets_of(written.path)["Numbers"] if row["What"] == "not here"]
            names = {
                f"{written.company}/{row['Model']}/{row['Series']}/{row['From number']}-{row['To number']}"
                for row in missing
            }
            assert names == set(line.proof.names)
            assert {row["Series declared wholly visible"] for row in missing} <= {"yes"}
            assert sum(row["How many"] for row in missing) == line.proof.counts["missing"]
            named |= names
    opened.close()
    assert len(named) == len(world.planted("R12", GAP_MONTH)) > 0


def test_nobody_is_named_in_evidence_and_notes(world: ClosingWorld, tmp_path: Path) -> None:
    key, name = _sold_to_a_person(world)
    told = f"{name} ({CPF}, someone@correio.example, (11) 98765-4321) bought it"
    home = world.changed(
        tmp_path / "home",
        f"UPDATE finding SET note = '{told}', keys = '[\"{key}\"]' WHERE rule = 'R12'",
        f"UPDATE link SET evidence = '[[4,\"{told}\"]]' WHERE access_key = '{key}'",
    )
    hidden = "J. (***.982.247-**, •••, •••) bought it".replace("J.", " ".join(f"{part[0]}." for part in name.split()))
    for hides, shown in ((False, told), (True, hidden)):
        choice = LedgerChoice(GAP_MONTH, closing_world.COMPANY, tmp_path / f"{hides}.xlsx", hide_people=hides)
        sheets = sheets_of(ledger.write(Workspace.at(home), choice)[0].path)
        (finding,) = (row for row in sheets["Findings"] if row["Rule"] == "R12")
        (link,) = (row for row in sheets["Links"] if row["Access key"] == key)
        assert finding["Note"] == shown
        assert str(link["Evidence"]).endswith(shown)
        text = str(sheets)
        assert [word in text for word in (name, CPF)] == [not hides] * 2


def test_the_bridge_stands_in_the_ledger_of_who_was_reconciled(world: ClosingWorld, tmp_path: Path) -> None:
    workspace, opened = Workspace.at(world.home), closing_world.opened(world.home)
    choice = LedgerChoice(GAP_MONTH, closing_world.COMPANY, tmp_path / "l.xlsx")
    rows = sheets_of(ledger.write(workspace, choice)[0].path)["Bridge"]
    page = bridge.month_bridge(opened, closing_world.ACCOUNT, GAP_MONTH, closing_world.COMPANY)
    opened.close()
    whole = [row for row in rows if row["Marketplace"] == "All marketplaces"]
    assert [(row["Line"], round(row["Amount"] * 100)) for row in whole] == [
        (page.label(line.code), line.amount) for line in page.shown
    ]
    assert len(whole) > 2
