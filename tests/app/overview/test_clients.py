"""The office's clients: each figure as it was planted, the worst first, narrowed and ordered; the command too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from confere.app.archive_session import OpenArchive
from confere.app.closing.checklist import check_month
from confere.app.closing.checklist_line import LineState
from confere.app.closing.company_row import OpenFindings, company_row
from confere.app.context import Workspace
from confere.app.labels.client_labels import last_sync_text, situation
from confere.app.overview.client_choice import ClientFlag, ClientSort, narrowed, ordered
from confere.app.overview.clients import ClientRow, Clients, clients
from confere.cli.main import run
from tests import fifteen_clients as office
from tests.archive.papers import EMITTER
from tests.fifteen_clients import CONDITIONS, EACH, MONTH, NOW, name, tax_id


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenArchive]:
    found = OpenArchive(Workspace.at(office.made(tmp_path_factory)))
    yield found
    found.close()


@pytest.fixture(scope="module")
def found(opened: OpenArchive) -> Clients:
    return clients(opened, MONTH, now=NOW)


def names(rows: tuple[ClientRow, ...]) -> list[str]:
    return [str(row.name) for row in rows]


def test_every_figure_is_what_was_planted(found: Clients) -> None:
    rows = {row.tax_id: row for row in found.rows}
    assert rows.keys() == {*map(tax_id, range(15)), EMITTER}
    for place, planted in enumerate(CONDITIONS):
        row = rows[tax_id(place)]
        assert (row.name, row.documents) == (name(place), EACH // 10)
        assert row.days == planted.synced_days
        assert row.missing == (None if planted.synced_days is None else planted.missing)
        expected = OpenFindings(planted.high, planted.medium, planted.low) if planted.reconciled else None
        assert row.findings == expected
        assert (row.packaged_at is not None, row.closed_at is not None) == (planted.exported, planted.closed)
        assert row.is_stale is (planted.synced_days is not None and planted.synced_days >= 5)
    of_files = rows[EMITTER]
    assert (of_files.accounts, of_files.missing, of_files.findings, of_files.days) == ((), None, None, None)
    assert (situation(of_files, of_month=True), last_sync_text(of_files)) == ("from files only", "—")


def test_the_worst_stand_first(found: Clients) -> None:
    rows = ordered(found.rows)
    assert names(rows)[:5] == ["Pet Amigo", "Calçados Ávila", "Móveis Araçá", "Moda Íris", "Ótica Visão"]
    assert [situation(row, of_month=True) for row in rows[:6]] == [
        "12 XML missing",
        "3 XML missing · 2 serious",
        "5 serious",
        "never synced",
        "not synced lately",
        "6 to look at",
    ]
    states = [row.state for row in rows]
    assert states == sorted(states, key=[*LineState.__members__.values()][::-1].index)
    assert {situation(row, of_month=True) for row in rows[-5:]} == {"closed"}


def test_every_order_turns_around(found: Clients) -> None:
    for sort in ClientSort:
        rows = ordered(found.rows, sort)
        assert {row.tax_id for row in rows} == {row.tax_id for row in found.rows}
        turned = ordered(found.rows, sort, is_reversed=True)
        assert turned != rows or sort is ClientSort.DOCUMENTS
    assert names(ordered(found.rows, ClientSort.NAME))[:3] == ["Brinquedos Zé", "Café Açaí", "Calçados Ávila"]
    assert names(ordered(found.rows, ClientSort.LISTED))[:3] == ["Moda Íris", "Ótica Visão", "Pet Amigo"]
    assert names(ordered(found.rows, ClientSort.HIGH))[:2] == ["Móveis Araçá", "Calçados Ávila"]
    assert names(ordered(found.rows, ClientSort.MEDIUM))[0] == "Brinquedos Zé"
    assert all(row.closed_at is None for row in ordered(found.rows, ClientSort.CLOSED)[:11])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("avila", ["Calçados Ávila"]),
        ("OTICA visao", ["Ótica Visão"]),
        ("araçá", ["Móveis Araçá"]),
        ("11.345.678/0001", ["Calçados Ávila"]),
        ("nobody", []),
    ],
)
def test_a_text_finds_names_without_accents_and_numbers_with_their_mask(
    found: Clients, text: str, wanted: list[str]
) -> None:
    assert names(narrowed(found.rows, text)) == wanted


def test_a_list_that_is_short_is_a_problem(found: Clients) -> None:
    row = replace(next(row for row in found.rows if row.tax_id == tax_id(13)), is_short=True)
    assert row.state is LineState.PROBLEM
    assert situation(row, of_month=True) == "list incomplete"


def test_flags_narrow_together(found: Clients) -> None:
    stale = narrowed(found.rows, flags=[ClientFlag.STALE])
    assert {row.name for row in stale} == {"Moda Íris", "Ótica Visão", "Pet Amigo"}
    assert len(narrowed(found.rows, flags=[ClientFlag.PROBLEMS])) == 7
    assert len(narrowed(found.rows, flags=[ClientFlag.NOT_CLOSED])) == 11
    assert names(narrowed(found.rows, "amigo", [ClientFlag.STALE, ClientFlag.PROBLEMS])) == ["Pet Amigo"]


def test_the_checklist_counts_the_same(opened: OpenArchive, found: Clients) -> None:
    rows = {row.tax_id: row for row in found.rows}
    for company in check_month(opened, MONTH, now=NOW).companies:
        row, checked = rows[company.tax_id], company_row(company)
        assert (row.documents, row.packaged_at, row.closed_at) == (
            company.documents,
            company.exported_at,
            company.closed_at,
        )
        assert (row.missing or 0) == checked.missing
        assert row.findings == checked.findings or row.findings == OpenFindings(0, 0, 0)


def test_without_a_month_all_of_them_are_counted(opened: OpenArchive, found: Clients) -> None:
    every = {row.tax_id: row for row in clients(opened, None, now=NOW).rows}
    assert sum(row.documents for row in every.values()) == EACH * 15 + 1
    for row in found.rows:
        assert every[row.tax_id].packaged_at == row.packaged_at
    assert situation(every[tax_id(0)], of_month=False) == "no problem"


def test_a_command_lists_them(opened: OpenArchive, capsys: pytest.CaptureFixture[str]) -> None:
    home = str(opened.workspace.home.root)
    assert run(["--home", home, "--json", "clients", "--month", MONTH, "--text", "avila"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["count"], told["companies"]) == (1, 16)
    [row] = told["clients"]
    assert (row["company"], row["missing"], row["findings"]) == (tax_id(1), 3, {"high": 2, "medium": 1, "low": 0})
    assert run(["--home", home, "clients", "--month", MONTH, "--sort", "high", "--only", "not_closed"]) == 0
    text = capsys.readouterr().out
    assert text.index("Móveis Araçá") < text.index("Calçados Ávila")
    assert "Tecidos Norte" not in text
    assert run(["--home", home, "clients", "--sort", "colour"]) == 2
    assert "worst, name" in capsys.readouterr().err
